package admin

import (
	"testing"

	"lectern/views/gallery"
)

func TestTheGalleryIsServedOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Gallery: true}).browser()
	page := b.get("/design", 200)
	for _, example := range gallery.Examples() {
		wants(t, page, `href="/design/`+example.Path()+`"`)
	}
	wants(t, b.get("/design/settings/faults?theme=dark", 200), `data-theme="dark"`,
		"The last day must not be before the first day.", `name="_token" value=""`)
	b.get("/design/settings/none", 404)
	open(t, Options{}).browser().get("/design", 404)
}
