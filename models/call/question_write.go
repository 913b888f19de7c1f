package call

import (
	"cmp"
	"context"
	"slices"

	"lectern/models/field"
	"lectern/models/store"
)

// QuestionInput holds the fields of a question to be created or changed.
type QuestionInput struct {
	Key                 string     // for a new question; "" makes one from the label
	PartID              string     // for a change: the part to whose end it moves; "" does not move it
	Type                field.Type // ignored for a standard question
	AskedOf             AskedOf    // "" means OfProposal
	Label, Help         string
	Options             []Choice
	Required            Need
	MaxLength, MaxWords *int
	SeenBy              Audience // ignored for a question of each speaker
	IsOpen              bool
	FileKinds           []FileKind
	MaxBytes            *int
	AskedIf             Condition
}

func (in QuestionInput) onto(q *Question) {
	if q.Standard == "" {
		q.Type = in.Type
	}
	q.Label, q.Help, q.Options, q.Required = in.Label, in.Help, in.Options, in.Required
	q.MaxLength, q.MaxWords, q.SeenBy = in.MaxLength, in.MaxWords, in.SeenBy
	q.AskedOf, q.IsOpen = cmp.Or(in.AskedOf, OfProposal), in.IsOpen
	q.FileKinds, q.MaxBytes, q.AskedIf = in.FileKinds, in.MaxBytes, in.AskedIf
}

// InputOf returns the input that would make a question anew.
func InputOf(q *Question) QuestionInput {
	return QuestionInput{q.Key, "", q.Type, q.AskedOf, q.Label, q.Help, q.Options, q.Required, q.MaxLength, q.MaxWords,
		q.SeenBy, q.IsOpen, q.FileKinds, q.MaxBytes, q.AskedIf}
}

// facts returns the fields that can change, in words where ids would say nothing.
func (q *Question) facts(f *Form) map[string]any {
	only, _ := f.When(q, nil)
	var options, kinds []string
	for _, offer := range f.Offered(q) {
		text := offer.Name
		if offer.Note != "" {
			text += " (" + offer.Note + ")"
		}
		if offer.Limit > 0 {
			text += ", at most " + counted(offer.Limit, "proposal")
		}
		options = append(options, text)
	}
	if q.Family() != "" && len(q.Options) == 0 {
		options = []string{"all of the event"}
	}
	for _, kind := range q.FileKinds {
		kinds = append(kinds, string(kind))
	}
	return map[string]any{
		"label": q.Label, "help": q.Help, "type": q.Type.Label(), "options": options, "required": string(q.Required),
		"max_length": store.Fact(q.MaxLength), "max_words": store.Fact(q.MaxWords), "seen_by": string(q.SeenBy),
		"asked_of": string(q.AskedOf), "is_open": q.IsOpen,
		"file_kinds": kinds, "max_bytes": store.Fact(q.MaxBytes), "asked_if": only,
	}
}

var (
	errNoQuestion = store.Missing("There is no such question in this form. It may have been removed.")
	errTooMany    = store.Invalidf("label", "is one question too many: a form asks %d at most", mostQuestions)
)

// find returns a question by its id, also a removed one, or nil.
func (f *Form) find(id string) *Question {
	for _, q := range append(f.Questions(), f.Removed...) {
		if q.ID == id {
			return q
		}
	}
	return nil
}

// AddQuestion adds a question at the end of a part. It answers NotFound for an unknown part, and Invalid for what
// breaks a rule, for a key or a label that is taken, and beyond the limit of questions.
func (c *Call) AddQuestion(ctx context.Context, partID string, in QuestionInput) (q *Question, err error) {
	err = c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		part := f.Part(&partID)
		if part == nil {
			return store.Change{}, errNoPart
		}
		if len(f.Questions()) >= mostQuestions {
			return store.Change{}, errTooMany
		}
		q = &Question{ID: store.NewID(), EventID: f.EventID, PartID: &part.ID, Position: len(part.Questions)}
		in.onto(q)
		q.carryNames(&Question{Type: q.Type})
		var faults store.Faults
		key, err := store.CleanText("key", store.OneLine(in.Key), store.MaxCustomKey)
		faults.Add(err)
		if q.Key = key; key == "" {
			q.Key = f.keyFor(in.Label)
		} else if f.keyTaken(key) {
			faults.Add(store.Invalidf("key", "is that of another question, or was; choose another, or bring that one back"))
		}
		faults.Add(f.check(q))
		faults.Add(f.sameLabel(q))
		if err := faults.Err(); err != nil {
			return store.Change{}, err
		}
		return c.insert(tx, q, "question_added")
	})
	return q, err
}

func (c *Call) insert(tx *store.Tx, q *Question, action string) (store.Change, error) {
	q.CreatedAt, q.UpdatedAt = tx.Now, tx.Now
	q.fill()
	return store.Change{Action: action, After: map[string]any{"question": q.Label}}, tx.Create(q).Error
}

// fill replaces nil lists by empty ones, because the columns cannot be null.
func (q *Question) fill() {
	q.Options, q.FileKinds = append([]Choice{}, q.Options...), append([]FileKind{}, q.FileKinds...)
}

var questionColumns = []string{"type", "label", "help", "options", "required", "max_length", "max_words", "seen_by",
	"asked_of", "is_open", "file_kinds", "max_bytes", "asked_if", "updated_at"}

// ChangeQuestion changes a question, except for its key. Answers do not change. It answers NotFound; Invalid for what
// breaks a rule, for a type that existing answers do not fit, and for another AskedOf once there are answers; and Stale
// when the token is outdated. It returns the effects on the existing answers.
func (c *Call) ChangeQuestion(
	ctx context.Context, id string, in QuestionInput, token *store.Time,
) (effects []string, err error) {
	err = c.change(ctx, token, func(tx *store.Tx, f *Form) (store.Change, error) {
		q := f.find(id)
		if q == nil || q.RemovedAt != nil {
			return store.Change{}, errNoQuestion
		}
		before := *q
		facts, wrong := before.facts(f), f.broken(q)
		in.onto(q)
		if err := f.check(q); err != nil {
			return store.Change{}, err
		}
		if q.Label != before.Label {
			if err := f.sameLabel(q); err != nil {
				return store.Change{}, err
			}
		}
		renamed := q.carryNames(&before)
		if err := c.followNames(tx, f, q, renamed); err != nil {
			return store.Change{}, err
		}
		answers, err := c.answers(tx.DB, &before)
		if err != nil {
			return store.Change{}, err
		}
		if err := f.mayBecome(&before, q, answers); err != nil {
			return store.Change{}, err
		}
		if err := c.carryAnswers(tx, f, &before, q, renamed); err != nil {
			return store.Change{}, err
		}
		effects = append(f.effects(&before, q, answers), f.newlyBroken(q, wrong)...)
		was, is := store.Changes(facts, q.facts(f))
		if err := c.toPart(tx, f, q, in.PartID, was, is); err != nil || len(is) == 0 {
			return store.Change{}, err
		}
		is["question"] = q.Label
		q.UpdatedAt = tx.Now.Following(q.UpdatedAt)
		q.fill()
		return store.Change{Action: "question_changed", Before: was, After: is},
			c.of(tx.Model(&Question{})).Where("id = ?", id).Select(questionColumns).Updates(q).Error
	})
	return effects, err
}

// toPart moves a question to the end of another part, and adds that to the changed fields.
func (c *Call) toPart(tx *store.Tx, f *Form, q *Question, partID string, was, is map[string]any) error {
	if partID == "" || partID == *q.PartID {
		return nil
	}
	from, to := f.Part(q.PartID), f.Part(&partID)
	if to == nil {
		return errNoPart
	}
	from.Questions = slices.DeleteFunc(from.Questions, func(other *Question) bool { return other == q })
	to.Questions = append(to.Questions, q)
	was["part"], is["part"] = from.Title, to.Title
	return c.place(tx, f)
}

// MoveQuestion moves a question to a position of a part, counted from 0, at most to its end. It answers NotFound.
func (c *Call) MoveQuestion(ctx context.Context, id, partID string, position int) error {
	return c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		q, to := f.find(id), f.Part(&partID)
		switch {
		case q == nil || q.RemovedAt != nil:
			return store.Change{}, errNoQuestion
		case to == nil:
			return store.Change{}, errNoPart
		}
		from := f.Part(q.PartID)
		from.Questions = slices.DeleteFunc(from.Questions, func(other *Question) bool { return other == q })
		position = min(max(position, 0), len(to.Questions))
		if from == to && q.Position == position {
			return store.Change{}, nil
		}
		to.Questions = slices.Insert(to.Questions, position, q)
		was, is := map[string]any{"order": q.Position + 1}, map[string]any{"order": position + 1, "question": q.Label}
		if from != to {
			was["part"], is["part"] = from.Title, to.Title
		}
		return store.Change{Action: "question_moved", Before: was, After: is}, c.place(tx, f)
	})
}

// RemoveQuestion removes a question from the form. Its answers stay with the submissions, also in the API. It answers
// NotFound, and Invalid for the title.
func (c *Call) RemoveQuestion(ctx context.Context, id string) error {
	return c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		q := f.find(id)
		switch {
		case q == nil || q.RemovedAt != nil:
			return store.Change{}, errNoQuestion
		case q.Standard == Title:
			return store.Change{}, &store.Error{Kind: store.Invalid,
				Message: "A proposal always has a title, so it is asked for."}
		}
		part := f.Part(q.PartID)
		part.Questions = slices.DeleteFunc(part.Questions, func(other *Question) bool { return other == q })
		if err := c.of(tx.Model(&Question{})).Where("id = ?", id).
			UpdateColumns(map[string]any{"part_id": nil, "removed_at": tx.Now}).Error; err != nil {
			return store.Change{}, err
		}
		return store.Change{Action: "question_removed", Before: map[string]any{"question": q.Label}}, c.place(tx, f)
	})
}

// BringBack puts a removed question back, at the end of a part. It answers NotFound, and Invalid beyond the limit of
// questions.
func (c *Call) BringBack(ctx context.Context, id, partID string) (q *Question, err error) {
	err = c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		part := f.Part(&partID)
		if q = f.find(id); q == nil || part == nil {
			return store.Change{}, errNoQuestion
		}
		if q.RemovedAt == nil {
			return store.Change{}, nil
		}
		if len(f.Questions()) >= mostQuestions {
			return store.Change{}, errTooMany
		}
		part.Questions = append(part.Questions, q)
		return store.Change{Action: "question_brought_back", After: map[string]any{"question": q.Label}}, c.place(tx, f)
	})
	return q, err
}

// Ask adds a standard question at the end of a part, with its former settings if it was removed. It answers NotFound.
func (c *Call) Ask(ctx context.Context, standard StandardField, partID string) (q *Question, err error) {
	err = c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
		part := f.Part(&partID)
		q = f.Known(string(standard))
		switch {
		case part == nil || NewStandard(standard) == nil:
			return store.Change{}, errNoPart
		case q != nil && q.RemovedAt == nil:
			return store.Change{}, nil
		case q != nil:
			part.Questions = append(part.Questions, q)
			return store.Change{Action: "question_brought_back", After: map[string]any{"question": q.Label}}, c.place(tx, f)
		}
		q = NewStandard(standard)
		q.ID, q.EventID, q.PartID, q.Position = store.NewID(), f.EventID, &part.ID, len(part.Questions)
		return c.insert(tx, q, "question_added")
	})
	return q, err
}
