package moves

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/arrival"
	"lectern/models/files"
	"lectern/models/moving"
	"lectern/models/staff"
	"lectern/models/store"
)

// MaxArchive is how many bytes an uploaded archive may have. The command line accepts any size.
const MaxArchive = 1 << 30

// Packed is an archive that somebody uploads.
type Packed struct {
	Name    string // its file name
	Content *os.File
	Size    int64
}

// takeArchive stores an archive for a day, after checking that it is one whose event may come.
func (e *AtEvent) takeArchive(ctx context.Context, m *Move, a Asked) error {
	opened, err := openedArchive(ctx, e.p.Store(), a.Packed.Content, a.Packed.Size)
	if store.KindOf(err) == store.Invalid {
		return store.Invalidf("file", "cannot come. %s", store.AsError(err).Message)
	}
	if err != nil {
		return err
	}
	m.Choices.Name, m.Choices.Slug = a.Name, a.Slug
	if err := m.arrival().Check(ctx, e.p.Store(), opened); err != nil {
		return err
	}
	kept, err := e.p.Store().StoreBytes(ctx, e.p.By(), a.Packed.Name, a.Packed.Content)
	if err != nil {
		return err
	}
	m.FileName, m.FileKey = kept.Name, kept.Key
	return nil
}

func openedArchive(ctx context.Context, s *models.Store, content io.ReaderAt, size int64) (*archive.Archive, error) {
	schema, err := s.SchemaVersion(s.Read(ctx))
	if err != nil {
		return nil, err
	}
	return archive.Open(content, size, schema)
}

// arrival returns the choices for the event that an archive becomes.
func (m *Move) arrival() archive.Arrival {
	return archive.Arrival{Name: m.Choices.Name, Slug: m.Choices.Slug}
}

// whole is a conference in an archive, which becomes a whole event.
type whole struct{ *opening }

func openArchive(_ context.Context, o *opening) (conference, error) { return whole{o}, nil }

// with opens the archive while do runs.
func (w whole) with(ctx context.Context, do func(*archive.Archive) error) error {
	in, err := w.p.Store().Options.Files.Open(ctx, w.move.FileKey)
	if errors.Is(err, files.ErrMissing) {
		return errFileGone
	}
	if err != nil {
		return err
	}
	defer in.Close()
	file, isFile := in.(*os.File)
	if !isFile { // it is in a bucket, which does not support random access
		if file, err = os.CreateTemp("", "lectern-*"); err != nil {
			return err
		}
		defer os.Remove(file.Name())
		defer file.Close()
		if _, err := io.Copy(file, files.Reader(ctx, in)); err != nil {
			return err
		}
	}
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	opened, err := openedArchive(ctx, w.p.Store(), file, size)
	if err != nil {
		return err
	}
	return do(opened)
}

func (w whole) look(ctx context.Context, p *models.Programme, tell func(*StoredPreview)) (preview *StoredPreview, err error) {
	return preview, w.with(ctx, func(a *archive.Archive) error {
		as := w.move.arrival()
		as.Tell = func(rows int) { tell(&StoredPreview{Event: &Event{Rows: rows}}) }
		would, err := a.Look(ctx, p.Store(), as)
		if err == nil {
			preview = seenWhole(a, would)
		}
		return err
	})
}

// bring brings the archive in one transaction, in which the move ends too, so that nothing comes twice.
func (w whole) bring(ctx context.Context, p *models.Programme, tell func(*StoredReport)) (report *StoredReport, err error) {
	run := store.RunsOf(p.Store().Store).Begin(w.move.ID, func() { w.worker.give(store.ErrTaken) })
	defer store.RunsOf(p.Store().Store).Over(w.move.ID)
	return report, w.with(ctx, func(a *archive.Archive) error {
		as := w.move.arrival()
		as.Tell = func(rows int) {
			run.Wrote(rows)
			tell(&StoredReport{Event: &Event{Rows: rows}})
		}
		as.Within = func(tx *store.Tx, arrived *archive.Arrived) error {
			report = toldWhole(a, arrived)
			return w.worker.endWithin(tx, map[string]any{"state": Brought, "report": report})
		}
		_, err := a.Import(ctx, p.Store(), p.By(), as)
		return err
	})
}

func eventOf(a *archive.Archive, of *archive.Arrived) *Event {
	e := &Event{Name: a.Manifest.Organization.Name, From: a.Manifest.From, TakenAt: a.Manifest.TakenAt, Files: of.Files,
		Staff: of.Staff, Held: of.Held, Rows: of.Rows}
	if of.Event != nil {
		e.ID, e.Name, e.Slug = of.Event.ID, of.Event.Name, of.Event.Slug
	}
	for _, one := range of.Events {
		e.All = append(e.All, &Event{ID: one.ID, Name: one.Name, Slug: one.Slug})
	}
	return e
}

// called returns the name of an archive's event, or of its organization.
func called(a *archive.Archive) string {
	if a.Manifest.Event != nil {
		return a.Manifest.Event.Name
	}
	return a.Manifest.Organization.Name
}

// seenWhole returns the preview of an archive.
func seenWhole(a *archive.Archive, would *archive.Arrived) *StoredPreview {
	all := func(n int) arrival.Foreseen { return arrival.Foreseen{New: n} }
	s := &StoredPreview{Event: eventOf(a, would), Preview: moving.Preview{From: called(a), Sessions: all(would.Sessions),
		People: arrival.Foreseen{New: would.People - would.Known, Here: would.Known}, Labels: all(would.Of["metadata"]),
		Questions: all(would.Of["call_questions"]), Breaks: all(would.Of["agenda_breaks"]), Reviews: all(would.Of["reviews"])}}
	if e := would.Event; e != nil && e.StartsOn != nil {
		s.Starts, s.Ends = *e.StartsOn, *cmp.Or(e.EndsOn, e.StartsOn)
	}
	return s
}

// toldWhole returns the report of an archive.
func toldWhole(a *archive.Archive, arrived *archive.Arrived) *StoredReport {
	all := func(n int) arrival.Counts { return arrival.Counts{Created: n} }
	of := arrived.Of
	return &StoredReport{Event: eventOf(a, arrived), Report: moving.Report{From: called(a),
		Questions: all(of["call_questions"]), Reviews: all(of["reviews"]),
		Summary: arrival.Summary{Sessions: all(arrived.Sessions - arrived.Abstracts),
			Abstracts: all(arrived.Abstracts), Breaks: all(of["agenda_breaks"]),
			Contacts: arrival.Counts{Created: arrived.People - arrived.Known, Unchanged: arrived.Known},
			Rooms:    of["rooms"], Tracks: of["tracks"], Formats: of["formats"], Tags: of["tags"], Levels: of["levels"]}}}
}

// Rows returns how many rows of an archive are here so far, and how many it has; 0 for other moves.
func (e *AtEvent) Rows(m *Move) (done, all int) {
	if m.Report != nil && m.Report.Event != nil {
		done = m.Report.Event.Rows
	}
	if m.Preview != nil && m.Preview.Event != nil {
		all = m.Preview.Event.Rows
	}
	return max(done, store.RunsOf(e.p.Store().Store).Count(m.ID)), all
}

// isOwners reports whether the last actor of the move is an owner, who may add events.
func (w *worker) isOwners(ctx context.Context) (bool, error) {
	members, err := w.store.Staff.Team(w.store.Organization(w.move.OrganizationID, store.By{})).Members(ctx)
	return slices.ContainsFunc(members, func(u *staff.User) bool {
		return u.ID == w.move.ActorID && u.RoleAt("") == staff.Owner
	}), err
}
