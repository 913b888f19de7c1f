package main

import (
	"fmt"
	"log"
	"net/url"
	"regexp"
	"sync"
	"time"
)

// measureCommit commits the queues of 30,000 sessions: some 5,000 decisions with twice as many people. Meanwhile one
// client reads and one writes through the API; their times are compared with those before and after.
func (t *target) measureCommit(string) {
	b := t.signIn()
	before := t.besides(wait(time.Duration(2**seconds) * time.Second))
	began := time.Now()
	at, opened := b.openCommit()
	fmt.Printf("%-34s %10s\n%-34s %10.2f\n", t.dialect+", a commit", "s", "opened and looked at", opened.Seconds())
	var seen progress
	spentBefore := t.spent()
	during := t.besides(func() { seen = b.commit(at) })
	fmt.Printf("%-34s %10.2f   the longest without progress %.2f s\n", seen.what, seen.took.Seconds(), seen.longest.Seconds())
	fmt.Printf("%-34s %s\n", "with what goes on beside it", t.spent().since(spentBefore))
	after := t.besides(wait(time.Duration(2**seconds) * time.Second))
	fmt.Printf("%-34s %10s %9s %9s %9s %9s %8s\n", "beside it", "p50 ms", "alone", "p99 ms", "alone", "after", "ratio")
	for _, name := range []string{"search", "read one", "update"} {
		d, alone, then := during[name], before[name], after[name]
		fmt.Printf("%-34s %10.2f %9.2f %9.2f %9.2f %9.2f %8.2f\n", name, d.percentile(0.5), alone.percentile(0.5),
			d.percentile(0.99), alone.percentile(0.99), then.percentile(0.99), d.percentile(0.99)/alone.percentile(0.99))
	}
	fmt.Printf("%-34s %10.2f s in all\n\n", "", time.Since(began).Seconds())
}

func wait(d time.Duration) func() { return func() { time.Sleep(d) } }

// besides runs a reading and a writing client while goesOn runs, and returns their results.
func (t *target) besides(goesOn func()) map[string]*result {
	ids := t.ids(false)
	over := make(chan struct{})
	var both sync.WaitGroup
	search, read, update := &result{}, &result{}, &result{}
	again := func(do func(i int)) {
		for i := 0; ; i++ {
			select {
			case <-over:
				return
			case <-time.After(10 * time.Millisecond):
				do(i)
			}
		}
	}
	both.Go(func() {
		again(func(i int) {
			search.time(func() { t.send("POST", "/sessions/search", searches[i%2].body) })
			read.time(func() { t.send("GET", "/sessions/", ids[i%len(ids)]) })
		})
	})
	both.Go(func() {
		again(func(i int) {
			update.time(func() {
				t.send("PUT", "/sessions/", ids[i%len(ids)]+fmt.Sprintf(` {"title": "Beside %d"}`, time.Now().UnixNano()))
			})
		})
	})
	goesOn()
	close(over)
	both.Wait()
	return map[string]*result{"search": search, "read one": read, "update": update}
}

// progress is the duration of a commit, and its longest time without progress.
type progress struct {
	what          string
	took, longest time.Duration
}

// openCommit opens a commit of both queues, and returns its address and how long that took.
func (b *browser) openCommit() (address string, took time.Duration) {
	list := "/admin/events/" + b.event + "/decisions"
	token := b.token(b.ask("GET", list, ""))
	began := time.Now()
	b.ask("POST", list, "_token="+token+"&queue=both")
	address = b.location
	b.ask("GET", address, "")
	return address, time.Since(began)
}

var formToken = regexp.MustCompile(`name="_token" value="([^"]+)"`)

func (b *browser) token(page string) string {
	found := formToken.FindStringSubmatch(page)
	if found == nil {
		log.Fatal("the page has no form")
	}
	return url.QueryEscape(found[1])
}

var (
	toCommit = regexp.MustCompile(`Commit ([0-9,]+) decisions`)
	doneOf   = regexp.MustCompile(`([0-9,]+) of ([0-9,]+) done`)
)

// commit starts an opened commit and waits until it is done.
func (b *browser) commit(address string) (seen progress) {
	page := b.ask("GET", address, "")
	seen.what = toCommit.FindString(page)
	began := time.Now()
	b.ask("POST", address, "_token="+b.token(page))
	_, seen.longest = b.finishes(address, began, 200*time.Millisecond)
	seen.took = time.Since(began)
	return seen
}

// finishes polls the page of a batch until it is done, as a browser does, and returns how much that was and the longest
// time without progress since it began.
func (b *browser) finishes(address string, began time.Time, every time.Duration) (what string, longest time.Duration) {
	for moved, last := began, ""; ; time.Sleep(every) {
		done := doneOf.FindStringSubmatch(b.ask("GET", address, ""))
		if done == nil {
			log.Fatal("the batch does not say how far it is: " + address)
		}
		if done[1] != last {
			longest = max(longest, time.Since(moved))
			moved, last = time.Now(), done[1]
		}
		if done[1] == done[2] {
			return done[0], longest
		}
	}
}

// writtenTo is the number of recipients of the mailing.
const writtenTo = 5_000

// measureLetters writes a mailing: it chooses the recipients, drafts a letter for each, and drafts all again with a new
// text.
func (t *target) measureLetters(string) {
	b := t.signIn()
	fmt.Printf("%-34s %10s\n", t.dialect+", letters", "s")
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
}
