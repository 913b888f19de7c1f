package people

import (
	"bytes"
	"context"
	"errors"
	"io"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/files"
	"lectern/models/store"
)

// ImportState is the progress of an import of people.
type ImportState string

const (
	ImportUploaded  ImportState = "uploaded"  // nothing is written yet
	ImportWaiting   ImportState = "waiting"   // queued
	ImportRunning   ImportState = "running"   // all is written in one transaction, which nobody sees before its end
	ImportFinished  ImportState = "finished"  // all is there
	ImportCancelled ImportState = "cancelled" // nothing was written
	ImportFailed    ImportState = "failed"    // nothing was written; Message says why
)

// ImportPolicy says how an import treats people who are known already.
type ImportPolicy string

const (
	ImportFill      ImportPolicy = "fill"      // sets fields that are blank
	ImportOverwrite ImportPolicy = "overwrite" // sets fields that differ, except from blank cells
	ImportSkip      ImportPolicy = "skip"      // changes nothing; they are not added to the event either
)

// ImportPolicies lists all policies.
var ImportPolicies = []ImportPolicy{ImportFill, ImportOverwrite, ImportSkip}

// ContactImport is a file of people and its import. The file's bytes are kept for a day.
type ContactImport struct {
	ID             string
	OrganizationID string
	EventID        string
	Name           string
	Size           int64  // bytes
	SHA256         string `gorm:"column:sha256"`
	FileKey        string
	Encoding       csv.Encoding
	Delimiter      string
	Headers        []string       `gorm:"serializer:json"` // the names of the columns
	Mapping        models.Options // the field of each column, "" for a column that is left out
	Policy         ImportPolicy
	State          ImportState
	Message        string // why it failed
	Total          int    // rows to be written
	Done           int    // rows written so far
	Created        int
	Updated        int
	Skipped        int
	Failed         int // rows that could not be read
	UserID         string
	UserName       string
	ClaimedUntil   *store.Time // until when the worker holds it; after that it counts as dead
	CreatedAt      store.Time
	StartedAt      *store.Time
	FinishedAt     *store.Time
}

// IsOpen reports whether the import may still write something.
func (i *ContactImport) IsOpen() bool { return i.State == ImportWaiting || i.State == ImportRunning }

// CanStart reports whether the import may be started, or started again: it has written nothing.
func (i *ContactImport) CanStart() bool { return !i.IsOpen() && i.State != ImportFinished }

var (
	errNoImport   = store.NoSuch("import")
	errImportGone = store.Missing("The file is no longer here; files are kept for a day. Upload it again.")
	errImportOver = store.Invalidf("import", "was started before")
)

// UploadContacts keeps a file of people for a day and guesses how it is read and what its columns hold, or takes this
// from an earlier import with the same columns. It writes no people. It answers Invalid, by the field file, for what
// csv.Open refuses.
func (e *AtEvent) UploadContacts(ctx context.Context, upload models.Upload) (*ContactImport, error) {
	file, err := openTable(bytes.NewReader(upload.Content), csv.Reading{})
	if err != nil {
		return nil, err
	}
	fields, err := e.p.Directory().Fields(ctx)
	if err != nil {
		return nil, err
	}
	kept, err := e.p.Store().StoreBytes(ctx, e.p.By(), upload.Name, bytes.NewReader(upload.Content))
	if err != nil {
		return nil, err
	}
	i, err := e.newImport(ctx, kept.Name, file, fields)
	if err != nil {
		return nil, err
	}
	i.FileKey, i.SHA256, i.Size = kept.Key, kept.SHA256, kept.Size
	return i, e.p.Write(ctx, func(tx *store.Tx) error { return tx.Create(i).Error })
}

func (e *AtEvent) newImport(ctx context.Context, name string, file *csv.File, fields []*models.ContactField) (
	*ContactImport, error) {
	i := &ContactImport{
		ID: store.NewID(), OrganizationID: e.p.Event().OrganizationID, EventID: e.p.Event().ID, Name: name, Policy: ImportFill,
		State: ImportUploaded, UserID: e.p.By().ActorID, UserName: e.p.By().ActorName, CreatedAt: e.p.Store().Now(),
	}
	return i, e.readAs(ctx, i, file, fields)
}

// openTable is csv.Open with faults reported by the field file.
func openTable(content io.ReadSeeker, as csv.Reading) (*csv.File, error) {
	file, err := csv.Open(content, as)
	if fault, found := errors.AsType[*csv.Fault](err); found {
		return nil, &store.Error{Kind: store.Invalid, Message: fault.Error(),
			Fields: []store.FieldError{{Field: "file", Message: fault.Error()}}}
	}
	return file, err
}

// ContactImport returns an import into this event, or NotFound.
func (e *AtEvent) ContactImport(ctx context.Context, id string) (*ContactImport, error) {
	i, err := store.OneByID[ContactImport](e.p.Read(ctx).Where("event_id = ?", e.p.Event().ID), id, errNoImport)
	if err == nil && i.State == ImportRunning {
		i.Done = max(i.Done, store.RunsOf(e.p.Store().Store).Count(i.ID))
	}
	return i, err
}

// ContactImports returns the imports into this event that were started or still can be, newest first, at most 50.
func (e *AtEvent) ContactImports(ctx context.Context) (all []*ContactImport, err error) {
	kept := store.At(e.p.Store().Now().Add(-models.LeftoverAge))
	return all, e.p.Read(ctx).Where("event_id = ? AND (state <> ? OR created_at > ?)", e.p.Event().ID, ImportUploaded,
		kept).
		Order("created_at DESC, id DESC").Limit(50).Find(&all).Error
}

// EarlierImport returns the last finished import of the same bytes into this event, nil if there is none.
func (e *AtEvent) EarlierImport(ctx context.Context, i *ContactImport) (*ContactImport, error) {
	return store.One[ContactImport](e.p.Read(ctx).
		Where("organization_id = ? AND event_id = ? AND sha256 = ? AND state = ? AND id <> ?", i.OrganizationID,
			e.p.Event().ID,
			i.SHA256, ImportFinished, i.ID).Order("finished_at DESC, id"), nil)
}

// table opens the file of an import. It answers NotFound if the file is no longer kept.
func table(ctx context.Context, s *models.Store, i *ContactImport) (*csv.File, error) {
	in, err := s.Options.Files.Open(ctx, i.FileKey)
	if errors.Is(err, files.ErrMissing) {
		return nil, errImportGone
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, csv.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	return openTable(bytes.NewReader(content), csv.Reading{Encoding: i.Encoding, Delimiter: []rune(i.Delimiter)[0]})
}
