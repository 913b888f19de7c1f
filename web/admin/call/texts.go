package call

import (
	"net/http"

	"lectern/models/call"
	"lectern/models/store"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// textsFields are the fields of the form of a call's texts and limits.
func textsFields(f *call.Form) []page.Edited {
	return []page.Edited{{Name: "heading", Label: "Heading", Theirs: f.Heading},
		{Name: "welcome", Label: "Welcome", Theirs: f.Welcome, Show: page.Lines},
		{Name: "success", Label: "Once something was submitted", Theirs: f.Success, Show: page.Lines},
		{Name: "agreement", Label: "Who submits agrees to", Theirs: f.Agreement},
		{Name: "questions_to", Label: "Questions go to", Theirs: f.QuestionsTo},
		{Name: "answers_on", Label: "Speakers hear by", Theirs: visit.ValueOr(f.AnswersOn, ""), Show: dayWords},
		{Name: "max_proposals", Label: "Proposals of one person, at most", Theirs: visit.WholeText(f.MaxProposals)},
		{Name: "max_total", Label: "Proposals in all, at most", Theirs: visit.WholeText(f.MaxTotal)},
		{Name: "max_speakers", Label: "Speakers of one proposal, at most", Theirs: visit.WholeText(&f.MaxSpeakers)}}
}

func callTextsForm(v *visit.Visit, f *call.Form) error {
	return callTextsPage(v, http.StatusOK, f, page.Opened(f.UpdatedAt, textsFields(f)))
}

func callTextsPage(v *visit.Visit, status int, f *call.Form, e *page.Edit) error {
	h, err := callHead(v, f, "/texts")
	if err != nil {
		return err
	}
	return v.Render(status, pages.TextsForm(pages.TextsPage{Top: h, Edit: e.Shown()}))
}

func changeCallTexts(v *visit.Visit, f *call.Form) error {
	e := v.Sent(f.UpdatedAt, textsFields(f))
	change, err := callTextsChange(e)
	if err == nil {
		err = theCall(v).Change(v.UserContext(), change)
	}
	if err != nil {
		return v.Unsaved(err, e, v.Event.ID, v.At("/call/texts"), func(status int) error {
			v.NameFaults(e)
			return callTextsPage(v, status, f, e)
		})
	}
	return v.See(v.At("/call/texts"), "Texts and limits are saved.")
}

// callTextsChange turns the form into a change.
func callTextsChange(e *page.Edit) (c call.SettingsChange, err error) {
	var faults store.Faults
	number := func(field string) *int {
		n, err := visit.WholeNumber(field, e.Of(field))
		faults.Add(err)
		return n
	}
	c = call.SettingsChange{UpdatedAt: e.PartToken(), Heading: new(e.Of("heading")), Welcome: new(e.Of("welcome")),
		Success: new(e.Of("success")), Agreement: new(e.Of("agreement")), QuestionsTo: new(e.Of("questions_to")),
		AnswersOn:    store.Optional[string]{Set: true, Value: visit.Optional(e.Of("answers_on"))},
		MaxProposals: store.Optional[int]{Set: true, Value: number("max_proposals")},
		MaxTotal:     store.Optional[int]{Set: true, Value: number("max_total")}, MaxSpeakers: number("max_speakers")}
	if e.Of("max_speakers") == "" {
		faults.Add(store.Invalidf("max_speakers", "must be a number, 1 for proposals of one person"))
	}
	return c, faults.Err()
}
