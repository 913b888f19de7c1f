package call

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lectern/models/call"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// answered returns a browser with a draft in which everything is answered and saved.
func (s *stand) answered(name string) (b *browser, address string) {
	s.t.Helper()
	b, address = s.begun(name)
	form := b.filled()
	form[s.key("help")] = []string{"Money", "Visa"}
	b.post(address+"/edit", form, 303)
	b.get(address+"/edit", 200)
	return b, address
}

func TestWhatWasTypedInAFormWithFilesIsKeptWhileItsSenderIsSignedOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b, at := s.answered("ada")
		form := fill(b.filled(), "description", "Typed for hours", s.key("phone"), "+47 1")
		b.vouches = true
		login := b.cookies[loginCookie]
		delete(b.cookies, loginCookie)
		wants(t, shown(b.send(at+"/edit", form, s.key("slides"), "a.pdf", "%PDF-1.7", 401)), "You are signed out",
			"opened elsewhere", "Typed for hours</textarea>", "Phone</label>", "Choose your file again")
		lacks(t, b.text, "%PDF")
		again := b.fields()
		b.cookies[loginCookie] = login
		wants(t, b.answer(at+"/edit", again, 403), "Send it once more?", "Typed for hours</textarea>")
		b.post(at+"/edit", b.fields(), 303)
		now := s.session(t, at)
		if now.Description != "Typed for hours" || now.Title != "Tides" || len(now.CustomFields) != 1 {
			t.Errorf("kept is %q, %q, %v", now.Title, now.Description, now.CustomFields)
		}
		stranger := s.browser() // nobody else's form is shown, or sent on
		form.Set("_token", "forged")
		lacks(t, shown(stranger.send(at+"/edit", form, s.key("slides"), "a.pdf", "%PDF-1.7", 403)), "Typed for hours")
	})
}

func TestOnlyWhatStoodInTheFormIsEmptied(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b, at := s.answered("ada")
		b.post(at+"/edit", url.Values{"do": {"save"}}, 303)
		if now := s.session(t, at); now.Title != "Tides" || now.Description != "Water goes up" || len(now.CustomFields) != 1 {
			t.Fatalf("an empty post leaves %q, %q, %v", now.Title, now.Description, now.CustomFields)
		}
		b.get(at+"/edit", 200)
		form := b.filled() // with no box ticked, which a browser does not send
		form.Set("description", "")
		b.post(at+"/edit", form, 303)
		if now := s.session(t, at); now.Title != "Tides" || now.Description != "" || len(now.CustomFields) != 0 {
			t.Errorf("what was emptied is %q, %v", now.Description, now.CustomFields)
		}
	})
}

func TestAFileOverTheLimitLosesNothingThatWasTyped(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b, at := s.begun("ada")
		form := fill(b.filled(), "description", "Typed for hours")
		wants(t, shown(b.send(at+"/edit", form, s.key("slides"), "a.pdf", strings.Repeat("x",
			call.MaxFileBytes+answersRoom), 422)), "Typed for hours", "“Slides” is larger than 20 MB", `data-max="20971520"`)
		modelstest.Want(t, "kept is", s.session(t, at).Description, "Typed for hours")
		r := httptest.NewRequest("POST", at+"/edit", strings.NewReader(strings.Repeat("x", 30<<20)))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		b.do(r, 413)
		wants(t, b.page, "The file is too large", "up to 20 MB", `href="`+at+`/edit"`, "Go back to the form")
	})
}

func TestAPhotoIsSentWithTheProfile(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		modelstest.Exec(t, f.SQL, "UPDATE events SET starts_on = '2027-05-20', ends_on = '2027-05-21' WHERE slug = 'conf'")
		b, _ := s.begun("ada")
		const profile = placeAt + "/profile"
		wants(t, b.get(profile, 200), `for="availability"`, `id="availability"`)
		typed := func(about string) url.Values {
			form := fill(b.fields(), "first_name", "Ada", "about", about)
			return form
		}
		for content, says := range map[string]string{"no picture": `id="photo-fault"`,
			strings.Repeat("x", files.MaxPhotoBytes+answersRoom): "larger than 10 MB"} {
			wants(t, shown(b.on(profile).send(profile, typed("Typed before the photo"), "photo", "a.png", content, 422)),
				"Typed before the photo", says)
		}
		b.get(profile, 200)
		form := fill(typed("Typed before it was removed"), "do", "remove")
		b.post(profile, form, 303)
		person := modelstest.Must(call.PlaceOf(f.Store, loginOf(t, b), store.By{}).Profile(t.Context(), f.Event))(t)
		wants(t, person.About, "before it was removed")
	})
}

func TestWhatIsNotSavedAndWhatIsMissingStandInOneList(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		b, at := s.begun("ada")
		wants(t, b.page, "The organizers and who speaks with you can see it",
			"once you have opened the link in our mail to you")
		form := fill(b.filled(), "title", "", "description", "", "do", "check")
		wants(t, b.answer(at+"/edit", form, 422), "2 things before you can submit", "One thing of these could not be saved",
			`href="#title"`, `href="#description"`)
		form.Set("do", "save")
		wants(t, b.answer(at+"/edit", form, 422), "One answer is not saved", `class="bad"`)
		for email, says := range map[string]string{"ada@example.org": "is your own", "": "#invite_email", "x": "must be"} {
			form := fill(b.filled(), "do", "invite", "invite_email", email)
			wants(t, b.answer(at+"/edit", form, 422), "Nobody was invited", `<a href="#invite_email">`, says)
		}
		form = fill(b.filled(), "do", "invite", "invite_email", "li@example.org")
		b.post(at+"/edit", form, 303)
		wants(t, b.get(at+"/edit", 200), "once you have opened the link in our mail to you", "Not invited yet", "Take back")
		lacks(t, b.page, `name="remind"`)
	})
}
