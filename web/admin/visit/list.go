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

// Listing is a list as its address describes it: its kind, and the query that filters, orders and pages it.
type Listing struct {
	Kind  string
	Query url.Values
}

// RowsAPage is how many rows a page of a list has.
const RowsAPage = 50

// PlainListing reads a list whose address has only these parameters.
func (v *Visit) PlainListing(names ...string) Listing {
	l := Listing{Query: url.Values{}}
	for _, name := range names {
		l.Set(name, v.Query(name))
	}
	return l
}

// Queries returns all values of a parameter of the address.
func (v *Visit) Queries(name string) []string {
	return store.Map(v.Context().QueryArgs().PeekMulti(name), func(value []byte) string { return string(value) })
}

// Set replaces the values of a parameter, each once; "" is left out.
func (l Listing) Set(name string, values ...string) {
	l.Query.Del(name)
	for _, value := range values {
		if value != "" && !slices.Contains(l.Query[name], value) {
			l.Query.Add(name, value)
		}
	}
}

// Hidden returns the values of these parameters as hidden fields, so that a form keeps them.
func (l Listing) Hidden(names ...string) (fields []components.Hidden) {
	for _, name := range names {
		for _, value := range l.Query[name] {
			fields = append(fields, components.Hidden{Name: name, Value: value})
		}
	}
	return fields
}

// View returns the query without the page number, as saved views store it.
func (l Listing) View() string {
	query := maps.Clone(l.Query)
	query.Del("page")
	return query.Encode()
}

// With returns the query with a parameter set to other values, starting from the first page.
func (l Listing) With(name string, values ...string) string {
	l.Query = maps.Clone(l.Query)
	l.Query.Del("page")
	l.Set(name, values...)
	if len(l.Query) == 0 {
		return ""
	}
	return "?" + l.Query.Encode()
}

// Without returns the query without one value of a parameter.
func (l Listing) Without(name, value string) string {
	rest := slices.DeleteFunc(slices.Clone(l.Query[name]), func(one string) bool { return one == value })
	return l.With(name, rest...)
}

// OnPage returns the listing at another page. A list without rows has no last page (0), and is shown at the first.
func (l Listing) OnPage(page int) Listing {
	query := maps.Clone(l.Query)
	query.Set("page", strconv.Itoa(max(1, page)))
	return Listing{Kind: l.Kind, Query: query}
}

// Page returns the page number, 1 where the address has no valid one.
func (l Listing) Page() int {
	n, err := strconv.Atoi(l.Query.Get("page"))
	if err != nil || n < 1 || n > store.MaxPage {
		return 1
	}
	return n
}

// Tidy redirects an address with empty parameters, as forms without a script make them, to one without.
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

// PagesOf returns the links to the pages of a list; what names its rows.
func PagesOf(base string, l Listing, p store.Pagination, what string) components.Pages {
	return PagesAt(func(page int) string { return base + "?" + l.OnPage(page).Query.Encode() }, p, what)
}

// PagesAt is PagesOf for pages that have these addresses.
func PagesAt(address func(page int) string, p store.Pagination, what string) components.Pages {
	from := (p.CurrentPage-1)*p.PageSize + 1
	out := components.Pages{
		From: Number(int64(from)), To: Number(min(int64(from+p.PageSize-1), p.TotalResults)),
		Total: Number(p.TotalResults), What: what,
	}
	if what == "trash" {
		out.What = "records"
	}
	if p.CurrentPage > 1 {
		out.Previous = address(p.CurrentPage - 1)
	}
	if p.CurrentPage < p.TotalPages {
		out.Next = address(p.CurrentPage + 1)
	}
	return out
}

// Searchable returns the text, or "" where the database cannot search for it.
func Searchable(text string) string {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || utf8.RuneCountInString(text) > store.MaxSearchText {
		return ""
	}
	return text
}

// AndMore says how many of all are not shown, "" where none are left or none are shown.
func AndMore(all int64, shown int) string {
	more := all - int64(shown)
	if more <= 0 || shown == 0 {
		return ""
	}
	return "and " + Number(more) + " more"
}

// ColumnsCookie names the cookie with the columns that a kind of list shows.
func ColumnsCookie(kind string) string { return "lectern-columns-" + kind }

// ComingOptions returns the answers to whether somebody comes.
func ComingOptions() (options []components.Option) {
	all, words := models.Comings()
	for i, c := range all {
		options = append(options, components.Option{Value: string(c), Name: words[i]})
	}
	return options
}

// OptionName returns the name of the option with this value, "" where there is none.
func OptionName(options []components.Option, value string) string {
	for _, o := range options {
		if o.Value == value {
			return o.Name
		}
	}
	return ""
}

// Choices turns a list into options; of returns the value and the name of each.
func Choices[T any](list []T, of func(T) (value, name string), chosen ...string) (out []components.Option) {
	for _, item := range list {
		value, name := of(item)
		out = append(out, components.Option{Value: value, Name: name, Chosen: slices.Contains(chosen, value)})
	}
	return out
}

// Named returns a status or a role as Choices takes it.
func Named[T ~string](it T) (value, name string) {
	return string(it), components.StatusName(string(it))
}

// Names returns the names of people on a session.
func Names(people []*models.Participant) []string {
	return store.Map(people, func(x *models.Participant) string { return x.FullName })
}

// TitlesShown is how many records are named on a page that asks before many are changed.
const TitlesShown = 10
