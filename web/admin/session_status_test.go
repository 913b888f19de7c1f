package admin

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
)

// undo sends the form behind the button Undo of the page and returns the page it
// leads to.
func (b *browser) undo(page string) string {
	b.t.Helper()
	m := regexp.MustCompile(`(?s)<form class="undo" method="post" action="([^"]+)">(.*?)</form>`).FindStringSubmatch(page)
	if m == nil {
		b.t.Fatalf("there is no Undo:\n%s", page)
	}
	return b.follow(b.post(unescape(m[1]), fields(m[2]), 303))
}

func (d *desk) read(id string) *models.Session {
	d.t.Helper()
	s, err := d.Programme().Session(context.Background(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func TestWhatNobodyOutsideIsToldOfCanBeUndone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ctx := context.Background()
	var rows []string
	for _, n := range []string{"Sea", "Land"} {
		row, err := d.Programme().CreateMetadata(ctx, models.Tracks, models.NewMetadata{Name: n})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row.ID)
	}
	tag, err := d.Programme().CreateMetadata(ctx, models.Tags, models.NewMetadata{Name: "new"})
	if err != nil {
		t.Fatal(err)
	}
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{TrackID: store.Some(rows[0]), TagIDs: &[]string{tag.ID}}})
	b := d.as(staff.Organizer)
	record := d.at("/sessions/" + s.ID)
	form := fields(b.get(record+"?in=submissions&sort=title", 200))
	page := b.follow(b.post(record+"/status?in=submissions&sort=title",
		url.Values{"status": {"accept_queue"}, "updated_at": {form.Get("updated_at")}}, 303))
	page = b.undo(page)
	wants(t, page, "Undone.", "sort=title")
	if got := d.read(s.ID).Status; got != models.Pending {
		t.Errorf("undone, it is %s", got)
	}

	form = fields(b.get(record+"/edit", 200))
	form.Set("track_id", rows[1])
	form.Del("tag_ids")
	page = b.follow(b.post(record+"/edit", form, 303))
	if got := d.read(s.ID); *got.TrackID != rows[1] || len(got.Tags) != 0 {
		t.Fatalf("%+v", got)
	}
	b.undo(page)
	if got := d.read(s.ID); *got.TrackID != rows[0] || len(got.Tags) != 1 || got.Title != "Tides" {
		t.Errorf("undone, it is %+v", got)
	}

	// What somebody else did since is not lost by it.
	form = fields(b.get(record, 200))
	page = b.follow(b.post(record+"/status", url.Values{"status": {"draft"}, "updated_at": {form.Get("updated_at")}}, 303))
	if _, err := d.Programme().UpdateSession(ctx, s.ID, models.SessionChange{Title: new("Neap tides")}); err != nil {
		t.Fatal(err)
	}
	wants(t, b.undo(page), "nothing was undone")
	if got := d.read(s.ID); got.Status != models.Draft || got.Title != "Neap tides" {
		t.Errorf("%+v", got)
	}
	// A title is no small thing: there is an editor for that.
	form = fields(b.get(record+"/edit", 200))
	form.Set("title", "Spring tides")
	form.Set("status", "pending")
	page = b.follow(b.post(record+"/edit", form, 303))
	wants(t, page, "Saved.")
	lacks(t, page, "Undo")
}

func TestADecisionIsConfirmedBeforeItIsCommitted(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.as(staff.Organizer)
	record := d.at("/sessions/" + s.ID)
	form := fields(b.get(record+"?in=submissions&q=tides", 200))
	_, page := b.post(record+"/status?in=submissions&q=tides",
		url.Values{"status": {"accepted"}, "updated_at": {form.Get("updated_at")}}, 200)
	wants(t, page, "Accept A-1?", "Other services hear of it", "No letter goes out yet")
	if got := d.read(s.ID).Status; got != models.Pending {
		t.Fatalf("it is %s before anybody confirmed it", got)
	}
	again := fields(page)
	again.Set("confirm", "yes")
	page = b.follow(b.post(record+"/status?in=submissions&q=tides", again, 303))
	wants(t, page, "It is accepted now.", "q=tides", "Undo the decision…")
	lacks(t, page, "/put-back")
	if got := d.read(s.ID).Status; got != models.Accepted {
		t.Errorf("it is %s", got)
	}

	// From the editor one can go back to what was typed.
	form = fields(b.get(record+"/edit", 200))
	form.Set("status", "declined")
	form.Set("description", "<p>typed & kept</p>")
	_, page = b.post(record+"/edit", form, 200)
	wants(t, page, "Decline A-1?", "Until now its status is Accepted.")
	again = fields(page)
	again.Set("confirm", "no")
	_, page = b.post(record+"/edit", again, 200)
	if back := fields(page); back.Get("description") != "<p>typed & kept</p>" || back.Get("status") != "declined" {
		t.Errorf("the form came back as %v", back)
	}
	again.Set("confirm", "yes")
	b.post(record+"/edit", again, 303)
	if got := d.read(s.ID); got.Status != models.Declined || got.Description != "<p>typed &amp; kept</p>" {
		t.Errorf("%+v", got)
	}
}

func TestAStatusSetTooLateIsAChoice(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := d.as(staff.Organizer), d.as(staff.Owner)
	record := d.at("/sessions/" + s.ID)
	adas, lis := fields(ada.get(record, 200)), fields(li.get(record, 200))
	d.Clock.Move(time.Minute)
	lis.Set("status", "withdrawn")
	li.post(record+"/status", lis, 303)
	d.Clock.Move(2 * time.Minute)
	adas.Set("status", "draft")
	_, page := ada.post(record+"/status", adas, 409)
	wants(t, page, "Ada owner changed Status 2 minutes ago", `value="draft" checked`, `value="withdrawn"`)
	ada.post(record+"/status", fields(page), 303)
	if got := d.read(s.ID).Status; got != models.Draft {
		t.Errorf("it is %s", got)
	}
}

func TestAnEditLeavesAloneWhatItsFormDoesNotShow(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ctx := context.Background()
	room, err := d.Programme().CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Cellar"})
	if err != nil {
		t.Fatal(err)
	}
	start := store.At(time.Date(2027, 5, 20, 9, 0, 0, 0, time.UTC))
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{RoomID: store.Some(room.ID), StartsAt: store.Some(start),
			Capacity: store.Some(30)}})
	b := d.as(staff.Organizer)
	form := fields(b.get(d.at("/sessions/"+s.ID+"/edit"), 200))
	form.Set("title", "Neap tides")
	b.post(d.at("/sessions/"+s.ID+"/edit"), form, 303)
	if got := d.read(s.ID); got.Title != "Neap tides" || got.RoomID == nil || got.StartsAt == nil || got.Capacity == nil {
		t.Errorf("the edit took away what it did not show: %+v", got)
	}
}

func TestAConflictTakesOverTagsAndAnswersOfTheOtherSide(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	tag, err := d.Programme().CreateMetadata(context.Background(), models.Tags, models.NewMetadata{Name: "new"})
	if err != nil {
		t.Fatal(err)
	}
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := d.as(staff.Organizer), d.as(staff.Owner)
	edit := d.at("/sessions/" + s.ID + "/edit")
	adas, lis := fields(ada.get(edit, 200)), fields(li.get(edit, 200))
	lis.Set("tag_ids", tag.ID)
	lis.Set("answer_key", "length")
	lis.Set("answer_value", "30 minutes")
	li.post(edit, lis, 303)
	adas.Set("title", "Neap tides")
	_, page := ada.post(edit, adas, 409)
	ada.post(edit, fields(page), 303)
	if got := d.read(s.ID); got.Title != "Neap tides" || len(got.Tags) != 1 || len(got.CustomFields) != 1 {
		t.Errorf("saving after the conflict left %+v", got)
	}
}

func TestAConflictShowsTimesInTheEventsZone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Opening"})
	ada, li := d.as(staff.Organizer), d.as(staff.Owner)
	edit := d.at("/sessions/" + s.ID + "/edit")
	adas, lis := fields(ada.get(edit, 200)), fields(li.get(edit, 200))
	lis.Set("starts_at", "2027-05-20T09:00")
	li.post(edit, lis, 303)
	adas.Set("starts_at", "2027-05-20T11:00")
	_, page := ada.post(edit, adas, 409)
	zone := time.Date(2027, 5, 20, 9, 0, 0, 0, d.Event.Location()).Format("MST")
	wants(t, page, "Thu 20 May 2027, 09:00 "+zone, "Thu 20 May 2027, 11:00 "+zone)
}

func TestADeletedRecordLeadsBackToTheListOneCameFrom(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.as(staff.Organizer)
	page := b.get(d.at("/sessions/"+s.ID+"/delete?in=submissions&q=tid&sort=title"), 200)
	location, _ := b.post(d.at("/sessions/"+s.ID+"/delete?in=submissions&q=tid&sort=title"), fields(page), 303)
	if !strings.HasSuffix(location, "/submissions?q=tid&sort=title") {
		t.Errorf("it leads to %s", location)
	}
}
