package archive

import (
	"cmp"
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"lectern/models/store"
)

// kind is what a column contains, independent of the database.
type kind string

const (
	text     kind = "text"
	moment   kind = "moment" // as the API writes it
	flag     kind = "flag"
	number   kind = "number"
	document kind = "document" // JSON
)

type column struct {
	name     string
	kind     kind
	nullable bool
	says     reflect.Type // struct type of a JSON document; nil for others
}

// row is a row of a table: nil, string, bool or int64 for each of its columns.
type row []any

// computedColumns are columns that only SQL writes, by table.
var computedColumns = map[string][]string{"sessions": {"score", "reviews"}}

// parsed returns gorm's schemas of all tables; parsing takes longer than reading a small table.
var parsed = sync.OnceValue(func() map[string]*schema.Schema {
	all, kept := make(map[string]*schema.Schema, len(structs)), &sync.Map{}
	for name, of := range structs {
		one, err := schema.Parse(of, kept, schema.NamingStrategy{})
		if err != nil {
			panic(err) // cannot happen with our own struct
		}
		all[name] = one
	}
	return all
})

// columnsOf returns the columns of a table, from its struct.
func columnsOf(name string) []column {
	var all []column
	for _, field := range parsed()[name].Fields {
		if field.DBName != "" && (field.Creatable || slices.Contains(computedColumns[name], field.DBName)) {
			c := column{name: field.DBName, kind: kindOf(field), nullable: field.FieldType.Kind() == reflect.Pointer}
			if field.Serializer != nil {
				c.says = field.FieldType
			}
			all = append(all, c)
		}
	}
	return all
}

func kindOf(field *schema.Field) kind {
	of := field.IndirectFieldType
	switch {
	case of == reflect.TypeFor[store.Time]():
		return moment
	case field.Serializer != nil:
		return document
	}
	switch of.Kind() {
	case reflect.Bool:
		return flag
	case reflect.String:
		return text
	case reflect.Int, reflect.Int64:
		return number
	}
	return document
}

// rows iterates over the rows of a table that meet a condition, in their order.
func (t *table) rows(db *gorm.DB, columns []column, of scope, condition string, each func(row) error) error {
	found, err := of.rows(db.Table(t.name), t).Select(strings.Join(quoted(columns), ", ")).
		Where(condition).Order(t.order()).Rows()
	if err != nil {
		return err
	}
	defer found.Close()
	read := make([]any, len(columns))
	for i := range read {
		read[i] = new(any)
	}
	for found.Next() {
		if err := found.Scan(read...); err != nil {
			return err
		}
		one := make(row, len(columns))
		for i, c := range columns {
			if one[i], err = c.kind.plain(*read[i].(*any)); err != nil {
				return fmt.Errorf("%s.%s: %w", t.name, c.name, err)
			}
		}
		if err := each(one); err != nil {
			return err
		}
	}
	return found.Err()
}

// scope says whose rows are meant: those of events, or everything of an organization with all its events.
type scope struct {
	events       []string
	organization string // "" for events
}

func ofEvent(id string) scope { return scope{events: []string{id}} }

// rows narrows a query of a table to the scope.
func (of scope) rows(db *gorm.DB, t *table) *gorm.DB {
	if columns := columnsOf(t.name); of.organization != "" {
		if i := at(columns, "organization_id"); i >= 0 && !columns[i].nullable { // a nullable one is null in rows of events
			return db.Where("organization_id = ?", of.organization)
		}
	}
	return db.Where(cmp.Or(t.of, "event_id IN @events"), sql.Named("events", of.events))
}

// order returns the SQL order of the rows: by primary key, after rows of the same table that they refer to.
func (t *table) order() string {
	of := parsed()[t.name]
	key := of.PrimaryFieldDBNames
	if len(key) == 0 {
		key = of.DBNames
	}
	if t.last != "" {
		key = append([]string{"CASE WHEN " + t.last + " IS NULL THEN 0 ELSE 1 END"}, key...)
	}
	return strings.Join(key, ", ")
}

// plain converts a value from either database to the form that a row has.
func (k kind) plain(v any) (any, error) {
	if bytes, is := v.([]byte); is {
		v = string(bytes)
	}
	switch given := v.(type) {
	case nil:
		return nil, nil
	case int32:
		return k.plain(int64(given))
	case int64:
		if k == flag {
			return given != 0, nil
		}
		if k == number {
			return given, nil
		}
	case bool:
		if k == flag {
			return given, nil
		}
	case string:
		if k == text || k == document {
			return given, nil
		}
	}
	if k == moment {
		var at store.Time
		err := at.Scan(v)
		return at.String(), err
	}
	return nil, fmt.Errorf("is a %T and no %s", v, k)
}

// insert inserts rows of a table.
func (t *table) insert(tx *store.Tx, columns []column, rows []row) error {
	one := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
	for some := range slices.Chunk(rows, tx.InsertRows()) {
		statement := "INSERT INTO " + t.name + " (" + strings.Join(quoted(columns), ", ") + ") VALUES " +
			strings.TrimSuffix(strings.Repeat(one+", ", len(some)), ", ")
		if err := tx.Exec(statement, slices.Concat(some...)...).Error; err != nil {
			return err
		}
	}
	return nil
}

func names(columns []column) []string {
	return store.Map(columns, func(c column) string { return c.name })
}

// quoted returns the names of columns quoted for SQL, as some are keywords.
func quoted(columns []column) []string {
	all := names(columns)
	for i := range all {
		all[i] = `"` + all[i] + `"`
	}
	return all
}

// tableOf returns the table with this name, nil if an event has no such table.
func tableOf(name string) *table {
	i := slices.IndexFunc(tables, func(t *table) bool { return t.name == name })
	if i < 0 {
		return nil
	}
	return tables[i]
}

// at returns the index of a column, -1 if there is none.
func at(columns []column, name string) int {
	return slices.IndexFunc(columns, func(c column) bool { return c.name == name })
}
