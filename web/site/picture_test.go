package site_test

import (
	"bytes"
	"html"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
)

var sharedPicture = regexp.MustCompile(`property="og:image" content="([^"]*)"`)

// shared returns the address of the picture of a page.
func (d *door) shared(t *testing.T, address string) string {
	t.Helper()
	found := sharedPicture.FindStringSubmatch(d.get(t, address))
	if found == nil || !strings.HasPrefix(found[1], base+"/") {
		t.Fatalf("%s names the picture %q", address, found)
	}
	return strings.TrimPrefix(html.UnescapeString(found[1]), base)
}

// drawn gets a picture, which must be a PNG of the size that is shared.
func (d *door) drawn(t *testing.T, address string) (*http.Response, []byte) {
	t.Helper()
	response, body := d.ask(t, address, "Accept-Encoding", "br, gzip")
	picture, err := png.Decode(strings.NewReader(body))
	if err != nil || picture.Bounds() != image.Rect(0, 0, 1200, 630) ||
		response.Header.Get("Content-Type") != "image/png" ||
		response.Header.Get("Content-Encoding") != "" {
		t.Fatalf("%s answers %d %v, %v", address, response.StatusCode, response.Header, err)
	}
	if dir := os.Getenv("POSTERS"); dir != "" { // to be looked at
		name := strings.NewReplacer("/", "-", "?", "-").Replace(address) + ".png"
		modelstest.Fine(t, os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600))
	}
	return response, []byte(body)
}

// face returns a photo of one colour.
func face(t *testing.T, c color.Color) models.Upload {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 300, 400))
	for i := range picture.Rect.Dx() * picture.Rect.Dy() {
		picture.Set(i%300, i/300, c)
	}
	var out bytes.Buffer
	modelstest.Fine(t, jpeg.Encode(&out, picture, nil))
	return models.Upload{Name: "face.jpg", Content: out.Bytes()}
}

func TestEachPageHasAPictureOfWhatItShows(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		speaker := d.speaker(t)
		pages := []string{d.home, d.home + "/agenda", d.home + "/agenda/2027-05-21", d.home + "/sessions/s-1-zurich-b-you-b",
			d.home + "/speakers", d.home + "/speakers/" + speaker, d.home + "/sessions", d.home + "/itinerary"}
		before := map[string]string{}
		different := map[string]string{}
		for _, address := range pages {
			at := d.shared(t, address)
			response, picture := d.drawn(t, at)
			tag := response.Header.Get("ETag")
			if again, _ := d.ask(t, at, "If-None-Match", tag); tag == "" || again.StatusCode != http.StatusNotModified {
				t.Errorf("%s asked again answers %d", at, again.StatusCode)
			}
			before[address], different[string(picture)] = at, at
			if german := d.shared(t, address+"?lang=de"); !strings.Contains(german, "lang=de") {
				t.Errorf("%s has the picture %s in German", address, german)
			}
		}
		if len(different) != 6 { // start, two days, a session, speakers and one of them
			t.Errorf("there are %d pictures: %v", len(different), different)
		}
		// What nobody sees on it leaves the address as it is, what is drawn changes it.
		d.change(t, shown, models.SessionChange{SessionInput: models.SessionInput{Description: new("<p>Another</p>")}})
		for _, address := range pages {
			modelstest.Want(t, address+" has another picture at", d.shared(t, address), before[address])
		}
		d.change(t, shown, models.SessionChange{Title: new("Another title")})
		if at := d.shared(t, d.home+"/sessions/s-1-another-title"); at == before[pages[3]] ||
			strings.HasPrefix(at, strings.Split(before[pages[3]], "?")[0]) == false {
			t.Errorf("the picture of another title is at %s", at)
		}
		person := modelstest.Must(f.Programme().Session(t.Context(), shown.ID))(t).Participants[0]
		red := face(t, color.RGBA{200, 20, 20, 255})
		modelstest.Must(f.Programme().Directory().SetPhoto(t.Context(), person.ContactID, red))(t)
		at := d.shared(t, d.home+"/speakers/"+speaker)
		_, picture := d.drawn(t, at)
		read := modelstest.Must(png.Decode(bytes.NewReader(picture)))(t)
		if r, g, _, _ := read.At(204, 340).RGBA(); at == before[pages[5]] || r>>8 < 150 || g>>8 > 90 {
			t.Errorf("the photo is not on %s: %v", at, read.At(204, 340))
		}
		// The organizer's own picture says more than one that is drawn.
		modelstest.Fine(t, look.Of(f.Programme()).SetPicture(t.Context(), look.Picture, face(t, color.White)))
		at = d.shared(t, d.home)
		if !strings.HasPrefix(at, look.PicturePath) || strings.Contains(d.get(t, d.home), "picture.png") {
			t.Errorf("the start page is shared with %s", at)
		}
	})
}

func TestAPictureIsGoneWithItsPage(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		d.drawn(t, d.home+"/sessions/s-1/picture.png")
		for address, want := range map[string]int{
			"/sessions/s-3/picture.png": 404, "/sessions/s-99/picture.png": 404, "/sessions/s-4/picture.png": 410,
			"/sessions/x/picture.png": 404, "/sessions/s-1-other-words/picture.png": 301,
			"/sessions/" + shown.ID + "/picture.png": 301, "/agenda/2027-05-22/picture.png": 404, "/agenda/x/picture.png": 404,
			"/speakers/0000000000/picture.png": 404, "/speakers/x/picture.png": 404, "/call/picture.png": 404,
		} {
			d.answers(t, d.home+address, want, "MARKER", "PNG")
		}
		d.answers(t, "/events/"+f.Other.Slug+"/sessions/s-1/picture.png", http.StatusNotFound)
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{
			CFPClosesAt: store.Some(store.At(f.Clock.Now().Add(time.Hour)))}))(t)
		_, german := d.drawn(t, d.home+"/call/picture.png?lang=de")
		if _, english := d.drawn(t, d.home+"/call/picture.png"); bytes.Equal(german, english) {
			t.Error("the call's picture speaks one language")
		}
		d.change(t, shown, models.SessionChange{IsPublic: new(false)})
		d.answers(t, d.home+"/sessions/s-1/picture.png", http.StatusGone)
		off := look.Menu{look.Speakers: {IsOff: true}}
		modelstest.Fine(t, look.Of(f.Programme()).Save(t.Context(), look.Change{Menu: off}))
		d.answers(t, d.home+"/speakers/picture.png", http.StatusNotFound)
	})
}

func TestWhatCannotBeWrittenIsNoBoxOnAPicture(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d := open(f)
		at := func(title string) []byte {
			s := d.talk(t, title, models.SessionInput{StartsAt: store.Null[store.Time](), EndsAt: store.Null[store.Time]()})
			f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: "田辺", LastName: "由紀"})
			d.change(t, s, public)
			_, picture := d.drawn(t, d.home+"/sessions/"+strings.ToLower(s.FriendlyID)+"/picture.png")
			return picture
		}
		named := at(f.Event.Name)
		for _, title := range []string{"東京の鉄道", "محاضرة in two scripts", "🚢🚢"} {
			if !bytes.Equal(at(title), named) {
				t.Errorf("of %q something is drawn", title)
			}
		}
		if bytes.Equal(at("Ships in two scripts"), named) {
			t.Error("a title is not drawn")
		}
	})
}
