package look

import (
	"fmt"
	"math"

	"lectern/models"
)

// Colours are the colours of an event's public pages, derived from its brand and its paper.
type Colours struct{ Light, Dark Scheme }

// Scheme is the colours of light or of dark pages, as hex. Muted is readable on all three surfaces, text in the brand's
// colour on Paper and Panel.
type Scheme struct {
	Paper, Panel, Sunk string // the surfaces
	Ink, Muted         string // text
	Hairline           string
	Edge, Field        string // borders of buttons and of fields
	Brand              string // filled areas; as the organizer chose it
	OnBrand            string // text on it
	BrandLine          string // lines and marks
	BrandText          string // links and other text
}

// These are our own colours; static/src/tokens.css has the same.
var (
	ourLight = Scheme{Paper: "#FAF9F7", Panel: "#FFFFFF", Sunk: "#F3F1ED", Ink: "#1C1B1A", Muted: "#5F5B55",
		Hairline: "#E4E0D9", Edge: "#BDB7AD", Field: "#8C867D",
		Brand: "#1F4E5F", OnBrand: "#FFFFFF", BrandLine: "#1F4E5F", BrandText: "#1F5A6E"}
	ourDark = Scheme{Paper: "#161615", Panel: "#1E1E1C", Sunk: "#121211", Ink: "#ECEAE6", Muted: "#A8A39B",
		Hairline: "#32312E", Edge: "#55514B", Field: "#77726A",
		Brand: "#7CC4DA", OnBrand: "#10262D", BrandLine: "#7CC4DA", BrandText: "#7CC4DA"}
)

const (
	black, white = "#000000", "#FFFFFF"
	// leastText and leastLine are WCAG's minimum contrasts of text, and of other things that must be visible.
	leastText, leastLine = 4.5, 3.0
	// ampleText and ampleLine are the contrasts that derived colours get, so that rounding never takes them below the
	// minimum.
	ampleText, ampleLine = 4.6, 3.1
	// lightnessStep is how far moved changes a colour's lightness in one step, of 1.
	lightnessStep = 0.005
	// darkTint is how much of the paper's tint dark pages take over.
	darkTint = 0.5
)

// Derive computes the colours of a brand and a paper, "" for ours. The brand itself stays; text and lines in its colour
// change in lightness until they are readable. It does not check the paper: see Fault.
func Derive(brand, paper string) Colours {
	light, dark := ourLight, ourDark
	if brand != "" {
		on := onBrand(brand)
		for _, s := range []*Scheme{&light, &dark} {
			s.Brand, s.OnBrand, s.BrandLine, s.BrandText = brand, on, brand, brand
		}
	}
	if paper != "" {
		tint := labOf(paper).minus(labOf(ourLight.Paper))
		light.tinted(tint)
		light.Paper = paper
		dark.tinted(lab{0, darkTint * tint.a, darkTint * tint.b})
	}
	light.seen(-1)
	dark.seen(+1)
	return Colours{light, dark}
}

// tinted shifts the neutral colours by a tint.
func (s *Scheme) tinted(by lab) {
	for _, color := range []*string{&s.Paper, &s.Panel, &s.Sunk, &s.Hairline, &s.Edge} {
		*color = labOf(*color).plus(by).hex()
	}
	for _, color := range []*string{&s.Muted, &s.Field} {
		*color = labOf(*color).plus(lab{0, by.a, by.b}).hex()
	}
}

// seen makes text and lines darker (-1) or lighter (+1) until they are readable.
func (s *Scheme) seen(way float64) {
	s.BrandText = moved(s.BrandText, way, ampleText, s.Paper, s.Panel)
	s.BrandLine = moved(s.BrandLine, way, ampleLine, s.Paper, s.Panel)
	s.Field = moved(s.Field, way, leastLine, s.Paper, s.Panel)
	if way > 0 {
		s.Muted = moved(s.Muted, way, leastText, s.surfaces()...)
	}
}

func (s *Scheme) surfaces() []string { return []string{s.Paper, s.Panel, s.Sunk} }

// Line returns a colour, such as a track's, as a line on light and dark pages: changed in lightness until it is
// visible.
func (c Colours) Line(color string) (light, dark string) {
	return moved(color, -1, ampleLine, c.Light.Paper, c.Light.Panel),
		moved(color, +1, ampleLine, c.Dark.Paper, c.Dark.Panel)
}

// onBrand returns the colour of text on a brand: ink or white, whichever is more readable, or black where neither is.
func onBrand(brand string) string {
	best := ourLight.Ink
	if Contrast(white, brand) > Contrast(best, brand) {
		best = white
	}
	if Contrast(best, brand) < leastText {
		return black
	}
	return best
}

// Fault says why text on a paper is not readable, and which paper would do; "" if it is readable. Muted text decides,
// as it needs the most.
func Fault(paper string) string {
	if quietest(paper) >= leastText {
		return ""
	}
	h, s, l := hslOf(paper)
	enough := paper
	for quietest(enough) < leastText {
		l += lightnessStep
		enough = fromHSL(h, s, min(l, 1))
	}
	return fmt.Sprintf("is too dark: quiet text on its bands has %.1f : 1 and needs %.1f : 1; %s or a lighter one will do",
		math.Floor(10*quietest(paper))/10, leastText, enough)
}

// quietest returns the lowest contrast of muted text on the surfaces that go with a paper.
func quietest(paper string) float64 {
	light := Derive("", paper).Light
	return lowest(light.Muted, light.surfaces()...)
}

// lowest returns the lowest contrast of a colour on some grounds.
func lowest(color string, grounds ...string) float64 {
	least := math.Inf(1)
	for _, ground := range grounds {
		least = min(least, Contrast(color, ground))
	}
	return least
}

// moved changes the lightness of a colour in a direction, up to the first that has the contrast on all grounds; the
// last are black on the way down and white on the way up.
func moved(color string, way, ratio float64, grounds ...string) string {
	h, s, l := hslOf(color)
	for last := false; !last && lowest(color, grounds...) < ratio; {
		l += way * lightnessStep
		last = l <= 0 || l >= 1
		color = fromHSL(h, s, max(0, min(l, 1)))
	}
	return color
}

// A track is shown as a 3 px bar on the page and as a tint of its colour under text in ink.
const (
	trackTint   = 0.08
	MinContrast = 3.0 // WCAG 2.2, 1.4.11 for what is no text, 1.4.3 for large text
)

// ContrastRatio returns the lowest of WCAG's contrasts of a track's colour: as a bar on the light and the dark page,
// and as a tint under ink. It is from 1 to 21, and 0 for what is no hex colour.
func ContrastRatio(color string) float64 {
	light, dark := Contrasts(color)
	return min(light, dark)
}

// Contrasts returns those of a track's colour on the light page, as a bar and as a tint under ink, and on the dark
// page; both are 0 for what is no hex colour.
func Contrasts(color string) (light, dark float64) {
	if !models.ColorPattern.MatchString(color) {
		return 0, 0
	}
	c, white := rgbOf(color), rgbOf(ourLight.Panel)
	var tinted rgb
	for i := range c {
		tinted[i] = trackTint*c[i] + (1-trackTint)*white[i]
	}
	return min(contrast(c, white), contrast(rgbOf(ourLight.Ink), tinted)), contrast(c, rgbOf(ourDark.Panel))
}

// ContrastOK reports whether a track's colour is visible wherever it is shown. Pages warn of one that is not; no
// operation refuses it.
func ContrastOK(color string) bool { return ContrastRatio(color) >= MinContrast }

// Contrast returns WCAG's ratio of two hex colours, from 1 to 21; 0 if one is not a hex colour.
func Contrast(a, b string) float64 {
	if !IsColor(a) || !IsColor(b) {
		return 0
	}
	return contrast(rgbOf(a), rgbOf(b))
}

// IsColor reports whether a text is a hex colour such as #1F4E5F.
func IsColor(s string) bool { return models.ColorPattern.MatchString(s) }

// contrast returns WCAG's ratio of two colours.
func contrast(a, b rgb) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c rgb) float64 {
	c = c.linear()
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}

// linear returns the light of each part of an sRGB colour.
func (c rgb) linear() rgb {
	for i, part := range c {
		if part <= 0.04045 {
			c[i] = part / 12.92
		} else {
			c[i] = math.Pow((part+0.055)/1.055, 2.4)
		}
	}
	return c
}
