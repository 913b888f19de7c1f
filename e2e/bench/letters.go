package main

import (
	"fmt"
	"log"
	"net/url"
	"regexp"
	"time"
)

// writtenTo is the number of recipients of the mailing.
const writtenTo = 5_000

// measureLetters writes a mailing: it chooses the recipients, drafts a letter for each, and drafts all again with a new
// text.
func measureLetters(dialect, dir, binary string) {
	t, remove := newTarget(dialect, dir, binary)
	defer remove()
	t.command(nil, "seed", "--event", "bench", "--sessions", "100", "--contacts", fmt.Sprint(writtenTo))
	t.serve()
	defer t.stop()
	b := t.signIn()
	fmt.Printf("%-34s %10s\n", dialect+", letters", "s")
	page := b.ask("GET", "/admin/contacts", "")
	post := func(name, path string, form url.Values) {
		form.Set("_token", formToken.FindStringSubmatch(page)[1])
		began := time.Now()
		b.ask("POST", path, form.Encode())
		fmt.Printf("%-34s %10.2f\n", name, time.Since(began).Seconds())
	}
	post("5,000 people chosen", "/admin/contacts/write", url.Values{"scope": {"all"}, "letter_of": {t.event}})
	found := regexp.MustCompile(`/admin/events/[^/]+/letters/mailings/[0-9a-f-]{36}`).FindString(b.location)
	if found == "" {
		log.Fatal("no letter was begun")
	}
	for i, name := range []string{"5,000 letters drafted", "5,000 letters drafted anew"} {
		page = b.ask("GET", found, "")
		post(name, found, url.Values{"version": {fmt.Sprint(i)}, "subject": {"Hello {{first_name}}"},
			"body": {fmt.Sprintf("Dear {{full_name}},\n\nthis is text %d about {{event}}.", i)}})
	}
	b.measure([]measuredPage{{name: "page: a letter to 5,000 people", path: found},
		{name: "page: letters", path: "/admin/events/" + t.event + "/letters"}})
	fmt.Println()
}
