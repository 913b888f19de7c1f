package sessions_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestTheContentStateIsShownWhereTheEventAsksForApproval(t *testing.T) {
	d := admintest.Open(t)
	b, viewer := d.As(staff.Organizer), d.As(staff.Viewer)
	s := d.Session(models.NewSession{Title: "Tides"})
	abstract := d.Session(models.NewSession{Title: "Abstract", IsAbstract: true})
	record := d.At("/sessions/" + s.ID)
	form := url.Values{"content_state": {"approved"}, "was_content_state": {"draft"}, "updated_at": {s.UpdatedAt.String()}}
	words := []string{"Approve content", "content_state", ">Content<", `name="content"`, `value="approve"`}
	for _, path := range []string{"/sessions/" + s.ID, "/sessions", "/sessions?content=approved&columns=content,status",
		"/sessions/" + s.ID + "/edit", "/activity", "/sessions.csv?columns=content"} {
		admintest.Lacks(t, b.Get(d.At(path), 200), words...)
	}
	admintest.Wants(t, b.Follow(b.Post(record+"/content", form, 303)), "does not ask for approved content")

	d.AskApproval(b, true)
	admintest.Wants(t, b.Get(record, 200), ">Content<", "Draft", "Approve content", "Send to review")
	admintest.Wants(t, b.Get(d.At("/sessions"), 200), ">Content<", `name="content"`, "Approve content")
	admintest.Lacks(t, b.Get(d.At("/sessions/"+abstract.ID), 200), ">Content<", "Approve content")
	admintest.Lacks(t, b.Get(d.At("/submissions"), 200), words...)
	admintest.Wants(t, viewer.Get(record, 200), ">Content<", "Draft")
	admintest.Lacks(t, viewer.Text, "Approve content")
	viewer.Post(record+"/content", form, 403)

	d.AskApproval(b, false)
	admintest.Lacks(t, b.Get(record, 200), words...)
}

func TestAnOrganizerSetsTheContentState(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	d.AskApproval(b, true)
	s := d.Session(models.NewSession{Title: "Tides"})
	d.Session(models.NewSession{Title: "Winds"})
	record := d.At("/sessions/" + s.ID)
	press := func(form url.Values, state string) string {
		form = url.Values{"updated_at": form["updated_at"][:1], "was_content_state": form["was_content_state"],
			"content_state": {state}}
		return b.Follow(b.Post(record+"/content?in=sessions", form, 303))
	}
	old := admintest.Fields(b.Get(record, 200))
	page := press(old, "approved")
	admintest.Wants(t, page, "The content is approved now.", "Back to draft")
	admintest.Wants(t, b.Get(d.At("/sessions?content=approved"), 200), ">Tides<")
	admintest.Lacks(t, b.Get(d.At("/sessions?content=approved"), 200), ">Winds<")
	admintest.Wants(t, b.Get(d.At("/sessions.csv?columns=content"), 200), "Approved", "Draft", "Content")
	admintest.Wants(t, b.Get(d.At("/activity"), 200), ">Content<", "Draft", "Approved")
	b.Undo(page)
	modelstest.Want(t, "taken back, it is", d.Read(s.ID).ContentState, models.ContentDraft)

	// What somebody else decided or wrote meanwhile is seen first.
	fresh := admintest.Fields(b.Get(record, 200))
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID,
		models.SessionChange{ContentState: new(models.ContentInReview)}))(t)
	admintest.Wants(t, press(fresh, "approved"), "was changed since you opened it", "In review")
	fresh = admintest.Fields(b.Get(record, 200))
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Rewritten")}))(t)
	admintest.Wants(t, press(fresh, "approved"), "was changed since you opened it", "Rewritten")
	modelstest.Want(t, "it is", d.Read(s.ID).ContentState, models.ContentInReview)
	admintest.Wants(t, press(admintest.Fields(b.Get(record, 200)), "perfect"), "must be one of")
}

func TestContentIsApprovedInManyFromTheList(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	s, other := d.Session(models.NewSession{Title: "Tides"}), d.Session(models.NewSession{Title: "Winds"})
	ticked := url.Values{"id": {s.ID, other.ID}, "do": {"approve"}}
	b.On(d.At("/sessions")).Post(d.At("/sessions/bulk"), ticked, 422) // there is no such verb
	d.AskApproval(b, true)
	location, _ := b.On(d.At("/sessions")).Post(d.At("/sessions/bulk"), ticked, 303)
	d.Work()
	admintest.Wants(t, b.Get(location, 200), "Content approved", "Content: Draft → Approved")
	modelstest.Want(t, "the content state", d.Read(s.ID).ContentState, models.ContentApproved)
	modelstest.Want(t, "the content state", d.Read(other.ID).ContentState, models.ContentApproved)
	undo := strings.Split(location, "?")[0] + "/undo"
	b.Post(undo, nil, 303)
	d.Work()
	modelstest.Want(t, "it was not taken back", d.Read(s.ID).ContentState, models.ContentDraft)
}
