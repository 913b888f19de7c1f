package cfp

import (
	"context"
	"slices"

	"lectern/models/store"
)

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
