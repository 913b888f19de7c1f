package call

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/store"
)

var mailedLink = regexp.MustCompile(`http://(?:127\.0\.0\.1|localhost:8080)(/events/conf/place/(?:link|join)/\S+)`)

// link waits for so many mails to an address, and returns the link in the last one.
func (s *stand) link(to string, mails int) string {
	s.t.Helper()
	var found []string
	if !modelstest.Comes(func() bool {
		s.mail.mu.Lock()
		defer s.mail.mu.Unlock()
		found = nil
		for _, mail := range s.mail.sent {
			if m := mailedLink.FindStringSubmatch(mail); m != nil && strings.HasPrefix(mail, to+"\n") {
				found = append(found, m[1])
			}
		}
		return len(found) >= mails
	}) {
		s.t.Fatalf("no mail with a link to %s", to)
	}
	return found[len(found)-1]
}

func TestSomebodyComesBackByAMailedLink(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b, at := s.begun("ingrid")
		page := b.get(placeAt, 200)
		wants(t, page, "Confirm your address", "Tides", "to finish", "Continue", "You are here as i…@example.org")
		link := s.link("ingrid@example.org", 1)
		wants(t, s.browser().get(link, 200), "Open my place")
		wants(t, b.get(placeAt, 200), "Confirm your address") // to look proves nothing
		b.on(link).post(link, nil, 303)
		wants(t, b.get(placeAt, 200), "Your address is confirmed.")
		lacks(t, b.text, "Confirm your address")

		other := s.browser()
		wants(t, other.leads(placeAt), placeAt+"/sign-in?next=")
		other.get(placeAt+"/sign-in", 200)
		s.Clock.Move(6 * time.Minute)
		_, asked := other.post(placeAt+"/link", url.Values{"link_email": {"ingrid@example.org"}}, 200)
		_, nobody := other.post(placeAt+"/link", url.Values{"link_email": {"nobody@example.org"}}, 200)
		if a, b := strings.ReplaceAll(plainPage(asked), "ingrid", "nobody"), plainPage(nobody); a != b {
			t.Errorf("the answers differ:\n%s\n%s", a, b)
		}
		link = s.link("ingrid@example.org", 2)
		other.on(link).post(link, nil, 303)
		wants(t, other.get(at, 200), "Tides", "Continue writing")
		other.on(placeAt+"/profile").post(placeAt+"/password", url.Values{"password": {"password123"}}, 422)
		other.on(placeAt+"/profile").post(placeAt+"/password", url.Values{"password": {modelstest.SecretPhrase}}, 303)
		wants(t, b.leads(placeAt), "sign-in") // ended with the new password
		b.on(placeAt+"/sign-in").post(placeAt+"/sign-in", url.Values{"email": {"ingrid@example.org"},
			"password": {"wrong wrong wrong"}}, 422)
		to, _ := b.on(placeAt+"/sign-in").post(placeAt+"/sign-in",
			url.Values{"email": {"Ingrid@example.org"}, "password": {modelstest.SecretPhrase},
				"next": {"https://evil.example/"}}, 303)
		modelstest.Want(t, "it leads to", to, placeAt)
		b.on(placeAt+"/profile").post(placeAt+"/leave-others", nil, 303)
		wants(t, other.leads(placeAt), "sign-in")
		b.on(placeAt).post(placeAt+"/leave", nil, 303)
		wants(t, b.leads(placeAt), "sign-in")
		s.browser().get(placeAt+"/link/"+strings.Repeat("x", 43), 404)
	})
}

func TestAPasswordThatSomebodyElseMayHaveSetIsWarnedOf(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		mallory := s.browser()
		mallory.starts(303, "title", "Tides", "name", "Ada", "email", "ada@example.org", "password", modelstest.SecretPhrase)
		ada, link := s.browser(), s.link("ada@example.org", 1)
		ada.on(link).post(link, nil, 303)
		wants(t, ada.get(placeAt, 200), "Your address is confirmed. A password had been set before",
			"notice warn")
	})
}

// plainPage returns a page without its form tokens, which differ each time.
func plainPage(page string) string { return tokenPattern.ReplaceAllString(page, "") }

func TestSomebodyReadsTheirLetterAndSaysThatTheyCome(t *testing.T) {
	s := open(t)
	b, at := s.begun("ingrid")
	_, theirs := s.begun("ada")
	talk := s.session(t, at)
	accepted := models.Accepted
	modelstest.SetStatus(t, s.Programme(), talk.ID, accepted)
	wants(t, b.get(placeAt, 200), "We would like to have it.", "Answer whether you come")
	s.SetLetter(t, s.Fixture.Event, talk.ID, models.LetterSent)
	modelstest.Exec(t, s.SQL, "UPDATE letters SET contact_id = '"+talk.Participants[0].ContactID+
		"', body = 'Yes, <script>please</script>.' WHERE session_id = '"+talk.ID+"'")
	wants(t, b.get(placeAt, 200), "Read and answer", "Your letter is here.")
	wants(t, b.get(at, 200), "Yes, &lt;script&gt;please", "Will you come?", "Letter sent to you", "What you submitted")
	b.post(at+"/coming", url.Values{"answer": {"perhaps"}}, 422)
	b.on(at).post(at+"/coming", url.Values{"answer": {"no"}, "reason": {"Ill"}}, 303)
	wants(t, b.get(at, 200), "You said that you cannot come.", "“<bdi>Ill</bdi>”")
	b.post(at+"/coming", url.Values{"answer": {"yes"}}, 303)
	wants(t, b.get(at, 200), "You said yes.")
	b.get(strings.Replace(at, "proposals", "sessions", 1), 303)
	b.get(theirs, 404)
	b.on(at).post(theirs+"/coming", url.Values{"answer": {"yes"}}, 404)
	b.get(placeAt+"/letters/"+store.NewID(), 404)
}

func TestSomebodySavesTheirProfileAndWhenTheyCanCome(t *testing.T) {
	s := open(t)
	modelstest.Exec(t, s.SQL, "UPDATE events SET starts_on = '2027-05-20', ends_on = '2027-05-21' WHERE slug = 'conf'")
	b, _ := s.begun("ingrid")
	const profile = placeAt + "/profile"
	wants(t, b.get(profile, 200), "Sorted under", "Thursday 20", "Friday 21", "Can speak")
	form := fill(b.fields(), "first_name", "Ingrid", "last_name", "Sørlie",
		"about", "A pilot <b>of ships</b> & a programmer.", "website_url", "no address at all")
	form["can"] = form["part"][1:]
	wants(t, b.answer(profile, form, 422), "Ingrid", "A pilot")
	form.Set("website_url", "https://sorlie.example")
	b.post(profile, form, 303)
	person := modelstest.Must(call.PlaceOf(s.Store, loginOf(t, b), store.By{}).Profile(t.Context(), s.Fixture.Event))(t)
	if person.FullName != "Ingrid Sørlie" || person.Here.Away != "2027-05-20 00:00-12:00" ||
		!strings.Contains(person.About, "&lt;b&gt;") {
		t.Errorf("it keeps %+v, %+v", person.Contact, person.Here)
	}
	form.Set("last_name", "Late") // of a page that was opened before
	wants(t, b.answer(profile, form, 409), "Nothing was saved yet", "Late", "Sørlie")
	b.get(profile, 200)
	b.get("/events/other/place/profile", 200) // another event of the organization is in the same place
}

func loginOf(t *testing.T, b *browser) *call.Login {
	t.Helper()
	return modelstest.Must(call.LoginBy(t.Context(), b.Store, b.cookies[loginCookie]))(t)
}

func TestACoSpeakerComesByTheirLink(t *testing.T) {
	s := open(t)
	b, at := s.begun("ingrid")
	place := call.PlaceOf(s.Store, loginOf(t, b), store.By{Door: "call"})
	talk := s.session(t, at)
	asked := modelstest.Must(place.InviteCoSpeaker(t.Context(), s.Called.Event, talk.ID,
		call.Asking{Email: "li@example.org", Name: "Li Wei", Role: models.Speaking}))(t)
	var token string
	modelstest.Fine(t, s.Write(t.Context(), func(tx *store.Tx) (err error) {
		token, err = call.NewLink(tx, call.LinkTo{OrganizationID: s.Fixture.Event.OrganizationID, CoSpeakerID: asked.ID})
		return err
	}))
	modelstest.Exec(t, s.SQL, "UPDATE sessions SET description = 'Water goes up' WHERE id = '"+talk.ID+"'")
	li, join := s.browser(), placeAt+"/join/"+token
	wants(t, li.get(join, 200), "ingrid", "Tides", "Water goes up", "Yes, I will")
	wants(t, li.follow(li.post(join, url.Values{"answer": {"yes"}}, 303)), "Tides", "Li Wei")
	wants(t, b.get(at, 200), "Li Wei")
	again := s.browser() // the link opens again, and tells whoever it was forwarded to nothing
	wants(t, again.get(join, 200), "Open my place")
	lacks(t, again.text, "Tides", "Water goes up")
	again.post(join, url.Values{"answer": {"yes"}}, 303)
	s.Clock.Move(call.LinkOpen)
	page := s.browser().get(join, 403)
	wants(t, page, "l…@example.org", "Mail me a fresh link")
	lacks(t, page, "Tides", "Water goes up")
	li.get(placeAt+"/link/"+token, 404)
	s.browser().get(placeAt+"/join/"+strings.Repeat("x", 43), 404)
}

func TestAPlaceSaysWhatIsAnsweredAndWhatIsOpen(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b, at := s.begun("ada")
		form := fill(b.filled(), "description", "Water\n\ngoes up")
		modelstest.Exec(t, f.SQL, "UPDATE call_questions SET type = 'date' WHERE key = 'phone'")
		form.Set(s.key("phone"), "2026-12-01")
		b.send(at+"/edit", form, s.key("slides"), "tides.pdf", "%PDF-1.7", 303)
		wants(t, b.get(at, 200), "What you have written", "3 questions are open.", "Water</p>", "1 December 2026",
			`href="`+at+`/files/slides"`)
		lacks(t, b.text, "Nothing", "What you submitted", "2026-12-01")
		modelstest.Want(t, "the format does not stand there once", strings.Count(b.text, "<dt>Format</dt>"), 1)
		wants(t, b.get(at+"/check", 200), "1 December 2026")
		b.get(at+"/edit", 200)
		form = fill(b.filled(), s.key("phone"), "")
		b.post(at+"/edit", form, 303)
		modelstest.SetStatus(t, f.Programme(), s.session(t, at).ID, models.Accepted)
		wants(t, b.get(at, 200), "“Phone” is still needed.", `href="`+at+`/edit">Answer now`)
		wants(t, b.get(placeAt, 200), "“Phone” is still needed.")
		wants(t, b.get(at+"/edit", 200), "1 to finish")
		lacks(t, b.page, "Not needed yet")
		modelstest.Exec(t, f.SQL, "UPDATE events SET cfp_opens_at = NULL, cfp_closes_at = '2020-01-01T00:00:00.000Z'")
		wants(t, b.get(at+"/edit", 200), "1 to finish", "Phone")
		lacks(t, b.page, "days left", "Last day")
	})
}
