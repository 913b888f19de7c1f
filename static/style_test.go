package static

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTextOnTheBrandStandsOnTheBrand keeps what models/look measures true: text in the colour for the brand is on the
// brand as it was chosen, not on the one that was moved to be seen as a line.
func TestTextOnTheBrandStandsOnTheBrand(t *testing.T) {
	sheets, err := filepath.Glob("src/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatal(sheets, err)
	}
	found := 0
	for _, sheet := range sheets {
		text, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range regexp.MustCompile(`\{[^{}]*[; ]color: var\(--onbrand[^{}]*\}`).FindAllString(string(text), -1) {
			if found++; !strings.Contains(rule, "background: var(--brand);") {
				t.Errorf("%s has %s", sheet, rule)
			}
		}
	}
	filled, err := os.ReadFile("site.css")
	if err != nil || found < 2 || !strings.Contains(string(filled), ".public .button.primary:hover{background:var(--brand)") {
		t.Errorf("%d rules, and the filled button is not the brand: %v", found, err)
	}
}
