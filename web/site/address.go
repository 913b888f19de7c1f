package site

import (
	"maps"
	"net/url"
	"strings"

	"lectern/models/look"
)

// home is the event's public place.
func (v *visit) home() string { return v.origin + "/events/" + v.event.Slug }

// path is an address below the event's.
func (v *visit) path(parts ...string) string { return v.home() + "/" + strings.Join(parts, "/") }

// to is the address of a page below the event's, with what links carry.
func (v *visit) to(at string) string { return address(v.path(at), v.carried) }

// list is the address of the page on which sessions stand, at a day unless it is "", with what it is asked; "" where
// the event goes without all such pages.
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

// narrowedTo is the address of the list, at a day, of the sessions that have one value.
func (v *visit) narrowedTo(day, kind, id string) string {
	query := maps.Clone(v.carried)
	query.Set(kind, id)
	return v.list(day, query)
}

// here is the address of this page with some values of it in place of others; an empty one is left out.
func (v *visit) here(pairs ...string) string { return v.asks(v.Path(), pairs...) }

// asks is a path with all that the address asks for, and some values in place of others.
func (v *visit) asks(path string, pairs ...string) string {
	query := v.asked()
	for i := 0; i+1 < len(pairs); i += 2 {
		if query.Del(pairs[i]); pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	return address(path, query)
}

// asked is all that the address asks for.
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

// plain writes what may stand in a query as it is.
var plain = strings.NewReplacer("%2C", ",", "%2F", "/")
