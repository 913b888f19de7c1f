package admin

import (
	"net/http"

	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// partAt is the part of the address.
type partAt struct {
	*cfp.Part
	form *cfp.Form
}

func callPart(v *visit) (*partAt, error) {
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

func callPartForm(v *visit, p *partAt) error {
	values := pages.CallPartValues{Title: p.Title, Help: p.Help}
	return v.callPartPage(http.StatusOK, p, pages.CallPartPage{Values: values, Was: values,
		UpdatedAt: p.form.UpdatedAt.String()})
}

func (v *visit) callPartPage(status int, p *partAt, shown pages.CallPartPage) error {
	shown.Base, shown.Cancel = v.at("/call/parts/"+p.ID), v.at("/call#part-"+p.ID)
	shown.Removable, shown.Questions = len(p.form.Parts) > 1, len(p.Questions)
	return show(v, status, p.Title, pages.CallPartForm, shown)
}

func changeCallPart(v *visit, p *partAt) error {
	shown := pages.CallPartPage{Values: pages.CallPartValues{Title: v.Value("title"), Help: v.Value("help")},
		Was:       pages.CallPartValues{Title: v.FirstValue("title"), Help: v.FirstValue("help")},
		UpdatedAt: v.Value("updated_at")}
	in := cfp.PartInput{Title: shown.Values.Title, Help: shown.Values.Help}
	err := v.inTime(shown.UpdatedAt, p.form, func() bool {
		return shown.Was == pages.CallPartValues{Title: p.Title,
			Help: p.Help}
	},
		func(token *store.Time) error { return v.theCall().ChangePart(v.UserContext(), p.ID, in, token) })
	switch {
	case err == nil:
		return v.See(v.at("/call#part-"+p.ID), "“"+cut(in.Title)+"” is saved.")
	case store.KindOf(err) == store.Stale:
		c, err := v.conflict(v.event.ID, p.form.UpdatedAt, []page.Edited{
			{Name: "title", Label: "Title", Was: shown.Was.Title, Mine: shown.Values.Title, Theirs: p.Title},
			{Name: "help", Label: "What it says", Was: shown.Was.Help, Mine: shown.Values.Help, Theirs: p.Help},
		})
		if err != nil {
			return err
		}
		c.Action, c.Discard, shown.Conflict = v.at("/call/parts/"+p.ID), v.at("/call/parts/"+p.ID), c
		return v.callPartPage(http.StatusConflict, p, shown)
	}
	return v.Again(err, func(status int) error { return v.callPartPage(status, p, shown) })
}

// inTime saves with the token that a form carries. Where the form of the call was changed since, but what is edited
// here
// is as it was, it is saved all the same: the token is that of the whole form.
func (v *visit) inTime(token string, f *cfp.Form, untouched func() bool, save func(token *store.Time) error) error {
	sent, _ := store.ParseTime(token) // none is as good as an old one
	if !sent.Equal(f.UpdatedAt.Time) && untouched() {
		sent = f.UpdatedAt
	}
	return save(&sent)
}

func askRemovePart(v *visit, p *partAt) error {
	ask := pages.ConfirmPage{Action: v.at("/call/parts/" + p.ID + "/remove"), Verb: "Remove part",
		Cancel: v.at("/call/parts/" + p.ID), Text: "Nothing is asked in it.", Keeps: true}
	if n := len(p.Questions); n > 0 {
		ask.Text = "Its " + counted(int64(n), "question goes", "questions go") + " to the part beside it; none is lost."
	}
	return v.ask("Remove “"+p.Title+"”?", ask)
}

func removeCallPart(v *visit, p *partAt) error {
	err := v.theCall().RemovePart(v.UserContext(), p.ID)
	if err != nil {
		return v.Again(err, func(status int) error { return v.callPage(status, "") })
	}
	return v.See(v.at("/call"), "The part “"+cut(p.Title)+"” is removed.")
}

// partOptions are the parts to choose from.
func partOptions(f *cfp.Form, chosen string) []components.Option {
	return choices(f.Parts, func(p *cfp.Part) (string, string) { return p.ID, p.Title }, chosen)
}
