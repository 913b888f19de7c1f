package site

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"lectern/models/site"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/site"
)

// kind is one of the values that sessions can be filtered by.
type kind struct {
	name string // parameter in the address
	of   func(*site.Session) []string
	all  func(*site.Agenda) []site.Label // all values, in order
}

func one(id *string) []string {
	if id == nil {
		return nil
	}
	return []string{*id}
}

var kinds = []kind{
	{"track", func(s *site.Session) []string { return one(s.TrackID) },
		func(a *site.Agenda) (all []site.Label) {
			for _, t := range a.Tracks {
				all = append(all, site.Label{ID: t.ID, Name: t.Name})
			}
			return all
		}},
	{"room", func(s *site.Session) []string { return one(s.RoomID) },
		func(a *site.Agenda) (all []site.Label) {
			for _, r := range a.Rooms {
				all = append(all, site.Label{ID: r.ID, Name: r.Name})
			}
			return all
		}},
	{"format", func(s *site.Session) []string { return one(s.FormatID) },
		func(a *site.Agenda) []site.Label { return a.Formats }},
	{"level", func(s *site.Session) []string { return one(s.LevelID) },
		func(a *site.Agenda) []site.Label { return a.Levels }},
	{"tag", func(s *site.Session) []string { return s.TagIDs },
		func(a *site.Agenda) []site.Label { return a.Tags }},
}

// narrowed holds the filters of an address. An id that nothing has matches no session.
type narrowed struct {
	text  string
	words []string            // folded; a session must have all of them
	of    map[string][]string // ids by kind
}

func narrow(query url.Values) narrowed {
	n := narrowed{text: query.Get("q"), of: map[string][]string{}}
	n.words = strings.Fields(store.Searchable(n.text))
	for _, k := range kinds {
		if ids := query[k.name]; len(ids) > 0 {
			n.of[k.name] = ids
		}
	}
	return n
}

func (n narrowed) isEmpty() bool { return len(n.words) == 0 && len(n.of) == 0 }

// passes tells whether a session passes the filters of all kinds except one.
func (n narrowed) passes(s *site.Session, except string) bool {
	for _, k := range kinds {
		chosen := n.of[k.name]
		if len(chosen) > 0 && k.name != except &&
			!slices.ContainsFunc(k.of(s), func(id string) bool { return slices.Contains(chosen, id) }) {
			return false
		}
	}
	if len(n.words) == 0 {
		return true
	}
	texts := []string{s.Title}
	for _, person := range s.People {
		texts = append(texts, person.Name)
	}
	folded := store.Searchable(texts...)
	return !slices.ContainsFunc(n.words, func(word string) bool { return !strings.Contains(folded, word) })
}

// left returns the sessions that pass.
func (n narrowed) left(all []*site.Session) (left []*site.Session) {
	for _, s := range all {
		if n.passes(s, "") {
			left = append(left, s)
		}
	}
	return left
}

// filter returns the form that filters these sessions: for each kind the values that they have, with how many sessions
// each would leave.
func (v *visit) filter(n narrowed, all []*site.Session) pages.Filter {
	f := pages.Filter{Action: v.Path(), Text: n.text, Cut: v.cut(), Kept: v.hiddenFields("view"),
		Shows: v.N("filter.shows", len(n.left(all))),
		Clear: v.here("q", "", "track", "", "room", "", "format", "", "level", "", "tag", "", "day", "", "page", "")}
	if len(n.words) > 0 {
		f.Chips = append(f.Chips, pages.Chip{Label: v.T("form.quoted", "Text", n.text), URL: v.here("q", "", "day", "", "page", "")})
	}
	for _, k := range kinds {
		counts := map[string]int{}
		for _, s := range all {
			ids := k.of(s)
			for _, id := range ids {
				counts[id] += 0
			}
			if n.passes(s, k.name) {
				for _, id := range ids {
					counts[id]++
				}
			}
		}
		g := pages.FilterGroup{Name: k.name, Label: v.T("filter." + k.name)}
		for _, label := range k.all(v.agenda) {
			count, there := counts[label.ID]
			on := slices.Contains(n.of[k.name], label.ID)
			if !there && !on {
				continue
			}
			option := pages.FilterOption{Value: label.ID, Label: label.Name, Count: count, On: on}
			if k.name == "track" {
				option.Class = trackClass(&label.ID)
			}
			g.Options = append(g.Options, option)
		}
		f.Chips = append(f.Chips, v.chips(k.name, n.of[k.name], &g)...)
		if len(g.Options) > 1 || len(n.of[k.name]) > 0 {
			g.Count = v.Number(len(g.Options))
			if on := len(n.of[k.name]); on > 0 {
				g.Count = v.T("filter.some", "Some", v.Number(on), "All", g.Count)
				g.Clear = v.here(k.name, "", "day", "", "page", "")
			}
			f.Groups = append(f.Groups, g)
		}
	}
	return f
}

// chips returns the chips that remove the filters of a kind; a value that nothing has is named by its kind.
func (v *visit) chips(name string, chosen []string, g *pages.FilterGroup) (chips []pages.Chip) {
	for _, id := range chosen {
		chip := pages.Chip{Label: g.Label, URL: v.without(name, id)}
		for _, o := range g.Options {
			if o.Value == id {
				chip.Label = o.Label
			}
		}
		chips = append(chips, chip)
	}
	return chips
}

// without returns the address of this page without one value.
func (v *visit) without(name, value string) string {
	kept := slices.DeleteFunc(slices.Clone(v.query[name]), func(id string) bool { return id == value })
	query := v.asked()
	query.Del("day")
	query.Del("page")
	if query[name] = kept; len(kept) == 0 {
		query.Del(name)
	}
	return address(v.Path(), query)
}

// hiddenFields returns the parameters that a form carries along: those of all links, and some more.
func (v *visit) hiddenFields(also ...string) (kept []components.Hidden) {
	for _, name := range append([]string{"lang", "my", "tz"}, also...) {
		if value := cmp.Or(v.carried.Get(name), v.query.Get(name)); value != "" {
			kept = append(kept, components.Hidden{Name: name, Value: value})
		}
	}
	return kept
}
