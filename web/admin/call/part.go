package call

import (
	"net/http"

	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// partAt is the part of the path, with its form.
type partAt struct {
	*cfp.Part
	form *cfp.Form
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

func callPartForm(v *visit.Visit, p *partAt) error {
	values := pages.PartValues{Title: p.Title, Help: p.Help}
	return callPartPage(v, http.StatusOK, p, pages.PartPage{Values: values, Was: values,
		UpdatedAt: p.form.UpdatedAt.String()})
}

func callPartPage(v *visit.Visit, status int, p *partAt, shown pages.PartPage) error {
	shown.Base, shown.Cancel = v.At("/call/parts/"+p.ID), v.At("/call#part-"+p.ID)
	shown.Removable = len(p.form.Parts) > 1
	return visit.Show(v, status, p.Title, pages.PartForm, shown)
}

func changeCallPart(v *visit.Visit, p *partAt) error {
	shown := pages.PartPage{Values: pages.PartValues{Title: v.Value("title"), Help: v.Value("help")},
		Was:       pages.PartValues{Title: v.FirstValue("title"), Help: v.FirstValue("help")},
		UpdatedAt: v.Value("updated_at")}
	in := cfp.PartInput{Title: shown.Values.Title, Help: shown.Values.Help}
	err := inTime(shown.UpdatedAt, p.form, func() bool {
		return shown.Was == pages.PartValues{Title: p.Title,
			Help: p.Help}
	},
		func(token *store.Time) error { return theCall(v).ChangePart(v.UserContext(), p.ID, in, token) })
	switch {
	case err == nil:
		return v.See(v.At("/call#part-"+p.ID), "“"+visit.Cut(in.Title)+"” is saved.")
	case store.KindOf(err) == store.Stale:
		c, err := v.Conflict(v.Event.ID, p.form.UpdatedAt, []page.Edited{
			{Name: "title", Label: "Title", Was: shown.Was.Title, Mine: shown.Values.Title, Theirs: p.Title},
			{Name: "help", Label: "What it says", Was: shown.Was.Help, Mine: shown.Values.Help, Theirs: p.Help},
		})
		if err != nil {
			return err
		}
		c.Action, c.Discard, shown.Conflict = v.At("/call/parts/"+p.ID), v.At("/call/parts/"+p.ID), c
		return callPartPage(v, http.StatusConflict, p, shown)
	}
	return v.Again(err, func(status int) error { return callPartPage(v, status, p, shown) })
}

// inTime saves with the token that a form carries. That token is of the call's whole form: if it is stale, but the part
// edited here is untouched, inTime saves with the present token.
func inTime(token string, f *cfp.Form, untouched func() bool, save func(token *store.Time) error) error {
	sent, _ := store.ParseTime(token) // a missing token counts as stale
	if !sent.Equal(f.UpdatedAt.Time) && untouched() {
		sent = f.UpdatedAt
	}
	return save(&sent)
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
	if err != nil {
		return v.Again(err, func(status int) error { return callPage(v, status, "") })
	}
	return v.See(v.At("/call"), "The part “"+visit.Cut(p.Title)+"” is removed.")
}

// partOptions returns the parts as options.
func partOptions(f *cfp.Form, chosen string) []components.Option {
	return visit.Choices(f.Parts, func(p *cfp.Part) (string, string) { return p.ID, p.Title }, chosen)
}
