package admin_test

import (
	"testing"

	"lectern/views/gallery"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestTheGalleryIsServedOnlyWhenAskedFor(t *testing.T) {
	b := admintest.OpenWith(t, visit.Options{Gallery: true}).Browser()
	page := b.Get("/design", 200)
	for _, example := range gallery.Examples() {
		admintest.Wants(t, page, `href="/design/`+example.Path()+`"`)
	}
	admintest.Wants(t, b.Get("/design/settings/faults?theme=dark", 200), `data-theme="dark"`,
		"The last day must not be before the first day.", `name="_token" value=""`)
	b.Get("/design/settings/none", 404)
	admintest.OpenOn(t, "sqlite", visit.Options{}).Browser().Get("/design", 404)
}
