package archive_test

import (
	"testing"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// Somebody who only typed an address keeps neither a password nor a login once an archive brings whose address it is.
func TestWhoComesInByAnArchiveIsClaimedByNobody(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		first := take(t, f.Programme())
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(f.Programme()).AddPerson(ctx,
			people.Change{Values: map[string]string{"first_name": "Known", "email": "known@example.org"}})))
		second, db := take(t, f.Programme()), empty(t, f.Dialect(), f)
		event := modelstest.Must(bring(t, db, first, archive.Arrival{}))(t).Event
		mallory := modelstest.Must(db.Programme(event, modelstest.Tester).CreateContact(ctx,
			models.NewContact{FirstName: "Mallory"}))(t)
		var token string
		modelstest.Fine(t, db.Write(ctx, func(tx *store.Tx) error {
			a, err := cfp.NewAccount(tx, mallory, "known@example.org", "a hash")
			if err != nil {
				return err
			}
			token, _, err = cfp.MakeLogin(tx, a, cfp.Browser{})
			return err
		}))
		modelstest.Must(cfp.LoginBy(ctx, db, token))(t)
		modelstest.Must(bring(t, db, second, archive.Arrival{Name: "Again", Slug: "again"}))(t)
		known := modelstest.Must(models.ContactByEmail(db.Read(ctx), event.OrganizationID, "known@example.org"))(t)
		if known == nil || known.ID == mallory.ID {
			t.Fatal("nobody else has the address that the archive has")
		}
		modelstest.Answers(cfp.LoginBy(ctx, db, token))(t, "the login of who typed the address", store.Unauthorized)
		var good int64
		modelstest.Fine(t, db.Read(ctx).Table("speaker_accounts").Where("password_hash <> ''").Count(&good).Error)
		modelstest.Want(t, "the password of who typed the address is good still", good, 0)
	})
}
