package settings_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/page"
)

var lookFields = []string{"updated_at", "venue", "city", "address", "brand", "paper", "picture_alt", "was_venue",
	"was_city", "was_address", "was_brand", "was_paper", "was_heading", "was_picture_alt", "was_intro", "menu_agenda",
	"was_menu_agenda", "was_has_agenda", "was_has_sessions", "was_has_itinerary", "was_has_speakers",
	"was_has_changes", "was_has_schedule"}

func lookNow(d *admintest.Desk) *look.Look {
	return modelstest.Must(look.Of(d.Programme()).Look(d.T.Context()))(d.T)
}

func TestALookIsSavedShownAndPreviewed(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path := d.At("/look")
	admintest.Wants(t, b.Get(path, 200), ">Look</a>", `action="`+path+`"`, `href="`+d.At("/settings")+`"`,
		"White chosen; ink would have", `src="`+path+`/preview?`, "&amp;theme=dark", `name="has_agenda" value="yes" checked`)
	form := admintest.Fill(b.Hidden(lookFields...), "speaks_en", "yes", "speaks_de", "yes", "venue", "Kulturhuset",
		"brand", "#ff4b1f", "paper", "FFF8EF", "heading", "sans", "intro", "Come & see", "has_agenda", "yes",
		"has_speakers", "yes", "menu_agenda", "Programm")
	// The preview shows what was typed, and saves nothing.
	form.Set("do", "preview")
	admintest.Wants(t, b.Answer(path, form, 200), "#D92B00 on light pages; the brand alone has 3.1 : 1",
		"Ink chosen; white would have 3.3 : 1", "4.6 : 1", "brand=%23ff4b1f", "intro=Come+%26+see", `value="Kulturhuset"`)
	if l := lookNow(d); !l.UpdatedAt.IsZero() {
		t.Errorf("the preview saved %+v", l)
	}
	form.Del("do")
	location, _ := b.Post(path, form, 303)
	admintest.Wants(t, b.Follow(location, ""), "The look is saved.", `value="#FF4B1F"`, `value="Programm"`)
	l := lookNow(d)
	modelstest.Want(t, "it is offered in", l.Languages, "en de")
	if l.Venue != "Kulturhuset" || l.Has(look.Sessions) || !l.Has(look.Speakers) || l.Word(look.Agenda) != "Programm" ||
		l.Heading != look.Sans || l.Intro != "<p>Come &amp; see</p>" {
		t.Errorf("%+v", l)
	}
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "changed the look of", "Kulturhuset")
	b.Get(path, 200)
	form = admintest.Fill(b.Hidden(lookFields...), "heading", "sans")
	for field, bad := range map[string]string{"brand": "}body{display:none", "paper": "#808080",
		"menu_agenda": strings.Repeat("x", 41)} {
		was := form.Get(field)
		form.Set(field, bad)
		_, refused := b.Post(path, form, 422)
		admintest.Wants(t, refused, map[string]string{"brand": "Brand colour must be a colour such as #1F4E5F",
			"paper":       "quiet text on its bands has 1.5 : 1",
			"menu_agenda": "The word for Agenda is 41 characters long"}[field], "Error: ")
		form.Set(field, was)
	}
	modelstest.Want(t, "what was refused is saved", lookNow(d).UpdatedAt, l.UpdatedAt)

	// Somebody else saves meanwhile: nothing that was typed is lost.
	form.Set("city", "Bergen")
	modelstest.Fine(t, look.Of(d.Programme()).Save(t.Context(), look.Change{City: new("Oslo")}))
	admintest.Wants(t, b.Answer(path, form, 409), "Bergen", "Oslo", "City")
	modelstest.Want(t, "a form that came too late is saved", lookNow(d).City, "Oslo")
	d.As(staff.Viewer).Get(path, 403)
}

func TestThePreviewShowsTypedValuesToPagesOfOursAlone(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Craft")
	modelstest.RowOf(t, d.Elsewhere(), models.Tracks, "MARKER")
	path := d.At("/look/preview")
	res, shown := b.Do(httptest.NewRequest("GET", path+"?theme=dark&brand=%23FF4B1F&city=Bergen"+
		"&venue=%3Cscript%3Ealert(1)%3C/script%3E&has_agenda=yes&menu_agenda=Programm&intro=%3Cb%3EHi", nil), 200)
	admintest.Wants(t, shown, `data-theme="dark"`, "preview.css?brand=%23FF4B1F", "/static/site.css?", "&lt;script&gt;",
		"Bergen", ">Programm</a>", `<p dir="auto">&lt;b&gt;Hi</p>`, look.TrackClass(track.ID))
	admintest.Lacks(t, shown, "<script>", "MARKER", "style=", "app.css", `href="/`+"events")
	if policy := res.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'self'") ||
		res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", res.Header)
	}
	res, css := b.Do(httptest.NewRequest("GET", path+".css?brand=%23FFFBF5&paper=x}body{&heading=sans", nil), 200)
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/css") || strings.Contains(css, "body") ||
		!strings.Contains(css, "--brand:light-dark(#FFFBF5,#FFFBF5)") || !strings.Contains(css, "--heading:var(--sans)") {
		t.Errorf("%v %s", res.Header, css)
	}
	measured := b.Get(d.At("/look/measures?brand=FFFBF5"), 200)
	admintest.Wants(t, measured, "Ink chosen; white would have 1.0 : 1", "the brand alone has 1.0 : 1")
	admintest.Lacks(t, measured, "<html")
}

func TestThePreviewShowsWhatIsPublicOfTheEvent(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path := d.At("/look/preview?has_agenda=yes&has_changes=yes")
	admintest.Wants(t, b.Get(path, 200), "Conference", "Harbour pilots", ">36<")
	at := store.At(time.Date(2027, 5, 20, 10, 0, 0, 0, time.UTC))
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Craft")
	p := d.Programme()
	for title, shown := range map[string]bool{"Tides <b>": true, "MARKER": false} {
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: title, SessionInput: models.SessionInput{
			StartsAt: store.Some(at), EndsAt: store.Some(at), TrackID: store.Some(track.ID)}}))(t)
		modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{IsPublic: &shown, PublishOverride: true}))(t)
	}
	shown := b.Get(path, 200)
	admintest.Wants(t, shown, "Tides &lt;b&gt;", "Craft", look.TrackClass(track.ID), at.In(d.Event.Location()).Format("15:04"),
		`<b>1</b> session`, ">What changed</a>")
	admintest.Lacks(t, shown, "Harbour pilots", "MARKER", ">Speakers</a>")
}

func TestALogoIsChosenServedAndRemoved(t *testing.T) {
	d := admintest.Open(t)
	page.RegisterPictures(d.App, d.Store)
	b := d.As(staff.Organizer)
	path := d.At("/look")
	b.Get(path, 200)
	for _, kind := range []string{"logo", "picture"} {
		if location, _ := b.Upload(path+"/pictures/"+kind, "Sky.png", modelstest.Picture(t, 64, 32), "",
			303); location != path {
			t.Errorf("it leads to %s", location)
		}
		admintest.Wants(t, b.Get(path, 200), "The "+kind+" is changed.", "Sky.png",
			`action="`+path+"/pictures/"+kind+`/remove"`)
	}
	l := lookNow(d)
	for at, kind := range map[string]string{look.Logo.Path(l): "image/png", look.Picture.Path(l): "image/jpeg"} {
		admintest.Wants(t, b.Get(path, 200), `src="`+at+`"`)
		res, _ := d.Browser().Do(httptest.NewRequest("GET", at, nil), 200)
		for name, want := range map[string]string{"Content-Type": kind, "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "public, max-age=86400"} {
			modelstest.Want(t, at+": "+name+" is", res.Header.Get(name), want)
		}
		if name := res.Header.Get("Content-Disposition"); strings.Contains(name, "Sky") {
			t.Errorf("%s is called %s", at, name)
		}
	}
	for name, content := range map[string]string{"x.svg": "<svg onload=alert(1)>",
		"logo.png": "<script>alert(1)</script>", "": ""} {
		b.Upload(path+"/pictures/logo", name, []byte(content), "", 303)
		admintest.Wants(t, b.Get(path, 200), "The logo was not changed: the file is")
	}
	modelstest.Want(t, "what was refused took its place", lookNow(d).Logo.ID, l.Logo.ID)
	b.Post(path+"/pictures/banner/remove", nil, 404)
	b.Post(path+"/pictures/logo/remove", nil, 303)
	d.Browser().Get(look.Logo.Path(l), 404)
	if now := lookNow(d); now.Logo != nil || now.Picture == nil {
		t.Errorf("%+v", now)
	}
}
