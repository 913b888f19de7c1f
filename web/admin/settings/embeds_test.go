package settings_test

import (
	"html"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAnEmbedIsMadeChangedAndEnded(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path, embeds := d.At("/embeds"), embed.Of(d.Programme())
	web := modelstest.RowOf(t, d.Programme(), models.Tracks, "Web")
	theirs := modelstest.RowOf(t, d.Elsewhere(), models.Tracks, "Secret")
	admintest.Wants(t, b.Get(path, 200), ">Embeds</a>", "No embeds yet")
	admintest.Lacks(t, b.Get(path+"/new", 200), "Secret")
	form := admintest.Fill(b.Hidden(), "name", `Our "site" <b>`, "kind", "speakers", "language", "de", "track", web.ID,
		"accent", "#0a6", "ground", "dark", "shows", "photos")
	for field, bad := range map[string]string{"name": " ", "kind": "forged", "language": "x;y", "track": theirs.ID,
		"accent": "teal", "ground": "forged"} {
		was := form.Get(field)
		form.Set(field, bad)
		admintest.Wants(t, b.Answer(path+"/new", form, 422), "Error: ", `href="#`+field+`"`)
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
		"The embed is made.", `src="`+path+`/preview?accent=%2300AA66&amp;ground=dark&amp;kind=speakers`,
		`href="/embeds/`+e.ID+`"`,
		"/embeds/"+e.ID+".html<", "/embeds/embed.js&#34;\n  data-embed=&#34;"+e.ID,
		`Our &amp;#34;site&amp;#34; &amp;lt;b&amp;gt;`, "/embeds/"+e.ID+".json",
		"/embeds/"+e.ID+".ics", `value="`+web.ID+`" checked`)
	old := b.Hidden("updated_at")
	admintest.Fill(form, "updated_at", old.Get("updated_at"), "name", "Elsewhere")
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
	stale := admintest.Fill(b.Hidden("updated_at"), "updated_at", old.Get("updated_at"))
	location, _ = b.Post(path+"/"+e.ID+"/delete", stale, 303)
	admintest.Wants(t, b.Follow(location, ""), "was changed meanwhile")
	form.Set("confirm", "yes")
	location, _ = b.Post(path+"/"+e.ID+"/delete", form, 303)
	admintest.Wants(t, b.Follow(location, ""), "“Elsewhere” is deleted.", "No embeds yet")
	b.Get(path+"/"+e.ID, 404)
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "deleted an embed of")
}

func TestThePreviewOfAnEmbedFollowsTheFormAndKeepsNothing(t *testing.T) {
	d := admintest.Open(t)
	b, path := d.As(staff.Organizer), d.At("/embeds")
	web := modelstest.RowOf(t, d.Programme(), models.Tracks, "Web")
	modelstest.RowOf(t, d.Programme(), models.Tracks, "Other")
	theirs := modelstest.RowOf(t, d.Elsewhere(), models.Tracks, "Secret")
	admintest.Wants(t, b.Get(path+"/preview?kind=speakers", 200), "is not public yet")
	for title, track := range map[string]string{"Tides <b>": web.ID, "Ropes": "", "MARKER": web.ID} {
		at := store.At(time.Date(2027, 5, 20, 10, 0, 0, 0, time.UTC))
		in := models.SessionInput{StartsAt: store.Some(at), EndsAt: store.Some(at),
			Description: new("<p>About " + html.EscapeString(title) + "</p>")}
		if track != "" {
			in.TrackID = store.Some(track)
		}
		s := d.Session(models.NewSession{Title: title, SessionInput: in})
		modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID,
			models.SessionChange{IsPublic: new(title != "MARKER"), PublishOverride: true}))(t)
	}
	for query, of := range map[string]struct{ wants, lacks []string }{
		"kind=sessions&theme=dark":              {[]string{"Tides &lt;b&gt;", "Ropes", `data-theme="dark"`}, []string{"About"}},
		"kind=sessions&theme=light&ground=dark": {[]string{`data-theme="dark"`}, nil},
		"kind=sessions&shows=descriptions":      {[]string{"About Ropes"}, nil},
		"kind=agenda&language=de&track=" + web.ID: {[]string{"Tides", `lang="de"`, "20. Mai"},
			[]string{"Ropes", "data-theme"}},
		"kind=agenda&accent=0a6": {[]string{"Ropes", `/look/preview.css?brand=%2300AA66`}, nil},
		// What is half typed or forged is as if it were not there.
		"kind=forged&accent=%23f&ground=x&language=;&track=" + theirs.ID: {[]string{"Tides", "Ropes"},
			[]string{"preview.css", "data-theme"}},
	} {
		res, page := b.Do(httptest.NewRequest("GET", path+"/preview?"+query, nil), 200)
		admintest.Wants(t, page, of.wants...)
		admintest.Lacks(t, page, append(of.lacks, "MARKER", "masthead", "app.css")...)
		if policy := res.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'self'") ||
			res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %v", query, res.Header)
		}
	}
	admintest.Wants(t, b.Get(path+"/measures?accent=%23FFFBF5", 200), "Ink chosen; white would have 1.0 : 1")
	admintest.Lacks(t, b.Get(path+"/measures?accent=%23FF", 200), "<table")
	// Without a script a button shows what was typed.
	b.Get(path+"/new", 200)
	form := admintest.Fill(b.Hidden(), "do", "preview", "name", "", "kind", "gallery", "track", web.ID,
		"accent", "#884400", "ground", "auto")
	admintest.Wants(t, b.Answer(path+"/new", form, 200), "preview?accent=%23884400&amp;ground=auto&amp;kind=gallery",
		"&amp;track="+web.ID+"&amp;theme=dark", `value="`+web.ID+`" checked`, "Text on the brand")
	modelstest.Want(t, "the preview kept", len(modelstest.Must(embed.Of(d.Programme()).All(t.Context()))(t)), 0)
	d.As(staff.Viewer).Get(path+"/preview?kind=agenda", 403)
	d.Browser().Get(path+"/preview?kind=agenda", 303)
}
