package page

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"lectern/models/modelstest"
	"lectern/views/components"
)

// marked returns a difference as text: deletions in [- -], insertions in [+ +], a line for each passage.
func marked(passages []components.Passage) string {
	var out []string
	for _, p := range passages {
		if p.Alike > 0 {
			out = append(out, fmt.Sprintf("(%d alike)", p.Alike))
			continue
		}
		var line strings.Builder
		for _, piece := range p.Pieces {
			line.WriteString([]string{"", "[-", "[+"}[piece.Fate] + piece.Text + []string{"", "-]", "+]"}[piece.Fate])
		}
		out = append(out, line.String())
	}
	return strings.Join(out, "\n")
}

func TestADifferenceIsToldWordByWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, after, want string }{
		{"a word", "<p>The tide goes out.</p>", "<p>The tide comes out.</p>", "The tide [-goes-][+comes+] out."},
		{"words in a row are one change", "<p>one red small fish in the sea</p>", "<p>one blue large fish in the sea</p>",
			"one [-red small-][+blue large+] fish in the sea"},
		{"a paragraph more", "<p>One</p><p>Three</p>", "<p>One</p><p>Two</p><p>Three</p>", "(1 alike)\n[+Two+]\n(1 alike)"},
		{"a paragraph less", "<p>One</p><p>Two</p><p>Three</p>", "<p>One</p><p>Three</p>", "(1 alike)\n[-Two-]\n(1 alike)"},
		{"a paragraph in two", "<p>It ebbs. It flows.</p>", "<p>It ebbs.</p><p>It flows.</p>", "It ebbs.[- -]\nIt flows."},
		{"others instead", "<p>Lorem ipsum</p><p>dolor sit</p>", "<p>Alpha beta</p><p>gamma delta</p>",
			"[-Lorem ipsum-][+Alpha beta+]\n[-dolor sit-][+gamma delta+]"},
		{"nothing before", "", "<p>New</p>", "[+New+]"},
		{"nothing left", "<p>Old</p>", "", "[-Old-]"},
		{"both empty", "", "", ""},
		{"markup alone", "<p>Same</p>", "<p><strong>Same</strong></p>", "(1 alike)"},
		{"no markup", "One\n\nTwo words", "One\n\nTwo other words", "(1 alike)\nTwo[+ other+] words"},
		{"entities are characters", "<p>R &amp; D</p>", "<p>R &lt;b&gt; D</p>", "R [-&-][+<b>+] D"},
		{"scripts without spaces", "<p>東京の海</p>", "<p>東京の山</p>", "東京の[-海-][+山+]"},
		{"marks stay with their letter", "<p>ne\u0301e</p>", "<p>nee</p>", "[-ne\u0301e-][+nee+]"},
		{"apostrophes", "<p>it's here now</p>", "<p>it isn’t here now</p>", "[-it's-][+it isn’t+] here now"},
	} {
		modelstest.Want(t, c.name, marked(Difference(c.before, c.after)), c.want)
	}
	if Differs(Difference("<p>Same</p>", "<h3>Same</h3>")) || !Differs(Difference("a", "b")) {
		t.Error("only words count as a difference")
	}
}

// TestADifferenceLosesNoWord puts both texts together again out of the difference.
func TestADifferenceLosesNoWord(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 11))
	text := func(paragraphs, length int) string {
		var out strings.Builder
		for range paragraphs {
			out.WriteString("<p>")
			for i := range length {
				if i > 0 {
					out.WriteString(" ")
				}
				fmt.Fprintf(&out, "w%d", random.IntN(40))
			}
			out.WriteString("</p>")
		}
		return out.String()
	}
	for range 300 {
		before, after := text(random.IntN(5), 1+random.IntN(30)), text(random.IntN(5), 1+random.IntN(30))
		var was, is strings.Builder
		for _, passage := range Difference(before, after) {
			for _, piece := range passage.Pieces {
				if piece.Fate != components.Inserted {
					was.WriteString(piece.Text)
				}
				if piece.Fate != components.Deleted {
					is.WriteString(piece.Text)
				}
			}
		}
		squeezed := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeezed(was.String()) != squeezed(Lines(before)) || squeezed(is.String()) != squeezed(Lines(after)) {
			t.Fatalf("%q → %q became\n%s", before, after, marked(Difference(before, after)))
		}
	}
}

func TestADifferenceOfLongTextsIsShort(t *testing.T) {
	t.Parallel()
	long := strings.TrimSpace(strings.Repeat("tide and harbour ", 2900))
	got := marked(Difference("<p>"+long+"</p>", "<p>"+long+" bell</p>"))
	if !strings.HasSuffix(got, "harbour[+ bell+]") || len(got) > 1000 {
		t.Errorf("%d bytes: %.80q … %.80q", len(got), got, got[max(0, len(got)-80):])
	}
	paragraphs := strings.Repeat("<p>One of many</p>", 2500)
	got = marked(Difference(paragraphs, strings.Replace(paragraphs, "many", "few", 1)))
	modelstest.Want(t, "the got", got, "One of [-many-][+few+]\n(2499 alike)")
}

// BenchmarkDifference shows that twice the text takes twice the time, however little both have in common.
func BenchmarkDifference(b *testing.B) {
	for _, n := range []int{12_500, 25_000, 50_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			text := func() string {
				var out strings.Builder
				for out.Len() < n {
					fmt.Fprintf(&out, "%c ", 'a'+random.IntN(26))
				}
				return out.String()
			}
			before, after := text(), text()
			for b.Loop() {
				Difference(before, after)
			}
		})
	}
}

func TestADifferenceOfAnyLengthIsShortOnThePage(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]func(i int) string{
		"paragraphs": func(i int) string { return fmt.Sprint("<p>", i*7919%997, "</p>") },
		"words":      func(i int) string { return fmt.Sprint(i*7919%997, " ") },
		"one word":   func(i int) string { return fmt.Sprint(i * 7919 % 997) },
	} {
		var was, is strings.Builder
		for i := range 10_000 {
			was.WriteString(text(i))
			is.WriteString(text(i * i))
		}
		pieces, letters, passages := 0, 0, Difference(was.String(), is.String())
		for _, p := range passages {
			for _, piece := range p.Pieces {
				pieces, letters = pieces+1, letters+len(piece.Text)
			}
		}
		if last := passages[len(passages)-1]; len(passages) > 62 || pieces > 400 || letters > 20_000 || !last.More {
			t.Errorf("%s: %d passages of %d pieces and %d letters, ending in %+v", name, len(passages), pieces, letters, last)
		}
	}
}
