package components

import (
	"cmp"
	"context"
	"strings"

	"github.com/a-h/templ"

	"lectern/views/words"
)

// described returns the attributes that tie a field to its hint and its fault.
func described(f Field) templ.Attributes {
	attributes := templ.Attributes{}
	var ids []string
	if f.Hint != "" {
		ids = append(ids, f.Name+"-hint")
	}
	if f.Fault != "" {
		ids = append(ids, f.Name+"-fault")
		attributes["aria-invalid"] = "true"
	}
	if len(ids) > 0 {
		attributes["aria-describedby"] = strings.Join(ids, " ")
	}
	return attributes
}

// input returns the attributes of an input that other fields do not have, and those of described.
func input(f Field) templ.Attributes {
	attributes := described(f)
	for _, a := range [][2]string{{"autocomplete", f.Autocomplete}, {"inputmode", f.InputMode}, {"list", f.List},
		{"placeholder", f.Placeholder}, {"data-does", f.Data}} {
		if name, value := a[0], a[1]; value != "" {
			attributes[name] = value
		}
	}
	if f.Type == "" || f.Type == "text" {
		attributes["dir"] = "auto"
	}
	return attributes
}

// fieldNames are the names for people of the fields whose API name would not do.
var fieldNames = map[string]string{
	"new_name": "name", "new_email": "e-mail", "new_company": "company",
	"cfp_opens_at": "the opening", "cfp_closes_at": "the closing", "starts_on": "the first day", "ends_on": "the last day",
	"starts_at": "the start", "ends_at": "the end", "default_minutes": "the number of minutes", "wanted": "the number of sessions wanted",
	"timezone": "the time zone", "track_id": "the track", "room_id": "the room", "format_id": "the format",
	"level_id": "the level", "tag_ids": "the tags", "custom_fields": "the answers", "slug": "the short name",
	"closes_at": "the closing", "opens_at": "the opening", "limit": "the number for each reviewer",
	"each": "the number of reviewers", "until": "the moment",
	"url": "the address", "color": "the colour", "body": "the letter", "code": "the code", "expires": "the expiry", "email": "the e-mail address",
}

// fieldWords replaces the API names of fields and statuses within messages.
var fieldWords = strings.NewReplacer(
	"a starts_at", "a start", "starts_at", "the start", "ends_at", "the end", "starts_on", "the first day",
	"ends_on", "the last day", "cfp_opens_at", "the opening", "cfp_closes_at", "the closing",
	"accept_queue", "accept queue", "decline_queue", "decline queue",
)

// Label returns a field's name as a person reads it.
func Label(field string) string { return strings.TrimSuffix(Sentence(Fault{Field: field}), ".") }

// Translated returns a rule's message in the language of the page, in English where the catalogue lacks it.
func Translated(ctx context.Context, message string) string {
	said, _ := words.In(ctx).Fault(message)
	return said
}

// EnglishIfMissing returns lang="en" for a message that the catalogue lacks, as it is shown in English.
func EnglishIfMissing(ctx context.Context, message string) templ.Attributes {
	if _, known := words.In(ctx).Fault(message); !known {
		return templ.Attributes{"lang": "en"}
	}
	return nil
}

// nameOf returns what to call a field that has no label.
func nameOf(ctx context.Context, field string) string {
	if l := words.In(ctx); l != words.English() {
		if id := "field." + field; l.T("field."+field) != id {
			return l.T("field." + field)
		}
	}
	return cmp.Or(fieldNames[field], strings.ReplaceAll(field, "_", " "))
}

// Sentence returns a fault as a person reads it: "title is required" becomes "Title is required."
func Sentence(f Fault) string { return SentenceIn(context.Background(), f) }

// SentenceIn is Sentence in the language of a page.
func SentenceIn(ctx context.Context, f Fault) string {
	said := strings.TrimSpace(cmp.Or(f.Label, nameOf(ctx, f.Field)) + " " + fieldWords.Replace(Translated(ctx, f.Message)))
	if said == "" {
		return ""
	}
	first := []rune(said)
	said = strings.ToUpper(string(first[0])) + string(first[1:])
	if !strings.HasSuffix(said, ".") && !strings.HasSuffix(said, "?") {
		said += "."
	}
	return said
}

// Current is the attribute that tells which of several links or steps is the present one, "page", "step" or "true";
// none for the others.
func Current(what string, is bool) templ.Attributes {
	if !is {
		return nil
	}
	return templ.Attributes{"aria-current": what}
}

// Either returns one text if something is so, else the other.
func Either(is bool, one, other string) string {
	if is {
		return one
	}
	return other
}
