package staff

import (
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

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
		var events []string
		err := tx.Table("events").Where("organization_id = ?", u.OrganizationID).Pluck("id", &events).Error
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
