package sessions_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestATextIsEditedOnBothRecordsThatShareIt(t *testing.T) {
	d := admintest.Open(t)
	one := d.Accepted("One")[0]
	s := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	b := d.As(staff.Organizer)
	modelstest.Emitted(t, d.Fixture)
	for i, edited := range []*models.Session{s, one} {
		other := []*models.Session{one, s}[i]
		address := d.At("/sessions/" + edited.ID + "/text")
		admintest.Wants(t, b.Get(address, 200),
			other.FriendlyID+" "+d.Read(other.ID).Title+"</a>: what you change here changes there too.", "Save both", "rich.js")
		form := admintest.Fill(admintest.Fields(b.Text), "title", "New "+edited.FriendlyID,
			"description", "Plain text\n\nin two paragraphs")
		d.Clock.Move(time.Minute)
		page := b.Follow(b.Post(address, form, 303))
		admintest.Wants(t, page, "Saved on "+edited.FriendlyID+" and "+other.FriendlyID+".", "New "+edited.FriendlyID)
		modelstest.WantAll(t, "the emissions", d.Emissions(), []string{"session.updated S-1", "session.updated A-1"})
		now := d.Read(one.ID)
		modelstest.Want(t, "the title", now.Title, d.Read(s.ID).Title)
		modelstest.Want(t, "the description", now.Description, "<p>Plain text</p>\n<p>in two paragraphs</p>")
		admintest.Wants(t, b.Follow(b.Post(address, admintest.Fields(b.Get(address, 200)), 303)), "Nothing was changed.")
	}
}

func TestWhatIsRemovedOnSaveIsShownBefore(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Alone"})
	b := d.As(staff.Organizer)
	address := d.At("/sessions/" + s.ID + "/text")
	form := admintest.Fields(b.Get(address, 200))
	form.Set("description", `<p onclick="x()">Kept</p><script>alert(1)</script><a href="javascript:y()">text</a>`)
	page := b.Answer(address, form, 200)
	admintest.Wants(t, page, "Removed on save", "A script", "A link", "javascript:y()", "Onclick of &lt;p&gt;",
		"As it will read", `<p dir="auto">Kept</p>text`, "&lt;script&gt;alert(1)")
	modelstest.Want(t, "saved before it was seen", d.Read(s.ID).Description, "")
	// Another text than the one that was shown is looked at again.
	form = admintest.Fields(page)
	form.Set("description", form.Get("description")+"<iframe></iframe>")
	page = b.Answer(address, form, 200)
	admintest.Wants(t, page, "An embedded page")
	admintest.Wants(t, b.Follow(b.Post(address, admintest.Fields(page), 303)), "Saved. Removed: ", "a script")
	modelstest.Want(t, "the description", d.Read(s.ID).Description, "<p>Kept</p>text")
	form = admintest.Fill(admintest.Fields(b.Get(address, 200)), "title", " ")
	admintest.Wants(t, b.Answer(address, form, 422), "Title must not be empty", "Kept")

	// So it is on the page of a composition.
	one := d.Accepted("One")[0]
	form = admintest.Fill(admintest.Fields(b.Get(d.At("/compose?id="+one.ID), 200)), "description_from", "new",
		"description", "<p>Typed</p><script>x()</script>")
	page = b.Answer(d.At("/compose"), admintest.Pressed(form, "compose"), 200)
	admintest.Wants(t, page, "Removed on save", "A script", "&lt;script&gt;x()")
	admintest.Wants(t, b.Follow(b.Post(d.At("/compose"), admintest.Pressed(admintest.Fields(page), "compose"), 303)),
		"saved without a script")
	modelstest.Want(t, "the description", d.Composed(one).Description, "<p>Typed</p>")
}

func TestAStaleTextIsToldOfWhicheverSideChanged(t *testing.T) {
	d := admintest.Open(t)
	one := d.Accepted("One")[0]
	s := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	b := d.As(staff.Organizer)
	li := d.Store.Programme(d.Event, store.By{Door: "admin", ActorName: "Li"})
	for i, edited := range []*models.Session{s, one} {
		other := []*models.Session{one, s}[i]
		address := d.At("/sessions/" + edited.ID + "/text")
		mine := admintest.Fill(admintest.Fields(b.Get(address, 200)), "title", "Mine")

		// Something else of the other record: both fit together, and nothing typed is lost.
		d.Clock.Move(time.Minute)
		modelstest.Must(li.UpdateSession(t.Context(), other.ID,
			models.SessionChange{SessionInput: models.SessionInput{Capacity: store.Some(10 + i)}}))(t)
		page := b.Answer(address, mine, 409)
		admintest.Wants(t, page, "Li changed "+other.FriendlyID, `value="Mine"`, "Nothing of what you typed is lost")
		b.Post(address, admintest.Fields(page), 303) // the two tokens are of two moments
		mine = admintest.Fill(admintest.Fields(b.Get(address, 200)), "title", "Mine again")

		// The text itself: it is chosen.
		d.Clock.Move(time.Minute)
		modelstest.Must(li.ChangeText(t.Context(), edited.ID,
			models.TextChange{Title: new("Theirs " + edited.FriendlyID)}))(t)
		page = b.Answer(address, mine, 409)
		admintest.Wants(t, page, "Li changed Title", "Choose which to keep", "Theirs "+edited.FriendlyID, "Mine again")
		form := admintest.Fill(admintest.Fields(page), "title", "Mine "+edited.FriendlyID)
		b.Post(address, form, 303)
		modelstest.Want(t, "the title", d.Read(one.ID).Title, "Mine "+edited.FriendlyID)
		modelstest.Want(t, "the title", d.Read(s.ID).Title, "Mine "+edited.FriendlyID)
	}
	// Detached meanwhile: what was to be said of both is said of one.
	address := d.At("/sessions/" + one.ID + "/text")
	form := admintest.Fill(admintest.Fields(b.Get(address, 200)), "title", "Its own")
	modelstest.Must(li.Detach(t.Context(), s.ID))(t)
	page := b.Answer(address, form, 409)
	admintest.Wants(t, page, "Li detached it from the other record", `value="Its own"`)
	admintest.Lacks(t, page, "changes there too")
	b.Post(address, admintest.Fields(page), 303)
	if d.Read(one.ID).Title != "Its own" || d.Read(s.ID).Title == "Its own" {
		t.Error(d.Read(s.ID).Title)
	}
}

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
	admintest.Wants(t, b.Get(d.At("/sessions/"+one.ID+"/edit"), 200), "one text with", d.At("/sessions/"+linked.ID))
	admintest.Lacks(t, b.Text, `name="title"`, `name="description"`, "rich.js")
	form := admintest.Fill(admintest.Fields(b.Text), "status", string(models.Withdrawn))
	b.Post(d.At("/sessions/"+one.ID+"/edit"), form, 303)
	if now := d.Read(one.ID); now.Status != models.Withdrawn || now.Title != "One" {
		t.Errorf("it is %s %q", now.Status, now.Title)
	}
	admintest.Wants(t, b.Get(d.At("/sessions/"+linked.ID+"/edit"), 200), `name="title"`, `name="description"`)

	both := modelstest.Must(d.Programme().Compose(t.Context(), []string{two.ID, gone.ID}, ""))(t)
	modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
	admintest.Lacks(t, b.Get(d.At("/sessions/"+both.ID+"/edit"), 200), "changes there too")
	admintest.Wants(t, b.Get(d.At("/sessions/"+both.ID), 200), "A-2 Two &lt;b&gt;")
	admintest.Lacks(t, b.Text, d.At("/sessions/"+gone.ID))
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
	admintest.Lacks(t, b.Follow(b.Send(d.At("/sessions/"+linked.ID+"/edit"), 303, "capacity", "12")), "changed too")
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
