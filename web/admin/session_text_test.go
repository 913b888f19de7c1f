package admin

import (
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestATextIsEditedOnBothRecordsThatShareIt(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	one := d.accepted("One")[0]
	s := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	b := d.as(staff.Organizer)
	modelstest.Emitted(t, d.Fixture)
	for i, edited := range []*models.Session{s, one} {
		other := []*models.Session{one, s}[i]
		address := d.at("/sessions/" + edited.ID + "/text")
		page := b.get(address, 200)
		wants(t, page, other.FriendlyID+" "+d.read(other.ID).Title+"</a>: what you change here changes there too.",
			"Save both", "rich.js")
		form := fields(page)
		form.Set("title", "New "+edited.FriendlyID)
		form.Set("description", "Plain text\n\nin two paragraphs")
		d.Clock.Move(time.Minute)
		page = b.follow(b.post(address, form, 303))
		wants(t, page, "Saved on "+edited.FriendlyID+" and "+other.FriendlyID+".", "New "+edited.FriendlyID)
		if got := d.emissions(); !slices.Equal(got, []string{"session.updated S-1", "session.updated A-1"}) {
			t.Errorf("%v", got)
		}
		now := d.read(one.ID)
		if now.Title != d.read(s.ID).Title || now.Description != "<p>Plain text</p>\n<p>in two paragraphs</p>" {
			t.Errorf("%+v", now)
		}
		wants(t, b.follow(b.post(address, fields(b.get(address, 200)), 303)), "Nothing was changed.")
	}
}

func TestWhatIsRemovedOnSaveIsShownBefore(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Alone"})
	b := d.as(staff.Organizer)
	address := d.at("/sessions/" + s.ID + "/text")
	form := fields(b.get(address, 200))
	form.Set("description", `<p onclick="x()">Kept</p><script>alert(1)</script><a href="javascript:y()">text</a>`)
	page := second(b.post(address, form, 200))
	wants(t, page, "Removed on save", "A script", "A link", "javascript:y()", "Onclick of &lt;p&gt;",
		"As it will read", "<p>Kept</p>text",
		"&lt;script&gt;alert(1)")
	if got := d.read(s.ID).Description; got != "" {
		t.Errorf("saved before it was seen: %s", got)
	}
	// Another text than the one that was shown is looked at again.
	form = fields(page)
	form.Set("description", form.Get("description")+"<iframe></iframe>")
	page = second(b.post(address, form, 200))
	wants(t, page, "An embedded page")
	wants(t, b.follow(b.post(address, fields(page), 303)), "Saved. Removed: ", "a script")
	if got := d.read(s.ID).Description; got != "<p>Kept</p>text" {
		t.Errorf("%s", got)
	}
	form = fields(b.get(address, 200))
	form.Set("title", " ")
	wants(t, second(b.post(address, form, 422)), "Title must not be empty", "Kept")

	// So it is on the page of a composition.
	one := d.accepted("One")[0]
	form = fields(b.get(d.at("/compose?id="+one.ID), 200))
	form.Set("description_from", "new")
	form.Set("description", "<p>Typed</p><script>x()</script>")
	page = b.composing(form, "compose", 200)
	wants(t, page, "Removed on save", "A script", "&lt;script&gt;x()")
	wants(t, b.follow(b.post(d.at("/compose"), pressed(fields(page), "compose"), 303)), "saved without a script")
	if got := d.composed(one).Description; got != "<p>Typed</p>" {
		t.Error(got)
	}
}

func TestAStaleTextIsToldOfWhicheverSideChanged(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	one := d.accepted("One")[0]
	s := modelstest.Must(d.Programme().Compose(t.Context(), []string{one.ID}, ""))(t)
	b := d.as(staff.Organizer)
	li := d.Store.Programme(d.Event, store.By{Door: "admin", ActorName: "Li"})
	for i, edited := range []*models.Session{s, one} {
		other := []*models.Session{one, s}[i]
		address := d.at("/sessions/" + edited.ID + "/text")
		mine := fields(b.get(address, 200))
		mine.Set("title", "Mine")

		// Something else of the other record: both fit together, and nothing typed is lost.
		d.Clock.Move(time.Minute)
		modelstest.Must(li.UpdateSession(t.Context(), other.ID,
			models.SessionChange{SessionInput: models.SessionInput{Capacity: store.Some(10 + i)}}))(t)
		page := second(b.post(address, mine, 409))
		wants(t, page, "Li changed "+other.FriendlyID, `value="Mine"`, "Nothing of what you typed is lost")
		b.post(address, fields(page), 303) // the two tokens are of two moments
		mine = fields(b.get(address, 200))
		mine.Set("title", "Mine again")

		// The text itself: it is chosen.
		d.Clock.Move(time.Minute)
		modelstest.Must(li.ChangeText(t.Context(), edited.ID,
			models.TextChange{Title: new("Theirs " + edited.FriendlyID)}))(t)
		page = second(b.post(address, mine, 409))
		wants(t, page, "Li changed Title", "Choose which to keep", "Theirs "+edited.FriendlyID, "Mine again")
		form := fields(page)
		form.Set("title", "Mine "+edited.FriendlyID)
		b.post(address, form, 303)
		if d.read(one.ID).Title != "Mine "+edited.FriendlyID || d.read(s.ID).Title != "Mine "+edited.FriendlyID {
			t.Error(d.read(one.ID).Title)
		}
	}
	// Detached meanwhile: what was to be said of both is said of one.
	address := d.at("/sessions/" + one.ID + "/text")
	form := fields(b.get(address, 200))
	form.Set("title", "Its own")
	modelstest.Must(li.Detach(t.Context(), s.ID))(t)
	page := second(b.post(address, form, 409))
	wants(t, page, "Li detached it from the other record", `value="Its own"`)
	lacks(t, page, "changes there too")
	b.post(address, fields(page), 303)
	if d.read(one.ID).Title != "Its own" || d.read(s.ID).Title == "Its own" {
		t.Error(d.read(s.ID).Title)
	}
}
