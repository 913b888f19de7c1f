package people

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Order is an order of people in lists.
type Order string

const (
	ByName   Order = "name"
	ByChange Order = "changed" // the last changed profile first
	ByAge    Order = "newest"  // the newest contact first
)

// Orders lists all orders, the default first.
var Orders = []Order{ByName, ByChange, ByAge}

func (o Order) check() error {
	if o == "" || slices.Contains(Orders, o) {
		return nil
	}
	return store.Invalidf("order", "is none that there is")
}

// columns returns the columns of an order, which are those of an index, and a contact's values in them. Ids grow with
// the time of creation.
func (o Order) columns(c *models.Contact) (columns string, values []any, isDescending bool) {
	switch o {
	case ByChange:
		return "(contacts.updated_at, contacts.id)", []any{c.UpdatedAt, c.ID}, true
	case ByAge:
		return "contacts.id", []any{c.ID}, true
	}
	return "(contacts.name_key, contacts.id)", []any{c.NameKey, c.ID}, false
}

// sorted orders a query of people by o, or by its reverse.
func (o Order) sorted(db *gorm.DB, reversed bool) *gorm.DB {
	_, _, isDescending := o.columns(&models.Contact{})
	way := map[bool]string{false: "", true: " DESC"}[isDescending != reversed]
	switch o {
	case ByChange:
		return db.Order("contacts.updated_at" + way + ", contacts.id" + way)
	case ByAge:
		return db.Order("contacts.id" + way)
	}
	return db.Order("contacts.name_key" + way + ", contacts.id" + way)
}

// behind narrows a query to the people after a contact in this order, or before it.
func (o Order) behind(db *gorm.DB, c *models.Contact, before bool) *gorm.DB {
	columns, values, isDescending := o.columns(c)
	sign := map[bool]string{false: " > ", true: " < "}[isDescending != before]
	return db.Where(columns+sign+"?", values)
}

// Position is a person's position in a list.
type Position struct {
	Previous, Next string // ids, "" at the ends
	Position       int64  // from 1; 0 for somebody not in the list, whose neighbours are those they would have
	Total          int64
}

// Neighbours returns who comes before and after a contact among those who pass a filter, with one SQL statement. It
// answers Invalid as Search does.
func (d *Directory) Neighbours(ctx context.Context, filter Filter, o Order, c *models.Contact) (place Position,
	err error) {
	if err := cmp.Or(filter.Check(), o.check()); err != nil {
		return Position{}, err
	}
	list, walk := d.passing(ctx, &filter, false), d.passing(ctx, &filter, true)
	before, after := o.behind(walk, c, true), o.behind(walk, c, false)
	var found struct {
		Previous, Next      string
		Earlier, Own, Total int64
	}
	err = d.Read(ctx).Raw("SELECT coalesce((?), '') AS previous, coalesce((?), '') AS next, "+
		"(?) AS earlier, (?) AS own, (?) AS total",
		o.sorted(before, true).Limit(1).Select("contacts.id"), o.sorted(after, false).Limit(1).Select("contacts.id"),
		o.behind(list, c, true).Select("count(*)"), list.Where("contacts.id = ?", c.ID).Select("count(*)"),
		d.counting(ctx, &filter)).Scan(&found).Error
	place = Position{Previous: found.Previous, Next: found.Next, Total: found.Total}
	if found.Own > 0 {
		place.Position = found.Earlier + 1
	}
	return place, err
}
