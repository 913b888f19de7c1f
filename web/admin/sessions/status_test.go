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
	sea := modelstest.RowOf(t, d.Programme(), models.Tracks, "Sea").ID
	land := modelstest.RowOf(t, d.Programme(), models.Tracks, "Land").ID
	tag := modelstest.RowOf(t, d.Programme(), models.Tags, "new")
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{TrackID: store.Some(sea), TagIDs: &[]string{tag.ID}}})
	b := d.As(staff.Organizer)
	record := d.At("/sessions/" + s.ID)
	form := admintest.Fields(b.Get(record+"?in=submissions&sort=title", 200))
	page := b.Follow(b.Post(record+"/status?in=submissions&sort=title",
		url.Values{"status": {"accept_queue"}, "updated_at": {form.Get("updated_at")}}, 303))
	page = b.Undo(page)
	admintest.Wants(t, page, "Undone.", "sort=title")
	modelstest.Want(t, "undone, it is", d.Read(s.ID).Status, models.Pending)

	form = admintest.Fill(admintest.Fields(b.Get(record+"/edit", 200)), "track_id", land)
	form.Del("tag_ids")
	page = b.Follow(b.Post(record+"/edit", form, 303))
	if got := d.Read(s.ID); *got.TrackID != land || len(got.Tags) != 0 {
		t.Fatalf("%+v", got)
	}
	b.Undo(page)
	if got := d.Read(s.ID); *got.TrackID != sea || len(got.Tags) != 1 || got.Title != "Tides" {
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
	admintest.Wants(t, b.Follow(b.Send(record+"/edit", 303, "title", "Spring tides", "status", "pending")), "Saved.")
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
	start := store.At(time.Date(2027, 5, 20, 9, 0, 0, 0, time.UTC))
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{RoomID: store.Some(d.Room("Cellar")), StartsAt: store.Some(start),
			Capacity: store.Some(30)}})
	b := d.As(staff.Organizer)
	b.Send(d.At("/sessions/"+s.ID+"/edit"), 303, "title", "Neap tides")
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
