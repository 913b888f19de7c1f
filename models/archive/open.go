package archive

import (
	"archive/zip"
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"lectern/models/store"
)

// Archive is one that was opened: what its manifest says of it holds, as far as that can be seen without unpacking.
type Archive struct {
	Manifest Manifest
	entries  map[string]*zip.File
}

const (
	maxManifest = 64 << 20 // bytes
	maxLine     = 64 << 20 // bytes of a row
	// tightest is how many times smaller rows are packed at most. What claims more was made to fill a disk.
	tightest = 200
	// loose is how many bytes may be packed as tightly as they like.
	loose = 1 << 20
)

func refused(format string, values ...any) error {
	return &store.Error{Kind: store.Invalid, Message: fmt.Sprintf(format, values...)}
}

// Open reads what an archive is. It answers Invalid, in words for people, for a file that is none, is cut off, comes
// from a newer Lectern, or has other parts than its manifest says. schema is that of the database it is to come into.
func Open(r io.ReaderAt, size, schema int64) (*Archive, error) {
	packed, err := zip.NewReader(r, size)
	if err != nil {
		return nil, refused("This is no archive of an event, or it is cut off: %v.", err)
	}
	a := &Archive{entries: map[string]*zip.File{}}
	for _, entry := range packed.File {
		if a.entries[entry.Name] != nil {
			return nil, refused("The archive has %q twice.", entry.Name)
		}
		a.entries[entry.Name] = entry
	}
	if err := a.readManifest(); err != nil {
		return nil, err
	}
	switch m := a.Manifest; {
	case m.Form > Form || m.Schema > schema:
		return nil, refused("The archive comes from a newer Lectern. Update this one first.")
	case m.Form < 1 || !store.IsID(m.Event.ID) || !store.IsID(m.Organization.ID):
		return nil, refused("This is no archive of an event: its manifest does not say of which one.")
	}
	return a, a.checkParts()
}

func (a *Archive) readManifest() error {
	entry := a.entries[manifestName]
	if entry == nil {
		return refused("This is no archive of an event: it has no %s.", manifestName)
	}
	content, err := entry.Open()
	if err != nil {
		return refused("The archive is damaged: %v.", err)
	}
	defer content.Close()
	said, err := io.ReadAll(io.LimitReader(content, maxManifest))
	if err == nil {
		err = json.Unmarshal(said, &a.Manifest)
	}
	if err != nil {
		return refused("The archive is damaged: its %s cannot be read: %v.", manifestName, err)
	}
	return nil
}

// checkParts holds the files of an archive against its manifest.
func (a *Archive) checkParts() error {
	listed := map[string]bool{manifestName: true}
	for _, part := range a.Manifest.Parts {
		entry := a.entries[part.Name]
		switch {
		case entry == nil:
			return refused("The archive is not whole: %q is missing.", part.Name)
		case listed[part.Name]:
			return refused("The manifest names %q twice.", part.Name)
		case !isPart(part.Name):
			return refused("The archive has %q, which this Lectern does not know.", part.Name)
		case part.Bytes != int64(entry.UncompressedSize64):
			return refused("The archive was changed: %q has another size than its manifest says.", part.Name)
		case part.Bytes > loose && part.Bytes/tightest > int64(entry.CompressedSize64):
			return refused("%q is packed so tightly that no Lectern wrote it.", part.Name)
		}
		listed[part.Name] = true
	}
	for name := range a.entries {
		if !listed[name] {
			return refused("The archive was changed: its manifest does not name %q.", name)
		}
	}
	for _, t := range tables {
		if a.entries[t.data()] == nil && slices.Contains([]string{"events", "event_counters"}, t.name) {
			return refused("The archive is not whole: %q is missing.", t.data())
		}
	}
	return nil
}

// data is the part of an archive with the rows of a table.
func (t *table) data() string { return dataFolder + t.name + ".jsonl" }

// sheet is the part for spreadsheets.
func (t *table) sheet() string { return sheetFolder + t.name + ".csv" }

// isPart tells of a name that a part may have. No name ever becomes that of a file on a disk.
func isPart(name string) bool {
	if id, is := strings.CutPrefix(name, filesFolder); is {
		return store.IsID(id)
	}
	return name == readmeName ||
		slices.ContainsFunc(tables, func(t *table) bool { return name == t.data() || name == t.sheet() })
}

// Verify reads all of an archive once and answers Invalid for a part that is not as its manifest says.
func (a *Archive) Verify() error {
	for _, part := range a.Manifest.Parts {
		content, err := a.entries[part.Name].Open()
		if err != nil {
			return refused("The archive is damaged: %q cannot be read: %v.", part.Name, err)
		}
		sum := sha256.New()
		n, err := io.Copy(sum, io.LimitReader(content, part.Bytes+1))
		content.Close()
		if err != nil {
			return refused("The archive is damaged: %q cannot be read: %v.", part.Name, err)
		}
		if n != part.Bytes || hex.EncodeToString(sum.Sum(nil)) != part.SHA256 {
			return refused("The archive was changed: %q is not what its manifest says.", part.Name)
		}
	}
	return nil
}

// line is a row as an archive has it, with its columns.
type line struct {
	columns []column
	row     row
}

func (l *line) get(name string) string {
	if i := at(l.columns, name); i >= 0 {
		said, _ := l.row[i].(string)
		return said
	}
	return ""
}

func (l *line) number(name string) *int {
	if i := at(l.columns, name); i >= 0 {
		if n, said := l.row[i].(int64); said {
			return new(int(n))
		}
	}
	return nil
}

func (l *line) isNull(name string) bool {
	i := at(l.columns, name)
	return i < 0 || l.row[i] == nil
}

func (l *line) set(name string, value any) {
	if i := at(l.columns, name); i >= 0 {
		l.row[i] = value
		return
	}
	l.columns, l.row = append(l.columns, column{name: name}), append(l.row, value)
}

// lines walks over the rows of a table in an archive. It answers Invalid for one that is none of that table.
func (a *Archive) lines(t *table, each func(*line) error) error {
	entry := a.entries[t.data()]
	if entry == nil {
		return nil
	}
	content, err := entry.Open()
	if err != nil {
		return refused("The archive is damaged: %q cannot be read: %v.", t.data(), err)
	}
	defer content.Close()
	known, number := t.archived(), 0
	in := bufio.NewScanner(content)
	in.Buffer(nil, maxLine)
	for in.Scan() {
		number++
		one, err := parseLine(known, in.Bytes())
		if err != nil {
			return refused("Line %d of %q is no row of this table: %v.", number, t.data(), err)
		}
		if err := each(one); err != nil {
			return err
		}
	}
	if err := in.Err(); err != nil {
		return refused("The archive is damaged: %q cannot be read: %v.", t.data(), err)
	}
	return nil
}

// parseLine reads a row. Columns that came later than the archive are not in it.
func parseLine(known []column, said []byte) (*line, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(said, &members); err != nil {
		return nil, err
	}
	one := &line{}
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

// parse is the value of a member, in the form that a row has.
func (c column) parse(raw json.RawMessage) (value any, err error) {
	switch isNull := string(raw) == "null"; {
	case isNull && c.nullable:
		return nil, nil
	case isNull && c.kind != document:
		return nil, fmt.Errorf("must not be null")
	}
	switch c.kind {
	case document:
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

// decodedText is a text that both databases take.
func decodedText(raw json.RawMessage) (string, error) {
	said, err := decoded[string](raw)
	if err == nil && strings.ContainsRune(said, 0) {
		err = fmt.Errorf("has a NUL character")
	}
	return said, err
}
