package settings

import (
	"errors"
	"net/http"
	"strings"

	"lectern/models/look"
	"lectern/models/store"
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

// lookValuesOf returns a look as the form holds it.
func lookValuesOf(l *look.Look) pages.LookValues {
	values := pages.LookValues{Venue: l.Venue, City: l.City, Address: l.Address, Intro: l.Intro, Brand: l.Brand,
		Paper: l.Paper, Heading: string(l.Heading), PictureAlt: l.PictureAlt}
	for _, m := range lookMenu {
		values.Menu = append(values.Menu, pages.LookMenu{Key: string(m.page), Name: m.word,
			Has: map[bool]string{true: "yes"}[l.Has(m.page)], Word: l.Word(m.page)})
	}
	values.Languages = lookLanguages(func(tag string) string { return map[bool]string{true: "yes"}[l.Speaks(tag)] })
	return values
}

// lookSent reads the form, or the query of the preview, through read.
func lookSent(read func(name string) string) pages.LookValues {
	values := pages.LookValues{Venue: read("venue"), City: read("city"), Address: read("address"), Intro: read("intro"),
		Brand: read("brand"), Paper: read("paper"), Heading: read("heading"), PictureAlt: read("picture_alt")}
	for _, m := range lookMenu {
		values.Menu = append(values.Menu, pages.LookMenu{Key: string(m.page), Name: m.word,
			Has: read("has_" + string(m.page)), Word: read("menu_" + string(m.page))})
	}
	values.Languages = lookLanguages(func(tag string) string { return read("speaks_" + tag) })
	return values
}

// lookLanguages returns all languages of public pages, each with whether it is offered.
func lookLanguages(has func(tag string) string) (all []pages.LookMenu) {
	for _, l := range words.All() {
		all = append(all, pages.LookMenu{Key: l.Tag, Name: l.Name, Has: has(l.Tag)})
	}
	return all
}

// spoken returns the tags of the ticked languages, "" for all. Ticking none counts as all, since a page needs a
// language.
func spoken(languages []pages.LookMenu) string {
	var tags []string
	for _, l := range languages {
		if l.Has == "yes" {
			tags = append(tags, l.Key)
		}
	}
	if len(tags) == len(languages) {
		return ""
	}
	return strings.Join(tags, " ")
}

func lookForm(v *visit.Visit) error {
	l, err := looks(v).Look(v.UserContext())
	if err != nil {
		return err
	}
	values := lookValuesOf(l)
	return lookPage(v, http.StatusOK, l, pages.LookPage{Values: values, Was: values, UpdatedAt: l.UpdatedAt.String()})
}

// lookPage shows the form with its values, and the event's pictures.
func lookPage(v *visit.Visit, status int, l *look.Look, p pages.LookPage) error {
	p.Base, p.Settings, p.Site = v.At("/look"), v.At("/settings"), "/events/"+v.Event.Slug
	if v.Event.StartsOn != nil {
		p.When = page.EventDays(v.Event)
	}
	p.Measures = lookMeasures(p.Values)
	p.Preview = previewAddress(p.Base, p.Values)
	for _, k := range look.Kinds {
		p.Pictures = append(p.Pictures, lookPictureOf(l, k))
	}
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
	p := pages.LookPage{Values: lookSent(v.Value), Was: lookSent(v.FirstValue), UpdatedAt: v.Value("updated_at")}
	l, err := looks(v).Look(v.UserContext())
	if err != nil {
		return err
	}
	if v.Value("do") == "preview" {
		return lookPage(v, http.StatusOK, l, p)
	}
	err = looks(v).Save(v.UserContext(), lookChange(p))
	switch {
	case err == nil:
		return v.See(v.At("/look"), "The look is saved. Public pages have it from now on.")
	case store.KindOf(err) == store.Stale:
		return lookConflict(v, l, p)
	}
	return v.Again(err, func(status int) error {
		for field, label := range lookLabels {
			v.Faults.Call(field, label)
		}
		for _, m := range lookMenu {
			v.Faults.Call("menu_"+string(m.page), "The word for "+m.word)
		}
		return lookPage(v, status, l, p)
	})
}

// lookLabels are the form's names of its fields.
var lookLabels = map[string]string{"venue": "Venue", "city": "City", "address": "Address",
	"intro": "What the start page says", "picture_alt": "What the picture shows", "brand": "Brand colour",
	"paper": "Paper", "heading": "Headings"}

// lookChange turns the form into a change. A missing token counts as stale.
func lookChange(p pages.LookPage) look.Change {
	in, menu := p.Values, look.Menu{}
	token, _ := store.ParseTime(p.UpdatedAt)
	for _, m := range in.Menu {
		menu[look.Page(m.Key)] = look.Entry{IsOff: m.Has != "yes", Name: m.Word}
	}
	return look.Change{Venue: &in.Venue, City: &in.City, Address: &in.Address, Intro: new(store.Paragraphs(in.Intro)),
		Brand: &in.Brand, Paper: &in.Paper, Heading: new(look.Face(in.Heading)), PictureAlt: &in.PictureAlt, Menu: menu,
		Languages: new(spoken(in.Languages)), UpdatedAt: &token}
}

func lookConflict(v *visit.Visit, l *look.Look, p pages.LookPage) error {
	theirs, was := lookValuesOf(l).Fields(), p.Was.Fields()
	var edited []page.Edited
	for i, mine := range p.Values.Fields() {
		field := page.Edited{Name: mine.Name, Label: lookLabels[mine.Name], Was: was[i].Value, Mine: mine.Value,
			Theirs: theirs[i].Value}
		if n := i - len(lookLabels) - 2*len(lookMenu); n >= 0 {
			field.Label, field.Show = p.Values.Languages[n].Name, tickWord
		} else if n := i - len(lookLabels); n >= 0 {
			field.Label = "The word for " + lookMenu[n/2].word
			if n%2 == 0 {
				field.Label, field.Show = lookMenu[n/2].word, tickWord
			}
		}
		edited = append(edited, field)
	}
	c, err := v.Conflict(v.Event.ID, l.UpdatedAt, edited)
	if err != nil {
		return err
	}
	c.Action, c.Discard = v.At("/look"), v.At("/look")
	p.Conflict = c
	return lookPage(v, http.StatusConflict, l, p)
}

// lookKind returns the kind of picture that the address names.
func lookKind(v *visit.Visit) (*look.Kind, error) {
	for _, k := range look.Kinds {
		if k.Name == v.Params("kind") {
			return k, nil
		}
	}
	return nil, store.Missing("There is no such picture.")
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
		v.KeepNotice("bad", "The "+k.Name+" was not changed: the file "+wrong.Fields[0].Message+".")
		return v.See(v.At("/look"), "")
	}
	if err != nil {
		return err
	}
	return v.See(v.At("/look"), done)
}
