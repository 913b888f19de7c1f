package main

import (
	"fmt"
	"html"
	"log"
	"net/url"
	"regexp"
	"time"
)

var (
	heldNumbers = regexp.MustCompile(`name="held_numbers" value="([^"]+)"`)
	ofAnyway    = regexp.MustCompile(`Publish [0-9,]+ sessions anyway`)
)

// publishAll publishes all held sessions with one reason, and polls the batch's page until it is done, as a browser
// does. All sessions of an imported programme are held, because no submission is behind them.
func (b *browser) publishAll(base string) {
	page := b.ask("GET", base+"/publish", "")
	numbers := heldNumbers.FindStringSubmatch(page)
	if numbers == nil {
		log.Fatal("nothing is held")
	}
	form := "_token=" + b.token(page) + "&all_held=yes&held_numbers=" + url.QueryEscape(html.UnescapeString(numbers[1]))
	page = b.ask("POST", base+"/publish/anyway", form)
	what := ofAnyway.FindString(page)
	began, before := time.Now(), b.spent()
	b.ask("POST", base+"/publish/anyway", "_token="+b.token(page)+"&numbers="+url.QueryEscape(html.UnescapeString(numbers[1]))+
		"&confirm=yes&reason=Imported")
	at := b.location
	for {
		done := doneOf.FindStringSubmatch(b.ask("GET", at, ""))
		if done == nil {
			log.Fatal("the batch does not say how far it is: " + at)
		}
		if done[1] == done[2] {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	fmt.Printf("%-34s %10.2f s, %s\n", what, time.Since(began).Seconds(), b.spent().since(before))
}
