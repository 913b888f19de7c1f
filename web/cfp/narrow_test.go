package cfp

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/task"
)

// TestALinkThatStaffCopiedIsAStrangerAtOtherEvents asks for every address of the place at an event that the link is not
// for, with the ids of what is there.
func TestALinkThatStaffCopiedIsAStrangerAtOtherEvents(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := openOn(t, f), t.Context()
		ada := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Ada",
			Email: "ada@example.org"}))(t)
		secret := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Secret", IsAbstract: true}))(t)
		modelstest.Must(people.Of(f.Elsewhere()).PutAtEvent(ctx, ada.ID))(t)
		f.Join(t, f.Other, secret.ID, ada.ID, models.Speaking)
		asked := modelstest.Must(task.Of(f.Elsewhere()).Create(ctx, task.Change{Title: new("Secret")}))(t)
		token := modelstest.Must(cfp.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t)
		b := s.browser()
		at := "/events/" + f.Event.Slug + "/place"
		b.get(at+"/link/"+token, 200)
		b.post(at+"/link/"+token, nil, 303)
		page := b.get(at, 200)
		wants(t, page, "Open one that we mail to ada@example.org")
		lacks(t, page, "Secret", "is confirmed")
		page = b.get(at+"/profile", 200)
		wants(t, page, "Mail me a fresh link")
		lacks(t, page, "Forget all other devices", f.Other.Name)
		modelstest.Comes(func() bool { // the language is noted behind the answers
			return modelstest.RowsOf(t, f, "SELECT count(*) FROM speaker_accounts WHERE language = ''") == 0
		})
		before := modelstest.Dump(t, f)
		for _, r := range routes() {
			if r.needs != speaker {
				continue
			}
			path := strings.NewReplacer(":event", f.Other.Slug, ":id", secret.ID, ":key", "slides",
				":task", asked.ID, ":owner", ada.ID).Replace(r.path)
			if r.method == "GET" {
				wants(t, b.leads(path), "/place/sign-in")
				continue
			}
			b.get("/events/"+f.Other.Slug+"/place/sign-in", 200) // for its form token
			lacks(t, b.answer(path, url.Values{"title": {"Changed"}}, 401), "Secret")
		}
		if after := modelstest.Dump(t, f); !reflect.DeepEqual(kept(after), kept(before)) {
			t.Error("something was written")
		}
	})
}

// kept is what a dump has of people, submissions and files: not when somebody was last seen, or how often they tried.
func kept(all map[string][]string) map[string][]string {
	some := map[string][]string{}
	for _, table := range []string{"sessions", "proposals", "contacts", "event_contacts", "participations", "co_speakers",
		"files", "letters", "speaker_accounts", "activity", "deliverables"} {
		some[table] = all[table]
	}
	return some
}
