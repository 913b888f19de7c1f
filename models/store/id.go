package store

import "github.com/google/uuid"

// NewID returns a UUIDv7: ids sort by the time they were made.
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// IsID reports whether s has exactly the form that NewID returns, so that nothing else reaches a query.
func IsID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f':
		default:
			return false
		}
	}
	return true
}
