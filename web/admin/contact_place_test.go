package admin

import (
	"net/url"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestSomebodyIsInvitedToTheirPlaceFromTheirPage(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{})
		at := func(p *models.Programme, name, email string) string {
			who := modelstest.Must(p.CreateContact(t.Context(), models.NewContact{FirstName: name, Email: email}))(t)
			modelstest.Must(people.Of(p).PutAtEvent(t.Context(), who.ID))(t)
			return who.ID
		}
		ada, mute := at(d.Programme(), "Ada", "ada@example.org"), at(d.Programme(), "Mute", "")
		far := at(d.Elsewhere(), "Far", "far@example.org")
		olga, rea := d.as(staff.Organizer), d.as(staff.Viewer)
		queued := func() int {
			rows, _, err := d.Programme().LettersIn(t.Context(), models.QueuedLetters,
				models.LetterChoice{Kind: models.LetterCall}, store.Page{})
			modelstest.Fine(t, err)
			return len(rows)
		}
		for i, person := range []string{d.at("/speakers/" + ada), "/admin/contacts/" + ada} {
			wants(t, olga.get(person, 200), "Their place", person+"/invite", person+"/link", "Invite by letter", "Copy a link")
			form := func() url.Values { return url.Values{"place_of": {d.Event.ID}} }
			wants(t, olga.follow(olga.post(person+"/invite", form(), 303)), "The invitation waits in the outbox")
			if n := queued(); n != 2*i+1 { // a link that is copied is told of by one
				t.Errorf("%d letters wait", n)
			}
			_, page := olga.post(person+"/link", form(), 200)
			wants(t, page, "http://127.0.0.1/events/"+d.Event.Slug+"/place/link/", `href="`+person)
			lacks(t, rea.get(person, 200), "Their place")
			rea.post(person+"/invite", form(), 403)
			rea.post(person+"/link", form(), 403)
		}
		wants(t, olga.get(d.at("/speakers/"+ada), 200), "made a link to their place", "invited them to their place")
		olga.get(d.at("/speakers/"+mute), 200)
		wants(t, olga.follow(olga.post(d.at("/speakers/"+mute+"/invite"), nil, 303)), "no e-mail address")
		wants(t, olga.follow(olga.post(d.at("/speakers/"+mute+"/link"), nil, 303)), "no e-mail address")
		// Who is at another event alone is invited by that one.
		olga.post(d.at("/speakers/"+far+"/link"), nil, 404)
		olga.post("/admin/contacts/"+far+"/link", url.Values{"place_of": {d.Event.ID}}, 404)
		olga.post("/admin/contacts/"+far+"/link", url.Values{"place_of": {store.NewID()}}, 404)
		wants(t, olga.get("/admin/contacts", 200), "Invite to their place", "?template=place")
		location, _ := olga.post("/admin/contacts/write?template=place", url.Values{"id": {ada, far}, "letter_of": {d.Event.ID}}, 303)
		wants(t, olga.get(location, 200), "{{event}}: your sessions and what we need from you", "{{place_link}}", "2 people")
	})
}
