package pretalx

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// row is a submission as both sides tell of it.
type row struct {
	Title, State, Track, Format, Text     string
	Tags, People, Slots, Answers, Reviews []string
}

// person is somebody as both sides tell of them.
type person struct {
	Name, About string
	Answers     []string
}

// there is what fill.py counts.
type there struct {
	Submissions []row
	People      []person
	Labels      []string // with what is said of them, and what is asked
	Photos      int
	Away        int
	Reviews     int
	Sessions    int
	Breaks      []string
}

// theirs is what the pretalx has.
func (m *move) theirs() (t there) {
	m.t.Helper()
	said := strings.TrimSpace(m.fill("count"))
	m.check(json.Unmarshal([]byte(said[strings.LastIndex(said, "\n")+1:]), &t)) // below a warning to root
	t.tidy()
	return t
}

// tidy brings all into one order.
func (t *there) tidy() {
	lists := []*[]string{&t.Labels, &t.Breaks}
	for i := range t.Submissions {
		r := &t.Submissions[i]
		lists = append(lists, &r.Tags, &r.People, &r.Slots, &r.Answers, &r.Reviews)
	}
	for i := range t.People {
		lists = append(lists, &t.People[i].Answers)
	}
	for _, list := range lists {
		slices.Sort(*list)
		*list = append([]string{}, *list...)
	}
	slices.SortFunc(t.Submissions, func(a, b row) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	slices.SortFunc(t.People, func(a, b person) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

// count is a number of the event's rows.
func (m *move) count(what string) int {
	m.t.Helper()
	return modelstest.Must(strconv.Atoi(m.found("SELECT count(*) FROM " + what)[0]))(m.t)
}

// ours is what the event has. It is asked of the API, but for what no API tells.
func (m *move) ours() (t there) {
	m.t.Helper()
	for _, s := range m.search(false) {
		if s["starts_at"] != nil && s["room"] != nil {
			t.Sessions++
		}
	}
	asked := m.questions()
	for _, s := range m.search(true) {
		id := s["id"].(string)
		r := row{Title: s["title"].(string), State: s["status"].(string), Track: name(s["track"]), Format: name(s["format"]),
			Text: words(s["description"]), Slots: m.slotsOf(id), Reviews: m.opinions(id)}
		for _, tag := range s["tags"].([]any) {
			r.Tags = append(r.Tags, name(tag))
		}
		for _, x := range s["participants"].([]any) {
			r.People = append(r.People, x.(map[string]any)["full_name"].(string))
		}
		for _, a := range s["custom_fields"].([]any) {
			if a := a.(map[string]any); !slices.Contains(facts, a["key"].(string)) {
				r.Answers = append(r.Answers, asked[a["key"].(string)]+": "+a["value"].(string))
			}
		}
		t.Submissions = append(t.Submissions, r)
	}
	t.People, t.Labels, t.Breaks = m.people(), m.labels(), m.breaks()
	t.Photos, t.Away = m.count("contacts WHERE photo_key <> ''"), m.count("event_contacts WHERE away <> ''")
	t.Reviews = m.count("reviews")
	t.tidy()
	return t
}

// facts are the keys of answers that hold what pretalx has a field for.
var facts = []string{"notes", "internal_notes", "language", "minutes", "not_recorded", "featured"}

func name(of any) string {
	if of == nil {
		return ""
	}
	return of.(map[string]any)["name"].(string)
}

// search are all sessions of a kind.
func (m *move) search(abstract bool) (rows []map[string]any) {
	m.t.Helper()
	for page := 1; ; page++ {
		found := m.site.Ok(m.key, "POST", m.path+"/sessions/search",
			fmt.Sprintf(`{"filters": {"is_abstract": %t}, "pageSize": 100, "page": %d}`, abstract, page))
		for _, r := range found["results"].([]any) {
			rows = append(rows, r.(map[string]any))
		}
		if len(rows) >= Total(found) {
			return rows
		}
	}
}

// same finds both sides equal.
func (m *move) same() {
	m.t.Helper()
	m.site.Run("verify")
	theirs, ours := m.theirs(), m.ours()
	for i := range max(len(theirs.Submissions), len(ours.Submissions)) {
		if i >= len(theirs.Submissions) || i >= len(ours.Submissions) ||
			fmt.Sprint(theirs.Submissions[i]) != fmt.Sprint(ours.Submissions[i]) {
			m.t.Fatalf("%d and %d submissions; there\n%+v\nhere\n%+v", len(theirs.Submissions), len(ours.Submissions),
				theirs.Submissions[min(i, len(theirs.Submissions)-1)], ours.Submissions[min(i, len(ours.Submissions)-1)])
		}
	}
	theirs.Submissions, ours.Submissions = nil, nil
	if a, b := fmt.Sprintf("%+v", theirs), fmt.Sprintf("%+v", ours); a != b {
		m.t.Errorf("there\n%s\nhere\n%s", a, b)
	}
}
