package poster

import (
	"embed"
	"image"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// The fonts are as their packages ship them, source-serif 4.5.1 and @expo-google-fonts/inter 0.4.2, both under the SIL
// Open Font License. They write Latin, Greek and Cyrillic.
//
//go:embed fonts
var fontFiles embed.FS

// typeface is a font with a cache of its sizes.
type typeface struct {
	font  func() *opentype.Font
	sizes sync.Map // of style, by size in pixels
}

var (
	serif = &typeface{font: fontOf("source-serif/SourceSerif4-Semibold.ttf")}
	sans  = &typeface{font: fontOf("inter/Inter_600SemiBold.ttf")}
	texts = &typeface{font: fontOf("inter/Inter_500Medium.ttf")}
)

// titles returns the typeface of titles.
func titles(isSans bool) *typeface {
	if isSans {
		return sans
	}
	return serif
}

func fontOf(name string) func() *opentype.Font {
	return sync.OnceValue(func() *opentype.Font {
		b, err := fontFiles.ReadFile("fonts/" + name)
		if err != nil {
			panic(err) // the font is embedded, so this cannot fail
		}
		f, err := opentype.Parse(b)
		if err != nil {
			panic(err)
		}
		return f
	})
}

// has tells whether the font has a glyph for a character.
func (t *typeface) has(r rune) bool {
	var buffer sfnt.Buffer
	glyph, err := t.font().GlyphIndex(&buffer, r)
	return err == nil && glyph != 0
}

// style is a typeface in one size. Its face is not safe for concurrent use, hence the lock.
type style struct {
	face font.Face
	lock *sync.Mutex
	size int
}

func (t *typeface) at(size int) style {
	if kept, known := t.sizes.Load(size); known {
		return kept.(style)
	}
	face, err := opentype.NewFace(t.font(), &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // only an invalid size fails
	}
	kept, _ := t.sizes.LoadOrStore(size, style{face, &sync.Mutex{}, size})
	return kept.(style)
}

func (s style) leading() int { return s.size * 23 / 20 }

func (s style) width(text string) int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return font.MeasureString(s.face, text).Ceil()
}

// draw draws a text. Where glyphs overlap, a pixel keeps whichever covers it more. It locks the style.
func (s style) draw(on *image.Paletted, with ink, text string, at fixed.Point26_6) {
	s.lock.Lock()
	defer s.lock.Unlock()
	before := rune(-1)
	for _, r := range text {
		if before >= 0 {
			at.X += s.face.Kern(before, r)
		}
		where, mask, from, advance, ok := s.face.Glyph(at, r)
		if alpha, isAlpha := mask.(*image.Alpha); ok && isAlpha {
			stamp(on, with, where, alpha, from)
		}
		at.X += advance
		before = r
	}
}

func stamp(on *image.Paletted, with ink, where image.Rectangle, mask *image.Alpha, from image.Point) {
	for y := where.Min.Y; y < where.Max.Y; y++ {
		for x := where.Min.X; x < where.Max.X; x++ {
			cover := int(mask.AlphaAt(from.X+x-where.Min.X, from.Y+y-where.Min.Y).A)
			if place := with.at(cover); cover > 0 && (on.ColorIndexAt(x, y) < with.at(0) || on.ColorIndexAt(x, y) < place ||
				on.ColorIndexAt(x, y) > with.solid()) {
				on.SetColorIndex(x, y, place)
			}
		}
	}
}

// mostLetters is how many characters of a text are looked at: more than a poster has room for.
const mostLetters = 400

// Written returns a text as the fonts can write it: without signs that they lack, such as emoji, but "" where they
// lack letters. Half a title, or one with boxes for letters, says less than none; the caller then shows something
// else. The fonts lack all scripts whose letters join or stack, so none is drawn unshaped.
func Written(text string) string {
	var out strings.Builder
	letters := 0
	for _, r := range norm.NFC.String(strings.Join(strings.Fields(text), " ")) {
		if letters++; letters > mostLetters {
			break
		}
		switch {
		case serif.has(r) && sans.has(r) && texts.has(r):
			out.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Variation_Selector, r):
			return ""
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

const (
	largest, smallest = 92, 44
	mostLines         = 3
)

// fitted returns a title's lines in the largest size that fits, or in the smallest with the end left out.
func fitted(t *typeface, title string, width, height int) (style, []string) {
	for size := largest; ; size -= 8 {
		s := t.at(size)
		lines, whole := wrapped(s, title, width, min(mostLines, height/s.leading()))
		if whole || size == smallest {
			return s, lines
		}
	}
}

// wrapped breaks a text into at most so many lines; whole tells whether all of it fits. If not, the last line ends
// in ….
func wrapped(s style, text string, width, most int) (lines []string, whole bool) {
	words := strings.Fields(text)
	for len(words) > 0 {
		if len(lines) == most-1 {
			rest := strings.Join(words, " ")
			line := shortened(s, rest, width)
			return append(lines, line), line == rest
		}
		n := 1
		for n < len(words) && s.width(strings.Join(words[:n+1], " ")) <= width {
			n++
		}
		line := strings.Join(words[:n], " ")
		if s.width(line) > width { // a single word longer than a line
			return append(lines, shortened(s, line, width)), false
		}
		lines, words = append(lines, line), words[n:]
	}
	return lines, true
}

// shortened cuts a text to the width of a line, at the end of a word where one is near.
func shortened(s style, text string, width int) string {
	if s.width(text) <= width {
		return text
	}
	letters := []rune(text)
	low, high := 0, len(letters) // low characters fit, high do not
	for high-low > 1 {
		if half := (low + high) / 2; s.width(string(letters[:half])+"…") <= width {
			low = half
		} else {
			high = half
		}
	}
	cut := string(letters[:low])
	if at := strings.LastIndexByte(cut, ' '); at > len(cut)*2/3 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,.;:-–") + "…"
}
