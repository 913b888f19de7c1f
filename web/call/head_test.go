package call

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/web/site"
)

var (
	masthead = regexp.MustCompile(`(?s)<header class="masthead.*?</header>`)
	colophon = regexp.MustCompile(`(?s)<footer class="colophon.*?</footer>`)
	anchor   = regexp.MustCompile(`<a[^>]* href="([^"]*)"`)
	changed  = regexp.MustCompile(`<span>(Programme changed [^<]*)</span>`)
)

// TestTheCallAndThePlaceHaveTheHeadAndTheFootOfTheProgramme compares what leads on above and below the pages of an
// event that has both, while its call is open and once it is closed: it is one site.
func TestTheCallAndThePlaceHaveTheHeadAndTheFootOfTheProgramme(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		site.Register(s.app, f.Store, site.Options{BaseURL: "http://127.0.0.1", Now: f.Clock.Now,
			Address: func(*fiber.Ctx) string { return "192.0.2.1" }})
		b, _ := s.begun("ada")
		modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), look.Change{Venue: new("Harbour hall"),
			City: new("Lisbon"), Menu: look.Menu{look.Agenda: {Name: "Plan"}, look.Itinerary: {IsOff: true}}}))
		start := store.At(f.Clock.Now().Add(300 * 24 * time.Hour))
		talk := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Shown",
			SessionInput: models.SessionInput{StartsAt: store.Some(start),
				EndsAt: store.Some(store.At(start.Add(time.Hour)))}}))(t)
		modelstest.Must(f.Programme().UpdateSession(t.Context(), talk.ID, models.SessionChange{IsPublic: new(true),
			PublishOverride: true}))(t)
		alike := func(pages ...string) {
			t.Helper()
			home := b.get("/events/conf", 200)
			head, said := leads(masthead.FindString(home)), changed.FindString(home)
			if said == "" || !slices.Contains(head, "/events/conf/agenda") || !strings.Contains(home, ">Plan</a>") ||
				strings.Contains(home, "itinerary") {
				t.Errorf("the programme does not lead to itself: %q, %q", head, said)
			}
			for _, at := range pages {
				page := b.get(at, 200)
				if theirs := leads(masthead.FindString(page)); len(theirs) < len(head) ||
					!slices.Equal(theirs[:len(head)], head) {
					t.Errorf("the head of %s leads to %q, that of the programme to %q", at, theirs, head)
				}
				modelstest.Want(t, at+" says", changed.FindString(page), said)
				foot := leads(colophon.FindString(page))
				for _, link := range []string{"/events/conf/changes", "/events/conf/feeds"} {
					if !slices.Contains(foot, link) {
						t.Errorf("the foot of %s does not lead to %s", at, link)
					}
				}
				wants(t, page, "Harbour hall, Lisbon", ">Plan</a>", "/events/conf/look.css?v=", "Programme by Lectern")
			}
		}
		alike("/events/conf/call", startAt, placeAt, placeAt+"/profile")
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{
			CFPClosesAt: store.Some(store.At(f.Clock.Now().Add(-time.Hour)))}))(t)
		alike(placeAt, placeAt+"/profile")
		lacks(t, masthead.FindString(b.get(placeAt, 200)), "/events/conf/call")
		wants(t, b.get("/events/conf/call", 200), `href="/events/conf/call" dir="auto" aria-current="page"`)
	})
}

// TestTheClockOfTheCallAndThePlaceIsCalledAsOnTheProgramme names the city of the look, and without one that of the time
// zone as the language does.
func TestTheClockOfTheCallAndThePlaceIsCalledAsOnTheProgramme(t *testing.T) {
	s := open(t)
	b, _ := s.begun("ada")
	modelstest.Must(s.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Vienna")}))(t)
	clock := func(city string) {
		t.Helper()
		wants(t, b.get("/events/conf/call?lang=de", 200), " "+city+"</time>")
		wants(t, b.get(placeAt+"/profile", 200), "Zeiten in "+city)
	}
	clock("Wien")
	modelstest.Fine(t, look.Of(s.Programme()).Save(t.Context(), look.Change{City: new("Dorf")}))
	clock("Dorf")
}

// leads returns the addresses of the links in HTML, in their order.
func leads(page string) (all []string) {
	for _, found := range anchor.FindAllStringSubmatch(page, -1) {
		all = append(all, found[1])
	}
	return all
}
