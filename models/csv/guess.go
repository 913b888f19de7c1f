package csv

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models/store"
)

// Certainty says how sure a guess is; later values are surer.
type Certainty int

const (
	leftOut  Certainty = iota // nothing indicates a known field
	Unclear                   // another column fits better, or the values do not look like it: ask
	ByValues                  // the values look like it
	Likely                    // the header says so among other words, or with an ambiguous word
	Exact                     // the header says so
)

// Guess is what a column seems to hold.
type Guess struct {
	Target string // name of a target, unique per file; "" if left out or unclear
	Certainty
	Why     string   // why the column is left out, if its target says so
	Samples []string // from the first three rows; "" for empty cells
}

// candidate is a preliminary guess, which others may beat.
type candidate struct {
	target int // index in targets; -1 for none
	Certainty
	weight int // number of letters that match
}

// Guess returns a guess for each column. targets may be just Targets, or other targets before them, such as fields that
// staff defined, with their labels as words: of two with the same word the first wins.
func (f *File) Guess(targets []Target) []Guess {
	known := vocabularyOf(targets)
	candidates := make([]candidate, len(f.Columns))
	for i, column := range f.Columns {
		candidates[i] = known.look(column.Header)
		if c := candidates[i]; c.Certainty != Exact || targets[c.target].Why == "" {
			candidates[i].heed(targets, f.values(i))
		}
	}
	guesses := make([]Guess, len(f.Columns))
	for i, c := range candidates {
		for _, row := range f.Sample[:min(3, len(f.Sample))] {
			guesses[i].Samples = append(guesses[i].Samples, strings.TrimSpace(row[i]))
		}
		switch {
		case c.target < 0:
			guesses[i].Certainty = c.Certainty
		case targets[c.target].Name == "":
			guesses[i].Why = targets[c.target].Why
		case bestOf(candidates, c.target) == i:
			guesses[i].Target, guesses[i].Certainty = targets[c.target].Name, c.Certainty
		default:
			guesses[i].Certainty = Unclear
		}
	}
	f.tellNamesApart(guesses)
	return guesses
}

// bestOf returns the column that most surely holds a target, the first one of several.
func bestOf(candidates []candidate, target int) int {
	best := -1
	for i, c := range candidates {
		if c.target == target && (best < 0 || c.Certainty > candidates[best].Certainty) {
			best = i
		}
	}
	return best
}

// values returns the non-empty values of a column in the sample.
func (f *File) values(column int) (values []string) {
	for _, row := range f.Sample {
		if value := strings.TrimSpace(row[column]); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// heed checks a candidate against the values: what most of them look like outweighs the header, and what hardly any
// looks like is not what the header says.
func (c *candidate) heed(targets []Target, values []string) {
	if len(values) == 0 {
		return
	}
	alike := func(t Target) int {
		n := 0
		for _, value := range values {
			if t.Looks(value) {
				n++
			}
		}
		return n
	}
	if c.Certainty == Exact && targets[c.target].Takes && 2*alike(targets[c.target]) > len(values) {
		return
	}
	for i, t := range targets {
		if t.Tells && i != c.target && 2*alike(t) > len(values) {
			*c = candidate{target: i, Certainty: ByValues}
			return
		}
	}
	if c.target >= 0 && targets[c.target].Looks != nil && !targets[c.target].Takes && 5*alike(targets[c.target]) < len(values) {
		*c = candidate{target: -1, Certainty: Unclear}
	}
}

// tellNamesApart resolves columns of names by their neighbours: Name beside Vorname is the last name, nombre beside
// apellidos the first, and a full name beside both is not needed.
func (f *File) tellNamesApart(guesses []Guess) {
	at := func(target string) int {
		return slices.IndexFunc(guesses, func(g Guess) bool { return g.Target == target })
	}
	full, first, last := at("full_name"), at("first_name"), at("last_name")
	if full < 0 || first < 0 && last < 0 {
		return
	}
	g := &guesses[full]
	whole := (first < 0 || f.within(first, full)) && (last < 0 || f.within(last, full))
	switch {
	case first >= 0 && last >= 0 && whole:
		g.Target, g.Certainty = "", leftOut
	case first >= 0 && last >= 0:
		g.Target, g.Certainty = "", Unclear
	case whole:
	case first >= 0:
		g.Target, g.Certainty = "last_name", Likely
	default:
		g.Target, g.Certainty = "first_name", Likely
	}
}

// within reports whether most values of one column are part of those of another.
func (f *File) within(part, whole int) bool {
	rows, within := 0, 0
	for _, row := range f.Sample {
		if row[part] != "" && row[whole] != "" {
			rows++
			if strings.Contains(" "+tokens(row[whole])+" ", " "+tokens(row[part])+" ") {
				within++
			}
		}
	}
	return 2*within > rows
}

// vocabulary maps words without spaces to targets: whole headers, and parts of headers.
type vocabulary struct{ whole, part map[string]candidate }

func vocabularyOf(targets []Target) vocabulary {
	v := vocabulary{map[string]candidate{}, map[string]candidate{}}
	add := func(to map[string]candidate, word string, c candidate) {
		if _, taken := to[word]; !taken {
			to[word] = c
		}
	}
	for i, t := range targets {
		for _, word := range t.Words {
			c := candidate{target: i, Certainty: Exact}
			if plain, weak := strings.CutSuffix(word, "?"); weak {
				word = plain
				if t.Why == "" {
					c.Certainty = Likely
				}
			}
			if word = strings.Join(headerTokens(word), ""); word == "" {
				continue
			}
			c.weight = utf8.RuneCountInString(word)
			if add(v.whole, word, c); t.Why == "" {
				add(v.part, word, c)
			}
		}
	}
	return v
}

// mostTokens is how many words of a header are looked at.
const mostTokens = 12

// headerTokens returns the words of a header that are looked at.
func headerTokens(header string) []string {
	all := strings.Fields(tokens(shorten(header)))
	return all[:min(len(all), mostTokens)]
}

// look returns what a header says: all its words together, else its longest meaningful stretch of words, the last one
// of several.
func (v vocabulary) look(header string) candidate {
	all := headerTokens(header)
	if c, found := v.whole[strings.Join(all, "")]; found {
		return c
	}
	best := candidate{target: -1}
	take := func(word string) {
		if c, found := v.part[word]; found && c.weight >= best.weight {
			best = candidate{target: c.target, Certainty: Likely, weight: c.weight}
		}
	}
	for from := range all {
		for to := from + 1; to <= len(all); to++ {
			take(strings.Join(all[from:to], ""))
		}
		// Chinese characters and kana have no spaces between words; a single character is too ambiguous.
		letters := []rune(all[from])
		for i := range letters {
			for n := 2; n <= 12 && i+n <= len(letters) && isJapanese(letters[i+n-1]) && isJapanese(letters[i]); n++ {
				take(string(letters[i : i+n]))
			}
		}
	}
	return best
}

func isJapanese(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// tokens returns the words and numbers of a text, folded for search, with single spaces.
func tokens(text string) string {
	var out strings.Builder
	last := ' '
	for _, r := range store.Searchable(text) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsDigit(r) != unicode.IsDigit(last):
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		last = r
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
