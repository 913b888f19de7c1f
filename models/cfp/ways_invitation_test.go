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
		if modelstest.Must(join("first"))(t).Account.ContactID != li {
			t.Error("it opens another place where it was opened first")
		}
		w.address(li, "li@example.org")
		_, err := join("first")
		modelstest.WantKind(t, "once the address is another", err, store.NotFound)
	})
}
