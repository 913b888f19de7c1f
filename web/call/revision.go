package call

import (
	"net/http"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

// textPart links to where the programme's text is changed, at an event that asks for approved content.
func (v *visit) textPart(p *pages.OwnSessionPage, m *call.OwnSession) error {
	id := m.ID
	if m.IsAbstract {
		id = m.Into
	}
	if !v.event.AsksApproval || id == "" {
		return nil
	}
	text, err := v.place.SessionText(v.ctx(), v.event, id)
	if store.KindOf(err) == store.NotFound {
		return nil
	}
	if err == nil {
		p.Change, p.Waits = v.path("place/sessions", id, "text"), text.Waiting != nil
	}
	return err
}

func textForm(v *visit) error {
	text, err := v.place.SessionText(v.ctx(), v.event, v.Params("id"))
	if err != nil {
		return err
	}
	return v.textPage(http.StatusOK, text, typedOf(text.Text()))
}

// typedOf returns a text as the form holds it.
func typedOf(t models.Text) models.Text {
	return models.Text{Title: t.Title, Description: call.AsText(t.Description)}
}

func (v *visit) textPage(status int, text *call.SessionText, typed models.Text) error {
	was := typedOf(text.Text())
	p := v.bareTextPage(text)
	p.Titled = components.Field{Label: v.T("revision.titleof"), Value: typed.Title, Fault: v.Faults.Of("title")}
	p.Text = components.Field{Label: v.T("revision.text"), Value: typed.Description, Fault: v.Faults.Of("description")}
	p.Was = []components.Hidden{{Name: "title", Value: was.Title}, {Name: "description", Value: was.Description}}
	if p.Lede = v.T("revision.atonce"); text.IsApproved() {
		p.Lede = v.T("revision.lede")
	}
	if text.Waiting != nil {
		p.Waits = v.T("revision.waits")
	}
	return v.Render(status, pages.Text(p))
}

func (v *visit) bareTextPage(text *call.SessionText) pages.TextPage {
	return pages.TextPage{Public: v.sheet(v.T("revision.title")), Action: v.Path(), UpdatedAt: text.Token(),
		Back: v.path("place")}
}

// saveText saves another text, or has it wait until organizers accept it.
func saveText(v *visit) error {
	now, err := v.place.SessionText(v.ctx(), v.event, v.Params("id"))
	if err != nil {
		return err
	}
	typed := models.Text{Title: strings.TrimSpace(v.FormValue("title")),
		Description: strings.TrimSpace(strings.ReplaceAll(v.FormValue("description"), "\r\n", "\n"))}
	text, token := now.Text(), v.Value("updated_at")
	if text.Title = typed.Title; typed.Description != call.AsText(text.Description) { // else it keeps its markup
		text.Description = call.AsHTML(typed.Description)
	}
	said := "write.issaved"
	if v.Value("do") == "take-back" {
		text, said = now.Session.Text(), "revision.istakenback"
	}
	_, err = v.place.SaveText(v.ctx(), v.event, now.Session.ID, text, token)
	switch {
	case store.KindOf(err) == store.Stale:
		return v.settleText(typed)
	case err != nil:
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.textPage(http.StatusUnprocessableEntity, now, typed)
	}
	return v.See(v.Path(), v.T(said))
}

// settleText has the speaker choose where somebody else changed the text meanwhile.
func (v *visit) settleText(typed models.Text) error {
	now, err := v.place.SessionText(v.ctx(), v.event, v.Params("id"))
	if err != nil {
		return err
	}
	theirs := typedOf(now.Text())
	first := func(name string) string {
		return strings.ReplaceAll(v.FormValue(components.FirstPrefix+name), "\r\n", "\n")
	}
	p := v.bareTextPage(now)
	p.Conflict = v.clashes(now.Token(), []page.Edited{
		{Name: "title", Label: v.T("revision.titleof"), Was: first("title"), Mine: typed.Title, Theirs: theirs.Title},
		{Name: "description", Label: v.T("revision.text"), Was: first("description"), Mine: typed.Description,
			Theirs: theirs.Description}}, v.Path(), "own.changedby", "")
	return v.Render(http.StatusConflict, pages.Text(p))
}

// fieldNames names what a revision changes.
func (v *visit) fieldNames(r *call.Revision) (names []string) {
	for _, name := range r.Fields() {
		names = append(names, v.T("letter.revisionof"+name))
	}
	return names
}

// profileWaits says what of a profile waits for the organizers.
func (v *visit) profileWaits(p *pages.ProfilePage, waiting *call.Revision) {
	if waiting == nil {
		return
	}
	p.Waits = v.T("revision.profilewaits", "What", v.List(v.fieldNames(waiting)))
	switch {
	case waiting.PhotoID != nil:
		p.Photo = v.path("place/profile/photo")
	case waiting.DropsPhoto:
		p.Photo = ""
	}
}

// waitingPhoto sends the photo that waits.
func waitingPhoto(v *visit) error {
	f, err := v.place.WaitingPhoto(v.ctx())
	if err != nil {
		return err
	}
	return page.SendFile(v.ctx(), v.Ctx, v.w.store, f, "inline")
}

// written returns what the speaker last wrote about themselves, as the form holds it: what waits, else what is shown.
func (v *visit) written(x *models.Person, waiting *call.Revision) map[string]string {
	values := valuesOf(x)
	if waiting != nil && waiting.About != nil {
		values["about"] = call.AsText(*waiting.About)
	}
	return values
}
