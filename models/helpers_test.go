package models_test

import (
	"bytes"
	"database/sql"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/hotp"

	"lectern/models"
	"lectern/models/modelstest"
)

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantKind(t *testing.T, what string, err error, want models.Kind) {
	t.Helper()
	if models.KindOf(err) != want || (want == 0 && err != nil) {
		t.Errorf("%s: %v (kind %d, not %d)", what, err, models.KindOf(err), want)
	}
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

const secretPhrase = "correct horse battery"

// firstOwner sets the organization up.
func firstOwner(t *testing.T, f *modelstest.Fixture) *models.User {
	t.Helper()
	return modelstest.Must(f.SetUp(t.Context(), models.Setup{Organization: "Conferences", Owner: models.NewUser{
		Email: "Ada@example.org", Name: "Ada", Password: secretPhrase}}))(t)
}

// hire makes a member of staff by an invitation.
func hire(t *testing.T, f *modelstest.Fixture, by *models.User, in models.Invitation) *models.User {
	t.Helper()
	token := modelstest.Must(f.Team(t.Context(), by).Invite(t.Context(), in))(t)
	return modelstest.Must(f.Staff.AcceptInvitation(t.Context(), token, strings.Split(in.Email, "@")[0], secretPhrase))(t)
}

// foreignOwner is the owner of another organization, with an event of its own.
func foreignOwner(t *testing.T, f *modelstest.Fixture) (*models.User, string) {
	t.Helper()
	db := f.SQL(t)
	organization, event, user := models.NewID(), models.NewID(), models.NewID()
	const at = "'2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'"
	exec(t, db, "INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('"+organization+"', 'Foreign', "+at+")")
	exec(t, db, "INSERT INTO events (id, organization_id, name, slug, timezone, created_at, updated_at) VALUES ('"+event+"', '"+organization+"', 'Foreign', 'foreign', 'UTC', "+at+")")
	exec(t, db, "INSERT INTO users (id, organization_id, email, email_key, name, role, password_hash, created_at, updated_at) VALUES ('"+
		user+"', '"+organization+"', 'eve@example.org', 'eve@example.org', 'Eve', 'owner', '', "+at+")")
	return &models.User{ID: user, OrganizationID: organization, Name: "Eve", Role: models.Owner, Everywhere: true}, event
}

func signIn(t *testing.T, f *modelstest.Fixture, email, password string) (string, *models.Login, error) {
	t.Helper()
	return f.Staff.SignIn(t.Context(), models.SignIn{Email: email, Password: password, Address: "192.0.2.1", Agent: "Browser/1"})
}

// codeAt is the code an authenticator app shows, so many steps from now.
func codeAt(t *testing.T, f *modelstest.Fixture, secret string, steps int64) string {
	t.Helper()
	return modelstest.Must(hotp.GenerateCode(secret, uint64(f.Clock.Now().Unix()/30+steps)))(t)
}

// withTOTP turns the user's second factor on.
func withTOTP(t *testing.T, f *modelstest.Fixture, u *models.User, password string) (secret string, recovery []string) {
	t.Helper()
	secret, address, err := f.Staff.BeginTOTP(t.Context(), u, password)
	wantKind(t, "beginning", err, 0)
	want := "otpauth://totp/Lectern:" + u.Email + "?algorithm=SHA1&digits=6&issuer=Lectern&period=30&secret=" + secret
	if address != want {
		t.Errorf("the address is %s, not %s", address, want)
	}
	recovery, err = f.Staff.ConfirmTOTP(t.Context(), u, codeAt(t, f, secret, 0), "")
	wantKind(t, "confirming", err, 0)
	f.Clock.Move(30 * time.Second)
	return secret, recovery
}

func newEndpoint(t *testing.T, o *models.Webhooks, address string) (*models.WebhookEndpoint, string) {
	t.Helper()
	endpoint, secret, err := o.CreateEndpoint(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	return endpoint, secret
}

// withKey is another process with a secret key of its own.
func withKey(t *testing.T, f *modelstest.Fixture, letter byte) *modelstest.Fixture {
	t.Helper()
	key := bytes.Repeat([]byte{letter}, models.SecretKeySize)
	store := modelstest.Must(models.Open(t.Context(), f.Address, models.Options{SecretKey: key, PasswordMemory: 64, Now: f.Clock.Now, Log: slog.New(f.Log)}))(t)
	t.Cleanup(func() { store.Close() })
	return &modelstest.Fixture{Store: store, Address: f.Address, Event: f.Event, Other: f.Other, Clock: f.Clock}
}
