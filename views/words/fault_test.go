package words_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lectern/views/words"
)

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
	for _, dir := range []string{"../../models", "../../web/page", "../../web/cfp", "../../web/answers"} {
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
