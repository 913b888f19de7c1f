package sessions_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestBothSidesOfACompositionShowEachOther(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	one, two, gone := d.Session(models.NewSession{Title: "One", IsAbstract: true}),
		d.Session(models.NewSession{Title: "Two <b>", IsAbstract: true}),
		d.Session(models.NewSession{Title: "Gone", IsAbstract: true})
	linked := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	admintest.Wants(t, b.Get(d.At("/sessions/"+one.ID), 200), "Session made of it",
		`href="`+d.At("/sessions/"+linked.ID)+`"`, "S-1 One")
	admintest.Wants(t, b.Get(d.At("/sessions/"+linked.ID), 200), "Made from", `href="`+d.At("/sessions/"+one.ID)+`"`,
		"A-1 One")

	// The text of a linked abstract is edited on the other side; the rest here.
	page := b.Get(d.At("/sessions/"+one.ID+"/edit"), 200)
	admintest.Wants(t, page, "one text with", d.At("/sessions/"+linked.ID))
	admintest.Lacks(t, page, `name="title"`, `name="description"`, "rich.js")
	form := admintest.Fill(admintest.Fields(page), "status", string(models.Withdrawn))
	b.Post(d.At("/sessions/"+one.ID+"/edit"), form, 303)
	if now := d.Read(one.ID); now.Status != models.Withdrawn ||
		now.Title != "One" {
		t.Errorf("it is %s %q", now.Status, now.Title)
	}
	admintest.Wants(t, b.Get(d.At("/sessions/"+linked.ID+"/edit"), 200), `name="title"`, `name="description"`)

	both := modelstest.Must(d.Programme().Compose(t.Context(), []string{two.ID, gone.ID}, ""))(t)
	modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
	admintest.Lacks(t, b.Get(d.At("/sessions/"+both.ID+"/edit"), 200), "changes there too")
	page = b.Get(d.At("/sessions/"+both.ID), 200)
	admintest.Wants(t, page, "A-2 Two &lt;b&gt;")
	admintest.Lacks(t, page, d.At("/sessions/"+gone.ID))
	if sources := modelstest.Must(d.Elsewhere().Sources(t.Context(), both.ID))(t); len(sources) > 0 {
		t.Errorf("another event sees %+v", sources)
	}
}

func TestOneTextWithASubmissionIsSaidToBe(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	one := d.Session(models.NewSession{Title: "One", IsAbstract: true})
	linked := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	page := b.Get(d.At("/sessions/"+linked.ID+"/edit"), 200)
	admintest.Wants(t, page, `name="title"`, `name="description"`, "A-1 One</a>: what you change here changes there too.")
	form := admintest.Fill(admintest.Fields(page), "title", "One and all")
	admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/"+linked.ID+"/edit"), form, 303)),
		"Saved. The text of A-1 changed too.")
	d.Clock.Move(time.Minute)
	modelstest.Want(t, "the submission is called", d.Read(one.ID).Title, "One and all")
	form = admintest.Fill(admintest.Fields(b.Get(d.At("/sessions/"+linked.ID+"/edit"), 200)), "capacity", "12")
	admintest.Lacks(t, b.Follow(b.Post(d.At("/sessions/"+linked.ID+"/edit"), form, 303)), "changed too")
	page = b.Get(d.At("/sessions/"+linked.ID+"/versions"), 200)
	admintest.Wants(t, page, "what you change here changes there too")
	versions := modelstest.Must(d.Programme().Versions(t.Context(), d.Read(linked.ID)))(t)
	admintest.Wants(t, b.Follow(restore(b, page, linked.ID, versions[len(versions)-1].ID, 303)), "are again those of",
		"The text of A-1 changed too.")
}

func TestWhoDeclinesWhatIsPublicIsTold(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	s := d.Session(models.NewSession{Title: "Open house"})
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID,
		models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
	form := admintest.Fill(admintest.Fields(b.Get(d.At("/sessions/"+s.ID), 200)), "status", string(models.Declined))
	admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/"+s.ID+"/status"), form, 303)),
		"It is declined now. It is still public.")
}
