// Package field declares the types of fields that staff define: what a value may be, and how it is stored, asked for in
// a form, and written in a table.
package field

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lectern/models/store"
)

// Type is the type of a field's values. A value is stored as a text in one normal form, whichever door it comes in by;
// "" means none.
type Type string

const (
	Text     Type = "text"
	LongText Type = "long_text" // with \n for line breaks
	Choice   Type = "choice"    // one of the options
	Choices  Type = "choices"   // several options, in their order, one per line; see Split
	Number   Type = "number"    // decimal digits, with a point; at most 15
	Date     Type = "date"      // 2026-12-31
	URL      Type = "url"       // http:// or https://
	Email    Type = "email"
	YesNo    Type = "yes_no" // yes or no
	File     Type = "file"   // the id of an uploaded file
)

// Yes and No are the values of YesNo.
const (
	Yes = "yes"
	No  = "no"
)

// These are limits of a definition; lengths in characters.
const (
	MaxHelp    = 1000
	MaxOptions = 100
)

// Input is a form's input for a value. Several choices are sent as several values of one name.
type Input struct {
	Control   Control
	Type      string // of an input: text, number, date, url or email
	Step      string // for a number
	MaxLength int    // in characters; 0 for none
	Options   []Option
	Multiple  bool
	Required  bool
}

// Control is the kind of form control.
type Control string

const (
	OneLine   Control = "input"
	Lines     Control = "textarea"
	Select    Control = "select"
	Checks    Control = "checkboxes"
	Radios    Control = "radios"
	FileInput Control = "file"
)

// Option is an option of a select.
type Option struct{ Value, Label string }

// kind describes a type.
type kind struct {
	Type
	label   string
	limit   int  // in characters; 0 if other rules limit it
	lowered bool // a definition may lower the limit
	chosen  bool // it has options
	input   Input
	clean   func(d *Definition, text string) (string, error) // nil if any text will do
}

// kinds are the types, in the order of the choice in forms.
var kinds = []kind{
	{Type: Text, label: "Text", limit: store.MaxName, lowered: true, input: Input{Control: OneLine, Type: "text"},
		clean: cleanLine},
	{Type: LongText, label: "Long text", limit: store.MaxCustomValue, lowered: true, input: Input{Control: Lines}},
	{Type: Choice, label: "One of several choices", chosen: true, input: Input{Control: Select}, clean: cleanChoice},
	{Type: Choices, label: "Several choices", chosen: true, input: Input{Control: Checks, Multiple: true},
		clean: cleanChoices},
	{Type: Number, label: "Number", input: Input{Control: OneLine, Type: "number", Step: "any"}, clean: cleanNumber},
	{Type: Date, label: "Date", input: Input{Control: OneLine, Type: "date"}, clean: cleanDate},
	{Type: URL, label: "Web address", limit: store.MaxURL, input: Input{Control: OneLine, Type: "url"}, clean: cleanURL},
	{Type: Email, label: "E-mail address", limit: 254, input: Input{Control: OneLine, Type: "email"}, clean: cleanEmail},
	{Type: YesNo, label: "Yes or no",
		input: Input{Control: Radios, Options: []Option{{Yes, "Yes"}, {No, "No"}}}, clean: cleanYesNo},
	{Type: File, label: "File", input: Input{Control: FileInput}, clean: cleanFile},
}

// Types returns all types, in the order in which staff choose from them.
func Types() []Type {
	return store.Map(kinds, func(k kind) Type { return k.Type })
}

// kind returns the type's description, nil for an unknown type.
func (t Type) kind() *kind {
	if i := slices.IndexFunc(kinds, func(k kind) bool { return k.Type == t }); i >= 0 {
		return &kinds[i]
	}
	return nil
}

// Label returns the name of the type for people, "" for an unknown type.
func (t Type) Label() string {
	if k := t.kind(); k != nil {
		return k.label
	}
	return ""
}

// HasOptions reports whether values are chosen from options.
func (t Type) HasOptions() bool { return t.kind() != nil && t.kind().chosen }

// HasLength reports whether a definition can limit the length of values.
func (t Type) HasLength() bool { return t.kind() != nil && t.kind().lowered }

// InTables reports whether a table's cell can hold the values.
func (t Type) InTables() bool { return t != File }

// Definition is a field that staff defined. Clean needs one that passed Check.
type Definition struct {
	Key       string // under which values are stored; at most store.MaxCustomKey characters
	Label     string // at most store.MaxName characters
	Help      string // at most MaxHelp characters
	Type      Type
	Required  bool
	Options   []string // for choices, 1 to MaxOptions, without ; and |
	MaxLength int      // in characters, for texts; 0 for the type's limit
}

// Check normalizes a definition, or answers Invalid for each faulty field: key, label, help, type, options, max_length.
func (d *Definition) Check() error {
	var f store.Faults
	f.Clean(store.CleanName, "key", &d.Key, store.MaxCustomKey)
	f.Clean(store.CleanName, "label", &d.Label, store.MaxName)
	f.Clean(store.CleanText, "help", &d.Help, MaxHelp)
	k := d.Type.kind()
	if k == nil {
		f.Add(store.Invalidf("type", "is none that there is"))
		return f.Err()
	}
	d.checkOptions(&f, k)
	switch {
	case !k.lowered && d.MaxLength != 0:
		f.Add(store.Invalidf("max_length", "is for texts alone"))
	case d.MaxLength < 0 || d.MaxLength > k.limit:
		f.Add(store.Invalidf("max_length", "must be from 1 to %d", k.limit))
	}
	return f.Err()
}

func (d *Definition) checkOptions(f *store.Faults, k *kind) {
	switch n := len(d.Options); {
	case !k.chosen && n > 0:
		f.Add(store.Invalidf("options", "are for choices alone"))
		return
	case k.chosen && n == 0:
		f.Add(store.Invalidf("options", "must not be empty: there is nothing to choose from"))
	case n > MaxOptions:
		f.Add(store.Invalidf("options", "are %d; at most %d are allowed", n, MaxOptions))
		return
	}
	d.Options = slices.Clone(d.Options)
	names := map[string]bool{}
	for i := range d.Options {
		at := fmt.Sprintf("options[%d]", i)
		d.Options[i] = lineBreaks.Replace(d.Options[i])
		f.Clean(store.CleanName, at, &d.Options[i], store.MaxName)
		if strings.ContainsAny(d.Options[i], separators) {
			f.Add(store.Invalidf(at, "must be one line without ; and |, which stand between several choices"))
		}
		name := store.Searchable(d.Options[i])
		if names[name] && name != "" {
			f.Add(store.Invalidf("options", "name %q twice; take one of the two out", d.Options[i]))
		}
		names[name] = true
	}
}

// Clean converts what was typed, sent or read from a cell to the stored form. Several choices may be on separate lines
// or separated by ; or |. It answers Invalid, for the field key and with words on what to write instead, for an invalid
// or too long value, and for an empty one that is required.
func (d *Definition) Clean(text string) (string, error) {
	k := d.Type.kind()
	value, err := store.CleanText(d.Key, lineBreaks.Replace(text), cmp.Or(d.MaxLength, k.limit, longest))
	if err == nil && value != "" && k.clean != nil {
		value, err = k.clean(d, value)
	}
	if err == nil && d.Required {
		value, err = store.CleanName(d.Key, value, longest)
	}
	if err != nil {
		return "", err
	}
	return value, nil
}

// lineBreaks turns each line break into \n: forms send \r\n, which must not count twice.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// longest is the limit for values without one of their own: all options with separators.
const longest = MaxOptions * (store.MaxName + 2)

// Input returns the form's input for the field.
func (d *Definition) Input() Input {
	k := d.Type.kind()
	in := k.input
	in.Required, in.MaxLength = d.Required, cmp.Or(d.MaxLength, k.limit)
	for _, option := range d.Options {
		in.Options = append(in.Options, Option{option, option})
	}
	return in
}

// Split returns the single values of a stored one: several for Choices, else one or none.
func (d *Definition) Split(value string) []string {
	switch {
	case value == "":
		return nil
	case d.Type == Choices:
		return strings.Split(value, "\n")
	}
	return []string{value}
}

// Cell returns a stored value in the form for a table, which Clean accepts.
func (d *Definition) Cell(value string) string {
	switch {
	case d.Type == Choices:
		return strings.Join(d.Split(value), "; ")
	case d.Type == YesNo && value == Yes:
		return "Yes"
	case d.Type == YesNo && value == No:
		return "No"
	}
	return value
}
