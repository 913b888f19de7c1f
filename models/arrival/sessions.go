package arrival

import (
	"cmp"
	"context"
	"html"
	"strings"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// importSessions makes or updates the sessions of a schedule, and their abstracts if asked for.
func (i *importer) importSessions(ctx context.Context, all []frab.Event) error {
	rows := 1
	if i.options.AsSubmissions {
		rows = 2
	}
	return importSteps(ctx, i, all, models.StepRows/rows, func(tx *store.Tx, some []frab.Event) error {
		step, keys := &sessionStep{importer: i, tx: tx}, make([]string, len(some))
		for x := range some {
			keys[x] = some[x].Key
		}
		if err := step.prepare(keys, keysOfPeople(some)); err != nil {
			return err
		}
		for x := range some {
			if err := step.item(&some[x]); err != nil {
				return err
			}
		}
		return step.insert()
	})
}

// sessionStep is one transaction of an import at work on sessions.
type sessionStep struct {
	*importer
	tx       *store.Tx
	labels   map[models.Family]map[string]*string
	records  importedRows               // of earlier imports
	sessions map[string]*models.Session // their present state, by id
	added    []*models.Session
	keys     []imported // of the added sessions, in the same order
	links    []arrivedLink
	refs     models.MetadataSet // for arrivals only
}

// prepare reads and locks what earlier imports made of the items, and the people.
func (i *sessionStep) prepare(keys, people []string) (err error) {
	if i.labels, err = i.labelIDs(i.tx); err != nil {
		return err
	}
	if i.records, err = i.recordsOf(i.tx, keys, "session", "abstract"); err != nil {
		return err
	}
	if err := i.holdPeople(i.tx, people); err != nil {
		return err
	}
	var sessions, ids []string
	for _, key := range keys {
		sessions = append(sessions, i.records.id("session", key))
		ids = append(ids, i.records.id("session", key), i.records.id("abstract", key))
	}
	if err := i.HoldSessions(i.tx, "NOT is_abstract AND id IN ?", sessions); err != nil {
		return err
	}
	if err := i.HoldSessions(i.tx, "is_abstract AND (id IN ? OR composed_into IN ?)", ids, sessions); err != nil {
		return err
	}
	rows, err := i.LoadAll(i.tx.DB, ids)
	i.sessions = make(map[string]*models.Session, len(rows))
	for _, s := range rows {
		i.sessions[s.ID] = s
	}
	return err
}

// item makes or updates the session of one item, and its abstract if asked for.
func (i *sessionStep) item(e *frab.Event) error {
	wanted := &models.Session{
		Title: e.Title, Description: descriptionOf(e), StartsAt: new(store.At(e.Start)), EndsAt: new(store.At(e.End)),
		TrackID: i.labels[models.Tracks][e.Track], RoomID: i.labels[models.Rooms][e.Room], FormatID: i.labels[models.Formats][e.Type],
		IsPlenary: e.Plenary, Participants: i.peopleOf(e),
	}
	if err := cleanImported(wanted); err != nil {
		i.skip(e, err.Error())
		return nil
	}
	session := i.sessions[i.records.id("session", e.Key)]
	if session != nil && session.DeletedAt != nil {
		i.skip(e, "was deleted in the programme and stays so")
		return nil
	}
	session, err := i.put(session, wanted, "session", e.Key, &i.summary.Sessions)
	if err != nil || !i.options.AsSubmissions {
		return err
	}
	return i.abstract(e, wanted, session)
}

// abstract makes or updates the abstract that the item's session comes from.
func (i *sessionStep) abstract(e *frab.Event, wanted, session *models.Session) error {
	abstract := i.sessions[i.records.id("abstract", e.Key)]
	if abstract != nil && abstract.DeletedAt != nil {
		return nil
	}
	submitted := *wanted
	submitted.Participants = i.peopleOf(e)
	submitted.IsAbstract, submitted.StartsAt, submitted.EndsAt, submitted.RoomID = true, nil, nil, nil
	submitted.IsPlenary = false
	if abstract == nil {
		submitted.ComposedInto, submitted.IsLinked = &session.ID, session.CompositionStatus.SourceCount == 0
	} else if !abstract.IsLinked && abstract.ComposedInto != nil {
		submitted.Title, submitted.Description = abstract.Title, abstract.Description // detached: a text of its own
	}
	_, err := i.put(abstract, &submitted, "abstract", e.Key, &i.summary.Abstracts)
	return err
}

// put inserts wanted, or updates before where they differ.
func (i *sessionStep) put(before, wanted *models.Session, kind, key string, counts *Counts) (*models.Session, error) {
	if before == nil {
		wanted.Status = cmp.Or(wanted.Status, models.Accepted)
		wanted.Participants = keepRoles(nil, wanted.Participants)
		i.added = append(i.added, wanted)
		i.keys = append(i.keys, imported{i.Event().ID, kind, key, "", i.hashes(arrivingFacts(wanted)), i.move, nil})
		counts.Created++
		return wanted, nil
	}
	after := new(*before)
	if i.arrives {
		if err := i.bring(before, after, wanted, kind, key); err != nil {
			return nil, err
		}
	} else {
		after.Title, after.Description = wanted.Title, wanted.Description
		after.StartsAt, after.EndsAt = wanted.StartsAt, wanted.EndsAt
		after.IsPlenary = before.IsPlenary || wanted.IsPlenary // other systems do not have it
		after.TrackID, after.RoomID, after.FormatID = wanted.TrackID, wanted.RoomID, wanted.FormatID
		after.Participants = keepRoles(before.Participants, wanted.Participants)
	}
	if _, is := store.Changes(before.Facts(), after.Facts()); len(is) == 0 {
		counts.Unchanged++
		return before, nil
	}
	counts.Updated++
	if err := i.SaveLoaded(i.tx, before, after); err != nil {
		return after, err
	}
	i.sessions[after.ID] = after
	if !after.SharesText() {
		return after, nil
	}
	// Its linked abstract, which may belong to the same item, has its text now.
	source, err := i.Linked(i.tx, after.ID)
	if source != nil {
		i.sessions[source.ID] = source
	}
	return after, err
}

// insert stores the added sessions, and which item each came from.
func (i *sessionStep) insert() error {
	if len(i.added) == 0 {
		return nil
	}
	if err := i.AddLoaded(i.tx, i.added...); err != nil {
		return err
	}
	for at, s := range i.added {
		i.keys[at].RecordID = s.ID
	}
	return i.tx.Create(i.keys).Error
}

func (i *sessionStep) skip(e *frab.Event, reason string) {
	skipped := frab.Skipped{Index: e.Index, ID: e.ID, GUID: e.GUID, Title: e.Title, Reason: reason}
	i.summary.Skipped = append(i.summary.Skipped, skipped)
}

// descriptionOf returns the item's description, else its abstract, below its subtitle.
func descriptionOf(e *frab.Event) string {
	text := cmp.Or(e.Description, e.Abstract)
	if e.Subtitle != "" {
		text = "<p>" + html.EscapeString(e.Subtitle) + "</p>\n" + text
	}
	return strings.TrimSpace(text)
}

// cleanImported applies the same rules as every other write of a session.
func cleanImported(s *models.Session) error {
	var err error
	if s.Title, err = store.CleanName("title", s.Title, store.MaxTitle); err != nil {
		return err
	}
	if s.Description, err = store.CleanHTML("description", s.Description, store.MaxDescription); err != nil {
		return err
	}
	return s.CheckTimes()
}
