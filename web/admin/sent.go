package admin

import (
	"cmp"
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
)

// sent are all fields of the form but its proof and those named, for a page that
// sends it once more.
func (v *visit) sent(but ...string) []components.Fault {
	var fields []components.Fault
	for name, value := range v.Request().PostArgs().All() {
		if n := string(name); n != "_token" && !slices.Contains(but, n) {
			fields = append(fields, components.Fault{Field: n, Message: string(value)})
		}
	}
	return fields
}

// hasSecrets tells of a form that is not sent again by a page, not even hidden.
func (v *visit) hasSecrets() bool {
	return slices.ContainsFunc(v.sent(), func(f components.Fault) bool { return secret(f.Field) })
}

func secret(field string) bool {
	return strings.Contains(field, "password") || strings.Contains(field, "secret") || strings.Contains(field, "code")
}

// technical are fields that nobody types.
var technical = []string{"updated_at", "was", "confirm", "do", "scope", "id", "query", "back", "next", "position"}

// typed are the fields that somebody typed, with their labels, and whether there
// are choices beside them. A question and its answer are one.
func typed(fields []components.Fault) (out []components.Fault, more bool) {
	var questions []string
	for _, f := range fields {
		if f.Field == "answer_key" {
			questions = append(questions, f.Message)
		}
	}
	for _, f := range fields {
		label := components.Label(f.Field)
		if f.Field == "answer_value" && len(questions) > 0 {
			label, questions = cmp.Or(strings.TrimSpace(questions[0]), label), questions[1:]
		}
		switch {
		case secret(f.Field), slices.Contains(technical, f.Field), strings.HasPrefix(f.Field, "was_"), f.Field == "answer_key":
		case strings.TrimSpace(f.Message) == "":
		case areIDs(f.Message), strings.HasPrefix(f.Field, "at-"):
			more = true
		case strings.Contains(f.Message, "</"):
			out = append(out, components.Fault{Field: label, Message: asRead(f.Message)})
		default:
			out = append(out, components.Fault{Field: label, Message: f.Message})
		}
	}
	return out, more
}

// areIDs tells of a choice from a list, or several.
func areIDs(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(s string) bool { return !models.IsID(s) })
}
