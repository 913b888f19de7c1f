package look_test

import (
	"math"
	"testing"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/modelstest"
)

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
