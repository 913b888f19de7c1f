package call

import (
	"slices"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// IsZero reports whether a question with this condition is always asked.
func (c Condition) IsZero() bool { return len(c.Formats)+len(c.Tracks) == 0 && c.Question == "" }

// clause is one part of a condition: a question, and the answers to it after which another question is asked.
type clause struct {
	key     string
	answers []string
}

func (c Condition) clauses() (all []clause) {
	if len(c.Formats) > 0 {
		all = append(all, clause{string(Format), c.Formats})
	}
	if len(c.Tracks) > 0 {
		all = append(all, clause{string(Track), c.Tracks})
	}
	if c.Question != "" {
		all = append(all, clause{c.Question, c.Answers})
	}
	return all
}

// asking finds out which questions are asked, each once.
type asking struct {
	form  *Form
	v     Values
	known map[string]bool
}

func (a *asking) asked(q *Question) bool {
	if is, known := a.known[q.Key]; known {
		return is
	}
	a.known[q.Key] = false // while we are looking: breaks cycles between questions
	if q.Family() != "" && len(a.form.Offered(q)) == 0 {
		return false // there is nothing to choose from
	}
	is := !slices.ContainsFunc(q.AskedIf.clauses(), func(c clause) bool { return len(a.satisfying(c)) == 0 })
	a.known[q.Key] = is
	return is
}

// satisfying returns the given answers that satisfy a clause.
func (a *asking) satisfying(c clause) (given []string) {
	q := a.form.Question(c.key)
	if q == nil || !a.asked(q) {
		return nil
	}
	for _, value := range q.split(a.v[c.key]) {
		if slices.Contains(c.answers, value) {
			given = append(given, value)
		}
	}
	return given
}

// Asked returns the questions that the form asks for these answers, in its order. A condition on something that is
// gone, or on a question that is not asked, does not hold.
func (f *Form) Asked(v Values) (asked []*Question) {
	a := &asking{f, v, map[string]bool{}}
	for _, q := range f.Questions() {
		if a.asked(q) {
			asked = append(asked, q)
		}
	}
	return asked
}

// Clause is one part of a condition: a question, and the names, by value, of the answers after which another is asked.
type Clause struct {
	On    *Question
	Names map[string]string
}

// Clauses returns the parts of a question's condition, with the answers that still exist, for the form in a browser.
func (f *Form) Clauses(q *Question) (clauses []Clause) {
	for _, c := range q.AskedIf.clauses() {
		on := f.Question(c.key)
		if on == nil {
			on = &Question{ID: "gone", Key: c.key}
		}
		names := map[string]string{}
		for _, value := range c.answers {
			if name := f.nameOf(c.key, value); name != "" {
				names[value] = name
			}
		}
		clauses = append(clauses, Clause{on, names})
	}
	return clauses
}

// nameOf returns the name of a question's choice, "" if it is gone.
func (f *Form) nameOf(key, value string) string {
	q := f.Question(key)
	if q == nil {
		return ""
	}
	for _, offer := range f.Decides(q) {
		if offer.Value == value {
			return offer.Name
		}
	}
	return ""
}

// Broken returns a sentence on what is wrong with a question's condition, "" if nothing is: what it names is gone, so
// that the question is asked of fewer people than was meant, or of nobody.
func (f *Form) Broken(q *Question) string {
	if family := q.Family(); family != "" && len(f.Offered(q)) == 0 {
		return "Asked of nobody: this event has no " + family.Singular() + " to choose."
	}
	for _, c := range q.AskedIf.clauses() {
		on := f.Question(c.key)
		if on == nil {
			return "Asked of nobody: the question that it depends on (" + c.key + ") is not in the form."
		}
		if on.AskedOf != q.AskedOf {
			return "Asked of nobody: “" + on.Label + "”, which it depends on, is asked of somebody else."
		}
		there := 0
		for _, value := range c.answers {
			if f.nameOf(c.key, value) != "" {
				there++
			}
		}
		switch {
		case there == 0:
			return "Asked of nobody: the answer to “" + on.Label + "” that it depends on is gone."
		case there < len(c.answers):
			return "One of the answers to “" + on.Label + "” that it depends on is gone."
		}
	}
	return ""
}

// DependsOn reports whether the condition of q names the question on.
func (f *Form) DependsOn(q, on *Question) bool {
	return slices.ContainsFunc(q.AskedIf.clauses(), func(c clause) bool { return c.key == on.Key })
}

// Decides returns the answers to a question on which others can depend.
func (f *Form) Decides(q *Question) []Offer {
	if q.Type == field.YesNo {
		return []Offer{{Value: field.Yes, Name: "Yes"}, {Value: field.No, Name: "No"}}
	}
	return f.Offered(q)
}

// MayDecide reports whether others can depend on the question's answers.
func (q *Question) MayDecide() bool { return q.Type.HasOptions() || q.Type == field.YesNo }

// checkCondition answers Invalid, by the fields formats, tracks, question and answers, for a condition of q that could
// never hold, or that depends on q itself.
func (f *Form) checkCondition(q *Question) error {
	var faults store.Faults
	c := &q.AskedIf
	if q.Standard == Title && !c.IsZero() {
		return store.Invalidf("asked_if", "the title is always asked for")
	}
	c.Formats, c.Tracks = unique(c.Formats), unique(c.Tracks)
	if q.AskedOf == OfSpeaker && len(c.Formats)+len(c.Tracks) > 0 {
		field := map[bool]string{true: "formats", false: "tracks"}[len(c.Formats) > 0]
		faults.Add(store.Invalidf(field, "belong to a proposal, and somebody may be on several: take the ticks away"))
		return faults.Err()
	}
	f.checkRows(&faults, "formats", models.Formats, c.Formats)
	f.checkRows(&faults, "tracks", models.Tracks, c.Tracks)
	f.checkAnswers(&faults, q, c)
	if len(faults) > 0 {
		return faults.Err()
	}
	for _, clause := range c.clauses() {
		if clause.key == q.Key || f.leadsTo(clause.key, q.Key, map[string]bool{}) {
			field := map[string]string{string(Format): "formats", string(Track): "tracks"}[clause.key]
			if field == "" || clause.key == c.Question {
				field = "question"
			}
			return store.Invalidf(field, "depends on the answer to this question itself; choose another")
		}
	}
	return nil
}

func unique(ids []string) (out []string) {
	for _, id := range ids {
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// checkRows adds a fault unless the rows belong to the event and the form asks for the family.
func (f *Form) checkRows(faults *store.Faults, field string, family models.Family, ids []string) {
	if len(ids) > 0 && f.Question(family.Singular()) == nil {
		faults.Add(store.Invalidf(field, "need the question for the %s, which is not in the form", family.Singular()))
		return
	}
	for _, id := range ids {
		if row := f.row(id); row == nil || row.Family != family {
			faults.Add(store.Invalidf(field, "name a %s that this event has no more", family.Singular()))
			return
		}
	}
}

func (f *Form) checkAnswers(faults *store.Faults, q *Question, c *Condition) {
	if c.Question == "" {
		c.Answers = nil
		return
	}
	on := f.Question(c.Question)
	if on == nil || !on.MayDecide() {
		faults.Add(store.Invalidf("question", "must be one of this form with choices"))
		return
	}
	if on.AskedOf != q.AskedOf {
		faults.Add(store.Invalidf("question", "is “%s”, which is asked of somebody else: one of each speaker depends on such "+
			"questions alone, and one of the proposal on those of the proposal", on.Label))
		return
	}
	c.Answers = unique(c.Answers)
	if len(c.Answers) == 0 {
		faults.Add(store.Invalidf("answers", "must name the answers after which it is asked"))
	}
	for _, value := range c.Answers {
		if f.nameOf(c.Question, value) == "" {
			faults.Add(store.Invalidf("answers", "name a choice that “%s” does not have", on.Label))
			return
		}
	}
}

// leadsTo reports whether one question depends on another, directly or through others.
func (f *Form) leadsTo(from, to string, seen map[string]bool) bool {
	q := f.Question(from)
	if q == nil || seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(q.AskedIf.clauses(), func(c clause) bool {
		return c.key == to || f.leadsTo(c.key, to, seen)
	})
}
