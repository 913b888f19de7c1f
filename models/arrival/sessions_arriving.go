package arrival

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// Session is a submission in another system, with the times at which it is in the programme. It names labels and people
// by their keys.
type Session struct {
	Key           string
	Title         string
	Description   string // HTML
	Status        models.Status
	Track, Format string
	Level         string
	Tags          []string
	Answers       models.AnswersInput
	People        []string // in order
	Slots         []Slot
}

// Slot is a time and room of a submission.
type Slot struct {
	Start, End store.Time // End is zero if unknown
	Room       string
}

// slotKey returns the key of a slot's session: that of the submission, with a number from the second slot on.
func (s *Session) slotKey(n int) string {
	if n == 0 {
		return s.Key
	}
	return fmt.Sprintf("%s#%d", s.Key, n+1)
}

// Sessions brings submissions as abstracts, with a programme session for each of their slots. The first session is
// linked to the abstract. A session whose slot is gone stays in the programme without a time. Deleted rows stay
// deleted.
func (a *Arrival) Sessions(ctx context.Context, all []Session) error {
	a.people = map[string]*models.Contact{}
	return importSteps(ctx, a.importer, all, models.StepRows/2, func(tx *store.Tx, some []Session) error {
		step := &sessionStep{importer: a.importer, tx: tx}
		var keys, people []string
		for x := range some {
			keys = append(keys, some[x].Key)
			for n := range some[x].Slots {
				keys = append(keys, some[x].slotKey(n))
			}
			people = append(people, some[x].People...)
		}
		if err := step.prepare(keys, people); err != nil {
			return err
		}
		var err error
		if step.refs, err = a.LoadMetadata(tx.DB); err != nil {
			return err
		}
		for x := range some {
			if err := step.arrive(&some[x]); err != nil {
				return err
			}
			a.saw(&some[x])
		}
		if err := step.insert(); err != nil {
			return err
		}
		return step.linkArrived()
	})
}

// saw marks a submission and its sessions as present in the other system.
func (a *Arrival) saw(s *Session) {
	a.seen[arrived{"abstract", s.Key}], a.seen[arrived{"session", s.Key}] = true, true
	for n := range s.Slots {
		a.seen[arrived{"session", s.slotKey(n)}] = true
	}
}

// arrive brings a submission with its sessions.
func (i *sessionStep) arrive(s *Session) error {
	wanted, err := i.wanted(s)
	if err != nil {
		i.skipArriving(s, err.Error())
		return nil
	}
	abstract, session := i.arrivedAs("abstract", s.Key), i.arrivedAs("session", s.Key)
	switch {
	case abstract != nil && abstract.DeletedAt != nil:
		i.skipArriving(s, "was deleted here and stays so")
		return nil
	case session != nil:
		err = i.arriveAgain(s, session, wanted)
	case abstract != nil:
		err = i.arriveLater(s, abstract, wanted)
	default:
		err = i.arriveNew(s, wanted)
	}
	for n := 1; err == nil && n < len(s.Slots); n++ {
		err = i.placeAgain(s, i.arrivedAs("session", s.slotKey(n)), wanted, n)
	}
	return err
}

// arriveAgain brings again a submission that has a session, whose text is also the abstract's.
func (i *sessionStep) arriveAgain(s *Session, session, wanted *models.Session) error {
	if err := i.placeAgain(s, session, wanted, 0); err != nil {
		return err
	}
	_, err := i.put(i.arrivedAs("abstract", s.Key), wanted, "abstract", s.Key, &i.summary.Abstracts)
	return err
}

// placeAgain brings again the session of a slot, unless it was deleted here.
func (i *sessionStep) placeAgain(s *Session, session, wanted *models.Session, n int) error {
	if session != nil && session.DeletedAt != nil {
		i.skipArriving(s, "has a session that was deleted here and stays so")
		return nil
	}
	_, err := i.put(session, i.placed(s, wanted, n), "session", s.slotKey(n), &i.summary.Sessions)
	return err
}

// arrivedAs returns the present session of a key that came before, nil for none.
func (i *sessionStep) arrivedAs(kind, key string) *models.Session {
	return i.sessions[i.records.id(kind, key)]
}

// arriveNew makes an abstract and, if it has a slot, the session that it is linked to.
func (i *sessionStep) arriveNew(s *Session, wanted *models.Session) error {
	if len(s.Slots) > 0 {
		session, err := i.put(nil, i.placed(s, wanted, 0), "session", s.Key, &i.summary.Sessions)
		if err != nil {
			return err
		}
		wanted.ComposedInto, wanted.IsLinked = &session.ID, true
	}
	_, err := i.put(nil, wanted, "abstract", s.Key, &i.summary.Abstracts)
	return err
}

// arriveLater brings again a submission that came without a session and may have one now.
func (i *sessionStep) arriveLater(s *Session, abstract, wanted *models.Session) error {
	abstract, err := i.put(abstract, wanted, "abstract", s.Key, &i.summary.Abstracts)
	if err != nil || len(s.Slots) == 0 {
		return err
	}
	if abstract.ComposedInto != nil {
		i.skipArriving(s, "is part of a session that was made here, so its time there did not come")
		return nil
	}
	placed := i.placed(s, wanted, 0)
	placed.Title, placed.Description, placed.Status = abstract.Title, abstract.Description, abstract.Status
	session, err := i.put(nil, placed, "session", s.Key, &i.summary.Sessions)
	i.links = append(i.links, arrivedLink{abstract, session})
	return err
}

// arrivedLink is an abstract that came before its session did.
type arrivedLink struct{ abstract, session *models.Session }

// linkArrived links earlier abstracts to their new sessions.
func (i *sessionStep) linkArrived() error {
	for _, l := range i.links {
		after := new(*l.abstract)
		after.ComposedInto, after.IsLinked = &l.session.ID, true
		if err := i.SaveLoaded(i.tx, l.abstract, after); err != nil {
			return err
		}
	}
	return nil
}

// wanted returns a submission as an abstract.
func (i *sessionStep) wanted(s *Session) (*models.Session, error) {
	answers, err := s.Answers.Clean()
	if err != nil {
		return nil, err
	}
	wanted := &models.Session{IsAbstract: true, Title: s.Title, Description: s.Description, Status: s.Status,
		TrackID: i.labels[models.Tracks][s.Track], FormatID: i.labels[models.Formats][s.Format], LevelID: i.labels[models.Levels][s.Level],
		CustomFields: models.Answers(answers),
		Participants: []*models.Participant{}}
	var tags []string
	for _, key := range s.Tags {
		if id := i.labels[models.Tags][key]; id != nil {
			tags = append(tags, *id)
		}
	}
	if wanted.Tags, err = i.refs.Tags(tags); err != nil {
		return nil, err
	}
	for _, key := range s.People {
		if c := i.people[key]; c != nil && !slices.ContainsFunc(wanted.Participants,
			func(p *models.Participant) bool { return p.ContactID == c.ID }) {
			wanted.Participants = append(wanted.Participants, c.As(models.Speaking, len(wanted.Participants)))
		}
	}
	return wanted, cleanImported(wanted)
}

// placed returns the programme session of the nth slot of a submission, without a time if there is no such slot.
func (i *sessionStep) placed(s *Session, abstract *models.Session, n int) *models.Session {
	placed := new(*abstract)
	placed.IsAbstract, placed.CustomFields, placed.ComposedInto, placed.IsLinked = false, nil, nil, false
	placed.Participants = slices.Clone(abstract.Participants)
	if n < len(s.Slots) {
		slot := s.Slots[n]
		placed.StartsAt, placed.RoomID = &slot.Start, i.labels[models.Rooms][slot.Room]
		if !slot.End.IsZero() {
			placed.EndsAt = &slot.End
		}
	}
	return placed
}

func (i *sessionStep) skipArriving(s *Session, reason string) {
	i.summary.Skipped = append(i.summary.Skipped, frab.Skipped{ID: s.Key, Title: s.Title, Reason: reason})
}

// arrivingFields are the fields of a session that come from another system.
var arrivingFields = []*models.SessionField{models.Field("title"), models.Field("status"), models.Field("track_id"),
	models.Field("room_id"),
	models.Field("starts_at"), models.Field("ends_at"), models.Field("format_id"), models.Field("level_id"), models.Field("tag_ids"), models.Field("participants"),
	models.Field("description"), models.Field("custom_fields")}

func arrivingFacts(s *models.Session) map[string]any {
	facts := map[string]any{}
	for _, f := range arrivingFields {
		facts[f.Name] = f.Value(s)
	}
	return facts
}

// bring writes to after, a copy of before, what the other system says differently than the last time. The text of a
// linked abstract follows its session.
func (i *sessionStep) bring(before, after, wanted *models.Session, kind, key string) error {
	wanted.Participants = keepRoles(nil, wanted.Participants)
	last, now, here := i.records[kind][key], i.hashes(arrivingFacts(wanted)), arrivingFacts(before)
	if before.IsLinked {
		here["title"], here["description"] = nil, nil
		now["title"], now["description"] = last.Said["title"], last.Said["description"]
	}
	for _, f := range arrivingFields {
		switch {
		case now[f.Name] == last.Said[f.Name]:
		case f.Name == "status" && HashOf(here["status"]) != last.Said["status"] && before.Status != wanted.Status:
			i.summary.Skipped = append(i.summary.Skipped, frab.Skipped{ID: key, Title: before.Title, Reason: fmt.Sprintf(
				"stays %s, as was decided here; there it is %s", before.Status, wanted.Status)})
		case f.Name == "tag_ids":
			after.Tags = wanted.Tags
		case f.Name == "participants":
			after.Participants = keepRoles(before.Participants, wanted.Participants)
		default:
			reflect.ValueOf(f.At(after)).Elem().Set(reflect.ValueOf(f.At(wanted)).Elem())
		}
	}
	delete(here, "status")
	i.replaced(key, before.Title, last.Said, here, now)
	return i.keep(i.tx, last.Said, imported{EventID: i.Event().ID, Kind: kind, Key: key, RecordID: before.ID, Said: now})
}

// replaced reports the fields of staff's changes that are overwritten: those that changed there since the last time,
// and whose value here is neither the old nor the new one.
func (i *importer) replaced(key, title string, last FieldHashes, here map[string]any, now FieldHashes) {
	var names []string
	for name, fact := range here {
		if is := HashOf(fact); last[name] != "" && last[name] != now[name] && is != last[name] && is != now[name] {
			names = append(names, strings.TrimSuffix(strings.TrimSuffix(name, "_ids"), "_id"))
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	i.summary.Replaced = append(i.summary.Replaced, replacedFields(key, title, strings.Join(names, ", ")))
}

func replacedFields(key, title, fields string) frab.Skipped {
	return frab.Skipped{ID: key, Title: title,
		Reason: "was changed here and there, and is now what the other system says: " + fields}
}
