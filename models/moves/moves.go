// Package moves keeps the moves of conferences into an event: each is asked for on a page, looked at and brought in the
// background, described in a report, and can be undone as long as nobody changed what it brought.
package moves

import (
	"context"
	"encoding/json"
	"slices"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/store"
)

// State says how far a move is.
type State string

const (
	Choosing State = "choosing" // staff have to say what the columns of its table contain
	Looking  State = "looking"  // queued or being read; nothing is written
	Looked   State = "looked"   // the preview is ready
	Bringing State = "bringing" // queued, or under way; what has been imported stays
	Brought  State = "brought"  // everything is here
	Undoing  State = "undoing"  // being undone
	Undone   State = "undone"
	Stopped  State = "stopped" // Reason says why, StoppedIn in which step
)

// atWork are the states in which a job works at a move.
var atWork = []State{Looking, Bringing, Undoing}

// writing are the states in which only one move of an event may be at a time.
var writing = []State{Bringing, Undoing}

// Choices are what somebody chose for a move besides its source.
type Choices struct {
	As       string   `json:"as,omitempty"`       // distinguishes tables of one event
	Headings []string `json:"headings,omitempty"` // of its columns
	Held     []string `json:"held,omitempty"`     // what each column holds, a name of sheet.Fields
	Name     string   `json:"name,omitempty"`     // for the event of an archive, "" keeps the archive's
	Slug     string   `json:"slug,omitempty"`     // as Name
	// AsSubmissions also makes an accepted submission for each session of a schedule.
	AsSubmissions bool `json:"as_submissions,omitempty"`
}

// Move is a conference that is moved here, and its result. Its token is stored sealed and deleted at the end; its file
// is stored for a day.
type Move struct {
	ID             string
	OrganizationID string
	EventID        string
	Kind           string // of Kinds
	Address        string
	EventThere     string // its name there, unless the address says it
	SealedToken    string
	FileName       string
	FileKey        string
	Choices        Choices `gorm:"serializer:json"`
	State          State
	StoppedIn      State
	Reason         string
	Preview        *StoredPreview `gorm:"serializer:json"`
	Report         *StoredReport  `gorm:"serializer:json"`
	Claims         int            // number of claims so far, which identifies the current worker
	Deaths         int            // number of workers in a row that ended without a word
	UserID         string         // who asked for the move
	UserName       string
	ActorID        string // the last actor, with whose rights the work is done
	ActorName      string
	ClaimedUntil   *store.Time // by a worker; after that time it counts as dead
	CreatedAt      store.Time
	UpdatedAt      store.Time
	EndedAt        *store.Time
}

// Rows are the structs of this package's tables, by table.
var Rows = map[string]any{"moves": Move{}}

// keptRows is how many single rows of each kind a preview or a report lists.
const keptRows = 200

// StoredPreview is a preview. SkippedAll is the number of skipped rows, of which it lists at most keptRows.
type StoredPreview struct {
	moving.Preview
	SkippedAll int    `json:"skipped_all"`
	Event      *Event `json:"event,omitempty"` // the event that an archive would create
}

// Event is the event that an archive becomes, or would become. For an archive of all events, it has the organization's
// name, and All has the events.
type Event struct {
	All     []*Event   `json:"all,omitempty"`
	ID      string     `json:"id,omitempty"` // set once it exists here
	Name    string     `json:"name"`
	Slug    string     `json:"slug"`
	From    string     `json:"from,omitempty"` // the Lectern it was taken from
	TakenAt store.Time `json:"taken_at,omitzero"`
	Files   int        `json:"files,omitempty"`
	Staff   int        `json:"staff,omitempty"` // accounts to be created
	Held    int        `json:"held,omitempty"`  // letters that are held back
	Rows    int        `json:"rows,omitempty"`  // so far, or in all
}

func storedPreview(p moving.Preview) *StoredPreview {
	s := &StoredPreview{Preview: p, SkippedAll: len(p.Skipped)}
	s.Skipped = first(p.Skipped)
	return s
}

// StoredReport is a report. Its …All counts include the rows that it does not list.
type StoredReport struct {
	moving.Report
	SkippedAll  int `json:"skipped_all"`
	ReplacedAll int `json:"replaced_all"`
	GoneAll     int `json:"gone_all"`
	// Stayed are the rows that an undo left here, because somebody changed them.
	Stayed []frab.Skipped `json:"stayed,omitempty"`
	Event  *Event         `json:"event,omitempty"` // the event that an archive created
}

// leaving returns a copy of the report with the rows that an undo left here.
func (t *StoredReport) leaving(stayed []frab.Skipped) *StoredReport {
	with := *t
	with.Stayed = slices.Clone(first(stayed))
	return &with
}

func storedReport(r moving.Report) *StoredReport {
	t := &StoredReport{Report: r, SkippedAll: len(r.Skipped), ReplacedAll: len(r.Replaced), GoneAll: len(r.Gone)}
	t.Skipped, t.Replaced, t.Gone = first(r.Skipped), first(r.Replaced), r.Gone[:min(keptRows, len(r.Gone))]
	return t
}

func first(rows []frab.Skipped) []frab.Skipped { return rows[:min(keptRows, len(rows))] }

// IsAtWork reports whether a job works at the move, or will.
func (m *Move) IsAtWork() bool {
	return m.State == Looking || m.State == Bringing || m.State == Undoing
}

// IsInLine reports whether the move waits for a worker.
func (m *Move) IsInLine() bool { return m.IsAtWork() && m.ClaimedUntil == nil }

// CanBring reports whether the import can be started, or resumed.
func (m *Move) CanBring() bool {
	return m.State == Looked || m.State == Stopped && m.StoppedIn == Bringing
}

// AtEvent is the handle of one event's moves.
type AtEvent struct{ p *models.Programme }

// Of returns the moves of a programme.
func Of(p *models.Programme) *AtEvent { return &AtEvent{p} }

var errNoMove = store.NoSuch("move")

// Move returns a move, or NotFound.
func (e *AtEvent) Move(ctx context.Context, id string) (*Move, error) {
	return store.OneByID[Move](e.p.Read(ctx).Where("event_id = ?", e.p.Event().ID), id, errNoMove)
}

// shownMoves is how many moves a page lists.
const shownMoves = 50

// All returns the moves of the event, newest first, at most shownMoves.
func (e *AtEvent) All(ctx context.Context) (all []*Move, err error) {
	return all, e.p.Read(ctx).Where("event_id = ?", e.p.Event().ID).Order("created_at DESC, id DESC").Limit(shownMoves).
		Find(&all).Error
}

// rowOf encodes columns for the database: previews and reports as JSON.
func rowOf(columns map[string]any) (map[string]any, error) {
	row := map[string]any{}
	for name, value := range columns {
		switch value.(type) {
		case *StoredPreview, *StoredReport:
			text, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			value = string(text)
		}
		row[name] = value
	}
	return row, nil
}

// countAllRuns counts in a report what all runs of the move made.
func (w *worker) countAllRuns(ctx context.Context, r *moving.Report) error {
	made, err := arrival.Of(w.p).MadeBy(ctx, w.move.ID)
	if err != nil {
		return err
	}
	r.CountAllRuns(made)
	return nil
}
