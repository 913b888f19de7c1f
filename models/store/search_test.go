package store_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhatIsSearchedKnowsNoCaseAccentOrWidth(t *testing.T) {
	t.Parallel()
	for searched, want := range map[string]string{
		"Jérôme": "jerome", "Je\u0301ro\u0302me": "jerome", "JÉRÔME": "jerome", "Søren Łódź": "soren lodz",
		"Straße STRASSE ẞ": "strasse strasse ss", "Þórður Ðæ Œuvre": "thordur dae oeuvre", "İstanbul ılık": "istanbul ilik",
		"ΟΔΟΣ οδος": "οδος οδος", "Ιθάκη": "ιθακη", "ﬁne ｆｕｌｌ": "fine full", "Đặng Thị": "dang thi", "Ångström": "angstrom",
		"  a\t\u00a0 b\u3000c ": "a b c", "山田 太郎": "山田太郎", "山田　太郎": "山田太郎", "山田 Taro": "山田 taro",
		"東京 タワー 展": "東京タワー展", "A-17": "a-17", "100% _x\\": "100% _x\\", "": "", " ": "", "\u0301": "",
	} {
		modelstest.Want(t, searched+" is searched as", store.Searchable(searched), want)
	}
	if store.Searchable("김 민준") != store.Searchable("김민준") || store.Searchable("\u1112\u1161\u11ab") != store.Searchable("한") {
		t.Error("Korean is not one")
	}
	modelstest.Want(t, "two fields", store.Searchable("a\nb", "C"), "a b\nc")
}

func TestFoldingWhatIsFoldedChangesNothing(t *testing.T) {
	modelstest.InTurn(t)
	t.Parallel()
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if unicode.In(r, unicode.C) && !unicode.IsControl(r) {
			continue // nobody's, or private
		}
		text := "x" + string(r) + "y"
		if once := store.Searchable(text); store.Searchable(once) != once {
			t.Errorf("%U is %q, then %q", r, once, store.Searchable(once))
		}
	}
}

func TestTheWordsOfASearch(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                         nil,
		"  \t ":                    nil,
		`"`:                        {`"`},
		` "" `:                     {`""`},
		"\u0301":                   nil,
		`" " "" x`:                 {"x"},
		"Zoë lee":                  {"lee", "zoe"},
		`"Zoë  Lee" x`:             {"zoe lee", "x"},
		`“Zoë Lee” x`:              {"zoe lee", "x"},
		`"never closed`:            {"never closed"},
		`12" vinyl`:                {"vinyl", `12"`},
		`"a"b`:                     {"a", "b"},
		"harbour Harb bour our zz": {"harbour", "zz"},
		"a a a":                    {"a"},
		"山田 太郎":                    {"太郎", "山田"},
		`"山田 太郎"`:                  {"山田太郎"},
		"\u0301 x":                 {"x"},
	} {
		got := store.SearchWords(text)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, store.Words(want)) {
			t.Errorf("%q asks for %q, want %q", text, got, want)
		}
	}
}

// marked writes pieces of text with the found ones in brackets.
func marked(pieces []store.Piece) string {
	var out strings.Builder
	for _, p := range pieces {
		if p.Found {
			out.WriteString("[" + p.Text + "]")
		} else {
			out.WriteString(p.Text)
		}
	}
	return out.String()
}

func TestWordsAreMarkedAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ search, text, want string }{
		{"jerome", "Dr. Jérôme K.", "Dr. [Jérôme] K."},
		{"jerome", "Je\u0301ro\u0302me\u0301 K.", "[Je\u0301ro\u0302me\u0301] K."},
		{"trass", "Große Straße", "Große S[traß]e"},
		{"山田太郎", "著者 山田 太郎 氏", "著者 [山田 太郎] 氏"},
		{"aa", "aaaaa", "[aaaa]a"},
		{"ab bc", "xabcx", "x[abc]x"},
		{`"a b"`, "A  b", "[A  b]"},
		{"none", "text", "text"},
		{"x", "", ""},
		{"<b>", "a <b> c", "a [<b>] c"},
		{"b", "a\xffb", "a\xff[b]"},
	} {
		modelstest.Want(t, c.search+" in "+c.text+" is", marked(store.SearchWords(c.search).Mark(c.text)), c.want)
	}
}

func TestAnExcerptIsAroundTheFirstWordFound(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("vorher ", 20) + "der Kölner Hafen liegt still" + strings.Repeat(" nachher", 20)
	want := "… vorher vorher vorher vorher vorher der [Kölner] [Hafen] liegt still" + strings.Repeat(" nachher", 7) + " …"
	modelstest.Want(t, "marked", marked(store.SearchWords("hafen kolner").Excerpt(long)), want)
	modelstest.Want(t, "marked", marked(store.SearchWords("still").Excerpt("It is still.")), "It is [still].")
	if got := store.SearchWords("loud").Excerpt("It is still."); got != nil {
		t.Errorf("%v", got)
	}
}

func FuzzSearchable(f *testing.F) {
	f.Add("Jérôme 山田 太郎", `"x y" ro`)
	f.Add("\xffa\u0301 ﷺ", "ﷺ")
	f.Fuzz(func(t *testing.T, text, search string) {
		once := store.Searchable(text)
		if store.Searchable(once) != once && !strings.Contains(once, "\ufffd") {
			t.Fatalf("%q is %q, then %q", text, once, store.Searchable(once))
		}
		words := store.SearchWords(search)
		whole := ""
		for _, p := range words.Mark(text) {
			whole += p.Text
		}
		if whole != text {
			t.Fatalf("%q came apart into %q", text, whole)
		}
		for _, word := range words {
			if strings.Contains(once, word) != ((store.Words{word}).Excerpt(text) != nil) {
				t.Fatalf("%q is in %q and not shown, or the other way round", word, text)
			}
		}
	})
}

func TestOneErrorOfALongWordIsForgiven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, text string
		near        bool
	}{
		{"harbour", "Harbours at night", true},
		{"harbuor", "Harbours at night", true},  // two in each other's place
		{"hrbour", "Harbours at night", true},   // one missing
		{"harrbour", "Harbours at night", true}, // one too many
		{"hatbour", "Harbours at night", true},  // a wrong one
		{"xarbour", "Harbours at night", true},
		{"harbo", "Harbours at night", true},
		{"harbourx", "The harbour", true},
		{"kowalksa anna", "Anna Kowalska", true},
		{"kowalksa annna", "Anna Kowalska", true},
		{"Jerone", "Jérôme", true},
		{"hxrbxur", "Harbours at night", false}, // two errors
		{"arbuor", "Harbours at night", false},
		{"tode", "Tides", false}, // too short
		{"night tode", "Tides at night", false},
		{"harbuor zebra", "Harbours at night", false},
		{"bour", "Harbours at night", true},
		{"harbuorsandmore", "Harbours", false},
		{"nigth", "", false},
		{"山田太郎山", "山田太郎", true},
	} {
		modelstest.Want(t, c.typed+" is near "+c.text, store.SearchWords(c.typed).Near(store.Searchable(c.text)), c.near)
	}
	if store.SearchWords("a tide").Forgive() || !store.SearchWords("a tides").Forgive() {
		t.Error("what has room for an error is not told")
	}
}
