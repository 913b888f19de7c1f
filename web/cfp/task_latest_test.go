package cfp

import (
	"net/url"
	"testing"

	"lectern/models/modelstest"
)

func TestASpeakerMakesAnEarlierVersionTheLatest(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		slides, at := c.slides()
		for _, name := range []string{"first.pdf", "second.pdf"} {
			c.ada.send(at, url.Values{"do": {"upload"}}, "file", name, "%PDF-1.7 "+name, 303)
		}
		wants(t, c.ada.get(at, 200), "Make latest", ": first.pdf")
		first := modelstest.Must(c.desk.One(t.Context(), slides.ID, c.talk.ID))(t).Versions[1].ID
		to, _ := c.ada.post(at, url.Values{"do": {"latest"}, "version": {first}}, 303)
		wants(t, c.ada.get(to, 200), "That version counts again.", ": second.pdf")
		if latest := modelstest.Must(c.desk.One(t.Context(), slides.ID, c.talk.ID))(t).Latest(); latest.ID != first {
			t.Errorf("version %d counts", latest.Number)
		}
		c.ada.post(at, url.Values{"do": {"latest"}, "version": {"x"}}, 404)
	})
}
