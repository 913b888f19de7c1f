package staff

import (
	"context"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/signin"
	"lectern/models/store"
)

// Role is what a member of staff may do.
type Role string

const (
	Owner     Role = "owner"
	Organizer Role = "organizer"
	Reviewer  Role = "reviewer"
	Viewer    Role = "viewer"
)

// RoundReviewer is a reviewer who sees only what review rounds assign to them. It is never granted: an event's rounds
// narrow a reviewer's role to it.
const RoundReviewer Role = "round reviewer"

// Roles are the roles that can be granted, the most powerful first.
var Roles = []Role{Owner, Organizer, Reviewer, Viewer}

// Covers reports whether the role includes the rights of needed: an owner has all, an organizer those of a reviewer and
// a viewer. "" covers nothing.
func (r Role) Covers(needed Role) bool {
	if needed == RoundReviewer {
		return r == RoundReviewer || r.Covers(Reviewer)
	}
	mine, theirs := slices.Index(Roles, r), slices.Index(Roles, needed)
	return mine >= 0 && theirs >= mine
}

// SeesPeople reports whether the role reads the directory. Reviewers see only the people of what they review, on its
// page.
func (r Role) SeesPeople() bool { return r.Covers(Organizer) || r == Viewer }

// User is a member of staff.
type User struct {
	ID              string
	OrganizationID  string
	Email           string
	EmailKey        string
	Name            string
	Role            Role            // holds at every event if Everywhere, else nowhere
	Everywhere      bool            // true for every owner
	Roles           map[string]Role `gorm:"-"` // by event id, when not Everywhere; LoginBy and Members load them
	PasswordHash    string          `json:"-"`
	TOTPSecret      string          `json:"-"` // sealed
	TOTPConfirmedAt *store.Time
	TOTPStep        int64       `json:"-"` // the last one accepted
	Passkeys        int         // how many they have
	ProviderID      *string     // the provider whose groups decide the role; they sign in by it alone
	DisabledAt      *store.Time // when removed
	CreatedAt       store.Time
	UpdatedAt       store.Time
}

// RoleAt returns the user's role at an event of their organization or, with "", in the organization as a whole; ""
// means none. It is the only place that decides this, and does not check which organization an event belongs to:
// EventFor does.
func (u *User) RoleAt(eventID string) Role {
	if u.Everywhere || u.Role == Owner {
		return u.Role
	}
	return u.Roles[eventID]
}

// HasTOTP reports whether the user has an authenticator app as a second factor.
func (u *User) HasTOTP() bool { return u.TOTPConfirmedAt != nil }

// HasFactor reports whether signing in takes more than a password: a code of an app, or a passkey.
func (u *User) HasFactor() bool { return u.HasTOTP() || u.Passkeys > 0 }

// grants returns what a member may do, for the activity.
func (u *User) grants() map[string]any {
	roles := map[string]Role{}
	maps.Copy(roles, u.Roles)
	return map[string]any{"role": u.Role, "everywhere": u.Everywhere, "roles": roles}
}

// InPerson returns the user as the one who acts, with the door and address of the request.
func (u *User) InPerson(ctx context.Context) store.By {
	by := store.ByIn(ctx)
	by.ActorID, by.ActorName = u.ID, u.Name
	return by
}

// NewUser is the input to make a member of staff.
type NewUser struct {
	Email    string
	Name     string
	Role     Role
	Password string // 10 to 200 characters, kept as an argon2id hash
}

// Clean normalizes the fields. It answers Invalid for those that break their rule.
func (n *NewUser) Clean() error {
	var f store.Faults
	var err error
	n.Email, err = store.CleanEmail(n.Email)
	f.Add(err)
	f.Clean(store.CleanName, "name", &n.Name, store.MaxName)
	if !slices.Contains(Roles, n.Role) {
		f.Add(store.Invalidf("role", "must be one of owner, organizer, reviewer, viewer"))
	}
	f.Add(signin.PasswordFault(n.Password, n.Email, n.Name))
	return f.Err()
}

// Hashed returns the user that a clean n describes, not stored yet: their role holds everywhere.
func (a *Accounts) Hashed(ctx context.Context, n NewUser) (*User, error) {
	hash, err := a.passwords.Hash(ctx, n.Password)
	return &User{Email: n.Email, Name: n.Name, Role: n.Role, Everywhere: true, PasswordHash: hash}, err
}

// CreateUser adds a member of staff whose role holds everywhere, for whoever runs the server. It answers
// Invalid for a field that breaks its rule, an address that is taken, or before the first event exists.
func (a *Accounts) CreateUser(ctx context.Context, n NewUser) (*User, error) {
	if err := n.Clean(); err != nil {
		return nil, err
	}
	user, err := a.Hashed(ctx, n)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, a.Write, func(tx *store.Tx) (*User, error) {
		organization, err := store.TheOrganization(tx.DB)
		if err != nil {
			return nil, err
		}
		if organization == nil {
			return nil, store.Invalidf("organization", "does not exist yet; create the first event before its staff")
		}
		team := a.Team(a.Organization(organization.ID, store.CommandLine))
		if err := team.Hold(tx); err != nil {
			return nil, err
		}
		return user, team.Enrol(tx, user, "")
	})
}

// Enrol adds a member to the team, or takes back one who was removed: an address keeps its row, so that the activity
// names one person. The address may belong to somebody else by now, so only the identity with identityID stays of those
// from before; "" keeps none. If the team has no actor, the member is. It answers Invalid for an address that is taken.
// The caller holds the team.
func (t *Team) Enrol(tx *store.Tx, u *User, identityID string) error {
	u.OrganizationID, u.EmailKey = t.ID, store.Fold(u.Email)
	var known User
	if err := tx.Lock().Where("email_key = ?", u.EmailKey).Limit(1).Find(&known).Error; err != nil {
		return err
	}
	var err error
	switch {
	case known.ID == "":
		u.ID, u.CreatedAt, u.UpdatedAt = store.NewID(), tx.Now, tx.Now
		err = tx.Create(u).Error
	case known.DisabledAt == nil || known.OrganizationID != u.OrganizationID:
		err = errEmailTaken
	default:
		u.ID, u.CreatedAt, u.UpdatedAt = known.ID, known.CreatedAt, tx.Now.Following(known.UpdatedAt)
		err = errors.Join(tx.Select("*").Updates(u).Error,
			tx.Where("user_id = ? AND id <> ?", u.ID, identityID).Delete(&Identity{}).Error)
	}
	if err != nil {
		return err
	}
	if err := saveRoles(tx, u); err != nil {
		return err
	}
	by := t.By
	if by.ActorName == "" {
		by.ActorID, by.ActorName = u.ID, u.Name
	}
	return tx.Secure(t.ID, nil, by, store.StaffJoined, store.Change{ID: u.ID, After: u.grants()})
}

var errEmailTaken = store.Invalidf("email", "belongs to a member of staff already")

// eventRole is the role of one user at one event.
type eventRole struct {
	EventID string
	UserID  string
	Role    Role
}

// loadRoles fills in Roles, with one statement for all users who are not Everywhere.
func loadRoles(db *gorm.DB, users ...*User) error {
	byID := map[string]*User{}
	for _, u := range users {
		if u.Roles = nil; !u.Everywhere {
			byID[u.ID], u.Roles = u, map[string]Role{}
		}
	}
	if len(byID) == 0 {
		return nil
	}
	var rows []eventRole
	err := db.Where("user_id IN ?", slices.Sorted(maps.Keys(byID))).Find(&rows).Error
	for _, row := range rows {
		byID[row.UserID].Roles[row.EventID] = row.Role
	}
	return err
}

// cleanGrants checks a user's role and events, and normalizes them.
func cleanGrants(tx *store.Tx, u *User) error {
	var f store.Faults
	if !slices.Contains(Roles, u.Role) {
		f.Add(store.Invalidf("role", "must be one of owner, organizer, reviewer, viewer"))
	}
	u.Everywhere = u.Everywhere || u.Role == Owner
	roles := map[string]Role{}
	if !u.Everywhere {
		maps.Copy(roles, u.Roles)
		maps.DeleteFunc(roles, func(_ string, role Role) bool { return role == "" })
	}
	u.Roles = roles
	for _, role := range roles {
		if role == Owner || !slices.Contains(Roles, role) {
			f.Add(store.Invalidf("roles", "must be organizer, reviewer or viewer at each event"))
			break
		}
	}
	if len(roles) > 0 {
		events, err := eventsOf(tx, u.OrganizationID)
		if err != nil {
			return err
		}
		for id := range roles {
			if !slices.Contains(events, id) {
				f.Add(store.Invalidf("roles", "must name events of this organization"))
				break
			}
		}
	}
	return f.Err()
}

// saveRoles writes the user's roles at single events.
func saveRoles(tx *store.Tx, u *User) error {
	if err := tx.Where("user_id = ?", u.ID).Delete(&eventRole{}).Error; err != nil {
		return err
	}
	rows := store.Map(slices.Sorted(maps.Keys(u.Roles)), func(event string) eventRole {
		return eventRole{EventID: event, UserID: u.ID, Role: u.Roles[event]}
	})
	if len(rows) == 0 {
		return nil
	}
	return tx.Create(&rows).Error
}
