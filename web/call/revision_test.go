package call

import (
	"net/url"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/revisions"
	"lectern/models/store"
)

// approvedTalk puts Ada's talk into the programme of an event that asks for approval, and approves its content.
func approvedTalk(t *testing.T, f *modelstest.Fixture) (c *cast, s *models.Session) {
	t.Helper()
	c, ctx := newCast(t, f), t.Context()
	f.Event = modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{AsksApproval: new(true)}))(t)
	p := f.Programme()
	s = modelstest.Must(p.Compose(ctx, []string{c.talk.ID}, ""))(t)
	return c, modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{Title: new("Tides"), ContentState: new(models.ContentApproved)}))(t)
}

func TestASpeakerChangesATextThatThenWaits(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c, s := approvedTalk(t, f)
		mine, at := placeAt+"/proposals/"+c.talk.ID, placeAt+"/sessions/"+s.ID+"/text"
		wants(t, c.ada.get(mine, 200), "In the programme", at)
		wants(t, c.ada.get(at, 200), "The organizers approved this text.", `value="Tides"`)
		lacks(t, c.ada.text, "Take my change back")
		form := fill(c.ada.fields(), "title", "Tides & <b>moons</b>", "description", "Two\r\nlines")
		wants(t, c.ada.follow(c.ada.post(at, form, 303)), "Your change waits for the organizers.",
			"Tides &amp; &lt;b&gt;moons", "Take my change back", "Two\nlines")
		wants(t, c.ada.get(mine, 200), "Your change waits for the organizers.")
		modelstest.Want(t, "it is called", modelstest.Must(f.Programme().Session(t.Context(), s.ID))(t).Title, "Tides")
		form.Set("title", "Later")
		wants(t, c.ada.answer(at, form, 409), "Tides &amp; &lt;b&gt;moons", "Later")
		c.ada.get(at, 200)
		form = fill(c.ada.fields(), "title", " ")
		c.ada.post(at, form, 422)
		form.Set("do", "take-back")
		page := c.ada.follow(c.ada.post(at, form, 303))
		wants(t, page, "Your change is taken back.", `value="Tides"`)
		c.bo.get(at, 404)
		f.Event = modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{AsksApproval: new(false)}))(t)
		c.ada.get(at, 404)
		lacks(t, c.ada.get(mine, 200), "In the programme")
	})
}

func TestAProfileShowsWhatWaitsOfIt(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		c, _ := approvedTalk(t, f)
		const at = placeAt + "/profile"
		c.ada.get(at, 200)
		form := url.Values{"first_name": {"Ada"}, "was_first_name": {"Ada"}, "about": {"Sails."}, "was_about": {""}}
		page := c.ada.follow(c.ada.post(at, form, 303))
		wants(t, page, "Saved.", "The organizers look at what you changed (biography)", ">Sails.<")
		w := modelstest.Must(revisions.Of(f.Programme()).OfPerson(t.Context(), c.adaID))(t)
		if w == nil || w.Person.About != "" || *w.About != "Sails." {
			t.Fatalf("%+v", w)
		}
		form.Set("was_about", "Sails.") // another field alone leaves it waiting
		form.Set("job_title", "Pilot")
		wants(t, c.ada.follow(c.ada.post(at, form, 303)), "Saved.", "(biography)")
		c.ada.get(at+"/photo", 404)
		c.ada.get(at, 200)
		form = fill(c.ada.fields(), "first_name", "Ada", "about", "Sails.")
		c.ada.send(at, form, "photo", "me.png", string(modelstest.Picture(t, 9, 9)), 303)
		wants(t, c.ada.get(at, 200), "(biography and photo)", `src="/events/conf/place/profile/photo"`)
		c.ada.get(at+"/photo", 200)
		to, _ := c.ada.post(at, url.Values{"do": {"take-back"}, "job_title": {"Helmsman"}, "was_job_title": {"Pilot"}, "about": {"Typed."},
			"was_about": {"Sails."}, "first_name": {"Ada"}, "was_first_name": {"Ada"}}, 303)
		lacks(t, c.ada.get(to, 200), "The organizers look at", "Typed.")
		wants(t, c.ada.text, "Your change is taken back.", `value="Helmsman"`)
		modelstest.Want(t, "waiting", modelstest.Must(revisions.Of(f.Programme()).Count(t.Context()))(t), 0)
		if all, _, err := revisions.Of(f.Programme()).All(t.Context(), store.Page{Number: 1, Size: 5}); err != nil || len(all) != 0 {
			t.Errorf("%v %v", all, err)
		}
		lacks(t, c.ada.page, "Sails.")
	})
}
