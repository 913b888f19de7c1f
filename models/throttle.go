package models

// signInFailure counts the attempts of one account or address that failed.
type signInFailure struct {
	Key          string `gorm:"primaryKey"`
	Failures     int
	LastFailedAt Time
}
