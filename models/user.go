package models

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
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

// eventRoles are the roles of users at single events, by user and event.
func eventRoles(db *gorm.DB, userIDs []string) (map[string]map[string]StaffRole, error) {
	var rows []eventRole
	if len(userIDs) == 0 {
		return nil, nil
	}
	if err := db.Where("user_id IN ?", userIDs).Find(&rows).Error; err != nil {
		return nil, err
	}
	roles := make(map[string]map[string]StaffRole)
	for _, row := range rows {
		if roles[row.UserID] == nil {
			roles[row.UserID] = map[string]StaffRole{}
		}
		roles[row.UserID][row.EventID] = row.Role
	}
	return roles, nil
}

// loadRoles fills in Roles, which takes a statement only for those who are not
// everywhere.
func loadRoles(db *gorm.DB, users ...*User) error {
	var ids []string
	for _, u := range users {
		if !u.Everywhere {
			ids = append(ids, u.ID)
		}
	}
	roles, err := eventRoles(db, ids)
	for _, u := range users {
		u.Roles = roles[u.ID]
	}
	return err
}

// Staff are the members of an organization who were not removed, by name, with
// their roles.
func (s *Store) Staff(ctx context.Context, organizationID string) ([]*User, error) {
	users := []*User{}
	err := s.read(ctx).Omit("password_hash", "totp_secret").
		Where("organization_id = ? AND disabled_at IS NULL", organizationID).Find(&users).Error
	if err != nil {
		return nil, err
	}
	slices.SortFunc(users, func(a, b *User) int {
		return cmp.Or(strings.Compare(fold(a.Name), fold(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return users, loadRoles(s.read(ctx), users...)
}

// EventsFor are the events at which the user has a role, by name.
func (s *Store) EventsFor(ctx context.Context, u *User) ([]*Event, error) {
	var events []*Event
	if err := s.read(ctx).Where("organization_id = ?", u.OrganizationID).Find(&events).Error; err != nil {
		return nil, err
	}
	events = slices.DeleteFunc(events, func(e *Event) bool { return u.RoleAt(e.ID) == "" })
	slices.SortFunc(events, func(a, b *Event) int {
		return cmp.Or(strings.Compare(fold(a.Name), fold(b.Name)), strings.Compare(a.ID, b.ID))
	})
	return events, nil
}

// EventFor is one event, read anew, and the user's role there. It answers
// NotFound for an event of another organization and for one where the user has
// no role.
func (s *Store) EventFor(ctx context.Context, u *User, id string) (*Event, StaffRole, error) {
	var e Event
	role := u.RoleAt(id)
	if role == "" || !IsID(id) {
		return nil, "", errNoEvent
	}
	err := s.read(ctx).Where("organization_id = ? AND id = ?", u.OrganizationID, id).Take(&e).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, "", errNoEvent
	}
	if err != nil {
		return nil, "", err
	}
	return &e, role, nil
}

var errNoEvent = &Error{Kind: NotFound, Message: "There is no such event, or you have no role there."}

// NewUser is what a member of staff is made of.
type NewUser struct {
	Email    string
	Name     string
	Role     StaffRole
	Password string // 10 to 200 characters, kept as an argon2id hash
}

func (n *NewUser) clean() error {
	var f faults
	var err error
	n.Email, err = cleanEmail(n.Email)
	f.add(err)
	n.Name, err = cleanName("name", n.Name, MaxName)
	f.add(err)
	if !slices.Contains(StaffRoles, n.Role) {
		f.add(invalid("role", "must be one of owner, organizer, reviewer, viewer"))
	}
	f.add(passwordFault("password", n.Password, n.Email, n.Name))
	return f.err()
}

// CreateUser adds a member of staff whose role holds everywhere, for whoever runs
// the server. It answers
// Invalid for a field that breaks its rule, an address that is taken, or before
// the first event exists.
func (s *Store) CreateUser(ctx context.Context, n NewUser) (*User, error) {
	if err := n.clean(); err != nil {
		return nil, err
	}
	hash, err := s.hashPassword(ctx, n.Password)
	if err != nil {
		return nil, err
	}
	user := &User{Email: n.Email, Name: n.Name, Role: n.Role, Everywhere: true, PasswordHash: hash}
	err = s.write(ctx, func(tx *Tx) error {
		var organization Organization
		if err := tx.Order("created_at, id").Limit(1).Find(&organization).Error; err != nil {
			return err
		}
		if organization.ID == "" {
			return invalid("organization", "does not exist yet; create the first event before its staff")
		}
		if err := tx.hold(organization.ID); err != nil {
			return err
		}
		user.OrganizationID = organization.ID
		if err := tx.enrol(user); err != nil {
			return err
		}
		return tx.secure(user.OrganizationID, nil, commandLine, StaffJoined, activity{id: user.ID, after: user.grants()})
	})
	if err != nil {
		return nil, err
	}
	return user, nil
}

// hold makes all changes of an organization's staff wait for each other. What
// only refers to the organization does not wait.
func (tx *Tx) hold(organizationID string) error {
	if tx.store.Embedded() {
		return nil
	}
	return tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Where("id = ?", organizationID).Limit(1).Find(&Organization{}).Error
}

// enrol adds a member of staff to an organization that is held, or takes back
// one who was removed: an address stays with one row, so that the activity
// names one person. It answers Invalid for an address that is taken.
func (tx *Tx) enrol(u *User) error {
	u.EmailKey = fold(u.Email)
	var known User
	if err := tx.lock().Where("email_key = ?", u.EmailKey).Limit(1).Find(&known).Error; err != nil {
		return err
	}
	var err error
	switch {
	case known.ID == "":
		u.ID, u.CreatedAt, u.UpdatedAt = NewID(), tx.now, tx.now
		err = tx.Create(u).Error
	case known.DisabledAt == nil || known.OrganizationID != u.OrganizationID:
		err = errEmailTaken
	default:
		u.ID, u.CreatedAt, u.UpdatedAt = known.ID, known.CreatedAt, tx.now.after(known.UpdatedAt)
		err = tx.Select("*").Updates(u).Error
	}
	if err != nil {
		return err
	}
	return tx.saveRoles(u)
}

var errEmailTaken = invalid("email", "belongs to a member of staff already")
