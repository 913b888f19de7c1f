package people_test

import (
	"net/url"
	"regexp"
	"strings"
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
			rows := modelstest.First(letters.Of(d.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
				letters.Choice{Kind: models.LetterCall}, store.Page{}))(t)
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

func TestAnOrganizerRestoresABiography(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	s := d.Session(models.NewSession{Title: "Tides"})
	ada := d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada"})
	for _, about := range []string{"<p>Sails <b>far</b>.</p>", "<p>Rows far.</p>"} {
		changed(d, d.Programme(), ada, "about", about)
	}
	at := d.At("/speakers/" + ada)
	admintest.Wants(t, b.Get(at, 200), at+"/biography")
	admintest.Wants(t, b.Get(at+"/biography", 200), ">Sails<", ">Rows<", "The text now", "Without a text.",
		"The first that is known")
	form := admintest.Fill(b.Hidden("updated_at"), "version", models.FirstVersion)
	admintest.Wants(t, b.Follow(b.Post(at+"/biography", form, 303)), "The biography is again that of")
	admintest.Wants(t, b.Follow(b.Post(at+"/biography", form, 303)), "so nothing was restored")
	form.Set("updated_at", "")
	b.Post(at+"/biography", form, 403)
	modelstest.Want(t, "it is", modelstest.Must(d.Programme().Contact(t.Context(), ada))(t).About, "")
}

func TestAbsencesAreTickedByTheDay(t *testing.T) {
	d := admintest.Open(t)
	ctx, p := t.Context(), d.Programme()
	d.Days("2027-05-20", "2027-05-21")
	const odd = "2027-05-21 09:30-10:00"
	ada := d.Person(p, "first_name", "Ada", "away", "2027-05-20 12:00-15:00;"+odd)
	b, path := d.As(staff.Organizer), d.At("/speakers/"+ada)
	page := b.Get(path, 200)
	ticked := regexp.MustCompile(`name="away" value="([^"]+)" checked`).FindAllStringSubmatch(page, -1)
	boxes := regexp.MustCompile(`name="away" value=`).FindAllString(page, -1)
	if len(ticked) != 2 || ticked[0][1] != "2027-05-20 12:00-15:00" || ticked[1][1] != odd || len(boxes) != 9 {
		t.Fatalf("%d boxes, ticked %q", len(boxes), ticked)
	}
	admintest.Wants(t, page, "Fri 21 May, 09:30 to 10:00", `aria-label="Thu 20 May, until 12:00"`)
	token := regexp.MustCompile(`action="[^"]+/availability"[\s\S]*?name="updated_at" value="([^"]+)"`).FindStringSubmatch(page)[1]
	b.Follow(b.Post(path+"/availability", url.Values{"updated_at": {token}, "away": {"2027-05-21 18:00-24:00", odd},
		"was_away": {"2027-05-20 12:00-15:00\r\n" + odd}}, 303))
	x := modelstest.Must(p.Directory().Person(ctx, ada))(t)
	modelstest.Want(t, "kept", odd+"\n2027-05-21 18:00-24:00", x.Here.Away)
	_, page = b.Post(path+"/availability", url.Values{"updated_at": {x.Here.UpdatedAt.String()}, "away": {"never"}}, 422)
	admintest.Wants(t, page, "never", "2027-05-20 12:00-15:00")
}

// The event of these tests is in Brussels, where 02:30 came twice on 31 October 2027 and not at all on 28 March.
func TestArrivalIsSaidByTheClocksOfTheEvent(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Ada", "workflow_status", "confirmed")
	b, here := d.As(staff.Organizer), d.Programme().Directory()
	path := d.At("/speakers/" + ada)
	admintest.Wants(t, b.Get(path, 200), `name="arrival" type="datetime-local"`, "By the clocks of Europe/Brussels.")
	form := admintest.Fields(b.Text)
	save := func(status int, pairs ...string) (page string) {
		t.Helper()
		_, page = b.Post(path+"/travel", admintest.Fill(form, pairs...), status)
		if status == 303 {
			form = admintest.Fields(b.Get(path, 200))
		}
		return page
	}
	arrival := func() string {
		t.Helper()
		here := modelstest.Must(here.Person(t.Context(), ada))(t).Here
		if here.Arrival == nil {
			return ""
		}
		return here.Arrival.String()
	}
	save(303, "arrival", "2027-05-20T14:20", "arrival_details", "KL 1693")
	modelstest.Want(t, "kept as", arrival(), "2027-05-20T12:20:00.000Z")
	admintest.Wants(t, b.Page, "20 May 2027, 14:20 CEST", `value="2027-05-20T14:20"`)
	before := modelstest.Must(here.Person(t.Context(), ada))(t).Here.UpdatedAt
	save(303)
	if now := modelstest.Must(here.Person(t.Context(), ada))(t).Here.UpdatedAt; !now.Equal(before.Time) {
		t.Error("saving what is there changed something")
	}
	admintest.Wants(t, save(422, "arrival", "2027-03-28T02:30", "hotel", "Quay"), "does not exist in Europe/Brussels",
		"Quay")
	admintest.Wants(t, save(422, "arrival", "2027-10-31T02:30"), "comes twice that night", `name="arrival_which"`,
		"The second, 02:30 CET")
	save(303, "arrival", "2027-10-31T02:30", "arrival_which", "2")
	modelstest.Want(t, "the second is", arrival(), "2027-10-31T01:30:00.000Z")
	form.Del("arrival_which")
	admintest.Wants(t, b.Get(d.At("/speakers?who=all"), 200), "Arrives Sun 31 Oct, 02:30 CET")
	admintest.Wants(t, b.Get(d.At("/speakers?who=all&columns=arrival"), 200), "Sun 31 Oct 2027, 02:30 CET")
	admintest.Wants(t, b.Get(d.At("/speakers.csv?who=all&columns=arrival"), 200), "2027-10-31 02:30 +01:00")
	admintest.Lacks(t, d.As(staff.Viewer).Get(path, 200), "31 Oct") // organizers alone read travel

	form = admintest.Fields(b.Get(path, 200))
	changed(d, d.Programme(), ada, "arrival", "2027-05-21T06:00:00Z")
	clash := save(409, "arrival", "2027-05-20T10:00")
	admintest.Wants(t, clash, "changed Arrival", "Fri 21 May 2027, 08:00 CEST", "Thu 20 May 2027, 10:00 CEST")
	form = admintest.Fill(admintest.Fields(clash), "arrival", "2027-05-20T10:00")
	save(303)
	modelstest.Want(t, "mine is kept as", arrival(), "2027-05-20T08:00:00.000Z")
	save(303, "arrival", "")
	if got := arrival(); got != "" || !strings.Contains(b.Get(d.At("/speakers?who=all&missing=travel"), 200), "Nobody") {
		t.Errorf("emptied it is %q; the details are known", got)
	}

	twin := d.Person(d.Programme(), "first_name", "Twin", "arrival", "2027-05-20T06:00:00Z")
	save(303, "arrival", "2027-05-20T09:00")
	admintest.Wants(t, d.As(staff.Owner).Get("/admin/contacts/"+ada+"/merge/"+twin, 200), "Thu 20 May 2027, 09:00 CEST",
		"Thu 20 May 2027, 08:00 CEST")
}
