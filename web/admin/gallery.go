package admin

import (
	"lectern/views/gallery"
)

// galleryRoutes show every view in each of its states, while developing.
func (w *Web) galleryRoutes() []route {
	if !w.options.Gallery {
		return nil
	}
	return []route{
		{"GET", "/design", anyone, func(v *visit) error {
			return v.show(gallery.List(v.page("Pages and parts"), gallery.Examples()))
		}},
		{"GET", "/design/:page/:state", anyone, showExample},
	}
}

func showExample(v *visit) error {
	for _, example := range gallery.Examples() {
		if example.Path() != v.Params("page")+"/"+v.Params("state") {
			continue
		}
		page := v.page("")
		page.Token = "" // its forms change nothing
		if theme := v.Query("theme"); theme == "light" || theme == "dark" {
			page.Theme = theme
		}
		return v.show(example.Show(page))
	}
	return errNoPage
}
