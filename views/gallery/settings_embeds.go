package gallery

import (
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/settings"
	"lectern/views/pages/site"
	catalogue "lectern/views/words"
)

// embeds adds the list of embeds, and the form of one.
func (s *shelf) embeds() {
	of(s, "Embeds", "Embeds", settings.Embeds).
		is("empty", settings.EmbedsPage{Base: here}).
		worded(func(w words) settings.EmbedsPage {
			return settings.EmbedsPage{Base: here, Rows: []settings.EmbedRow{
				{Name: w.title, Kind: "List of sessions", URL: here, Asked: "2 minutes ago", IsOn: true},
				{Name: w.label, Kind: "Gallery of speakers", URL: here, Asked: "Never"}}}
		})
	form := func(w words) settings.EmbedPage {
		return settings.EmbedPage{Shell: in(w.title), Base: here, Action: here, There: true, IsOn: true,
			Values: settings.EmbedValues{Name: w.title, Companies: true, Accent: "#FF4B1F", Ground: "dark"},
			Grounds: []components.Option{{Value: "auto", Name: "As the reader's device says"},
				{Value: "dark", Name: "Always dark", Chosen: true}},
			Measures: []settings.LookMeasure{{Name: "Links and stars", Note: "The brand as it is",
				Light: settings.LookSample{Color: "#D92B00", Ground: "#FFF8EF", Ratio: "4.6 : 1"},
				Dark:  settings.LookSample{Color: "#FF4B1F", Ground: "#16150F", Ratio: "5.3 : 1"}}},
			Kinds: []components.Option{{Value: "agenda", Name: "Agenda", Chosen: true}},
			Languages: []components.Option{
				{Name: "The language of who reads", Chosen: true}, {Value: "de", Name: "Deutsch"}},
			Filters: []settings.EmbedFilter{{Name: "track", Label: "Tracks",
				Options: []components.Option{{Value: "1", Name: w.label, Chosen: true}, {Value: "2", Name: w.place}}}},
			Fields: embedFields("without-agenda"),
			Codes: []settings.EmbedCode{
				{ID: "script", Name: "With a script, as high as what it shows", What: "the script",
					Code: `<script async src="https://programme.example/embeds/embed.js" data-embed="k3v9"></script>`},
				{ID: "html", Name: "As plain HTML, without a frame", What: "the address of the HTML",
					Code: "https://programme.example/embeds/k3v9.html", Note: "Your server puts it into its page."}}}
	}
	ended := form(plain)
	ended.IsOn = false
	of(s, "Embed", "New embed", settings.Embed).
		is("new", settings.EmbedPage{Base: here, Action: here, Kinds: form(plain).Kinds, Languages: form(plain).Languages,
			Grounds: form(plain).Grounds, Fields: embedFields("without-sessions")}).
		worded(form).
		is("ended", ended).
		is("faults", form(plain), "name", "is empty", "track", "has a value that is not of this event",
			"accent", "must be a colour such as #1F4E5F")
}

// insets adds embeds as they look within pages of other sites.
func (s *shelf) insets() {
	english := site.InsetPage{Language: catalogue.English(), Home: here}
	of(s, "Inset", "Quay news", host).
		worded(func(w words) hostPage {
			p := english
			p.Kind, p.Days = "sessions", siteMine(w).Days
			p.Days[0].Stops = append(p.Days[0].Stops, site.Stop{Card: site.Card{Title: w.label, Clock: "12:00", Room: w.place}})
			return hostPage{Inset: p}
		}).
		is("nothing", hostPage{Inset: site.InsetPage{Language: catalogue.English(),
			Said: "There is no programme to show here."}})
	of(s, "Inset of speakers", "Quay news", host).
		worded(func(w words) hostPage {
			p, person := english, sitePerson(w)
			p.Kind, person.Photo = "gallery", "/static/icon.svg"
			person.Titles = []layouts.SiteLink{{Name: w.title, URL: here}}
			p.People = []site.Person{person, {Name: w.person}}
			return hostPage{Inset: p}
		})
}

// embedFields returns the fields of an embed; not lists the kinds that cannot show the second one.
func embedFields(not ...string) []settings.EmbedField {
	return []settings.EmbedField{{Value: "companies", Label: "Job titles and companies", Ticked: true},
		{Value: "descriptions", Label: "Descriptions and biographies", Ticked: true, Not: not}}
}
