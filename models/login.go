package models

// Login is a browser's sign-in.
type Login struct {
	ID         string // the SHA-256 of its token
	UserID     string
	Pending    bool // the second factor is outstanding: it opens nothing yet
	Address    string
	Agent      string
	CreatedAt  Time
	LastSeenAt Time // to the minute
	ExpiresAt  Time
	User       *User `gorm:"-"` // nil while Pending
}
