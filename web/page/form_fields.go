package page

import (
	"cmp"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
)

// FormValue returns a field of the form's body, never a parameter of the address with the same name, such as the
// filter of a list.
func (v *Visit) FormValue(name string) string {
	if all := v.Values(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Value returns a field of the form without the spaces around it.
func (v *Visit) Value(name string) string { return strings.TrimSpace(v.FormValue(name)) }

// FirstValue returns the value that a field had when its form was opened, which the form sends along
// (components.First).
func (v *Visit) FirstValue(name string) string { return v.Value(components.FirstPrefix + name) }

// Values returns all values of a field that may occur several times.
func (v *Visit) Values(name string) []string {
	var out []string
	for _, b := range v.Request().PostArgs().PeekMulti(name) {
		out = append(out, string(b))
	}
	if form, err := v.MultipartForm(); err == nil {
		out = append(out, form.Value[name]...)
	}
	return out
}

// File returns the file of a form's field; given tells whether one was chosen.
func (v *Visit) File(field string) (u models.Upload, given bool, err error) {
	head, err := v.FormFile(field)
	if err != nil || head.Filename == "" {
		return u, false, nil
	}
	file, err := head.Open()
	if err != nil {
		return u, true, err
	}
	defer file.Close()
	u.Name = head.Filename
	u.Content, err = io.ReadAll(file)
	return u, true, err
}

// FormFields returns all fields of the form except its proof and those named, for a page that offers to send it
// again.
func (v *Visit) FormFields(but ...string) []components.Hidden {
	var fields []components.Hidden
	add := func(name, value string) {
		if name != "_token" && !slices.Contains(but, name) {
			fields = append(fields, components.Hidden{Name: name, Value: value})
		}
	}
	for name, value := range v.Request().PostArgs().All() {
		add(string(name), string(value))
	}
	if form, err := v.MultipartForm(); err == nil {
		for _, name := range slices.Sorted(maps.Keys(form.Value)) {
			for _, value := range form.Value[name] {
				add(name, value)
			}
		}
	}
	return fields
}

// HasSecrets tells whether the form holds a secret, such as a password: no page sends it again then, not even
// hidden.
func (v *Visit) HasSecrets() bool {
	return slices.ContainsFunc(v.FormFields(), func(f components.Hidden) bool { return isSecret(f.Name) })
}

func isSecret(field string) bool {
	return strings.Contains(field, "password") || strings.Contains(field, "secret") || strings.Contains(field, "code")
}

// technical are fields that nobody types.
var technical = []string{"updated_at", "confirm", "do", "scope", "id", "query", "back", "next", "position",
	"on", "role", "people", "person", "invite_role", "remind", "remove", "remove_file",
	"part", "can", "also", "here"}

// typed returns the fields that somebody typed, with their labels; more tells whether there are choices beside
// them. An answer carries its question as the label.
func typed(fields []components.Hidden, labels map[string]string) (out []layouts.Typed, more bool) {
	var questions []string
	for _, f := range fields {
		if f.Name == "answer_key" {
			questions = append(questions, f.Value)
		}
	}
	for _, f := range fields {
		label := cmp.Or(labels[f.Name], components.Label(f.Name))
		if f.Name == "answer_value" && len(questions) > 0 {
			label, questions = cmp.Or(strings.TrimSpace(questions[0]), label), questions[1:]
		}
		switch {
		case isSecret(f.Name), slices.Contains(technical, f.Name), strings.HasPrefix(f.Name, components.FirstPrefix),
			f.Name == "answer_key":
		case strings.TrimSpace(f.Value) == "":
		case areIDs(f.Value), strings.HasPrefix(f.Name, "at-"):
			more = true
		case strings.Contains(f.Value, "</"):
			out = append(out, layouts.Typed{Label: label, Text: Lines(f.Value)})
		default:
			out = append(out, layouts.Typed{Label: label, Text: f.Value})
		}
	}
	return out, more
}

// areIDs tells whether a value is one or several ids, chosen from a list.
func areIDs(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(s string) bool { return !store.IsID(s) })
}

// Lines returns a rich text line by line, without its markup.
func Lines(text string) string {
	var lines []string
	for _, line := range lineEnds.Split(store.Paragraphs(text), -1) {
		if line = store.PlainText(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

var lineEnds = regexp.MustCompile(`(?i)</(?:p|li|h[1-6]|div|blockquote|pre|tr)>|<br\s*/?>`)
