package words_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"lectern/views/words"
)

// catalogue reads what each language says, by its ids; of plurals each form.
func catalogue(t *testing.T) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, name := range files {
		subject, tag, _ := strings.Cut(strings.TrimSuffix(name, ".toml"), ".")
		var in map[string]map[string]any
		if _, err := toml.DecodeFile(name, &in); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if all[tag] == nil {
			all[tag] = map[string]any{}
		}
		for group, messages := range in {
			for key, value := range messages {
				id := group + "." + key
				if _, twice := all[tag][id]; twice {
					t.Errorf("%s says %s, which stands in another file as well (%s)", name, id, subject)
				}
				all[tag][id] = value
			}
		}
	}
	return all
}

// places returns the placeholders of a message, sorted, each once.
func places(message string) string {
	found := regexp.MustCompile(`{{\.(\w+)}}`).FindAllString(message, -1)
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " ")
}

func TestEachLanguageSaysTheSame(t *testing.T) {
	t.Parallel()
	all := catalogue(t)
	for _, l := range words.All() {
		for id, english := range all["en"] {
			said, known := all[l.Tag][id]
			forms, isPlural := english.(map[string]any)
			switch {
			case !known:
				t.Errorf("%s does not say %s", l.Tag, id)
			case !isPlural:
				if text := fmt.Sprint(said); places(text) != places(fmt.Sprint(english)) || strings.TrimSpace(text) == "" {
					t.Errorf("%s says of %s %q, English %q", l.Tag, id, text, english)
				}
			default:
				for _, n := range []int{0, 1, 2, 5, 100, 1_000_000} {
					if got := l.N(id, n); got == id || strings.Contains(got, "no value") && !strings.Contains(fmt.Sprint(forms),
						"{{.") {
						t.Errorf("%s says of %d %s %q", l.Tag, n, id, got)
					}
				}
			}
		}
		for id := range all[l.Tag] {
			if _, known := all["en"][id]; !known {
				t.Errorf("%s says %s, which English does not", l.Tag, id)
			}
		}
	}
}

// askedEither finds two ids of which code asks for one, asked all others.
var askedEither = regexp.MustCompile(`Either\([^\n]*?"([a-z0-9_]+\.[a-z0-9_]*)", "([a-z0-9_]+\.[a-z0-9_]*)"\)`)

var asked = regexp.MustCompile(`\.(?:T|N)\((?:ctx, )?"([a-z0-9_]+\.[a-z0-9_]*)"( ?\+)?`)

func TestTheCatalogueHasWhatPagesAsk(t *testing.T) {
	t.Parallel()
	english, used := catalogue(t)["en"], map[string]bool{}
	for _, dir := range []string{"..", "../../web", "../../models/call"} {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".templ") ||
				strings.HasSuffix(path, "_templ.go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			all := asked.FindAllStringSubmatch(string(text), -1)
			for _, two := range askedEither.FindAllStringSubmatch(string(text), -1) {
				all = append(all, []string{"", two[1], ""}, []string{"", two[2], ""})
			}
			for _, found := range all {
				used[found[1]] = true
				if _, known := english[found[1]]; !known && found[2] == "" {
					t.Errorf("%s asks for %s, which the catalogue does not have", path, found[1])
				}
			}
			for _, quoted := range regexp.MustCompile(`"([a-z0-9_]+\.[a-z0-9_]+)"`).FindAllStringSubmatch(string(text), -1) {
				used[quoted[1]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for id := range english {
		group, _, _ := strings.Cut(id, ".")
		if !used[id] && !used[group+"."] {
			t.Errorf("the catalogue has %s, and nothing asks for it", id)
		}
	}
}

func TestDatesAndNumbersAreThoseOfTheLanguage(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 2, 3, 9, 5, 0, 0, time.UTC)
	for tag, want := range map[string]string{
		"en": "Saturday 3 February | 3 February 2024 | 3–4 February 2024 | 3 February – 1 March 2024 | 12,345 | 09:05 | 2 sessions | Saturday 3",
		"de": "Samstag, 3. Februar | 3. Februar 2024 | 3.–4. Februar 2024 | 3. Februar – 1. März 2024 | 12.345 | 09:05 | 2 Vorträge | Samstag 3.",
		"fr": "samedi 3 février | 3 février 2024 | 3–4 février 2024 | 3 février – 1er mars 2024 | 12 345 | 09:05 | 2 sessions | Samedi 3",
		"es": "sábado, 3 de febrero | 3 de febrero de 2024 | 3–4 de febrero de 2024 | 3 de febrero – 1 de marzo de 2024 | 12.345 | 09:05 | 2 sesiones | Sábado 3",
	} {
		l := words.For(tag)
		got := strings.Join([]string{l.Day(at), l.Date(at), l.Days(at, at.AddDate(0, 0, 1)), l.Days(at, at.AddDate(0, 0, 27)),
			l.Number(12345), l.TimeOf(at), l.N("agenda.sessions", 2), l.DayName(at)}, " | ")
		if strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(got) != want {
			t.Errorf("%s has %q, not %q", tag, got, want)
		}
	}
}

func TestABrowserGetsTheLanguageThatItLikesBest(t *testing.T) {
	t.Parallel()
	some := []*words.Language{words.For("en"), words.For("de")}
	for header, want := range map[string]string{
		"": "en", "de": "de", "de-AT,en;q=0.5": "de", "fr-FR, de;q=0.3, en;q=0.2": "de", "ja": "en", "\x00;;,q=": "en",
		"en;q=0.2,de;q=0.9": "de", strings.Repeat("de,", 1000): "en",
	} {
		if got := words.Accepted(header, some).Tag; got != want {
			t.Errorf("%.40q gets %s, not %s", header, got, want)
		}
	}
}

func TestSizesAreSaidInTheUnitsOfTheLanguage(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"en": "0 bytes|1 byte|999 bytes|1.0 kB|9.9 kB|10 kB|1.0 MB|17 MB|1.0 GB|2,000 GB",
		"de": "0 Bytes|1 Byte|999 Bytes|1,0 kB|9,9 kB|10 kB|1,0 MB|17 MB|1,0 GB|2.000 GB",
		"fr": "0 octet|1 octet|999 octets|1,0 ko|9,9 ko|10 ko|1,0 Mo|17 Mo|1,0 Go|2 000 Go",
		"es": "0 bytes|1 byte|999 bytes|1,0 kB|9,9 kB|10 kB|1,0 MB|17 MB|1,0 GB|2.000 GB",
	} {
		var got []string
		for _, bytes := range []int64{0, 1, 999, 1000, 9_900, 9_950, 999_600, 17_000_000, 999_600_000, 2_000_000_000_000} {
			got = append(got, words.For(tag).Size(bytes))
		}
		if said := strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(strings.Join(got, "|")); said != want {
			t.Errorf("%s has %q, not %q", tag, said, want)
		}
	}
}

func TestWhatIsReadFromTheRightStandsApartInASentence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "Hall 2": "Hall 2", "Größe 東京": "Größe 東京", "قاعة 2": "\u2068قاعة 2\u2069",
		"Talk על": "\u2068Talk על\u2069"} {
		if got := words.Apart(text); got != want {
			t.Errorf("%q stands as %q", text, got)
		}
	}
}

var (
	joint = regexp.MustCompile(`"\s*\+\s*"`)
	value = regexp.MustCompile(`{{\.\w+}}`)
)

// composed are what rules put together of a number and words: what of it stands there.
var composed = map[string]string{
	"word": " too long", "letter": " too long", "letters": " too long", "wordlimit": "The limit is %d.",
	"letterlimit": "The limit is %d.", "letterslimit": "The limit is %d.", "attempt": `"1 minute"`,
	"mostspeakers": "there are at most %d speakers", "onespeaker": "there is 1 speaker",
	"drafts":        " here. Go on with one of those.",
	"submittedmost": ", which is as many as one person can here. Withdraw one to submit this one.",
	"submittedone":  ", which is as many as one person can here. Withdraw one to submit this one.",
}

func TestWhatTheCatalogueKnowsByItsEnglishIsSaidSomewhere(t *testing.T) {
	t.Parallel()
	var sources strings.Builder
	for _, dir := range []string{"../../models", "../../web/page", "../../web/call", "../../web/answers"} {
		err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			sources.WriteString(joint.ReplaceAllString(string(text), ""))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	all := sources.String()
	for id, said := range catalogue(t)["en"] {
		if !strings.HasPrefix(id, "fault.") && !strings.HasPrefix(id, "standard.") {
			continue
		}
		longest := composed[strings.TrimPrefix(id, "fault.")]
		for _, part := range value.Split(said.(string), -1) {
			if composed[strings.TrimPrefix(id, "fault.")] == "" && len(part) > len(longest) {
				longest = strings.TrimSpace(part)
			}
		}
		if !strings.Contains(all, longest) {
			t.Errorf("no rule and no form says %s, %q", id, said)
		}
	}
}

func TestAFaultIsKnownByItsEnglish(t *testing.T) {
	t.Parallel()
	de := words.For("de")
	for message, want := range map[string]string{
		"must not be empty": "darf nicht leer sein",
		"is 3001 characters long; at most 3000 are allowed": "hat 3001 Zeichen; höchstens 3000 sind erlaubt",
		"The call closed on 1 March 2027, 23:59 New York, so the answers stay as they are.": "Der Call endete am " +
			"1. März 2027, 23:59 New York, die Antworten bleiben also, wie sie sind.",
		"1 word too long. The limit is 80.":  "1 Wort zu lang. Das Limit ist 80.",
		"7 words too long. The limit is 80.": "7 Wörter zu lang. Das Limit ist 80.",
	} {
		if got, known := de.Fault(message); got != want || !known {
			t.Errorf("%q is %q, %t", message, got, known)
		}
		if got, known := words.English().Fault(message); got != message || !known {
			t.Errorf("%q is %q in English", message, got)
		}
	}
	if got, known := de.Fault("nobody ever says this"); got != "nobody ever says this" || known {
		t.Errorf("%q, %t", got, known)
	}
}
