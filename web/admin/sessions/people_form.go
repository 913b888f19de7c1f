package sessions

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/visit"
)

// seated is a person on a record as a form holds them: a contact by id, or a new person.
type seated struct {
	ID      string      `json:"id,omitempty"`
	Role    models.Role `json:"role"`
	Name    string      `json:"name,omitempty"`
	Email   string      `json:"email,omitempty"`
	Company string      `json:"company,omitempty"`
}

// participations converts people to what models take.
func participations(people []seated) []models.Participation {
	out := make([]models.Participation, len(people))
	for i, x := range people {
		out[i] = models.Participation{ContactID: x.ID, Role: x.Role}
		if x.ID == "" {
			out[i].New = &models.NewContact{Email: x.Email, CompanyName: x.Company}
			out[i].New.FirstName, out[i].New.LastName = models.SplitName(x.Name)
		}
	}
	return out
}

func seatedOn(s *models.Session) []seated {
	return store.Map(s.Participants, func(x *models.Participant) seated { return seated{ID: x.ContactID, Role: x.Role} })
}

func peopleText(people []seated) string {
	b, _ := json.Marshal(people)
	return string(b)
}

// peopleOf decodes what peopleText encoded; nil for anything else.
func peopleOf(text string) (people []seated) {
	if json.Unmarshal([]byte(text), &people) != nil {
		return nil
	}
	return people
}

// peopleForm is what a form sends about people: who was there when the page was opened, their roles, the button that
// was pressed, and what was typed.
type peopleForm struct {
	was   []seated
	roles []string
	do    string // add, remove, up, down, back, new, find, roles; "" for Enter, or for the button of the editor's form
	which string // a contact's id, or an index in was
	find  string
	fresh pages.NewPerson
}

func sentPeople(v *visit.Visit) peopleForm {
	f := peopleForm{was: peopleOf(v.FormValue(components.FirstPrefix + "people")), roles: v.Values("role"),
		find:  v.Value("find"),
		fresh: pages.NewPerson{Name: v.Value("new_name"), Email: v.Value("new_email"), Company: v.Value("new_company")}}
	f.do, f.which, _ = strings.Cut(v.Value("do"), ":")
	if f.do == "" && f.fresh != (pages.NewPerson{}) {
		f.do = "new"
	} else if f.do == "" && f.find != "" {
		f.do = "find"
	}
	return f
}

// meant returns the index in was of the person whose button was pressed, -1 for none.
func (f peopleForm) meant() int {
	if i, err := strconv.Atoi(f.which); err == nil && i >= 0 && i < len(f.was) {
		return i
	}
	return -1
}

// rolesToo says that roles were saved along with what else a button did, "" where none were changed.
func (f peopleForm) rolesToo() string {
	for i, was := range f.was {
		if f.do != "roles" && i < len(f.roles) && f.roles[i] != string(was.Role) {
			return " The roles are saved too."
		}
	}
	return ""
}

// apply returns the people after the form's change of those who are there now, who may differ from those that the page
// showed.
func (f peopleForm) apply(now []seated) []seated {
	now, at := f.withRoles(now)
	which := -1
	if i := f.meant(); i >= 0 {
		which = at[i]
	}
	switch f.do {
	case "add":
		if !slices.ContainsFunc(now, func(x seated) bool { return x.ID == f.which }) {
			now = append(now, seated{ID: f.which, Role: models.Speaking})
		}
	case "new":
		now = append(now, seated{Role: models.Speaking, Name: f.fresh.Name, Email: f.fresh.Email, Company: f.fresh.Company})
	case "remove":
		if which >= 0 {
			now = slices.Delete(now, which, which+1)
		}
	case "up", "down":
		to := which + map[string]int{"up": -1, "down": 1}[f.do]
		if which >= 0 && to >= 0 && to < len(now) {
			now[to], now[which] = now[which], now[to]
		}
	}
	return now
}

// withRoles returns people with the form's roles, and the index in now of each person in was, -1 for those who are
// gone.
func (f peopleForm) withRoles(now []seated) ([]seated, []int) {
	now = slices.Clone(now)
	at := make([]int, len(f.was))
	for i, was := range f.was {
		at[i] = slices.IndexFunc(now, func(x seated) bool {
			x.Role = was.Role
			return x == was
		})
		if at[i] >= 0 && i < len(f.roles) && f.roles[i] != string(was.Role) {
			now[at[i]].Role = models.Role(f.roles[i])
		}
	}
	return now, at
}
