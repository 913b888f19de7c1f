package admin

import (
	"lectern/views/gallery"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// showGallery lists every view in each of its states, for development.
func showGallery(v *visit.Visit) error {
	return v.Show(gallery.List(v.Page("Pages and parts"), gallery.Examples()))
}

func showExample(v *visit.Visit) error {
	for _, example := range gallery.Examples() {
		if example.Path() != v.Params("page")+"/"+v.Params("state") {
			continue
		}
		p := v.Page("")
		p.Token = "" // so that its forms change nothing
		if theme := v.Query("theme"); theme == "light" || theme == "dark" {
			p.Theme = theme
		}
		return v.Show(example.Show(p))
	}
	return page.NoPage
}
