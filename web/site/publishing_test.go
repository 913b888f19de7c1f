package site_test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
)

// edition is what staff said last of a session, and whether everybody may read it. While they say something else there
// is none.
type edition struct {
	number   int
	isHidden bool
}

// editioned finds the numbers of editions, in titles, texts and addresses.
var editioned = regexp.MustCompile(`(?i)edition-(\d+)`)

// editionsIn returns the editions that a text tells of.
func editionsIn(text string) (found []int) {
	for _, match := range editioned.FindAllStringSubmatch(text, -1) {
		number, _ := strconv.Atoi(match[1])
		found = append(found, number)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// readers ask for what is public of a session that staff change.
type readers struct {
	d     *door
	at    []string
	now   atomic.Pointer[edition]
	saved atomic.Int64 // the latest edition that staff know to be saved
	asked atomic.Int64
	// judged counts the answers that had to show the latest edition, and those that had to show none.
	judged, hidden atomic.Int64
}

// read asks for an address, where it leads to, and judges the answer: it tells of one edition, which is no older than
// what was saved before. Where staff said nothing meanwhile it tells of that, and of none where they took it off.
func (r *readers) read(t *testing.T, address string) {
	before, saved := r.now.Load(), r.saved.Load()
	response, body := r.d.ask(t, address)
	for range 5 {
		if response.StatusCode != http.StatusMovedPermanently {
			break
		}
		response, body = r.d.ask(t, response.Header.Get("Location"))
	}
	meanwhile := r.now.Load() != before
	r.asked.Add(1)
	found := editionsIn(strings.ReplaceAll(body, "\r\n ", ""))
	if response.StatusCode >= http.StatusInternalServerError || len(found) > 1 {
		t.Errorf("%s answers %d, with the editions %v", address, response.StatusCode, found)
	}
	if len(found) == 1 && int64(found[0]) < saved {
		t.Errorf("%s answers with %d, and %d was saved before", address, found[0], saved)
	}
	if before == nil || meanwhile || response.StatusCode == http.StatusMovedPermanently {
		return
	}
	if before.isHidden {
		r.hidden.Add(1)
		isCalendar := strings.HasSuffix(address, ".ics") // which tells who has it that it is cancelled
		if isCalendar != strings.Contains(body, "STATUS:CANCELLED") || !isCalendar && len(found) > 0 {
			t.Errorf("%s answers %d with %v after it was taken off", address, response.StatusCode, found)
		}
		return
	}
	if r.judged.Add(1); !slices.Equal(found, []int{before.number}) {
		t.Errorf("%s answers %d with %v, and staff had said %d", address, response.StatusCode, found, before.number)
	}
}

// staff change title and text of a session together, and take it off and put it back now and then, until enough answers
// came, and enough of them while staff said nothing: how many come during a change depends on the machine.
func (r *readers) staff(t *testing.T, s *models.Session, enough int64) {
	isEnough := func() bool {
		return r.asked.Load() >= enough && r.judged.Load() >= enough/5 && r.hidden.Load() >= enough/20
	}
	for number := 1; !isEnough() && !t.Failed(); number++ {
		said := &edition{number: number}
		r.now.Store(nil)
		r.d.change(t, s, models.SessionChange{Title: new(fmt.Sprintf("Tides, edition-%d", number)), IsPublic: new(true),
			PublishOverride: true, SessionInput: models.SessionInput{
				Description: new(fmt.Sprintf("<p>This is edition-%d of the text.</p>", number))}})
		r.saved.Store(int64(number))
		r.now.Store(said)
		r.wait(4 * len(r.at))
		if number%3 == 0 {
			r.now.Store(nil)
			r.d.change(t, s, models.SessionChange{IsPublic: new(false)})
			r.now.Store(&edition{number: number, isHidden: true})
			r.wait(4 * len(r.at))
		}
	}
}

// wait lets readers ask some times more.
func (r *readers) wait(times int) {
	for until := r.asked.Load() + int64(times); r.asked.Load() < until; {
		time.Sleep(time.Millisecond)
	}
}

// TestReadersSeeTheOldOrTheNewWhileStaffPublish has readers ask for a session on each surface while its title and its
// text change together and it comes and goes. The long suite asks ten thousand times on each database.
func TestReadersSeeTheOldOrTheNewWhileStaffPublish(t *testing.T) {
	enough := int64(1_000)
	if os.Getenv("LECTERN_E2E_LONG") != "" {
		enough = 12_000
	}
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		d, s, _, _, _ := published(t, f)
		home, r := d.home, &readers{d: d}
		r.at = []string{home + "/sessions/s-1", home + "/sessions", home + "/schedule.json", home + "/schedule.xml",
			home + "/calendar.ics", home + "/sessions/" + s.ID + ".ics", home + "/sessions?q=tides", home + "/agenda/2027-05-20"}
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Sessions), ShowsDescriptions: new(true)})
		for _, end := range []string{"", ".html", ".json", ".xml", ".ics"} {
			r.at = append(r.at, "/embeds/"+e.ID+end)
		}
		var all sync.WaitGroup
		done := make(chan struct{})
		for first := range 8 {
			all.Go(func() {
				for i := first; ; i++ {
					select {
					case <-done:
						return
					default:
						r.read(t, r.at[i%len(r.at)])
					}
				}
			})
		}
		r.staff(t, s, enough)
		close(done)
		all.Wait()
		t.Logf("of %d answers %d were judged by the latest edition, %d by none", r.asked.Load(), r.judged.Load(),
			r.hidden.Load())
	})
}
