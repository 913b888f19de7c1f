package archive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"lectern/models/files"
	"lectern/models/store"
)

// namedRow is a row of an archive, with its columns.
type namedRow struct {
	size    int // of its text, in bytes
	columns []column
	row     row
}

// value returns what the row has in a column; nil for null, and for a column that it lacks.
func (l *namedRow) value(name string) any {
	if i := at(l.columns, name); i >= 0 {
		return l.row[i]
	}
	return nil
}

func (l *namedRow) get(name string) string {
	said, _ := l.value(name).(string)
	return said
}

func (l *namedRow) number(name string) *int {
	if n, said := l.value(name).(int64); said {
		return new(int(n))
	}
	return nil
}

func (l *namedRow) is(name string) bool { return l.value(name) == true }

func (l *namedRow) isNull(name string) bool { return l.value(name) == nil }

func (l *namedRow) set(name string, value any) {
	if i := at(l.columns, name); i >= 0 {
		l.row[i] = value
		return
	}
	l.columns, l.row = append(l.columns, column{name: name}), append(l.row, value)
}

// lines iterates over the rows of a table in an archive, until ctx ends. It answers Invalid for a malformed row.
func (a *Archive) lines(ctx context.Context, t *table, each func(*namedRow) error) error {
	entry := a.entries[t.data()]
	if entry == nil {
		return nil
	}
	content, err := entry.Open()
	if err != nil {
		return damaged(ctx, t.data(), err)
	}
	defer content.Close()
	known, number := t.archived(), 0
	in := bufio.NewScanner(files.Reader(ctx, content))
	in.Buffer(nil, maxLine)
	for in.Scan() {
		number++
		one, err := parseLine(known, in.Bytes())
		if ctx.Err() != nil { // the line may be incomplete
			return ctx.Err()
		}
		if err != nil {
			return refused("Line %d of %q is no row of this table: %v.", number, t.data(), err)
		}
		if err := each(one); err != nil {
			return err
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return refused("Line %d of %q has more than %d MB, which no row has.", number+1, t.data(), maxLine>>20)
	case err != nil:
		return damaged(ctx, t.data(), err)
	}
	return ctx.Err()
}

// parseLine parses a row. Columns that are newer than the archive are missing in it.
func parseLine(known []column, said []byte) (*namedRow, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(said, &members); err != nil {
		return nil, err
	}
	one := &namedRow{size: len(said)}
	for _, c := range known {
		raw, there := members[c.name]
		if !there {
			continue
		}
		delete(members, c.name)
		value, err := c.parse(raw)
		if err != nil {
			return nil, fmt.Errorf("%s %w", c.name, err)
		}
		one.columns, one.row = append(one.columns, c), append(one.row, value)
	}
	if len(members) > 0 {
		return nil, fmt.Errorf("%q is no column of it", slices.Min(slices.Collect(maps.Keys(members))))
	}
	return one, nil
}

// parse converts the JSON of a member to a value of a row.
func (c column) parse(raw json.RawMessage) (value any, err error) {
	switch isNull := string(raw) == "null"; {
	case isNull && c.nullable:
		return nil, nil
	case isNull && c.kind != document:
		return nil, fmt.Errorf("must not be null")
	}
	switch c.kind {
	case document:
		if c.says != nil && len(raw) > maxDocument {
			return nil, fmt.Errorf("has more than %d MB", maxDocument>>20)
		}
		if value = string(raw); c.says != nil {
			err = json.Unmarshal(raw, reflect.New(c.says).Interface())
		}
	case flag:
		value, err = decoded[bool](raw)
	case number:
		value, err = decoded[int64](raw)
	case moment:
		var at store.Time
		at, err = decoded[store.Time](raw)
		value = at.String()
	default:
		value, err = decodedText(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("must be a %s", c.kind)
	}
	return value, nil
}

func decoded[T any](raw json.RawMessage) (value T, err error) {
	return value, json.Unmarshal(raw, &value)
}

// decodedText decodes a text that both databases accept.
func decodedText(raw json.RawMessage) (string, error) {
	said, err := decoded[string](raw)
	if err == nil && strings.ContainsRune(said, 0) {
		err = fmt.Errorf("has a NUL character")
	}
	return said, err
}
