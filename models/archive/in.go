package archive

import (
	"context"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// Arrival is what is said of an archive that comes in. What is "" is as the archive says.
type Arrival struct {
	Name, Slug string
}

// Arrived is an event that came in.
type Arrived struct {
	Event    *models.Event `json:"event"`
	Rows     int           `json:"rows"`
	Sessions int           `json:"sessions"`
	People   int           `json:"people"`
	Known    int           `json:"known_people"` // of those, who was here already
	Files    int           `json:"files"`
	Staff    int           `json:"staff"`        // accounts that were made, which are closed until somebody invites them
	Held     int           `json:"held_letters"` // that were on their way, and wait until somebody sends them off
	Renamed  int           `json:"new_ids"`      // of what was here already under its id
}

// arriving is an archive on its way into the database.
type arriving struct {
	*Archive
	s            *models.Store
	by           store.By
	as           Arrival
	keys         renamed                 // of files that have another one here
	files        map[string]*models.File // by the id in the archive
	organization *store.Organization
	ids          renamed
	here         map[string]bool            // ids in the archive of what the organization has already
	brought      map[string]map[string]bool // ids in the archive of what rows without an event belong to, by table
	whose        map[string]string          // of people here, who they are in the archive
	other        []string                   // people here who are called otherwise in the archive
	done         *Arrived
}

// importTime is how long an archive may take to come in when its caller sets no limit.
const importTime = time.Hour

// Import brings an archive in: all of it in one transaction, or nothing. Ids stay where nothing has them, else they are
// new, and whatever names them names the new ones. People who are known by an address are those that are here, with
// what is here of them. Staff come without any right, letters that were on their way wait, and nothing is emitted. It
// answers Invalid, in words for people, for an archive that is not whole or was changed, and for a slug that is taken.
func (a *Archive) Import(ctx context.Context, s *models.Store, by store.By, as Arrival) (*Arrived, error) {
	if err := a.Verify(); err != nil {
		return nil, err
	}
	in := &arriving{Archive: a, s: s, by: by, as: as, keys: renamed{}, files: map[string]*models.File{}}
	if err := in.bring(ctx); err != nil {
		return nil, err
	}
	if _, bounded := ctx.Deadline(); !bounded {
		var end context.CancelFunc
		ctx, end = context.WithTimeout(ctx, importTime)
		defer end()
	}
	return store.Make(ctx, s.Write, func(tx *store.Tx) (*Arrived, error) {
		in.done, in.ids = &Arrived{}, renamed{}
		in.here, in.whose, in.other = map[string]bool{}, map[string]string{}, nil
		in.brought = map[string]map[string]bool{"contacts": {}, "agenda_versions": {}}
		if err := in.write(ctx, tx); err != nil {
			return nil, err
		}
		return in.done, nil
	})
}

// bring puts the bytes of all files into the file store. What is not kept in the end is swept a day later.
func (in *arriving) bring(ctx context.Context) error {
	return in.lines(tableOf("files"), func(l *line) error {
		f, err := fileOf(l)
		if err != nil {
			return err
		}
		in.files[l.get("id")] = f
		entry, was := in.entries[filesFolder+l.get("id")], f.Key
		if entry == nil {
			if !slices.Contains(in.Manifest.Missing, l.get("id")) {
				return refused("The archive is not whole: the bytes of the file %q are missing.", f.Name)
			}
			f.Key = files.NewKey()
			in.keys[was] = f.Key
			return nil
		}
		i := slices.IndexFunc(in.Manifest.Parts, func(p *Part) bool { return p.Name == entry.Name })
		if part := in.Manifest.Parts[i]; part.SHA256 != f.SHA256 || part.Bytes != f.Size {
			return refused("The archive was changed: the file %q is not what its row says.", f.Name)
		}
		content, err := entry.Open()
		if err != nil {
			return err
		}
		defer content.Close()
		err = spooled(content, func(content io.ReadSeeker) error { return in.s.BringAgain(ctx, f, content) })
		if f.Key != was {
			in.keys[was] = f.Key
		}
		return err
	})
}

// spooled has a stream be read by who must be able to go back in it.
func spooled(from io.Reader, take func(io.ReadSeeker) error) error {
	spool, err := os.CreateTemp("", "lectern-*")
	if err != nil {
		return err
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	if _, err := io.Copy(spool, from); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return take(spool)
}

// fileOf is the row of a file. It answers Invalid for one that nobody could keep.
func fileOf(l *line) (*models.File, error) {
	f := &models.File{ID: l.get("id"), Purpose: models.FilePurpose(l.get("purpose")), Key: l.get("key"),
		Name: l.get("name"), MediaType: l.get("media_type"), SHA256: l.get("sha256"), UploadedBy: l.get("uploaded_by"),
		UploadedByName: l.get("uploaded_by_name")}
	if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 || !store.IsID(f.ID) || !files.IsKey(f.Key) {
		return nil, refused("The archive has the row of a file that cannot be one: %q.", f.Name)
	}
	if size := l.number("size"); size != nil {
		f.Size = int64(*size)
	}
	f.Width, f.Height = l.number("width"), l.number("height")
	return f, f.CreatedAt.Scan(l.get("created_at"))
}

// write is what Import does in its transaction.
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
	return in.finish(ctx, tx)
}

// finish says what came.
func (in *arriving) finish(ctx context.Context, tx *store.Tx) (err error) {
	id := in.ids.in(in.Manifest.Event.ID)
	if in.done.Event, err = in.s.EventBy(tx.Within(ctx), id); err != nil {
		return err
	}
	return in.s.Programme(in.done.Event, in.by).Record(tx, store.Change{Subject: "event", ID: id, Action: "brought in",
		After: map[string]any{"from": in.Manifest.From, "taken_at": in.Manifest.TakenAt.String()}})
}

// inChunks hands rows of a table on in groups.
func (in *arriving) inChunks(t *table, take func([]*line) error) error {
	const rows = 500
	var some []*line
	err := in.lines(t, func(l *line) error {
		if some = append(some, l); len(some) < rows {
			return nil
		}
		err := take(some)
		some = nil
		return err
	})
	if err != nil || len(some) == 0 {
		return err
	}
	return take(some)
}

// insertAll stores the rows of a table.
func (in *arriving) insertAll(tx *store.Tx, t *table) error {
	return in.inChunks(t, func(lines []*line) error {
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
		return unfit(t, t.insert(tx, columns, rows))
	})
}

// unfit is the refusal of rows that the schema refuses.
func unfit(t *table, err error) error {
	if err != nil && strings.Contains(strings.ToLower(err.Error()), "constraint") {
		return refused("The archive does not hold together: rows of %q do not fit to the others (%v).", t.data(), err)
	}
	return err
}

// arrive makes a row of an archive one of this database. It is false for one that does not come in.
func (in *arriving) arrive(tx *store.Tx, t *table, l *line) (bool, error) {
	if err := in.isOwn(t, l); err != nil {
		return false, err
	}
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

// isOwn makes sure that a row is of the event of the archive and of the people that it brings: an archive writes to
// nothing else here. What decides who somebody is follows from their address.
func (in *arriving) isOwn(t *table, l *line) error {
	foreign := refused("The archive has a row of %q that is not of its event.", t.data())
	switch {
	case t.name == "events" && l.get("id") != in.Manifest.Event.ID,
		t.of == "" && l.get("event_id") != in.Manifest.Event.ID,
		t.of == ofItsVersions && !in.brought["agenda_versions"][l.get("version_id")]:
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
	default: // somebody who was erased there is nobody here
		in.ids[id] = store.NewID()
	}
	return nil
}

// ofPeopleAlone are the tables of what people have at every event.
var ofPeopleAlone = []string{"contact_aliases", "contact_values", "speaker_accounts"}
