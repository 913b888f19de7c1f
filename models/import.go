package models

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm/clause"

	"lectern/models/frab"
	"lectern/models/store"
)

// ImportOptions say how a schedule becomes a programme.
type ImportOptions struct {
	// AsSubmissions also makes an accepted abstract for each session, composed into it.
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
	Breaks    ImportCounts   `json:"breaks"`
	Rooms     int            `json:"rooms_created"`
	Tracks    int            `json:"tracks_created"`
	Formats   int            `json:"formats_created"`
	StartsOn  string         `json:"starts_on,omitempty"` // the dates it gave the event, if any
	EndsOn    string         `json:"ends_on,omitempty"`
	Skipped   []frab.Skipped `json:"skipped"`
}

// Import brings a schedule in: rooms, tracks, formats, contacts, participants, programme sessions and breaks at their
// times, and the event's dates when it has none. It emits nothing and leaves one line of activity.
//
// It writes a little at a time, so that others can write meanwhile: at most 100 rows are one transaction. One
// that ends early, by a fault or a kill, keeps what it did; run again, it goes on from there and makes nothing
// twice, nor do two at once.
//
// A second import finds its rows by the schedule's guid or id: it overwrites title, description, times, track,
// room, format and participants with what the schedule says, and leaves status, publication, tags, capacity and
// level alone. An item that breaks a rule, or whose session staff deleted, is skipped with its reason.
func (p *Programme) Import(ctx context.Context, schedule *frab.Schedule, options ImportOptions) (
	*ImportSummary, error) {
	i := &importer{
		load: load{Programme: p}, schedule: schedule, options: options, line: store.NewID(), began: p.store.Now(),
		people: map[string]*Contact{}, summary: ImportSummary{Skipped: append([]frab.Skipped{}, schedule.Skipped...)},
	}
	for _, part := range []func(context.Context) error{i.importLabels, i.importPeople, i.importSessions,
		i.importBreaks, i.finish} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	if i.summary.Sessions.Created >= importManySessions && !p.store.Embedded() {
		// It does so by itself within a minute. Until then it would look through all seats for each session of the agenda.
		p.store.Analyze(ctx, "sessions", "participants", "contacts")
	}
	return &i.summary, nil
}

// importManySessions is how many new ones PostgreSQL takes another look at its tables for.
const importManySessions = 500

// importer is one import at work.
type importer struct {
	load
	schedule *frab.Schedule
	options  ImportOptions
	summary  ImportSummary // of the steps that are done
	line     string        // the id of its line of activity
	began    store.Time
	people   map[string]*Contact // by keyOfPerson
}

// importedKey tells which record an item became.
type importedKey struct{ EventID, Kind, Key, RecordID string }

func (importedKey) TableName() string { return "imported" }

// importSteps runs work on n items at a time, each time in a transaction of its own.
func importSteps[T any](ctx context.Context, i *importer, items []T, n int, work func(*store.Tx, []T) error) error {
	for some := range slices.Chunk(items, n) {
		if err := i.importStep(ctx, func(tx *store.Tx) error { return work(tx, some) }); err != nil {
			return err
		}
	}
	return nil
}

// importStep is one transaction of an import. It owns the event's metadata: what
// it names stays, and no other import makes the same rows.
func (i *importer) importStep(ctx context.Context, work func(*store.Tx) error) error {
	before := i.summary
	err := i.step(ctx, func(tx *store.Tx) error {
		i.summary = before // the step may be tried again
		if err := i.ownMetadata(tx); err != nil {
			return err
		}
		if err := work(tx); err != nil {
			return err
		}
		return i.tell(tx)
	})
	if err != nil {
		i.summary = before
	}
	return err
}

// tell keeps in the import's line of activity what was done so far.
func (i *importer) tell(tx *store.Tx) error {
	line, err := store.Change{Subject: "event", ID: i.event.ID, Action: "imported", After: i.summary.facts()}.
		Line(i.event.OrganizationID, &i.event.ID, i.by, i.began)
	if err != nil {
		return err
	}
	line.ID = i.line
	return tx.Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"after"}),
	}).Create(line).Error
}

// maxSkippedFacts is how many skipped items a line of activity names.
const maxSkippedFacts = 20

// facts are what is worth telling, for the activity.
func (s *ImportSummary) facts() map[string]any {
	facts := map[string]any{}
	add := func(field string, n int) {
		if n > 0 {
			facts[field] = n
		}
	}
	for _, kind := range []struct {
		name string
		ImportCounts
	}{{"sessions", s.Sessions}, {"submissions", s.Abstracts}, {"people", s.Contacts}, {"breaks", s.Breaks}} {
		add(kind.name+"_created", kind.Created)
		add(kind.name+"_updated", kind.Updated)
		add(kind.name+"_unchanged", kind.Unchanged)
	}
	add("rooms_created", s.Rooms)
	add("tracks_created", s.Tracks)
	add("formats_created", s.Formats)
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

// finish gives the event the schedule's dates when it has none.
func (i *importer) finish(ctx context.Context) error {
	return i.importStep(ctx, func(tx *store.Tx) error {
		if i.schedule.Start == "" {
			return nil
		}
		var e Event
		if err := tx.Lock().Where("id = ?", i.event.ID).Take(&e).Error; err != nil || e.StartsOn != nil || e.EndsOn != nil {
			return err
		}
		i.summary.StartsOn, i.summary.EndsOn = i.schedule.Start, i.schedule.End
		return tx.Model(&e).UpdateColumns(map[string]any{
			"starts_on": i.schedule.Start, "ends_on": i.schedule.End, "updated_at": tx.Now.Following(e.UpdatedAt)}).Error
	})
}

// importedLabel is a metadata row that the schedule names.
type importedLabel struct {
	family Family
	NewMetadata
}

// importLabels makes the rooms, tracks and formats that the event has none of by that name.
func (i *importer) importLabels(ctx context.Context) error {
	return importSteps(ctx, i, i.labels(), stepRows, func(tx *store.Tx, some []importedLabel) error {
		labels, err := i.labelsByName(tx)
		if err != nil {
			return err
		}
		created := map[Family]*int{Rooms: &i.summary.Rooms, Tracks: &i.summary.Tracks, Formats: &i.summary.Formats}
		for _, label := range some {
			if labels[label.family][label.Name] != nil {
				continue
			}
			if _, err := i.insertMetadata(tx, label.family, label.NewMetadata); err != nil {
				return err
			}
			*created[label.family]++
		}
		return nil
	})
}

// labels are what the schedule names, each once; one that breaks a rule is left out of the sessions too.
func (i *importer) labels() (labels []importedLabel) {
	seen := map[Family]map[string]bool{Rooms: {}, Tracks: {}, Formats: {}}
	add := func(family Family, n NewMetadata) {
		if n.clean(family) == nil && !seen[family][n.Name] {
			seen[family][n.Name] = true
			labels = append(labels, importedLabel{family, n})
		}
	}
	for _, room := range i.schedule.Rooms {
		n := NewMetadata{Name: room.Name, Capacity: room.Capacity}
		if n.clean(Rooms) != nil {
			n.Capacity = nil
		}
		add(Rooms, n)
	}
	for _, track := range i.schedule.Tracks {
		n := NewMetadata{Name: track.Name}
		if colorPattern.MatchString(track.Color) {
			n.Color = &track.Color
		}
		add(Tracks, n)
	}
	for _, event := range i.schedule.Events {
		add(Formats, NewMetadata{Name: event.Type})
	}
	return labels
}

// labelsByName are the ids of the event's metadata by their names, the first of each.
func (i *importer) labelsByName(tx *store.Tx) (map[Family]map[string]*string, error) {
	var rows []*Metadata
	if err := tx.Where("event_id = ?", i.event.ID).Order("position, id").Find(&rows).Error; err != nil {
		return nil, err
	}
	labels := map[Family]map[string]*string{}
	for _, family := range Families {
		labels[family] = map[string]*string{}
	}
	for _, m := range rows {
		if labels[m.Family][m.Name] == nil {
			labels[m.Family][m.Name] = &m.ID
		}
	}
	return labels, nil
}

// recordsOf are the ids that items of earlier imports became, by kind and key.
func (i *importer) recordsOf(tx *store.Tx, keys []string, kinds ...string) (map[string]map[string]string, error) {
	var rows []importedKey
	err := tx.Where("event_id = ? AND kind IN ? AND key IN ?", i.event.ID, kinds, keys).Find(&rows).Error
	records := map[string]map[string]string{}
	for _, kind := range kinds {
		records[kind] = map[string]string{}
	}
	for _, row := range rows {
		records[row.Kind][row.Key] = row.RecordID
	}
	return records, err
}
