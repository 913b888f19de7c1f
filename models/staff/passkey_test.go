package staff_test

import (
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
	"lectern/models/passkey"
	"lectern/models/passkey/webauthn"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
)

// device is a browser with an authenticator.
type device struct {
	modelstest.Device
	t    *testing.T
	f    *modelstest.Fixture
	site passkey.Site
	from signin.Browser
}

const conference = "https://programme.example.org"

const phrase = modelstest.SecretPhrase // everybody's password

// signIn signs somebody in with their password.
func signIn(t *testing.T, f *modelstest.Fixture, email string) (string, *staff.Login, error) {
	t.Helper()
	return modelstest.SignIn(t, f, email, phrase)
}

func siteAt(t *testing.T, public string) passkey.Site {
	t.Helper()
	site, why := webauthn.New(public)
	if why != "" {
		t.Fatal(why)
	}
	return site
}

func newDevice(t *testing.T, f *modelstest.Fixture, u *staff.User) *device {
	t.Helper()
	return &device{modelstest.NewDevice(t, conference, u.ID), t, f, siteAt(t, conference),
		signin.Browser{Address: "192.0.2.1", Agent: "Browser/1"}}
}

// add adds the passkey to the account that is signed in with a token.
func (d *device) add(token string) (recovery []string, err error) {
	d.t.Helper()
	login := modelstest.Must(d.f.Staff.LoginBy(d.t.Context(), token))(d.t)
	options := modelstest.Must(d.f.Staff.BeginPasskey(d.t.Context(), d.site, login, token, ""))(d.t)
	return d.f.Staff.AddPasskey(d.t.Context(), login.User, d.answer(token, d.Makes(options)), "Phone")
}

func (d *device) answer(token string, json []byte) passkey.Answer {
	return passkey.Answer{Site: d.site, Token: token, JSON: json}
}

// asked returns the options of a sign-in without a password.
func (d *device) asked(token string) string {
	d.t.Helper()
	return modelstest.Must(d.f.Staff.PasskeyToEnter(d.site, token))(d.t)
}

func (d *device) enter(token string, json []byte) (*staff.Login, error) {
	_, login, err := d.f.Staff.SignInByPasskey(d.t.Context(), d.answer(token, json), d.from)
	return login, err
}

// enters signs in without a password, as asked.
func (d *device) enters() (*staff.Login, error) {
	return d.enter("browser", d.Uses(d.asked("browser")))
}

// completes gives an answer as the second factor.
func (d *device) completes(half string, json []byte) (string, *staff.Login, error) {
	return d.f.Staff.SecondFactorByPasskey(d.t.Context(), d.answer(half, json))
}

// withPasskey makes an owner with a passkey, signed in with a token.
func withPasskey(t *testing.T, f *modelstest.Fixture) (d *device, ada *staff.User, token string, recovery []string) {
	t.Helper()
	ada = modelstest.FirstOwner(t, f)
	token = modelstest.First(signIn(t, f, "ada@example.org"))(t)
	d = newDevice(t, f, ada)
	recovery = modelstest.Must(d.add(token))(t)
	return d, ada, token, recovery
}

func TestAPasskeySignsInAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, ada, _, recovery := withPasskey(t, f)
		modelstest.Want(t, "the first second factor gives the recovery codes", len(recovery), 10)
		f.Log.Lines()
		f.Clock.Move(time.Minute)
		login, err := d.enters()
		if err != nil || login.Pending || login.User.ID != ada.ID || login.Address != "192.0.2.1" || !login.User.HasFactor() {
			t.Fatalf("%+v, %v", login, err)
		}
		if lines := strings.Join(f.Log.Lines(), "\n"); !strings.Contains(lines, "event=signed_in") ||
			!strings.Contains(lines, "passkey=true second_factor=true") {
			t.Errorf("the log says %s", lines)
		}
		keys := modelstest.Must(f.Staff.Passkeys(t.Context(), ada.ID))(t)
		if len(keys) != 1 || keys[0].SignCount != 1 || keys[0].Name != "Phone" || keys[0].LastUsedAt == nil ||
			!keys[0].LastUsedAt.Equal(f.Clock.Now()) || keys[0].MadeFor != "programme.example.org" {
			t.Errorf("%+v", keys)
		}
	})
}

func TestAPasskeyIsASecondFactor(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		d, ada, _, recovery := withPasskey(t, f)
		d.Auth.Options.UserNotVerified = true // the password did
		half, login, err := signIn(t, f, "ada@example.org")
		if err != nil || !login.Pending {
			t.Fatalf("a password alone signs in: %+v, %v", login, err)
		}
		seconds := modelstest.Must(f.Staff.Seconds(ctx, d.site, half))(t)
		if seconds.App || !strings.Contains(seconds.Passkey, passkey.Encode(d.Key.ID)) {
			t.Errorf("%+v", seconds)
		}
		answer := d.Uses(seconds.Passkey)
		modelstest.Answers(d.completes("another", answer))(t, "another browser", store.Unauthorized)
		token, login, err := d.completes(half, answer)
		if err != nil || login.Pending || login.User.ID != ada.ID || token == half {
			t.Fatalf("%+v, %v", login, err)
		}
		modelstest.Answers(f.Staff.LoginBy(ctx, token))(t, "the login", 0)
		modelstest.Answers(d.completes(half, answer))(t, "the answer again", store.Unauthorized)

		half = modelstest.First(signIn(t, f, "ada@example.org"))(t)
		modelstest.Answers(f.Staff.SecondFactor(ctx, half, "123456"))(t, "a code of no app", store.Unauthorized)
		modelstest.Answers(f.Staff.SecondFactor(ctx, half, recovery[3]))(t, "a recovery code", 0)
		if seconds, err := f.Staff.Seconds(ctx, siteAt(t, "https://other.example.org"), half); err == nil {
			t.Errorf("a login that is whole waits for %+v", seconds)
		}
		half = modelstest.First(signIn(t, f, "ada@example.org"))(t)
		for _, elsewhere := range []passkey.Site{nil, siteAt(t, "https://other.example.org")} {
			modelstest.Want(t, "at another address", modelstest.Must(f.Staff.Seconds(ctx, elsewhere, half))(t).Passkey, "")
		}
	})
}

func TestAPasskeyIsTakenOnlyAsItWasAskedFor(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, ada, token, _ := withPasskey(t, f)
		refused := func(what, why string, change func(*device), answer func(*device) []byte) {
			t.Helper()
			f.Log.Lines()
			other := *d
			change(&other)
			_, err := other.enter("browser", answer(&other))
			d.Key.Counter = other.Key.Counter
			modelstest.WantKind(t, what, err, store.Unauthorized)
			if lines := strings.Join(f.Log.Lines(), "\n"); !strings.Contains(lines, why) {
				t.Errorf("%s: the log lacks %q: %s", what, why, lines)
			}
			f.Clock.Move(16 * time.Minute)
		}
		asks := func(d *device) []byte { return d.Uses(d.asked("browser")) }
		refused("another origin", "origin", func(d *device) { d.Party.Origin = "https://programme.example.com" }, asks)
		refused("another site", "RP", func(d *device) { d.Party.ID = "example.com" }, asks)
		refused("nobody verified", "verif", func(d *device) { d.Auth.Options.UserNotVerified = true }, asks)
		refused("nobody there", "resen", func(d *device) { d.Auth.Options.UserNotPresent = true }, asks)
		refused("no name of its owner", "andle", func(d *device) { d.Auth.Options.UserHandle = nil }, asks)
		refused("in the name of another", "andle", func(d *device) { d.Auth.Options.UserHandle = []byte("another") }, asks)
		refused("another key by its name", "signature",
			func(d *device) {
				d.Key.Key = modelstest.NewPasskey(t).Key
			}, asks)
		refused("a passkey that nobody has", "no member of staff signs in with this passkey",
			func(d *device) { d.Key.ID = []byte("another name of a key") }, asks)
		refused("a challenge of another browser", "not one of this browser and page", func(*device) {},
			func(d *device) []byte { return d.Uses(d.asked("another")) })
		refused("a challenge of ours alone", "not one of this browser and page", func(*device) {},
			func(d *device) []byte {
				return d.Uses(`{"challenge":"bm90IG9uZSBvZiBvdXJzIGF0IGFsbCwgbm90IHNlYWxlZA"}`)
			})
		refused("a challenge for something else", "not one of this browser and page", func(*device) {},
			func(d *device) []byte {
				login := modelstest.Must(f.Staff.LoginBy(t.Context(), token))(t)
				return d.Uses(modelstest.Must(f.Staff.BeginPasskey(t.Context(), d.site, login, "browser", phrase))(t))
			})
		refused("a challenge that is too old", "too old", func(*device) {}, func(d *device) []byte {
			options := d.asked("browser")
			f.Clock.Move(passkey.ChallengeLifetime)
			return d.Uses(options)
		})
		for _, none := range []string{"", "{}", "null", "[]", `{"rawId":"!","response":{}}`,
			`{"rawId":"AAAA","response":{"clientDataJSON":"e30"}}`, strings.Repeat("[", 70_000)} {
			refused("no answer", "no answer of a browser", func(*device) {}, func(*device) []byte { return []byte(none) })
		}
		// and after all that, it still is one
		if login, err := d.enter("browser", asks(d)); err != nil || login.User.ID != ada.ID {
			t.Fatalf("%+v, %v", login, err)
		}
	})
}

func TestAnAnswerOfAPasskeyIsGoodOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _ := withPasskey(t, f)
		answer := d.Uses(d.asked("browser"))
		modelstest.OneSucceeds(t, 2, store.Unauthorized, func(int) error {
			return modelstest.ErrorOf(d.enter("browser", answer))
		})
		modelstest.Answers(d.enter("browser", answer))(t, "and again", store.Unauthorized)
		// The same challenge, signed anew, counts as answered too.
		options := d.asked("browser")
		modelstest.Answers(d.enter("browser", d.Uses(options)))(t, "once", 0)
		modelstest.Answers(d.enter("browser", d.Uses(options)))(t, "twice", store.Unauthorized)
		f.Clock.Move(passkey.ChallengeLifetime)
		modelstest.WantKind(t, "sweeping", f.Staff.SweepSignIns(t.Context()), 0)
		modelstest.Want(t, "answers are kept", modelstest.RowsOf(t, f, "SELECT count(*) FROM answered_challenges"), 0)
	})
}

func TestACountThatGoesBackIsACopy(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		f.Options.HasMail = true
		d, ada, _, _ := withPasskey(t, f)
		d.Key.Counter = 7
		modelstest.Answers(d.enters())(t, "the device", 0)
		f.Log.Lines()
		for _, count := range []uint32{7, 2} { // as it was, and before
			d.Key.Counter = count
			err := modelstest.ErrorOf(d.enters())
			modelstest.WantKind(t, "its copy", err, store.Unauthorized)
			if err == nil || !strings.Contains(err.Error(), "may have been copied") {
				t.Errorf("it says %v", err)
			}
		}
		modelstest.Want(t, "the log says", strings.Count(strings.Join(f.Log.Lines(), "\n"), "event=passkey_cloned"), 2)
		half := modelstest.First(signIn(t, f, "ada@example.org"))(t)
		d.Key.Counter = 3
		answer := d.Uses(modelstest.Must(f.Staff.Seconds(t.Context(), d.site, half))(t).Passkey)
		modelstest.Answers(d.completes(half, answer))(t, "the copy as second factor", store.Unauthorized)
		want := []string{"A passkey was added to your account"}
		for range 3 {
			want = append(want, "A passkey of yours may have been copied")
		}
		modelstest.WantAll(t, "Ada was told", mails(t, f, ada.Email), want)
		d.Key.Counter = 9
		modelstest.Answers(d.enters())(t, "the device again", 0)
	})
}

// mails returns the subjects of the mails to an address, the first one first.
func mails(t *testing.T, f *modelstest.Fixture, to string) (subjects []string) {
	t.Helper()
	modelstest.Fine(t, f.Read(t.Context()).Table("letters").Where("to_email = ?", to).Order("created_at, id").
		Pluck("subject", &subjects).Error)
	return subjects
}

func TestAttemptsWithPasskeysAreCounted(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _, _, _ := withPasskey(t, f)
		d.Auth.Options.UserNotVerified = true
		for range 5 {
			modelstest.Answers(d.enters())(t, "one of five", store.Unauthorized)
		}
		d.Auth.Options.UserNotVerified = false
		options := d.asked("browser")
		modelstest.Answers(d.enter("browser", d.Uses(options)))(t, "the sixth", store.TooMany)
		modelstest.Answers(signIn(t, f, "ada@example.org"))(t, "the password, which nobody guessed at", 0)
		f.Clock.Move(16 * time.Minute)
		modelstest.Answers(d.enters())(t, "later", 0)

		d.Key.ID = []byte("the name of no key here")
		for range 20 {
			modelstest.Answers(d.enters())(t, "a passkey that nobody has", store.Unauthorized)
		}
		modelstest.Answers(d.enters())(t, "from this address", store.TooMany)

		f.Clock.Move(16 * time.Minute)
		half := modelstest.First(signIn(t, f, "ada@example.org"))(t)
		for range 3 {
			modelstest.Answers(d.completes(half, []byte("{}")))(t, "as second factor", store.Unauthorized)
		}
		for range 2 { // of one count
			modelstest.Answers(f.Staff.SecondFactor(t.Context(), half, "123456"))(t, "a code", store.Unauthorized)
		}
		modelstest.Answers(f.Staff.SecondFactor(t.Context(), half, "123456"))(t, "one more", store.TooMany)
	})
}
