package cfp

import (
	"context"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/signin"
	"lectern/models/store"
)

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
