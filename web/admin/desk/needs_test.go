package desk_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/lists"
)

func TestEveryNeedHasWordsAndAListOfAsManyRowsAsTheDashboardSays(t *testing.T) {
	d := admintest.Open(t)
	ctx, p := t.Context(), d.Programme()
	make := func(count int, n models.NewSession) {
		for range count {
			d.Session(n)
		}
	}
	for count, status := range []models.Status{models.Pending, models.AcceptQueue, models.DeclineQueue, models.Accepted} {
		make(count+2, models.NewSession{Title: "A", IsAbstract: true, SessionInput: models.SessionInput{Status: &status}})
	}
	told := models.NewSession{Title: "A", IsAbstract: true,
		SessionInput: models.SessionInput{Status: new(models.Accepted)}}
	d.SetLetter(t, d.Event, modelstest.Must(p.CreateSession(ctx, told))(t).ID, models.LetterSent)
	start := store.At(d.Clock.Now())
	ada := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Ada"}))(t)
	placed := models.SessionInput{RoomID: store.Some(d.Room("R")), StartsAt: store.Some(start),
		EndsAt: store.Some(store.At(start.Add(time.Hour)))}
	make(3, models.NewSession{Title: "S", SessionInput: placed})
	elsewhere := models.SessionInput{StartsAt: placed.StartsAt}
	for range 2 { // in no room, so that they need a place as well
		s := d.Session(models.NewSession{Title: "P", SessionInput: elsewhere})
		d.Join(t, d.Event, s.ID, ada.ID, models.Speaking)
	}
	make(1, models.NewSession{Title: "All of us", SessionInput: models.SessionInput{IsPlenary: new(true), StartsAt: placed.StartsAt}})
	make(4, models.NewSession{Title: "S"})
	for _, title := range []string{"One", "Two"} {
		s := modelstest.Composed(t, d.Fixture, title, true)
		modelstest.First(p.Publish(ctx, s.ID, models.Publishing{}))(t)
		modelstest.SetStatus(t, p, modelstest.Must(p.Sources(ctx, s.ID))(t)[0].ID, models.Withdrawn)
	}
	full := modelstest.Must(p.CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Small", Capacity: new(10)}))(t)
	day := d.Clock.Now().In(d.Event.Location()).Format(time.DateOnly)
	d.Days(day, day)
	li := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Li"}))(t)
	for i := range 5 {
		in := models.SessionInput{RoomID: store.Some(full.ID), StartsAt: store.Some(store.At(start.Add(time.Duration(i) * time.Hour))),
			Capacity: store.Some(20)}
		s := d.Session(models.NewSession{Title: "F", SessionInput: in})
		if i < 2 {
			d.Join(t, d.Event, s.ID, li.ID, models.Speaking)
		}
	}
	modelstest.Must(people.In(d.Programme().Directory()).Update(ctx, li.ID, modelstest.Values("away", day)))(t)

	counted := modelstest.Must(desk.Of(d.Programme()).Dashboard(ctx, store.At(d.Clock.Now())))(t)
	b := d.As(staff.Organizer)
	page := b.Get(d.At(""), 200)
	row := regexp.MustCompile(`(?s)<li><b class="count">(\d+)</b><div><p>([^<]+)</p>.*?<a class="go-on" href="([^"]+)"`)
	rows := row.FindAllStringSubmatch(page, -1)
	needs := lists.Needs
	if len(rows) != len(needs) {
		t.Fatalf("%d rows of attention: %v", len(rows), rows)
	}
	for i, words := range needs {
		count, text, address := rows[i][1], rows[i][2], html.UnescapeString(rows[i][3])
		if text != words.Many || count != fmt.Sprint(counted.Needs[words.Waiting]) || address != d.At(words.Path) {
			t.Errorf("%v says %v", words, rows[i])
		}
		admintest.Wants(t, b.Get(address, 200), "1 to "+count+" of "+count)
		list, _ := url.Parse(address)
		list.RawQuery = url.Values{"needs": {string(words.Need)}}.Encode()
		admintest.Wants(t, b.Get(list.String(), 200), "1 to "+count+" of "+count, words.Chip)
	}
	for _, need := range models.Needs() {
		if !slices.ContainsFunc(needs, func(words lists.NeedWords) bool { return words.Need == need }) {
			t.Errorf("%s has no words", need)
		}
	}
}
