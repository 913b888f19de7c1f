package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// cast returns the people of a session, in order: "Ada speaker, Li moderator".
func cast(people []*models.Participant) string {
	var said []string
	for i, x := range people {
		if x.Position != i {
			said = append(said, fmt.Sprint("at ", x.Position))
		}
		said = append(said, x.FullName+" "+string(x.Role))
	}
	return strings.Join(said, ", ")
}

func participantNamed(t *testing.T, p *models.Programme, name string) models.Participation {
	t.Helper()
	n := models.NewContact{FirstName: name, Email: name + "@example.org", CompanyName: "Works of " + name}
	return models.Participation{ContactID: modelstest.Must(p.CreateContact(t.Context(), n))(t).ID}
}

func TestPeopleOfASessionAreAddedOrderedAndRemoved(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada, li, kim := participantNamed(t, p, "Ada"), participantNamed(t, p, "Li"), participantNamed(t, p, "Kim")
		as := func(x models.Participation, role models.Role) models.Participation { x.Role = role; return x }
		for _, abstract := range []bool{true, false} {
			s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: abstract}))(t)
			modelstest.Emitted(t, f)
			for _, step := range []struct {
				people     []models.Participation
				want, said string
			}{
				{[]models.Participation{ada}, "Ada speaker", "[] → [Ada speaker]"},
				{[]models.Participation{ada, li, kim}, "Ada speaker, Li speaker, Kim speaker",
					"[Ada speaker] → [Ada speaker Li speaker Kim speaker]"},
				{[]models.Participation{kim, ada, li}, "Kim speaker, Ada speaker, Li speaker",
					"[Ada speaker Li speaker Kim speaker] → [Kim speaker Ada speaker Li speaker]"},
				{[]models.Participation{kim, as(ada, models.Moderator), as(li, models.Chairperson)},
					"Kim speaker, Ada moderator, Li chairperson",
					"[Kim speaker Ada speaker Li speaker] → [Kim speaker Ada moderator Li chairperson]"},
				{[]models.Participation{as(li, models.Chairperson)}, "Li chairperson",
					"[Kim speaker Ada moderator Li chairperson] → [Li chairperson]"},
				{nil, "", "[Li chairperson] → []"},
			} {
				f.Clock.Move(time.Minute)
				now := modelstest.Must(p.ChangePeople(ctx, s.ID,
					models.PeopleChange{People: step.people, UpdatedAt: &s.UpdatedAt}))(t)
				read := modelstest.Must(p.Session(ctx, s.ID))(t)
				if cast(now.Participants) != step.want || cast(read.Participants) != step.want {
					t.Errorf("answered %s, read %s, want %s", cast(now.Participants), cast(read.Participants), step.want)
				}
				modelstest.Holds(t, now.UpdatedAt.After(s.UpdatedAt.Time), "the token does not move")
				wantEmitted(t, f, "session.updated "+s.FriendlyID)
				modelstest.Want(t, "the activity says", peopleChanged(t, f, s.ID), step.said)
				// The same once more is no change.
				same := modelstest.Must(p.ChangePeople(ctx, s.ID, models.PeopleChange{People: step.people}))(t)
				modelstest.Holds(t, same.UpdatedAt == now.UpdatedAt && len(modelstest.Emitted(t, f)) == 0,
					"what changes nothing moves the token or emits")
				s = now
			}
		}
	})
}

// peopleChanged returns what the newest line of a record's activity says of its people.
func peopleChanged(t *testing.T, f *modelstest.Fixture, id string) string {
	t.Helper()
	entries, _, err := desk.Of(f.Programme()).ActivityLog(t.Context(), desk.ActivityFilter{SubjectID: id}, store.Page{})
	modelstest.Fine(t, err)
	side := func(value any) string {
		names := []string{}
		for _, item := range value.([]any) {
			facts := item.(map[string]any)
			names = append(names, entries[0].Names[facts["id"].(string)]+" "+facts["role"].(string))
		}
		return fmt.Sprint(names)
	}
	return side(entries[0].Before["participants"]) + " → " + side(entries[0].After["participants"])
}

func TestAPersonIsMadeWithTheirSeat(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true}))(t)
		modelstest.Emitted(t, f)
		people := []models.Participation{
			{New: &models.NewContact{FirstName: "Ada", LastName: "Byron", Email: "Ada@Example.org", CompanyName: "Engine"}},
			{New: &models.NewContact{FirstName: "Plum"}, Role: models.Moderator},
		}
		now := modelstest.Must(p.ChangePeople(ctx, s.ID, models.PeopleChange{People: people, UpdatedAt: &s.UpdatedAt}))(t)
		if got := cast(now.Participants); got != "Ada Byron speaker, Plum moderator" || now.Participants[0].Known {
			t.Errorf("%s, %+v", got, now.Participants[0])
		}
		wantEmitted(t, f, "session.updated "+s.FriendlyID) // and nothing of contacts
		if c := modelstest.Must(p.Contact(ctx, now.Participants[0].ContactID))(t); c.Email != "Ada@Example.org" ||
			c.CompanyName != "Engine" {
			t.Errorf("%+v", c)
		}
		for _, x := range now.Participants {
			modelstest.Want(t, "of "+x.FullName+" the activity says", lastLine(t, f, x.ContactID), "contact created")
		}
		// Found by the names of the people from now on.
		rows, _, err := p.SearchSessions(ctx, models.SessionSearch{Filter: models.SessionFilter{Text: "byron plum"}})
		modelstest.Holds(t, err == nil && len(rows) == 1, "%d rows, %v", len(rows), err)
		// An address that is known stands for who has it, also somebody of another event.
		c := modelstest.Contact(t, f.Elsewhere(), "Li", "li@example.org")
		again := []models.Participation{{New: &models.NewContact{FirstName: "L.", Email: "LI@example.org"}}}
		now = modelstest.Must(p.ChangePeople(ctx, s.ID, models.PeopleChange{People: again}))(t)
		if x := now.Participants[0]; x.ContactID != c.ID || x.FullName != "Li" || !x.Known {
			t.Errorf("%+v is not %+v", x, c)
		}
		modelstest.Want(t, "of a person who was known the activity says", lastLine(t, f, c.ID), "")
		modelstest.Want(t, "Li is not at the event", modelstest.Must(p.Contact(ctx, c.ID))(t).FullName, "Li")
		wantEmitted(t, f, "session.updated "+s.FriendlyID)
	})
}

func lastLine(t *testing.T, f *modelstest.Fixture, id string) string {
	t.Helper()
	lines := modelstest.Must(f.Programme().Activity(t.Context(), id))(t)
	if len(lines) == 0 {
		return ""
	}
	return lines[0].Subject + " " + lines[0].Action
}

func TestARecordIsCreatedWithItsPeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := participantNamed(t, f.Elsewhere(), "Ada") // of the organization, not yet at this event
		ada.Role = models.Chairperson
		modelstest.Emitted(t, f)
		people := []models.Participation{{New: &models.NewContact{FirstName: "Li"}}, ada}
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", People: people}))(t)
		emitted := modelstest.Emitted(t, f)
		read := modelstest.Must(json.Marshal(modelstest.Must(p.Session(ctx, s.ID))(t)))(t)
		if len(emitted) != 1 || emitted[0].Type != outbox.SessionCreated || emitted[0].Data != string(read) {
			t.Fatalf("%+v, read as\n%s", emitted, read)
		}
		modelstest.Want(t, "cast", cast(s.Participants), "Li speaker, Ada chairperson")
		before := modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts")
		_, err := p.CreateSession(ctx, models.NewSession{Title: "", People: people})
		modelstest.WantKind(t, "a create without a title", err, store.Invalid)
		modelstest.Answers(p.CreateSession(ctx, models.NewSession{Title: "T", People: []models.Participation{people[0],
			{ContactID: store.NewID()}}}))(t, "a create with a stranger", store.Invalid)
		modelstest.Holds(t, modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts") == before &&
			len(modelstest.Emitted(t, f)) == 0, "what was refused leaves something")
	})
}

func TestPeopleThatCannotBeAreRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := participantNamed(t, p, "Ada")
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T"}))(t)
		_, foreign := modelstest.ForeignOwner(t, f)
		stranger := participantNamed(t, f.Store.Programme(modelstest.Must(f.EventBy(ctx, foreign))(t), modelstest.Tester), "Eve")
		made := func(n models.NewContact) models.Participation { return models.Participation{New: &n} }
		var crowd []models.Participation
		for range models.MaxParticipants + 1 {
			crowd = append(crowd, made(models.NewContact{FirstName: "One of many"}))
		}
		before := modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts")
		modelstest.Emitted(t, f)
		for want, people := range map[string][]models.Participation{
			"participants[1].id is nobody you know here; add them by their e-mail address": {made(models.NewContact{FirstName: "New"}), stranger},
			"participants[0].id is nobody you know":                                        {{ContactID: "x\x00' OR 1=1 --"}},
			"participants[1].id is there twice":                                            {ada, ada},
			"participants[1].email is that of Ada, who is there":                           {ada, made(models.NewContact{FirstName: "A", Email: "ADA@example.org"})},
			"participants[0].role must be speaker, moderator or":                           {{ContactID: ada.ContactID, Role: "boss"}},
			"participants[0].first_name must not be empty":                                 {made(models.NewContact{Email: "x@example.org"})},
			"participants[0].email must be an address such as ana@":                        {made(models.NewContact{FirstName: "X", Email: "x"})},
			"participants[0].company_name is 256 characters long; a":                       {made(models.NewContact{FirstName: "X", CompanyName: strings.Repeat("x", 256)})},
			"participants[1].email is that of X, who is there": {
				made(models.NewContact{FirstName: "X", Email: "x@example.org"}), made(models.NewContact{FirstName: "Y", Email: "x@example.org"})},
			"participants has 101 people; at most 100 are allowed": crowd,
		} {
			_, err := p.ChangePeople(ctx, s.ID, models.PeopleChange{People: people})
			modelstest.Holds(t, store.KindOf(err) == store.Invalid && strings.Contains(err.Error(), want),
				"%v, want %s", err, want)
		}
		some := []models.Participation{ada, made(models.NewContact{FirstName: "New", Email: "new@example.org"})}
		old := s.UpdatedAt
		f.Clock.Move(time.Minute)
		s = modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{Title: new("Another")}))(t)
		modelstest.Emitted(t, f)
		_, err := p.ChangePeople(ctx, s.ID, models.PeopleChange{People: some, UpdatedAt: &old})
		modelstest.WantKind(t, "an old token", err, store.Stale)
		_, err = f.Elsewhere().ChangePeople(ctx, s.ID, models.PeopleChange{People: some})
		modelstest.WantKind(t, "another event", err, store.NotFound)
		modelstest.Answers(p.ChangePeople(ctx, "x", models.PeopleChange{People: some}))(t, "no record", store.NotFound)
		modelstest.Must(p.DeleteSession(ctx, s.ID))(t)
		modelstest.Emitted(t, f)
		_, err = p.ChangePeople(ctx, s.ID, models.PeopleChange{People: some})
		modelstest.WantKind(t, "a deleted record", err, store.NotFound)
		modelstest.Holds(t, modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts") == before &&
			len(modelstest.Emitted(t, f)) == 0, "what was refused leaves something")
	})
}

func TestHostileNamesArePeopleToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		for _, name := range []string{"Robert'); DROP TABLE contacts;--", "<script>alert(1)</script>", "مريم حداد",
			"100%_\\", "\u202eevil", "山田花子", strings.Repeat("é", 255)} {
			s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T",
				People: []models.Participation{{New: &models.NewContact{FirstName: name}}}}))(t)
			modelstest.Want(t, name+" became", s.Participants[0].FullName, name)
			found := modelstest.Must(p.FindContacts(ctx, string([]rune(name)[:min(20, len([]rune(name)))]), 5))(t)
			modelstest.Holds(t, len(found) == 1 && found[0].FullName == name && found[0].Here, "%q finds %+v", name, found)
		}
	})
}

func TestOfTwoWhoChangePeopleAtOnceOneIsTold(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T"}))(t)
		modelstest.Emitted(t, f)
		modelstest.OneSucceeds(t, 8, store.Stale, func(i int) error {
			return modelstest.ErrorOf(p.ChangePeople(ctx, s.ID, models.PeopleChange{UpdatedAt: &s.UpdatedAt,
				People: []models.Participation{{New: &models.NewContact{FirstName: fmt.Sprint("N", i), Email: "n@example.org"}}}}))
		})
		modelstest.Want(t, "emissions", len(modelstest.Emitted(t, f)), 1)
		modelstest.Want(t, "contacts", modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts"), 1)
		// Without a token all go through, and one address stays one person.
		modelstest.AllSucceed(t, 8, func(int) error {
			return modelstest.ErrorOf(p.CreateSession(ctx, models.NewSession{Title: "T", People: []models.Participation{
				{New: &models.NewContact{FirstName: "M", Email: "m@example.org"}}}}))
		})
		modelstest.Want(t, "contacts", modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts"), 2)
	})
}

func TestContactsAreFoundInTheOrganizationTheOnesHereFirst(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		_, foreign := modelstest.ForeignOwner(t, f)
		stranger := f.Store.Programme(modelstest.Must(f.EventBy(ctx, foreign))(t), modelstest.Tester)
		for _, x := range []struct {
			at *models.Programme
			n  models.NewContact
		}{
			{f.Elsewhere(), models.NewContact{FirstName: "Jérôme", LastName: "Aubert", Email: "ja@example.org"}},
			{p, models.NewContact{FirstName: "Jérôme", LastName: "Zola", CompanyName: "Søren & Sons"}},
			{p, models.NewContact{FirstName: "Ada", Email: "jerome@example.org"}},
			{stranger, models.NewContact{FirstName: "Jérôme", LastName: "Foreign", Email: "jerome@example.org"}},
		} {
			modelstest.Must(x.at.CreateContact(ctx, x.n))(t)
		}
		for text, want := range map[string]string{
			"jerome": "Ada here, Jérôme Zola here, Jérôme Aubert", "zola soren": "Jérôme Zola here", "JA@EXAMPLE": "Jérôme Aubert",
			"foreign": "", "": "", "  ": "", "%": "",
		} {
			said := store.Map(modelstest.Must(p.FindContacts(ctx, text, 10))(t),
				func(c *models.FoundContact) string { return c.FullName + map[bool]string{true: " here"}[c.Here] })
			modelstest.Want(t, text+" finds", strings.Join(said, ", "), want)
		}
		modelstest.Want(t, "found of at most 2", len(modelstest.Must(p.FindContacts(ctx, "jerome", 2))(t)), 2)
		modelstest.Answers(p.FindContacts(ctx, strings.Repeat("x", 201), 2))(t, "a long text", store.Invalid)
	})
}
