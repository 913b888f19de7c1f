package call

import (
	"net/http"

	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// callTextsOf returns a call's texts and limits as the form holds them.
func callTextsOf(f *cfp.Form) pages.Texts {
	texts := pages.Texts{Heading: f.Heading, Welcome: f.Welcome, Success: f.Success, Agreement: f.Agreement,
		QuestionsTo: f.QuestionsTo, MaxProposals: visit.WholeText(f.MaxProposals), MaxTotal: visit.WholeText(f.MaxTotal),
		MaxSpeakers: visit.WholeText(&f.MaxSpeakers)}
	if f.AnswersOn != nil {
		texts.AnswersOn = *f.AnswersOn
	}
	return texts
}

func callTextsForm(v *visit.Visit, f *cfp.Form) error {
	values := callTextsOf(f)
	return callTextsPage(v, http.StatusOK, f, pages.TextsPage{Values: values, Was: values,
		UpdatedAt: f.UpdatedAt.String()})
}

func callTextsPage(v *visit.Visit, status int, f *cfp.Form, p pages.TextsPage) (err error) {
	if p.Top, err = callHead(v, f, "/texts"); err != nil {
		return err
	}
	return v.Render(status, pages.TextsForm(p))
}

func callTextsSent(v *visit.Visit, was string) pages.Texts {
	read := func(name string) string { return v.Value(was + name) }
	return pages.Texts{
		Heading: read("heading"), Welcome: read("welcome"), Success: read("success"), Agreement: read("agreement"),
		QuestionsTo: read("questions_to"), AnswersOn: read("answers_on"), MaxProposals: read("max_proposals"),
		MaxTotal: read("max_total"), MaxSpeakers: read("max_speakers"),
	}
}

func changeCallTexts(v *visit.Visit, f *cfp.Form) error {
	p := pages.TextsPage{Values: callTextsSent(v, ""), Was: callTextsSent(v, components.FirstPrefix),
		UpdatedAt: v.Value("updated_at")}
	change, err := callTextsChange(p)
	now := callTextsOf(f)
	if err == nil {
		err = inTime(p.UpdatedAt, f, func() bool { return sameTexts(p.Was, now) }, func(token *store.Time) error {
			change.UpdatedAt = token
			return theCall(v).Change(v.UserContext(), change)
		})
	}
	switch {
	case err == nil:
		return v.See(v.At("/call/texts"), "Texts and limits are saved.")
	case store.KindOf(err) == store.Stale:
		return callTextsConflict(v, f, p, now)
	}
	return v.Again(err, func(status int) error {
		for field, label := range textsLabels {
			v.Faults.Call(field, label)
		}
		return callTextsPage(v, status, f, p)
	})
}

// sameTexts compares two forms, ignoring how browsers end lines.
func sameTexts(a, b pages.Texts) bool {
	is := b.Fields()
	for i, field := range a.Fields() {
		if page.Lines(field.Value) != page.Lines(is[i].Value) {
			return false
		}
	}
	return true
}

// callTextsChange turns the form into a change.
func callTextsChange(p pages.TextsPage) (c cfp.SettingsChange, err error) {
	in := p.Values
	var faults store.Faults
	number := func(field, text string) *int {
		n, err := visit.WholeNumber(field, text)
		faults.Add(err)
		return n
	}
	c = cfp.SettingsChange{Heading: &in.Heading, Welcome: &in.Welcome, Success: &in.Success, Agreement: &in.Agreement,
		QuestionsTo: &in.QuestionsTo, AnswersOn: store.Optional[string]{Set: true, Value: visit.Optional(in.AnswersOn)},
		MaxProposals: store.Optional[int]{Set: true, Value: number("max_proposals", in.MaxProposals)},
		MaxTotal:     store.Optional[int]{Set: true, Value: number("max_total", in.MaxTotal)},
		MaxSpeakers:  number("max_speakers", in.MaxSpeakers)}
	if in.MaxSpeakers == "" {
		faults.Add(store.Invalidf("max_speakers", "must be a number, 1 for proposals of one person"))
	}
	return c, faults.Err()
}

// textsLabels are the form's names of its fields.
var textsLabels = map[string]string{"heading": "Heading", "welcome": "Welcome", "success": "Once something was submitted",
	"agreement": "Who submits agrees to", "questions_to": "Questions go to", "answers_on": "Speakers hear by",
	"max_proposals": "Proposals of one person, at most", "max_total": "Proposals in all, at most",
	"max_speakers": "Speakers of one proposal, at most"}

func callTextsConflict(v *visit.Visit, f *cfp.Form, p pages.TextsPage, now pages.Texts) error {
	shows := map[string]func(string) string{
		"welcome": page.Lines, "success": page.Lines, "answers_on": dayWords,
	}
	was, mine, theirs := p.Was.Fields(), p.Values.Fields(), now.Fields()
	fields := make([]page.Edited, len(was))
	for i, field := range was {
		fields[i] = page.Edited{Name: field.Name, Label: textsLabels[field.Name], Was: field.Value, Mine: mine[i].Value,
			Theirs: theirs[i].Value, Show: shows[field.Name]}
	}
	c, err := v.Conflict(v.Event.ID, f.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard, p.Conflict = v.At("/call/texts"), v.At("/call/texts"), c
	return callTextsPage(v, http.StatusConflict, f, p)
}
