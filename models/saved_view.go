package models

// SavedView is a search of one admin page that a member of staff keeps.
type SavedView struct {
	ID        string
	EventID   string
	UserID    string // whose it is
	Page      string // which page it belongs to, such as submissions
	Name      string
	Query     string // the page's query string
	IsShared  bool   // shown to all staff of the event
	CreatedAt Time
}
