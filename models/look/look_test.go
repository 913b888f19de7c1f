package look_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func looks(f *modelstest.Fixture) *look.Looks { return look.Of(f.Programme()) }

func lookOf(t *testing.T, f *modelstest.Fixture) *look.Look {
	t.Helper()
	return modelstest.Must(looks(f).Look(t.Context()))(t)
}

func TestALookIsKeptAndMovesWhatPublicPagesAreKeptBy(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, unset := t.Context(), lookOf(t, f)
		if !unset.UpdatedAt.IsZero() || unset.Heading != look.Serif || !unset.Has(look.Agenda) ||
			unset.Word(look.Agenda) != "" || unset.Colours != look.Derive("", "") || unset.Logo != nil {
			t.Errorf("what nobody set is %+v", unset)
		}
		state, elsewhere := f.Programme().AgendaState(), f.Elsewhere().AgendaState()
		modelstest.Emitted(t, f)
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{Venue: new(" Université \n libre "), City: new("Brussels"),
			Address: new("Avenue Roosevelt 50"), Intro: new(`<p onclick="x()">Come<script>alert(1)</script></p>`),
			Brand: new("ff4b1f"), Paper: new("#fff8ef"), Heading: new(look.Sans), PictureAlt: new("A hall"),
			Menu:      look.Menu{look.Itinerary: {IsOff: true}, look.Agenda: {Name: " Programm "}, "forged": {Name: "x"}},
			UpdatedAt: &unset.UpdatedAt}))
		l := lookOf(t, f)
		if l.Venue != "Université libre" || l.City != "Brussels" || l.Intro != "<p>Come</p>" || l.Brand != "#FF4B1F" ||
			l.Paper != "#FFF8EF" || l.Heading != look.Sans || l.Colours != look.Derive("#FF4B1F", "#FFF8EF") ||
			l.Has(look.Itinerary) || !l.Has(look.Speakers) || l.Word(look.Agenda) != "Programm" || len(l.Menu) != 2 {
			t.Errorf("%+v", l)
		}
		if f.Programme().AgendaState() == state {
			t.Error("public pages would be kept as they were")
		}
		modelstest.WantAll(t, "a look is told to receivers", modelstest.EmittedTypes(t, f), nil)
		lines := modelstest.Must(f.Programme().Activity(ctx, f.Event.ID))(t)
		if len(lines) != 1 || lines[0].Subject != "look" || lines[0].ActorName != modelstest.Tester.ActorName ||
			!strings.Contains(lines[0].After, "Programm") || strings.Contains(lines[0].After, "forged") {
			t.Errorf("%+v", lines)
		}

		// What is as it was writes nothing, and an old token nothing either.
		state = f.Programme().AgendaState()
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{City: new("Brussels"),
			Menu: look.Menu{look.Itinerary: {IsOff: true}}}))
		if f.Programme().AgendaState() != state || lookOf(t, f).UpdatedAt != l.UpdatedAt {
			t.Error("a change that changes nothing was written")
		}
		err := looks(f).Save(ctx, look.Change{City: new("Ghent"), UpdatedAt: &unset.UpdatedAt})
		modelstest.WantKind(t, "an old token", err, store.Stale)
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{Menu: look.Menu{look.Itinerary: {}}, UpdatedAt: &l.UpdatedAt}))
		if now := lookOf(t, f); !now.Has(look.Itinerary) || len(now.Menu) != 1 || !now.UpdatedAt.After(l.UpdatedAt.Time) ||
			now.City != "Brussels" || now.CreatedAt != l.CreatedAt {
			t.Errorf("%+v", now)
		}

		// Nothing of it is another event's.
		other := modelstest.Must(look.Of(f.Elsewhere()).Look(ctx))(t)
		if other.City != "" || other.Brand != "" || f.Elsewhere().AgendaState() != elsewhere {
			t.Errorf("the other event has %+v", other)
		}
	})
}

func TestWhatBreaksARuleOfALookIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for field, change := range map[string]look.Change{
			"brand": {Brand: new("red;}body{display:none")}, "paper": {Paper: new("#808080")},
			"heading": {Heading: new(look.Face("Comic Sans"))}, "venue": {Venue: new(strings.Repeat("x", 256))},
			"address": {Address: new(strings.Repeat("x", 501))}, "intro": {Intro: new(strings.Repeat("x", 20_001))},
			"menu_agenda": {Menu: look.Menu{look.Agenda: {Name: strings.Repeat("x", 41)}}},
		} {
			err := looks(f).Save(t.Context(), change)
			fault, _ := err.(*store.Error)
			if fault == nil || fault.Kind != store.Invalid || len(fault.Fields) != 1 || fault.Fields[0].Field != field {
				t.Errorf("%s: %v", field, err)
			}
		}
		if l := lookOf(t, f); !l.UpdatedAt.IsZero() {
			t.Errorf("%+v", l)
		}
		// A brand without contrast is taken: what is derived of it can be seen.
		modelstest.Fine(t, looks(f).Save(t.Context(), look.Change{Brand: new("#FAF9F7")}))
		if l := lookOf(t, f); l.Colours.Light.Brand != "#FAF9F7" ||
			look.Contrast(l.Colours.Light.BrandText, "#FAF9F7") < 4.5 {
			t.Errorf("%+v", l.Colours.Light)
		}
	})
}

// logo returns a PNG of a size, red on a transparent ground.
func logo(t *testing.T, width, height int) []byte {
	t.Helper()
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width / 2 {
			p.SetNRGBA(x, y, color.NRGBA{200, 0, 0, 255})
		}
	}
	var out bytes.Buffer
	modelstest.Fine(t, png.Encode(&out, p))
	return out.Bytes()
}

func read(t *testing.T, f *modelstest.Fixture, file *models.File) []byte {
	t.Helper()
	there := modelstest.Must(f.OpenFile(t.Context(), file))(t)
	defer there.Close()
	return modelstest.Must(io.ReadAll(there))(t)
}

func TestALogoStaysClearAndAPictureBecomesAPhoto(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, state := t.Context(), f.Programme().AgendaState()
		script := append(logo(t, 1280, 320), "<script>alert(1)</script>"...)
		modelstest.Fine(t, looks(f).SetPicture(ctx, look.Logo, models.Upload{Name: "logo.html", Content: script}))
		modelstest.Fine(t, looks(f).SetPicture(ctx, look.Picture, models.Upload{Name: "hall.png", Content: logo(t, 40, 30)}))
		l := lookOf(t, f)
		if f.Programme().AgendaState() == state || l.Logo.MediaType != "image/png" || *l.Logo.Width != 640 ||
			*l.Logo.Height != 160 || l.Picture.MediaType != "image/jpeg" || *l.Picture.Width != 40 ||
			l.Logo.UploadedByName != modelstest.Tester.ActorName {
			t.Errorf("%+v %+v", l.Logo, l.Picture)
		}
		kept := read(t, f, l.Logo)
		drawn := modelstest.Must(png.Decode(bytes.NewReader(kept)))(t)
		if _, _, _, alpha := drawn.At(639, 80).RGBA(); alpha != 0 || bytes.Contains(kept, []byte("script")) {
			t.Errorf("the logo is drawn on something: %d", alpha)
		}
		photo := modelstest.Must(jpeg.Decode(bytes.NewReader(read(t, f, l.Picture))))(t)
		if r, g, b, _ := photo.At(39, 15).RGBA(); min(r, g, b) < 0xf000 {
			t.Error("the picture is not on white")
		}

		// Whoever knows the address is shown it, as long as the event has it.
		logoAt, pictureAt := look.Logo.Path(l), look.Picture.Path(l)
		for at, want := range map[string]string{logoAt: l.Logo.ID, pictureAt: l.Picture.ID} {
			shown := modelstest.Must(look.Shown(ctx, f.Store, strings.TrimPrefix(at, look.PicturePath)))(t)
			modelstest.Want(t, at+" shows", shown.ID, want)
		}
		modelstest.Fine(t, looks(f).SetPicture(ctx, look.Logo, models.Upload{Name: "b.png", Content: logo(t, 8, 8)}))
		modelstest.Fine(t, looks(f).RemovePicture(ctx, look.Picture))
		modelstest.Fine(t, looks(f).RemovePicture(ctx, look.Picture)) // nothing is left to be removed
		if l := lookOf(t, f); l.Picture != nil || look.Picture.Path(l) != "" || *l.Logo.Width != 8 {
			t.Errorf("%+v", l)
		}
		for _, name := range []string{logoAt, pictureAt, "x.png", ".png", strings.TrimSuffix(logoAt, ".png") + ".jpg",
			strings.TrimSuffix(logoAt, ".png") + ".svg"} {
			modelstest.Answers(look.Shown(ctx, f.Store, strings.TrimPrefix(name, look.PicturePath)))(t, name, store.NotFound)
		}
		f.Clock.Move(25 * time.Hour)
		modelstest.Must(f.SweepFiles(ctx, 50))(t)
		n := 0
		modelstest.Fine(t, f.Options.Files.Each(ctx, func(string, int64) error { n++; return nil }))
		modelstest.Want(t, "files are kept", n, 1)
	})
}

func TestALogoThatIsAScriptIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for name, content := range map[string]string{
			"svg":      `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
			"html":     "<script>alert(1)</script>",
			"declared": "<?xml version=\"1.0\"?><svg/>",
			"gif":      "GIF89a/*\x00*/=alert(1)", "cut": "\x89PNG\r\n\x1a\n<script>", "": "",
			"webp": "RIFF\x00\x00\x00\x00WEBP<svg onload=alert(1)>",
		} {
			for _, k := range look.Kinds {
				err := looks(f).SetPicture(t.Context(), k, models.Upload{Name: "logo.png", Content: []byte(content)})
				modelstest.WantKind(t, k.Name+" "+name, err, store.Invalid)
			}
		}
		if l := lookOf(t, f); l.Logo != nil || l.Picture != nil {
			t.Errorf("%+v", l)
		}
		// Nor does the photo of somebody become one.
		person := modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{FirstName: "Ada"}))(t)
		photo := modelstest.Must(f.Elsewhere().Directory().SetPhoto(t.Context(), person.ID,
			models.Upload{Name: "a.png", Content: logo(t, 4, 4)}))(t)
		for _, end := range []string{".jpg", ".png"} {
			modelstest.Answers(look.Shown(t.Context(), f.Store, photo.PhotoKey+end))(t, end, store.NotFound)
		}
	})
}

// TestOfTwoWhoSaveAtOnceOneWins saves the same unset look several times at once.
func TestOfTwoWhoSaveAtOnceOneWins(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		read, p := lookOf(t, f), f.Programme()
		city := func(i int) string { return string(rune('A' + i)) }
		won := modelstest.OneSucceeds(t, 6, store.Stale, func(i int) error {
			return look.Of(p).Save(t.Context(), look.Change{City: new(city(i)), UpdatedAt: &read.UpdatedAt})
		})
		modelstest.Want(t, "the city that is kept", lookOf(t, f).City, city(won))
	})
}

func TestTheStyleSheetHasOnlyColoursAndTheTracksOfTheEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		mine := modelstest.Must(f.Programme().CreateMetadata(ctx, models.Tracks,
			models.NewMetadata{Name: "}MARKER{", Color: new("#FFE600")}))(t)
		theirs := modelstest.RowOf(t, f.Elsewhere(), models.Tracks, "Theirs")
		sheet := func() string { return modelstest.Must(looks(f).StyleSheet(ctx))(t) }
		if css := sheet(); !strings.Contains(css, "--bg:light-dark(#FAF9F7,#161615);") || strings.Contains(css, "--heading") {
			t.Errorf("what nobody set is %s", css)
		}
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{Brand: new("#FF4B1F"), Heading: new(look.Sans),
			Venue: new("}MARKER{")}))
		css := sheet()
		for _, want := range []string{"--brand:light-dark(#FF4B1F,#FF4B1F);", "--onbrand:light-dark(#1C1B1A,#1C1B1A);",
			"--heading:var(--sans);", "\n." + look.TrackClass(mine.ID) + "{--t:light-dark("} {
			if !strings.Contains(css, want) {
				t.Errorf("the style sheet does not have %s:\n%s", want, css)
			}
		}
		if strings.Contains(css, look.TrackClass(theirs.ID)) || strings.Contains(css, "MARKER") ||
			strings.Contains(css, "#FFE600,") {
			t.Errorf("the style sheet has what is not its affair:\n%s", css)
		}
	})
}

func TestStatementsOfALook(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Fine(t, looks(f).SetPicture(ctx, look.Logo, models.Upload{Name: "a.png", Content: logo(t, 4, 4)}))
		l, read := looks(f), lookOf(t, f)
		for _, step := range []struct {
			what string
			most int
			do   func() error
		}{
			{"reading it", 2, func() error { _, err := l.Look(ctx); return err }},
			{"saving it", 8, func() error { return l.Save(ctx, look.Change{City: new("Ghent"), UpdatedAt: &read.UpdatedAt}) }},
		} {
			if did := f.Statement.During(func() { modelstest.Fine(t, step.do()) }); len(did) > step.most {
				t.Errorf("%s costs %d statements, more than %d: %s", step.what, len(did), step.most, strings.Join(did, "\n"))
			}
		}
	})
}

func TestAnEventSaysWhichLanguagesItOffers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		speaks := func(tag string) bool { return modelstest.Must(looks(f).Speaks(ctx))(t)(tag) }
		if !speaks("en") || !speaks("de") || !lookOf(t, f).Speaks("de") {
			t.Error("an event that says nothing does not offer all")
		}
		before := f.Programme().Event().UpdatedAt
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{Languages: new("de fr")}))
		if speaks("en") || !speaks("de") || !speaks("fr") || lookOf(t, f).Languages != "de fr" {
			t.Error("it offers", lookOf(t, f).Languages)
		}
		if f.Programme().Event().UpdatedAt == before {
			t.Error("what is kept by the event's token would stay")
		}
		for _, wrong := range []string{"de;x", "de  fr", " de", "DE"} {
			modelstest.WantKind(t, wrong+" is answered", looks(f).Save(ctx, look.Change{Languages: &wrong}), store.Invalid)
		}
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{Languages: new("")}))
		if !speaks("es") {
			t.Error("all are not offered again")
		}
	})
}

func TestContrastIsThatOfThePlaceWhereItIsLowest(t *testing.T) {
	t.Parallel()
	for color, want := range map[string]float64{
		"#FFFFFF": 1, "#ffffff": 1, // no bar on the light page
		"#1E1E1C": 1,    // none on the dark one
		"#808080": 3.95, // on white; WCAG's own figure
		"#777777": 3.73, // on the dark page; 4.48 on white
		"#0B6E99": 2.95, "#1F4E5F": 1.84,
		"": 0, "red": 0, "#12345": 0, "#GGGGGG": 0, "#1234567": 0,
	} {
		if got := look.ContrastRatio(color); math.Abs(got-want) > 0.01 {
			t.Errorf("the contrast of %q is %.3f, not %.2f", color, got, want)
		}
		modelstest.Want(t, color+" is judged", look.ContrastOK(color), want >= 3)
	}
}

func TestTracksGetColorsThatCanBeSeen(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, color := range models.TrackColors {
		light, dark := look.Contrasts(color)
		if light < look.MinContrast || dark < look.MinContrast || seen[color] {
			t.Errorf("%s: %.2f on the light page, %.2f on the dark one", color, light, dark)
		}
		seen[color] = true
	}
	modelstest.Want(t, "colours", len(seen), 8)
	light, dark := look.Contrasts("#1F4E5F")
	if light < look.MinContrast || dark >= look.MinContrast {
		t.Errorf("a dark teal is judged %.2f and %.2f", light, dark)
	}
	if light, dark = look.Contrasts("red"); light+dark != 0 {
		t.Errorf("no colour is judged %.2f and %.2f", light, dark)
	}
}
