package models_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// titled makes abstracts with these titles.
func titled(t *testing.T, f *modelstest.Fixture, titles ...string) (all []*models.Session) {
	t.Helper()
	for _, title := range titles {
		all = append(all, modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: title,
			IsAbstract: true, SessionInput: models.SessionInput{Description: new("<p>" + title + "</p>")}}))(t))
	}
	return all
}

func partsOf(sessions ...*models.Session) (parts []models.Part) {
	for _, s := range sessions {
		parts = append(parts, models.Part{AbstractID: s.ID, Minutes: s.PartMinutes, UpdatedAt: &s.UpdatedAt})
	}
	return parts
}

// wantParts checks the titles and minutes of a session's parts, in their order.
func wantParts(t *testing.T, f *modelstest.Fixture, id, want string) {
	t.Helper()
	var got []string
	for _, s := range modelstest.Must(f.Programme().Sources(t.Context(), id))(t) {
		text := s.Title
		if s.PartMinutes != nil {
			text += fmt.Sprint(" ", *s.PartMinutes)
		}
		got = append(got, text)
	}
	modelstest.Want(t, "the parts are", strings.Join(got, ", "), want)
}

func now(t *testing.T, f *modelstest.Fixture, s *models.Session) *models.Session {
	t.Helper()
	return modelstest.Must(f.Programme().Session(t.Context(), s.ID))(t)
}

// wantEmitted checks types and records of the emissions, and that each carries its record as it is read.
func wantEmitted(t *testing.T, f *modelstest.Fixture, want ...string) {
	t.Helper()
	var got []string
	for _, e := range modelstest.Emitted(t, f) {
		s := modelstest.Must(f.Programme().Session(t.Context(), e.ResourceID))(t)
		got = append(got, string(e.Type)+" "+s.FriendlyID)
		modelstest.Want(t, string(e.Type)+" tells", e.Data, string(modelstest.Must(json.Marshal(s))(t)))
	}
	modelstest.WantAll(t, "emitted", got, want)
}

func TestASessionHasItsPartsInTheOrderAndWithTheMinutesItIsGiven(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		of := titled(t, f, "One", "Two", "Three")
		parts := partsOf(of[2], of[0])
		parts[0].Minutes = new(20)
		s := modelstest.Must(p.ComposeParts(ctx, models.Composition{Parts: parts}))(t)
		wantParts(t, f, s.ID, "Three 20, One")
		modelstest.Holds(t, s.Title == "Three" && s.Description == "<p>Three</p>" && !s.CompositionStatus.IsLinked, "%+v", s)
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)

		// In another order, with other minutes, and one more: the session's row is what it was.
		was := modelstest.Must(p.Sources(ctx, s.ID))(t)
		arranged := partsOf(was[1], of[1], was[0])
		arranged[0].Minutes, arranged[2].Minutes = new(15), new(25)
		again := models.Composition{Into: s.ID, UpdatedAt: &s.UpdatedAt, Was: partsOf(was...), Parts: arranged}
		modelstest.Must(p.ComposeParts(ctx, again))(t)
		wantParts(t, f, s.ID, "One 15, Two, Three 25")
		wantEmitted(t, f)
		now := now(t, f, s)
		modelstest.Holds(t, now.UpdatedAt == s.UpdatedAt && now.CompositionStatus.SourceCount == 3, "%+v", now)
		modelstest.WantAll(t, "the line says", lastChanges(t, f, s.ID, "arranged"), []string{
			`parts: [{"id":A-3 Three,"minutes":20},{"id":A-1 One,"minutes":null}] → ` +
				`[{"id":A-1 One,"minutes":15},{"id":A-2 Two,"minutes":null},{"id":A-3 Three,"minutes":25}]`})
		modelstest.WantAll(t, "the abstract's line says",
			lastChanges(t, f, of[1].ID, "joined"), []string{"composed_into: null → S-1 Three"})

		// Whoever still has the page of before is told, and nothing is lost.
		modelstest.Answers(p.ComposeParts(ctx, again))(t, "parts as they were", store.Stale)
		wantParts(t, f, s.ID, "One 15, Two, Three 25")
	})
}

func TestAPartThatLeavesKeepsItsTextAndMayBePutElsewhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		of := titled(t, f, "One", "Two")
		li := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Li"}))(t)
		f.Join(t, f.Event, of[1].ID, li.ID, models.Speaking)
		s := modelstest.Must(p.Compose(ctx, []string{of[0].ID, of[1].ID}, ""))(t)
		modelstest.Emitted(t, f)
		s = modelstest.Must(p.ComposeParts(ctx, models.Composition{Into: s.ID, Parts: partsOf(of[0])}))(t)
		wantParts(t, f, s.ID, "One")
		wantEmitted(t, f)
		// One is left: the two texts are not made one behind anybody's back.
		if left := now(t, f, of[1]); len(s.Participants) != 1 || s.CompositionStatus.IsLinked ||
			left.CompositionStatus.Role != "standalone" || left.UpdatedAt != of[1].UpdatedAt {
			t.Errorf("%+v, %+v", s, left)
		}
		if got := lastChanges(t, f, s.ID, "parted"); !slices.Equal(got, []string(nil)) { // it has a before alone
			t.Errorf("%q", got)
		}
		other := modelstest.Must(p.Compose(ctx, []string{of[1].ID}, ""))(t)
		wantParts(t, f, other.ID, "Two")
		// The last one leaves a linked session.
		other = modelstest.Must(p.ComposeParts(ctx, models.Composition{Into: other.ID}))(t)
		if left := now(t, f, of[1]); other.CompositionStatus.Role != "standalone" || left.CompositionStatus.IsLinked {
			t.Errorf("%+v, %+v", other.CompositionStatus, left.CompositionStatus)
		}
		modelstest.Must(p.UpdateSession(ctx, of[1].ID, models.SessionChange{Title: new("Its own")}))(t)
		modelstest.Want(t, "the session's title changed with it", now(t, f, other).Title, "Two")
		// What is in the Trash stays a part, and is found there when it is restored.
		modelstest.Must(p.Compose(ctx, []string{of[1].ID}, s.ID))(t)
		modelstest.Must(p.DeleteSession(ctx, of[1].ID))(t)
		s = modelstest.Must(p.ComposeParts(ctx, models.Composition{Into: s.ID, Parts: partsOf(of[0])}))(t)
		modelstest.Must(p.RestoreSession(ctx, of[1].ID))(t)
		wantParts(t, f, s.ID, "One, Its own")
	})
}

func TestATextOfItsOwnIsThatOfTheLinkedAbstractToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		of := titled(t, f, "One", "Two", "Three")
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)
		s := modelstest.Must(p.ComposeParts(ctx, models.Composition{Parts: partsOf(of[0]), Title: new(" New "),
			Description: new(`<p onclick="x()">Text</p><script>alert(1)</script>`)}))(t)
		wantEmitted(t, f, "session.created S-1", "session.updated A-1")
		source := now(t, f, of[0])
		modelstest.Holds(t, s.Title == "New" && s.Description == "<p>Text</p>" && source.Title == "New" &&
			source.Description == s.Description && source.CompositionStatus.IsReadOnly, "%+v, %+v", s, source)
		// Of two, the session's is its own.
		both := modelstest.Must(p.ComposeParts(ctx, models.Composition{Parts: partsOf(of[1], of[2]), Title: new("Both")}))(t)
		wantEmitted(t, f, "session.created S-2")
		modelstest.Holds(t, now(t, f, of[1]).Title == "Two" && both.Title == "Both" && both.Description == "<p>Two</p>",
			"%+v", both)
		// A title that is changed as parts are arranged is carried on, once.
		was := modelstest.Must(p.Sources(ctx, s.ID))(t)
		parts := partsOf(was...)
		parts[0].Minutes = new(30)
		modelstest.Must(p.ComposeParts(ctx, models.Composition{Into: s.ID, Parts: parts, Title: new("Newer")}))(t)
		wantEmitted(t, f, "session.updated S-1", "session.updated A-1")
		wantParts(t, f, s.ID, "Newer 30")
	})
}

func TestPeopleOfAbstractsAreUnited(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		contact := func(name string) string {
			return modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: name}))(t).ID
		}
		ada, li, bo := contact("Ada"), contact("Li"), contact("Bo")
		of := titled(t, f, "One", "Two")
		f.Join(t, f.Event, of[0].ID, ada, models.Moderator)
		f.Join(t, f.Event, of[0].ID, li, models.Speaking)
		f.Join(t, f.Event, of[1].ID, ada, models.Speaking)
		f.Join(t, f.Event, of[1].ID, bo, models.Chairperson)
		said := func(s *models.Session) (words string) {
			for i, x := range now(t, f, s).Participants {
				words += fmt.Sprint(x.FullName, " ", x.Role, " ", x.Position-i, ", ")
			}
			return words
		}
		ids := []string{of[0].ID, of[1].ID}
		s := modelstest.Must(p.Compose(ctx, ids, ""))(t)
		modelstest.Want(t, "said", said(s), "Ada speaker 0, Li speaker 0, Bo chairperson 0, ")
		modelstest.Must(p.ComposeParts(ctx, models.Composition{Into: s.ID}))(t) // all leave, and the people stay
		modelstest.Must(p.SetParticipants(ctx, s.ID, []models.Participation{{ContactID: bo, Role: models.Moderator}}))(t)
		modelstest.Must(p.ComposeParts(ctx, models.Composition{Into: s.ID, Parts: partsOf(now(t, f, of[0]), now(t, f, of[1])),
			Roles: map[string]models.Role{li: models.Chairperson, "nobody": "none"}}))(t)
		modelstest.Want(t, "said", said(s), "Bo moderator 0, Ada speaker 0, Li chairperson 0, ")
		modelstest.Answers(p.ComposeParts(ctx, models.Composition{Into: s.ID, Parts: partsOf(of...),
			Roles: map[string]models.Role{li: "singer"}}))(t, "a role that is none", store.Invalid)
	})
}

func TestWhatCannotBeComposedIsRefusedWhole(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		of := titled(t, f, "Fine", "Withdrawn", "Declined", "Draft", "Changed", "Composed")
		for i, status := range []models.Status{models.Withdrawn, models.Declined, models.Draft} {
			modelstest.SetStatus(t, p, of[i+1].ID, status)
		}
		f.Clock.Move(time.Minute)
		modelstest.Must(p.UpdateSession(ctx, of[4].ID, models.SessionChange{Title: new("Changed since")}))(t)
		taken := modelstest.Must(p.Compose(ctx, []string{of[5].ID}, ""))(t)
		theirs := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Theirs", IsAbstract: true}))(t)
		gone := titled(t, f, "Gone")[0]
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		modelstest.Emitted(t, f)
		part := func(s *models.Session) models.Composition {
			return models.Composition{Parts: []models.Part{{AbstractID: of[0].ID}, {AbstractID: s.ID}}}
		}
		minutes, many := models.Composition{Parts: partsOf(of[0])}, models.Composition{}
		minutes.Parts[0].Minutes = new(1441)
		for i := range models.MaxParts + 1 {
			many.Parts = append(many.Parts, models.Part{AbstractID: fmt.Sprint(i)})
		}
		for what, c := range map[string]struct {
			models.Composition
			kind store.Kind
		}{
			"withdrawn":        {part(of[1]), store.Invalid},
			"declined":         {part(of[2]), store.Invalid},
			"a draft":          {part(of[3]), store.Invalid},
			"changed":          {models.Composition{Parts: partsOf(of[0], of[4])}, store.Stale},
			"composed":         {part(of[5]), store.Invalid},
			"a session":        {part(taken), store.Invalid},
			"deleted":          {part(gone), store.NotFound},
			"into an abstract": {models.Composition{Into: of[4].ID, Parts: partsOf(of[0])}, store.Invalid},
			"into nowhere":     {models.Composition{Into: store.NewID(), Parts: partsOf(of[0])}, store.NotFound},
			"twice":            {part(of[0]), store.Invalid},
			"of another event": {part(theirs), store.NotFound},
			"no title":         {models.Composition{Parts: partsOf(of[0]), Title: new(" ")}, store.Invalid},
			"no parts":         {models.Composition{}, store.Invalid},
			"no id":            {models.Composition{Parts: []models.Part{{}}}, store.NotFound},
			"minutes":          {minutes, store.Invalid},
			"many":             {many, store.Invalid},
			"a stale session": {models.Composition{Into: taken.ID, UpdatedAt: &theirs.UpdatedAt, Parts: partsOf(of[0])},
				store.Stale},
			"nobody's session": {models.Composition{Into: theirs.ID, Parts: partsOf(of[0])}, store.NotFound},
		} {
			modelstest.Answers(p.ComposeParts(ctx, c.Composition))(t, what, c.kind)
		}
		modelstest.Answers(p.Compose(ctx, nil, taken.ID))(t, "no abstract", store.Invalid)
		if now := now(t, f, of[0]); now.CompositionStatus.Role != "standalone" || len(modelstest.Emitted(t, f)) > 0 {
			t.Errorf("%+v", now.CompositionStatus)
		}
	})
}

func TestOneOfManyWhoComposeAnAbstractAtOnceDoes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		of := titled(t, f, "One", "Two")
		modelstest.Emitted(t, f)
		modelstest.OneSucceeds(t, 8, store.Invalid, func(i int) error {
			parts := partsOf(of...)
			if i%2 == 0 {
				slices.Reverse(parts)
			}
			return modelstest.ErrorOf(f.Programme().ComposeParts(context.Background(), models.Composition{Parts: parts}))
		})
		wantEmitted(t, f, "session.created S-1")
	})
}

func TestALinkIsTakenUpAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		of := titled(t, f, "One", "Two")
		s := modelstest.Must(p.Compose(ctx, []string{of[0].ID}, ""))(t)
		modelstest.Answers(p.LinkAgain(ctx, s.ID, nil))(t, "a link that is there", store.Invalid)
		modelstest.Must(p.Detach(ctx, s.ID))(t)
		modelstest.Emitted(t, f)
		modelstest.Must(p.LinkAgain(ctx, s.ID, nil))(t) // at once: nothing changed
		wantEmitted(t, f)
		modelstest.Must(p.Detach(ctx, s.ID))(t)
		modelstest.Answers(p.Detach(ctx, s.ID))(t, "detaching twice", store.Invalid)
		f.Clock.Move(time.Minute)
		modelstest.Must(p.UpdateSession(ctx, of[0].ID, models.SessionChange{Title: new("Its own")}))(t)
		modelstest.Emitted(t, f)
		modelstest.Answers(p.LinkAgain(ctx, s.ID, &of[0].UpdatedAt))(t, "a text that nobody saw", store.Stale)
		linked := modelstest.Must(p.LinkAgain(ctx, s.ID, &now(t, f, of[0]).UpdatedAt))(t)
		wantEmitted(t, f, "session.updated A-1")
		modelstest.Holds(t, now(t, f, of[0]).Title == "One" && linked.CompositionStatus.IsLinked &&
			linked.UpdatedAt == s.UpdatedAt, "%+v", linked)
		modelstest.Must(p.Compose(ctx, []string{of[1].ID}, s.ID))(t)
		modelstest.Answers(p.LinkAgain(ctx, s.ID, nil))(t, "two abstracts", store.Invalid)
		theirs := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Theirs"}))(t)
		modelstest.Answers(p.LinkAgain(ctx, theirs.ID, nil))(t, "of another event", store.NotFound)
	})
}
