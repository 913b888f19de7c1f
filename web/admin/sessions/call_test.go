package sessions_test

import (
	"net/url"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// began is a draft that somebody began in public, with an address that nobody has proven.
func began(t *testing.T, d *admintest.Desk, title, email string) *cfp.Begun {
	t.Helper()
	call := cfp.Of(d.Programme())
	modelstest.Fine(t, call.Start(t.Context()))
	now := d.Clock.Now()
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{
		CFPOpensAt:  store.Some(store.At(now.Add(-time.Hour))),
		CFPClosesAt: store.Some(store.At(now.Add(30 * 24 * time.Hour)))}))(t)
	event := modelstest.Must(d.EventBy(t.Context(), d.Event.ID))(t)
	return modelstest.Must(cfp.Begin(t.Context(), d.Store, event, cfp.Beginning{Name: "Nomvula Dlamini", Email: email,
		Title: title, Browser: cfp.Browser{Address: "192.0.2.7", Agent: "Browser/1"}}, store.By{Door: "call"}))(t)
}

func TestStaffLookAfterAProposalOnItsRecord(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		begun := began(t, d, "Moving ledgers", "typed@example.org")
		id, who := begun.Session.ID, begun.Account.ContactID
		olga, rea := d.As(staff.Organizer), d.As(staff.Reviewer)
		record := d.At("/sessions/" + id)
		admintest.Wants(t, olga.Get(record, 200), "Draft of Nomvula Dlamini", "not submitted", "address is not confirmed")
		for _, verb := range []string{"lock", "reopen", "extend", "submit", "take-up", "invite", "link", "answer"} {
			rea.Post(record+"/call/"+verb, url.Values{"contact": {who}, "updated_at": {begun.Session.UpdatedAt.String()}}, 403)
		}
		rea.Get(record, 404) // a draft
		olga.Post(record+"/call/lock", url.Values{"lock": {"yes"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "Unlock", "its people cannot change it", "locked it for its people")
		olga.Post(record+"/call/reopen", url.Values{"until": {"2020-01-01T10:00"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "is past already")
		olga.Post(record+"/call/reopen", url.Values{"until": {"2027-03-01T23:59"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "For its people until", "Lock", "reopened it for its people")
		olga.Post(record+"/call/extend", url.Values{"contact": {who}, "until-" + who: {"2027-03-02T10:00"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "May write until")
		olga.Post(record+"/call/submit", url.Values{"updated_at": {"2020-01-01T00:00:00.000Z"}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "Somebody changed it since", "not submitted")
		to, _ := olga.Post(record+"/call/submit", url.Values{"updated_at": {d.Read(id).UpdatedAt.String()}}, 303)
		admintest.Wants(t, olga.Get(to, 200), "before you can submit", "Submit as it is") // much is missing
		sent := admintest.Fill(olga.FilledIn(to, nil), "do", "as-it-is")
		olga.Post(record+"/answers", sent, 303)
		admintest.Wants(t, olga.Get(record, 200), "It is submitted", "Submitted by Nomvula Dlamini")
		admintest.Lacks(t, rea.Get(record, 200), "/call/")
		olga.Post(record+"/call/submit", url.Values{"updated_at": {d.Read(id).UpdatedAt.String()}}, 303)
		admintest.Wants(t, olga.Get(record, 200), "is no draft any more")
		olga.Post(record+"/call/invite", url.Values{"contact": {who}}, 303)
		rows, _, err := letters.Of(d.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
			letters.Choice{Kind: models.LetterCall}, store.Page{})
		modelstest.Fine(t, err)
		if len(rows) != 2 || rows[0].Email != "typed@example.org" || rows[1].Email != "typed@example.org" {
			t.Errorf("%d letters: %+v", len(rows), rows)
		}
		_, page := olga.Post(record+"/call/link", url.Values{"contact": {who}}, 200)
		admintest.Wants(t, page, "http://127.0.0.1/events/", "/place/link/", "for 14 days")
		location, _ := olga.Post(record+"/call/answer", url.Values{}, 303)
		admintest.Wants(t, olga.Get(location, 200), "about “Moving ledgers” (A-1)", "Dear {{first_name}}")
		olga.Post(record+"/call/invite", url.Values{"contact": {store.NewID()}}, 404)
		olga.Post(d.At("/sessions/"+store.NewID()+"/call/lock"), url.Values{"lock": {"yes"}}, 404)
	})
}
