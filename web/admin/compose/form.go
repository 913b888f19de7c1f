package compose

import (
	"cmp"
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/admin/visit"
)

// composedPart is an abstract in the form.
type composedPart struct {
	ID      string `json:"id"`
	Token   string `json:"-"`
	Minutes string `json:"minutes"` // as typed
}

// chosenText is the choice of a title or description: where it comes from, and what was typed as a new one.
type chosenText struct{ from, typed string }

// The sources of a text besides a part, for which its id stands.
const (
	fromSession = "session" // the session keeps its own
	fromAll     = "all"     // the descriptions of all parts, each under its title
	fromTyped   = "new"
)

// composeForm is the form of a composition.
type composeForm struct {
	into, token string // the session's id and token, "" for a new one
	was         []composedPart
	parts       []composedPart
	title       chosenText
	description chosenText
	roles       map[string]models.Role // by contact id
	find        string                 // what was typed to search for submissions
	findInto    string
	do, which   string // the button: compose, look, find, find-into, add, remove, up, down, into
}

func sentComposition(v *visit.Visit) composeForm {
	f := composeForm{into: v.Value("into"), token: v.Value("updated_at"), was: partsOf(v.FirstValue("parts")),
		title:       chosenText{v.Value("title_from"), v.Value("title")},
		description: chosenText{v.Value("description_from"), strings.ReplaceAll(v.FormValue("description"), "\r\n", "\n")},
		find:        v.Value("find"), findInto: v.Value("find_into"), roles: map[string]models.Role{},
	}
	ids, tokens, minutes := v.Values("part"), v.Values("part_token"), v.Values("minutes")
	for i := range min(len(ids), len(tokens), len(minutes)) {
		f.parts = append(f.parts, composedPart{ids[i], tokens[i], strings.TrimSpace(minutes[i])})
	}
	people, roles := v.Values("person"), v.Values("role")
	for i := range min(len(people), len(roles)) {
		f.roles[people[i]] = models.Role(roles[i])
	}
	f.do, f.which, _ = strings.Cut(v.Value("do"), ":")
	if f.do == "" || f.do == "look" { // Enter, in the search or in another field
		f.do = map[bool]string{true: "find", false: "look"}[f.find != ""]
	}
	return f
}

// partsOf reads the parts that the session had when the page was opened.
func partsOf(text string) (parts []composedPart) {
	if json.Unmarshal([]byte(text), &parts) != nil {
		return nil
	}
	return parts
}

// partOf returns a session's present part as the form holds it.
func partOf(s *models.Session) composedPart {
	return composedPart{s.ID, s.UpdatedAt.String(), visit.WholeText(s.PartMinutes)}
}

// newPart returns an abstract as a new part, with the minutes of its format.
func newPart(s *models.Session) composedPart {
	p := composedPart{ID: s.ID, Token: s.UpdatedAt.String()}
	if s.Format != nil && s.Format.DefaultMinutes != nil && *s.Format.DefaultMinutes <= models.MaxPartMinutes {
		p.Minutes = strconv.Itoa(*s.Format.DefaultMinutes)
	}
	return p
}

func (f *composeForm) has(id string) bool { return indexOfPart(f.parts, id) >= 0 }

func indexOfPart(parts []composedPart, id string) int {
	return slices.IndexFunc(parts, func(p composedPart) bool { return p.ID == id })
}

// move does what a button beside a part says.
func (f *composeForm) move() {
	at := indexOfPart(f.parts, f.which)
	if at < 0 {
		return
	}
	switch to := at + map[string]int{"up": -1, "down": 1}[f.do]; {
	case f.do == "remove":
		f.parts = slices.Delete(f.parts, at, at+1)
	case to >= 0 && to < len(f.parts):
		f.parts[at], f.parts[to] = f.parts[to], f.parts[at]
	}
}

// settle gives a text another source where its source left the form.
func (f *composeForm) settle() {
	first := fromTyped
	if len(f.parts) > 0 {
		first = f.parts[0].ID
	}
	if f.into != "" {
		first = fromSession
	}
	for _, text := range []*chosenText{&f.title, &f.description} {
		known := text.from == fromTyped || f.has(text.from) || text.from == fromSession && f.into != "" ||
			text.from == fromAll && text == &f.description && len(f.parts) > 1
		if !known {
			text.from = first
		}
	}
}

// composition turns the form into a composition; rows are the abstracts that it names.
func (f *composeForm) composition(rows map[string]*models.Session) (c models.Composition, faults components.Faults) {
	c.Into, c.Roles = f.into, f.roles
	if f.into != "" {
		token, err := store.ParseTime(f.token)
		if err != nil {
			faults = append(faults, components.Fault{Field: "updated_at", Message: "is damaged; reload the page"})
		}
		c.UpdatedAt = &token
		c.Was, _ = modelParts(f.was)
	}
	var wrong components.Faults
	c.Parts, wrong = modelParts(f.parts)
	c.Title, c.Description = f.title.resolved(rows, f, "title"), f.description.resolved(rows, f, "description")
	return c, append(faults, wrong...)
}

// modelParts converts parts to what models take.
func modelParts(parts []composedPart) (out []models.Part, faults components.Faults) {
	for _, part := range parts {
		p := models.Part{AbstractID: part.ID}
		if token, err := store.ParseTime(part.Token); err == nil {
			p.UpdatedAt = &token
		}
		if part.Minutes != "" {
			n := minutesOf(part.Minutes)
			if n == 0 {
				faults = components.Faults{{Field: "parts", Message: "need whole minutes, 1 to " +
					strconv.Itoa(models.MaxPartMinutes) + ", or none: “" + visit.Cut(part.Minutes) + "” is neither"}}
				continue
			}
			p.Minutes = &n
		}
		out = append(out, p)
	}
	return out, faults
}

// minutesOf reads typed minutes; 0 is invalid.
func minutesOf(text string) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= models.MaxPartMinutes {
		return n
	}
	return 0
}

// resolved returns the chosen text, nil for the session's own.
func (t chosenText) resolved(rows map[string]*models.Session, f *composeForm, field string) *string {
	switch s := rows[t.from]; {
	case t.from == fromSession:
		return nil
	case t.from == fromAll:
		return new(allTexts(f.parts, rows))
	case s != nil && field == "title":
		return &s.Title
	case s != nil:
		return &s.Description
	case field == "description":
		return new(store.Paragraphs(t.typed))
	}
	return new(t.typed)
}

// allTexts joins the descriptions of parts, each under its title.
func allTexts(parts []composedPart, rows map[string]*models.Session) string {
	var out []string
	for _, part := range parts {
		if s := rows[part.ID]; s != nil {
			out = append(out, "<h3>"+html.EscapeString(s.Title)+"</h3>", cmp.Or(store.Paragraphs(s.Description), "<p></p>"))
		}
	}
	return strings.Join(out, "\n")
}
