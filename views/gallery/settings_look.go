package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/settings"
)

// looks adds the page that changes the look of public pages, and its preview.
func (s *shelf) looks() {
	sample := func(color, ground, ratio string) settings.LookSample {
		return settings.LookSample{Color: color, Ground: ground, Ratio: ratio}
	}
	measures := []settings.LookMeasure{
		{Name: "Text on the brand", Note: "Ink chosen; white would have 3.3 : 1",
			Light: sample("#1C1B1A", "#FF4B1F", "5.1 : 1"),
			Dark:  sample("#1C1B1A", "#FF4B1F", "5.1 : 1")},
		{Name: "Links and stars", Note: "#D92B00 on light pages; the brand alone has 3.1 : 1",
			Light: sample("#D92B00", "#FFF8EF", "4.6 : 1"), Dark: sample("#FF4B1F", "#16150F", "5.3 : 1")},
		{Name: "Quiet text", Light: sample("#5F5B55", "#FFF8EF", "6.3 : 1"),
			Dark: sample("#A8A39B", "#16150F", "7.2 : 1")},
	}
	form := func(w words) settings.LookPage {
		return settings.LookPage{Base: here, Settings: here, Site: here, When: "7 to 8 October 2027",
			Measures: measures, Edit: edit("venue", w.place, "city", w.label, "address", w.place, "intro", w.html,
				"brand", "#FF4B1F", "paper", "#FFF8EF", "heading", "sans", "picture_alt", w.label, "has_agenda", "yes",
				"menu_agenda", w.label, "speaks_en", "yes"),
			Menu:      []components.Option{{Value: "agenda", Name: "Agenda"}, {Value: "changes", Name: "What changed"}},
			Languages: []components.Option{{Value: "en", Name: "English"}, {Value: "de", Name: "Deutsch"}},
			Pictures: []settings.LookPicture{
				{Name: "logo", Label: "Logo", Hint: "PNG, WebP or JPEG, up to 10 MB.", URL: "/static/icon.svg",
					File: w.label + ".png, 12 kB"},
				{Name: "picture", Label: "Picture of the start page", Hint: "JPEG, PNG or WebP, up to 10 MB."}}}
	}
	of(s, "Look", "Look", settings.Look).
		is("empty", settings.LookPage{Base: here, Settings: here, Site: here, Measures: measures,
			Edit: edit("has_agenda", "yes"), Menu: []components.Option{{Value: "agenda", Name: "Agenda"}},
			Pictures: []settings.LookPicture{{Name: "logo", Label: "Logo", Hint: "PNG, WebP or JPEG, up to 10 MB."}}}).
		worded(form).
		is("faults", form(plain), "brand", "must be a colour such as #1F4E5F", "paper",
			"is too dark: quiet text on its bands "+
				"has 1.5 : 1 and needs 4.5 : 1; #DBDBDB or a lighter one will do", "menu_agenda", "is 41 characters long").
		is("conflict", settings.LookPage{Base: here, Settings: here, Site: here, Edit: clashing})
}
