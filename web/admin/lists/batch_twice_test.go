package lists_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAListsFormThatIsSentTwiceChangesOnceAndIsUndoneWhole(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(3, "Tide")
	b := d.As(staff.Organizer)
	form := admintest.Fields(b.Get(d.At("/submissions?status=pending"), 200))
	form["id"], form["do"] = ids, []string{"accept_queue"}
	b.Post(d.At("/submissions/bulk"), form, 303)
	page := b.Follow(b.Post(d.At("/submissions/bulk"), form, 303))
	admintest.Wants(t, page, "3 submissions", "Undo")
	undo := admintest.Fields(admintest.Between(page, `class="undo"`, "</form>"))
	batch := admintest.Between(page, `action="`+d.At("/batches/"), `"`)
	for range 2 { // the second time tells the same
		admintest.Wants(t, b.Follow(b.Post(d.At("/batches/"+batch), undo, 303)), "submissions")
	}
	for _, id := range ids {
		if s := d.Read(id); s.Status != models.Pending {
			t.Errorf("%s is %s", s.FriendlyID, s.Status)
		}
	}
}

func TestManySessionsPutIntoOneRoomAreTold(t *testing.T) {
	d := admintest.Open(t)
	hall := d.Room("Hall")
	one, two := d.Placed("One", "", "09:00", "10:00"), d.Placed("Two", "", "09:30", "10:30")
	b := d.As(staff.Organizer)
	form := admintest.Fields(b.Get(d.At("/sessions"), 200))
	form["id"], form["do"], form["room"] = []string{one.ID, two.ID}, []string{"room"}, []string{hall}
	admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/bulk"), form, 303)), "Hall</bdi> also has", "Undo")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), two.ID))(t)
	trash := admintest.Fill(admintest.Fields(b.Get(d.At("/trash"), 200)), "id", two.ID)
	admintest.Wants(t, b.Follow(b.Post(d.At("/trash/restore"), trash, 303)), "is back.", "Hall</bdi> also has")
}

func TestADecisionIsAskedForOnEveryList(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(1, "Tide")
	b := d.As(staff.Organizer)
	form := admintest.Fields(b.Get(d.At("/sessions"), 200))
	form["id"], form["do"], form["status"] = ids, []string{"status"}, []string{"accepted"}
	b.Post(d.At("/sessions/bulk"), form, 200)
	modelstest.Want(t, "it is", d.Read(ids[0]).Status, models.Pending)
}

func TestContentIsApprovedAsTheListShowedIt(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	d.AskApproval(b, true)
	s := d.Session(models.NewSession{Title: "Seen"})
	form := admintest.Fields(b.Get(d.At("/sessions"), 200))
	seen := modelstest.Must(store.ParseTime(form.Get("as_of")))(t)
	form.Set("as_of", store.At(seen.Add(-1e9)).String()) // a moment before it was written
	form["id"], form["do"] = []string{s.ID}, []string{"approve"}
	b.Post(d.At("/sessions/bulk"), form, 303)
	for worked := true; worked; {
		worked = modelstest.Must(d.RunBatch(t.Context(), 10))(t)
	}
	if s := d.Read(s.ID); s.ContentState == models.ContentApproved {
		t.Error("a text that nobody saw is approved")
	}
}
