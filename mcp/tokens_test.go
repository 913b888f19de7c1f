package mcp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"lectern/models"
	"lectern/models/store"
)

var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// tokens approximates how many tokens a public tokenizer (o200k) makes of JSON
// and English: digits by threes, a word and the space before it by eights, a run
// of punctuation by threes. It is within a tenth of the real count on what the
// tools answer (e2e/node counts that). An id counts as 24, the mean: how many
// runs its drawn digits make (19 to 31 tokens) must not decide a test, and the
// ids of one page begin alike.
func tokens(text string) int {
	ids := len(anID.FindAllStringIndex(text, -1))
	text = anID.ReplaceAllString(text, "")
	n, run, kind := 24*ids, 0, ' '
	end := func() {
		switch kind {
		case 'd':
			n += (run + 2) / 3
		case 'a':
			n += (run + 7) / 8
		case 'p':
			n += (run + 2) / 3
		case 'o':
			n += run
		}
		run = 0
	}
	for _, r := range text {
		k := 'p'
		switch {
		case unicode.IsDigit(r):
			k = 'd'
		case r < 0x250 && unicode.IsLetter(r):
			k = 'a'
		case unicode.IsSpace(r):
			k = ' '
		case r > 0x7f:
			k = 'o'
		}
		if k != kind {
			end()
			kind = k
		}
		run++
	}
	end()
	return n
}

func TestAnswersStaySmall(t *testing.T) {
	d := one(t)
	track := d.track("Design for year ten")
	for i := range 30 {
		d.session(models.NewSession{Title: fmt.Sprintf("Keeping harbour %d running on old code", i), IsAbstract: true,
			SessionInput: models.SessionInput{
				Description: new("<p>" + strings.Repeat("The tide comes in twice a day, and so does the pager. ", 20) + "</p>"),
				TrackID:     store.Some(track)}})
	}
	text, _ := d.use(withKey(d.key), "list_submissions", nil)
	page := decode(t, text)
	if n := tokens(text); n > 3000 {
		t.Errorf("a page of 25 has %d tokens", n)
	}
	for _, row := range rows(t, page) {
		without := fmt.Sprintf(`{"id":%q,"title":%q,"status":%q,"track":%q},`, row["id"], row["title"],
			row["status"], row["track"])
		if n := tokens(without); n > 60 {
			t.Errorf("a row has %d tokens: %s", n, without)
		}
	}
	// What a row and a page cost today; ten percent more is worth a thought.
	for name, was := range map[string]int{"list_submissions": 2960, "list_events": 71, "list_tracks": 75} {
		text, _ := d.use(withKey(d.key), name, nil)
		if n := tokens(text); n*10 > was*11 {
			t.Errorf("%s has %d tokens, it had %d", name, n, was)
		} else {
			t.Logf("%s: %d tokens", name, n)
		}
	}
}
