package desk

import (
	"context"
	"slices"

	"lectern/models/staff"
	"lectern/models/store"
)

// SavedView is a search of one admin page that a member of staff saved.
type SavedView struct {
	ID           string
	EventID      string
	UserID       string // its owner
	NewSavedView `gorm:"embedded"`
	CreatedAt    store.Time
}

// NewSavedView is the input to save a view.
type NewSavedView struct {
	Page     string // the page, such as submissions: 1 to 50 characters
	Name     string // 1 to 100 characters, unique per user and page
	Query    string // the page's query string: at most 2,000 characters
	IsShared bool   // shown to all staff of the event
}

// MaxSavedViews is how many views a member of staff may save per page.
const MaxSavedViews = 50

func (n *NewSavedView) clean() error {
	var f store.Faults
	f.Clean(store.CleanName, "page", &n.Page, 50)
	f.Clean(store.CleanName, "name", &n.Name, 100)
	f.Clean(store.CleanText, "query", &n.Query, 2000)
	return f.Err()
}

// SavedViews returns a user's own views of a page by name, then those that other users of the event share.
func (on *Desk) SavedViews(ctx context.Context, userID, page string) ([]*SavedView, error) {
	views := []*SavedView{}
	err := on.p.Read(ctx).Where("event_id = ? AND page = ? AND (user_id = ? OR is_shared)", on.p.Event().ID, page, userID).
		Find(&views).Error
	slices.SortFunc(views, func(a, b *SavedView) int {
		if (a.UserID == userID) != (b.UserID == userID) {
			return map[bool]int{true: -1, false: 1}[a.UserID == userID]
		}
		return store.CompareNames(a.Name, a.ID, b.Name, b.ID)
	})
	return views, err
}

// SaveView saves a view for a user. It answers NotFound for a user of another organization, and Invalid for a field
// that breaks its rule, a name that the user gave another view of the page, or too many views.
func (on *Desk) SaveView(ctx context.Context, userID string, n NewSavedView) (*SavedView, error) {
	if err := n.clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, on.p.Write, func(tx *store.Tx) (*SavedView, error) {
		// Locking the user makes two views saved at once count each other.
		var users []string
		if err := tx.Lock().Model(&staff.User{}).Where("id = ? AND organization_id = ?", userID, on.p.Event().OrganizationID).
			Pluck("id", &users).Error; err != nil {
			return nil, err
		}
		if len(users) == 0 {
			return nil, store.Missing("There is no such member of staff.")
		}
		var names []string
		if err := tx.Model(&SavedView{}).Where("event_id = ? AND user_id = ? AND page = ?", on.p.Event().ID, userID, n.Page).
			Pluck("name", &names).Error; err != nil {
			return nil, err
		}
		if slices.Contains(names, n.Name) {
			return nil, store.Invalidf("name", "is taken by another of your views")
		}
		if len(names) >= MaxSavedViews {
			return nil, store.Invalidf("name", "is one too many; delete one of your %d views first", MaxSavedViews)
		}
		view := &SavedView{ID: store.NewID(), EventID: on.p.Event().ID, UserID: userID, NewSavedView: n,
			CreatedAt: tx.Now}
		return view, tx.Create(view).Error
	})
}

// DeleteView deletes one of a user's own views and returns it. It answers NotFound for any other, shared ones too.
func (on *Desk) DeleteView(ctx context.Context, userID, id string) (*SavedView, error) {
	if !store.IsID(id) {
		return nil, store.NoSuch("view of yours")
	}
	return store.Make(ctx, on.p.Write, func(tx *store.Tx) (*SavedView, error) {
		own := tx.Where("event_id = ? AND user_id = ? AND id = ?", on.p.Event().ID, userID, id)
		view, err := store.One[SavedView](own, store.NoSuch("view of yours"))
		if err != nil {
			return nil, err
		}
		return view, tx.Delete(view).Error
	})
}
