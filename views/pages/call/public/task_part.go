package public

import (
	"slices"

	"lectern/models/call"
)

// Alone returns the part for a page of its own. A question whose condition depends on another part is kept if the
// saved answers meet that condition and left out if not, as no script can check it on this page.
func (p PartView) Alone() PartView {
	outside := func(c call.Clause) bool {
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
