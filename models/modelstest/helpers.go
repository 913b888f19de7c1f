package modelstest

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/hotp"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/outbox"
	"lectern/models/setup"
	"lectern/models/staff"
	"lectern/models/store"
)

func Fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Picture returns a PNG of that size.
func Picture(t testing.TB, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	Fine(t, png.Encode(&out, image.NewRGBA(image.Rect(0, 0, width, height))))
	return out.Bytes()
}

// Noise returns a PNG of that size which cannot be packed.
func Noise(t testing.TB, side int) []byte {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range p.Pix {
		p.Pix[i] = byte(rand.Uint32()) | byte(i&3/3*255)
	}
	var out bytes.Buffer
	Fine(t, png.Encode(&out, p))
	return out.Bytes()
}

// Photos adds n people with a photo each, and returns the keys of the photos.
func Photos(t testing.TB, f *Fixture, n int) (keys []string) {
	t.Helper()
	for range n {
		id := Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "P"}))(t).ID
		d := f.Programme().Directory()
		Must(d.SetPhoto(t.Context(), id, models.Upload{Name: "p.png", Content: Noise(t, 200)}))(t)
		keys = append(keys, Must(d.Photo(t.Context(), id))(t).Key)
	}
	return keys
}

// Want reports an error, and lets the test go on, if got is not want.
func Want[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	form := as[T]()
	if text, isText := any(got).(string); isText && strings.Contains(text, "\n") {
		form = "\n%v\n"
	}
	if got != want {
		t.Errorf("%s: "+form+", want "+form, what, got, want)
	}
}

// as returns the verb for printing a value: %v if it has a String method.
func as[T any]() string {
	if _, hasWords := any(*new(T)).(fmt.Stringer); hasWords {
		return "%v"
	}
	return "%#v"
}

// WantAll is Want for slices.
func WantAll[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: "+as[T]()+", want "+as[T](), what, got, want)
	}
}

// Holds reports an error with the formatted text, and lets the test go on, unless isTrue. It is for facts that Want
// cannot compare, such as several of one thing. The values are evaluated even when all is well: where they would panic
// or cost much then, use if.
func Holds(t testing.TB, isTrue bool, otherwise string, values ...any) {
	t.Helper()
	if !isTrue {
		t.Errorf(otherwise, values...)
	}
}

// FirstOther returns the first row that others does not contain, "" for none.
func FirstOther(rows, others []string) string {
	for _, row := range rows {
		if !slices.Contains(others, row) {
			return row
		}
	}
	return ""
}

func WantKind(t *testing.T, what string, err error, want store.Kind) {
	t.Helper()
	if store.KindOf(err) != want || (want == 0 && err != nil) {
		t.Errorf("%s: %v (kind %d, not %d)", what, err, store.KindOf(err), want)
	}
}

// Answers checks the kind of error that an operation returned, whatever else it returned: modelstest.Answers(op())(t,
// what, store.NotFound).
func Answers(results ...any) func(t *testing.T, what string, want store.Kind) {
	return func(t *testing.T, what string, want store.Kind) {
		t.Helper()
		WantKind(t, what, ErrorOf(results...), want)
	}
}

// ErrorOf returns the error of an operation, which is its last result.
func ErrorOf(results ...any) error {
	last := results[len(results)-1]
	if last == nil {
		return nil
	}
	return last.(error) // panics at what is no error, which would else be taken for success
}

// First is Must for an operation that returns two values, such as the rows of a page and the pagination, and returns the
// first one.
func First[T, U any](v T, _ U, err error) func(testing.TB) T { return Must(v, err) }

func Exec(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	Must(db.Exec(statement, args...))(t)
}

const SecretPhrase = "correct horse battery"

// FirstOwner sets up the organization, and returns its first owner.
func FirstOwner(t *testing.T, f *Fixture) *staff.User {
	t.Helper()
	return Must(setup.Do(t.Context(), f.Store, setup.Input{Organization: "Conferences", Owner: staff.NewUser{
		Email: "Ada@example.org", Name: "Ada", Password: SecretPhrase}}))(t)
}

// Hire makes a member of staff by an invitation.
func Hire(t *testing.T, f *Fixture, by *staff.User, in staff.Invitation) *staff.User {
	t.Helper()
	token := Must(f.Team(t.Context(), by).Invite(t.Context(), in))(t)
	return Must(f.Staff.AcceptInvitation(t.Context(), token, strings.Split(in.Email, "@")[0], SecretPhrase))(t)
}

// ForeignOwner makes another organization with an owner and an event.
func ForeignOwner(t *testing.T, f *Fixture) (*staff.User, string) {
	t.Helper()
	db := f.SQL
	organization, event, user := store.NewID(), store.NewID(), store.NewID()
	const at = "'2026-11-21T09:30:00.000Z', '2026-11-21T09:30:00.000Z'"
	Exec(t, db, "INSERT INTO organizations (id, name, created_at, updated_at) VALUES ('"+organization+
		"', 'Foreign', "+at+")")
	Exec(t, db, "INSERT INTO events (id, organization_id, name, slug, timezone, created_at, updated_at) VALUES ('"+event+
		"', '"+organization+"', 'Foreign', 'foreign', 'UTC', "+at+")")
	Exec(t, db, "INSERT INTO event_counters VALUES ('"+event+"', 0, 0, 0, 0, 0, 0)")
	Exec(t, db,
		"INSERT INTO users (id, organization_id, email, email_key, name, role, password_hash, created_at, updated_at) VALUES ('"+
			user+"', '"+organization+"', 'eve@example.org', 'eve@example.org', 'Eve', 'owner', '', "+at+")")
	return &staff.User{ID: user, OrganizationID: organization, Name: "Eve", Role: staff.Owner, Everywhere: true}, event
}

func SignIn(t *testing.T, f *Fixture, email, password string) (string, *staff.Login, error) {
	t.Helper()
	return f.Staff.SignIn(t.Context(), staff.SignIn{Email: email, Password: password, Address: "192.0.2.1",
		Agent: "Browser/1"})
}

// CodeAt returns the code of an authenticator app, some steps from now.
func CodeAt(t *testing.T, f *Fixture, secret string, steps int64) string {
	t.Helper()
	return Must(hotp.GenerateCode(secret, uint64(f.Clock.Now().Unix()/30+steps)))(t)
}

// WithTOTP turns on the user's second factor.
func WithTOTP(t *testing.T, f *Fixture, u *staff.User, password string) (secret string, recovery []string) {
	t.Helper()
	secret, address, err := f.Staff.BeginTOTP(t.Context(), u, password)
	WantKind(t, "beginning", err, 0)
	want := "otpauth://totp/Lectern:" + u.Email + "?algorithm=SHA1&digits=6&issuer=Lectern&period=30&secret=" + secret
	if address != want {
		t.Errorf("the address is %s, not %s", address, want)
	}
	recovery, err = f.Staff.ConfirmTOTP(t.Context(), u, CodeAt(t, f, secret, 0), "")
	WantKind(t, "confirming", err, 0)
	f.Clock.Move(30 * time.Second)
	return secret, recovery
}

func NewEndpoint(t *testing.T, o *outbox.Webhooks, address string) (*outbox.Endpoint, string) {
	t.Helper()
	endpoint, secret, err := o.CreateEndpoint(t.Context(), address)
	Fine(t, err)
	return endpoint, secret
}

// NewKey makes a key of the fixture's event.
func NewKey(t testing.TB, f *Fixture, scopes ...apikey.Scope) string {
	t.Helper()
	_, value, err := apikey.Of(f.Programme()).Create(t.Context(), apikey.New{Name: "key", Scopes: scopes})
	Fine(t, err)
	return value
}

// WithKey returns another process on the same database, with its own secret key.
func WithKey(t *testing.T, f *Fixture, letter byte) *Fixture {
	t.Helper()
	key := bytes.Repeat([]byte{letter}, store.SecretKeySize)
	store := Must(models.Open(t.Context(), f.Address, store.Options{SecretKey: key, PasswordMemory: 64, Now: f.Clock.Now,
		Log: slog.New(f.Log)}))(t)
	t.Cleanup(func() { store.Close() })
	return &Fixture{Store: store, Address: f.Address, Event: f.Event, Other: f.Other, Clock: f.Clock}
}

// AtOnce runs an operation n times at once, and returns the error of each run.
func AtOnce(n int, do func(i int) error) []error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	return errs
}

// AllSucceed runs an operation n times at once, and fails the test unless each run succeeds.
func AllSucceed(t *testing.T, n int, do func(i int) error) {
	t.Helper()
	Fine(t, errors.Join(AtOnce(n, do)...))
}

// OneSucceeds runs an operation n times at once, checks that one run succeeds and that each other one answers this kind of
// error, and returns the number of the one.
func OneSucceeds(t *testing.T, n int, others store.Kind, do func(i int) error) (which int) {
	t.Helper()
	succeeded := 0
	for i, err := range AtOnce(n, do) {
		if err == nil {
			which = i
			succeeded++
		} else {
			WantKind(t, "another at once", err, others)
		}
	}
	Want(t, fmt.Sprint("succeed of ", n, " at once"), succeeded, 1)
	return which
}

// KeysKept returns the keys in the file store.
func KeysKept(t testing.TB, f *Fixture) (keys []string) {
	t.Helper()
	Fine(t, f.Options.Files.Each(t.Context(), func(key string, _ int64) error {
		keys = append(keys, key)
		return nil
	}))
	return keys
}
