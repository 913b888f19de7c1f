package sessions_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestASubmissionFromCaptureToTrashAndBack(t *testing.T) {
	d := admintest.Open(t)
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Systems")
	b := d.As(staff.Organizer)
	form := admintest.Fields(b.Get(d.At("/submissions/new"), 200))
	modelstest.Want(t, "a new submission is", form.Get("status"), "pending")
	form.Set("description", "<p>Kept</p>")
	admintest.Wants(t, b.Answer(d.At("/submissions/new"), form, 422), `href="#title"`, "&lt;p&gt;Kept&lt;/p&gt;")
	admintest.Fill(form, "title", "Tides & <script>alert(1)</script> \u202e 🌊", "track_id", track.ID,
		"answer_key", "length", "answer_value", "30 minutes")
	location, _ := b.Post(d.At("/submissions/new"), form, 303)
	admintest.Wants(t, b.Get(location, 200), "A-1 is created.", "Tides &amp; &lt;script&gt;", `<p dir="auto">Kept</p>`,
		"Systems", "30 minutes", "created")
	admintest.Lacks(t, b.Text, "<script>alert")
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), "Tides &amp; &lt;script&gt;")
	form = admintest.Fill(admintest.Fields(b.Get(location+"/edit", 200)), "title", strings.Repeat("long ", 2000))
	_, page := b.Post(location+"/edit", form, 422)
	admintest.Wants(t, page, "at most 255", "long long long", "<p>Kept</p>"[3:7], "<title>Error: ")
	form.Set("title", "Tides")
	b.Post(location+"/edit", form, 303)
	admintest.Wants(t, b.Get(location, 200), "Saved.", "Tides")
	b.Post(location+"/status", admintest.Fill(b.Hidden("updated_at"), "status", "accept_queue"), 303)
	admintest.Wants(t, b.Get(location, 200), "It is in the accept queue now.")
	admintest.Wants(t, b.Get(location+"/delete", 200), "Delete A-1", "restored")
	b.Post(location+"/delete", nil, 303)
	admintest.Lacks(t, b.Get(d.At("/submissions"), 200), `title" href=`)
	admintest.Wants(t, b.Get(d.At("/trash"), 200), ">Tides<")
	b.Get(location+"/edit", 404)
	b.On(location).Post(location+"/restore", nil, 303)
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), ">Tides<")
}

func TestADescriptionThatWasNotTouchedStaysAsItIs(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	for _, description := range []string{
		"", "no markup", "two\r\nlines\r\n\r\nand more", "\n\nlater",
		"<p>\"Quoted\" &amp; 'quoted' 4 &lt; 5 &quot;&nbsp;\u00a0🌊</p>\r\n<pre>\n\n  a\tb\n</pre>",
		"<DIV><b>bold</b><i>it</i><table><tr><td>x</table><a href='/x?a=1&b=2' title=\"a\nb\">link",
		"&lt;/textarea&gt;</textarea><p>after",
	} {
		s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
			SessionInput: models.SessionInput{Description: &description}})
		path := d.At("/sessions/" + s.ID)
		form := admintest.Fields(b.Get(path+"/edit", 200))
		form.Set("description", strings.ReplaceAll(form.Get("description"), "\n", "\r\n")) // as browsers send it
		b.Post(path+"/edit", form, 303)
		got := d.Read(s.ID)
		if got.Description != s.Description || !got.UpdatedAt.Equal(s.UpdatedAt.Time) {
			t.Errorf("%q became %q at %s, was made at %s", s.Description, got.Description, got.UpdatedAt, s.UpdatedAt)
		}
		entries := modelstest.First(desk.Of(d.Programme()).ActivityLog(t.Context(), desk.ActivityFilter{SubjectID: s.ID},
			store.Page{Number: 1, Size: 9}))(t)
		modelstest.Want(t, description+": entries of activity, the creation alone", len(entries), 1)
	}
}

func TestTextTypedWithoutMarkupKeepsItsLines(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	admintest.Wants(t, b.Follow(b.Send(d.At("/submissions/new"), 303, "title", "Tides",
		"description", "Tides & nets\r\nof the harbour\r\n\r\n4 < 5")),
		"<p dir=\"auto\">Tides &amp; nets<br>\nof the harbour</p>\n<p dir=\"auto\">4 &lt; 5</p>")
	// What came without markup by another door is shown like that, and stays.
	s := d.Session(models.NewSession{Title: "Nets", SessionInput: models.SessionInput{Description: new("one\n\ntwo")}})
	admintest.Wants(t, b.Get(d.At("/sessions/"+s.ID), 200), "<p dir=\"auto\">one</p>\n<p dir=\"auto\">two</p>")
}

func TestClashingDescriptionsAreShownAsTheyAreRead(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", SessionInput: models.SessionInput{Description: new("<p>one</p>")}})
	path := d.At("/sessions/"+s.ID) + "/edit"
	b := d.As(staff.Organizer)
	clash := func(theirs, mine string) string {
		form := admintest.Fields(b.Get(path, 200))
		b.Send(path, 303, "description", theirs)
		form.Set("description", mine)
		_, page := b.Post(path, form, 409)
		return page
	}
	admintest.Wants(t, clash("<ul><li>low &amp; high</li><li>tide</li></ul>", "low and\n\nhigh tide"),
		"low &amp; high\ntide", "low and\nhigh tide", `value="&lt;ul&gt;`)
	admintest.Wants(t, clash("<p><b>low</b></p>", "<p><i>low</i></p>"), ">&lt;p&gt;&lt;b&gt;low&lt;/b&gt;&lt;/p&gt;<",
		">&lt;p&gt;&lt;i&gt;low&lt;/i&gt;&lt;/p&gt;<")
}

func TestTwoPeopleEditOneSubmission(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Draft title", IsAbstract: true,
		SessionInput: models.SessionInput{Description: new("<p>one</p>")}})
	edit := d.At("/sessions/" + s.ID + "/edit")
	ada, li := d.As(staff.Organizer), d.As(staff.Owner)
	adas, lis := admintest.Fields(ada.Get(edit, 200)), admintest.Fields(li.Get(edit, 200))
	d.Clock.Move(2 * time.Minute)
	admintest.Fill(lis, "title", "Li's title", "description", "<p>two</p>")
	li.Post(edit, lis, 303)
	d.Clock.Move(2 * time.Minute)
	// Ada changed the title as well, and the status alone.
	admintest.Fill(adas, "title", "Ada's title", "status", "withdrawn")
	admintest.Wants(t, ada.Answer(edit, adas, 409), "Ada owner changed Title and Description 2 minutes ago",
		"Choose which to keep", `value="Ada&#39;s title" checked`, `value="Li&#39;s title"`)
	form := admintest.Fields(ada.Text)
	if form.Get("description") != "<p>two</p>" || form.Get("status") != "withdrawn" || form.Get("title") != "Ada's title" {
		t.Fatalf("%v", form)
	}
	form.Set("title", "Li's title") // theirs
	ada.Post(edit, form, 303)
	if got := d.Read(s.ID); got.Title != "Li's title" || got.Description != "<p>two</p>" ||
		got.Status != models.Withdrawn {
		t.Errorf("%+v", got)
	}
}

func TestASessionsTimesAreTheEvents(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	zone := d.Event.Location()
	form := admintest.Fill(admintest.Fields(b.Get(d.At("/sessions/new"), 200)), "title", "Opening",
		"starts_at", "2027-05-20T09:00", "ends_at", "2027-05-20T08:00")
	admintest.Wants(t, b.Answer(d.At("/sessions/new"), form, 422), `href="#ends_at"`, `value="2027-05-20T08:00"`)
	form.Set("ends_at", "2027-05-20T09:45")
	location, _ := b.Post(d.At("/sessions/new"), form, 303)
	got := d.Read(location[strings.LastIndex(location, "/")+1:])
	if !got.StartsAt.Equal(time.Date(2027, 5, 20, 9, 0, 0, 0, zone)) || got.IsAbstract || got.IsPublic {
		t.Fatalf("%+v", got)
	}
	admintest.Wants(t, b.Get(location, 200), "Thu 20 May 2027, 09:00")
	form = admintest.Fields(b.Get(location+"/edit", 200))
	modelstest.Want(t, "the form has", form.Get("starts_at"), "2027-05-20T09:00")
	admintest.Fill(form, "starts_at", "", "ends_at", "")
	b.Post(location+"/edit", form, 303)
	admintest.Wants(t, b.Get(location, 200), "Not placed yet")
}

func TestRecordsFollowTheListOneCameFrom(t *testing.T) {
	d := admintest.Open(t)
	for _, title := range []string{"Cod", "Bass", "Ark", "Eel"} {
		d.Session(models.NewSession{Title: title, IsAbstract: true})
	}
	b := d.As(staff.Viewer)
	page := b.Get(d.At("/submissions?q=a&sort=title&dir=asc"), 200)
	record := html.UnescapeString(regexp.MustCompile(`class="title" href="([^"]+)"`).FindStringSubmatch(page)[1])
	admintest.Wants(t, b.Get(record, 200), ">Ark<", "1 of 4", `rel="next"`)
	admintest.Lacks(t, b.Text, `rel="prev"`, ">Edit<")
	next := html.UnescapeString(regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(b.Text)[1])
	admintest.Wants(t, b.Get(next, 200), ">Bass<", "2 of 4", `rel="prev"`)
}
