package invite

import (
	"slices"
	"strings"

	"lectern/models"
)

// Addressee is a person of a pasted list: the text as typed, and the name and address in it.
type Addressee struct{ Typed, Name, Email string }

// Addressees reads a pasted list: addresses with or without names, separated by commas, semicolons or lines. An entry
// without an address becomes an address as typed, which the operation then refuses.
func Addressees(list string) (all []Addressee) {
	for line := range strings.Lines(list) {
		for _, entry := range entries(line) {
			all = append(all, oneEntry(entry)...)
		}
	}
	return all
}

// entries splits a line at its commas and semicolons, except within quotes and at the comma of a sorted name:
// "Kowalska, Anna <anna@example.org>".
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

// oneEntry reads one entry: a name with an address, or addresses separated by spaces.
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
