package cfp_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/pressly/goose/v3"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestTheMigrationEndsWhatOldAddressesOpened goes down and up with an account of an address that is not its contact's
// any more, one whose contact got an address meanwhile, and two that are fine.
func TestTheMigrationEndsWhatOldAddressesOpened(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		w := waysOn(t, f)
		ada, kim := w.known("Ada", "ada@example.org"), w.known("Kim", "old@example.org")
		link := w.mint("ada@example.org")
		in := modelstest.Must(w.open(w.mint("ada@example.org"), "", nil))(t).Token
		wrong := modelstest.Must(w.open(w.mint("old@example.org"), "", nil))(t).Token
		fresh, given := begins(t, f, "Li", "li@example.org", ""), begins(t, f, "Bo", "bo@example.org", "")
		db := f.SQL(t)
		dialect := map[string]goose.Dialect{"sqlite": goose.DialectSQLite3, "postgres": goose.DialectPostgres}[f.Dialect()]
		files := modelstest.Must(fs.Sub(store.Migrations(), "migrations/"+f.Dialect()))(t)
		provider := modelstest.Must(goose.NewProvider(dialect, db, files))(t)
		modelstest.Must(provider.DownTo(t.Context(), 73))(t)
		modelstest.Exec(t, db, "UPDATE contacts SET email = 'kim@example.org', email_key = 'kim@example.org' WHERE id = '"+kim.ID+"'")
		modelstest.Exec(t, db, "UPDATE contacts SET email = 'b@example.org', email_key = 'b@example.org' WHERE id = '"+
			given.contact.ID+"'")
		modelstest.Must(provider.Up(t.Context()))(t)
		if w.came(in) != ada.ID || w.came(fresh.login) == "" || w.came(wrong) != "" || w.came(given.login) != "" {
			t.Error("the wrong ones are in")
		}
		if done := modelstest.Must(w.open(link, "", nil))(t); done.Account.ContactID != ada.ID {
			t.Errorf("a link that was mailed before opens %+v", done.Account)
		}
	})
}

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
