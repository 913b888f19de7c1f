package archive

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gorm.io/gorm"
	"gorm.io/gorm/schema"

	"lectern/models/store"
)

// kind is what a column holds, whichever database keeps it.
type kind string

const (
	text     kind = "text"
	moment   kind = "moment" // as the API writes it
	flag     kind = "flag"
	number   kind = "number"
	document kind = "document" // JSON
)

type column struct {
	name string
	kind kind
}

// row is one of a table: nil, string, bool or int64 for each of its columns.
type row []any

// columnsOf are the columns of a table, by its struct.
func columnsOf(name string) []column {
	parsed, err := schema.Parse(structs[name], &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(err) // of a struct of ours
	}
	var all []column
	for _, field := range parsed.Fields {
		if field.DBName != "" && field.Creatable {
			all = append(all, column{field.DBName, kindOf(field)})
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

// rows walks over an event's rows of a table that meet a condition, by their keys.
func (t *table) rows(db *gorm.DB, eventID, condition string, each func(row) error) error {
	columns := columnsOf(t.name)
	found, err := db.Table(t.name).Select(strings.Join(quoted(columns), ", ")).Where(t.mine(), eventID).Where(condition).
		Order(t.key()).Rows()
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

// mine is the condition of an event's rows, of its id.
func (t *table) mine() string {
	if t.of != "" {
		return t.of
	}
	return "event_id = ?"
}

// key are the columns by which the rows of a table are told apart.
func (t *table) key() string {
	parsed, err := schema.Parse(structs[t.name], &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		panic(err) // of a struct of ours
	}
	if len(parsed.PrimaryFieldDBNames) > 0 {
		return strings.Join(parsed.PrimaryFieldDBNames, ", ")
	}
	return strings.Join(parsed.DBNames, ", ")
}

// plain is a value as either database gives it, in the one form that a row has.
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

// insert stores rows of a table.
func (t *table) insert(tx *store.Tx, rows []row) error {
	columns := columnsOf(t.name)
	one := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
	for some := range slices.Chunk(rows, tx.InsertRows()) {
		statement := "INSERT INTO " + t.name + " (" + strings.Join(quoted(columns), ", ") + ") VALUES " +
			strings.TrimSuffix(strings.Repeat(one+", ", len(some)), ", ")
		if err := tx.Later().Exec(statement, slices.Concat(some...)...).Error; err != nil {
			return err
		}
	}
	return nil
}

// quoted are the names of columns as SQL takes them; "before" and "after" are words of it.
func quoted(columns []column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = `"` + c.name + `"`
	}
	return names
}

// at is where a table has a column.
func at(columns []column, name string) int {
	return slices.IndexFunc(columns, func(c column) bool { return c.name == name })
}
