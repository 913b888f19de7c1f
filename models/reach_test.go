package models_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// strangers makes a person with private fields at the other event, and returns the programme of an organizer of the
// first event alone.
func strangers(t *testing.T, f *modelstest.Fixture) (mine *models.Programme, theirs *models.Person, secret string) {
	t.Helper()
	ctx := t.Context()
	own := modelstest.Must(people.In(f.Elsewhere().Directory()).AddOwnField(ctx, people.OwnFieldInput{Label: "Passport",
		Type: "text"}))(t)
	theirs = modelstest.First(people.Of(f.Elsewhere()).AddPerson(ctx, modelstest.Values("first_name", "Marker",
		"last_name", "Secretly", "email", "marker@example.org", "phone", "+44 555 1234", own.Key, "X99 passport")))(t)
	return f.Store.Programme(f.Event, modelstest.Tester), theirs, own.Key
}

func TestWhoOrganizesOneEventFindsNobodyOfAnother(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		mine, theirs, _ := strangers(t, f)
		for _, text := range []string{"Marker", "marker@example.org", "secretly"} {
			modelstest.Want(t, text+" finds", len(modelstest.Must(mine.FindContacts(ctx, text, 5))(t)), 0)
			modelstest.Want(t, "who sees all events finds by "+text,
				len(modelstest.Must(f.Programme().FindContacts(ctx, text, 5))(t)), 1)
		}
		modelstest.Answers(people.Of(mine).PutAtEvent(ctx, theirs.ID))(t, "put at the event", store.NotFound)
		s := modelstest.Must(mine.CreateSession(ctx, models.NewSession{Title: "Mine", IsAbstract: true}))(t)
		seats := []models.Participation{{ContactID: theirs.ID}}
		modelstest.Answers(mine.SetParticipants(ctx, s.ID, seats))(t, "on a session", store.Invalid)
		modelstest.Answers(mine.Participants(ctx, seats))(t, "on a new session", store.Invalid)
		_, err := mine.CreateSession(ctx, models.NewSession{Title: "Other", People: seats})
		modelstest.WantKind(t, "a session with them", err, store.Invalid)
		modelstest.WantAll(t, "they are on the board",
			modelstest.Must(people.Of(mine).AddCards(ctx, []string{theirs.ID}, ""))(t), nil)
		shown := modelstest.Must(mine.Participants(ctx, []models.Participation{
			{New: &models.NewContact{FirstName: "As typed", Email: "marker@example.org"}}}))(t)
		modelstest.Holds(t, !shown[0].Known && shown[0].FullName == "As typed",
			"before it is saved, a form tells of %s", shown[0].FullName)
		modelstest.Want(t, "people are at the event",
			modelstest.Must(people.In(mine.Directory()).Count(ctx, people.Filter{}))(t), 0)
	})
}

func TestWhoIsAddedByAnAddressIsAGuest(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		mine, theirs, own := strangers(t, f)
		added, known,
			err := people.Of(mine).AddPerson(ctx, modelstest.Values("first_name", "M", "email", "Marker@example.org"))
		modelstest.Fine(t, err)
		modelstest.Holds(t, known && added.ID == theirs.ID && added.IsGuest && added.Phone == "" && added.Own[own] == "" &&
			added.Email != "" && added.FullName == "Marker Secretly", "added %+v", added)
		d := mine.Directory()
		for what, values := range map[string]map[string]string{"name": {"first_name": "Other"}, "address": {"email": "o@example.org"},
			"phone": {"phone": "1"}, "an own field": {own: "changed"}} {
			_, err := people.In(d).Update(ctx, theirs.ID, people.Change{Values: values})
			modelstest.Holds(t, store.KindOf(err) == store.Invalid && strings.Contains(err.Error(), "Ask an owner"),
				"%s: %v", what, err)
		}
		modelstest.Must(d.RemovePhoto(ctx, theirs.ID))(t) // there is none
		modelstest.Must(people.In(d).Update(ctx, theirs.ID, modelstest.Values("hotel", "Anker")))(t)
		n := modelstest.Must(people.In(d).Count(ctx, people.Filter{Own: map[string]people.OwnFilter{own: {Type: "text",
			Words: "X99"}}}))(t)
		modelstest.Want(t, "a filter tells what a guest's own field has", n, 0)
		all := modelstest.Must(f.Programme().Directory().Person(ctx, theirs.ID))(t)
		modelstest.Holds(t, all.Phone == "+44 555 1234" && all.Own[own] == "X99 passport" && all.FirstName == "Marker" &&
			all.Here.Hotel == "Anker", "now they are %+v", all)
		// Who knows everybody puts them there for good.
		modelstest.Must(people.Of(f.Programme()).PutAtEvent(ctx, theirs.ID))(t)
		x := modelstest.Must(d.Person(ctx, theirs.ID))(t)
		modelstest.Holds(t, !x.IsGuest && x.Phone != "", "still a guest: %+v", x)
		_, err = people.In(d).Update(ctx, theirs.ID, modelstest.Values("first_name", "Other"))
		modelstest.WantKind(t, "at another event too", err, store.Invalid)
	})
}

func TestWhoWasTakenOffMayBePutBackByTheSamePersonAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		mine, theirs, _ := strangers(t, f)
		other := f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: "another", ActorName: "Another"})
		modelstest.Must(people.Of(f.Programme()).PutAtEvent(ctx, theirs.ID))(t)
		modelstest.Must(people.Of(mine).TakeOffEvent(ctx, theirs.ID))(t)
		modelstest.Answers(people.Of(other).PutAtEvent(ctx, theirs.ID))(t, "by somebody else", store.NotFound)
		modelstest.Must(people.Of(mine).PutAtEvent(ctx, theirs.ID))(t)
		modelstest.Must(people.Of(mine).TakeOffEvent(ctx, theirs.ID))(t)
		f.Clock.Move(25 * 60 * 60 * 1e9)
		modelstest.Answers(people.Of(mine).PutAtEvent(ctx, theirs.ID))(t, "a day later", store.NotFound)
	})
}

// A guest at one event is a guest at the organizer's next event too, whichever way they come there.
func TestAGuestStaysAGuestAtTheNextEventOfTheSameOrganizer(t *testing.T) {
	ways := map[string]func(*testing.T, *models.Programme, *models.Person){
		"by their id": func(t *testing.T, p *models.Programme, x *models.Person) {
			modelstest.Must(people.Of(p).PutAtEvent(t.Context(), x.ID))(t)
		},
		"by their address": func(t *testing.T, p *models.Programme, x *models.Person) {
			modelstest.Fine(t, modelstest.ErrorOf(people.Of(p).AddPerson(t.Context(),
				modelstest.Values("first_name", "M", "email", x.Email))))
		},
		"on a session": func(t *testing.T, p *models.Programme, x *models.Person) {
			modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Mine",
				People: []models.Participation{{ContactID: x.ID}}}))(t)
		},
		"on the board": func(t *testing.T, p *models.Programme, x *models.Person) {
			modelstest.Must(people.Of(p).AddCards(t.Context(), []string{x.ID}, ""))(t)
		},
	}
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		mine, theirs, own := strangers(t, f)
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(mine).AddPerson(ctx,
			modelstest.Values("first_name", "M", "email", "marker@example.org"))))
		for way, come := range ways {
			next := modelstest.Must(f.Store.CreateEvent(ctx, models.NewEvent{Name: way, Timezone: "UTC",
				Slug: strings.ReplaceAll(way, " ", "-")}))(t)
			p := f.Store.Programme(next, modelstest.Tester).Reaching(models.PeopleOf(f.Event.ID, next.ID))
			come(t, p, theirs)
			x := modelstest.Must(p.Directory().Person(ctx, theirs.ID))(t)
			modelstest.Holds(t, x.IsGuest && x.Phone == "" && x.Own[own] == "",
				"%s: shown are %q and %q", way, x.Phone, x.Own[own])
		}
	})
}
