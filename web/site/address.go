package site

import (
	"maps"
	"net/url"
	"strings"
)

// home is the event's public place.
func (v *visit) home() string { return v.origin + "/events/" + v.event.Slug }

// path is an address below the event's.
func (v *visit) path(parts ...string) string { return v.home() + "/" + strings.Join(parts, "/") }

// to is the address of a page below the event's, with what links carry.
func (v *visit) to(at string) string { return address(v.path(at), v.carried) }

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
	return path + "?" + strings.ReplaceAll(query.Encode(), "%2C", ",") // which may stand there as it is
}
