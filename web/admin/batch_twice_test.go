package admin

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestAListsFormThatIsSentTwiceChangesOnceAndIsUndoneWhole(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ids := d.submissions(3, "Tide")
	b := d.as(staff.Organizer)
	form := fields(b.get(d.at("/submissions?status=pending"), 200))
	form["id"], form["do"] = ids, []string{"accept_queue"}
	b.post(d.at("/submissions/bulk"), form, 303)
	page := b.follow(b.post(d.at("/submissions/bulk"), form, 303))
	wants(t, page, "3 submissions", "Undo")
	undo := fields(between(page, `class="undo"`, "</form>"))
	batch := between(page, `action="`+d.at("/batches/"), `"`)
	for range 2 { // the second time tells the same
		wants(t, b.follow(b.post(d.at("/batches/"+batch), undo, 303)), "submissions")
	}
	for _, id := range ids {
		if s := modelstest.Must(d.Programme().Session(t.Context(), id))(t); s.Status != models.Pending {
			t.Errorf("%s is %s", s.FriendlyID, s.Status)
		}
	}
}

func TestManySessionsPutIntoOneRoomAreTold(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall := d.room("Hall")
	one, two := d.placed("One", "", "09:00", "10:00"), d.placed("Two", "", "09:30", "10:30")
	b := d.as(staff.Organizer)
	form := fields(b.get(d.at("/sessions"), 200))
	form["id"], form["do"], form["room"] = []string{one.ID, two.ID}, []string{"room"}, []string{hall}
	wants(t, b.follow(b.post(d.at("/sessions/bulk"), form, 303)), "Hall</bdi> also has", "Undo")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), two.ID))(t)
	trash := fields(b.get(d.at("/trash"), 200))
	trash.Set("id", two.ID)
	wants(t, b.follow(b.post(d.at("/trash/restore"), trash, 303)), "is back.", "Hall</bdi> also has")
}

func TestADecisionIsAskedForOnEveryList(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ids := d.submissions(1, "Tide")
	b := d.as(staff.Organizer)
	form := fields(b.get(d.at("/sessions"), 200))
	form["id"], form["do"], form["status"] = ids, []string{"status"}, []string{"accepted"}
	b.post(d.at("/sessions/bulk"), form, 200)
	if s := modelstest.Must(d.Programme().Session(t.Context(), ids[0]))(t); s.Status != models.Pending {
		t.Errorf("it is %s", s.Status)
	}
}

func TestContentIsApprovedAsTheListShowedIt(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	d.askApproval(b, true)
	s := d.session(models.NewSession{Title: "Seen"})
	form := fields(b.get(d.at("/sessions"), 200))
	seen := modelstest.Must(store.ParseTime(form.Get("as_of")))(t)
	form.Set("as_of", store.At(seen.Add(-1e9)).String()) // a moment before it was written
	form["id"], form["do"] = []string{s.ID}, []string{"approve"}
	b.post(d.at("/sessions/bulk"), form, 303)
	for worked := true; worked; {
		worked = modelstest.Must(d.RunBatch(t.Context(), 10))(t)
	}
	if s := modelstest.Must(d.Programme().Session(t.Context(), s.ID))(t); s.ContentState == models.ContentApproved {
		t.Error("a text that nobody saw is approved")
	}
}
