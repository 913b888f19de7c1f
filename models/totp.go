package models

// recoveryCode stands in for the second factor, once.
type recoveryCode struct {
	UserID string
	Hash   string
}
