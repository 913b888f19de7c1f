package chaos

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"lectern/jobs/mailtest"
)

// counted are the letters that arrived, by Message-ID.
func counted(office *mailtest.PostOffice) (letters, doubled int) {
	taken := map[string]bool{}
	for _, l := range office.Letters() {
		id := messageID.FindString(l.Whole)
		if taken[id] {
			doubled++
		}
		taken[id] = true
	}
	return len(taken), doubled
}

var messageID = regexp.MustCompile(`(?im)^Message-Id: .*$`)

// openPost has the site send its letters through a mail server of its own.
func (s *site) openPost() *mailtest.PostOffice {
	office := (&mailtest.PostOffice{Answer: func(string, *smtp.Conn) error {
		time.Sleep(20 * time.Millisecond) // so that a kill comes between the letter and its answer at times
		return nil
	}}).Open(s)
	s.env = append(s.env, "LECTERN_SMTP_URL=smtp://"+office.Address(),
		"LECTERN_MAIL_FROM=Harbour <programme@harbour.test>")
	return office
}

// count is the number behind a tab of the letters.
func (d *staff) count(tab string) int {
	d.Helper()
	found := regexp.MustCompile(`>\s*` + tab + `\s*<span[^>]*>([\d,]+)<`).FindStringSubmatch(d.page)
	if found == nil {
		d.Fatalf("no tab %s", tab)
	}
	n, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
	d.check(err)
	return n
}

// TestKilledWhileLettersGoOut sends letters while the server is killed again and again: none arrives twice, and none is
// lost. What was under way at a kill is not sent again by itself.
func TestKilledWhileLettersGoOut(t *testing.T) {
	onlyLong(t)
	onBoth(t, "kill -9 while letters go out", func(s *site) {
		people, kills := sized(600, 120), sized(12, 3)
		office := s.openPost()
		s.command("seed", "--event", "harbour", "--sessions", "1", "--contacts", fmt.Sprint(people))
		serving := s.replicas[0]
		serving.start()
		d := s.newStaff()
		letters := "/admin/events/" + s.event + "/letters"
		d.read("/admin/contacts")
		mailing := d.send("/admin/contacts/write", url.Values{"scope": {"all"}, "letter_of": {s.event}})
		d.send(mailing, url.Values{"version": {"0"}, "subject": {"Hello"}, "body": {"Dear {{first_name}}"}})
		d.send(mailing+"/send", url.Values{"expected": {fmt.Sprint(people)}})
		d.send(letters+"/now", url.Values{})
		for range kills {
			s.pause(s.between(50*time.Millisecond, 500*time.Millisecond))
			serving.kill()
			serving.start()
		}
		// What is left in the outbox then is what was under way at a kill: at most four letters each time.
		for d.read(letters + "?tab=outbox"); d.count("Outbox") > kills*4 || strings.Contains(d.page, "Waiting"); {
			s.pause(100 * time.Millisecond)
			d.read(letters + "?tab=outbox")
		}
		arrived, doubled := counted(office)
		for range doubled {
			s.doubled.add("a letter arrived twice")
		}
		sent, open := d.count("Sent"), d.count("Outbox")+d.count("Unknown")
		if sent+open != people || arrived < sent || arrived > sent+open || open > kills*4 {
			s.lost.add("of %d letters %d are sent, %d nobody knows of, and %d arrived", people, sent, open, arrived)
		}
		s.acknowledged += sent
		s.note("%d kills; %d of %d letters are left to staff", kills, open, people)
		s.done = true
	})
}
