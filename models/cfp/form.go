// Package cfp is the call for papers on top of the programme: its form, what people propose, and the place where those
// who speak find all that is theirs.
package cfp

import (
	"lectern/models"
	"lectern/models/field"
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

// Standard is a fact of the proposal itself, or of who begins it, that the form asks for.
type Standard string

// The standard questions. The title is always there and always required.
const (
	Title       Standard = "title"
	Description Standard = "description"
	Track       Standard = "track"
	Format      Standard = "format"
	Level       Standard = "level"
	Biography   Standard = "biography"
)

// Need is when a question has to be answered.
type Need string

const (
	Optional Need = "no"
	Required Need = "yes"   // before the proposal can be submitted
	Later    Need = "later" // once it is accepted
)

// Audience is who of those who review sees the answer.
type Audience string

const (
	Reviewers  Audience = "reviewers"
	OpenRounds Audience = "open_rounds" // where they see names
	StaffOnly  Audience = "staff"
)

// UsualAudience is who sees the answers to a question of a type where nobody said: what tells who somebody is, such as
// a file, a link or an address, is not for reviewers who see no names.
func UsualAudience(t field.Type) Audience {
	if t == field.File || t == field.URL || t == field.Email {
		return OpenRounds
	}
	return Reviewers
}

// AskedOf is whose a question is.
type AskedOf string

const (
	OfProposal AskedOf = "proposal" // answered once, for all who see the proposal
	OfSpeaker  AskedOf = "speaker"  // answered by each speaker, for themselves and staff alone
)

// Question is one that the form asks. Its key is that of the answers among the custom fields of a submission, and
// never changes; that of a standard question is its standard. Answers of speakers are kept by its id.
type Question struct {
	ID, EventID string
	PartID      *string // nil of one that was removed
	Position    int     // in its part
	Key         string
	Standard    Standard // "" of one that staff made
	AskedOf     AskedOf
	Type        field.Type
	Label, Help string
	Options     []Choice `gorm:"serializer:json"` // of a choice, and of track, format and level
	Required    Need
	MaxLength   *int // characters
	MaxWords    *int
	SeenBy      Audience
	IsOpen      bool       // of a speaker: who sees the people of the event reads it, not organizers alone
	FileKinds   []FileKind `gorm:"serializer:json"` // of a file; none for all
	MaxBytes    *int       // of a file; nil for MaxFileBytes
	AskedIf     Condition  `gorm:"serializer:json"`
	RemovedAt   *store.Time
	CreatedAt   store.Time
	UpdatedAt   store.Time
}

// TableName is where questions are kept.
func (Question) TableName() string { return "call_questions" }

// Choice is one that a question offers: a text, or a row of the event's tracks, formats or levels by its id.
type Choice struct {
	Value string `json:"value"`           // what is chosen: the text, or the row's id
	Note  string `json:"note,omitempty"`  // what stands beside it
	Limit int    `json:"limit,omitempty"` // how many proposals may choose it; 0 for any number
	// Was are the names that a text had before: who answered with one chose this. A change names by it the choice that
	// this one was.
	Was []string `json:"was,omitempty"`
}

// Condition is when a question is asked: for some formats, for some tracks, and after some answers to another question
// with choices; all that it names must hold. The zero value is always.
type Condition struct {
	Formats  []string `json:"formats,omitempty"`  // ids
	Tracks   []string `json:"tracks,omitempty"`   // ids
	Question string   `json:"question,omitempty"` // the key of another one
	Answers  []string `json:"answers,omitempty"`
}

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
