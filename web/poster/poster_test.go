package poster

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"golang.org/x/image/draw"

	"lectern/models/modelstest"
)

var ours = Colours{Paper: "#FAF9F7", Panel: "#FFFFFF", Ink: "#1C1B1A", Muted: "#5F5B55",
	Line: "#1F4E5F", Text: "#1F5A6E", Edge: "#E4E0D9"}

func drawn(t testing.TB, p Poster) image.Image {
	t.Helper()
	p.Colours = ours
	file := modelstest.Must(p.PNG())(t)
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil || picture.Bounds() != image.Rect(0, 0, Width, Height) {
		t.Fatal(err, picture.Bounds())
	}
	if dir := os.Getenv("POSTERS"); dir != "" { // to be looked at
		name := strings.NewReplacer("/", "-", " ", "-").Replace(t.Name())
		modelstest.Fine(t, os.WriteFile(dir+"/"+name+".png", file, 0o600))
	}
	return picture
}

// marked tells whether anything but paper is in a part of a picture.
func marked(p image.Image, where image.Rectangle) bool {
	for y := where.Min.Y; y < where.Max.Y; y++ {
		for x := where.Min.X; x < where.Max.X; x++ {
			if color.RGBAModel.Convert(p.At(x, y)) != rgb(ours.Paper) {
				return true
			}
		}
	}
	return false
}

func TestAPosterKeepsItsMarginsWhateverItSays(t *testing.T) {
	face := image.NewRGBA(image.Rect(0, 0, 640, 1024))
	draw.Draw(face, face.Rect, image.NewUniform(color.RGBA{120, 90, 70, 255}), image.Point{}, draw.Src)
	long := strings.Repeat("Typesetting the timetable of a railway ", 8)
	for name, p := range map[string]Poster{
		"talk": {Event: "Harbour Conference 2027", Title: "Harbour pilots and other distributed systems",
			Lines: []string{"Ingrid Sørlie, Pilot, Harbour Inc", "Ștefan Ångström, Ελένη, Дмитрий"},
			Foot:  "Thursday 20 May 2027, 10:00–10:40, Great Hall"},
		"long":    {Event: long, Title: long, Lines: []string{long, long, long}, Foot: long, IsSans: true},
		"word":    {Event: "E", Title: strings.Repeat("W", 300), Foot: "x"},
		"start":   {Title: "Harbour", Foot: "20–21 May 2027, Lisbon"},
		"speaker": {Event: "Harbour", Title: "Ingrid Sørlie", Lines: []string{"Pilot, Harbour Inc"}, Face: true, Photo: face},
		"initial": {Event: "Harbour", Title: "Ångström " + long, Face: true, Initial: "Å", Foot: long},
		"nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			picture := drawn(t, p)
			for side, where := range map[string]image.Rectangle{"left": image.Rect(0, 0, margin-4, Height),
				"right": image.Rect(Width-margin+4, 0, Width, Height), "top": image.Rect(0, 0, Width, 60),
				"bottom": image.Rect(0, Height-24, Width, Height)} {
				if marked(picture, where) {
					t.Errorf("the %s margin is written on", side)
				}
			}
			if p.Title != "" && !marked(picture, image.Rect(margin, 180, Width-margin, 530)) {
				t.Error("nothing is written")
			}
		})
	}
}

func TestWhatTheFontsLackIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"Zürich  &\n<b>you</b>": "Zürich & <b>you</b>", "Ångström": "Ångström", "e\u0301t\u00e9": "été",
		"Ships 🚢 in ink ❤️": "Ships in ink", "Łódź, Ελλάδα, Київ": "Łódź, Ελλάδα, Київ",
		"東京": "", "Talk in العربية": "", "שלום": "", "हिन्दी": "", "ไทย": "", "🚢": "", "\xff\x00": "", "": "",
	} {
		if got := Written(text); got != want {
			t.Errorf("%q is written %q", text, got)
		}
	}
}

func TestATitleHasThreeLinesAtMost(t *testing.T) {
	for _, title := range []string{strings.Repeat("word ", 60), strings.Repeat("w", 300), "One",
		strings.Repeat("Wm W ", 75)} {
		s, lines := fitted(serif, title, 1056, 300)
		if len(lines) > mostLines || len(lines)*s.leading() > 300 {
			t.Errorf("%d lines of %d", len(lines), s.size)
		}
		for _, line := range lines {
			if s.width(line) > 1056 {
				t.Errorf("%q is %d wide", line, s.width(line))
			}
		}
		whole := strings.Join(lines, " ") == strings.TrimSpace(title)
		if whole == strings.HasSuffix(lines[len(lines)-1], "…") {
			t.Errorf("%q", lines)
		}
	}
}

func BenchmarkPoster(b *testing.B) {
	grain := image.NewRGBA(image.Rect(0, 0, 1024, 1024))
	for i := range grain.Pix {
		grain.Pix[i] = uint8(i>>14 + i>>4&63 + i*i/977&15) // about 200 kB, as photos have
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, grain, &jpeg.Options{Quality: 85}); err != nil || file.Len() < 150_000 {
		b.Fatal(err, file.Len())
	}
	for name, p := range map[string]Poster{
		"talk": {Event: "Harbour Conference", Title: strings.Repeat("Harbour pilots and others ", 12),
			Lines: []string{"Ingrid Sørlie, Pilot, Harbour Inc", "Ștefan"},
			Foot:  "Thursday 20 May 2027, 10:00–10:40, Great Hall"},
		"face": {Event: "Harbour Conference", Title: "Ingrid Sørlie", Face: true},
	} {
		b.Run(name, func(b *testing.B) {
			p.Colours = ours
			for b.Loop() {
				if p.Face { // as large as photos are kept
					p.Photo, _ = jpeg.Decode(bytes.NewReader(file.Bytes()))
				}
				file := modelstest.Must(p.PNG())(b)
				b.ReportMetric(float64(len(file)), "file_bytes")
			}
		})
	}
}
