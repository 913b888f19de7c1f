package call_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func names(people []*models.Participant) string {
	all := store.Map(people, func(x *models.Participant) string { return x.FullName + " " + string(x.Role) })
	return strings.Join(all, ", ")
}

func lettersOf(t *testing.T, f *modelstest.Fixture) []*models.LetterRow {
	t.Helper()
	return modelstest.First(letters.Of(f.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
		letters.Choice{Kind: models.LetterCall}, store.Page{Size: 100}))(t)
}

func TestACoSpeakerIsAskedByALetterAndOnTheProposalOnceTheySaidYes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		known := modelstest.Contact(t, f.Programme(), "Wei", "wei@example.org")
		modelstest.Emitted(t, f)
		asked := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Name: "Li\nXu",
			Email: "Li@example.org", Role: models.Moderator}))(t)
		second := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "wei@example.org"}))(t)
		sent := lettersOf(t, f)
		modelstest.Holds(t, len(sent) == 2 && sent[0].HasPlaceLink() && emitted(t, f) == "", "%d letters", len(sent))
		if p := proposalOf(t, pl, c, s.ID); names(p.Participants) != "Ada speaker" || len(p.Asked) != 2 ||
			p.Asked[0].State != call.Invited {
			t.Errorf("on it are %s", names(p.Participants))
		}
		_, err := call.InvitationOf(ctx, f.Store, f.Other, asked.ID)
		modelstest.WantKind(t, "an invitation of another event", err, store.NotFound)
		seen := modelstest.Must(call.InvitationOf(ctx, f.Store, c.Event, asked.ID))(t)
		modelstest.Holds(t, seen.From == "Ada" && seen.Title == "Tides" && seen.Name == "Li Xu", "%+v", seen)
		for range 2 {
			id := modelstest.Must(call.Join(ctx, f.Store, c.Event, asked.ID, store.By{Door: "call"}))(t)
			li := modelstest.Must(f.Programme().Contact(ctx, id))(t)
			modelstest.Holds(t, li.FullName == "Li Xu" && li.Email == "Li@example.org", "%s <%s> joins", li.FullName, li.Email)
		}
		modelstest.Want(t, "somebody known joins as another contact",
			modelstest.Must(call.Join(ctx, f.Store, c.Event, second.ID, store.By{Door: "call"}))(t), known.ID)
		p := proposalOf(t, pl, c, s.ID)
		modelstest.Holds(t, names(p.Participants) == "Ada speaker, Li Xu moderator, Wei speaker" &&
			emitted(t, f) == "session.updated session.updated", "on it are %s", names(p.Participants))
		modelstest.WantKind(t, "a no after the yes", call.Decline(ctx, f.Store, c.Event, asked.ID), store.NotFound)
		p = modelstest.Must(pl.RemoveCoSpeaker(ctx, c.Event, s.ID, asked.ID))(t)
		modelstest.Holds(t, names(p.Participants) == "Ada speaker, Wei speaker" && len(proposalOf(t, pl, c, s.ID).Asked) == 1,
			"on it are %s", names(p.Participants))
		_, err = call.Join(ctx, f.Store, c.Event, asked.ID, store.By{Door: "call"})
		modelstest.WantKind(t, "an invitation that was taken back", err, store.NotFound)
	})
}

func TestWhoCannotBeAskedToSpeakAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		ask := func(email string) error {
			return second(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: email}))
		}
		modelstest.Fine(t, ask("li@example.org"))
		for what, email := range map[string]string{"oneself": "ADA@example.org", "the same": "LI@example.org",
			"nobody": "", "no address": "li"} {
			err := ask(email)
			modelstest.Want(t, what+" answers", fields(err), "email")
		}
		modelstest.Fine(t, ask("kim@example.org"))
		if err := ask("jo@example.org"); fields(err) != "email" || !strings.Contains(err.Error(), "at most 3 speakers") {
			t.Errorf("a fourth answers %v", err)
		}
		invited := proposalOf(t, pl, c, s.ID).Asked
		modelstest.Fine(t, call.Decline(ctx, f.Store, c.Event, invited[0].ID))
		modelstest.Fine(t, ask("jo@example.org"))
		modelstest.Must(pl.RemoveCoSpeaker(ctx, c.Event, s.ID, invited[1].ID))(t)
		modelstest.Fine(t, ask("li@example.org")) // who declined may be asked again
		// Who speaks along asks nobody, and takes nobody off.
		modelstest.Must(call.Join(ctx, f.Store, c.Event, proposalOf(t, pl, c, s.ID).Asked[0].ID, store.By{Door: "call"}))(t)
		w := waysOn(t, f)
		theirs := w.place(modelstest.Must(w.open(w.mint("jo@example.org"), "", nil))(t).Token)
		if p := proposalOf(t, theirs, c, s.ID); p.IsMine() || p.Rights(f.Now()).Submit || !p.Rights(f.Now()).Answer {
			t.Errorf("%+v", p.Rights(f.Now()))
		}
		refuses(theirs.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "x@example.org"}))(t, "asking along")
		refuses(theirs.RemoveCoSpeaker(ctx, c.Event, s.ID, invited[0].ID))(t, "taking off")
		modelstest.Answers(pl.RemoveCoSpeaker(ctx, c.Event, s.ID, store.NewID()))(t, "nobody", store.NotFound)
	})
}

func TestAnInvitationGreetsByName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		for name, greeting := range map[string]string{"Li Na": "Hello Li Na,\n", "": "Hello,\n"} {
			asked := modelstest.Must(pl.InviteCoSpeaker(t.Context(), c.Event, s.ID,
				call.Asking{Name: name, Email: "li@example.org"}))(t)
			sent := lettersOf(t, f)
			if !slices.ContainsFunc(sent, func(l *models.LetterRow) bool { return strings.HasPrefix(l.Body, greeting) }) {
				t.Errorf("no letter to %q begins %q", name, greeting)
			}
			modelstest.Must(pl.RemoveCoSpeaker(t.Context(), c.Event, s.ID, asked.ID))(t)
		}
	})
}

func TestAnInvitationIsSentAgainButNotEndlessly(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		asked := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "li@example.org"}))(t)
		for range 2 {
			modelstest.Must(pl.RemindCoSpeaker(ctx, c.Event, s.ID, asked.ID))(t)
		}
		modelstest.Answers(pl.RemindCoSpeaker(ctx, c.Event, s.ID, asked.ID))(t, "the fourth letter", store.TooMany)
		modelstest.Want(t, "letters", len(lettersOf(t, f)), 3)
		f.Clock.Move(time.Hour)
		modelstest.Fine(t, call.Decline(ctx, f.Store, c.Event, asked.ID))
		modelstest.Answers(pl.RemindCoSpeaker(ctx, c.Event, s.ID, asked.ID))(t, "who said no", store.NotFound)
	})
}

func TestWhoHasNotConfirmedTheirAddressWritesToNobody(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Buy my pills")
		asked := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "li@example.org"}))(t)
		gone := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "xu@example.org"}))(t)
		modelstest.Must(pl.RemoveCoSpeaker(ctx, c.Event, s.ID, gone.ID))(t)
		refuses(pl.RemindCoSpeaker(ctx, c.Event, s.ID, asked.ID))(t, "a reminder")
		v := answers(c)
		v["title"] = "Buy my pills"
		saved(t, pl, c, s.ID, v)
		modelstest.Must(pl.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t)
		sent := lettersOf(t, f)
		if len(sent) != 1 || sent[0].Email != "Ada@example.org" || !sent[0].HasPlaceLink() ||
			strings.Contains(sent[0].Subject+sent[0].Body+sent[0].ToName, "pills") {
			t.Fatalf("%d letters: %+v", len(sent), sent)
		}
		pl = c.Prove(t, f, pl)
		c.Prove(t, f, pl)                           // another link sends nothing again
		if sent = lettersOf(t, f); len(sent) != 3 { // the link, the invitation, and the copy of what was submitted
			t.Fatalf("%d letters", len(sent))
		}
		for _, l := range sent {
			switch {
			case l.CoSpeakerID == asked.ID && l.Email == "li@example.org":
			case l.CoSpeakerID == "" && l.Email == "Ada@example.org":
			default:
				t.Errorf("%+v", l)
			}
		}
	})
}
