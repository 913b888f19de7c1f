package models

// staffLink is a one-time link, kept as a hash.
type staffLink struct {
	ID             string
	Hash           string
	Kind           string // invitation or reset
	OrganizationID string
	UserID         *string // whose password is reset
	Email          string
	EmailKey       string
	Role           StaffRole
	Everywhere     bool
	Roles          map[string]StaffRole `gorm:"column:event_roles;serializer:json"`
	CreatedBy      *string
	CreatedAt      Time
	ExpiresAt      Time
	UsedAt         *Time
}
