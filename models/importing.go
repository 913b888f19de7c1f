package models

import (
	"context"
	"html"
	"strings"

	"lectern/models/frab"
)

// ImportOptions say how a schedule becomes a programme.
type ImportOptions struct {
	// AsSubmissions also makes an accepted abstract for each session, composed
	// into it.
	AsSubmissions bool
}

// ImportCounts tell what became of the rows of one kind.
type ImportCounts struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
}

// ImportSummary tells what an import did.
type ImportSummary struct {
	Sessions  ImportCounts   `json:"sessions"`
	Abstracts ImportCounts   `json:"abstracts"`
	Contacts  ImportCounts   `json:"contacts"`
	Rooms     int            `json:"rooms_created"`
	Tracks    int            `json:"tracks_created"`
	Formats   int            `json:"formats_created"`
	Skipped   []frab.Skipped `json:"skipped"`
}

// Import brings a schedule in: rooms, tracks, formats, contacts, participants
// and programme sessions at their times. It is one transaction and emits
// nothing. A second import finds its rows by the schedule's guid or id: it
// overwrites title, description, times, track, room, format and participants
// with what the schedule says, and leaves status, publication, tags, capacity
// and level alone. An item that breaks a rule, or whose session staff deleted,
// is skipped with its reason.
func (p *Programme) Import(ctx context.Context, schedule *frab.Schedule, options ImportOptions) (*ImportSummary, error) {
	var summary *ImportSummary
	err := p.write(ctx, func(tx *Tx) error {
		i := &importer{Programme: p, tx: tx, options: options, summary: &ImportSummary{Skipped: schedule.Skipped}}
		if i.summary.Skipped == nil {
			i.summary.Skipped = []frab.Skipped{}
		}
		summary = i.summary
		if err := i.prepare(schedule); err != nil {
			return err
		}
		for index := range schedule.Events {
			if err := i.item(index, &schedule.Events[index]); err != nil {
				return err
			}
		}
		if err := i.flush(); err != nil {
			return err
		}
		return p.record(tx, activity{subject: "event", id: p.event.ID, action: "imported", after: summary})
	})
	return summary, err
}

// importer is one import at work.
type importer struct {
	*Programme
	tx       *Tx
	options  ImportOptions
	summary  *ImportSummary
	families map[Family]map[string]*Metadata // by name
	refs     *metadataSet
	people   *importedPeople
	known    map[string]string   // kind and key to record id
	sessions map[string]*Session // the rows of earlier imports
	numbers  Event
	added    []*Session
	imported []importedKey
}

type importedKey struct{ EventID, Kind, Key, RecordID string }

func (importedKey) TableName() string { return "imported" }

// prepare reads what earlier imports made, makes the metadata rows that are
// missing, and finds or makes the contacts.
func (i *importer) prepare(schedule *frab.Schedule) error {
	var keys []importedKey
	if err := i.tx.Where("event_id = ?", i.event.ID).Find(&keys).Error; err != nil {
		return err
	}
	i.known = make(map[string]string, len(keys))
	var ids []string
	for _, k := range keys {
		i.known[k.Kind+" "+k.Key] = k.RecordID
		if k.Kind != "contact" {
			ids = append(ids, k.RecordID)
		}
	}
	if err := i.readSessions(ids); err != nil {
		return err
	}
	if err := i.labels(schedule); err != nil {
		return err
	}
	if err := i.tx.Select("last_abstract, last_session").Take(&i.numbers, "id = ?", i.event.ID).Error; err != nil {
		return err
	}
	i.people = &importedPeople{importer: i}
	return i.people.prepare(schedule)
}

const readBatch = 500 // ids in one statement

func (i *importer) readSessions(ids []string) error {
	i.sessions = make(map[string]*Session, len(ids))
	for len(ids) > 0 {
		n := min(readBatch, len(ids))
		var rows []*Session
		if err := i.tx.Select(shown).Where("event_id = ? AND id IN ?", i.event.ID, ids[:n]).Find(&rows).Error; err != nil {
			return err
		}
		if err := i.embed(i.tx.DB, rows); err != nil {
			return err
		}
		for _, s := range rows {
			i.sessions[s.ID] = s
		}
		ids = ids[n:]
	}
	return nil
}

// labels finds the schedule's rooms, tracks and formats by name, and makes
// those that are missing.
func (i *importer) labels(schedule *frab.Schedule) error {
	var rows []*Metadata
	if err := i.tx.Where("event_id = ?", i.event.ID).Order("position, id").Find(&rows).Error; err != nil {
		return err
	}
	i.families = map[Family]map[string]*Metadata{Rooms: {}, Tracks: {}, Formats: {}}
	for _, m := range rows {
		if byName := i.families[m.Family]; byName != nil && byName[m.Name] == nil {
			byName[m.Name] = m
		}
	}
	add := func(family Family, count *int, n NewMetadata) error {
		if n.clean(family) != nil || i.families[family][n.Name] != nil {
			return nil // a name that breaks the rules is left out of the sessions too
		}
		m, err := i.insertMetadata(i.tx, family, n)
		if err != nil {
			return err
		}
		*count++
		rows = append(rows, m)
		i.families[family][n.Name] = m
		return nil
	}
	for _, room := range schedule.Rooms {
		if err := add(Rooms, &i.summary.Rooms, NewMetadata{Name: room}); err != nil {
			return err
		}
	}
	for _, track := range schedule.Tracks {
		n := NewMetadata{Name: track.Name}
		if colorPattern.MatchString(track.Color) {
			n.Color = &track.Color
		}
		if err := add(Tracks, &i.summary.Tracks, n); err != nil {
			return err
		}
	}
	for _, event := range schedule.Events {
		if event.Type != "" {
			if err := add(Formats, &i.summary.Formats, NewMetadata{Name: event.Type}); err != nil {
				return err
			}
		}
	}
	i.refs = &metadataSet{}
	i.refs.fill(rows)
	return nil
}

// item makes or updates the session of one item, and its abstract if asked for.
func (i *importer) item(index int, e *frab.Event) error {
	wanted := &Session{Title: e.Title, Description: descriptionOf(e), StartsAt: new(At(e.Start)), EndsAt: new(At(e.End))}
	wanted.TrackID = i.id(Tracks, e.Track)
	wanted.RoomID = i.id(Rooms, e.Room)
	wanted.FormatID = i.id(Formats, e.Type)
	wanted.Participants = i.people.of(e)
	if err := wanted.cleanImported(); err != nil {
		i.skip(index, e, err.Error())
		return nil
	}
	session := i.sessions[i.known["session "+e.Key]]
	if session != nil && session.DeletedAt != nil {
		i.skip(index, e, "was deleted in the programme and stays so")
		return nil
	}
	session, err := i.put(session, wanted, "session", e.Key, &i.summary.Sessions)
	if err != nil || !i.options.AsSubmissions {
		return err
	}
	return i.abstract(e, wanted, session)
}

// abstract makes or updates the abstract that the item's session comes from.
func (i *importer) abstract(e *frab.Event, wanted, session *Session) error {
	abstract := i.sessions[i.known["abstract "+e.Key]]
	if abstract != nil && abstract.DeletedAt != nil {
		return nil
	}
	submitted := *wanted
	submitted.IsAbstract, submitted.StartsAt, submitted.EndsAt, submitted.RoomID = true, nil, nil, nil
	if abstract == nil {
		submitted.ComposedInto, submitted.IsLinked = &session.ID, session.CompositionStatus.SourceCount == 0
	} else if !abstract.IsLinked && abstract.ComposedInto != nil {
		submitted.Title, submitted.Description = abstract.Title, abstract.Description // detached: a text of its own
	}
	_, err := i.put(abstract, &submitted, "abstract", e.Key, &i.summary.Abstracts)
	return err
}

// put makes wanted a new row, or writes it over before where they differ.
func (i *importer) put(before, wanted *Session, kind, key string, counts *ImportCounts) (*Session, error) {
	if before == nil {
		number := &i.numbers.LastSession
		if wanted.IsAbstract {
			number = &i.numbers.LastAbstract
		}
		*number++
		wanted.Status = Accepted
		i.identify(wanted, *number, i.tx.now)
		i.added = append(i.added, wanted)
		i.imported = append(i.imported, importedKey{i.event.ID, kind, key, wanted.ID})
		counts.Created++
		return wanted, nil
	}
	after := new(*before)
	after.Title, after.Description = wanted.Title, wanted.Description
	after.StartsAt, after.EndsAt = wanted.StartsAt, wanted.EndsAt
	after.TrackID, after.RoomID, after.FormatID = wanted.TrackID, wanted.RoomID, wanted.FormatID
	after.Participants = keepRoles(before.Participants, wanted.Participants)
	_, is := changes(before.facts(), after.facts())
	if len(is) == 0 && samePeople(before.Participants, after.Participants) {
		counts.Unchanged++
		return before, nil
	}
	counts.Updated++
	if err := i.saveAll(i.tx, after, before); err != nil {
		return nil, err
	}
	if after.sharesText() && !after.sameText(before) {
		source, _, err := i.copyText(i.tx, after)
		if err != nil {
			return nil, err
		}
		i.sessions[source.ID] = source
	}
	return after, nil
}

// flush stores the new rows, sessions before the abstracts composed into them.
func (i *importer) flush() error {
	var sessions, abstracts []*Session
	for _, s := range i.added {
		if s.IsAbstract {
			abstracts = append(abstracts, s)
		} else {
			sessions = append(sessions, s)
		}
	}
	for _, rows := range [][]*Session{sessions, abstracts} {
		if len(rows) == 0 {
			continue
		}
		i.tx.touch(i.event.ID)
		if err := i.tx.CreateInBatches(rows, seedBatch).Error; err != nil {
			return err
		}
		if err := i.insertLinks(i.tx, rows...); err != nil {
			return err
		}
	}
	if len(i.imported) > 0 {
		if err := i.tx.CreateInBatches(i.imported, seedBatch).Error; err != nil {
			return err
		}
	}
	return i.tx.Model(&Event{}).Where("id = ?", i.event.ID).
		UpdateColumns(map[string]any{"last_abstract": i.numbers.LastAbstract, "last_session": i.numbers.LastSession}).Error
}

func (i *importer) skip(index int, e *frab.Event, reason string) {
	i.summary.Skipped = append(i.summary.Skipped, frab.Skipped{Index: index + 1, ID: e.ID, GUID: e.GUID, Title: e.Title, Reason: reason})
}

func (i *importer) id(family Family, name string) *string {
	if m := i.families[family][name]; m != nil {
		return &m.ID
	}
	return nil
}

// descriptionOf is the item's description, else its abstract, below its subtitle.
func descriptionOf(e *frab.Event) string {
	text := e.Description
	if text == "" {
		text = e.Abstract
	}
	if e.Subtitle != "" {
		text = "<p>" + html.EscapeString(e.Subtitle) + "</p>\n" + text
	}
	return strings.TrimSpace(text)
}

// cleanImported holds an item to the rules of every other write.
func (s *Session) cleanImported() error {
	title, err := cleanName("title", s.Title, MaxTitle)
	if err != nil {
		return err
	}
	description, err := cleanHTML("description", s.Description, MaxDescription)
	if err != nil {
		return err
	}
	s.Title, s.Description = title, description
	return s.checkTimes()
}
