package arrival

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// Options say how a schedule becomes a programme.
type Options struct {
	// AsSubmissions also makes an accepted abstract for each session, composed into it.
	AsSubmissions bool
	// Tell, unless nil, is called with the progress after each transaction.
	Tell func(Summary)
}

// Counts are how many rows of one kind were created, updated and left unchanged.
type Counts struct {
	Created   int `json:"created"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
}

// All returns how many rows there were.
func (c Counts) All() int { return c.Created + c.Updated + c.Unchanged }

// Summary is what an import did.
type Summary struct {
	Sessions  Counts         `json:"sessions"`
	Abstracts Counts         `json:"abstracts"`
	Contacts  Counts         `json:"contacts"`
	Breaks    Counts         `json:"breaks"`
	Rooms     int            `json:"rooms_created"`
	Tracks    int            `json:"tracks_created"`
	Formats   int            `json:"formats_created"`
	Tags      int            `json:"tags_created,omitempty"`
	Levels    int            `json:"levels_created,omitempty"`
	StartsOn  string         `json:"starts_on,omitempty"` // the dates set for the event, if any
	EndsOn    string         `json:"ends_on,omitempty"`
	Skipped   []frab.Skipped `json:"skipped"`
	Replaced  []frab.Skipped `json:"replaced,omitempty"` // values changed by staff that differ in the other system
}

// Import brings a schedule into the event: rooms, tracks, formats, contacts, participants, programme sessions and
// breaks with their times, and the event's dates if it has none. It emits nothing and leaves one line of activity.
//
// It commits at most 100 rows at a time, so that others can write meanwhile. One that ends early, by a fault or a kill,
// keeps what it did; run again, it goes on from there and makes nothing twice, nor do two at once.
//
// A second import finds its rows by the schedule's guid or id: it overwrites title, description, times, track, room,
// format and participants, and leaves status, publication, tags, capacity and level alone. An item that breaks a rule,
// or whose session staff deleted, is skipped with its reason.
func (in *Arrivals) Import(ctx context.Context, schedule *frab.Schedule, options Options) (
	*Summary, error) {
	i := in.importer()
	i.options = options
	i.summary.Skipped = append(i.summary.Skipped, schedule.Skipped...)
	for _, part := range []func() error{
		func() error { return i.importLabels(ctx, labelsOf(schedule)) },
		func() error { return i.importPeople(ctx, personsOf(schedule)) },
		func() error { return i.importSessions(ctx, schedule.Events) },
		func() error { return i.importBreaks(ctx, schedule.Breaks) },
		func() error { return i.finish(ctx, schedule.Start, schedule.End) },
	} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return &i.summary, nil
}

// importer returns a new import.
func (in *Arrivals) importer() *importer {
	i := &importer{Load: models.Load{Programme: in.p}, line: store.NewID(), began: in.p.Store().Now(),
		people:  map[string]*models.Contact{},
		summary: Summary{Skipped: []frab.Skipped{}}}
	if in.p.By().Door == store.ImportDoor {
		i.move = in.p.By().RequestID
	}
	return i
}

// importManySessions is the number of new sessions from which PostgreSQL's statistics are refreshed.
const importManySessions = 500

// importer is one import in progress.
type importer struct {
	models.Load
	options Options
	arrives bool    // an Arrival: labels have keys, and what the system says is stored
	summary Summary // of the finished steps
	line    string  // id of its line of activity
	began   store.Time
	move    string                     // id of the move (the request id of its actor); "" for commands
	people  map[string]*models.Contact // by keyOfPerson
}

// imported says which record an item became, and what was said of it then.
type imported struct {
	EventID, Kind, Key, RecordID string
	Said                         FieldHashes `gorm:"serializer:json"`
	MadeBy                       string      // the move that made the record; "" if it was found here, and for commands
	BroughtAt                    *store.Time // when the record was last changed on arrival; nil where no undo needs it
}

func (imported) TableName() string { return "imported" }

// importSteps runs work on at most n items at a time, each time in a transaction of its own.
func importSteps[T any](ctx context.Context, i *importer, items []T, n int, work func(*store.Tx, []T) error) error {
	for some := range slices.Chunk(items, n) {
		if err := i.importStep(ctx, func(tx *store.Tx) error { return work(tx, some) }); err != nil {
			return err
		}
	}
	return nil
}

// importStep runs one transaction of an import. It owns the event's metadata, so that rows it names are not deleted,
// and no other import makes the same ones.
func (i *importer) importStep(ctx context.Context, work func(*store.Tx) error) error {
	before := i.summary
	err := i.Step(ctx, func(tx *store.Tx) error {
		i.summary = before // the transaction may be retried
		if err := i.OwnMetadata(tx); err != nil {
			return err
		}
		if err := work(tx); err != nil {
			return err
		}
		return i.recordProgress(tx)
	})
	if err != nil {
		i.summary = before
	} else if i.options.Tell != nil {
		i.options.Tell(i.summary)
	}
	return err
}

// recordProgress writes what was done so far into the import's line of activity.
func (i *importer) recordProgress(tx *store.Tx) error {
	line, err := store.Change{Subject: "event", ID: i.Event().ID, Action: "imported", After: i.summary.facts()}.
		ActivityRow(i.Event().OrganizationID, &i.Event().ID, i.By(), i.began)
	if err != nil {
		return err
	}
	line.ID = i.line
	return tx.Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"after"}),
	}).Create(line).Error
}

// labels returns the counts of created metadata, by family.
func (s *Summary) labels() map[models.Family]*int {
	return map[models.Family]*int{models.Rooms: &s.Rooms, models.Tracks: &s.Tracks, models.Formats: &s.Formats,
		models.Tags:   &s.Tags,
		models.Levels: &s.Levels}
}

// maxSkippedFacts is how many skipped items a line of activity names.
const maxSkippedFacts = 20

// facts returns what the activity records of the import.
func (s *Summary) facts() map[string]any {
	facts := map[string]any{}
	add := func(field string, n int) {
		if n > 0 {
			facts[field] = n
		}
	}
	for _, kind := range []struct {
		name string
		Counts
	}{{"sessions", s.Sessions}, {"submissions", s.Abstracts}, {"people", s.Contacts}, {"breaks", s.Breaks}} {
		add(kind.name+"_created", kind.Created)
		add(kind.name+"_updated", kind.Updated)
		add(kind.name+"_unchanged", kind.Unchanged)
	}
	add("rooms_created", s.Rooms)
	add("tracks_created", s.Tracks)
	add("formats_created", s.Formats)
	add("tags_created", s.Tags)
	add("levels_created", s.Levels)
	if s.StartsOn != "" {
		facts["starts_on"], facts["ends_on"] = s.StartsOn, s.EndsOn
	}
	var skipped []string
	for _, item := range s.Skipped[:min(maxSkippedFacts, len(s.Skipped))] {
		skipped = append(skipped, fmt.Sprintf("%q: %s", item.Title, item.Reason))
	}
	if more := len(s.Skipped) - len(skipped); more > 0 {
		skipped = append(skipped, fmt.Sprintf("and %d more", more))
	}
	if len(skipped) > 0 {
		facts["skipped"] = skipped
	}
	return facts
}

// finish sets the event's dates if it has none.
func (i *importer) finish(ctx context.Context, start, end string) error {
	err := i.importStep(ctx, func(tx *store.Tx) error {
		if start == "" {
			return nil
		}
		var e models.Event
		if err := tx.Lock().Where("id = ?", i.Event().ID).Take(&e).Error; err != nil || e.StartsOn != nil || e.EndsOn != nil {
			return err
		}
		i.summary.StartsOn, i.summary.EndsOn = start, end
		return tx.Model(&e).UpdateColumns(map[string]any{
			"starts_on": start, "ends_on": end, "updated_at": tx.Now.Following(e.UpdatedAt)}).Error
	})
	if err == nil && i.summary.Sessions.Created >= importManySessions {
		i.Store().AnalyzeNow(ctx, "sessions", "sessions_search", "participants", "contacts")
	}
	return err
}

// importedRows are what items of earlier imports became, by kind and key.
type importedRows map[string]map[string]imported

func (r importedRows) id(kind, key string) string { return r[kind][key].RecordID }

// recordsOf reads what items of earlier imports became.
func (i *importer) recordsOf(tx *store.Tx, keys []string, kinds ...string) (importedRows, error) {
	var rows []imported
	err := tx.Where("event_id = ? AND kind IN ? AND key IN ?", i.Event().ID, kinds, keys).Find(&rows).Error
	records := importedRows{}
	for _, kind := range kinds {
		records[kind] = map[string]imported{}
	}
	for _, row := range rows {
		records[row.Kind][row.Key] = row
	}
	return records, err
}
