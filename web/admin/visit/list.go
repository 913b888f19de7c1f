package visit

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
)

// Listing is a list as its address says it: which list it is, and what narrows, orders and pages it.
type Listing struct {
	Kind  string
	Query url.Values
}

// RowsAPage is how many rows a page of a list has.
const RowsAPage = 50

// PlainListing is a list that has these names alone in its address.
func (v *Visit) PlainListing(names ...string) Listing {
	l := Listing{Query: url.Values{}}
	for _, name := range names {
		l.Set(name, v.Query(name))
	}
	return l
}

// Set sets the values of a name, each once; "" is none.
func (l Listing) Set(name string, values ...string) {
	l.Query.Del(name)
	for _, value := range values {
		if value != "" && !slices.Contains(l.Query[name], value) {
			l.Query.Add(name, value)
		}
	}
}

// Hidden are the values of names, for a form that keeps them.
func (l Listing) Hidden(names ...string) (fields []components.Hidden) {
	for _, name := range names {
		for _, value := range l.Query[name] {
			fields = append(fields, components.Hidden{Name: name, Value: value})
		}
	}
	return fields
}

// View is the query without the page: what is kept under a name.
func (l Listing) View() string {
	query := maps.Clone(l.Query)
	query.Del("page")
	return query.Encode()
}

// With is the query with other values of a name, from the first page on.
func (l Listing) With(name string, values ...string) string {
	l.Query = maps.Clone(l.Query)
	l.Query.Del("page")
	l.Set(name, values...)
	if len(l.Query) == 0 {
		return ""
	}
	return "?" + l.Query.Encode()
}

// Without is the query without one of the values of a name.
func (l Listing) Without(name, value string) string {
	rest := slices.DeleteFunc(slices.Clone(l.Query[name]), func(one string) bool { return one == value })
	return l.With(name, rest...)
}

// OnPage is the listing on another page.
func (l Listing) OnPage(page int) Listing {
	query := maps.Clone(l.Query)
	query.Set("page", strconv.Itoa(page))
	return Listing{Kind: l.Kind, Query: query}
}

// Page is the number of the page, 1 where the address has none that there can be.
func (l Listing) Page() int {
	n, err := strconv.Atoi(l.Query.Get("page"))
	if err != nil || n < 1 || n > store.MaxPage {
		return 1
	}
	return n
}

// Tidy answers an address with empty parameters, which forms make where there is no script, by the one without them.
func Tidy(handle Handler) Handler {
	return func(v *Visit) error {
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

// PagesOf are the links to the pages of a list of so many things, which what names.
func PagesOf(base string, l Listing, p store.Pagination, what string) components.Pages {
	from := (p.CurrentPage-1)*p.PageSize + 1
	out := components.Pages{
		From: Number(int64(from)), To: Number(min(int64(from+p.PageSize-1), p.TotalResults)),
		Total: Number(p.TotalResults), What: what,
	}
	if what == "trash" {
		out.What = "records"
	}
	address := func(page int) string { return base + "?" + l.OnPage(page).Query.Encode() }
	if p.CurrentPage > 1 {
		out.Previous = address(p.CurrentPage - 1)
	}
	if p.CurrentPage < p.TotalPages {
		out.Next = address(p.CurrentPage + 1)
	}
	return out
}

// Searchable is a text that a list can be searched for, "" where it cannot.
func Searchable(text string) string {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || utf8.RuneCountInString(text) > store.MaxSearchText {
		return ""
	}
	return text
}

// AndMore says how many of all are not shown; "" for none, or when none are.
func AndMore(all int64, shown int) string {
	more := all - int64(shown)
	if more <= 0 || shown == 0 {
		return ""
	}
	return "and " + Number(more) + " more"
}

// ColumnsCookie holds which columns a list shows, by the kind of the list.
func ColumnsCookie(kind string) string { return "lectern-columns-" + kind }

// ComingOptions are what people say of whether they come.
func ComingOptions() (options []components.Option) {
	all, words := models.Comings()
	for i, c := range all {
		options = append(options, components.Option{Value: string(c), Name: words[i]})
	}
	return options
}

// OptionName is the name of the option that has a value, "" without one.
func OptionName(options []components.Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Name
		}
	}
	return ""
}

// Choices are a list as options, each by its value and its name.
func Choices[T any](list []T, of func(T) (value, name string), chosen ...string) (out []components.Option) {
	for _, item := range list {
		value, name := of(item)
		out = append(out, components.Option{Value: value, Name: name, Chosen: slices.Contains(chosen, value)})
	}
	return out
}

// TitlesShown are how many of many are named before they are changed.
const TitlesShown = 10
