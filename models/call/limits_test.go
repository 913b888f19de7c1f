package call_test

import (
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// settle changes settings of the fixture's call.
func settle(t *testing.T, f *modelstest.Fixture, facts map[string]any) {
	t.Helper()
	modelstest.Fine(t, f.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.Model(&call.Settings{}).Where("event_id = ?", f.Event.ID).Updates(facts).Error
	}))
}

// ready makes a draft that can be submitted.
func ready(t *testing.T, f *modelstest.Fixture, c *modelstest.Called, name string) (*call.Place, string) {
	t.Helper()
	pl, s := c.Begin(t, f, name, "Tides")
	saved(t, pl, c, s.ID, answers(c))
	return pl, s.ID
}

// refusedOf runs an operation n times at once, and returns how many runs the call refused; each other one succeeds.
func refusedOf(t *testing.T, n int, do func(i int) error) (refused int) {
	t.Helper()
	for _, err := range modelstest.AtOnce(n, do) {
		if call.IsRefused(err) {
			refused++
		} else {
			modelstest.Fine(t, err)
		}
	}
	return refused
}

// refuses checks that the call refuses an operation: refuses(op())(t, what).
func refuses(results ...any) func(t *testing.T, what string) {
	return func(t *testing.T, what string) {
		t.Helper()
		err := modelstest.ErrorOf(results...)
		modelstest.Holds(t, call.IsRefused(err), "%s answers %v", what, err)
	}
}

func TestOneMoreThanThereArePlacesForIsRefusedHoweverManyAskAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		settle(t, f, map[string]any{"max_total": 3})
		var places [6]*call.Place
		var ids [6]string
		for i := range places {
			places[i], ids[i] = ready(t, f, c, "Ada"+string(rune('a'+i)))
		}
		modelstest.Want(t, "refused of 6", refusedOf(t, 6, func(i int) error {
			return second(places[i].Submit(ctx, c.Event, ids[i], call.Submitting{}))
		}), 3)
		event := modelstest.Must(f.EventBy(ctx, c.Event.ID))(t) // as a request finds it
		refuses(call.Begin(ctx, f.Store, event, call.Beginning{Name: "Kim", Email: "kim@example.org", Title: "T"},
			store.By{Door: "call"}))(t, "a full call")
	})
}

func TestOnePersonSubmitsAsManyAsTheyMay(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		settle(t, f, map[string]any{"max_proposals": 2})
		pl, id := ready(t, f, c, "Ada")
		ids := []string{id}
		for range 3 {
			s := modelstest.Must(pl.Begin(ctx, c.Event, "More", ""))(t)
			saved(t, pl, c, s.ID, answers(c))
			ids = append(ids, s.ID)
		}
		modelstest.Want(t, "refused of 4", refusedOf(t, 4, func(i int) error {
			return second(pl.Submit(ctx, c.Event, ids[i], call.Submitting{}))
		}), 2)
		other, theirs := ready(t, f, c, "Li")
		modelstest.Must(other.Submit(ctx, c.Event, theirs, call.Submitting{}))(t)
		for _, id := range ids {
			if proposalOf(t, pl, c, id).IsSubmitted() {
				modelstest.Must(pl.Withdraw(ctx, c.Event, id, ""))(t)
				break
			}
		}
		for _, id := range ids {
			if !proposalOf(t, pl, c, id).IsSubmitted() {
				modelstest.Must(pl.Submit(ctx, c.Event, id, call.Submitting{}))(t)
				break
			}
		}
		for _, id := range ids {
			if proposalOf(t, pl, c, id).Status == models.Withdrawn {
				refuses(pl.UndoWithdrawal(ctx, c.Event, id))(t, "back beyond the limit")
			}
		}
	})
}

func TestWhatStaffBeganCountsForNobody(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c, p := t.Context(), modelstest.OpenCall(t, f), f.Programme()
		settle(t, f, map[string]any{"max_proposals": 1})
		pl, own := ready(t, f, c, "Ada")
		modelstest.Must(pl.Submit(ctx, c.Event, own, call.Submitting{}))(t)
		made := func(status models.Status, people ...models.Participation) string {
			return modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Asked for", IsAbstract: true, People: people,
				SessionInput: models.SessionInput{Status: &status}}))(t).ID
		}
		for range 2 { // that the call knows of
			modelstest.Fine(t, call.Of(p).Lock(ctx, made(models.Pending), true))
		}
		id := made(models.Draft, models.Participation{ContactID: pl.ContactID()})
		saved(t, pl, c, id, answers(c))
		modelstest.Must(pl.Submit(ctx, c.Event, id, call.Submitting{}))(t)
	})
}

func TestAChoiceOfWhichAllPlacesAreTakenIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		limit := func(key, options string) {
			t.Helper()
			modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Exec("UPDATE call_questions SET options = ? WHERE event_id = ? AND key = ?", options, f.Event.ID, key).
					Error
			}))
		}
		limit("format", `[{"value":"`+c.Talk+`","limit":1},{"value":"`+c.Workshop+`"}]`)
		limit("help", `[{"value":"Money","limit":1},{"value":"Visa"}]`)
		pl, id := ready(t, f, c, "Ada")
		other, theirs := ready(t, f, c, "Li")
		modelstest.Must(pl.Submit(ctx, c.Event, id, call.Submitting{}))(t)
		modelstest.Want(t, "missing", fields(second(other.Submit(ctx, c.Event, theirs, call.Submitting{}))), "format help")
		// Who has a place keeps it.
		v := answers(c)
		v["title"] = "New"
		saved(t, pl, c, id, v)
		v = call.Values{"title": "T", "description": "D", "format": c.Workshop, "bring": "Paper", "help": "Visa"}
		saved(t, other, c, theirs, v)
		modelstest.Must(other.Submit(ctx, c.Event, theirs, call.Submitting{}))(t)
		v["format"] = c.Talk
		modelstest.Want(t, "a place that is taken is refused by",
			fields(third(other.Save(ctx, c.Event, theirs, call.Saving{Values: v}))), "format")
		form := modelstest.Must(call.FormOf(ctx, f.Store, c.Event))(t)
		places := modelstest.Must(form.PlacesOf(f.Store.Read(ctx), theirs))(t)
		q := form.Question("format")
		modelstest.Holds(t, places.Left("format", form.Offered(q)[0]) == 0 && places["help"]["Money"] == 1, "%v", places)
	})
}

func TestACodeLetsInWhomTheWindowKeepsOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		settle(t, f, map[string]any{"max_total": 1})
		pl, id := ready(t, f, c, "Ada")
		modelstest.Must(pl.Submit(ctx, c.Event, id, call.Submitting{}))(t)
		f.Clock.Move(20 * 24 * time.Hour)
		code := func(text string, event *models.Event, uses *int, until *store.Time) {
			t.Helper()
			modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Create(&call.Code{ID: store.NewID(), EventID: event.ID, Code: text, MaxUses: uses, ExpiresAt: until,
					CreatedAt: tx.Now, UpdatedAt: tx.Now}).Error
			}))
		}
		later := store.At(f.Clock.Now().Add(time.Hour))
		code("Late-1", c.Event, new(1), &later)
		code("Old", c.Event, nil, new(f.Now()))
		code("Theirs", f.Other, nil, nil)
		for _, wrong := range []string{"none", "Old", "Theirs", "%", ""} {
			if _, err := pl.Begin(ctx, c.Event, "T", wrong); err == nil || wrong != "" && fields(err) != "code" {
				t.Errorf("%q answers %v", wrong, err)
			}
		}
		var ids []string
		for range 2 {
			s := modelstest.Must(pl.Begin(ctx, c.Event, "T", " late-1 "))(t)
			saved(t, pl, c, s.ID, answers(c))
			ids = append(ids, s.ID)
		}
		modelstest.Must(pl.Submit(ctx, c.Event, ids[0], call.Submitting{}))(t)
		refuses(pl.Submit(ctx, c.Event, ids[1], call.Submitting{}))(t, "a code that was used up")
		modelstest.Want(t, "a code that was used up is refused by", fields(second(pl.Begin(ctx, c.Event, "T", "late-1"))),
			"code")
		f.Clock.Move(time.Hour)
		refuses(pl.Save(ctx, c.Event, ids[0], call.Saving{Values: answers(c)}))(t, "a code that is over")
	})
}

func TestManyBeginningsAreNotLookedAt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := modelstest.OpenCall(t, f)
		begin := func(email, address string) error {
			return second(call.Begin(t.Context(), f.Store, c.Event, call.Beginning{Name: "Kim", Email: email, Title: "T",
				Browser: call.Browser{Address: address}}, store.By{Door: "call"}))
		}
		for range 5 {
			modelstest.Fine(t, begin("kim@example.org", "10.0.0.1"))
		}
		modelstest.WantKind(t, "the sixth with one address", begin("KIM@example.org", "10.0.0.2"), store.TooMany)
		for i := range 20 { // a university, before the end
			modelstest.Fine(t, begin(fmt.Sprint(i, "@example.org"), "10.0.0.3"))
		}
		modelstest.Exec(t, f.SQL, "UPDATE sign_in_failures SET failures = 299 WHERE failures = 20")
		modelstest.Fine(t, begin("last@example.org", "10.0.0.3"))
		modelstest.WantKind(t, "the 301st from one network", begin("x@example.org", "10.0.0.3"), store.TooMany)
		modelstest.Fine(t, begin("x@example.org", "10.0.0.4"))
		for what, b := range map[string]call.Beginning{
			"title": {Name: "Kim", Email: "y@example.org"}, "name": {Title: "T", Email: "y@example.org"},
			"email":    {Name: "Kim", Title: "T"},
			"password": {Name: "Kim", Title: "T", Email: "y@example.org", Password: "short"},
		} {
			modelstest.Want(t, what+" is refused by",
				fields(second(call.Begin(t.Context(), f.Store, c.Event, b, store.By{Door: "call"}))), what)
		}
		modelstest.Answers(call.Begin(t.Context(), f.Store, f.Other, call.Beginning{Name: "K", Title: "T",
			Email: "y@example.org"}, store.By{Door: "call"}))(t, "an event without a call", store.NotFound)
	})
}

func TestACallIsOpenFromTheSecondItOpensAndClosedFromTheSecondItCloses(t *testing.T) {
	t.Parallel()
	noon := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(seconds int) *store.Time { return new(store.At(noon.Add(time.Duration(seconds) * time.Second))) }
	for _, c := range []struct {
		what   string
		window call.Window
		want   call.Phase
	}{
		{"no window", call.Window{}, call.NoCall},
		{"no window, but a code", call.Window{Invited: true}, call.IsOpen},
		{"a second before", call.Window{Opens: at(1), Closes: at(9)}, call.NotYet},
		{"as it opens", call.Window{Opens: at(0), Closes: at(9)}, call.IsOpen},
		{"open without an end", call.Window{Opens: at(0)}, call.IsOpen},
		{"always open until", call.Window{Closes: at(1)}, call.IsOpen},
		{"as it closes", call.Window{Opens: at(-9), Closes: at(0)}, call.Closed},
		{"a second later", call.Window{Opens: at(-9), Closes: at(-1)}, call.Closed},
		{"extended", call.Window{Opens: at(-9), Closes: at(-1), Until: at(1)}, call.IsOpen},
		{"as the extension ends", call.Window{Opens: at(-9), Closes: at(-1), Until: at(0)}, call.Closed},
		{"extended to before the end", call.Window{Opens: at(-9), Closes: at(1), Until: at(-1)}, call.IsOpen},
		{"with a code", call.Window{Opens: at(-9), Closes: at(-1), Invited: true}, call.IsOpen},
		{"one left", call.Window{Closes: at(1), Taken: 1, Most: new(2)}, call.IsOpen},
		{"full", call.Window{Closes: at(1), Taken: 2, Most: new(2)}, call.IsFull},
		{"full, with a code", call.Window{Closes: at(1), Taken: 2, Most: new(2), Invited: true}, call.IsOpen},
		{"full and closed", call.Window{Closes: at(0), Taken: 2, Most: new(2)}, call.Closed},
		{"extended and full", call.Window{Closes: at(0), Until: at(1), Taken: 2, Most: new(2)}, call.IsFull},
	} {
		modelstest.Want(t, c.what, c.window.Phase(*at(0)), c.want)
	}
}

func TestDaysLeftAreNightsInTheZoneOfTheEvent(t *testing.T) {
	t.Parallel()
	event := &models.Event{Timezone: "Europe/Berlin"}
	end := store.At(time.Date(2027, 3, 1, 22, 59, 0, 0, time.UTC)) // 23:59 there
	for now, want := range map[string]int{
		"2027-02-26T10:00:00Z": 3, "2027-02-28T22:59:00Z": 1, "2027-02-28T23:01:00Z": 0, "2027-03-01T22:58:00Z": 0,
	} {
		moment, _ := time.Parse(time.RFC3339, now)
		modelstest.Want(t, "days left at "+now, call.DaysLeft(store.At(moment), end, event), want)
	}
}
