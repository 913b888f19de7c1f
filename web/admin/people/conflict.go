package people

import (
	"net/http"

	"lectern/models/store"
	"lectern/web/page"
)

// personConflict shows a form again beside what somebody else saved meanwhile.
func (r *roster) personConflict(f personForm) error {
	x, err := r.directory.Person(r.UserContext(), r.Params("contact"))
	if err != nil {
		return err
	}
	theirs := r.valuesOf(f, x)
	var fields []page.Edited
	for _, of := range f.fields {
		e := page.Edited{Name: of.Key, Label: of.Label, Was: kept(of, f.was[of.Key]),
			Mine: kept(of, f.now[of.Key]), Theirs: theirs[of.Key]}
		if of.Key == "about" {
			e.Show = store.PlainText
		}
		if of.IsMoment {
			e.Show = func(text string) string { return page.ClockWords(text, f.zone) }
		}
		if e.Mine == e.Was { // only the other side changed it
			e.Mine = e.Theirs
		}
		fields = append(fields, e)
	}
	at := x.UpdatedAt
	if f.part.OfEvent() && x.Here != nil {
		at = x.Here.UpdatedAt
	}
	c, err := r.Conflict(x.ID, at, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard = r.base+"/"+x.ID+"/edit"+r.l.With("page", ""), r.base+"/"+x.ID
	if f.part.OfEvent() {
		c.Action = r.base + "/" + x.ID + "/" + string(f.part) + r.l.With("page", "")
	}
	return r.personEditor(http.StatusConflict, x, f, c)
}
