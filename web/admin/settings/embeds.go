package settings

import (
	"html"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/settings"
	"lectern/views/words"
	"lectern/web/admin/visit"
)

func embeds(v *visit.Visit) *embed.Embeds { return embed.Of(v.Programme) }

// embedKinds name what an embed shows.
var embedKinds = map[embed.Kind]string{
	embed.Agenda: "Agenda: a grid where it is wide, else a list", embed.Sessions: "List of sessions",
	embed.Itinerary: "Itinerary: all sessions with everyone on them", embed.Speakers: "Speakers A to Z",
	embed.Gallery: "Gallery of speakers",
}

// embedGrounds name its backgrounds.
var embedGrounds = map[embed.Ground]string{embed.Auto: "As the reader's device says", embed.Light: "Always light",
	embed.Dark: "Always dark"}

// embedFilters name what its sessions can be filtered by.
var embedFilters = map[string]string{"track": "Tracks", "room": "Rooms", "format": "Formats",
	"level": "Levels", "tag": "Tags"}

func oneEmbed(v *visit.Visit) (*embed.Embed, error) {
	return embeds(v).Embed(v.UserContext(), v.Params("embed"))
}

func listEmbeds(v *visit.Visit) error {
	all, err := embeds(v).All(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.EmbedsPage{Base: v.At("/embeds")}
	for _, e := range all {
		row := pages.EmbedRow{Name: e.Name, Kind: embedKinds[e.Kind], IsOn: e.IsOn, URL: p.Base + "/" + e.ID, Asked: "Never"}
		if e.LastAskedAt != nil {
			row.Asked = visit.Ago(*e.LastAskedAt, v.Options.Now())
		}
		p.Rows = append(p.Rows, row)
	}
	return visit.Show(v, http.StatusOK, "Embeds", pages.Embeds, p)
}

// embedValues returns an embed as the form holds it.
func embedValues(e *embed.Embed) pages.EmbedValues {
	return pages.EmbedValues{Name: e.Name, Kind: string(e.Kind), Language: e.Language, Filters: e.Filters,
		Accent: e.Accent, Ground: string(e.Ground),
		Descriptions: e.ShowsDescriptions, Companies: e.ShowsCompanies, Photos: e.ShowsPhotos}
}

// embedSent reads the form, or the query of its preview, through read.
func embedSent(read func(name string) []string) pages.EmbedValues {
	one := func(name string) string { return strings.TrimSpace(strings.Join(read(name), "")) }
	values := pages.EmbedValues{Name: one("name"), Kind: one("kind"), Language: one("language"),
		Accent: one("accent"), Ground: one("ground"), Filters: embed.Filters{}}
	for _, n := range embed.Narrowing {
		values.Filters[n.Name] = read(n.Name)
	}
	shown := read("shows")
	values.Descriptions = slices.Contains(shown, "descriptions")
	values.Companies = slices.Contains(shown, "companies")
	values.Photos = slices.Contains(shown, "photos")
	return values
}

func newEmbedForm(v *visit.Visit) error {
	return embedForm(v, http.StatusOK, nil, pages.EmbedValues{Kind: string(embed.Agenda),
		Ground: string(embed.Auto), Descriptions: true,
		Companies: true, Photos: true}, "")
}

func editEmbedForm(v *visit.Visit, e *embed.Embed) error {
	return embedForm(v, http.StatusOK, e, embedValues(e), e.UpdatedAt.String())
}

// embedForm shows the form with these values and, for an existing embed, its saved state with the code to copy.
func embedForm(v *visit.Visit, status int, e *embed.Embed, values pages.EmbedValues, token string) error {
	p := pages.EmbedPage{Base: v.At("/embeds"), Action: v.At("/embeds/new"), Values: values, UpdatedAt: token,
		Fields: embedFields(values)}
	p.Preview = embedPreviewAt(p.Base, values)
	l, err := looks(v).Look(v.UserContext())
	if err != nil {
		return err
	}
	p.Measures = embedMeasures(l, values.Accent)
	p.Kinds = visit.Choices(embed.Kinds, func(k embed.Kind) (string, string) { return string(k), embedKinds[k] }, values.Kind)
	p.Languages = append([]components.Option{{Name: "The language of who reads", Chosen: values.Language == ""}},
		visit.Choices(words.All(), func(l *words.Language) (string, string) { return l.Tag, l.Name }, values.Language)...)
	p.Grounds = visit.Choices(embed.Grounds, func(g embed.Ground) (string, string) { return string(g), embedGrounds[g] },
		values.Ground)
	for _, n := range embed.Narrowing {
		rows, err := v.Programme.Family(v.UserContext(), n.Family)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			p.Filters = append(p.Filters, pages.EmbedFilter{Name: n.Name, Label: embedFilters[n.Name],
				Options: visit.Choices(rows, func(m *models.Metadata) (string, string) { return m.ID, m.Name },
					values.Filters[n.Name]...)})
		}
	}
	title := "New embed"
	if e != nil {
		title, p.Action = e.Name, v.At("/embeds/"+e.ID)
		p.There, p.IsOn, p.Alone = true, e.IsOn, "/embeds/"+e.ID
		p.Codes = embedCodes(v.Options.BaseURL, e)
	}
	return visit.Show(v, status, title, pages.Embed, p)
}

// embedCodes returns the codes that other sites paste.
func embedCodes(base string, e *embed.Embed) []pages.EmbedCode {
	at, title := base+"/embeds/"+e.ID, html.EscapeString(e.Name)
	data := at + ".json\n" + at + ".xml\n" + at + ".ics"
	return []pages.EmbedCode{
		{ID: "script", Name: "With a script, as high as what it shows", What: "the script",
			Code: `<script async src="` + base + `/embeds/embed.js"` + "\n  data-embed=\"" + e.ID + "\"\n  data-title=\"" + title +
				`"></script>`},
		{ID: "frame", Name: "Without a script", What: "the frame",
			Code: `<iframe src="` + at + "\"\n  title=\"" + title +
				"\" loading=\"lazy\"\n  style=\"width:100%;height:900px;border:0\"></iframe>"},
		{ID: "html", Name: "As plain HTML, without a frame", What: "the address of the HTML", Code: at + ".html",
			Note: "Your server puts what this address answers into its page, in the styles of your site. It is a part of a " +
				"page: headings, lists and links, and no script. Ask again every few minutes."},
		{ID: "data", Name: "For programs", What: "the addresses", Code: data},
	}
}

func embedChange(values pages.EmbedValues) embed.Change {
	return embed.Change{Name: &values.Name, Kind: new(embed.Kind(values.Kind)), Language: &values.Language,
		Accent: &values.Accent, Ground: new(embed.Ground(values.Ground)), Filters: values.Filters,
		ShowsDescriptions: &values.Descriptions, ShowsCompanies: &values.Companies, ShowsPhotos: &values.Photos}
}

func newEmbed(v *visit.Visit) error {
	values := embedSent(v.Values)
	if v.Value("do") == "preview" {
		return embedForm(v, http.StatusOK, nil, values, "")
	}
	made, err := embeds(v).Create(v.UserContext(), embedChange(values))
	if err == nil {
		return v.See(v.At("/embeds/"+made.ID), "The embed is made. Its code stands below, now and later.")
	}
	return v.Again(err, func(status int) error { return embedForm(v, status, nil, values, "") })
}

func editEmbed(v *visit.Visit, e *embed.Embed) error {
	values, token := embedSent(v.Values), v.Value("updated_at")
	if v.Value("do") == "preview" {
		return embedForm(v, http.StatusOK, e, values, token)
	}
	change := embedChange(values)
	read, _ := store.ParseTime(token) // a missing token counts as stale
	change.UpdatedAt = &read
	err := embeds(v).Save(v.UserContext(), e.ID, change)
	return v.DoneOrAgain(err, v.At("/embeds/"+e.ID), "The embed is saved. Every page that has its code shows it from now on.",
		func(status int) error { return embedForm(v, status, e, values, token) })
}

// switchEmbed turns an embed off or on again, whatever else was changed meanwhile.
func switchEmbed(v *visit.Visit, e *embed.Embed) error {
	on := v.Value("on") == "yes"
	text := "“" + e.Name + "” is ended. Pages that have its code say so."
	if on {
		text = "“" + e.Name + "” is shown again."
	}
	return v.Done(embeds(v).Save(v.UserContext(), e.ID, embed.Change{IsOn: &on}), v.At("/embeds"), text)
}

// deleteEmbedForm asks for confirmation, and says when the embed was last used.
func deleteEmbedForm(v *visit.Visit, e *embed.Embed) error {
	p := layouts.ConfirmPage{Action: v.At("/embeds/" + e.ID + "/delete"), Verb: "Delete embed",
		Cancel: v.At("/embeds/" + e.ID),
		Text:   "No site ever asked for it.", Last: "This cannot be undone. To stop it for a while, end it.",
		Hidden: []components.Hidden{{Name: "updated_at", Value: e.UpdatedAt.String()}}}
	if e.LastAskedAt != nil {
		p.Text = "Pages that have its code show that there is no such page from then on. It was last asked for " +
			visit.Ago(*e.LastAskedAt, v.Options.Now()) + "."
	}
	return visit.Show(v, http.StatusOK, "Delete embed “"+e.Name+"”?", layouts.Confirm, p)
}

func deleteEmbed(v *visit.Visit, e *embed.Embed) error {
	read, _ := store.ParseTime(v.Value("updated_at")) // a missing token counts as stale
	err := embeds(v).Delete(v.UserContext(), e.ID, &read)
	if store.KindOf(err) == store.Stale {
		return v.SeeRefusal(v.At("/embeds/"+e.ID), "“"+visit.Cut(e.Name)+"” was changed meanwhile, so it was not deleted.")
	}
	return v.Done(err, v.At("/embeds"), "“"+visit.Cut(e.Name)+"” is deleted.")
}
