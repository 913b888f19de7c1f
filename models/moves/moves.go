// Package moves keeps the moves of conferences into an event: one is asked for on a page, looked at and brought in the
// background, told in a report that stays, and taken back as long as nothing of it was changed.
package moves

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/store"
)

// State is how far a move is.
type State string

const (
	Choosing State = "choosing" // somebody has to say what the columns of its table hold
	Looking  State = "looking"  // in line, or being read; nothing is written
	Looked   State = "looked"   // the preview is there
	Bringing State = "bringing" // in line, or at work; what came stays
	Brought  State = "brought"  // all is there
	Undoing  State = "undoing"  // what it made is being taken back
	Undone   State = "undone"
	Stopped  State = "stopped" // Reason says why, and StoppedIn in which work
)

// atWork are the states of what a job does.
var atWork = []State{Looking, Bringing, Undoing}

// writing are those of them that only one move of an event is in at a time.
var writing = []State{Bringing, Undoing}

// Choices are what somebody said of a move beside where it comes from.
type Choices struct {
	As       string   `json:"as,omitempty"`       // tells a table from others of the event
	Headings []string `json:"headings,omitempty"` // of its columns
	Held     []string `json:"held,omitempty"`     // what they hold, as sheet.Fields names it
	Name     string   `json:"name,omitempty"`     // of the event that an archive becomes, "" as it says
	Slug     string   `json:"slug,omitempty"`     // likewise
	// AsSubmissions also makes an accepted submission for each session of a schedule.
	AsSubmissions bool `json:"as_submissions,omitempty"`
}

// Move is a conference that is moved here, and what became of it. Its token is sealed and goes with the end; its file
// is kept for a day.
type Move struct {
	ID             string
	OrganizationID string
	EventID        string
	Kind           string // of Kinds
	Address        string
	EventThere     string // its name there, where the address does not say it
	SealedToken    string
	FileName       string
	FileKey        string
	Choices        Choices `gorm:"serializer:json"`
	State          State
	StoppedIn      State
	Reason         string
	Preview        *Seen  `gorm:"serializer:json"`
	Report         *Told  `gorm:"serializer:json"`
	Claims         int    // how often a worker took it; the number of the one at it
	Deaths         int    // of its workers in a row, that ended without a word
	UserID         string // who asked for it
	UserName       string
	ActorID        string // who last said what to do with it: it is worked at in their right
	ActorName      string
	ClaimedUntil   *store.Time // by a worker; later, that one is taken for dead
	CreatedAt      store.Time
	UpdatedAt      store.Time
	EndedAt        *store.Time
}

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{"moves": Move{}}

// keptRows is how many single rows a preview or a report names of each kind.
const keptRows = 200

// Seen is a preview, with how many rows cannot come where it does not name all.
type Seen struct {
	moving.Preview
	SkippedAll int    `json:"skipped_all"`
	Event      *Event `json:"event,omitempty"` // that an archive would become
}

// Event is what an archive becomes, or would. Of an archive of all events it has the name of their organization, and
// what becomes of each in All.
type Event struct {
	All     []*Event   `json:"all,omitempty"`
	ID      string     `json:"id,omitempty"` // once it is here
	Name    string     `json:"name"`
	Slug    string     `json:"slug"`
	From    string     `json:"from,omitempty"` // the Lectern that it was taken from
	TakenAt store.Time `json:"taken_at,omitzero"`
	Files   int        `json:"files,omitempty"`
	Staff   int        `json:"staff,omitempty"` // accounts that were made
	Held    int        `json:"held,omitempty"`  // letters that wait
	Rows    int        `json:"rows,omitempty"`  // so far, of all
}

func seen(p moving.Preview) *Seen {
	s := &Seen{Preview: p, SkippedAll: len(p.Skipped)}
	s.Skipped = first(p.Skipped)
	return s
}

// Told is a report, likewise.
type Told struct {
	moving.Report
	SkippedAll  int `json:"skipped_all"`
	ReplacedAll int `json:"replaced_all"`
	GoneAll     int `json:"gone_all"`
	// Stayed is what an undo left here, because somebody changed it meanwhile.
	Stayed []frab.Skipped `json:"stayed,omitempty"`
	Event  *Event         `json:"event,omitempty"` // that an archive became
}

// leaving is the report with what an undo left here.
func (t *Told) leaving(stayed []frab.Skipped) *Told {
	with := *t
	with.Stayed = slices.Clone(first(stayed))
	return &with
}

func told(r moving.Report) *Told {
	t := &Told{Report: r, SkippedAll: len(r.Skipped), ReplacedAll: len(r.Replaced), GoneAll: len(r.Gone)}
	t.Skipped, t.Replaced, t.Gone = first(r.Skipped), first(r.Replaced), r.Gone[:min(keptRows, len(r.Gone))]
	return t
}

func first(rows []frab.Skipped) []frab.Skipped { return rows[:min(keptRows, len(rows))] }

// IsAtWork tells whether a job is at it, or will be.
func (m *Move) IsAtWork() bool {
	return m.State == Looking || m.State == Bringing || m.State == Undoing
}

// IsInLine tells whether it waits for a job.
func (m *Move) IsInLine() bool { return m.IsAtWork() && m.ClaimedUntil == nil }

// CanBring tells whether it may be brought, or gone on with.
func (m *Move) CanBring() bool {
	return m.State == Looked || m.State == Stopped && m.StoppedIn == Bringing
}

// AtEvent is the handle on which the moves of an event hang.
type AtEvent struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *AtEvent { return &AtEvent{p} }

var errNoMove = store.NoSuch("move")

// Move returns one, or NotFound.
func (e *AtEvent) Move(ctx context.Context, id string) (*Move, error) {
	return store.OneByID[Move](e.p.Read(ctx).Where("event_id = ?", e.p.Event().ID), id, errNoMove)
}

// shownMoves is how many moves a page lists.
const shownMoves = 50

// All are the moves of the event, newest first, at most 50.
func (e *AtEvent) All(ctx context.Context) (all []*Move, err error) {
	return all, e.p.Read(ctx).Where("event_id = ?", e.p.Event().ID).Order("created_at DESC, id DESC").Limit(shownMoves).
		Find(&all).Error
}
