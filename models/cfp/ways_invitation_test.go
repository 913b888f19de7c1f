package cfp_test

import (
	"errors"
	"testing"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAnInvitationToAnOldAddressOpensNoPlace(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w, ctx, c := waysOn(t, f), t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		pl = c.Prove(t, f, pl)
		asked := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, cfp.Asking{Name: "Li", Email: "typo@example.org"}))(t)
		link := modelstest.Must(store.Make(ctx, f.Store.Write, func(tx *store.Tx) (string, error) {
			return cfp.NewLink(tx, cfp.LinkTo{OrganizationID: c.Event.OrganizationID, CoSpeakerID: asked.ID})
		}))(t)
		join := func(device string) (*cfp.Opened, error) {
			done, _, err := cfp.JoinBy(ctx, f.Store, c.Event, link, cfp.Browser{Device: device}, nil)
			return done, err
		}
		li := modelstest.Must(join("first"))(t).Account.ContactID
		f.Clock.Move(cfp.LinkOpen)
		if _, err := join("second"); !errors.Is(err, cfp.Elsewhere) {
			t.Errorf("forwarded, it answers %v", err)
		}
		modelstest.Want(t, "it opens another place where it was opened first",
			modelstest.Must(join("first"))(t).Account.ContactID, li)
		w.address(li, "li@example.org")
		modelstest.Answers(join("first"))(t, "once the address is another", store.NotFound)
		_, err := cfp.InvitationBy(ctx, f.Store, c.Event, link, cfp.Browser{Device: "first"}, nil)
		modelstest.WantKind(t, "and its page", err, store.NotFound)
	})
}

func TestAnInvitationTellsTheTextUntilItIsAnswered(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Secret tides")
		pl = c.Prove(t, f, pl)
		invited := func(email string) string {
			asked := modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, s.ID, cfp.Asking{Name: "Li", Email: email}))(t)
			return modelstest.Must(store.Make(ctx, f.Store.Write, func(tx *store.Tx) (string, error) {
				return cfp.NewLink(tx, cfp.LinkTo{OrganizationID: c.Event.OrganizationID, CoSpeakerID: asked.ID})
			}))(t)
		}
		shown := func(link string) (*cfp.Invitation, error) {
			return cfp.InvitationBy(ctx, f.Store, c.Event, link, cfp.Browser{Device: "forwarded to"}, nil)
		}
		joins := invited("li@example.org")
		refuses := invited("wei@example.org")
		for _, link := range []string{joins, refuses} {
			modelstest.Want(t, "whoever is asked reads", modelstest.Must(shown(link))(t).Title, "Secret tides")
		}
		modelstest.Fine(t, modelstest.ErrorOf(cfp.JoinBy(ctx, f.Store, c.Event, joins, cfp.Browser{Device: "first"}, nil)))
		modelstest.Fine(t, cfp.DeclineBy(ctx, f.Store, c.Event, refuses, cfp.Browser{Device: "first"}, nil))
		for _, link := range []string{joins, refuses} {
			if asked := modelstest.Must(shown(link))(t); asked.Title+asked.Description != "" {
				t.Errorf("%s: the text is %q", asked.State, asked.Title)
			}
		}
		waits := invited("xu@example.org")
		f.Clock.Move(cfp.LinkOpen)
		if _, err := shown(joins); !errors.Is(err, cfp.Elsewhere) {
			t.Errorf("a day later it answers %v", err)
		}
		modelstest.Exec(t, f.SQL, "UPDATE sessions SET status = 'withdrawn' WHERE id = '"+s.ID+"'")
		for _, link := range []string{refuses, waits} {
			modelstest.Answers(shown(link))(t, "of a withdrawn proposal", store.NotFound)
		}
	})
}
