package look

import (
	"math"

	"lectern/models"
)

// A track is shown as a 3 px bar on the page and as a tint of its colour under text in ink.
const (
	ink         = "#1C1B1A"
	lightPage   = "#FFFFFF"
	darkPage    = "#1E1E1C"
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
	c, white := rgbOf(color), rgbOf(lightPage)
	var tinted rgb
	for i := range c {
		tinted[i] = trackTint*c[i] + (1-trackTint)*white[i]
	}
	return min(contrast(c, white), contrast(rgbOf(ink), tinted)), contrast(c, rgbOf(darkPage))
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
	linear := func(part float64) float64 {
		if part <= 0.04045 {
			return part / 12.92
		}
		return math.Pow((part+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c[0]) + 0.7152*linear(c[1]) + 0.0722*linear(c[2])
}
