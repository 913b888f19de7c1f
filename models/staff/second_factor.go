package staff

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"
	"gorm.io/gorm"

	"lectern/models/signin"
	"lectern/models/store"
)

// recoveryCode replaces the second factor once.
type recoveryCode struct {
	UserID string
	Hash   string
}

// These are the parameters of RFC 6238 that every authenticator app supports: SHA-1, 6 digits, 30 seconds.
const (
	totpSeconds   = 30
	totpDigits    = otp.DigitsSix
	totpSecret    = 20 // random bytes
	totpDrift     = 1  // steps, either way
	recoveryCodes = 10
)

var secretEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

// TOTPStep returns the time step that code belongs to, near now and later than used; 0 when there is none.
func TOTPStep(secret, code string, now, used int64) int64 {
	for step := now + totpDrift; step >= now-totpDrift && step > used; step-- {
		if hotp.Validate(code, uint64(step), secretEncoding.EncodeToString([]byte(secret))) {
			return step
		}
	}
	return 0
}

var errCode = &store.Error{
	Kind:    store.Unauthorized,
	Message: "The code is wrong, or it was used before. Wait for the next one, or use a recovery code.",
}

// SecondFactor completes a Pending login with a code of the authenticator app or a recovery code, each valid once. The
// login gets another token, so that the one from before is worth nothing. It answers Unauthorized for a wrong code and
// when there is no such login, and TooMany.
func (a *Accounts) SecondFactor(ctx context.Context, pending, code string) (token string, _ *Login, err error) {
	return a.complete(ctx, pending, byCode, func(tx *store.Tx, u *User) (bool, error) { return factor(tx, u, code) })
}

// complete completes a Pending login if proof accepts it; proof gets the user with their row locked.
func (a *Accounts) complete(
	ctx context.Context, pending string, how map[string]any, proof func(*store.Tx, *User) (bool, error),
) (token string, _ *Login, err error) {
	var login Login
	defer func() {
		if login.UserID != "" {
			tried := triedAs(ctx, store.SecondFactorFailed, login.UserID, "", login.Address)
			tried.Facts = whyNot(err)
			a.NoteRefusal(err, tried)
		}
	}()
	var refused error
	token = signin.NewToken()
	err = a.Write(ctx, func(tx *store.Tx) error {
		login, refused = Login{}, nil
		waits := func() *gorm.DB {
			return tx.Where("id = ? AND pending AND expires_at > ?", store.HashKey(pending), tx.Now)
		}
		u, err := hold(tx, waits().Model(&Login{}).Select("user_id"), signin.ErrSignedOut)
		if err != nil {
			return err
		}
		if err := stillByThemselves(tx, u, signin.ErrSignedOut); err != nil {
			return err
		}
		found, err := store.One[Login](waits(), signin.ErrSignedOut)
		if err != nil {
			return err
		}
		login = *found
		account := secondFactorOf(login.UserID)
		address := ofAddress(login.Address)
		if err := signin.Attempt(tx, append([]signin.Throttle{account}, address...)...); err != nil {
			return err
		}
		right, err := proof(tx, u)
		if !right {
			refused = cmp.Or(err, error(errCode)) // no error, so that the count is committed
			return faultOf(refused)
		}
		login.ID, login.Pending, login.User = store.HashKey(token), false, u
		login.LastSeenAt, login.ExpiresAt = store.At(tx.Now.Truncate(time.Minute)), store.At(tx.Now.Add(LoginLifetime))
		return errors.Join(signin.Forgive(tx, account), signin.GiveBack(tx, address), loadRoles(tx.DB, u),
			store.Changed(tx.Model(&Login{}).Where("id = ?", store.HashKey(pending)).
				Select("id", "pending", "last_seen_at", "expires_at").Updates(&login), signin.ErrSignedOut),
			signedIn(tx, ctx, &login, how))
	})
	if err = cmp.Or(err, refused); err != nil {
		return "", nil, err
	}
	return token, &login, nil
}

// factor accepts a code of the app or a recovery code, once.
func factor(tx *store.Tx, u *User, code string) (bool, error) {
	code = strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(code))
	if len(code) != totpDigits.Length() {
		used := tx.Where("user_id = ? AND hash = ?", u.ID, recoveryHash(u.ID, code)).Delete(&recoveryCode{})
		return used.RowsAffected == 1, used.Error
	}
	if !u.HasTOTP() {
		return false, nil
	}
	step, err := stepOf(tx, u, code)
	if err != nil || step == 0 {
		return false, err
	}
	used := tx.Model(&User{}).Where("id = ? AND totp_step < ?", u.ID, step).UpdateColumn("totp_step", step)
	return used.RowsAffected == 1, used.Error
}

func stepOf(tx *store.Tx, u *User, code string) (int64, error) {
	secret, err := tx.Store.Unseal(u.TOTPSecret, u.ID)
	if err != nil {
		return 0, err
	}
	return TOTPStep(secret, code, tx.Now.Unix()/totpSeconds, u.TOTPStep), nil
}

// BeginTOTP gives the user a new secret for an authenticator app, as text and as the address for a QR code. It takes
// effect with ConfirmTOTP. It asks for the password, so that somebody who finds a signed-in browser cannot lock its
// owner out. It answers Invalid for a wrong one (field password) and when an app is in use already, and TooMany.
func (a *Accounts) BeginTOTP(ctx context.Context, u *User, password string) (secret, otpauthURL string, err error) {
	if _, err := a.prove(ctx, u, "password", password); err != nil {
		return "", "", err
	}
	random := NewTOTPSecret()
	sealed, err := a.Seal(string(random), u.ID)
	if err != nil {
		return "", "", err
	}
	err = a.Write(ctx, func(tx *store.Tx) error {
		begun := tx.Model(&User{}).Where("id = ? AND disabled_at IS NULL AND totp_confirmed_at IS NULL", u.ID).
			UpdateColumns(map[string]any{"totp_secret": sealed, "totp_step": 0})
		return store.Changed(begun, store.Invalidf("code", "is in use already; turn the second factor off first"))
	})
	if err != nil {
		return "", "", err
	}
	secret = secretEncoding.EncodeToString(random)
	return secret, TOTPAddress(u, secret), nil
}

// NewTOTPSecret returns a random secret for an authenticator app.
func NewTOTPSecret() []byte {
	random := make([]byte, totpSecret)
	rand.Read(random)
	return random
}

// TOTPAddress returns the otpauth address of a secret, which authenticator apps open; "" for what BeginTOTP cannot have
// returned.
func TOTPAddress(u *User, secret string) string {
	random, err := secretEncoding.DecodeString(secret)
	if err != nil || len(random) != totpSecret {
		return ""
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: "Lectern", AccountName: u.Email, Secret: random})
	if err != nil {
		return ""
	}
	return key.URL()
}

// ConfirmTOTP turns the second factor on with a first code, and returns the recovery codes, which are shown this once.
// It ends all the user's logins except the one with the token keepToken, unless that is "". It answers Invalid for a
// wrong code and when nothing waits to be confirmed.
func (a *Accounts) ConfirmTOTP(ctx context.Context, u *User, code, keepToken string) (recovery []string, err error) {
	code = strings.ReplaceAll(strings.TrimSpace(code), " ", "")
	return store.Make(ctx, a.Write, func(tx *store.Tx) ([]string, error) {
		begun := tx.Lock().Where("id = ? AND disabled_at IS NULL AND totp_secret <> '' AND totp_confirmed_at IS NULL", u.ID)
		now, err := store.One[User](begun, store.Invalidf("code", "has nothing to confirm; set the authenticator app up anew"))
		if err != nil {
			return nil, err
		}
		step, err := stepOf(tx, now, code)
		if err != nil {
			return nil, err
		}
		if step == 0 {
			return nil, store.Invalidf("code", "is not what the app shows now; check the clock of your device")
		}
		err = tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumns(map[string]any{
			"totp_confirmed_at": tx.Now, "totp_step": step, "updated_at": tx.Now.Following(now.UpdatedAt)}).Error
		if err != nil {
			return nil, err
		}
		if recovery, err = newRecoveryCodes(tx, u.ID); err != nil {
			return nil, err
		}
		if keepToken != "" {
			if err := endLogins(tx, u.ID, keepToken); err != nil {
				return nil, err
			}
		}
		if err := a.tellOf(tx, now, factorOn, ""); err != nil {
			return nil, err
		}
		return recovery, tx.Secure(now.OrganizationID, nil, now.InPerson(ctx), store.SecondFactorOn,
			store.Change{ID: u.ID, After: map[string]any{"signed_out_elsewhere": keepToken != ""}})
	})
}

// DisableTOTP turns the app's codes off. It answers Invalid (field password) for a wrong password and for the last
// second factor while the organization requires one, and TooMany.
func (a *Accounts) DisableTOTP(ctx context.Context, u *User, password string) error {
	now, err := a.prove(ctx, u, "password", password)
	if err != nil {
		return err
	}
	return a.Write(ctx, func(tx *store.Tx) error {
		held, err := holdProven(tx, now)
		if err != nil {
			return err
		}
		if err := endTOTP(tx, held); err != nil {
			return err
		}
		if held.Passkeys == 0 {
			if err := loseLastFactor(tx, held); err != nil {
				return err
			}
		}
		if err := a.tellOf(tx, held, factorOff, ""); err != nil {
			return err
		}
		return tx.Secure(now.OrganizationID, nil, now.InPerson(ctx), store.SecondFactorOff, store.Change{ID: now.ID})
	})
}

func endTOTP(tx *store.Tx, u *User) error {
	return tx.Model(&User{}).Where("id = ?", u.ID).UpdateColumns(map[string]any{
		"totp_secret": "", "totp_confirmed_at": nil, "totp_step": 0, "updated_at": tx.Now.Following(u.UpdatedAt)}).Error
}

// loseLastFactor deletes what is useless without a second factor, when the last one is turned off. It answers Invalid
// while the organization requires one.
func loseLastFactor(tx *store.Tx, u *User) error {
	if required, err := requiresFactor(tx.DB, u.OrganizationID); err != nil || required {
		return cmp.Or(err, errFactorRequired)
	}
	return endWhatWaits(tx, u)
}

// endWhatWaits deletes the recovery codes of a user without a second factor, and the Pending logins that nothing could
// complete any more.
func endWhatWaits(tx *store.Tx, u *User) error {
	return errors.Join(
		tx.Where("user_id = ? AND pending", u.ID).Delete(&Login{}).Error,
		tx.Where("user_id = ?", u.ID).Delete(&recoveryCode{}).Error)
}

// newRecoveryCodes replaces a user's recovery codes, of 80 random bits each.
func newRecoveryCodes(tx *store.Tx, userID string) ([]string, error) {
	var codes []string
	var rows []recoveryCode
	for range recoveryCodes {
		random := make([]byte, 10)
		rand.Read(random)
		code := strings.ToLower(secretEncoding.EncodeToString(random))
		codes = append(codes, code[:4]+"-"+code[4:8]+"-"+code[8:12]+"-"+code[12:])
		rows = append(rows, recoveryCode{UserID: userID, Hash: recoveryHash(userID, code)})
	}
	if err := tx.Where("user_id = ?", userID).Delete(&recoveryCode{}).Error; err != nil {
		return nil, err
	}
	return codes, tx.Create(&rows).Error
}

func recoveryHash(userID, code string) string {
	return store.HashKey(userID + "\x00" + strings.ToLower(code))
}
