package settings

import (
	"errors"
	"net/http"
	"strings"

	"lectern/models/look"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/settings"
	"lectern/views/words"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func looks(v *visit.Visit) *look.Looks { return look.Of(v.Programme) }

// lookMenu are the public pages that an event may have, with their usual names in the menu.
var lookMenu = []struct {
	page look.Page
	word string
}{
	{look.Agenda, "Agenda"}, {look.Sessions, "Sessions"}, {look.Itinerary, "Itinerary"}, {look.Speakers, "Speakers"},
	{look.Changes, "What changed"}, {look.Schedule, "My schedule"},
}

// lookFields are the fields of the form of a look: those of the place and the colours, then two for each page of the
// menu, then one for each language.
func lookFields(l *look.Look) []page.Edited {
	fields := []page.Edited{{Name: "venue", Label: "Venue", Theirs: l.Venue}, {Name: "city", Label: "City", Theirs: l.City},
		{Name: "address", Label: "Address", Theirs: l.Address},
		{Name: "intro", Label: "What the start page says", Theirs: l.Intro},
		{Name: "picture_alt", Label: "What the picture shows", Theirs: l.PictureAlt},
		{Name: "brand", Label: "Brand colour", Theirs: l.Brand}, {Name: "paper", Label: "Paper", Theirs: l.Paper},
		{Name: "heading", Label: "Headings", Theirs: string(l.Heading)}}
	tick := func(name, label string, is bool) page.Edited {
		return page.Edited{Name: name, Label: label, Theirs: map[bool]string{true: "yes"}[is], Show: tickWord}
	}
	for _, m := range lookMenu {
		fields = append(fields, tick("has_"+string(m.page), m.word, l.Has(m.page)),
			page.Edited{Name: "menu_" + string(m.page), Label: "The word for " + m.word, Theirs: l.Word(m.page)})
	}
	for _, w := range words.All() {
		fields = append(fields, tick("speaks_"+w.Tag, w.Name, l.Speaks(w.Tag)))
	}
	return fields
}

// spoken returns the tags of the ticked languages, "" for all. Ticking none counts as all, since a page needs a
// language.
func spoken(e *page.Edit) string {
	var tags []string
	for _, l := range words.All() {
		if e.Of("speaks_"+l.Tag) == "yes" {
			tags = append(tags, l.Tag)
		}
	}
	if len(tags) == len(words.All()) {
		return ""
	}
	return strings.Join(tags, " ")
}

func lookForm(v *visit.Visit) error {
	l, err := looks(v).Look(v.UserContext())
	if err != nil {
		return err
	}
	return lookPage(v, http.StatusOK, l, page.Opened(l.UpdatedAt, lookFields(l)))
}

// lookPage shows the form, and the event's pictures.
func lookPage(v *visit.Visit, status int, l *look.Look, e *page.Edit) error {
	p := pages.LookPage{Edit: e.Shown(), Base: v.At("/look"), Settings: v.At("/settings"), Site: "/events/" + v.Event.Slug,
		Measures: lookMeasures(e.Of("brand"), e.Of("paper"))}
	for _, m := range lookMenu {
		p.Menu = append(p.Menu, components.Option{Value: string(m.page), Name: m.word})
	}
	p.Languages = visit.Choices(words.All(), func(l *words.Language) (string, string) { return l.Tag, l.Name })
	if v.Event.StartsOn != nil {
		p.When = page.EventDays(v.Event)
	}
	p.Preview = previewAddress(p.Base, e)
	p.Pictures = store.Map(look.Kinds, func(k *look.Kind) pages.LookPicture { return lookPictureOf(l, k) })
	return visit.Show(v, status, "Look", pages.Look, p)
}

func lookPictureOf(l *look.Look, k *look.Kind) pages.LookPicture {
	picture := pages.LookPicture{Name: k.Name, Label: "Logo", URL: k.Path(l),
		Hint: "PNG, WebP or JPEG, up to 10 MB; an SVG is not taken. It stands beside the name of the event."}
	file := l.Logo
	if k == look.Picture {
		picture.Label, file = "Picture of the start page", l.Picture
		picture.Hint = "JPEG, PNG or WebP, up to 10 MB. It is kept 1600 pixels wide at most."
	}
	if file != nil {
		picture.File = file.Name + ", " + page.Size(file.Size)
	}
	return picture
}

func changeLook(v *visit.Visit) error {
	l, err := looks(v).Look(v.UserContext())
	if err != nil {
		return err
	}
	e := v.Sent(l.UpdatedAt, lookFields(l))
	if v.Value("do") == "preview" {
		return lookPage(v, http.StatusOK, l, e)
	}
	err = looks(v).Save(v.UserContext(), look.Change{Venue: new(e.Of("venue")), City: new(e.Of("city")),
		Address: new(e.Of("address")), Intro: new(store.Paragraphs(e.Of("intro"))), Brand: new(e.Of("brand")),
		Paper: new(e.Of("paper")), Heading: new(look.Face(e.Of("heading"))), PictureAlt: new(e.Of("picture_alt")),
		Menu: menuOf(e.Of), Languages: new(spoken(e)), UpdatedAt: e.Token})
	if err != nil {
		return v.Unsaved(err, e, v.Event.ID, v.At("/look"), func(status int) error {
			v.NameFaults(e)
			return lookPage(v, status, l, e)
		})
	}
	return v.See(v.At("/look"), "The look is saved. Public pages have it from now on.")
}

// menuOf returns the menu of a form or of the query of its preview, whose values of returns.
func menuOf(of func(field string) string) look.Menu {
	menu := look.Menu{}
	for _, m := range lookMenu {
		menu[m.page] = look.Entry{IsOff: of("has_"+string(m.page)) != "yes", Name: of("menu_" + string(m.page))}
	}
	return menu
}

// lookKind returns the kind of picture that the address names.
func lookKind(v *visit.Visit) (*look.Kind, error) {
	return visit.OneOf(look.Kinds, nil, v.Params("kind"), func(k *look.Kind) string { return k.Name },
		"There is no such picture.")
}

// chooselookPicture makes the file of the form the event's logo or picture.
func chooselookPicture(v *visit.Visit, k *look.Kind) error {
	file, err := v.Upload(k.Name)
	if err == nil {
		err = looks(v).SetPicture(v.UserContext(), k, file)
	}
	return lookPictureChanged(v, k, err, "The "+k.Name+" is changed.")
}

func removelookPicture(v *visit.Visit, k *look.Kind) error {
	return lookPictureChanged(v, k, looks(v).RemovePicture(v.UserContext(), k), "The "+k.Name+" is removed.")
}

// lookPictureChanged leads back to the form, with a notice of what is wrong with the file or of what was done.
func lookPictureChanged(v *visit.Visit, k *look.Kind, err error, done string) error {
	var wrong *store.Error
	if errors.As(err, &wrong) && wrong.Kind == store.Invalid && len(wrong.Fields) > 0 {
		return v.SeeRefusal(v.At("/look"), "The "+k.Name+" was not changed: the file "+wrong.Fields[0].Message+".")
	}
	return v.Done(err, v.At("/look"), done)
}
