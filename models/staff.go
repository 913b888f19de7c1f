package models

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/argon2"
)

// StaffRole is what a member of staff may do.
type StaffRole string

const (
	Owner     StaffRole = "owner"
	Organizer StaffRole = "organizer"
	Reviewer  StaffRole = "reviewer"
	Viewer    StaffRole = "viewer"
)

// StaffRoles are all four, the most powerful first.
var StaffRoles = []StaffRole{Owner, Organizer, Reviewer, Viewer}

// Covers tells whether the role allows what needed allows: an owner everything,
// an organizer what a reviewer and a viewer may. "" covers nothing.
func (r StaffRole) Covers(needed StaffRole) bool {
	mine, theirs := slices.Index(StaffRoles, r), slices.Index(StaffRoles, needed)
	return mine >= 0 && theirs >= mine
}

// User is a member of staff.
type User struct {
	ID              string
	OrganizationID  string
	Email           string
	EmailKey        string
	Name            string
	Role            StaffRole            // at every event when Everywhere; nowhere when not
	Everywhere      bool                 // true for every owner
	Roles           map[string]StaffRole `gorm:"-"` // by event id, when not Everywhere; LoginBy and Staff load them
	PasswordHash    string               `json:"-"`
	TOTPSecret      string               `json:"-"` // sealed
	TOTPConfirmedAt *Time
	TOTPStep        int64 `json:"-"` // the last one accepted
	DisabledAt      *Time // when removed
	CreatedAt       Time
	UpdatedAt       Time
}

// RoleAt is what the user may do at an event of their organization; "" is
// nothing. Which organization an event belongs to is for EventFor to say.
func (u *User) RoleAt(eventID string) StaffRole {
	if u.Everywhere || u.Role == Owner {
		return u.Role
	}
	return u.Roles[eventID]
}

// HasTOTP tells whether signing in takes a second factor.
func (u *User) HasTOTP() bool { return u.TOTPConfirmedAt != nil }

// eventRole is the role of one user at one event.
type eventRole struct {
	EventID string
	UserID  string
	Role    StaffRole
}

// NewUser is what a member of staff is made of.
type NewUser struct {
	Email    string
	Name     string
	Role     StaffRole
	Password string // 10 to 200 characters, kept as an argon2id hash
}

// Bounds of a password, in bytes as typed.
const (
	MinPassword = 10
	MaxPassword = 200
)

func (n *NewUser) clean() error {
	var f faults
	var err error
	n.Email, err = cleanName("email", n.Email, 254)
	f.add(err)
	if err == nil && !isEmail(n.Email) {
		f.add(invalid("email", "must be an e-mail address"))
	}
	n.Name, err = cleanName("name", n.Name, MaxName)
	f.add(err)
	if !slices.Contains(StaffRoles, n.Role) {
		f.add(invalid("role", "must be one of owner, organizer, reviewer, viewer"))
	}
	if len(n.Password) < MinPassword || len(n.Password) > MaxPassword {
		f.add(invalid("password", "must have %d to %d characters", MinPassword, MaxPassword))
	}
	return f.err()
}

// CreateUser adds a member of staff. It answers Invalid for a field that breaks
// its rule, an address that is taken, or before the first event exists.
func (s *Store) CreateUser(ctx context.Context, n NewUser) (*User, error) {
	if err := n.clean(); err != nil {
		return nil, err
	}
	hash := hashPassword(n.Password)
	var user *User
	err := s.write(ctx, func(tx *Tx) error {
		var organization Organization
		if err := tx.Order("created_at, id").Limit(1).Find(&organization).Error; err != nil {
			return err
		}
		if organization.ID == "" {
			return invalid("organization", "does not exist yet; create the first event before its staff")
		}
		var taken int64
		if err := tx.Model(&User{}).Where("email_key = ?", fold(n.Email)).Count(&taken).Error; err != nil {
			return err
		}
		if taken > 0 {
			return invalid("email", "belongs to a member of staff already")
		}
		user = &User{
			ID: NewID(), OrganizationID: organization.ID, Email: n.Email, EmailKey: fold(n.Email), Name: n.Name,
			Role: n.Role, Everywhere: true, PasswordHash: hash, CreatedAt: tx.now, UpdatedAt: tx.now,
		}
		return tx.Create(user).Error
	})
	return user, err
}

// The parameters follow OWASP's password storage cheat sheet for argon2id.
const (
	argonTime    = 2
	argonMemory  = 46 * 1024 // KiB
	argonThreads = 1
)

func hashPassword(password string) string {
	salt := make([]byte, 16)
	rand.Read(salt)
	hash := argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonThreads, 32)
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonThreads, encode(salt), encode(hash))
}

// PasswordIs tells whether password is the user's.
func (u *User) PasswordIs(password string) bool {
	parts := strings.Split(u.PasswordHash, "$")
	if len(parts) != 6 || len(password) > MaxPassword {
		return false
	}
	var memory, time uint32
	var threads uint8
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads); err != nil {
		return false
	}
	salt, err := base64.RawStdEncoding.DecodeString(parts[4])
	if err != nil {
		return false
	}
	want, err := base64.RawStdEncoding.DecodeString(parts[5])
	if err != nil {
		return false
	}
	got := argon2.IDKey([]byte(password), salt, time, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}
