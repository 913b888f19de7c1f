package admin

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/models/store"
	"lectern/views/components"
)

// listing is a list as its address says it: which list it is, and what narrows, orders and pages it.
type listing struct {
	kind  string
	query url.Values
}

// rowsAPage is how many rows a page of a list has.
const rowsAPage = 50

// plainListing is a list that has these names alone in its address.
func (v *visit) plainListing(names ...string) listing {
	l := listing{query: url.Values{}}
	for _, name := range names {
		l.set(name, v.Query(name))
	}
	return l
}

// set sets the values of a name, each once; "" is none.
func (l listing) set(name string, values ...string) {
	l.query.Del(name)
	for _, value := range values {
		if value != "" && !slices.Contains(l.query[name], value) {
			l.query.Add(name, value)
		}
	}
}

// hidden are the values of names, for a form that keeps them.
func (l listing) hidden(names ...string) (fields []components.Hidden) {
	for _, name := range names {
		for _, value := range l.query[name] {
			fields = append(fields, components.Hidden{Name: name, Value: value})
		}
	}
	return fields
}

// view is the query without the page: what is kept under a name.
func (l listing) view() string {
	query := maps.Clone(l.query)
	query.Del("page")
	return query.Encode()
}

// with is the query with other values of a name, from the first page on.
func (l listing) with(name string, values ...string) string {
	l.query = maps.Clone(l.query)
	l.query.Del("page")
	l.set(name, values...)
	if len(l.query) == 0 {
		return ""
	}
	return "?" + l.query.Encode()
}

// without is the query without one of the values of a name.
func (l listing) without(name, value string) string {
	rest := slices.DeleteFunc(slices.Clone(l.query[name]), func(one string) bool { return one == value })
	return l.with(name, rest...)
}

// onPage is the listing on another page.
func (l listing) onPage(page int) listing {
	query := maps.Clone(l.query)
	query.Set("page", strconv.Itoa(page))
	return listing{kind: l.kind, query: query}
}

func (l listing) page() int {
	n, err := strconv.Atoi(l.query.Get("page"))
	if err != nil || n < 1 || n > store.MaxPage {
		return 1
	}
	return n
}

// tidy answers an address with empty parameters, which forms make where there is no script, by the one without them.
func tidy(handle handler) handler {
	return func(v *visit) error {
		query, err := url.ParseQuery(string(v.Request().URI().QueryString()))
		empty := false
		for name, values := range query {
			full := slices.DeleteFunc(slices.Clone(values), func(value string) bool { return value == "" })
			empty = empty || len(full) < len(values)
			if query[name] = full; len(full) == 0 {
				delete(query, name)
			}
		}
		if err != nil || !empty {
			return handle(v)
		}
		address := v.Path()
		if len(query) > 0 {
			address += "?" + query.Encode()
		}
		return v.SeeInstead(address)
	}
}

func pagesOf(base string, l listing, p store.Pagination, what string) components.Pages {
	from := (p.CurrentPage-1)*p.PageSize + 1
	out := components.Pages{
		From: number(int64(from)), To: number(min(int64(from+p.PageSize-1), p.TotalResults)),
		Total: number(p.TotalResults), What: what,
	}
	if what == "trash" {
		out.What = "records"
	}
	address := func(page int) string { return base + "?" + l.onPage(page).query.Encode() }
	if p.CurrentPage > 1 {
		out.Previous = address(p.CurrentPage - 1)
	}
	if p.CurrentPage < p.TotalPages {
		out.Next = address(p.CurrentPage + 1)
	}
	return out
}

// searchable is a text that a list can be searched for, "" where it cannot.
func searchable(text string) string {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || utf8.RuneCountInString(text) > store.MaxSearchText {
		return ""
	}
	return text
}
