package call_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestStaffFillInTheFormOfSomebodyAfterTheEnd(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		submitted(t, f, c, "Li")
		modelstest.Fine(t, call.Of(f.Programme()).Change(ctx, call.SettingsChange{MaxTotal: store.Some(1),
			MaxProposals: store.Some(1)}))
		f.Clock.Move(30 * day)
		cfp := call.Of(f.Programme())
		modelstest.Emitted(t, f)
		s := modelstest.Must(cfp.BeginFor(ctx, call.BeginningFor{Title: " Tides ", People: []models.Participation{
			{New: &models.NewContact{FirstName: "Ada", LastName: "Love", Email: "ada@example.org"}}}}))(t)
		if got := emitted(t, f); got != "session.created" || s.Status != models.Draft || s.Title != "Tides" {
			t.Errorf("%q of %+v", got, s)
		}
		ada := s.Participants[0].ContactID
		p, faults, err := cfp.Save(ctx, s.ID, call.Saving{Values: answers(c)})
		if err != nil || len(faults) > 0 || emitted(t, f) != "session.updated" || p.Values["help"] == "" {
			t.Fatalf("%v %v: %v", err, faults, p)
		}
		p = modelstest.Must(cfp.AttachFile(ctx, s.ID, "slides", pdf("one")))(t)
		modelstest.Want(t, "another file is kept",
			modelstest.Must(cfp.AnswerFile(ctx, s.ID, "slides"))(t).ID, p.Files["slides"].ID)
		emitted(t, f)
		done := modelstest.Must(cfp.SubmitFor(ctx, s.ID, call.SubmittingFor{Token: p.UpdatedAt}))(t)
		if got := emitted(t, f); done.Status != models.Pending || got != "session.updated" {
			t.Errorf("%s, %q", done.Status, got)
		}
		w, link := waysOn(t, f), modelstest.Must(cfp.PlaceLink(ctx, ada))(t)
		place := w.place(modelstest.Must(w.open(link, "", nil))(t).Token)
		mine := modelstest.Must(place.Proposal(ctx, c.Event, s.ID))(t)
		modelstest.Holds(t, mine.IsMine() && mine.Standing.SubmittedAt != nil && mine.Files["slides"] != nil &&
			mine.Standing.BeganBy == ada, "in their place stands %+v", mine.Standing)
	})
}

func TestWhatStaffFillInIsChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		cfp := call.Of(f.Programme())
		_, err := cfp.BeginFor(ctx, call.BeginningFor{Title: " "})
		names := store.Map(store.AsError(err).Fields, func(f store.FieldError) string { return f.Field })
		modelstest.WantAll(t, "it is refused by, in this order,", names, []string{"title", "people"})
		pl, s := c.Begin(t, f, "Ada", "Tides")
		p := modelstest.Must(cfp.Proposal(ctx, s.ID))(t)
		modelstest.Want(t, "it is somebody else's", p.ContactID, pl.ContactID())
		_, err = cfp.SubmitFor(ctx, s.ID, call.SubmittingFor{Token: p.UpdatedAt})
		modelstest.Want(t, "it is refused by", fields(err), "description format")
		sent := answers(c)
		sent["format"], sent[string(call.Biography)] = store.NewID(), "I sail."
		p, faults, err := cfp.Save(ctx, s.ID, call.Saving{Values: sent, Token: p.Token()})
		modelstest.Holds(t, err == nil && len(faults) == 1 && faults[0].Key == "format" && p.Values["help"] != "",
			"%v: %v", err, faults)
		modelstest.Holds(t, p.About == "I sail." && modelstest.Must(pl.Proposal(ctx, c.Event, s.ID))(t).About == "I sail.",
			"%q is their biography", p.About)
		_, _, err = cfp.Save(ctx, s.ID, call.Saving{Values: sent, Token: "2020-01-01T00:00:00.000Z"})
		modelstest.WantKind(t, "an outdated token", err, store.Stale)
		_, err = cfp.SubmitFor(ctx, s.ID, call.SubmittingFor{Token: s.UpdatedAt, AsItIs: true})
		modelstest.WantKind(t, "an outdated draft", err, store.Stale)
		done := modelstest.Must(cfp.SubmitFor(ctx, s.ID, call.SubmittingFor{Token: p.UpdatedAt, AsItIs: true}))(t)
		// Of what was submitted staff may take anything back; its people may not.
		sent = call.Values{"title": "Tides", "description": "", "format": "", "help": ""}
		modelstest.Answers(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: sent}))(t, "its people leave something out",
			store.Invalid)
		p, faults, err = cfp.Save(ctx, s.ID, call.Saving{Values: sent})
		modelstest.Holds(t, err == nil && len(faults) == 0 && p.Values["help"] == "" && p.Status == done.Status,
			"%v: %v, %v", err, faults, p.Values)
		for name, of := range map[string]*call.Call{"another event": call.Of(f.Elsewhere())} {
			modelstest.Answers(of.Proposal(ctx, s.ID))(t, name, store.NotFound)
			modelstest.Answers(of.Save(ctx, s.ID, call.Saving{Values: sent}))(t, name, store.NotFound)
			modelstest.Answers(of.AttachFile(ctx, s.ID, "slides", pdf("x")))(t, name, store.NotFound)
			modelstest.Answers(of.SubmitFor(ctx, s.ID, call.SubmittingFor{Token: p.UpdatedAt}))(t, name, store.NotFound)
		}
	})
}

func TestActivitySaysWhichStaffFilledSomethingIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		olga := f.Store.Programme(c.Event, store.By{Door: "admin", ActorID: "o", ActorName: "Olga"})
		cfp := call.Of(olga)
		s := modelstest.Must(cfp.BeginFor(ctx, call.BeginningFor{Title: "Tides", People: []models.Participation{
			{New: &models.NewContact{FirstName: "Ada"}}}}))(t)
		f.Clock.Move(1e9)
		p := modelstest.First(cfp.Save(ctx, s.ID, call.Saving{Values: answers(c)}))(t)
		f.Clock.Move(1e9)
		modelstest.Must(cfp.SubmitFor(ctx, s.ID, call.SubmittingFor{Token: p.UpdatedAt}))(t)
		said := store.Map(modelstest.Must(olga.Activity(ctx, s.ID))(t),
			func(line *store.Activity) string { return fmt.Sprint(line.ActorName, " ", line.Action) })
		if got := strings.Join(said, ", "); strings.Count(got, "Olga") != len(said) || !strings.Contains(got, "Olga created") ||
			!strings.Contains(got, "Olga submitted") || !strings.Contains(got, "Olga updated") {
			t.Error(got)
		}
	})
}

func TestStaffChooseWhatIsFullAndLeaveWhatIsASessionsText(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		cfp := call.Of(f.Programme())
		help := modelstest.Must(cfp.Form(ctx))(t).Question("help")
		in := call.InputOf(help)
		in.Options = []call.Choice{{Value: "Money", Limit: 1}, {Value: "Visa", Limit: 1}}
		_ = modelstest.Must(cfp.ChangeQuestion(ctx, help.ID, in, nil))(t)
		submitted(t, f, c, "Ada") // takes both
		pl, s := c.Begin(t, f, "Li", "Ebb")
		v := answers(c)
		v["title"], v["help"] = "Ebb", ""
		saved(t, pl, c, s.ID, v)
		modelstest.Must(pl.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t)
		v["help"] = "Visa"
		_, _, err := pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v})
		modelstest.Want(t, "it is refused by", fields(err), "help")
		modelstest.Must(f.Programme().Compose(ctx, []string{s.ID}, ""))(t)
		v["title"], v["description"] = "Another", "Another text"
		p, faults, err := cfp.Save(ctx, s.ID, call.Saving{Values: v})
		modelstest.Holds(t, err == nil && len(faults) == 0 && p.Title == "Ebb" && p.Values["help"] == "Visa" &&
			p.Values["description"] != "Another text", "%v %v: %+v", err, faults, p.Values)
		modelstest.Holds(t, p.CompositionStatus.IsReadOnly, "it has a text of its own")
	})
}
