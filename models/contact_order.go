package models

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"gorm.io/gorm"

	"lectern/models/store"
)

// ContactOrder is an order of people in lists.
type ContactOrder string

const (
	ByName   ContactOrder = "name"
	ByChange ContactOrder = "changed" // whose profile changed last comes first
	ByAge    ContactOrder = "newest"  // who came last comes first
)

// ContactOrders are all of them, the usual one first.
var ContactOrders = []ContactOrder{ByName, ByChange, ByAge}

func (o ContactOrder) check() error {
	if o == "" || slices.Contains(ContactOrders, o) {
		return nil
	}
	return store.Invalidf("order", "is none that there is")
}

// columns returns the columns of an order, which an index has, and somebody's values in them. Ids grow with the time
// of creation.
func (o ContactOrder) columns(c *Contact) (columns string, values []any, isDescending bool) {
	switch o {
	case ByChange:
		return "(contacts.updated_at, contacts.id)", []any{c.UpdatedAt, c.ID}, true
	case ByAge:
		return "contacts.id", []any{c.ID}, true
	}
	return "(contacts.name_key, contacts.id)", []any{c.NameKey, c.ID}, false
}

// sorted orders people, or reverses the order.
func (o ContactOrder) sorted(db *gorm.DB, reversed bool) *gorm.DB {
	_, _, isDescending := o.columns(&Contact{})
	way := map[bool]string{false: "", true: " DESC"}[isDescending != reversed]
	switch o {
	case ByChange:
		return db.Order("contacts.updated_at" + way + ", contacts.id" + way)
	case ByAge:
		return db.Order("contacts.id" + way)
	}
	return db.Order("contacts.name_key" + way + ", contacts.id" + way)
}

// behind keeps the people after somebody in this order, or before them.
func (o ContactOrder) behind(db *gorm.DB, c *Contact, before bool) *gorm.DB {
	columns, values, isDescending := o.columns(c)
	sign := map[bool]string{false: " > ", true: " < "}[isDescending != before]
	return db.Where(columns+sign+"?", values)
}

// Place is somebody's position in a list.
type Place struct {
	Previous, Next string // ids, "" at the ends
	Position       int64  // from 1; 0 of who is not in it, whose neighbours are those they would have
	Total          int64
}

// Neighbours are who comes before and after a contact among those who pass a filter, in one statement. It answers
// Invalid as Search does.
func (d *Directory) Neighbours(ctx context.Context, filter ContactFilter, o ContactOrder, c *Contact) (place Place, err error) {
	if err := cmp.Or(filter.Check(), o.check()); err != nil {
		return Place{}, err
	}
	list, walk := d.Passing(ctx, &filter, false), d.Passing(ctx, &filter, true)
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
	place = Place{Previous: found.Previous, Next: found.Next, Total: found.Total}
	if found.Own > 0 {
		place.Position = found.Earlier + 1
	}
	return place, err
}

// SortedUnder is what they are sorted under in lists for everybody: as they said, or the last name before the first.
// Particles that a last name begins with come last, "Berg, Anna van der"; one with a capital belongs to the name,
// "Van Damme, Anna". A name in Chinese, Japanese or Korean characters stands as it is written: family name first.
func (c *Contact) SortedUnder() string {
	switch {
	case c.SortName != "":
		return c.SortName
	case c.LastName == "" || c.FirstName == "" || startsWith(c.FullName, familyNameFirst):
		return c.FullName
	}
	before, name := particles(c.LastName)
	return strings.TrimSpace(name + ", " + c.FirstName + " " + before)
}

// particles splits a last name into the words in lower case that it begins with and the rest, which has a capital.
func particles(last string) (before, name string) {
	words := strings.Fields(last)
	for i, word := range words {
		switch {
		case startsWith(word, unicode.IsUpper):
			return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		case !startsWith(word, unicode.IsLower): // a script that knows neither
			return "", last
		}
	}
	return "", last
}

// startsWith reports whether the first letter of a text is of a kind.
func startsWith(text string, is func(rune) bool) bool {
	at := strings.IndexFunc(text, unicode.IsLetter)
	if at < 0 {
		return false
	}
	for _, r := range text[at:] {
		return is(r)
	}
	return false
}

// familyNameFirst reports characters in which names are written with the family name first.
func familyNameFirst(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
