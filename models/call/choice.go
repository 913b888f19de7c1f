package call

import (
	"slices"
	"strings"

	"lectern/models/field"
	"lectern/models/store"
)

// named returns the present name of a choice of the question; other values are returned unchanged.
func (q *Question) named(value string) string {
	is := func(o Choice) bool { return o.Value == value }
	was := func(o Choice) bool { return slices.Contains(o.Was, value) }
	if at := slices.IndexFunc(q.Options, was); at >= 0 && !slices.ContainsFunc(q.Options, is) {
		return q.Options[at].Value
	}
	return value
}

// beginsWith returns another choice that, followed by a comma, is the beginning of choice i; "" if there is none. If
// several can be chosen, an answer with both could not be split.
func (q *Question) beginsWith(choices []string, i int) string {
	for _, other := range choices {
		if q.Type == field.Choices && other != choices[i] && strings.HasPrefix(choices[i], other+joint) {
			return other
		}
	}
	return ""
}

// apart splits an answer with several choices, by their present and former names, which may contain commas.
func (q *Question) apart(answer string) (choices []string) {
	var known []string
	for _, o := range q.Options {
		known = append(append(known, o.Value), o.Was...)
	}
	slices.SortFunc(known, func(a, b string) int { return len(b) - len(a) })
	for {
		at := slices.IndexFunc(known, func(name string) bool {
			return answer == name ||
				strings.HasPrefix(answer, name+joint)
		})
		one, rest, more := strings.Cut(answer, joint)
		if at >= 0 {
			one = known[at]
			rest, more = strings.CutPrefix(answer[len(one):], joint)
		}
		choices = append(choices, one)
		if answer = rest; !more {
			return choices
		}
	}
}

// carryNames gives the choices of a changed question their former names, and returns the new names by the old ones. A
// choice is matched to one before by its Was, else by its text.
func (q *Question) carryNames(before *Question) (renamed map[string]string) {
	renamed = map[string]string{}
	if q.Family() != "" || !q.Type.HasOptions() || !before.Type.HasOptions() {
		return renamed
	}
	of := q.choicesBefore(before)
	for i := range q.Options {
		o := &q.Options[i]
		if o.Was = nil; of[i] == nil {
			continue
		}
		if of[i].Value != o.Value {
			renamed[of[i].Value] = o.Value
		}
		for _, name := range append(slices.Clone(of[i].Was), of[i].Value) {
			if !slices.ContainsFunc(q.Options, func(other Choice) bool { return other.Value == name }) {
				o.Was = append(o.Was, name)
			}
		}
	}
	return renamed
}

// choicesBefore returns, for each choice of a question, the choice it was before the change, nil for a new one.
func (q *Question) choicesBefore(before *Question) []*Choice {
	of, claimed := make([]*Choice, len(q.Options)), map[string]bool{}
	claim := func(is func(o *Choice, was string) bool) {
		for i := range q.Options {
			for n := range before.Options {
				if b := &before.Options[n]; of[i] == nil && !claimed[b.Value] && is(&q.Options[i], b.Value) {
					of[i], claimed[b.Value] = b, true
				}
			}
		}
	}
	claim(func(o *Choice, was string) bool { return slices.Contains(o.Was, was) })
	claim(func(o *Choice, was string) bool { return o.Value == was })
	return of
}

// followNames renames choices of a question in the conditions that depend on it.
func (c *Call) followNames(tx *store.Tx, f *Form, on *Question, renamed map[string]string) error {
	for _, q := range append(f.Questions(), f.Removed...) {
		if q.AskedIf.Question != on.Key || len(renamed) == 0 {
			continue
		}
		answers := slices.Clone(q.AskedIf.Answers)
		for i, answer := range answers {
			if name, is := renamed[answer]; is {
				answers[i] = name
			}
		}
		if slices.Equal(answers, q.AskedIf.Answers) {
			continue
		}
		q.AskedIf.Answers, q.UpdatedAt = answers, tx.Now.Following(q.UpdatedAt)
		if err := c.of(tx.Model(&Question{})).Where("id = ?", q.ID).Select("asked_if", "updated_at").Updates(q).Error; err != nil {
			return err
		}
	}
	return nil
}

// broken returns what is wrong with the conditions of the questions that depend on a question, by their keys.
func (f *Form) broken(on *Question) map[string]string {
	wrong := map[string]string{}
	for _, q := range f.Questions() {
		if f.DependsOn(q, on) {
			wrong[q.Key] = f.Broken(q)
		}
	}
	return wrong
}

// newlyBroken returns sentences on the conditions that depend on a question and that a change has broken.
func (f *Form) newlyBroken(on *Question, before map[string]string) (effects []string) {
	now := f.broken(on)
	for _, q := range f.Questions() {
		if wrong := now[q.Key]; wrong != "" && wrong != before[q.Key] {
			effects = append(effects, "“"+q.Label+"” needs another condition. "+wrong)
		}
	}
	return effects
}
