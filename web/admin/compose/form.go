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

// composedPart is an abstract in the form of a composition.
type composedPart struct {
	ID      string `json:"id"`
	Token   string `json:"-"`
	Minutes string `json:"minutes"` // as typed
}

// chosenText is a title or description of a composition: from where, and what was typed in place of that.
type chosenText struct{ from, typed string }

// Where a text may come from beside a part, whose id then stands for it.
const (
	fromSession = "session" // the one that is composed into keeps its own
	fromAll     = "all"     // of a description: those of all parts, each under its title
	fromTyped   = "new"
)

// composeForm is what the page of a composition says.
type composeForm struct {
	into, token string // the session and its token, "" of a new one
	was         []composedPart
	parts       []composedPart
	title       chosenText
	description chosenText
	roles       map[string]models.Role // by contact
	find        string                 // what was typed to find submissions, and sessions
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
	if f.do == "" || f.do == "look" { // Enter, in a field of a search or in another one
		f.do = map[bool]string{true: "find", false: "look"}[f.find != ""]
	}
	return f
}

// partsOf reads the parts that a session had as the page was opened.
func partsOf(text string) (parts []composedPart) {
	if json.Unmarshal([]byte(text), &parts) != nil {
		return nil
	}
	return parts
}

func partsText(parts []composedPart) string {
	text, _ := json.Marshal(parts)
	return string(text)
}

// partOf is how a session's part stands in the form.
func partOf(s *models.Session) composedPart {
	p := composedPart{ID: s.ID, Token: s.UpdatedAt.String()}
	if s.PartMinutes != nil {
		p.Minutes = strconv.Itoa(*s.PartMinutes)
	}
	return p
}

// newPart is how an abstract comes into the form: with the minutes of its format.
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

// settle has each text come from where there is one: a part that left has none.
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

// composition is what the form asks for; rows are the abstracts that it names.
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

// modelParts are parts as models takes them.
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

// minutesOf are the minutes that were typed; 0 is none that a part can have.
func minutesOf(text string) int {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= models.MaxPartMinutes {
		return n
	}
	return 0
}

// resolved is the text that is meant; nil is the session's own.
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

// allTexts are the descriptions of parts one after the other, each under its title.
func allTexts(parts []composedPart, rows map[string]*models.Session) string {
	var out []string
	for _, part := range parts {
		if s := rows[part.ID]; s != nil {
			out = append(out, "<h3>"+html.EscapeString(s.Title)+"</h3>", cmp.Or(store.Paragraphs(s.Description), "<p></p>"))
		}
	}
	return strings.Join(out, "\n")
}
