package people

import (
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// OwnFilter narrows a directory by an own field or an answer. Empty parts do not narrow; all others must hold.
type OwnFilter struct {
	Type     field.Type // of the field
	Words    string     // words of the value
	Any      []string   // options, one of which the value has; "" is for no value
	From, To string     // bounds of numbers and dates, inclusive
	Filled   bool       // has a value
	IsAnswer bool       // it is about an answer to what the event asks of each speaker
}

// IsOn reports whether the filter narrows anything.
func (f OwnFilter) IsOn() bool {
	return f.Words != "" || len(f.Any) > 0 || f.From != "" || f.To != "" || f.Filled
}

// ofOwn reports whether a filter asks for own fields, which readers do not see of guests; answers belong to the event.
func (f *Filter) ofOwn() bool {
	for _, own := range f.Own {
		if own.IsOn() && !own.IsAnswer {
			return true
		}
	}
	return false
}

// isFit reports whether the filter breaks no rule.
func (f OwnFilter) isFit() bool {
	_, err := store.CleanText("words", f.Words, store.MaxSearchText)
	if err != nil || len(f.Any) > field.MaxOptions+1 {
		return false
	}
	switch {
	case f.From+f.To == "":
		return true
	case f.Type != field.Number && f.Type != field.Date:
		return false
	}
	of := field.Definition{Type: f.Type}
	for _, bound := range []string{f.From, f.To} {
		if value, err := of.Clean(bound); err != nil || value != bound {
			return false
		}
	}
	return true
}

// ownFilter narrows a query to people who pass the filters by own fields, in the order of their keys.
func (d *Directory) ownFilter(db *gorm.DB, f *Filter, walks bool) *gorm.DB {
	for _, key := range slices.Sorted(maps.Keys(f.Own)) {
		own := f.Own[key]
		if !own.IsOn() {
			continue
		}
		values := d.valuesOf(own)
		db = d.toldOwn(db, key, values)
		of := values.of(db.Session(&gorm.Session{NewDB: true}), key)
		if own.Words != "" || own.From != "" || own.To != "" || own.Filled {
			db = d.inValues(db, own.passing(d.Directory, of.Session(&gorm.Session{}), key), walks)
		}
		if len(own.Any) > 0 {
			db = own.any(d.Directory, db, of.Session(&gorm.Session{}), walks)
		}
	}
	return db
}

// ownValues says in which table the values that a filter asks for are, and to which fields they belong.
type ownValues struct {
	rows              any    // the struct of the values' table
	key               string // its column with the field's key
	fields, id, scope string // the table of fields, its key column, and its column with the owner's id
	whose             string // the id of the organization or event that owns the fields
}

// valuesOf returns where the values of a filter are: values of own fields, or answers at the handle's event.
func (d *Directory) valuesOf(own OwnFilter) ownValues {
	if !own.IsAnswer {
		return ownValues{&models.ContactValue{}, "field_key", "contact_fields", "key", "organization_id", d.ID}
	}
	of := ownValues{&models.SpeakerAnswer{}, "question_id", "call_questions", "id", "event_id", ""}
	if d.Event() != nil {
		of.whose = d.Event().ID
	}
	return of
}

// of selects the values of one field.
func (v ownValues) of(db *gorm.DB, key string) *gorm.DB {
	return db.Model(v.rows).Where(v.scope+" = ? AND "+v.key+" = ?", v.whose, key)
}

// inValues narrows a query to contacts who have one of the values. PostgreSQL has statistics for all fields together,
// mistakes rare values for frequent ones and would look each person up in vain; so if few pass, the OFFSET makes it
// find the values first.
func (d *Directory) inValues(db, values *gorm.DB, walks bool) *gorm.DB {
	if walks || d.Store().Embedded() {
		return inRows(db, values, "contact_id", walks)
	}
	return db.Where("contacts.id IN (SELECT contact_id FROM (?) AS v OFFSET 0)", values.Select("contact_id"))
}

// passing narrows the values of a field to those that pass.
func (f OwnFilter) passing(d *models.Directory, values *gorm.DB, key string) *gorm.DB {
	values = In(d).matching(values, store.SearchWords(f.Words), "search")
	for _, bound := range []struct{ value, rule string }{{f.From, " >= "}, {f.To, " <= "}} {
		switch {
		case bound.value == "":
		case f.Type == field.Number: // PostgreSQL may cast values of other fields first, which need not be numbers
			values = values.Where("CASE WHEN "+In(d).valuesOf(f).key+" = ? THEN CAST(value AS numeric) END"+bound.rule+
				"CAST(? AS numeric)", key, bound.value)
		default:
			values = values.Where("value"+bound.rule+"?", bound.value)
		}
	}
	return values
}

// any narrows a query to contacts who have one of the options or, if "" is among them, no value.
func (f OwnFilter) any(d *models.Directory, db, values *gorm.DB, walks bool) *gorm.DB {
	options, patterns := f.options()
	if !slices.Contains(f.Any, "") {
		return In(d).inValues(db, values.Where(options, patterns...), walks)
	}
	// Each contact has one value at most, so one without another value has one of these or none.
	return db.Where("NOT EXISTS (?)", values.Where("NOT "+options,
		patterns...).Where("contact_id = contacts.id").Select("1"))
}

// options returns the SQL condition for values that have one of the options.
func (f OwnFilter) options() (condition string, patterns []any) {
	one := []string{"1 = 0"}
	for _, option := range f.Any {
		if option != "" {
			one = append(one, "? || value || ? LIKE ? ESCAPE '\\'")
			patterns = append(patterns, "\n", "\n", store.LikePattern("\n"+option+"\n"))
		}
	}
	return "(" + strings.Join(one, " OR ") + ")", patterns
}

// toldOwn narrows a query to contacts whose own field the reader may read; otherwise a filter would reveal hidden
// values.
func (d *Directory) toldOwn(db *gorm.DB, key string, of ownValues) *gorm.DB {
	if d.Organized() == nil {
		return db
	}
	return db.Where("(contacts.id IN (SELECT contact_id FROM event_contacts WHERE event_id IN ?) OR "+
		"EXISTS (SELECT 1 FROM "+of.fields+" o WHERE o."+of.scope+" = ? AND o."+of.id+" = ? AND o.is_open))",
		*d.Organized(), of.whose, key)
}
