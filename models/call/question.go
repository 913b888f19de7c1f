package call

import (
	"context"
	"slices"

	"lectern/models/field"
	"lectern/models/store"
)

// StandardField is a field of the proposal itself, or of the person who begins it, that the form asks for.
type StandardField string

// These are the standard questions. The title is always in the form and always required.
const (
	Title       StandardField = "title"
	Description StandardField = "description"
	Track       StandardField = "track"
	Format      StandardField = "format"
	Level       StandardField = "level"
	Biography   StandardField = "biography"
)

// Need says when a question has to be answered.
type Need string

const (
	Optional Need = "no"
	Required Need = "yes"   // before the proposal can be submitted
	Later    Need = "later" // once it is accepted
)

// Audience says which reviewers see the answer.
type Audience string

const (
	Reviewers  Audience = "reviewers"
	OpenRounds Audience = "open_rounds" // in rounds that show names
	StaffOnly  Audience = "staff"
)

// UsualAudience returns the default audience of a question of a type: answers that may identify somebody, such as a
// file, a link or an address, are not for reviewers who see no names.
func UsualAudience(t field.Type) Audience {
	if t == field.File || t == field.URL || t == field.Email {
		return OpenRounds
	}
	return Reviewers
}

// AskedOf says who answers a question.
type AskedOf string

const (
	OfProposal AskedOf = "proposal" // answered once, for all who see the proposal
	OfSpeaker  AskedOf = "speaker"  // answered by each speaker, for themselves and staff alone
)

// Question is a question of the form. Its key, which never changes, is that of the answers among a submission's custom
// fields; a standard question's key is its Standard. Answers of speakers are stored by its id.
type Question struct {
	ID, EventID string
	PartID      *string // nil for a removed question
	Position    int     // in its part
	Key         string
	Standard    StandardField // "" for a question that staff made
	AskedOf     AskedOf
	Type        field.Type
	Label, Help string
	Options     []Choice `gorm:"serializer:json"` // of a choice, and of track, format and level
	Required    Need
	MaxLength   *int // characters
	MaxWords    *int
	SeenBy      Audience
	IsOpen      bool       // of a speaker: whoever sees the event's people reads it, not organizers alone
	FileKinds   []FileKind `gorm:"serializer:json"` // of a file; empty for all
	MaxBytes    *int       // of a file; nil for MaxFileBytes
	AskedIf     Condition  `gorm:"serializer:json"`
	RemovedAt   *store.Time
	CreatedAt   store.Time
	UpdatedAt   store.Time
}

// TableName returns the name of the table of questions.
func (Question) TableName() string { return "call_questions" }

// Choice is a choice that a question offers: a text, or a row of the event's tracks, formats or levels by its id.
type Choice struct {
	Value string `json:"value"`           // the text, or the row's id
	Note  string `json:"note,omitempty"`  // text shown beside it
	Limit int    `json:"limit,omitempty"` // how many proposals may choose it; 0 for any number
	// Was are the former names of a text: answers with one of them count as this choice. In a change it names the
	// choice that this one was.
	Was []string `json:"was,omitempty"`
}

// Condition says when a question is asked: for some formats, for some tracks, and after some answers to another
// question with choices; all parts must hold. With the zero value it is always asked.
type Condition struct {
	Formats  []string `json:"formats,omitempty"`  // ids
	Tracks   []string `json:"tracks,omitempty"`   // ids
	Question string   `json:"question,omitempty"` // the key of another question
	Answers  []string `json:"answers,omitempty"`
}

// standardTypes are the types of the standard questions, in the order in which staff choose from them.
var standardTypes = []struct {
	StandardField
	field.Type
	label string
}{
	{Title, field.Text, "Title"}, {Description, field.LongText, "Abstract"}, {Format, field.Choice, "Format"},
	{Track, field.Choice, "Track"}, {Level, field.Choice, "Level"}, {Biography, field.LongText, "About you"},
}

// NewStandard returns a standard question with its initial settings, or nil.
func NewStandard(standard StandardField) *Question {
	for _, s := range standardTypes {
		if s.StandardField == standard {
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

// Lacking returns the standard questions that are not in the form.
func (f *Form) Lacking() (lacking []*Question) {
	for _, s := range standardTypes {
		if f.Question(string(s.StandardField)) != nil {
			continue
		}
		q := f.Known(string(s.StandardField))
		if q == nil {
			q = NewStandard(s.StandardField)
		}
		lacking = append(lacking, q)
	}
	return lacking
}

// most returns the largest limit of the answer that a question can have, in characters.
func (q *Question) most() int {
	switch {
	case q.Standard == Title:
		return store.MaxTitle
	case q.isProse():
		return store.MaxDescription
	}
	return (&field.Definition{Type: q.Type}).Input().MaxLength
}

// TakeQuestionBack deletes a question that a move added, if isFree says so once the form is locked. It answers
// NotFound, and Invalid for a question that is not free.
func (c *Call) TakeQuestionBack(ctx context.Context, id string, isFree func(*store.Tx, string) (bool, error)) error {
	return c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		q := f.find(id)
		if q == nil {
			return store.Change{}, errNoQuestion
		}
		if free, err := isFree(tx, id); err != nil {
			return store.Change{}, err
		} else if !free {
			return store.Change{}, &store.Error{Kind: store.Invalid,
				Message: "The question was changed or answered, so it stays."}
		}
		if part := f.Part(q.PartID); part != nil {
			part.Questions = slices.DeleteFunc(part.Questions, func(other *Question) bool { return other == q })
		}
		if err := c.of(tx.Where("id = ?", id)).Delete(&Question{}).Error; err != nil {
			return store.Change{}, err
		}
		return store.Change{Action: "question_removed", Before: map[string]any{"question": q.Label}}, c.place(tx, f)
	})
}
