package call

import (
	"net/http"

	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// partAt is the part of the path, with its form.
type partAt struct {
	*call.Part
	form *call.Form
}

func callPart(v *visit.Visit) (*partAt, error) {
	f, err := callForm(v)
	if err != nil {
		return nil, err
	}
	id := v.Params("part")
	part := f.Part(&id)
	if part == nil {
		return nil, store.Missing("There is no such part in this form. It may have been removed.")
	}
	return &partAt{part, f}, nil
}

func (p *partAt) fields() []page.Edited {
	return []page.Edited{{Name: "title", Label: "Title", Theirs: p.Title}, {Name: "help", Label: "What it says", Theirs: p.Help}}
}

func callPartForm(v *visit.Visit, p *partAt) error {
	return callPartPage(v, http.StatusOK, p, page.Opened(p.form.UpdatedAt, p.fields()))
}

func callPartPage(v *visit.Visit, status int, p *partAt, e *page.Edit) error {
	return visit.Show(v, status, p.Title, pages.PartForm, pages.PartPage{Edit: e.Shown(), Base: v.At("/call/parts/" + p.ID),
		Cancel: v.At("/call#part-" + p.ID), Removable: len(p.form.Parts) > 1})
}

func changeCallPart(v *visit.Visit, p *partAt) error {
	e := v.Sent(p.form.UpdatedAt, p.fields())
	in := call.PartInput{Title: e.Of("title"), Help: e.Of("help")}
	if err := theCall(v).ChangePart(v.UserContext(), p.ID, in, e.PartToken()); err != nil {
		return v.Unsaved(err, e, v.Event.ID, v.At("/call/parts/"+p.ID), func(status int) error {
			return callPartPage(v, status, p, e)
		})
	}
	return v.See(v.At("/call#part-"+p.ID), "“"+visit.Cut(in.Title)+"” is saved.")
}

func askRemovePart(v *visit.Visit, p *partAt) error {
	ask := layouts.ConfirmPage{Action: v.At("/call/parts/" + p.ID + "/remove"), Verb: "Remove part",
		Cancel: v.At("/call/parts/" + p.ID), Text: "Nothing is asked in it.", Keeps: true}
	if n := len(p.Questions); n > 0 {
		ask.Text = "Its " + visit.Counted(int64(n), "question goes", "questions go") + " to the part beside it; none is lost."
	}
	return v.Ask("Remove “"+p.Title+"”?", ask)
}

func removeCallPart(v *visit.Visit, p *partAt) error {
	err := theCall(v).RemovePart(v.UserContext(), p.ID)
	return v.DoneOrAgain(err, v.At("/call"), "The part “"+visit.Cut(p.Title)+"” is removed.",
		func(status int) error { return callPage(v, status, "") })
}
