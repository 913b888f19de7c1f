package admin

import "net/http"

// route is an address by one method.
type route struct {
	method, path string
	needs        access
	handle       handler
}

// routes are those of the addresses, and the gallery's where it is served.
func (w *Web) routes() (all []route) {
	for _, a := range addresses {
		if a.get != nil {
			all = append(all, route{http.MethodGet, a.path, a.needs, a.get})
		}
		if a.post != nil {
			all = append(all, route{http.MethodPost, a.path, a.needs, a.post})
		}
	}
	if w.options.Gallery {
		all = append(all, route{http.MethodGet, "/design", anyone, showGallery},
			route{http.MethodGet, "/design/:page/:state", anyone, showExample})
	}
	return all
}
