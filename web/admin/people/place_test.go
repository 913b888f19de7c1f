package people_test

import (
	"net/url"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestSomebodyIsInvitedToTheirPlaceFromTheirPage(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		at := func(p *models.Programme, name, email string) string {
			who := modelstest.Must(p.CreateContact(t.Context(), models.NewContact{FirstName: name, Email: email}))(t)
			modelstest.Must(people.Of(p).PutAtEvent(t.Context(), who.ID))(t)
			return who.ID
		}
		ada, mute := at(d.Programme(), "Ada", "ada@example.org"), at(d.Programme(), "Mute", "")
		far := at(d.Elsewhere(), "Far", "far@example.org")
		olga, rea := d.As(staff.Organizer), d.As(staff.Viewer)
		queued := func() int {
			rows, _, err := letters.Of(d.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
				letters.Choice{Kind: models.LetterCall}, store.Page{})
			modelstest.Fine(t, err)
			return len(rows)
		}
		for i, person := range []string{d.At("/speakers/" + ada), "/admin/contacts/" + ada} {
			admintest.Wants(t, olga.Get(person, 200), "Their place", person+"/invite", person+"/link", "Invite by letter",
				"Copy a link")
			form := func() url.Values { return url.Values{"place_of": {d.Event.ID}} }
			admintest.Wants(t, olga.Follow(olga.Post(person+"/invite", form(), 303)), "The invitation waits in the outbox")
			if n := queued(); n != 2*i+1 { // a link that is copied is told of by one
				t.Errorf("%d letters wait", n)
			}
			_, page := olga.Post(person+"/link", form(), 200)
			admintest.Wants(t, page, "http://127.0.0.1/events/"+d.Event.Slug+"/place/link/", `href="`+person)
			admintest.Lacks(t, rea.Get(person, 200), "Their place")
			rea.Post(person+"/invite", form(), 403)
			rea.Post(person+"/link", form(), 403)
		}
		admintest.Wants(t, olga.Get(d.At("/speakers/"+ada), 200), "made a link to their place", "invited them to their place")
		olga.Get(d.At("/speakers/"+mute), 200)
		admintest.Wants(t, olga.Follow(olga.Post(d.At("/speakers/"+mute+"/invite"), nil, 303)), "no e-mail address")
		admintest.Wants(t, olga.Follow(olga.Post(d.At("/speakers/"+mute+"/link"), nil, 303)), "no e-mail address")
		// Who is at another event alone is invited by that one.
		olga.Post(d.At("/speakers/"+far+"/link"), nil, 404)
		olga.Post("/admin/contacts/"+far+"/link", url.Values{"place_of": {d.Event.ID}}, 404)
		olga.Post("/admin/contacts/"+far+"/link", url.Values{"place_of": {store.NewID()}}, 404)
		admintest.Wants(t, olga.Get("/admin/contacts", 200), "Invite to their place", "?template=place")
		admintest.Wants(t, olga.Follow(olga.Post("/admin/contacts/write?template=place", url.Values{"id": {ada, far},
			"letter_of": {d.Event.ID}}, 303)), "{{event}}: your sessions and what we need from you", "{{place_link}}",
			"2 people")
	})
}
