package call_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAFormOfTheCallBeginsOneProposalHoweverOftenItIsSent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := modelstest.OpenCall(t, f)
		begin := func(i int, stamp string) error {
			return second(call.Begin(t.Context(), f.Store, c.Event, call.Beginning{Name: "Kim", Title: "T", Stamp: stamp,
				Email: fmt.Sprintf("victim%d@example.org", i)}, store.By{Door: "call"}))
		}
		begun := 0
		for _, err := range modelstest.AtOnce(8, func(i int) error { return begin(i, "one") }) {
			if err == nil {
				begun++
			} else if !errors.Is(err, call.ErrStampUsed) {
				t.Errorf("a form that was used answers %v", err)
			}
		}
		drafts := modelstest.RowsOf(t, f, "SELECT count(*) FROM sessions")
		modelstest.Holds(t, begun == 1 && drafts == 1, "%d begin by one form, and there are %d drafts", begun, drafts)
		modelstest.Fine(t, begin(9, "two"))
		refuses(begin(10, "two"))(t, "the second form, sent again,")
		f.Clock.Move(call.StampLifetime + time.Minute)
		modelstest.Fine(t, call.Sweep(t.Context(), f.Store))
		var kept int64
		if f.Store.Read(t.Context()).Table("used_stamps").Count(&kept); kept != 0 {
			t.Errorf("%d forms are remembered that are good no longer", kept)
		}
	})
}

func TestTagsOfAnAddressCountAsOneMailbox(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		begin := func(email string) (*call.Begun, error) {
			return call.Begin(ctx, f.Store, c.Event, call.Beginning{Name: "Kim", Title: "T", Email: email},
				store.By{Door: "call"})
		}
		for i := range 5 {
			begun := modelstest.Must(begin(fmt.Sprintf("Victim+%d@Example.org", i)))(t)
			modelstest.Want(t, "the address", begun.Account.Email, fmt.Sprintf("Victim+%d@Example.org", i))
		}
		modelstest.WantKind(t, "the sixth, by another tag", second(begin("victim+x@example.org")), store.TooMany)
		modelstest.WantKind(t, "the sixth, without a tag", second(begin("victim@example.org")), store.TooMany)
		modelstest.Must(begin("victims@example.org"))(t)
		for i := range 5 {
			modelstest.Fine(t, call.AskForLink(ctx, f.Store, c.Event.OrganizationID, fmt.Sprintf("v+%d@example.org", i), ""))
		}
		modelstest.WantKind(t, "the sixth link", call.AskForLink(ctx, f.Store, c.Event.OrganizationID, "V@example.org", ""),
			store.TooMany)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		ask := func(email string) error {
			asked, err := pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: email})
			if err == nil {
				_, err = pl.RemoveCoSpeaker(ctx, c.Event, s.ID, asked.ID)
			}
			return err
		}
		for i := range 3 {
			modelstest.Fine(t, ask(fmt.Sprintf("asked+%d@example.org", i)))
		}
		modelstest.WantKind(t, "the fourth invitation", ask("Asked+9@example.org"), store.TooMany)
	})
}

// hostile is a title with hosts of all kinds of letters, signs and dots, and with dots of names.
const hostile = "See www.evil.example, mail me@evil.example or evil。example, i❤.ws/x, हिन्दी.com/win, evile\u0301.example, " +
	"evil\u200b.example, evil.\u200bexample, evil․example, ❤.❤, 192.0.2.1 (by Dr. Anna, “J. R. R.”, J. R. R.)"

func TestAnInvitationSaysOurWordsFirstAndCarriesNoLinkOfTheirs(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		begun := modelstest.Must(call.Begin(ctx, f.Store, c.Event, call.Beginning{Name: "PayPal https://evil.example/a",
			Email: "ada@example.org", Title: hostile}, store.By{Door: "call"}))(t)
		login := modelstest.Must(call.LoginBy(ctx, f.Store, begun.Token))(t)
		pl := c.Prove(t, f, call.PlaceOf(f.Store, login, store.By{Door: "call"}))
		modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, begun.Session.ID, call.Asking{Email: "li@example.org",
			Name: "You won at x.y.evil.example {{place_link}}"}))(t)
		sent := lettersOf(t, f)
		if len(sent) != 1 {
			t.Fatalf("%d letters", len(sent))
		}
		l := sent[0]
		modelstest.Holds(t, strings.HasPrefix(l.Subject, "Invitation to speak at "+c.Event.Name),
			"the subject is %q", l.Subject)
		for _, part := range []string{l.Subject, l.Body, l.ToName} {
			modelstest.Want(t, part+" carries", regexp.MustCompile(`://|\S[.。․][^\s)”]`).FindString(part), "")
		}
		modelstest.Want(t, "the link is in it more than once: "+l.Body, strings.Count(l.Body, "{{place_link}}"), 1)
		for _, words := range []string{"PayPal", "evil. example", "Dr. Anna", "J. R. R.)"} {
			modelstest.Holds(t, strings.Contains(l.Body, words), "%s is gone: %s", words, l.Body)
		}
	})
}

func TestMailsToStrangersWaitOnceAsManyLeftAsMayInAnHour(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		c.Begin(t, f, "First", "Tides")
		modelstest.Exec(t, f.SQL, "UPDATE stranger_mails SET mails = 197")
		now := make(chan *call.Begun, 12)
		for _, err := range modelstest.AtOnce(cap(now), func(i int) error {
			begun, err := call.Begin(ctx, f.Store, c.Event, call.Beginning{Name: "Kim", Title: "T",
				Email: fmt.Sprintf("kim%d@example.org", i)}, store.By{Door: "call"})
			now <- begun
			return err
		}) {
			modelstest.Fine(t, err)
		}
		left := 0
		for range cap(now) {
			if (<-now).Link != "" {
				left++
			}
		}
		waiting := modelstest.Must(f.Store.StrangerMailsWaiting(ctx, c.Event.OrganizationID))(t)
		if sent := lettersOf(t, f); left != 3 || waiting != 9 || len(sent) != 9 {
			t.Errorf("%d leave at once, %d wait, %d are in line", left, waiting, len(sent))
		}
		claimed := func() *models.OutgoingLetter { return modelstest.Must(f.Store.ClaimLetter(ctx, "example.org"))(t) }
		modelstest.Want(t, "one that leaves, and has to wait,", claimed(), nil)
		f.Clock.Move(time.Hour)
		for i := range 9 {
			l := claimed()
			if l == nil {
				t.Fatalf("%d of 9 leave in the next hour", i)
			}
			modelstest.Fine(t, call.FillLink(ctx, f.Store, l))
			modelstest.Holds(t, strings.Contains(l.Body, "/place/link/") && strings.Contains(l.Email, "kim"),
				"to %s leaves %s", l.Email, l.Body)
		}
		modelstest.Want(t, "still waiting", modelstest.Must(f.Store.StrangerMailsWaiting(ctx, c.Event.OrganizationID))(t), 0)
	})
}

func TestDraftsOfOnePersonThatBeginAtOnceAreNoMoreThanTheyMayHave(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Ada", "Tides")
		begun := 1
		for _, err := range modelstest.AtOnce(33, func(int) error { return second(pl.Begin(ctx, c.Event, "More", "")) }) {
			if err == nil {
				begun++
			} else if !call.IsRefused(err) {
				t.Errorf("one too many answers %v", err)
			}
		}
		drafts := modelstest.RowsOf(t, f, "SELECT count(*) FROM proposals")
		modelstest.Holds(t, begun == 20 && drafts == 20, "%d drafts begin, %d are there", begun, drafts)
	})
}

func TestAccessCodesThatAreTriedAtOnceAreCounted(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := modelstest.OpenCall(t, f)
		looked := 0
		for _, err := range modelstest.AtOnce(40, func(i int) error {
			return call.TryCode(t.Context(), f.Store, c.Event, fmt.Sprint("guess", i), "10.0.0.1")
		}) {
			if store.KindOf(err) != store.TooMany {
				looked++
			}
		}
		modelstest.Want(t, "guesses looked at, of 40", looked, 20)
	})
}

func TestALinkThatAStrangerAsksForCountsAmongTheirMails(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		c.Begin(t, f, "victim", "Tides")
		mint := func() string {
			f.Clock.Move(call.LinkPause + time.Second)
			return modelstest.Must(call.MintLink(ctx, f.Store, c.Event, "victim@example.org"))(t)
		}
		modelstest.Exec(t, f.SQL, "UPDATE stranger_mails SET mails = 200")
		modelstest.Want(t, "a mail leaves past the limit of the hour", mint(), "")
		sent := lettersOf(t, f)
		modelstest.Holds(t, len(sent) == 1 && sent[0].ToEmail == "victim@example.org" && sent[0].DueAt.After(f.Clock.Now()),
			"%d mails wait for an hour with room", len(sent))
		f.Clock.Move(time.Hour)
		mails := 2 // the beginning and what waits
		for range 20 {
			if mint() != "" {
				mails++
			}
		}
		modelstest.Want(t, "mails to one mailbox within a day", mails, 10)
		begun := modelstest.Must(call.Begin(ctx, f.Store, c.Event, call.Beginning{Name: "Kim", Title: "T",
			Email: "Victim+1@example.org"}, store.By{Door: "call"}))(t)
		modelstest.Holds(t, begun.Link == "" && begun.Token != "",
			"beginning with the mailbox mails %q; the browser has %q", begun.Link, begun.Token)
		f.Clock.Move(25 * time.Hour)
		modelstest.Holds(t, mint() != "", "the next day there is no link")
		modelstest.Contact(t, f.Programme(), "Known", "known@example.org")
		for range 20 { // whom the organization knows has no such limit
			f.Clock.Move(call.LinkPause + time.Second)
			modelstest.Holds(t, modelstest.Must(call.MintLink(ctx, f.Store, c.Event, "known@example.org"))(t) != "",
				"who is known gets no link")
		}
	})
}

func TestNobodyWaitsForTheMailsThatStrangersCause(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		modelstest.Exec(t, f.SQL, "UPDATE stranger_mails SET mails = 200")
		modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Email: "li@example.org"}))(t)
		later := modelstest.Must(f.Store.Mails(c.Event.OrganizationID, modelstest.Tester).Invite(ctx,
			models.Note{Email: "staff@example.org", Subject: "Come", Text: models.InvitationLink}))(t)
		modelstest.Want(t, "an invitation to the staff waits for what strangers cause", later, 0)
		for _, l := range lettersOf(t, f) {
			modelstest.Holds(t, !l.DueAt.After(f.Clock.Now()), "%q waits for what strangers cause", l.Subject)
		}
	})
}
