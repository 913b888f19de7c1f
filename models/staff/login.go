package staff

import (
	"context"
	"errors"
	"time"

	"lectern/models/passkey"
	"lectern/models/signin"
	"lectern/models/store"
)

// Login is a browser's sign-in.
type Login struct {
	signin.Login
	UserID     string
	Pending    bool    // waits for the second factor, and opens nothing yet
	User       *User   `gorm:"-"` // nil while Pending
	IdentityID *string // the provider's account that it was made by; nil for a password or passkey
	OwesFactor bool    `gorm:"-"` // the organization requires a second factor that User lacks; set by LoginBy
}

// These are how long a login lasts: at most, without being used, and until the second factor.
const (
	LoginLifetime   = 14 * 24 * time.Hour
	LoginIdle       = 12 * time.Hour
	PendingLifetime = 10 * time.Minute
)

// SignIn is an attempt to sign in; Address and Agent are the browser's.
type SignIn struct {
	Email, Password, Address, Agent string
	// Browser names a browser that signed in to this account before, if the caller can prove it; its failures are counted
	// separately.
	Browser string
}

// SignIn makes a login and returns it with its token, which is kept nowhere. The
// login is Pending while a second factor is outstanding. It answers
// Unauthorized, for an unknown address as for a wrong password, and TooMany.
func (a *Accounts) SignIn(ctx context.Context, in SignIn) (token string, login *Login, err error) {
	id, hash, err := a.userToSignIn(ctx, in.Email)
	if err != nil {
		return "", nil, err
	}
	token, login, err = a.signIn(ctx, in, id, hash)
	if err != nil {
		a.NoteRefusal(err, triedAs(ctx, store.SignInFailed, id, in.Email, in.Address))
		return "", nil, err
	}
	return token, login, nil
}

func (a *Accounts) signIn(ctx context.Context, in SignIn, id, hash string) (token string, login *Login, err error) {
	account, address := ofAccount(in.Email, in.Browser), ofAddress(in.Address)
	err = a.Write(ctx, func(tx *store.Tx) error { return signin.Attempt(tx, append([]signin.Throttle{account}, address...)...) })
	if err != nil {
		return "", nil, err
	}
	right, err := a.passwords.Is(ctx, hash, in.Password)
	if err != nil {
		return "", nil, err
	}
	if !right {
		return "", nil, signin.ErrWrong
	}
	err = a.Write(ctx, func(tx *store.Tx) error {
		// The password may have changed while it was checked.
		same := tx.Lock().Where("id = ? AND password_hash = ?", id, hash).Where(byThemselves)
		u, err := store.One[User](same, signin.ErrWrong)
		if err != nil {
			return err
		}
		if err := stillByThemselves(tx, u, signin.ErrWrong); err != nil {
			return err
		}
		if err := errors.Join(signin.Forgive(tx, account), signin.GiveBack(tx, address), loadRoles(tx.DB, u)); err != nil {
			return err
		}
		most := LoginLifetime
		if u.HasFactor() {
			most = PendingLifetime
		}
		login = &Login{UserID: u.ID, Pending: u.HasFactor()}
		token, login.Login = signin.NewLogin(tx.Now, signin.Browser{Address: in.Address, Agent: in.Agent}, most)
		if login.Pending {
			return tx.Create(login).Error
		}
		login.User = u
		return errors.Join(tx.Create(login).Error, signedIn(tx, ctx, login, byPassword))
	})
	return token, login, err
}

// These say how somebody signed in, for the security log.
var (
	byPassword = map[string]any{"second_factor": false}
	byCode     = map[string]any{"second_factor": true}
	byPasskey  = map[string]any{"second_factor": true, "passkey": true}
)

// signedIn records a completed sign-in.
func signedIn(tx *store.Tx, ctx context.Context, l *Login, how map[string]any) error {
	by := l.User.InPerson(ctx)
	by.Address = l.Address
	return tx.Secure(l.User.OrganizationID, nil, by, store.SignedIn,
		store.Change{ID: l.UserID, After: how})
}

// userToSignIn returns the id of the user with this address and their password's hash; "" for both if there is no such
// user, or they have no password.
func (a *Accounts) userToSignIn(ctx context.Context, email string) (id, hash string, err error) {
	email, err = store.CleanName("email", email, 254)
	if err != nil {
		return "", "", nil
	}
	var u User
	err = a.Read(ctx).Where("email_key = ? AND password_hash <> ''", store.Fold(email)).Where(byThemselves).
		Limit(1).Find(&u).Error
	return u.ID, u.PasswordHash, err
}

// LoginBy returns the login with this token and its user with their roles. A Pending login has no user: only
// SecondFactor accepts it. It answers Unauthorized when the token is unknown, the login is too old or was unused for
// too long, or the user was removed. It notes the use, which KeepSeen writes.
func (a *Accounts) LoginBy(ctx context.Context, token string) (*Login, error) {
	if len(token) != signin.TokenLength {
		return nil, signin.ErrSignedOut
	}
	type loginAndUser struct {
		Login
		Of             User `gorm:"embedded;embeddedPrefix:of__"`
		RequiresFactor bool
	}
	found, err := store.One[loginAndUser](a.Read(ctx).Table("logins l").
		Joins("JOIN users u ON u.id = l.user_id").Joins("JOIN organizations o ON o.id = u.organization_id").
		Select("l.*, o.second_factor_required AS requires_factor, "+
			"u.id AS of__id, u.organization_id AS of__organization_id, u.email AS of__email, u.email_key AS of__email_key, "+
			"u.name AS of__name, u.role AS of__role, u.everywhere AS of__everywhere, "+
			"u.totp_confirmed_at AS of__totp_confirmed_at, u.passkeys AS of__passkeys, u.provider_id AS of__provider_id, "+
			"u.created_at AS of__created_at, u.updated_at AS of__updated_at").
		Where("l.id = ? AND u.disabled_at IS NULL", store.HashKey(token)), signin.ErrSignedOut)
	if err != nil {
		return nil, err
	}
	login, now := &found.Login, a.Now()
	if login.IsOver(now, LoginIdle) {
		return nil, signin.ErrSignedOut
	}
	if login.Pending {
		return login, nil
	}
	login.User = &found.Of
	// Providers ask for second factors themselves.
	login.OwesFactor = found.RequiresFactor && !login.User.HasFactor() && login.IdentityID == nil
	if err := loadRoles(a.Read(ctx), login.User); err != nil {
		return nil, err
	}
	login.SeenNow(&a.seen, now)
	return login, nil
}

// stillSignedIn refuses if the user's login with this token has ended. The caller holds the user's row lock.
func stillSignedIn(tx *store.Tx, u *User, token string) error {
	_, err := store.One[Login](tx.Where("id = ? AND user_id = ?", store.HashKey(token), u.ID), signin.ErrSignedOut)
	return err
}

// SignOut ends the login with this token, if there is one.
func (a *Accounts) SignOut(ctx context.Context, token string) error {
	return a.Write(ctx, func(tx *store.Tx) error {
		return tx.Where("id = ?", store.HashKey(token)).Delete(&Login{}).Error
	})
}

// SignOutEverywhere ends all logins of a user.
func (a *Accounts) SignOutEverywhere(ctx context.Context, userID string) error {
	return a.Write(ctx, func(tx *store.Tx) error { return endLogins(tx, userID, "") })
}

// endLogins ends a user's logins except the one with the token keep.
func endLogins(tx *store.Tx, userID, keep string) error {
	return tx.Where("user_id = ? AND id <> ?", userID, store.HashKey(keep)).Delete(&Login{}).Error
}

// EndLogin ends one of a user's logins by its id. It answers NotFound for a login of somebody else.
func (a *Accounts) EndLogin(ctx context.Context, userID, id string) error {
	return a.Write(ctx, func(tx *store.Tx) error {
		ended := tx.Where("user_id = ? AND id = ?", signin.Clip(userID, 36), signin.Clip(id, 64)).Delete(&Login{})
		return store.Changed(ended, store.Missing("There is no such login."))
	})
}

// Logins returns the valid logins of a user, last used first.
func (a *Accounts) Logins(ctx context.Context, userID string) ([]*Login, error) {
	logins, now := []*Login{}, a.Now()
	err := a.Read(ctx).
		Where("user_id = ? AND NOT pending AND expires_at > ? AND last_seen_at > ?", userID, now,
			store.At(now.Add(-LoginIdle))).
		Order("last_seen_at DESC, created_at DESC, id").Find(&logins).Error
	return logins, err
}

// These are how many attempts may fail, besides the limits in package signin.
const (
	failuresOfSecondFactor = 5
	resetsFromAddress      = 20
)

// ofAccount returns the count of attempts at an account; a browser that signed in to it before has a count of its own.
func ofAccount(email, browser string) signin.Throttle {
	return signin.OfAccount("account", email, browser)
}

// ofAddress returns the counts of sign-in attempts from a network address.
func ofAddress(address string) []signin.Throttle {
	return signin.OfAddress("address", address, signin.FailuresOfAddress)
}

// whoIsSignedIn names all signed-in browsers as one: attempts in them are counted apart from those of strangers.
const whoIsSignedIn = "signed in"

// secondFactorOf returns the count of a user's wrong codes, over all their logins.
func secondFactorOf(userID string) signin.Throttle {
	return signin.By("second factor", userID, failuresOfSecondFactor)
}

// SweepSignIns deletes expired or long unused logins and one-time links, attempts that no longer count, and old
// sign-ins in the activity. Rows that others hold are left for the next time.
func (a *Accounts) SweepSignIns(ctx context.Context) error {
	return a.Write(ctx, func(tx *store.Tx) error {
		err := signin.Sweep(tx, append(signin.ExpiredLogins(tx, &Login{}, LoginIdle), signin.ExpiredFailures(tx),
			passkey.Expired(tx), signin.Expired{Row: &staffLink{}, Key: "id", Column: "expires_at", Before: tx.Now},
			signin.Expired{Row: &ProviderVisit{}, Key: "id", Column: "expires_at", Before: tx.Now})...)
		if err != nil {
			return err
		}
		return store.ForgetAccess(tx)
	})
}

// triedAs returns an incident at a door that is open to strangers: about a user, or about an e-mail address that
// belongs to nobody.
func triedAs(ctx context.Context, event store.SecurityEvent, userID, email, address string) store.Incident {
	i := store.Incident{Event: event, By: store.ByIn(ctx), SubjectID: userID, Whose: userID}
	i.By.Address = address
	if account := store.Masked(email); userID == "" && account != "" {
		i.Facts = map[string]any{"account": account}
	}
	if email != "" {
		i.Whose = ofAccount(email, "").Key
	}
	return i
}

// TrySetup counts a try of the set-up code, right or wrong. It answers TooMany after twenty from one network address.
func (a *Accounts) TrySetup(ctx context.Context, address string) error {
	err := a.Write(ctx, func(tx *store.Tx) error {
		return signin.Attempt(tx, signin.OfAddress("setup", address, signin.FailuresOfAddress)...)
	})
	a.NoteRefusal(err, triedAs(ctx, store.SetupFailed, "", "", address))
	return err
}
