package cfp

import (
	"slices"

	"lectern/models/cfp"
)

// Alone is a part on a page without the others. What it asks under an answer to another part stands there for who gave
// that answer, and is left out for all else: no script can see the answer there.
func (p PartView) Alone() PartView {
	outside := func(c cfp.Clause) bool {
		return !slices.ContainsFunc(p.Questions, func(q QuestionView) bool { return q.ID == c.On.ID })
	}
	all := p.Questions
	p.Questions = nil
	for _, q := range all {
		if slices.ContainsFunc(q.clauses, outside) {
			if len(q.Because) == 0 {
				continue
			}
			q.clauses, q.Only = nil, nil
		}
		p.Questions = append(p.Questions, q)
	}
	return p
}
