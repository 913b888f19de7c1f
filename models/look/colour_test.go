package look

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// TestAnOrangeIsDerivedAsItWasDrawn compares with the picture of the design: orange on warm paper.
func TestAnOrangeIsDerivedAsItWasDrawn(t *testing.T) {
	t.Parallel()
	const orange, paper = "#FF4B1F", "#FFF8EF"
	light := Derive(orange, paper).Light
	if light.Brand != orange || light.Paper != paper || light.OnBrand != "#1C1B1A" || light.BrandText != "#D92B00" ||
		light.BrandLine != orange {
		t.Errorf("%+v", light)
	}
	for _, x := range []struct {
		text, ground string
		want         float64
	}{
		{orange, paper, 3.2}, {light.BrandText, paper, 4.6}, {light.OnBrand, orange, 5.1}, {white, orange, 3.3},
		{light.Ink, paper, 16.3}, {light.Muted, paper, 6.4},
	} {
		if got := Contrast(x.text, x.ground); math.Abs(got-x.want) > 0.05 {
			t.Errorf("%s on %s has %.2f, not %.1f", x.text, x.ground, got, x.want)
		}
	}
}

func TestOurColoursAreThoseOfTheStyleSheet(t *testing.T) {
	t.Parallel()
	tokens, err := os.ReadFile("../../static/src/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	ours := Derive("", "")
	if ours != (Colours{ourLight, ourDark}) {
		t.Errorf("what is ours is moved: %+v", ours)
	}
	for _, v := range variables {
		pair := "--" + v.name + ": light-dark(" + v.of(&ours.Light) + ", " + v.of(&ours.Dark) + ");"
		if !strings.Contains(string(tokens), pair) && !strings.Contains(v.name, "brand") {
			t.Errorf("tokens.css does not have %s", pair)
		}
	}
	if again := Derive("", ourLight.Paper); again != ours {
		t.Errorf("our paper, typed, gives %+v", again)
	}
}

// wantSeen checks the colours that are derived for an accepted paper against WCAG.
func wantSeen(t *testing.T, brand, paper string) {
	t.Helper()
	colours := Derive(brand, paper)
	for name, s := range map[string]Scheme{"light": colours.Light, "dark": colours.Dark} {
		for _, x := range []struct {
			what, color string
			least       float64
			on          []string
		}{
			{"ink", s.Ink, leastText, s.surfaces()}, {"muted", s.Muted, leastText, s.surfaces()},
			{"text", s.BrandText, leastText, []string{s.Paper, s.Panel}}, {"on brand", s.OnBrand, leastText, []string{s.Brand}},
			{"line", s.BrandLine, leastLine, []string{s.Paper, s.Panel}},
			{"field", s.Field, leastLine, []string{s.Paper, s.Panel}},
		} {
			if got := lowest(x.color, x.on...); got < x.least {
				t.Errorf("%s on %s, %s: %s %s has %.2f on %v", brand, paper, name, x.what, x.color, got, x.on)
			}
		}
	}
	light, dark := colours.Line(brand)
	if lowest(light, colours.Light.Paper, colours.Light.Panel) < leastLine ||
		lowest(dark, colours.Dark.Paper, colours.Dark.Panel) < leastLine {
		t.Errorf("a track of %s on %s is %s and %s", brand, paper, light, dark)
	}
}

func TestEveryBrandCanBeSeenOnEveryPaperThatIsTaken(t *testing.T) {
	t.Parallel()
	papers := []string{"#FFFFFF", "#FFF8EF", "#FFE0E0", "#E0F0FF", "#E8FFE0", "#FFFF00", "#00FFFF", "#D8D8D8"}
	brands := []string{black, white, "#FFFBF5", "#FFFF00", "#0000FF", "#00FF00", "#FF0000", "#808080", "#777777",
		"#FAF9F7", "#161615", "#1C1B1A", "#010000"}
	random := rand.New(rand.NewPCG(25, 11))
	for range 120 {
		brands = append(brands, rgb{random.Float64(), random.Float64(), random.Float64()}.hex())
		papers = append(papers, rgb{0.7 + 0.3*random.Float64(), 0.7 + 0.3*random.Float64(), 0.7 + 0.3*random.Float64()}.hex())
	}
	taken := 0
	for i, brand := range brands {
		for _, paper := range append(papers[:8:8], papers[i%len(papers)]) {
			if Fault(paper) == "" {
				wantSeen(t, brand, paper)
				taken++
			}
		}
	}
	if taken < 700 {
		t.Errorf("only %d were taken", taken)
	}
}

func TestABrandIsMovedInLightnessAlone(t *testing.T) {
	t.Parallel()
	for _, brand := range []string{"#FFD000", "#9CF0B0", "#40E0FF", "#F0A0FF"} {
		h, s, l := hslOf(brand)
		text := Derive(brand, "").Light.BrandText
		h2, s2, l2 := hslOf(text)
		if math.Abs(h-h2) > 0.05 || math.Abs(s-s2) > 0.02 || l2 >= l {
			t.Errorf("%s became %s: %.2f %.2f %.2f and %.2f %.2f %.2f", brand, text, h, s, l, h2, s2, l2)
		}
	}
}

func TestAPaperOnWhichQuietTextCannotBeReadIsRefusedWithTheNumber(t *testing.T) {
	t.Parallel()
	for _, paper := range []string{black, "#1C1B1A", "#808080", "#B0B0B0", "#0000FF", "#FF4B1F"} {
		fault := Fault(paper)
		_, enough, found := strings.Cut(fault, "needs 4.5 : 1; ")
		enough, _, _ = strings.Cut(enough, " ")
		if !found || !IsColor(enough) || Fault(enough) != "" {
			t.Errorf("%s: %q", paper, fault)
		}
	}
	if fault := Fault("#808080"); !strings.Contains(fault, "bands has 1.5 : 1") {
		t.Error(fault)
	}
}

func TestColoursAreTheSameThereAndBack(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		color := rgb{random.Float64(), random.Float64(), random.Float64()}.hex()
		if got := fromHSL(hslOf(color)); got != color {
			t.Fatalf("by hue %s is %s", color, got)
		}
		if got := labOf(color).hex(); got != color {
			t.Fatalf("by lightness %s is %s", color, got)
		}
	}
}

func TestColoursAsPeopleTypeThem(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{"": "", " #1f4e5f ": "#1F4E5F", "1F4E5F": "#1F4E5F", "#abc": "#AABBCC"} {
		if got, ok := Colour(typed); !ok || got != want {
			t.Errorf("%q is %q", typed, got)
		}
	}
	for _, typed := range []string{"red", "#12345", "#1234567", "#12345G", "#ééé", "aé", "#FFF;}", "url(x)",
		"#FFFFFF}body{display:none"} {
		if got, ok := Colour(typed); ok {
			t.Errorf("%q is taken as %q", typed, got)
		}
	}
}
