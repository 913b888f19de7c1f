package settings_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestAnEmbedIsMadeChangedAndEnded(t *testing.T) {
	t.Parallel()
	d := admintest.Open(t, visit.Options{})
	b := d.As(staff.Organizer)
	path, embeds := d.At("/embeds"), embed.Of(d.Programme())
	web := d.Add(d.Programme(), models.Tracks, models.NewMetadata{Name: "Web"})
	theirs := d.Add(d.Elsewhere(), models.Tracks, models.NewMetadata{Name: "Secret"})
	admintest.Wants(t, b.Get(path, 200), ">Embeds</a>", "No embeds yet")
	if page := b.Get(path+"/new", 200); strings.Contains(page, "Secret") {
		t.Error("the form offers tracks of another event")
	}
	form := b.Hidden()
	for name, value := range map[string]string{"name": `Our "site" <b>`, "kind": "speakers", "language": "de", "track": web.ID,
		"accent": "#0a6", "ground": "dark",
		"shows": "photos"} {
		form.Set(name, value)
	}
	for field, bad := range map[string]string{"name": " ", "kind": "forged", "language": "x;y", "track": theirs.ID,
		"accent": "teal",
		"ground": "forged"} {
		was := form.Get(field)
		form.Set(field, bad)
		_, refused := b.Post(path+"/new", form, 422)
		admintest.Wants(t, refused, "Error: ", `href="#`+field+`"`)
		form.Set(field, was)
	}
	location, _ := b.Post(path+"/new", form, 303)
	page := b.Follow(location, "")
	all := modelstest.Must(embeds.All(t.Context()))(t)
	if len(all) != 1 || all[0].Kind != embed.Speakers || all[0].Language != "de" || !all[0].ShowsPhotos ||
		all[0].ShowsCompanies || all[0].Accent != "#00AA66" || all[0].Ground != embed.Dark ||
		len(all[0].Filters["track"]) != 1 {
		t.Fatalf("%+v", all)
	}
	e := all[0]
	admintest.Wants(t, page, `value="#00AA66"`, `<option value="dark" selected`, "Text on the brand", // with its contrast
		"The embed is made.", `<iframe title="Preview of the embed" src="/embeds/`+e.ID+`"`,
		`/embeds/embed.js&#34; data-embed=&#34;`+e.ID, `Our &amp;#34;site&amp;#34; &amp;lt;b&amp;gt;`, "/embeds/"+e.ID+".json",
		`value="`+web.ID+`" checked`)
	if strings.Contains(page, "/embeds/"+e.ID+".ics") {
		t.Error("people are offered as a calendar")
	}
	old := b.Hidden("updated_at")
	form.Set("updated_at", old.Get("updated_at"))
	form.Set("name", "Elsewhere")
	form.Del("track")
	location, _ = b.Post(path+"/"+e.ID, form, 303)
	admintest.Wants(t, b.Follow(location, ""), "The embed is saved.", `value="Elsewhere"`)
	b.Post(path+"/"+e.ID, form, 409)

	form = b.Hidden()
	location, _ = b.Post(path+"/"+e.ID+"/switch", form, 303)
	admintest.Wants(t, b.Follow(location, ""), "is ended", "Ended", "Never", "Show again: Elsewhere")
	if now := modelstest.Must(embeds.Embed(t.Context(), e.ID))(t); now.IsOn || len(now.Filters) != 0 {
		t.Errorf("%+v", now)
	}
	form.Set("on", "yes")
	location, _ = b.Post(path+"/"+e.ID+"/switch", form, 303)
	admintest.Wants(t, b.Follow(location, ""), "is shown again")
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "changed an embed of")

	admintest.Wants(t, b.Get(path+"/"+e.ID+"/delete", 200), "Delete embed “Elsewhere”?",
		"No site ever asked for it.", "cannot be undone")
	form = b.Hidden("updated_at")
	stale := b.Hidden("updated_at")
	stale.Set("updated_at", old.Get("updated_at"))
	location, _ = b.Post(path+"/"+e.ID+"/delete", stale, 303)
	admintest.Wants(t, b.Follow(location, ""), "was changed meanwhile")
	form.Set("confirm", "yes")
	location, _ = b.Post(path+"/"+e.ID+"/delete", form, 303)
	admintest.Wants(t, b.Follow(location, ""), "“Elsewhere” is deleted.", "No embeds yet")
	b.Get(path+"/"+e.ID, 404)
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "deleted an embed of")

	// Neither a viewer nor the staff of another event comes near it.
	other := modelstest.Must(embed.Of(d.Elsewhere()).Create(t.Context(), embed.Change{Name: new("Secret"), Kind: new(embed.Agenda)}))(t)
	b.Get(path+"/"+other.ID, 404)
	b.Post(path+"/"+other.ID+"/switch", b.Hidden(), 404)
	b.Get(path+"/"+other.ID+"/delete", 404)
	b.Post(path+"/"+other.ID+"/delete", b.Hidden(), 404)
	if now := modelstest.Must(embed.Of(d.Elsewhere()).Embed(t.Context(), other.ID))(t); !now.IsOn {
		t.Error("another event's embed was ended")
	}
}
