// Package cfp is the call for papers on top of the programme: its form, the proposals, and the place where people who
// speak find all that is theirs.
package cfp

import (
	"lectern/models"
	"lectern/models/store"
)

// Call is the handle of the staff's operations on the call of one event.
type Call struct{ p *models.Programme }

// Of returns the handle of a programme's call.
func Of(p *models.Programme) *Call { return &Call{p} }

// Settings are the texts and limits of a call. Its window is part of the event.
type Settings struct {
	EventID      string  `gorm:"primaryKey"`
	Heading      string  // of the page; "" uses the default
	Welcome      string  // sanitised HTML
	Success      string  // sanitised HTML, shown and mailed after a submission
	Agreement    string  // what people agree to when they submit; "" for nothing
	QuestionsTo  string  // an address that speakers may write to; "" for none
	AnswersOn    *string // the day by which people hear, such as 2027-03-29
	MaxProposals *int    // limit for one person; nil for any number
	MaxTotal     *int    // limit for the call; nil for any number
	MaxSpeakers  int     // limit for one proposal
	CreatedAt    store.Time
	UpdatedAt    store.Time // the token of the form; each change of a part or a question raises it too
}

// TableName returns the name of the table of settings.
func (Settings) TableName() string { return "calls" }

// Part is a section of the form.
type Part struct {
	ID, EventID string
	Title, Help string
	Position    int
	Questions   []*Question `gorm:"-"` // in their order
}

// TableName returns the name of the table of parts.
func (Part) TableName() string { return "call_parts" }

// Form is the form of a call: its settings and parts in order, and the questions that were removed but may have
// answers.
type Form struct {
	Settings
	Parts   []*Part
	Removed []*Question
	Rows    []*models.Metadata // the event's tracks, formats and levels, each family in its order
	whole   *Form              // for a form that Of returned, the complete form
}

// Code lets somebody in whom the window or the limits would keep out.
type Code struct {
	ID, EventID string
	Code        string
	Note        string
	MaxUses     *int        // submissions; nil for any number
	ExpiresAt   *store.Time // nil for never
	CreatedAt   store.Time
	UpdatedAt   store.Time
}

// TableName returns the name of the table of codes.
func (Code) TableName() string { return "call_codes" }
