package cfp

import (
	"context"
	"time"

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

// endLogins deletes the logins of an account except one, or all for "".
func endLogins(tx *store.Tx, accountID, except string) error {
	return tx.Where("account_id = ? AND id <> ?", accountID, except).Delete(&Login{}).Error
}

// Speaks stores the language in which somebody reads their place, for letters to them.
func (pl *Place) Speaks(ctx context.Context, tag string) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		return tx.Model(&Account{}).Where("id = ?", pl.login.AccountID).UpdateColumn("language", tag).Error
	})
}
