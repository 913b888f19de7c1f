package cfp

import (
	"lectern/models/field"
	"lectern/models/store"
)

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

// standardTypes are the types of the standard questions, in the order in which staff choose from them.
var standardTypes = []struct {
	Standard
	field.Type
	label string
}{
	{Title, field.Text, "Title"}, {Description, field.LongText, "Abstract"}, {Format, field.Choice, "Format"},
	{Track, field.Choice, "Track"}, {Level, field.Choice, "Level"}, {Biography, field.LongText, "About you"},
}

// NewStandard is a standard question as it is first asked.
func NewStandard(standard Standard) *Question {
	for _, s := range standardTypes {
		if s.Standard == standard {
			q := &Question{Key: string(standard), Standard: standard, AskedOf: OfProposal, Type: s.Type, Label: s.label,
				Required: Required,
				SeenBy:   Reviewers}
			switch standard {
			case Biography:
				q.Required, q.SeenBy = Optional, OpenRounds
			case Level:
				q.Required = Optional
			}
			return q
		}
	}
	return nil
}

// Lacking are the standard questions that the form does not ask.
func (f *Form) Lacking() (lacking []*Question) {
	for _, s := range standardTypes {
		if f.Question(string(s.Standard)) != nil {
			continue
		}
		q := f.Known(string(s.Standard))
		if q == nil {
			q = NewStandard(s.Standard)
		}
		lacking = append(lacking, q)
	}
	return lacking
}

// most is how many characters a limit can allow.
func (q *Question) most() int {
	switch {
	case q.Standard == Title:
		return store.MaxTitle
	case q.isProse():
		return store.MaxDescription
	}
	return (&field.Definition{Type: q.Type}).Input().MaxLength
}
