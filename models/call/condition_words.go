package call

import (
	"cmp"
	"strings"
)

// When returns a condition in words: the answers after which q is asked, "you choose Workshop", and, once it holds,
// those of them that were given, "you chose Workshop". Both are "" for a question that is always asked.
func (f *Form) When(q *Question, v Values) (only, because string) {
	wanted, given := f.ConditionParts(q, v)
	return reasonWords(wanted, "choose", "answer"), reasonWords(given, "chose", "answered")
}

// ConditionPart is one part of a condition in words: the names of choices, and the label of the question that they
// answer, "" for a standard one. If all choices are gone there are no names.
type ConditionPart struct {
	Names    []string
	Question string
}

// ConditionParts returns the parts of the condition of q and, once it holds, the answers that were given. Both are
// empty for a question that is always asked.
func (f *Form) ConditionParts(q *Question, v Values) (wanted, given []ConditionPart) {
	a := &asking{f, v, map[string]bool{}}
	for _, c := range q.AskedIf.clauses() {
		wanted = append(wanted, f.reason(c, c.answers))
		given = append(given, f.reason(c, a.satisfying(c)))
	}
	if !a.asked(q) {
		return wanted, nil
	}
	return wanted, given
}

func (f *Form) reason(c clause, answers []string) (r ConditionPart) {
	for _, value := range answers {
		if name := f.nameOf(c.key, value); name != "" {
			r.Names = append(r.Names, name)
		}
	}
	if q := f.Question(c.key); q != nil && q.Standard == "" {
		r.Question = q.Label
	}
	return r
}

// reasonWords returns reasons as a phrase, "" for none.
func reasonWords(reasons []ConditionPart, choose, answer string) string {
	var said []string
	for _, r := range reasons {
		which := cmp.Or(strings.Join(r.Names, " or "), "what is no longer offered")
		if r.Question != "" {
			said = append(said, answer+" “"+which+"” to “"+r.Question+"”")
		} else {
			said = append(said, choose+" "+which)
		}
	}
	if len(said) == 0 {
		return ""
	}
	return "you " + strings.Join(said, " and ")
}
