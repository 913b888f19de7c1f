package call

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models/call"
	"lectern/models/look"
	"lectern/models/modelstest"
)

// german makes a request of a browser that prefers German.
func german(method, path string) *http.Request {
	r := httptest.NewRequest(method, path, nil)
	r.Header.Set("Accept-Language", "de-AT,de;q=0.9,en;q=0.5")
	return r
}

func TestTheCallSpeaksTheLanguageOfWhoReads(t *testing.T) {
	s := open(t)
	call := "/events/" + s.Called.Event.Slug + "/call"
	b := s.browser()
	res, shown := b.do(german("GET", call), 200)
	wants(t, shown, `<html lang="de"`, "Vorschlag beginnen", "Tage übrig", "Meine Vorschläge", "Programm von Lectern",
		`hreflang="en"`, call+"?lang=fr", `<link rel="canonical" href="http://127.0.0.1`+call+`">`,
		`<meta property="og:image" content="http://127.0.0.1`+call+`/picture.png?lang=de&amp;v=`,
		`<meta name="description" content="Conference. Erzählen Sie uns`)
	lacks(t, shown, "Start a proposal", "My proposals", "Skip to the page")
	modelstest.Want(t, "Content-Language is", res.Header.Get("Content-Language"), "de")

	// What a link chose stands above what the browser likes, and goes along from page to page.
	_, shown = b.do(german("GET", call+"?lang=fr"), 200)
	wants(t, shown, `<html lang="fr"`, "Commencer une proposition", "?lang=fr")
	_, shown = b.do(german("GET", call+"/start"), 200)
	wants(t, shown, `<html lang="fr"`, "Votre nom")
	_, shown = b.do(german("GET", call+"?lang=xx"), 200)
	wants(t, shown, `<html lang="fr"`)
}

func TestNoCacheGivesThePageOfOneLanguageToWhoReadsAnother(t *testing.T) {
	s := open(t)
	call := "/events/" + s.Called.Event.Slug + "/call"
	for _, path := range []string{call, call + "/start", "/events/" + s.Called.Event.Slug + "/place/sign-in",
		call + "?lang=es"} {
		res, _ := s.browser().do(german("GET", path), 200)
		vary, cache := res.Header.Get("Vary"), res.Header.Get("Cache-Control")
		byAddress := strings.Contains(path, "lang=")
		if cache != "no-store" || !byAddress && (!strings.Contains(vary,
			"Accept-Language") || !strings.Contains(vary, "Cookie")) {
			t.Errorf("%s has Vary %q and Cache-Control %q", path, vary, cache)
		}
	}
}

func TestWhatIsWrongIsSaidInTheLanguageOfThePage(t *testing.T) {
	s := open(t)
	start := "/events/" + s.Called.Event.Slug + "/call/start"
	b := s.browser()
	b.get(start+"?lang=de", 200)
	form := b.fields()
	s.Clock.Move(quickest * 2)
	form.Set("email", "nobody")
	wants(t, b.answer(start, form, 422), `<html lang="de"`, "Fehler: Vorschlag beginnen", "Einiges ist noch zu ändern",
		"Die E-Mail-Adresse muss eine Adresse sein wie ana@example.org.", "Titel darf nicht leer sein.")
	lacks(t, b.text, "must not be", `lang="en">Die`)
}

func TestThePlaceSpeaksTheLanguageThatWasChosen(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	b.get(at+"?lang=de", 200)
	wants(t, b.page, "Was Sie geschrieben haben", "Profil und Verfügbarkeit", "Sie sind hier als",
		"Auf diesem Gerät abmelden", "Weiterschreiben")
	b.get(at+"/edit", 200)
	wants(t, b.page, "Ihr Vorschlag", "Meine Antworten prüfen", "Wird gespeichert …", "Gespeichert 10:30", "Titel")
	form := fill(b.filled(), "title", "")
	wants(t, b.answer(at+"/edit", form, 422), "„Titel“ darf nicht leer sein", "Eine Antwort ist nicht gespeichert")
	b.follow(b.post("/events/"+s.Called.Event.Slug+"/place/zone", url.Values{"zone": {"Atlantis"}, "back": {at}}, 303))
	wants(t, b.page, "Diese Stadt hat in unserer Liste keine eigene Uhr")

	_, shown := b.post("/events/"+s.Called.Event.Slug+"/place/password", url.Values{"password": {"kurz"}}, 422)
	wants(t, shown, "braucht 10 bis 200 Zeichen", "/events/"+s.Called.Event.Slug+"/place?lang=en")
	b.get(at+"/nothing", 404)
	wants(t, b.page, "Unter dieser Adresse gibt es keine Seite")
}

func TestTheCallSpeaksOnlyWhatItsEventOffers(t *testing.T) {
	s := open(t)
	call := "/events/" + s.Called.Event.Slug + "/call"
	modelstest.Fine(t, look.Of(s.Programme()).Save(t.Context(), look.Change{Languages: new("en fr")}))
	b := s.browser()
	_, shown := b.do(german("GET", call), 200)
	wants(t, shown, `<html lang="en"`, "?lang=fr")
	lacks(t, shown, "Deutsch")
	_, shown = b.do(german("GET", call+"?lang=de"), 200)
	wants(t, shown, `<html lang="en"`)
	_, shown = b.do(german("GET", call+"?lang=fr"), 200)
	wants(t, shown, `<html lang="fr"`)
}

// TestMailsWithALinkSpeakTheLanguageOfThePage reads what leaves without being kept, and that the place remembers how it
// was read last.
func TestMailsWithALinkSpeakTheLanguageOfThePage(t *testing.T) {
	s := open(t)
	b, at := s.begun("ada")
	db := s.SQL
	run := func(statement string) { modelstest.Must(db.Exec(statement))(t) }
	run("CREATE TRIGGER refuse BEFORE UPDATE ON speaker_accounts BEGIN SELECT RAISE(ABORT, 'no'); END")
	b.get(at+"?lang=de", 200) // a read depends on no write
	run("DROP TRIGGER refuse")
	var said string
	if !modelstest.Comes(func() bool {
		b.get(at+"?lang=es", 200)
		modelstest.Fine(t, db.QueryRow("SELECT language FROM speaker_accounts").Scan(&said))
		return said == "es"
	}) {
		t.Errorf("the place is read in Spanish, and kept is %q", said)
	}
	b = s.browser()
	signIn := "/events/" + s.Called.Event.Slug + "/place/sign-in"
	b.get(signIn+"?lang=fr", 200)
	s.Clock.Move(call.LinkPause + time.Second)
	b.post("/events/"+s.Called.Event.Slug+"/place/link", url.Values{"link_email": {"ada@example.org"}}, 200)
	var sent string
	if !modelstest.Comes(func() bool {
		s.mail.mu.Lock()
		defer s.mail.mu.Unlock()
		sent = strings.Join(s.mail.sent, "\n")
		return strings.Contains(sent, "Votre espace pour Conference")
	}) {
		t.Fatal("no mail speaks French")
	}
	wants(t, sent, "ada@example.org\nConference: the way back to your proposal\nHello,\n\nsomebody began",
		"Bonjour,\n\nquelqu’un, sans doute vous", "/place/link/")
}
