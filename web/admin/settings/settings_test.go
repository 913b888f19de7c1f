package settings_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestSettingsAreSavedAndTimesFollowTheZone(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path := "/admin/events/" + d.Event.ID + "/settings"
	admintest.Wants(t, b.Get(path, 200), `value="Europe/Brussels"`, "It is 10:30 CET there now",
		`href="`+d.At("/look")+`">Say where it is`)
	admintest.Lacks(t, b.Page, "cfp_opens_at", "cfp_closes_at") // of the call, which has them in one place
	form := admintest.Fill(b.Hidden(admintest.SettingsFields...), "name", "Conference 2027", "starts_on", "2027-05-20")
	location, _ := b.Post(path, form, 303)
	admintest.Wants(t, b.Follow(location, ""), "The settings are saved.", `value="Conference 2027"`, "Not open yet.",
		"/call/window")
	form = admintest.Fill(b.Hidden(admintest.SettingsFields...), "timezone", "Asia/Tokyo")
	b.Post(path, form, 303)
	if e := d.Programme().Event(); e.Timezone != "Asia/Tokyo" || *e.StartsOn != "2027-05-20" || e.EndsOn != nil {
		t.Errorf("%+v", e)
	}
}

func TestBadSettingsAreShownAgain(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path := "/admin/events/" + d.Event.ID + "/settings"
	long := strings.Repeat("x", 10_000)
	for _, c := range []struct{ field, value, want string }{
		{"name", "", "Name must not be empty."}, {"name", long, "is 10000 characters long"},
		{"slug", "other", "is taken by another event"},
		{"slug", "A b", "must be 1 to 63"}, {"timezone", "Mars/Olympus", "name of a time zone"},
		{"timezone", "Local", "name of a time zone"},
		{"timezone", "../../etc/passwd", "name of a time zone"}, {"timezone", "", "name of a time zone"},
		{"starts_on", "tomorrow", "must be a date"},
	} {
		b.Get(path, 200)
		form := admintest.Fill(b.Hidden(admintest.SettingsFields...), c.field, c.value)
		admintest.Wants(t, b.Answer(path, form, 422), c.want, `value="`+c.value+`"`)
	}
	if e := d.Programme().Event(); e.Name != "Conference" || e.Slug != "conf" {
		t.Errorf("%+v", e)
	}
	b.Get(path, 200)
	form := admintest.Fill(b.Hidden(admintest.SettingsFields...), "name", "<script>alert(1)</script>")
	b.Post(path, form, 303)
	admintest.Lacks(t, b.Get(path, 200), "<script>alert")
	d.As(staff.Viewer).Get(path, 403)
	b.Get("/admin/events/nowhere/settings", 404)
}

func TestSettingsThatCrossAreChosenFieldByField(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path := "/admin/events/" + d.Event.ID + "/settings"
	b.Get(path, 200)
	form := admintest.Fill(b.Hidden(admintest.SettingsFields...), "name", "Mine", "starts_on", "2027-05-20")
	d.Clock.Move(time.Second)
	modelstest.Must(d.Programme().UpdateEvent(t.Context(),
		models.EventChange{Name: new("Theirs"), Timezone: new("Asia/Tokyo")}))(t)
	admintest.Wants(t, b.Answer(path, form, 409), "Test key changed Name and Time zone", `value="Mine" checked`,
		`value="Theirs"`, `value="Asia/Tokyo" checked`, `name="starts_on" value="2027-05-20"`)
	again := admintest.Fill(b.Hidden(admintest.SettingsFields...), "name", "Theirs", "timezone", "Asia/Tokyo")
	b.Post(path, again, 303)
	if e := d.Programme().Event(); e.Name != "Theirs" || e.Timezone != "Asia/Tokyo" || *e.StartsOn != "2027-05-20" {
		t.Errorf("%+v", e)
	}
}

func TestAnImportStandsInTheActivityInWords(t *testing.T) {
	d := admintest.Open(t)
	file := `<schedule><conference><start>2027-05-20</start><end>2027-05-21</end></conference><day date="2027-05-20">
		<event id="1"><start>10:00</start><duration>1:00</duration><room>Pier</room><title>Tides</title></event>
		<event id="2"><start>late</start><duration>1:00</duration><room>Pier</room><title>Knots &amp; bends</title></event></day></schedule>`
	schedule := modelstest.Must(frab.Parse(strings.NewReader(file), nil))(t)
	p := d.Store.Programme(d.Event, store.By{Door: "import", ActorName: "command line"})
	modelstest.Must(arrival.Of(p).Import(t.Context(), schedule, arrival.Options{}))(t)
	b := d.As(staff.Organizer)
	page := b.Get("/admin/events/"+d.Event.ID+"/activity?kind=event", 200)
	admintest.Wants(t, page, "changed the programme of", "Conference", "An import", "First day", "2027-05-20", "Last day",
		"Rooms created", "Sessions created", "Skipped", "Knots &amp; bends", "is no time of day")
	admintest.Lacks(t, page, "Submissions created", "unchanged")
	admintest.Wants(t, b.Get("/admin/events/"+d.Event.ID+"/settings", 200), "2027-05-20", "2027-05-21")
}

func TestActivityTellsWhoChangedWhat(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	base := "/admin/events/" + d.Event.ID
	admintest.Wants(t, b.Get(base+"/activity", 200), "Nothing happened yet")
	b.On(base+"/metadata/tracks").Post(base+"/metadata/tracks", url.Values{"name": {"Web <i>"}, "color": {"#2e8599"}}, 303)
	p := d.Programme()
	s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Talk", IsAbstract: true}))(t)
	modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Better talk")}))(t)
	modelstest.RowOf(t, d.Elsewhere(), models.Tracks, "Secret track")
	page := b.Get(base+"/activity", 200)
	admintest.Wants(t, page, "Ada organizer", "created the track", "Web &lt;i&gt;", "API key “Test key”", "Better talk",
		"/sessions/"+s.ID, "Saturday, 21 November 2026", ">10:30<", "Times are those of Europe/Brussels", "<del")
	admintest.Lacks(t, page, "Secret track", "<i>")
	page = b.Get(base+"/activity?kind=track", 200)
	admintest.Wants(t, page, "Web", "Clear filters")
	admintest.Lacks(t, page, "Better talk")
	admintest.Wants(t, b.Get(base+"/activity?record="+s.ID, 200), "Better talk")
	admintest.Wants(t, b.Get(base+"/activity?kind=room", 200), "Nothing matches")
	b.DropsOf(base+"/activity?record="+s.ID, "kind=x")
	byAda := regexp.MustCompile(`/activity\?by=[^"]+`).FindString(page)
	page = b.Get(base+byAda, 200)
	admintest.Wants(t, page, "What <bdi", "Ada organizer</bdi> changed", "Web &lt;i&gt;", `name="by"`, "Clear filters")
	admintest.Lacks(t, page, "Better talk", "Test key", "?by=")
	admintest.Wants(t, b.Get(base+byAda+"&kind=session", 200), "Nothing matches")
	for range 60 {
		modelstest.RowOf(t, d.Programme(), models.Tags, "tag")
	}
	admintest.Wants(t, b.Get(base+"/activity?kind=tag", 200), "1 to 50 of 60 changes", "kind=tag&amp;page=2")
	admintest.Wants(t, b.Get(base+"/activity?kind=tag&page=2", 200), "51 to 60 of 60 changes")
	d.As(staff.Viewer).Get(base+"/activity", 200)
}

func TestAnOwnerCopiesAnEventForAnotherYear(t *testing.T) {
	d := admintest.Open(t)
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Name: new("Tides 2026"), Slug: new("tides-2026"),
		StartsOn: store.Some("2026-11-21")}))(t)
	modelstest.RowOf(t, d.Programme(), models.Tracks, "Systems")
	owner, path := d.As(staff.Owner), "/admin/copies/"+d.Event.ID
	admintest.Wants(t, owner.Get(d.At("/settings"), 200), path, "Copy this event")
	admintest.Lacks(t, d.As(staff.Organizer).Get(d.At("/settings"), 200), "Copy this event")
	admintest.Wants(t, owner.Get(path, 200), `value="Tides 2027"`, `value="tides-2027"`, `value="2027-11-20"`)
	form := url.Values{"name": {"Tides 2027"}, "slug": {"tides-2026"}, "starts_on": {"2027-11-20"}}
	admintest.Wants(t, owner.Answer(path, form, 422), "is taken by another event", `value="Tides 2027"`)
	form.Set("slug", "tides-2027")
	location, _ := owner.Post(path, form, 303)
	admintest.Wants(t, owner.Follow(location, ""), "“Tides 2027” is created, as a copy of “Tides 2026”.")
	made := modelstest.Must(d.Store.EventBy(t.Context(), "tides-2027"))(t)
	modelstest.Want(t, "it starts on", *made.StartsOn, "2027-11-20")
	here := "/admin/events/" + made.ID
	admintest.Wants(t, owner.Get(here+"/metadata/tracks", 200), "Systems")
	admintest.Wants(t, owner.Get(here+"/activity", 200), "copied another event into", "Tides 2026")
	admintest.Wants(t, owner.Get("/admin/security", 200), "as a copy of another event, with its staff")
	owner.Get("/admin/copies/"+store.NewID(), 404)
	d.As(staff.Organizer).Get(path, 403)
}
