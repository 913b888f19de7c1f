package site

import (
	"maps"
	"net/url"
	"strings"

	"lectern/models/look"
)

// home returns the address of the event's public site.
func (v *visit) home() string { return v.origin + "/events/" + v.event.Slug }

// path returns an address below the event's.
func (v *visit) path(parts ...string) string { return v.home() + "/" + strings.Join(parts, "/") }

// to returns the address of a page below the event's, with the query that all links carry.
func (v *visit) to(at string) string { return address(v.path(at), v.carried) }

// list returns the address of the page that lists sessions, at a day unless it is "", with a query; "" where the event
// has no such page.
func (v *visit) list(day string, query url.Values) string {
	page := v.look.List()
	switch {
	case page == "":
		return ""
	case day == "":
	case page == look.Agenda:
		return address(v.path("agenda", day), query)
	default:
		query = maps.Clone(query)
		query.Set("day", day)
	}
	return address(v.path(string(page)), query)
}

// narrowedTo returns the address of the list, at a day, of the sessions with one value.
func (v *visit) narrowedTo(day, kind, id string) string {
	query := maps.Clone(v.carried)
	query.Set(kind, id)
	return v.list(day, query)
}

// here returns the address of this page with some parameters replaced, given as names and values in turn; "" removes
// one.
func (v *visit) here(pairs ...string) string { return v.asks(v.Path(), pairs...) }

// asks returns a path with all parameters of this address, some of them replaced.
func (v *visit) asks(path string, pairs ...string) string {
	query := v.asked()
	for i := 0; i+1 < len(pairs); i += 2 {
		if query.Del(pairs[i]); pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	return address(path, query)
}

// asked returns all parameters of the address.
func (v *visit) asked() url.Values {
	query := url.Values{}
	if v.previewed != nil {
		maps.Copy(query, v.previewed.asked)
	}
	for _, from := range []url.Values{v.carried, v.query} {
		for name, values := range from {
			query[name] = values
		}
	}
	return query
}

func address(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + plain.Replace(query.Encode())
}

// plain leaves unescaped what a query may hold as it is.
var plain = strings.NewReplacer("%2C", ",", "%2F", "/")
