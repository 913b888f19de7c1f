package models

import (
	"slices"
	"strings"
	"unicode"

	"lectern/models/field"
	"lectern/models/store"
)

// Person is a contact as staff see them: what all events share and what belongs to one.
type Person struct {
	Contact
	Own     map[string]string // the values of own fields, by their keys
	Answers map[string]string // to what the event of the handle asks of each speaker, by the ids of the questions
	Files   map[string]*File  // of them, those that are files, by their ids
	IsGuest bool              // of whom the handle knows no phone, own fields or files; see EventContact.GuestSince
	Here    *EventContact     // at the event of the handle; nil for who is not there, and without an event
	Tags    []string          // ids, at that event
}

// ContactField is one field of a person. The table of them, followed by the organization's own fields, drives saving,
// rules, activity, forms, conflicts, lists, export and import.
type ContactField struct {
	field.Definition             // its key is its name
	Part             ContactPart // which form it is edited in
	IsOwn            bool        // defined by the organization
	IsOpen           bool        // of an own one or an answer: not for organizers alone
	IsMoment         bool        // kept in UTC, shown by the clocks of the event

	Set func(*Person, string) // gives somebody a value that is clean

	get   func(*Person) string
	clean func(name, text string) (string, error) // nil where the definition says it all
	input func(*NewContact) *string               // nil where nobody is made with it
}

// ContactPart groups fields that are edited together.
type ContactPart string

const (
	Profile   ContactPart = "profile" // of the organization, as are own fields
	Workflow  ContactPart = "workflow"
	Tagging   ContactPart = "tags"
	Travel    ContactPart = "travel"
	Available ContactPart = "availability"
	Answered  ContactPart = "answers" // to what the call asks of each speaker; package cfp changes them
)

// OfEvent reports whether the part belongs to one event.
func (p ContactPart) OfEvent() bool { return p != Profile }

// IsConfidential reports whether only organizers read the field: hotel, travel, needs, phone, and own fields and
// answers unless they say otherwise. Directories apply it in one place; see AsViewer.
func (f *ContactField) IsConfidential() bool {
	return f.Part == Travel || f.Key == "phone" || (f.IsOwn || f.Part == Answered) && !f.IsOpen
}

// File is the person's file in this field, nil without one.
func (f *ContactField) File(p *Person) *File {
	if f.Type != field.File {
		return nil
	}
	return p.Files[f.get(p)]
}

// Value is the stored form of the person's value, "" for none. Tags are ids on lines of their own, a file is its id.
func (f *ContactField) Value(p *Person) string { return f.get(p) }

// The statuses of people at an event; "" has not been asked yet.
const (
	Prospect        = "prospect"
	Invited         = "invited"
	Confirmed       = "confirmed"
	StatusDeclined  = "declined"
	StatusWithdrawn = "withdrawn"
)

// WorkflowStatuses are all of them, in their usual order.
var WorkflowStatuses = []string{Prospect, Invited, Confirmed, StatusDeclined, StatusWithdrawn}

// ContactFields are the fields of every person, in the order of pages.
var ContactFields = []*ContactField{
	profile("first_name", "First name", field.Text, 0, func(c *Contact) *string { return &c.FirstName },
		func(n *NewContact) *string { return &n.FirstName }),
	profile("last_name", "Last name", field.Text, 0, func(c *Contact) *string { return &c.LastName },
		func(n *NewContact) *string { return &n.LastName }),
	profile("sort_name", "Sorted under", field.Text, 0, func(c *Contact) *string { return &c.SortName }, nil),
	cleaned(profile("email", "E-mail", field.Text, maxEmail, func(c *Contact) *string { return &c.Email },
		func(n *NewContact) *string { return &n.Email }), cleanContactEmail),
	profile("company_name", "Company", field.Text, 0, func(c *Contact) *string { return &c.CompanyName },
		func(n *NewContact) *string { return &n.CompanyName }),
	profile("job_title", "Job title", field.Text, 0, func(c *Contact) *string { return &c.JobTitle },
		func(n *NewContact) *string { return &n.JobTitle }),
	profile("phone", "Phone", field.Text, 50, func(c *Contact) *string { return &c.Phone },
		func(n *NewContact) *string { return &n.Phone }),
	profile("website_url", "Website", field.URL, 0, func(c *Contact) *string { return &c.WebsiteURL },
		func(n *NewContact) *string { return &n.WebsiteURL }),
	profile("linkedin_url", "LinkedIn", field.URL, 0, func(c *Contact) *string { return &c.LinkedinURL },
		func(n *NewContact) *string { return &n.LinkedinURL }),
	cleaned(profile("about", "Biography", field.LongText, 0, func(c *Contact) *string { return &c.About },
		func(n *NewContact) *string { return &n.About }), cleanContactAbout),

	chosen(here(Workflow, "workflow_status", "Status", field.Choice,
		func(c *EventContact) *string { return &c.WorkflowStatus }), WorkflowStatuses),
	{Definition: field.Definition{Key: "tags", Label: "Tags", Type: field.Choices}, Part: Tagging,
		get: func(p *Person) string { return strings.Join(p.Tags, "\n") },
		Set: func(p *Person, text string) { p.Tags = store.Lines(text) }, clean: cleanContactTags},
	moment(Travel, "arrival", "Arrival", func(c *EventContact) **store.Time { return &c.Arrival }),
	here(Travel, "arrival_details", "Arrival details", field.Text,
		func(c *EventContact) *string { return &c.ArrivalDetails }),
	moment(Travel, "departure", "Departure", func(c *EventContact) **store.Time { return &c.Departure }),
	here(Travel, "departure_details", "Departure details", field.Text,
		func(c *EventContact) *string { return &c.DepartureDetails }),
	here(Travel, "hotel", "Hotel", field.Text, func(c *EventContact) *string { return &c.Hotel }),
	here(Travel, "dietary", "Dietary needs", field.Text, func(c *EventContact) *string { return &c.Dietary }),
	here(Travel, "access", "Access needs", field.Text, func(c *EventContact) *string { return &c.Access }),
	asked(here(Travel, "travel_notes", "Travel notes", field.LongText,
		func(c *EventContact) *string { return &c.TravelNotes }), func(n *NewContact) *string { return &n.TravelNotes }),
	asked(here(Travel, "logistics_notes", "Logistics notes", field.LongText,
		func(c *EventContact) *string { return &c.LogisticsNotes }), func(n *NewContact) *string { return &n.LogisticsNotes }),
	cleaned(here(Available, "away", "Away", field.LongText, func(c *EventContact) *string { return &c.Away }), cleanAbsences),
	here(Available, "availability", "Availability", field.LongText,
		func(c *EventContact) *string { return &c.Availability }),
}

// ContactFieldNamed returns the field of a name, which must exist.
func ContactFieldNamed(name string) *ContactField {
	return ContactFields[slices.IndexFunc(ContactFields, func(f *ContactField) bool { return f.Key == name })]
}

// profile declares a field of the contact's own row.
func profile(name, label string, kind field.Type, limit int, at func(*Contact) *string,
	input func(*NewContact) *string) *ContactField {
	return &ContactField{
		Definition: field.Definition{Key: name, Label: label, Type: kind, MaxLength: limit}, Part: Profile, input: input,
		get: func(p *Person) string { return *at(&p.Contact) },
		Set: func(p *Person, text string) { *at(&p.Contact) = text },
	}
}

// here declares a field of the contact's row for an event.
func here(part ContactPart, name, label string, kind field.Type, at func(*EventContact) *string) *ContactField {
	return &ContactField{
		Definition: field.Definition{Key: name, Label: label, Type: kind}, Part: part,
		get: func(p *Person) string {
			if p.Here == nil {
				return ""
			}
			return *at(p.Here)
		},
		Set: func(p *Person, text string) { *at(p.Here) = text },
	}
}

// own declares a field that the organization defines.
func own(d field.Definition) *ContactField {
	return &ContactField{Definition: d, Part: Profile, IsOwn: true,
		get: func(p *Person) string { return p.Own[d.Key] },
		Set: func(p *Person, text string) { p.Own[d.Key] = text },
	}
}

// cleaned adds a rule to a field.
func cleaned(f *ContactField, clean func(name, text string) (string, error)) *ContactField {
	f.clean = clean
	return f
}

// asked makes a field part of NewContact.
func asked(f *ContactField, input func(*NewContact) *string) *ContactField {
	f.input = input
	return f
}

// chosen adds options to a field.
func chosen(f *ContactField, options []string) *ContactField {
	f.Options = options
	return f
}

// Clean returns the stored form of a text. It answers Invalid, by the field's key, for what breaks its rule.
func (f *ContactField) Clean(text string) (string, error) {
	if f.clean != nil {
		return f.clean(f.Key, text)
	}
	return f.Definition.Clean(text)
}

// maxEmail is how many characters an address has at most.
const maxEmail = 254

func cleanContactEmail(name, text string) (string, error) {
	text, err := store.CleanText(name, text, maxEmail)
	if err == nil && text != "" && !store.IsEmail(text) {
		err = store.Invalidf(name, "must be an address such as ana@example.org")
	}
	return text, err
}

func cleanContactAbout(name, text string) (string, error) {
	return store.CleanHTML(name, text, store.MaxDescription)
}

// cleanContactTags parses ids on lines of their own. Whether the event has these tags is checked on saving.
func cleanContactTags(name, text string) (string, error) {
	ids := store.Lines(text)
	if len(ids) > store.MaxTags || slices.ContainsFunc(ids, func(id string) bool { return !store.IsID(id) }) {
		return "", store.Invalidf(name, "must be at most %d tags of the event", store.MaxTags)
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), "\n"), nil
}

// SortedUnder is what they are sorted under in lists for everybody: as they said, or the last name before the first.
// Particles that a last name begins with come last, "Berg, Anna van der"; one with a capital belongs to the name,
// "Van Damme, Anna". A name in Chinese, Japanese or Korean characters stands as it is written: family name first.
func (c *Contact) SortedUnder() string {
	switch {
	case c.SortName != "":
		return c.SortName
	case c.LastName == "" || c.FirstName == "" || startsWith(c.FullName, familyNameFirst):
		return c.FullName
	}
	before, name := particles(c.LastName)
	return strings.TrimSpace(name + ", " + c.FirstName + " " + before)
}

// particles splits a last name into the words in lower case that it begins with and the rest, which has a capital.
func particles(last string) (before, name string) {
	words := strings.Fields(last)
	for i, word := range words {
		switch {
		case startsWith(word, unicode.IsUpper):
			return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		case !startsWith(word, unicode.IsLower): // a script that knows neither
			return "", last
		}
	}
	return "", last
}

// startsWith reports whether the first letter of a text is of a kind.
func startsWith(text string, is func(rune) bool) bool {
	at := strings.IndexFunc(text, unicode.IsLetter)
	if at < 0 {
		return false
	}
	for _, r := range text[at:] {
		return is(r)
	}
	return false
}

// familyNameFirst reports characters in which names are written with the family name first.
func familyNameFirst(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
