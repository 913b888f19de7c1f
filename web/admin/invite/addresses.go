package invite

import (
	"slices"
	"strings"

	"lectern/models"
)

// Addressee is somebody of a pasted list: as it stands there, and the name and address in that.
type Addressee struct{ Typed, Name, Email string }

// Addressees reads a list as people paste it: addresses with names or without, between commas, semicolons or lines.
// What has no address in it keeps what was typed as its address, which the operation then refuses.
func Addressees(list string) (all []Addressee) {
	for line := range strings.Lines(list) {
		for _, entry := range entries(line) {
			all = append(all, oneEntry(entry)...)
		}
	}
	return all
}

// entries are the parts of a line between its commas and semicolons, but for those within quotes and for the comma of a
// name as lists sort it: "Kowalska, Anna <anna@example.org>".
func entries(line string) (all []string) {
	quoted, sorted, from := false, false, 0
	end := func(at int, comma bool) {
		entry := strings.TrimSpace(line[from:at])
		if sorted && strings.Contains(entry, "<") && !strings.HasPrefix(entry, "<") {
			all[len(all)-1] += ", " + entry
		} else if entry != "" {
			all = append(all, entry)
		}
		from, sorted = at+1, comma && entry != "" && !strings.Contains(entry, "@")
	}
	for at, r := range line {
		switch {
		case r == '"':
			quoted = !quoted && strings.Contains(line[at+1:], `"`)
		case !quoted && (r == ',' || r == ';'):
			end(at, r == ',')
		}
	}
	end(len(line), false)
	return all
}

// oneEntry are those of one entry: a name with an address, or addresses with spaces between.
func oneEntry(entry string) (all []Addressee) {
	words := strings.Fields(entry)
	rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return strings.Contains(word, "@") })
	if len(rest) == len(words) {
		return []Addressee{{Typed: entry, Email: entry}}
	}
	for _, word := range words {
		if !strings.Contains(word, "@") {
			continue
		}
		a := Addressee{Typed: word, Email: strings.TrimPrefix(strings.Trim(word, `<>()"'`), "mailto:")}
		if len(words)-len(rest) == 1 && len(rest) > 0 {
			first, last := models.NamesIn(strings.Trim(strings.Join(rest, " "), `"'()`))
			a.Typed, a.Name = entry, strings.TrimSpace(first+" "+last)
		}
		all = append(all, a)
	}
	return all
}
