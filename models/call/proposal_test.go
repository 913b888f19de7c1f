package call_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// answers returns the answers of a complete proposal for a talk.
func answers(c *modelstest.Called) call.Values {
	return call.Values{"title": "Tides", "description": "Water goes\nup & down", "format": c.Talk, "help": "Money\nVisa"}
}

func proposalOf(t *testing.T, pl *call.Place, c *modelstest.Called, id string) *call.Proposal {
	t.Helper()
	return modelstest.Must(pl.Proposal(t.Context(), c.Event, id))(t)
}

// saved saves answers of a proposal as it stands, and expects no fault.
func saved(t *testing.T, pl *call.Place, c *modelstest.Called, id string, v call.Values) *call.Proposal {
	t.Helper()
	p, faults, err := pl.Save(t.Context(), c.Event, id, call.Saving{Values: v, Token: proposalOf(t, pl, c, id).Token()})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	return p
}

// submitted makes a submitted proposal.
func submitted(t *testing.T, f *modelstest.Fixture, c *modelstest.Called, name string) (*call.Place, *call.Proposal) {
	t.Helper()
	pl, s := c.Begin(t, f, name, "Tides")
	saved(t, pl, c, s.ID, answers(c))
	p := modelstest.Must(pl.Submit(t.Context(), c.Event, s.ID, call.Submitting{}))(t)
	modelstest.Emitted(t, f)
	return pl, p
}

func emitted(t *testing.T, f *modelstest.Fixture) string {
	t.Helper()
	types := store.Map(modelstest.Emitted(t, f), func(e outbox.Emission) string { return string(e.Type) })
	return strings.Join(types, " ")
}

func TestADraftBeginsWithATitleAndSavesItselfWithoutAWord(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada Lovelace", "Tides")
		modelstest.Want(t, "emitted", emitted(t, f), string(outbox.SessionCreated))
		contact := modelstest.Must(f.Programme().Contact(t.Context(), pl.ContactID()))(t)
		modelstest.Holds(t, s.Status == models.Draft && s.FriendlyID == "A-1" && contact.FullName == "Ada Lovelace" &&
			contact.Email == "", "%s %s of %s <%s>", s.FriendlyID, s.Status, contact.FullName, contact.Email)
		f.Clock.Move(time.Minute)
		v := answers(c)
		v["biography"] = "Wrote <b>programs</b>"
		before := proposalOf(t, pl, c, s.ID)
		p := saved(t, pl, c, s.ID, v)
		read := proposalOf(t, pl, c, s.ID)
		for key, want := range v {
			modelstest.Holds(t, p.Values[key] == want && read.Values[key] == want,
				"%s is answered %q, read %q, want %q", key, p.Values[key], read.Values[key], want)
		}
		modelstest.Holds(t, p.Token() == read.Token() && p.Token() != before.Token(), "the token does not move with a change")
		modelstest.Want(t, "kept", fmt.Sprint(read.CustomFields), "[{help Money, Visa}]")
		if read.Description != "Water goes\nup &amp; down" && read.Description != "Water goes<br>\nup &amp; down" {
			t.Errorf("the description is %q", read.Description)
		}
		lines := modelstest.Must(f.Programme().Activity(t.Context(), s.ID))(t)
		theirs := modelstest.Must(f.Programme().Activity(t.Context(), pl.ContactID()))(t)
		modelstest.Holds(t, len(lines) == 1 && lines[0].Door == "call" && len(theirs) == 1 && emitted(t, f) == "",
			"%d lines of the draft, %d of the person", len(lines), len(theirs))
	})
}

func TestSomebodyElsesProposalIsNotThere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		_, theirs := c.Begin(t, f, "Ada", "Tides")
		pl, own := c.Begin(t, f, "Li", "Ebb")
		elsewhere := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Leak", IsAbstract: true,
			People: []models.Participation{{ContactID: pl.ContactID()}}}))(t)
		programme := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Leak",
			People: []models.Participation{{ContactID: pl.ContactID()}}}))(t)
		modelstest.Emitted(t, f)
		v := answers(c)
		for _, id := range []string{theirs.ID, elsewhere.ID, programme.ID, store.NewID(), "no id", ""} {
			for what, err := range map[string]error{
				"read":     second(pl.Proposal(ctx, c.Event, id)),
				"save":     third(pl.Save(ctx, c.Event, id, call.Saving{Values: v})),
				"submit":   second(pl.Submit(ctx, c.Event, id, call.Submitting{})),
				"withdraw": second(pl.Withdraw(ctx, c.Event, id, "")),
				"undo":     second(pl.UndoWithdrawal(ctx, c.Event, id)),
				"invite": second(pl.InviteCoSpeaker(ctx, c.Event, id, call.Asking{Email: "x" + id[:min(len(id),
					8)] + "@example.org"})),
				"attach": second(pl.AttachFile(ctx, c.Event, id, "slides", models.Upload{Name: "a.pdf",
					Content: []byte("%PDF-1")})),
				"unattach": second(pl.RemoveFile(ctx, c.Event, id, "slides")),
				"file":     second(pl.File(ctx, c.Event, id, "slides")),
			} {
				if store.KindOf(err) != store.NotFound && store.KindOf(err) != store.Invalid || err == nil {
					t.Errorf("%s of %q answers %v", what, id, err)
				}
				if store.KindOf(err) == store.Invalid && what != "invite" {
					t.Errorf("%s of %q answers %v", what, id, err)
				}
			}
		}
		modelstest.Want(t, "emitted", emitted(t, f), "")
		deleted := modelstest.Must(f.Programme().DeleteSession(ctx, own.ID))(t)
		modelstest.Answers(pl.Proposal(ctx, c.Event, deleted.ID))(t, "one that was deleted", store.NotFound)
	})
}

func second[T any](_ T, err error) error        { return err }
func third[T, U any](_ T, _ U, err error) error { return err }

func TestADraftIsSubmittedOnceHoweverOftenOneClicks(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		_, err := pl.Submit(ctx, c.Event, s.ID, call.Submitting{})
		modelstest.WantKind(t, "one that is unfinished", err, store.Invalid)
		modelstest.Want(t, "missing", fields(err), "description format")
		p := saved(t, pl, c, s.ID, answers(c))
		modelstest.Emitted(t, f)
		_, err = pl.Submit(ctx, c.Event, s.ID, call.Submitting{Token: "2026-11-21T09:30:00.000Z"})
		modelstest.WantKind(t, "one that changed since it was checked", err, store.Stale)
		modelstest.AllSucceed(t, 4, func(int) error {
			p, err := pl.Submit(ctx, c.Event, s.ID, call.Submitting{Token: p.Token()})
			if err == nil && (p.Status != models.Pending || p.Standing.SubmittedAt == nil) {
				err = fmt.Errorf("it is %s", p.Status)
			}
			return err
		})
		modelstest.Want(t, "emitted", emitted(t, f), string(outbox.SessionUpdated))
		letters := lettersOf(t, f)
		if len(letters) != 1 || letters[0].Email != "Ada@example.org" || !strings.Contains(letters[0].Subject, "A-1") ||
			!strings.Contains(letters[0].Body, "Help: Money, Visa") || !letters[0].HasPlaceLink() {
			t.Fatalf("%d letters: %+v", len(letters), letters)
		}
	})
}

func fields(err error) string {
	e := store.AsError(err)
	if e == nil {
		return fmt.Sprint(err)
	}
	names := store.Map(e.Fields, func(f store.FieldError) string { return f.Field })
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestNothingIsWrittenFromTheSecondTheCallCloses(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		done, other := submitted(t, f, c, "Li")
		f.Clock.Move(c.Closes.Sub(f.Clock.Now()) - time.Second)
		saved(t, pl, c, s.ID, answers(c))
		f.Clock.Move(time.Second)
		v := answers(c)
		v["title"] = "Late"
		for what, err := range map[string]error{
			"save":   third(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v})),
			"submit": second(pl.Submit(ctx, c.Event, s.ID, call.Submitting{})),
			"edit":   third(done.Save(ctx, c.Event, other.ID, call.Saving{Values: v})),
			"attach": second(pl.AttachFile(ctx, c.Event, s.ID, "slides", models.Upload{Name: "a.pdf",
				Content: []byte("%PDF-1")})),
			"invite": second(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "li@example.org"})),
			"begin":  second(pl.Begin(ctx, c.Event, "More", "")),
			"begin anew": second(call.Begin(ctx, f.Store, c.Event,
				call.Beginning{Name: "Kim", Email: "kim@example.org", Title: "T"}, store.By{Door: "call"})),
		} {
			refuses(err)(t, what)
		}
		if p := proposalOf(t, pl, c, s.ID); p.Title != "Tides" || p.Rights(f.Now()).Writes() || p.Status != models.Draft {
			t.Errorf("%s is %s", p.Title, p.Status)
		}
		write := func(row any) {
			t.Helper()
			modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Table("call_extensions").Create(row).Error
			}))
		}
		write(map[string]any{"event_id": c.Event.ID, "contact_id": pl.ContactID(),
			"until":   store.At(c.Closes.Add(time.Hour)),
			"by_name": "Staff", "created_at": f.Now()})
		saved(t, pl, c, s.ID, v)
		modelstest.Answers(pl.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t, "with more time", 0)
		refuses(done.Save(ctx, c.Event, other.ID, call.Saving{Values: v}))(t, "somebody else's time")
	})
}

func TestALockedProposalIsReadOnlyAndOneReopenedIsNot(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, p := submitted(t, f, c, "Ada")
		set := func(column string, value any) {
			t.Helper()
			modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Table("proposals").Where("session_id = ?", p.ID).Update(column, value).Error
			}))
		}
		set("locked_at", f.Now())
		refuses(pl.Save(ctx, c.Event, p.ID, call.Saving{Values: answers(c)}))(t, "one that is locked")
		set("locked_at", nil)
		f.Clock.Move(11 * 24 * time.Hour)
		refuses(pl.Save(ctx, c.Event, p.ID, call.Saving{Values: answers(c)}))(t, "a closed call")
		set("open_until", store.At(f.Clock.Now().Add(time.Minute)))
		v := answers(c)
		v["title"] = "Again"
		saved(t, pl, c, p.ID, v)
		modelstest.Want(t, "an edit emitted", emitted(t, f), string(outbox.SessionUpdated))
	})
}

func TestTwoTabsDoNotWriteOverEachOther(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		seen := proposalOf(t, pl, c, s.ID).Token()
		v := answers(c)
		modelstest.Fine(t, modelstest.ErrorOf(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v, Token: seen})))
		v["title"] = "Other tab"
		modelstest.Answers(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v, Token: seen}))(t, "the second tab", store.Stale)
		// The biography is no part of the session, and counts as well.
		seen = proposalOf(t, pl, c, s.ID).Token()
		v = answers(c)
		v["biography"] = "One"
		modelstest.Fine(t, modelstest.ErrorOf(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v, Token: seen})))
		v["biography"] = "Two"
		_, _, err := pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v, Token: seen})
		modelstest.WantKind(t, "the second tab's biography", err, store.Stale)
		p := proposalOf(t, pl, c, s.ID)
		modelstest.Holds(t, p.Title == "Tides" && p.Values["biography"] == "One", "%s by %s", p.Title, p.Values["biography"])
	})
}

func TestWhatBreaksARuleStaysAsItWasAndAllElseIsKept(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		for what, odd := range map[string]call.Values{
			"no title":       {"title": " ", "phone": "1"},
			"a huge title":   {"title": strings.Repeat("x", 2<<20), "phone": "1"},
			"a huge text":    {"title": "Tides", "description": strings.Repeat("x", 2<<20), "phone": "1"},
			"a huge life":    {"title": "Tides", "biography": strings.Repeat("<", 49_000), "phone": "1"},
			"another format": {"title": "Tides", "format": c.Systems, "phone": "1"},
			"another choice": {"title": "Tides", "help": "Money\nPower", "phone": "1"},
			"a zero byte":    {"title": "Ti\x00des", "phone": "1"},
			"no text":        {"title": "Ti\xffdes", "phone": "1"},
		} {
			p, faults, err := pl.Save(ctx, c.Event, s.ID, call.Saving{Values: odd})
			if err != nil || len(faults) != 1 {
				t.Errorf("%s answers %v and %v", what, faults, err)
				continue
			}
			modelstest.Holds(t, p.Title == "Tides" && p.Values["phone"] == "1" && p.FormatID == nil && p.Values["help"] == "",
				"%s is kept: %v", what, p.Values)
		}
		// What is not asked is not kept, whoever sends it.
		p, _, err := pl.Save(ctx, c.Event, s.ID, call.Saving{Values: call.Values{"title": "Tides", "bring": "Paper",
			"slides": store.NewID(), "phone": "", "status": "accepted", "friendly_id": "A-99"}})
		modelstest.Holds(t, err == nil && len(p.CustomFields) == 0 && p.Status == models.Draft, "%v: %v", p.CustomFields, err)
	})
}

func TestAProposalIsWithdrawnAndBackAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, p := submitted(t, f, c, "Ada")
		draft := modelstest.Must(pl.Begin(ctx, c.Event, "Draft", ""))(t)
		modelstest.Emitted(t, f)
		refuses(pl.Withdraw(ctx, c.Event, draft.ID, ""))(t, "a draft")
		f.Clock.Move(time.Minute)
		for range 2 {
			p = modelstest.Must(pl.Withdraw(ctx, c.Event, p.ID, "I am ill."))(t)
		}
		modelstest.Holds(t, p.Status == models.Withdrawn && p.Standing.WithdrawnReason == "I am ill." &&
			p.Rights(f.Now()).Undo, "%s for %q", p.Status, p.Standing.WithdrawnReason)
		f.Clock.Move(20 * 24 * time.Hour) // the call is over by now
		for range 2 {
			p = modelstest.Must(pl.UndoWithdrawal(ctx, c.Event, p.ID))(t)
		}
		modelstest.Holds(t, p.Status == models.Pending && p.Standing.WithdrawnReason == "" && p.Standing.SubmittedAt != nil,
			"back it is %s", p.Status)
		modelstest.Want(t, "emitted", emitted(t, f), "session.updated session.updated")
		p = modelstest.Must(pl.Withdraw(ctx, c.Event, p.ID, ""))(t)
		f.Clock.Move(time.Minute)
		modelstest.Must(f.Programme().UpdateSession(ctx, p.ID, models.SessionChange{Title: new("Staff were here")}))(t)
		refuses(pl.UndoWithdrawal(ctx, c.Event, p.ID))(t, "after a change of staff, it")
	})
}

func TestTheCopyOfASubmissionGoesOutOnceItsAddressIsConfirmed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := modelstest.OpenCall(t, f)
		_, other := submitted(t, f, c, "Olga Other")
		ada, p := submitted(t, f, c, "Ada Lovelace")
		copies := func() (found []*models.Letter) {
			modelstest.Fine(t, f.Store.Read(t.Context()).Table("letters").Where("body LIKE '%What you sent:%'").
				Find(&found).Error)
			return found
		}
		if early := copies(); len(early) > 0 {
			t.Fatalf("an address that may be a stranger's is sent %q", early[0].Body)
		}
		ada = c.Prove(t, f, ada)
		sent := copies()
		if len(sent) != 1 || sent[0].AboutID != p.ID || sent[0].ContactID != ada.ContactID() {
			t.Fatalf("sent are %d copies, not that of %s alone, and none of %s", len(sent), p.FriendlyID, other.FriendlyID)
		}
		for _, want := range []string{"“Tides”", "up & down", "Money, Visa"} {
			modelstest.Holds(t, strings.Contains(sent[0].Body, want), "the copy lacks %q:\n%s", want, sent[0].Body)
		}
		c.Prove(t, f, ada)
		modelstest.Want(t, "copies sent after another link", len(copies()), 1)
	})
}

// Statements that a proposal costs while its speaker works on it, with BEGIN and COMMIT.
func TestStatementsOfAProposal(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		settle(t, f, map[string]any{"max_total": 300, "max_proposals": 3})
		pl, id := ready(t, f, c, "Ada")
		v := answers(c)
		v["biography"] = "Wrote programs"
		saved(t, pl, c, id, v)
		for _, step := range []struct {
			what string
			most int
			do   func() error
		}{
			{"form", 10, func() error { return second(pl.Proposal(ctx, c.Event, id)) }},
			{"autosave", 16, func() error {
				v["title"] += "!"
				return third(pl.Save(ctx, c.Event, id, call.Saving{Values: v}))
			}},
			{"autosave of nothing", 14, func() error { return third(pl.Save(ctx, c.Event, id, call.Saving{Values: v})) }},
			{"submit", 24, func() error { return second(pl.Submit(ctx, c.Event, id, call.Submitting{})) }},
			{"second click", 11, func() error { return second(pl.Submit(ctx, c.Event, id, call.Submitting{})) }},
		} {
			statements := f.Statement.During(func() { modelstest.Fine(t, step.do()) })
			if len(statements) > step.most {
				for i, s := range statements {
					t.Logf("%d %.150s", i+1, s)
				}
				t.Errorf("%s costs %d statements, more than %d", step.what, len(statements), step.most)
			}
			t.Log(step.what, len(statements))
		}
	})
}
