package models

import (
	"slices"
	"strings"
	"unicode"

	"lectern/models/field"
	"lectern/models/store"
)

// Person is a contact as staff see them, with what all events share and what belongs to one event.
type Person struct {
	Contact
	Own     map[string]string // values of own fields, by key
	Answers map[string]string // answers to what the handle's event asks of each speaker, by question id
	Files   map[string]*File  // the files among these values and answers, by file id
	IsGuest bool              // the handle hides their phone, own fields and files; see EventContact.GuestSince
	Here    *EventContact     // their row for the handle's event; nil without an event, or for who is not there
	Tags    []string          // ids of their tags at that event
}

// ContactField is one field of a person. The table ContactFields, followed by the organization's own fields, drives
// saving, rules, activity, forms, conflicts, lists, export and import.
type ContactField struct {
	field.Definition             // its key is its name
	Part             ContactPart // which form it is edited in
	IsOwn            bool        // defined by the organization
	IsOpen           bool        // readers other than organizers see an own field or an answer
	IsMoment         bool        // kept in UTC, shown by the event's clock

	Set func(*Person, string) // stores a clean value

	get   func(*Person) string
	clean func(name, text string) (string, error) // nil if the definition holds all rules
	input func(*NewContact) *string               // nil if NewContact has no such field
}

// ContactPart groups fields that are edited together.
type ContactPart string

const (
	Profile   ContactPart = "profile" // the organization's, like own fields
	Workflow  ContactPart = "workflow"
	Tagging   ContactPart = "tags"
	Travel    ContactPart = "travel"
	Available ContactPart = "availability"
	Answered  ContactPart = "answers" // to the call's questions for each speaker; package cfp changes them
)

// OfEvent reports whether the part belongs to one event.
func (p ContactPart) OfEvent() bool { return p != Profile }

// IsConfidential reports whether only organizers read the field: travel with hotel and needs, phone, and own fields
// and answers unless they are open. Directories apply it in one place; see AsViewer.
func (f *ContactField) IsConfidential() bool {
	return f.Part == Travel || f.Key == "phone" || (f.IsOwn || f.Part == Answered) && !f.IsOpen
}

// File returns the person's file in this field, or nil.
func (f *ContactField) File(p *Person) *File {
	if f.Type != field.File {
		return nil
	}
	return p.Files[f.get(p)]
}

// Value returns the stored form of the person's value, "" for none. Tags are ids on lines of their own, a file is its
// id.
func (f *ContactField) Value(p *Person) string { return f.get(p) }

// These are the statuses of people at an event; "" means not asked yet.
const (
	Prospect        = "prospect"
	Invited         = "invited"
	Confirmed       = "confirmed"
	StatusDeclined  = "declined"
	StatusWithdrawn = "withdrawn"
)

// WorkflowStatuses lists the statuses of people at an event in their usual order.
var WorkflowStatuses = []string{Prospect, Invited, Confirmed, StatusDeclined, StatusWithdrawn}

// ContactFields are the fields of every person, in the order in which pages show them.
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

// ContactFieldNamed returns the field with this name, which must exist.
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

// Clean returns the stored form of a text. If the text breaks the field's rule, it answers Invalid, by the field's
// key.
func (f *ContactField) Clean(text string) (string, error) {
	if f.clean != nil {
		return f.clean(f.Key, text)
	}
	return f.Definition.Clean(text)
}

// maxEmail is the greatest length of an address, in characters.
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

// cleanContactTags parses tag ids on lines of their own. Whether the event has these tags is checked on saving.
func cleanContactTags(name, text string) (string, error) {
	ids := store.Lines(text)
	if len(ids) > store.MaxTags || slices.ContainsFunc(ids, func(id string) bool { return !store.IsID(id) }) {
		return "", store.Invalidf(name, "must be at most %d tags of the event", store.MaxTags)
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), "\n"), nil
}

// SortedUnder returns what public lists sort the person under: what they said, or the last name before the first.
// Particles at the start of a last name move to the end, "Berg, Anna van der"; one with a capital belongs to the
// name, "Van Damme, Anna". A name in Chinese, Japanese or Korean characters stays as written: family name first.
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

// particles splits a last name into its leading words in lower case and the rest, which begins with a capital.
func particles(last string) (before, name string) {
	words := strings.Fields(last)
	for i, word := range words {
		switch {
		case startsWith(word, unicode.IsUpper):
			return strings.Join(words[:i], " "), strings.Join(words[i:], " ")
		case !startsWith(word, unicode.IsLower): // a script without capitals
			return "", last
		}
	}
	return "", last
}

// startsWith reports whether is holds for the first letter of a text.
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

// familyNameFirst reports whether names in such characters are written with the family name first.
func familyNameFirst(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
