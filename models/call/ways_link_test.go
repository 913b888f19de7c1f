package call_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestAnInvitationToAnOldAddressOpensNoPlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx, c := waysOn(t, f), t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		asked := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID,
			call.Asking{Name: "Li", Email: "typo@example.org"}))(t)
		link := modelstest.Must(store.Make(ctx, f.Store.Write, func(tx *store.Tx) (string, error) {
			return call.NewLink(tx, call.LinkTo{OrganizationID: c.Event.OrganizationID, CoSpeakerID: asked.ID})
		}))(t)
		join := func(device string) (*call.Opened, error) {
			done, _, err := call.JoinBy(ctx, f.Store, c.Event, link, call.Browser{Device: device}, nil)
			return done, err
		}
		li := modelstest.Must(join("first"))(t).Account.ContactID
		f.Clock.Move(call.LinkOpen)
		if _, err := join("second"); !errors.Is(err, call.Elsewhere) {
			t.Errorf("forwarded, it answers %v", err)
		}
		modelstest.Want(t, "it opens another place where it was opened first",
			modelstest.Must(join("first"))(t).Account.ContactID, li)
		w.address(li, "li@example.org")
		modelstest.Answers(join("first"))(t, "once the address is another", store.NotFound)
		_, err := call.InvitationBy(ctx, f.Store, c.Event, link, call.Browser{Device: "first"}, nil)
		modelstest.WantKind(t, "and its page", err, store.NotFound)
	})
}

func TestAnInvitationTellsTheTextUntilItIsAnswered(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Secret tides")
		pl = c.Prove(t, f, pl)
		invited := func(email string) string {
			asked := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, call.Asking{Name: "Li", Email: email}))(t)
			return modelstest.Must(store.Make(ctx, f.Store.Write, func(tx *store.Tx) (string, error) {
				return call.NewLink(tx, call.LinkTo{OrganizationID: c.Event.OrganizationID, CoSpeakerID: asked.ID})
			}))(t)
		}
		shown := func(link string) (*call.Invitation, error) {
			return call.InvitationBy(ctx, f.Store, c.Event, link, call.Browser{Device: "forwarded to"}, nil)
		}
		joins := invited("li@example.org")
		refuses := invited("wei@example.org")
		for _, link := range []string{joins, refuses} {
			modelstest.Want(t, "whoever is asked reads", modelstest.Must(shown(link))(t).Title, "Secret tides")
		}
		modelstest.Fine(t, modelstest.ErrorOf(call.JoinBy(ctx, f.Store, c.Event, joins, call.Browser{Device: "first"}, nil)))
		modelstest.Fine(t, call.DeclineBy(ctx, f.Store, c.Event, refuses, call.Browser{Device: "first"}, nil))
		for _, link := range []string{joins, refuses} {
			asked := modelstest.Must(shown(link))(t)
			modelstest.Want(t, "the text it tells", asked.Title+asked.Description, "")
		}
		waits := invited("xu@example.org")
		f.Clock.Move(call.LinkOpen)
		_, err := shown(joins)
		modelstest.Holds(t, errors.Is(err, call.Elsewhere), "a day later it answers %v", err)
		modelstest.Exec(t, f.SQL, "UPDATE sessions SET status = 'withdrawn' WHERE id = '"+s.ID+"'")
		for _, link := range []string{refuses, waits} {
			modelstest.Answers(shown(link))(t, "of a withdrawn proposal", store.NotFound)
		}
	})
}

// TestALinkThatStaffCopiedOpensTheirEventAlone has somebody speak at two events, and opens a link that the staff of one
// event copied.
func TestALinkThatStaffCopiedOpensTheirEventAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx := waysOn(t, f), t.Context()
		ada := w.known("Ada", "ada@example.org")
		here := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Tides", IsAbstract: true}))(t)
		secret := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Secret", IsAbstract: true}))(t)
		f.Join(t, f.Event, here.ID, ada.ID, models.Speaking)
		modelstest.Must(people.Of(f.Elsewhere()).PutAtEvent(ctx, ada.ID))(t)
		f.Join(t, f.Other, secret.ID, ada.ID, models.Speaking)
		modelstest.SetStatus(t, f.Elsewhere(), secret.ID, models.Accepted)
		modelstest.Exec(t, f.SQL, "UPDATE letters SET state = 'sent', message_id = 'x@y.z', sent_at = created_at, "+
			"due_at = NULL WHERE session_id = '"+secret.ID+"'")
		modelstest.Must(w.d.SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 9, 9)}))(t)
		link := modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t)
		narrow := modelstest.Must(w.open(link, "laptop", nil))(t).Token
		pl, login := w.place(narrow), modelstest.Must(call.LoginBy(ctx, f.Store, narrow))(t)
		titles := func(pl *call.Place) string {
			all := store.Map(modelstest.Must(pl.OwnSessions(ctx))(t), func(m *call.OwnSession) string { return m.Title })
			slices.Sort(all)
			return strings.Join(all, ", ")
		}
		got := titles(pl)
		modelstest.Holds(t, got == "Tides" && !login.Opens(f.Other.ID) && login.Opens(f.Event.ID), "it opens %s", got)
		modelstest.Answers(pl.One(ctx, f.Other, secret.ID))(t, "a submission of another event", store.NotFound)
		modelstest.Answers(pl.Proposal(ctx, f.Other, secret.ID))(t, "its form", store.NotFound)
		modelstest.Want(t, "letters of another event",
			len(modelstest.Must(pl.Letters(ctx))(t))+len(modelstest.Must(pl.LettersAbout(ctx, f.Other, secret.ID))(t)), 0)
		// What other events share is not theirs to change by it, nor how they come in.
		_, err := pl.SaveProfile(ctx, f.Event, modelstest.Values("first_name", "Eve"))
		modelstest.WantKind(t, "the profile", err, store.Invalid)
		modelstest.WantKind(t, "the devices", pl.LeaveOthers(ctx, f.Event), store.Invalid)
		modelstest.Answers(pl.RemovePhoto(ctx))(t, "the photo", store.Invalid)
		// A link that is mailed opens all, in the same browser too; then a copied one changes nothing.
		full := modelstest.Must(w.open(w.mint("ada@example.org"), "laptop", login))(t).Token
		if full == "" || titles(w.place(full)) != "Secret, Tides" {
			t.Errorf("a mailed link opens %q", titles(w.place(full)))
		}
		modelstest.Want(t, "letters are shown to herself", len(modelstest.Must(w.place(full).Letters(ctx))(t)), 1)
		own := modelstest.Must(call.LoginBy(ctx, f.Store, full))(t)
		again := modelstest.Must(w.open(modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t), "laptop", own))(t)
		modelstest.Want(t, "a copied link takes the place of a login that opens all", again.Token, "")
	})
}

// TestALinkOfOneEventDoesNotStandForThatOfAnother opens links of two events in one browser.
func TestALinkOfOneEventDoesNotStandForThatOfAnother(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx := waysOn(t, f), t.Context()
		ada := w.known("Ada", "ada@example.org")
		s := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Secret", IsAbstract: true}))(t)
		modelstest.Must(people.Of(f.Elsewhere()).PutAtEvent(ctx, ada.ID))(t)
		f.Join(t, f.Other, s.ID, ada.ID, models.Speaking)
		one := modelstest.Must(w.open(modelstest.Must(call.Of(f.Programme()).PlaceLink(ctx, ada.ID))(t), "laptop", nil))(t)
		own := modelstest.Must(call.LoginBy(ctx, f.Store, one.Token))(t)
		other := modelstest.Must(call.Of(f.Elsewhere()).PlaceLink(ctx, ada.ID))(t)
		modelstest.Must(w.open(other, "elsewhere", nil))(t) // in another browser first
		modelstest.Answers(w.open(other, "laptop", own))(t, "in the browser of the other event", store.NotFound)
		modelstest.WantKind(t, "its page", call.CheckLink(ctx, f.Store, f.Event.OrganizationID, other,
			call.Browser{Device: "laptop"}, own), store.NotFound)
	})
}
