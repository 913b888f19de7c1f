package admin

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// began is a draft that somebody began in public, with an address that nobody has proven.
func began(t *testing.T, d *desk, title, email string) *cfp.Begun {
	t.Helper()
	call := cfp.Of(d.Programme())
	modelstest.Fine(t, call.Start(t.Context()))
	now := d.Clock.Now()
	_, err := d.Programme().UpdateEvent(t.Context(), models.EventChange{
		CFPOpensAt:  store.Some(store.At(now.Add(-time.Hour))),
		CFPClosesAt: store.Some(store.At(now.Add(30 * 24 * time.Hour)))})
	modelstest.Fine(t, err)
	event := modelstest.Must(d.EventBy(t.Context(), d.Event.ID))(t)
	return modelstest.Must(cfp.Begin(t.Context(), d.Store, event, cfp.Beginning{Name: "Nomvula Dlamini", Email: email,
		Title: title, Browser: cfp.Browser{Address: "192.0.2.7", Agent: "Browser/1"}}, store.By{Door: "call"}))(t)
}

func TestStaffLookAfterAProposalOnItsRecord(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openOn(t, dialect, Options{})
		begun := began(t, d, "Moving ledgers", "typed@example.org")
		id, who := begun.Session.ID, begun.Account.ContactID
		olga, rea := d.as(staff.Organizer), d.as(staff.Reviewer)
		record := d.at("/sessions/" + id)
		wants(t, olga.get(record, 200), "Draft of Nomvula Dlamini", "not submitted", "address is not confirmed")
		for _, verb := range []string{"lock", "reopen", "extend", "submit", "take-up", "invite", "link", "answer"} {
			rea.post(record+"/call/"+verb, url.Values{"contact": {who}, "updated_at": {begun.Session.UpdatedAt.String()}}, 403)
		}
		rea.get(record, 404) // a draft
		olga.post(record+"/call/lock", url.Values{"lock": {"yes"}}, 303)
		wants(t, olga.get(record, 200), "Unlock", "its people cannot change it", "locked it for its people")
		olga.post(record+"/call/reopen", url.Values{"until": {"2020-01-01T10:00"}}, 303)
		wants(t, olga.get(record, 200), "is past already")
		olga.post(record+"/call/reopen", url.Values{"until": {"2027-03-01T23:59"}}, 303)
		wants(t, olga.get(record, 200), "For its people until", "Lock", "reopened it for its people")
		olga.post(record+"/call/extend", url.Values{"contact": {who}, "until-" + who: {"2027-03-02T10:00"}}, 303)
		wants(t, olga.get(record, 200), "May write until")
		olga.post(record+"/call/submit", url.Values{"updated_at": {"2020-01-01T00:00:00.000Z"}}, 303)
		wants(t, olga.get(record, 200), "Somebody changed it since", "not submitted")
		to, _ := olga.post(record+"/call/submit", url.Values{"updated_at": {d.read(id).UpdatedAt.String()}}, 303)
		wants(t, olga.get(to, 200), "before you can submit", "Submit as it is") // much is missing
		sent := olga.filledIn(to, nil)
		sent.Set("do", "as-it-is")
		olga.post(record+"/answers", sent, 303)
		wants(t, olga.get(record, 200), "It is submitted", "Submitted by Nomvula Dlamini")
		if page := rea.get(record, 200); strings.Contains(page, "/call/") {
			t.Error("a reviewer is offered what organizers do")
		}
		olga.post(record+"/call/submit", url.Values{"updated_at": {d.read(id).UpdatedAt.String()}}, 303)
		wants(t, olga.get(record, 200), "is no draft any more")
		olga.post(record+"/call/invite", url.Values{"contact": {who}}, 303)
		rows, _, err := d.Programme().LettersIn(t.Context(), models.QueuedLetters,
			models.LetterChoice{Kind: models.LetterCall}, store.Page{})
		modelstest.Fine(t, err)
		if len(rows) != 2 || rows[0].Email != "typed@example.org" || rows[1].Email != "typed@example.org" {
			t.Errorf("%d letters: %+v", len(rows), rows)
		}
		_, page := olga.post(record+"/call/link", url.Values{"contact": {who}}, 200)
		wants(t, page, "http://127.0.0.1/events/", "/place/link/", "for 14 days")
		location, _ := olga.post(record+"/call/answer", url.Values{}, 303)
		wants(t, olga.get(location, 200), "about “Moving ledgers” (A-1)", "Dear {{first_name}}")
		olga.post(record+"/call/invite", url.Values{"contact": {store.NewID()}}, 404)
		olga.post(d.at("/sessions/"+store.NewID()+"/call/lock"), url.Values{"lock": {"yes"}}, 404)
	})
}
