package admin

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

// askApproval has the event ask for approved content, by its page of settings.
func (d *desk) askApproval(b *browser, asks bool) {
	d.t.Helper()
	wants(d.t, b.get(d.at("/settings"), 200), "Ask for approved content")
	form := b.hidden(append(settingsFields, "was_asks_approval")...)
	if asks {
		form.Set("asks_approval", "yes")
	}
	b.post(d.at("/settings"), form, 303)
	if got := d.Programme().Event().AsksApproval; got != asks {
		d.t.Fatalf("the event asks for approved content: %v", got)
	}
}

func TestTheContentStateIsShownWhereTheEventAsksForApproval(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b, viewer := d.as(staff.Organizer), d.as(staff.Viewer)
	s := d.session(models.NewSession{Title: "Tides"})
	abstract := d.session(models.NewSession{Title: "Abstract", IsAbstract: true})
	record := d.at("/sessions/" + s.ID)
	form := url.Values{"content_state": {"approved"}, "was_content_state": {"draft"}, "updated_at": {s.UpdatedAt.String()}}
	words := []string{"Approve content", "content_state", ">Content<", `name="content"`, `value="approve"`}
	for _, path := range []string{"/sessions/" + s.ID, "/sessions", "/sessions?content=approved&columns=content,status",
		"/sessions/" + s.ID + "/edit", "/activity", "/sessions.csv?columns=content"} {
		lacks(t, b.get(d.at(path), 200), words...)
	}
	wants(t, b.follow(b.post(record+"/content", form, 303)), "does not ask for approved content")

	d.askApproval(b, true)
	wants(t, b.get(record, 200), ">Content<", "Draft", "Approve content", "Send to review")
	wants(t, b.get(d.at("/sessions"), 200), ">Content<", `name="content"`, "Approve content")
	lacks(t, b.get(d.at("/sessions/"+abstract.ID), 200), ">Content<", "Approve content")
	lacks(t, b.get(d.at("/submissions"), 200), words...)
	page := viewer.get(record, 200)
	wants(t, page, ">Content<", "Draft")
	lacks(t, page, "Approve content")
	viewer.post(record+"/content", form, 403)

	d.askApproval(b, false)
	lacks(t, b.get(record, 200), words...)
}

func TestAnOrganizerSetsTheContentState(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	d.askApproval(b, true)
	s := d.session(models.NewSession{Title: "Tides"})
	d.session(models.NewSession{Title: "Winds"})
	record := d.at("/sessions/" + s.ID)
	press := func(form url.Values, state string) string {
		form = url.Values{"updated_at": form["updated_at"][:1], "was_content_state": form["was_content_state"],
			"content_state": {state}}
		return b.follow(b.post(record+"/content?in=sessions", form, 303))
	}
	old := fields(b.get(record, 200))
	page := press(old, "approved")
	wants(t, page, "The content is approved now.", "Back to draft")
	wants(t, b.get(d.at("/sessions?content=approved"), 200), ">Tides<")
	lacks(t, b.get(d.at("/sessions?content=approved"), 200), ">Winds<")
	wants(t, b.get(d.at("/sessions.csv?columns=content"), 200), "Approved", "Draft", "Content")
	wants(t, b.get(d.at("/activity"), 200), ">Content<", "Draft", "Approved")
	b.undo(page)
	if now := d.read(s.ID); now.ContentState != models.ContentDraft {
		t.Errorf("taken back, it is %s", now.ContentState)
	}

	// What somebody else decided or wrote meanwhile is seen first.
	fresh := fields(b.get(record, 200))
	_, err := d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{ContentState: new(models.ContentInReview)})
	modelstest.Fine(t, err)
	wants(t, press(fresh, "approved"), "was changed since you opened it", "In review")
	fresh = fields(b.get(record, 200))
	_, err = d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Rewritten")})
	modelstest.Fine(t, err)
	wants(t, press(fresh, "approved"), "was changed since you opened it", "Rewritten")
	if now := d.read(s.ID); now.ContentState != models.ContentInReview {
		t.Errorf("it is %s", now.ContentState)
	}
	wants(t, press(fields(b.get(record, 200)), "perfect"), "must be one of")

	elsewhere := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret"}))(t)
	b.post(d.at("/sessions/"+elsewhere.ID+"/content"), url.Values{"content_state": {"approved"}}, 404)
}

func TestContentIsApprovedInManyFromTheList(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	s, other := d.session(models.NewSession{Title: "Tides"}), d.session(models.NewSession{Title: "Winds"})
	ticked := url.Values{"id": {s.ID, other.ID}, "do": {"approve"}}
	b.get(d.at("/sessions"), 200)
	b.post(d.at("/sessions/bulk"), ticked, 422) // there is no such verb
	d.askApproval(b, true)
	b.get(d.at("/sessions"), 200)
	location, _ := b.post(d.at("/sessions/bulk"), ticked, 303)
	d.work()
	page := b.get(location, 200)
	wants(t, page, "Content approved", "Content: Draft → Approved")
	if d.read(s.ID).ContentState != models.ContentApproved || d.read(other.ID).ContentState != models.ContentApproved {
		t.Error("they are not approved")
	}
	undo := strings.Split(location, "?")[0] + "/undo"
	b.post(undo, nil, 303)
	d.work()
	if d.read(s.ID).ContentState != models.ContentDraft {
		t.Error("it was not taken back")
	}
}
