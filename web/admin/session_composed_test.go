package admin

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestBothSidesOfACompositionShowEachOther(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	one, two, gone := d.session(models.NewSession{Title: "One", IsAbstract: true}),
		d.session(models.NewSession{Title: "Two <b>", IsAbstract: true}),
		d.session(models.NewSession{Title: "Gone", IsAbstract: true})
	linked := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	wants(t, b.get(d.at("/sessions/"+one.ID), 200), "Session made of it", `href="`+d.at("/sessions/"+linked.ID)+`"`, "S-1 One")
	wants(t, b.get(d.at("/sessions/"+linked.ID), 200), "Made from", `href="`+d.at("/sessions/"+one.ID)+`"`, "A-1 One")

	// The text of a linked abstract is edited on the other side; the rest here.
	page := b.get(d.at("/sessions/"+one.ID+"/edit"), 200)
	wants(t, page, "one text with", d.at("/sessions/"+linked.ID))
	lacks(t, page, `name="title"`, `name="description"`, "rich.js")
	form := fields(page)
	form.Set("status", string(models.Withdrawn))
	b.post(d.at("/sessions/"+one.ID+"/edit"), form, 303)
	if now := modelstest.Must(d.Programme().Session(t.Context(), one.ID))(t); now.Status != models.Withdrawn ||
		now.Title != "One" {
		t.Errorf("it is %s %q", now.Status, now.Title)
	}
	wants(t, b.get(d.at("/sessions/"+linked.ID+"/edit"), 200), `name="title"`, `name="description"`)

	both := modelstest.Must(d.Programme().Compose(t.Context(), []string{two.ID, gone.ID}, ""))(t)
	modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
	lacks(t, b.get(d.at("/sessions/"+both.ID+"/edit"), 200), "changes there too")
	page = b.get(d.at("/sessions/"+both.ID), 200)
	wants(t, page, "A-2 Two &lt;b&gt;")
	lacks(t, page, d.at("/sessions/"+gone.ID))
	if sources := modelstest.Must(d.Elsewhere().Sources(t.Context(), both.ID))(t); len(sources) > 0 {
		t.Errorf("another event sees %+v", sources)
	}
}

func TestOneTextWithASubmissionIsSaidToBe(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	one := d.session(models.NewSession{Title: "One", IsAbstract: true})
	linked := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	page := b.get(d.at("/sessions/"+linked.ID+"/edit"), 200)
	wants(t, page, `name="title"`, `name="description"`, "A-1 One</a>: what you change here changes there too.")
	form := fields(page)
	form.Set("title", "One and all")
	wants(t, b.follow(b.post(d.at("/sessions/"+linked.ID+"/edit"), form, 303)), "Saved. The text of A-1 changed too.")
	d.Clock.Move(time.Minute)
	if now := d.read(one.ID); now.Title != "One and all" {
		t.Errorf("the submission is called %q", now.Title)
	}
	form = fields(b.get(d.at("/sessions/"+linked.ID+"/edit"), 200))
	form.Set("capacity", "12")
	lacks(t, b.follow(b.post(d.at("/sessions/"+linked.ID+"/edit"), form, 303)), "changed too")
	page = b.get(d.at("/sessions/"+linked.ID+"/versions"), 200)
	wants(t, page, "what you change here changes there too")
	versions := modelstest.Must(d.Programme().Versions(t.Context(), d.read(linked.ID)))(t)
	wants(t, b.follow(b.restore(page, linked.ID, versions[len(versions)-1].ID, 303)), "are again those of",
		"The text of A-1 changed too.")
}

func TestWhoDeclinesWhatIsPublicIsTold(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	b := d.as(staff.Organizer)
	s := d.session(models.NewSession{Title: "Open house"})
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID,
		models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
	form := fields(b.get(d.at("/sessions/"+s.ID), 200))
	form.Set("status", string(models.Declined))
	wants(t, b.follow(b.post(d.at("/sessions/"+s.ID+"/status"), form, 303)),
		"It is declined now. It is still public.")
}
