package sessions_test

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestWhatNobodyOutsideIsToldOfCanBeUndone(t *testing.T) {
	d := admintest.Open(t)
	ctx := context.Background()
	var rows []string
	for _, n := range []string{"Sea", "Land"} {
		row := modelstest.RowOf(t, d.Programme(), models.Tracks, n)
		rows = append(rows, row.ID)
	}
	tag := modelstest.RowOf(t, d.Programme(), models.Tags, "new")
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{TrackID: store.Some(rows[0]), TagIDs: &[]string{tag.ID}}})
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + s.ID)
	form := admintest.Fields(b.Get(record+"?in=submissions&sort=title", 200))
	page := b.Follow(b.Post(record+"/status?in=submissions&sort=title",
		url.Values{"status": {"accept_queue"}, "updated_at": {form.Get("updated_at")}}, 303))
	page = b.Undo(page)
	admintest.Wants(t, page, "Undone.", "sort=title")
	modelstest.Want(t, "undone, it is", d.Read(s.ID).Status, models.Pending)

	form = admintest.Fill(admintest.Fields(b.Get(record+"/edit", 200)), "track_id", rows[1])
	form.Del("tag_ids")
	page = b.Follow(b.Post(record+"/edit", form, 303))
	if got := d.Read(s.ID); *got.TrackID != rows[1] || len(got.Tags) != 0 {
		t.Fatalf("%+v", got)
	}
	b.Undo(page)
	if got := d.Read(s.ID); *got.TrackID != rows[0] || len(got.Tags) != 1 || got.Title != "Tides" {
		t.Errorf("undone, it is %+v", got)
	}

	// What somebody else did since is not lost by it.
	form = admintest.Fields(b.Get(record, 200))
	page = b.Follow(b.Post(record+"/status", url.Values{"status": {"draft"}, "updated_at": {form.Get("updated_at")}}, 303))
	modelstest.Must(d.Programme().UpdateSession(ctx, s.ID, models.SessionChange{Title: new("Neap tides")}))(t)
	admintest.Wants(t, b.Undo(page), "nothing was undone")
	if got := d.Read(s.ID); got.Status != models.Draft || got.Title != "Neap tides" {
		t.Errorf("%+v", got)
	}
	// A title is no small thing: there is an editor for that.
	form = admintest.Fill(admintest.Fields(b.Get(record+"/edit", 200)), "title", "Spring tides", "status", "pending")
	admintest.Wants(t, b.Follow(b.Post(record+"/edit", form, 303)), "Saved.")
	admintest.Lacks(t, b.Text, "Undo")
}

func TestADecisionIsConfirmedBeforeItIsCommitted(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + s.ID)
	form := admintest.Fields(b.Get(record+"?in=submissions&q=tides", 200))
	_, page := b.Post(record+"/status?in=submissions&q=tides",
		url.Values{"status": {"accepted"}, "updated_at": {form.Get("updated_at")}}, 200)
	admintest.Wants(t, page, "Accept A-1?", "Other services hear of it", "No letter goes out yet")
	if got := d.Read(s.ID).Status; got != models.Pending {
		t.Fatalf("it is %s before anybody confirmed it", got)
	}
	again := admintest.Fill(admintest.Fields(page), "confirm", "yes")
	page = b.Follow(b.Post(record+"/status?in=submissions&q=tides", again, 303))
	admintest.Wants(t, page, "It is accepted now.", "q=tides", "Undo the decision…")
	admintest.Lacks(t, page, "/put-back")
	modelstest.Want(t, "it is", d.Read(s.ID).Status, models.Accepted)

	// From the editor one can go back to what was typed.
	form = admintest.Fill(admintest.Fields(b.Get(record+"/edit", 200)), "status", "declined",
		"description", "<p>typed & kept</p>")
	admintest.Wants(t, b.Answer(record+"/edit", form, 200), "Decline A-1?", "Until now its status is Accepted.")
	again = admintest.Fill(admintest.Fields(b.Text), "confirm", "no")
	_, page = b.Post(record+"/edit", again, 200)
	if back := admintest.Fields(page); back.Get("description") != "<p>typed & kept</p>" ||
		back.Get("status") != "declined" {
		t.Errorf("the form came back as %v", back)
	}
	again.Set("confirm", "yes")
	b.Post(record+"/edit", again, 303)
	if got := d.Read(s.ID); got.Status != models.Declined || got.Description != "<p>typed &amp; kept</p>" {
		t.Errorf("%+v", got)
	}
}

func TestAStatusSetTooLateIsAChoice(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := d.As(staff.Organizer), d.As(staff.Owner)
	record := d.At("/sessions/" + s.ID)
	adas, lis := admintest.Fields(ada.Get(record, 200)), admintest.Fields(li.Get(record, 200))
	d.Clock.Move(time.Minute)
	lis.Set("status", "withdrawn")
	li.Post(record+"/status", lis, 303)
	d.Clock.Move(2 * time.Minute)
	adas.Set("status", "draft")
	_, page := ada.Post(record+"/status", adas, 409)
	admintest.Wants(t, page, "Ada owner changed Status 2 minutes ago", `value="draft" checked`, `value="withdrawn"`)
	ada.Post(record+"/status", admintest.Fields(page), 303)
	modelstest.Want(t, "it is", d.Read(s.ID).Status, models.Draft)
}

func TestAnEditLeavesAloneWhatItsFormDoesNotShow(t *testing.T) {
	d := admintest.Open(t)
	room := modelstest.RowOf(t, d.Programme(), models.Rooms, "Cellar")
	start := store.At(time.Date(2027, 5, 20, 9, 0, 0, 0, time.UTC))
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{RoomID: store.Some(room.ID), StartsAt: store.Some(start),
			Capacity: store.Some(30)}})
	b := d.As(staff.Organizer)
	form := admintest.Fill(admintest.Fields(b.Get(d.At("/sessions/"+s.ID+"/edit"), 200)), "title", "Neap tides")
	b.Post(d.At("/sessions/"+s.ID+"/edit"), form, 303)
	if got := d.Read(s.ID); got.Title != "Neap tides" || got.RoomID == nil || got.StartsAt == nil || got.Capacity == nil {
		t.Errorf("the edit took away what it did not show: %+v", got)
	}
}

func TestAConflictTakesOverTagsAndAnswersOfTheOtherSide(t *testing.T) {
	d := admintest.Open(t)
	tag := modelstest.RowOf(t, d.Programme(), models.Tags, "new")
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	ada, li := d.As(staff.Organizer), d.As(staff.Owner)
	edit := d.At("/sessions/" + s.ID + "/edit")
	adas, lis := admintest.Fields(ada.Get(edit, 200)), admintest.Fields(li.Get(edit, 200))
	admintest.Fill(lis, "tag_ids", tag.ID, "answer_key", "length", "answer_value", "30 minutes")
	li.Post(edit, lis, 303)
	adas.Set("title", "Neap tides")
	_, page := ada.Post(edit, adas, 409)
	ada.Post(edit, admintest.Fields(page), 303)
	if got := d.Read(s.ID); got.Title != "Neap tides" || len(got.Tags) != 1 || len(got.CustomFields) != 1 {
		t.Errorf("saving after the conflict left %+v", got)
	}
}

func TestAConflictShowsTimesInTheEventsZone(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Opening"})
	ada, li := d.As(staff.Organizer), d.As(staff.Owner)
	edit := d.At("/sessions/" + s.ID + "/edit")
	adas, lis := admintest.Fields(ada.Get(edit, 200)), admintest.Fields(li.Get(edit, 200))
	lis.Set("starts_at", "2027-05-20T09:00")
	li.Post(edit, lis, 303)
	adas.Set("starts_at", "2027-05-20T11:00")
	_, page := ada.Post(edit, adas, 409)
	zone := time.Date(2027, 5, 20, 9, 0, 0, 0, d.Event.Location()).Format("MST")
	admintest.Wants(t, page, "Thu 20 May 2027, 09:00 "+zone, "Thu 20 May 2027, 11:00 "+zone)
}

func TestADeletedRecordLeadsBackToTheListOneCameFrom(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	b := d.As(staff.Organizer)
	page := b.Get(d.At("/sessions/"+s.ID+"/delete?in=submissions&q=tid&sort=title"), 200)
	location, _ := b.Post(d.At("/sessions/"+s.ID+"/delete?in=submissions&q=tid&sort=title"), admintest.Fields(page), 303)
	if !strings.HasSuffix(location, "/submissions?q=tid&sort=title") {
		t.Errorf("it leads to %s", location)
	}
}
