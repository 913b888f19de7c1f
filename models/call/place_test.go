package call_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

// standing makes a submission of the event with somebody on it.
func standing(t *testing.T, f *modelstest.Fixture, title string, status models.Status,
	contactID string) *models.Session {
	t.Helper()
	return modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: true,
		SessionInput: models.SessionInput{Status: &status}, People: []models.Participation{{ContactID: contactID}}}))(t)
}

// written makes a sent letter to a person about a submission.
func written(t *testing.T, f *modelstest.Fixture, s *models.Session, contactID, body string,
	state models.LetterState) string {
	t.Helper()
	f.SetLetter(t, f.Event, s.ID, state)
	db := f.SQL
	modelstest.Exec(t, db,
		"UPDATE letters SET contact_id = '"+contactID+"', body = '"+body+"' WHERE session_id = '"+s.ID+"'")
	var id string
	modelstest.Fine(t, db.QueryRow("SELECT id FROM letters WHERE session_id = '"+s.ID+"'").Scan(&id))
	return id
}

func titles(all []*call.OwnSession) (out []string) {
	return store.Map(all, func(m *call.OwnSession) string { return m.Title + " " + string(m.Status) })
}

func TestAPlaceHasAllThatIsOnesOwnAsSpeakersHearOfIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, draft := c.Begin(t, f, "Ingrid", "A draft")
		other, _ := c.Begin(t, f, "Ada", "Of Ada")
		me, p := pl.ContactID(), f.Programme()
		for title, status := range map[string]models.Status{"a": models.AcceptQueue, "b": models.DeclineQueue,
			"c": models.Accepted, "d": models.Declined, "e": models.Withdrawn} {
			standing(t, f, title, status, me)
		}
		standing(t, f, "Of somebody else", models.Accepted, other.ContactID())
		gone := standing(t, f, "Deleted", models.Pending, me)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		programme := func(title string, status models.Status) *models.Session {
			return modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title,
				SessionInput: models.SessionInput{Status: &status},
				People:       []models.Participation{{ContactID: me}}}))(t)
		}
		programme("Only prepared", models.Draft)
		panel := programme("A panel", models.Accepted)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "At another event", IsAbstract: true,
			People: []models.Participation{{ContactID: me}}}))(t)
		got := titles(modelstest.Must(pl.OwnSessions(ctx))(t))
		want := map[string]bool{"A draft draft": true, "a pending": true, "b pending": true, "c accepted": true,
			"d declined": true, "e withdrawn": true, "A panel accepted": true, "At another event pending": true}
		for _, title := range got {
			modelstest.Holds(t, want[title], "it has %q", title)
			delete(want, title)
		}
		modelstest.Want(t, fmt.Sprintf("of %q there is no", got), len(want), 0)
		one := modelstest.Must(pl.One(ctx, c.Event, draft.ID))(t)
		modelstest.Holds(t, one.Began(me) && one.IsOn && one.Event.Slug == "conf" && len(one.With) == 0,
			"the draft is %+v", one)
		// Room and time are theirs to know once everybody may.
		room := modelstest.Must(p.CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Main hall"}))(t)
		starts := f.Clock.Now().Add(time.Hour)
		p = f.Store.Programme(modelstest.Must(f.EventBy(ctx, "conf"))(t), store.By{Door: "admin"}) // which knows the room
		modelstest.Update(t, p, panel.ID, models.SessionInput{RoomID: store.Some(room.ID),
			StartsAt: store.Some(store.At(starts)), EndsAt: store.Some(store.At(starts.Add(time.Hour)))})
		if one := modelstest.Must(pl.One(ctx, c.Event, panel.ID))(t); one.Room != "" || one.StartsAt != nil ||
			one.EndsAt != nil {
			t.Errorf("before it is public: %+v", one)
		}
		modelstest.Exec(t, f.SQL, "UPDATE sessions SET is_public = true WHERE id = '"+panel.ID+"'")
		if one := modelstest.Must(pl.One(ctx, c.Event, panel.ID))(t); one.Room != "Main hall" || one.StartsAt == nil {
			t.Errorf("once it is public: %+v", one)
		}
	})
}

func TestAProposalThatBecameASessionIsShownOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Ingrid", "A draft")
		talk := standing(t, f, "Tides", models.Accepted, pl.ContactID())
		target := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Tides, really",
			SessionInput: models.SessionInput{Status: new(models.Accepted)},
			People:       []models.Participation{{ContactID: pl.ContactID()}}}))(t)
		modelstest.Exec(t, f.SQL, "UPDATE sessions SET composed_into = '"+target.ID+"' WHERE id = '"+talk.ID+"'")
		at := "'2027-05-20T09:00:00.000Z'"
		modelstest.Exec(t, f.SQL, "UPDATE sessions SET is_public = true, starts_at = "+at+" WHERE id = '"+target.ID+"'")
		got := titles(modelstest.Must(pl.OwnSessions(ctx))(t))
		modelstest.Holds(t, len(got) == 2 && got[1] == "Tides accepted", "it has %q", got)
		one := modelstest.Must(pl.One(ctx, c.Event, talk.ID))(t)
		modelstest.Holds(t, one.StartsAt != nil && one.IsPublic, "its time is not that of the session: %+v", one)
	})
}

func TestWhoSpeaksSaysWhetherTheyCome(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, draft := c.Begin(t, f, "Ingrid", "A draft")
		talk := standing(t, f, "Tides", models.Accepted, pl.ContactID())
		answers := func(what, id, answer, reason string, want store.Kind) {
			t.Helper()
			modelstest.WantKind(t, what, pl.AnswerParticipation(ctx, c.Event, id, answer, reason), want)
		}
		modelstest.Emitted(t, f)
		answers("a draft", draft.ID, call.Coming, "", store.Invalid)
		answers("nothing", talk.ID, "maybe", "", store.Invalid)
		answers("yes", talk.ID, call.Coming, "", 0)
		answers("no", talk.ID, call.NotComing, "My train was cancelled", 0)
		one := modelstest.Must(pl.One(ctx, c.Event, talk.ID))(t)
		modelstest.Holds(t, one.Answer != nil && one.Answer.Answer == call.NotComing &&
			one.Answer.Reason == "My train was cancelled", "it keeps %+v", one.Answer)
		modelstest.Exec(t, f.SQL, "UPDATE sessions SET is_public = true WHERE id = '"+talk.ID+"'")
		answers("the same again", talk.ID, call.NotComing, "My train was cancelled", 0)
		answers("once it is public", talk.ID, call.Coming, "", store.Invalid)
		modelstest.WantAll(t, "it emits", modelstest.EmittedTypes(t, f), nil)
		modelstest.Want(t, "lines of activity", modelstest.RowsOf(t, f, "SELECT count(*) FROM activity "+
			"WHERE action = 'participation' AND door = 'call' AND actor_id = $1", pl.ContactID()), 2)
	})
}

func TestOnlyWhatWentOutIsRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Ingrid", "A draft")
		talk := standing(t, f, "Tides", models.Accepted, pl.ContactID())
		id := written(t, f, talk, pl.ContactID(), "Yes.\n\n{{place_link}}", models.LetterDraft)
		modelstest.Answers(pl.Letter(ctx, c.Event, id))(t, "a draft", store.NotFound)
		modelstest.Want(t, "a draft is told of", modelstest.Must(pl.One(ctx, c.Event, talk.ID))(t).LetterID, "")
		id = written(t, f, talk, pl.ContactID(), "Yes.\n\n{{place_link}}", models.LetterSent)
		letter := modelstest.Must(pl.Letter(ctx, c.Event, id))(t)
		modelstest.Want(t, "it says", call.ShownHere(letter), "Yes.\n\n(the link to this place)")
		one := modelstest.Must(pl.One(ctx, c.Event, talk.ID))(t)
		history := modelstest.Must(pl.History(ctx, one, []*models.Letter{letter}))(t)
		modelstest.Holds(t, one.LetterID == id && len(history) == 2, "%+v has the history %+v", one, history)
	})
}

func TestSomebodySaysWhoTheyAreAndWhenTheyCanCome(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Ingrid Sørlie", "A draft")
		before := modelstest.Must(pl.Profile(ctx, c.Event))(t)
		modelstest.Holds(t, before.SortedUnder() == "Sørlie, Ingrid" && before.Here != nil, "it is %+v", before)
		modelstest.Emitted(t, f)
		save := func(event *models.Event, values map[string]string) (*models.Person, error) {
			if _, err := pl.SaveProfile(ctx, event, people.Change{Values: values, UpdatedAt: &before.UpdatedAt,
				HereUpdatedAt: &before.Here.UpdatedAt}); err != nil {
				return nil, err
			}
			return pl.Profile(ctx, event)
		}
		after := modelstest.Must(save(c.Event, map[string]string{"sort_name": "Sorlie",
			"about": "<p>Pilot<script>x</script></p>"}))(t)
		modelstest.Holds(t, after.SortedUnder() == "Sorlie" && after.About == "<p>Pilot</p>" &&
			len(modelstest.Emitted(t, f)) == 0, "it became %+v", after.Contact)
		modelstest.Answers(save(c.Event, map[string]string{"sort_name": "Late"}))(t, "an old token", store.Stale)
		before = modelstest.Must(pl.Profile(ctx, c.Event))(t)
		for _, field := range []string{"email", "phone", "workflow_status", "tags", "hotel", "logistics_notes", "own"} {
			modelstest.Answers(save(c.Event, map[string]string{field: "x"}))(t, field, store.Invalid)
		}
		modelstest.Must(save(c.Event, map[string]string{"away": "2027-05-20 00:00-12:00", "availability": "My train"}))(t)
		told := modelstest.Emitted(t, f)
		modelstest.Holds(t, len(told) == 1 && told[0].Type == outbox.ContactUpdated, "availability emits %+v", told)
		_, err := save(f.Other, map[string]string{"away": "2027-05-20"})
		modelstest.WantKind(t, "at an event they are not at", err, store.NotFound)
	})
}

// TestAPlaceReachesNothingOfAnother runs every operation of this package against records of other people.
func TestAPlaceReachesNothingOfAnother(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Mallory", "Of Mallory")
		victim, theirs := c.Begin(t, f, "Ada", "Secret of Ada")
		talk := standing(t, f, "Accepted secret", models.Accepted, victim.ContactID())
		letter := written(t, f, talk, victim.ContactID(), "Secret letter", models.LetterSent)
		_, foreignEvent := modelstest.ForeignOwner(t, f)
		foreign := modelstest.Must(f.EventBy(ctx, foreignEvent))(t)
		elsewhere := modelstest.Abstract(t, f.Store.Programme(foreign, store.By{Door: "admin"}), "Foreign secret",
			models.Accepted)
		dump := func() (rows int) {
			for _, table := range []string{"participations", "activity", "letters", "contacts", "sessions"} {
				n := modelstest.RowsOf(t, f, "SELECT count(*) FROM "+table)
				rows += n
			}
			return rows
		}
		wants := func(when string) {
			t.Helper()
			before := dump()
			for _, id := range []string{theirs.ID, talk.ID, elsewhere.ID, store.NewID(), "none", ""} {
				for _, event := range []*models.Event{c.Event, f.Other, foreign} {
					modelstest.Answers(pl.One(ctx, event, id))(t, when+": one", store.NotFound)
					modelstest.WantKind(t, when+": an answer", pl.AnswerParticipation(ctx, event, id, call.Coming, ""), store.NotFound)
					modelstest.Want(t, when+": it reads", len(modelstest.Must(pl.LettersAbout(ctx, event, id))(t)), 0)
					modelstest.Answers(pl.Letter(ctx, event, letter))(t, when+": a letter", store.NotFound)
				}
			}
			for _, m := range modelstest.Must(pl.OwnSessions(ctx))(t) {
				modelstest.Want(t, when+": it has", m.Title, "Of Mallory")
			}
			letters := modelstest.Must(pl.Letters(ctx))(t)
			modelstest.Holds(t, len(letters) == 0, "%s: it has %d letters", when, len(letters))
			modelstest.Want(t, when+": it is the profile of", modelstest.Must(pl.Profile(ctx, c.Event))(t).ID, pl.ContactID())
			modelstest.Want(t, when+": rows", dump(), before)
		}
		wants("at first")
		directory := f.Store.Directory(f.Event.OrganizationID, store.By{Door: "admin"})
		third := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Third"}))(t)
		modelstest.Must(people.In(directory).Merge(ctx, []people.MergePair{{SurvivorID: victim.ContactID(),
			RemovedID: third.ID}}))(t)
		wants("after a merge")
		modelstest.Fine(t, people.In(directory).Erase(ctx, victim.ContactID()))
		wants("after an erasing")
		modelstest.Fine(t, people.In(directory).Erase(ctx, pl.ContactID()))
		modelstest.Answers(pl.One(ctx, foreign, elsewhere.ID))(t, "of who was erased", store.NotFound)
	})
}

// TestWhatAnAcceptedProposalOwesIsAnsweredAfterTheEnd has Ada accepted, Bea in the accept queue, which speakers do not
// see, and Cyd declined.
func TestWhatAnAcceptedProposalOwesIsAnsweredAfterTheEnd(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		ada, accepted := submitted(t, f, c, "Ada")
		bea, queued := submitted(t, f, c, "Bea")
		cyd, declined := submitted(t, f, c, "Cyd")
		for id, status := range map[string]models.Status{accepted.ID: models.Accepted, queued.ID: models.AcceptQueue,
			declined.ID: models.Declined} {
			modelstest.SetStatus(t, f.Programme(), id, status)
		}
		f.Clock.Move(11 * 24 * time.Hour)
		modelstest.Emitted(t, f)

		m := modelstest.Must(ada.One(ctx, c.Event, accepted.ID))(t)
		p := proposalOf(t, ada, c, accepted.ID)
		r := p.Rights(f.Now())
		modelstest.Holds(t, m.Status == models.Accepted && !r.Answer && r.Owed && r.Writes() && !r.Invite &&
			strings.HasPrefix(r.Why, "The call closed on "), "%s, %+v", m.Status, r)
		if owed := p.Form.Owed(p.Values); len(owed) != 1 || owed[0].Key != "phone" {
			t.Errorf("it owes %v", owed)
		}
		v := answers(c)
		maps.Copy(v, call.Values{"title": "Late", "description": "Late", "format": c.Workshop, "help": "", "biography": "Late",
			"phone": "+47 555 01 23"})
		p = saved(t, ada, c, accepted.ID, v)
		if p.Title != "Tides" || p.Values["description"] != answers(c)["description"] || p.Values["format"] != c.Talk ||
			p.Values["help"] != "Money\nVisa" || p.Values["biography"] != "" || p.Values["phone"] != "+47 555 01 23" {
			t.Errorf("%v is kept", p.Values)
		}
		if owed, told := p.Form.Owed(p.Values), emitted(t, f); len(owed) != 0 || told != string(outbox.SessionUpdated) {
			t.Errorf("it owes %v, and %q was told", owed, told)
		}
		s := modelstest.Must(f.Programme().Session(ctx, accepted.ID))(t)
		modelstest.Holds(t, has(s.CustomFields, "phone", "+47 555 01 23"), "staff see %v", s.CustomFields)

		cfp := call.Of(f.Programme())
		modelstest.Fine(t, cfp.Lock(ctx, accepted.ID, true))
		late := call.Saving{Values: v}
		for what, err := range map[string]error{
			"a file that is not owed": second(ada.AttachFile(ctx, c.Event, accepted.ID, "slides", pdf("x"))),
			"one that is locked":      third(ada.Save(ctx, c.Event, accepted.ID, late)),
			"one in the queue":        third(bea.Save(ctx, c.Event, queued.ID, late)),
			"one that was not taken":  third(cyd.Save(ctx, c.Event, declined.ID, late)),
			"to ask somebody along":   second(ada.InviteCoSpeaker(ctx, c.Event, accepted.ID, call.Asking{Email: "li@example.org"})),
		} {
			refuses(err)(t, what)
		}
		modelstest.Want(t, "Bea hears of", modelstest.Must(bea.One(ctx, c.Event, queued.ID))(t).Status, models.Pending)
		modelstest.Answers(bea.Save(ctx, c.Event, accepted.ID, late))(t, "somebody else", store.NotFound)
		modelstest.Want(t, "was told of what was refused", emitted(t, f), "")
	})
}

func has(answers models.Answers, key, value string) bool {
	for _, a := range answers {
		if a.Key == key && a.Value == value {
			return true
		}
	}
	return false
}
