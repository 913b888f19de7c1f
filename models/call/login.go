package call

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

// LoginLifetime is how long a login lasts at most; LoginIdle, how long unused.
const (
	LoginLifetime = 60 * 24 * time.Hour
	LoginIdle     = 30 * 24 * time.Hour
)

// Browser identifies the browser in which somebody signs in.
type Browser = signin.Browser

// MakeLogin creates a login of an account and returns it with its token, which is not stored.
func MakeLogin(tx *store.Tx, a *Account, b Browser) (token string, login *Login, err error) {
	return makeLogin(tx, a, b, nil, nil)
}

// makeLogin is MakeLogin for somebody who proved the address at a moment, nil if they did not, and for one event, nil
// for all.
func makeLogin(tx *store.Tx, a *Account, b Browser, proved *store.Time, eventID *string) (token string, login *Login,
	err error) {
	login = &Login{AccountID: a.ID, Account: a, ProvedAt: proved, EventID: eventID}
	token, login.Login = signin.NewLogin(tx.Now, b, LoginLifetime)
	return token, login, tx.Create(login).Error
}

// LoginBy returns the login with this token and its account. It answers Unauthorized if the token is unknown, or the
// login too old or unused for too long. models.Store.KeepSeen stores when it was last seen, to the minute.
func LoginBy(ctx context.Context, s *models.Store, token string) (*Login, error) {
	if len(token) != signin.TokenLength {
		return nil, signin.ErrSignedOut
	}
	type loginAndAccount struct {
		Login
		Of   Account `gorm:"embedded;embeddedPrefix:of__"`
		Name string
	}
	found, err := store.One[loginAndAccount](s.Read(ctx).Table("speaker_logins l").
		Joins("JOIN speaker_accounts a ON a.id = l.account_id").Joins("JOIN contacts c ON c.id = a.contact_id").
		Select("l.*, a.id AS of__id, a.organization_id AS of__organization_id, a.contact_id AS of__contact_id, "+
			"a.email AS of__email, a.email_key AS of__email_key, a.password_hash AS of__password_hash, "+
			"a.confirmed_at AS of__confirmed_at, a.created_at AS of__created_at, a.updated_at AS of__updated_at, a.language AS of__language, "+
			"c.full_name AS name").
		Where("l.id = ?", store.HashKey(token)), signin.ErrSignedOut)
	if err != nil {
		return nil, err
	}
	login, now := &found.Login, s.Now()
	if login.IsOver(now, LoginIdle) {
		return nil, signin.ErrSignedOut
	}
	login.Account = &found.Of
	login.Account.Name = found.Name
	login.SeenNow(&s.SpeakersSeen, now)
	return login, nil
}

// Opens reports whether the login opens the place at an event of its organization.
func (l *Login) Opens(eventID string) bool { return l.EventID == nil || *l.EventID == eventID }

// opensAll reports whether the login opens the place at this event or, with nil, at all events.
func (l *Login) opensAll(eventID *string) bool {
	return l.EventID == nil || eventID != nil && *l.EventID == *eventID
}

// Leave deletes the login and keeps the browser from opening links to the place again: the next user may find one in
// its history.
func (pl *Place) Leave(ctx context.Context, b Browser) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Where("id = ?", pl.login.ID).Delete(&Login{}).Error; err != nil {
			return err
		}
		return closeLinks(tx, pl.login.Account, b.Device)
	})
}

// EndLogin deletes the login of a place, which the same person has replaced by another.
func (pl *Place) EndLogin(ctx context.Context) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		return tx.Where("id = ?", pl.login.ID).Delete(&Login{}).Error
	})
}

// Speaks stores the language in which somebody reads their place, for letters to them.
func (pl *Place) Speaks(ctx context.Context, tag string) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		return tx.Model(&Account{}).Where("id = ?", pl.login.AccountID).UpdateColumn("language", tag).Error
	})
}

// HashPassword returns the hash of a password, "" for none. It answers Invalid for the field password.
func HashPassword(ctx context.Context, s *models.Store, password, email, name string) (hash string, err error) {
	if password == "" {
		return "", nil
	}
	if err := signin.PasswordFault(password, email, name); err != nil {
		return "", err
	}
	return s.Passwords.Hash(ctx, password)
}

// NewAccount inserts an account for a contact who has no address yet, with the clean address that somebody typed and
// the hash of a password, or "". The account opens what its contact has from now on, and nothing else, until a link
// that was mailed to the address is opened.
func NewAccount(tx *store.Tx, c *models.Contact, email, passwordHash string) (*Account, error) {
	a := &Account{
		ID: store.NewID(), OrganizationID: c.OrganizationID, ContactID: c.ID, Email: email, EmailKey: store.Fold(email),
		PasswordHash: passwordHash, CreatedAt: tx.Now, UpdatedAt: tx.Now, Name: c.FullName,
	}
	return a, tx.Create(a).Error
}

// IsConfirmed reports whether the account's address was proven.
func (a *Account) IsConfirmed() bool { return a.ConfirmedAt != nil }

// HasPassword reports whether the account has a password.
func (a *Account) HasPassword() bool { return a.PasswordHash != "" }

// Masked returns the account's address for pages that others may see over a shoulder: i…@sorlie.example.
func (a *Account) Masked() string { return Masked(a.Email) }

// Masked returns the first letter and the host of an address, for pages that anybody may see.
func Masked(email string) string {
	first, _ := utf8.DecodeRuneInString(email)
	return string(first) + "…" + email[strings.LastIndex(email, "@"):]
}

// Attempt is an attempt to sign in with a password.
type Attempt struct {
	Email, Password string
	Browser
	// Known names a browser that has signed in before to the account that has proven this address, if the caller can
	// prove that. Its failures are counted separately.
	Known string
}

// ofAccount returns the counter of attempts at an address, whether or not it has an account. A browser that has signed
// in to it before is counted separately.
func ofAccount(organizationID, email, known string) signin.Throttle {
	return signin.OfAccount("speaker "+organizationID, email, known)
}

// SignIn creates a login and returns it with its token, which is not stored. Besides the account that has proven an
// address, it tries the latest unconfirmed account with it, which has its own password and opens only what its own
// contact has. It answers Unauthorized, for an unknown address as for a wrong password and after as much work, and
// TooMany.
func SignIn(ctx context.Context, s *models.Store, organizationID string, in Attempt) (token string, login *Login,
	err error) {
	accounts, err := accountsToSignIn(ctx, s, organizationID, in.Email)
	if err != nil {
		return "", nil, err
	}
	account := ofAccount(organizationID, in.Email, in.Known)
	network := signin.OfAddress("speaker address", in.Address, signin.FailuresOfAddress)
	err = s.Write(ctx, func(tx *store.Tx) error {
		return signin.Attempt(tx, append([]signin.Throttle{account}, network...)...)
	})
	if err != nil {
		return "", nil, err
	}
	var found *Account
	for _, a := range accounts {
		right, err := s.Passwords.Is(ctx, a.PasswordHash, in.Password)
		if err != nil {
			return "", nil, err
		}
		if right && found == nil {
			found = &a
		}
	}
	if found == nil {
		return "", nil, signin.ErrWrong
	}
	err = s.Write(ctx, func(tx *store.Tx) (err error) {
		// The password may have changed while it was checked.
		same := tx.Lock().Where("id = ? AND password_hash = ?", found.ID, found.PasswordHash)
		a, err := store.One[Account](same, signin.ErrWrong)
		if err != nil {
			return err
		}
		if err := signin.Forgive(tx, account); err != nil {
			return err
		}
		if err := signin.GiveBack(tx, network); err != nil {
			return err
		}
		token, login, err = MakeLogin(tx, a, in.Browser)
		return err
	})
	if err != nil {
		return "", nil, err
	}
	return token, login, nil
}

// accountsToSignIn returns the account that has proven an address and the latest unconfirmed one: always two, empty if
// there is none, so that all attempts take as much work.
func accountsToSignIn(ctx context.Context, s *models.Store, organizationID, email string) (both [2]Account,
	err error) {
	email, err = store.CleanEmail(email)
	if err != nil {
		return both, nil
	}
	of := func(condition string, a *Account) error {
		return s.Read(ctx).Where("organization_id = ? AND email_key = ? AND password_hash <> ''", organizationID,
			store.Fold(email)).
			Where(condition).Order("created_at DESC, id DESC").Limit(1).Find(a).Error
	}
	if err := of("confirmed_at IS NOT NULL", &both[0]); err != nil {
		return both, err
	}
	return both, of("confirmed_at IS NULL", &both[1])
}
