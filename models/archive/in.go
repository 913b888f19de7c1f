package archive

import (
	"context"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// arriving is an archive that is being imported.
type arriving struct {
	*Archive
	s            *models.Store
	by           store.By
	as           Arrival
	keys         renamed                 // of files whose key differs here
	files        map[string]*models.File // by the id in the archive
	organization *store.Organization
	ids          renamed
	here         map[string]bool            // ids in the archive of what the organization already has
	brought      map[string]map[string]bool // ids in the archive to which rows without an event belong, by table
	whose        map[string]string          // names in the archive, by the ids of people here
	other        []string                   // people here whose name differs in the archive
	done         *Arrived
	read         int // rows so far
}

// countRows reports that more rows were read.
func (in *arriving) countRows(rows int) {
	if in.read += rows; in.as.Tell != nil {
		in.as.Tell(in.read)
	}
}

// importTime is how long an import may take, from the first row to the last.
const importTime = time.Hour

// Import imports an archive in one transaction. Records keep their ids unless these are taken here; then they get new
// ones, and so do all references. People with a known address are the contacts here, which stay as they are. Staff come
// without any rights, letters that were on their way are held, and nothing is emitted. It answers Invalid, in words for
// people, for an incomplete or modified archive, and for a slug that is taken.
func (a *Archive) Import(ctx context.Context, s *models.Store, by store.By, as Arrival) (*Arrived, error) {
	if err := a.takes(as); err != nil {
		return nil, err
	}
	if err := a.Verify(ctx); err != nil {
		return nil, err
	}
	in := &arriving{Archive: a, s: s, by: by, as: as, keys: renamed{}, files: map[string]*models.File{}}
	if err := in.bring(ctx); err != nil {
		return nil, err
	}
	ctx, end := context.WithTimeout(ctx, importTime)
	defer end()
	arrived, err := store.Make(ctx, s.Write, func(tx *store.Tx) (*Arrived, error) {
		in.read = 0
		in.done, in.ids = &Arrived{Of: map[string]int{}}, renamed{}
		in.here, in.whose, in.other = map[string]bool{}, map[string]string{}, nil
		in.brought = map[string]map[string]bool{"contacts": {}, "agenda_versions": {}}
		if err := in.write(ctx, tx); err != nil {
			return nil, err
		}
		return in.done, nil
	})
	if err == nil && arrived.Sessions >= chunkRows {
		s.AnalyzeNow(ctx, "sessions", "sessions_search", "participants", "contacts", "event_contacts")
	}
	return arrived, err
}

// write does the work of Import in its transaction.
func (in *arriving) write(ctx context.Context, tx *store.Tx) error {
	if err := patient(in.s, tx.DB); err != nil {
		return err
	}
	var err error
	if in.organization, err = store.MakeOrganization(tx, in.Manifest.Organization.Name); err != nil {
		return err
	}
	if err := in.s.Organization(in.organization.ID, in.by).Hold(tx); err != nil {
		return err
	}
	for was, is := range in.keys {
		in.ids[was] = is
	}
	if was := in.Manifest.Organization.ID; was != in.organization.ID {
		in.ids[was] = in.organization.ID
	}
	for _, t := range tables {
		if err := in.meetAll(tx, t); err != nil {
			return err
		}
	}
	for _, t := range tables {
		if err := in.insertAll(tx, t); err != nil {
			return err
		}
	}
	if err := models.ReindexSessions(tx, slices.Sorted(slices.Values(in.other))); err != nil {
		return err
	}
	ofHouse := tx.Model(&models.Contact{}).Select("id").Where("organization_id = ?", in.organization.ID)
	if err := models.EndClaims(tx, ofHouse, ""); err != nil {
		return err
	}
	return in.finish(ctx, tx)
}

// finish fills in the result, and records the import.
func (in *arriving) finish(ctx context.Context, tx *store.Tx) error {
	events := in.Manifest.Events
	if in.Manifest.Event != nil {
		events = []Named{*in.Manifest.Event}
	}
	for _, came := range events {
		e, err := in.s.EventBy(tx.Within(ctx), in.ids.in(came.ID))
		if err != nil {
			return err
		}
		in.done.Events = append(in.done.Events, e)
		err = in.s.Programme(e, in.by).Record(tx, store.Change{Subject: "event", ID: e.ID, Action: "brought in",
			After: map[string]any{"from": in.Manifest.From, "taken_at": in.Manifest.TakenAt.String()}})
		if err != nil {
			return err
		}
	}
	if in.Manifest.Event != nil {
		in.done.Event, in.done.Events = in.done.Events[0], nil
	}
	if in.as.Within == nil {
		return nil
	}
	return in.as.Within(tx, in.done)
}

// chunkRows and chunkBytes are the limits of a group of rows.
const chunkRows, chunkBytes = 500, 4 << 20

// inChunks passes the rows of a table on in groups.
func (in *arriving) inChunks(ctx context.Context, t *table, take func([]*namedRow) error) error {
	var some []*namedRow
	bytes := 0
	err := in.lines(ctx, t, func(l *namedRow) error {
		some, bytes = append(some, l), bytes+l.size
		if len(some) < chunkRows && bytes < chunkBytes {
			return nil
		}
		err := take(some)
		some, bytes = nil, 0
		return err
	})
	if err != nil || len(some) == 0 {
		return err
	}
	return take(some)
}

// insertAll inserts the rows of a table. Each time their number has doubled it has the database plan anew.
func (in *arriving) insertAll(tx *store.Tx, t *table) error {
	came, look := 0, chunkRows
	return in.inChunks(tx.Statement.Context, t, func(lines []*namedRow) error {
		var columns []column
		var rows []row
		for _, l := range lines {
			keep, err := in.arrive(tx, t, l)
			if err != nil {
				return err
			}
			if !keep {
				continue
			}
			if len(rows) > 0 && !slices.Equal(columns, l.columns) {
				return refused("The archive was changed: rows of %q have different columns.", t.data())
			}
			columns, rows = l.columns, append(rows, l.row)
		}
		in.done.Rows += len(rows)
		in.countRows(len(lines))
		err := t.insert(tx, columns, rows)
		if came += len(rows); err == nil && came >= look {
			look, err = 2*came, tx.PlanAnew()
		}
		return unfit(t, err)
	})
}

// unfit returns the refusal of rows that violate a constraint.
func unfit(t *table, err error) error {
	if err != nil && strings.Contains(strings.ToLower(err.Error()), "constraint") {
		return refused("The archive does not hold together: rows of %q do not fit to the others (%v).", t.data(), err)
	}
	return err
}

// arrive adapts a row of an archive to this database. It returns false for a row that does not come.
func (in *arriving) arrive(tx *store.Tx, t *table, l *namedRow) (bool, error) {
	if err := in.isOwn(t, l); err != nil {
		return false, err
	}
	in.done.comes(t, l)
	if rule := rules[t.name]; rule != nil {
		if keep, err := rule(in, tx, l); !keep || err != nil {
			return false, err
		}
	}
	if err := t.harmless(l); err != nil {
		return false, err
	}
	in.ids.row(l.row)
	return true, nil
}

// isOwn refuses rows that do not belong to the archive's event or to the people that it brings: an archive must not
// write to anything else here. It computes what identifies people from their address.
func (in *arriving) isOwn(t *table, l *namedRow) error {
	foreign := refused("The archive has a row of %q that is not of its event.", t.data())
	if !in.isOfEvents(t, l) {
		return foreign
	}
	if !l.isNull("organization_id") {
		l.set("organization_id", in.organization.ID)
	}
	if at(l.columns, "email") >= 0 && at(l.columns, "email_key") >= 0 {
		l.set("email_key", email(l))
	}
	if ids := in.brought[t.name]; ids != nil {
		ids[l.get("id")] = true
	}
	switch id := l.get("contact_id"); {
	case id == "" || in.brought["contacts"][id] || in.ids[id] != "":
	case slices.Contains(ofPeopleAlone, t.name):
		return foreign
	default: // a person erased there gets an id that nobody has
		in.ids[id] = store.NewID()
	}
	return nil
}

// isOfEvents reports whether a row belongs to an event of the archive, or to none if the archive is of an organization.
func (in *arriving) isOfEvents(t *table, l *namedRow) bool {
	switch {
	case t.name == "events":
		return in.Manifest.has(l.get("id"))
	case t.of == ofItsVersions:
		return in.brought["agenda_versions"][l.get("version_id")]
	case in.Manifest.Event == nil && l.isNull("event_id") && slices.Contains(alsoOfNoEvent, t.name):
		return true
	}
	return t.of != "" || in.Manifest.has(l.get("event_id"))
}

// alsoOfNoEvent are the tables with rows of events and rows of the organization.
var alsoOfNoEvent = []string{"segments", "activity"}

// ofPeopleAlone are the tables of what people have at every event.
var ofPeopleAlone = []string{"contact_aliases", "contact_values", "speaker_accounts"}
