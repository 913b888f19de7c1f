// Package cfp is the call for papers on top of the programme: its form, what people propose, and the place where those
// who speak find all that is theirs.
package cfp

import (
	"lectern/models"
	"lectern/models/store"
)

// Call is that of one event, for its staff. It is the handle on which all hangs that they do with it.
type Call struct{ p *models.Programme }

// Of is the call of a programme.
func Of(p *models.Programme) *Call { return &Call{p} }

// Settings are what a call says and how much it takes. When it is open stands in the event.
type Settings struct {
	EventID      string  `gorm:"primaryKey"`
	Heading      string  // of the page; "" takes one of ours
	Welcome      string  // sanitised HTML
	Success      string  // sanitised HTML, shown and mailed once something was submitted
	Agreement    string  // what who submits says yes to; "" for nothing
	QuestionsTo  string  // an address that speakers may write to; "" for none
	AnswersOn    *string // the day by which people hear, such as 2027-03-29
	MaxProposals *int    // that one person may submit; nil for any number
	MaxTotal     *int    // that are taken in all; nil for any number
	MaxSpeakers  int     // on one proposal
	CreatedAt    store.Time
	UpdatedAt    store.Time // the token of the form, which each change of a part or a question moves
}

// TableName is where settings are kept.
func (Settings) TableName() string { return "calls" }

// Part is a section of the form.
type Part struct {
	ID, EventID string
	Title, Help string
	Position    int
	Questions   []*Question `gorm:"-"` // in their order
}

// TableName is where parts are kept.
func (Part) TableName() string { return "call_parts" }

// Form is what a call asks: its parts in their order, and the questions that were removed, of which there are answers.
type Form struct {
	Settings
	Parts   []*Part
	Removed []*Question
	Rows    []*models.Metadata // the event's tracks, formats and levels, each family in its order
	whole   *Form              // of one that Of made, what it was made of
}

// Code lets somebody in whom the window or the limits keep out.
type Code struct {
	ID, EventID string
	Code        string
	Note        string
	MaxUses     *int        // submissions; nil for any number
	ExpiresAt   *store.Time // nil for never
	CreatedAt   store.Time
	UpdatedAt   store.Time
}

// TableName is where codes are kept.
func (Code) TableName() string { return "call_codes" }
