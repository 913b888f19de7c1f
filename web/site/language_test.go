package site_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/views/words"
	"lectern/views/words/wordstest"
)

// TestNoWordIsTheSameInEveryLanguage reads all pages of everybody in all languages. A word that stands in each of them
// was written by nobody who fills in a programme and is no word of the catalogue: somebody wrote it into a page.
func TestNoWordIsTheSameInEveryLanguage(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, _ := lived(t, f)
		d.change(t, d.talk(t, "Night talk", models.SessionInput{StartsAt: store.Some(at("12:15"))}), public) // overlaps
		for _, kind := range embed.Kinds {
			d.embeds(t, embed.Change{Name: new("Here"), Kind: new(kind), ShowsDescriptions: new(true)})
		}
		known := wordstest.Borrowed(t)
		p := &private{t: t, f: f, conn: modelstest.Must(f.SQL.Conn(t.Context()))(t)}
		defer p.conn.Close()
		for _, query := range []string{"SELECT title, description FROM sessions", "SELECT name, '' FROM metadata",
			"SELECT full_name, about FROM contacts", "SELECT company_name, job_title FROM contacts",
			"SELECT name, note FROM agenda_versions",
			"SELECT title, '' FROM agenda_breaks", "SELECT title, '' FROM tasks", "SELECT name, timezone FROM events"} {
			p.each(query, func(a, b string) { known.Note(a, b) })
		}
		known.Note("Harbour hall Lisbon Rua Welcome aboard Ships Plan", "PDF kB", // of its look, and of files
			"CEST CET UTC Taipei", "Lectern", "zqm nothing") // what has a name everywhere
		pages := 0
		for _, address := range readable(t, p, d) {
			var said []string
			for _, l := range words.All() {
				response, body := d.ask(t, address, "Accept-Language", l.Tag)
				if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
					break
				}
				said = append(said, body)
			}
			if len(said) < len(words.All()) {
				continue
			}
			pages++
			for _, w := range known.Alike(said...) {
				t.Errorf("%s says %q in every language", address, w)
			}
		}
		if pages < 40 {
			t.Errorf("only %d pages were read", pages)
		}
	})
}

// readable returns the addresses of the pages whose language follows the request.
func readable(t *testing.T, p *private, d *door) (all []string) {
	t.Helper()
	home := d.home
	all = append(surfaces(t, p, d), home+"/agenda/2027-05-20?tz=nowhere", home+"/sessions?q=nothing&track=x", home+"/my",
		home+"/speakers?q=nobody", home+"/sessions?q="+strings.Repeat("7", 200), home+"/sessions/s-99", home+"/my?my=1,3,4")
	return slices.DeleteFunc(all, func(address string) bool {
		isFeed := !strings.HasSuffix(address, ".html") && regexp.MustCompile(`\.\w+($|\?)`).MatchString(address)
		return isFeed || strings.Contains(address, "lang=")
	})
}
