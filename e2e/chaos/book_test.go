package chaos

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// content is what a session holds. Each write gives its title, description,
// status and capacity anew, so that half a write shows.
type content struct {
	Title, Description, Status string
	Capacity                   int
	Public, Deleted            bool
}

// record is a session as its writer knows it. One writer alone changes it, and
// leaves it alone after a write whose outcome it did not hear.
type record struct {
	name             string // the first word of each title it ever has
	abstract         bool
	versions         int
	id, label, token string
	known            *content // by the last acknowledged write
	maybe            *content // by the write without an answer
}

// next is the content of another write.
func (r *record) next(status string) content {
	c := content{}
	if r.known != nil {
		c = *r.known
	}
	r.versions++
	c.Title = fmt.Sprintf("%s v%d", r.name, r.versions)
	c.Description = "<p>" + strings.Repeat(c.Title+" ", 20) + "</p>"
	c.Status, c.Capacity = status, r.versions
	return c
}

// tally counts findings, alike ones together.
type tally struct {
	total int
	of    map[string]int
}

func (c *tally) add(format string, values ...any) {
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.total++
	c.of[fmt.Sprintf(format, values...)]++
}

// book is what the writers of a trial did and heard, and what became of it.
type book struct {
	mu                            sync.Mutex
	records                       []*record
	sent                          map[string]time.Time // when a title was first sent
	expected                      map[string]bool      // events of acknowledged writes
	acknowledged, unanswered, cut int
	lost, doubled, other          tally
}

func newBook() *book { return &book{sent: map[string]time.Time{}, expected: map[string]bool{}} }

// event names the emission of one write: no two writes have the same.
func event(kind, title string) string { return kind + " of " + title }

// odd is a fault that neither lost nor doubled anything.
func (b *book) odd(format string, values ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.other.add(format, values...)
}

// newRecord is a session that is about to be created.
func (b *book) newRecord(name string, abstract bool) *record {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &record{name: name, abstract: abstract}
	b.records = append(b.records, r)
	return r
}

// sending keeps when a title is sent.
func (b *book) sending(title string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sent[title].IsZero() {
		b.sent[title] = time.Now()
	}
}

// sentAfter are the titles that nobody had sent at a time.
func (b *book) sentAfter(at time.Time) map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	titles := map[string]bool{}
	for title, sent := range b.sent {
		if sent.After(at) {
			titles[title] = true
		}
	}
	return titles
}

// outcome is what a writer learns of a write.
type outcome int

const (
	acknowledged outcome = iota
	refused              // it was not done, for sure
	unheard              // nobody knows
)

// conclude keeps what became of a write.
func (b *book) conclude(r *record, kind string, c content, o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch o {
	case acknowledged:
		r.known = &c
		b.acknowledged++
		b.expected[event(kind, c.Title)] = true
	case unheard:
		r.maybe = &c
		b.unanswered++
	}
}

// audit compares the records with all rows there are, deleted ones too.
func (b *book) audit(rows []*row) {
	b.mu.Lock()
	defer b.mu.Unlock()
	byName, byLabel := map[string][]*row{}, map[string]bool{}
	for _, found := range rows {
		name, _, _ := strings.Cut(found.Title, " ")
		byName[name] = append(byName[name], found)
		if byLabel[found.FriendlyID] {
			b.doubled.add("two rows have the friendly id %s", found.FriendlyID)
		}
		byLabel[found.FriendlyID] = true
	}
	for _, r := range b.records {
		b.auditRecord(r, byName[r.name])
		delete(byName, r.name)
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		b.other.add("a row that nobody wrote: %s", name)
	}
}

func (b *book) auditRecord(r *record, rows []*row) {
	if len(rows) == 0 {
		if r.known != nil {
			b.lost.add("%s was acknowledged and is not there", r.known.Title)
		}
		return
	}
	if len(rows) > 1 {
		b.doubled.add("%s is there %d times", r.name, len(rows))
		return
	}
	found := rows[0].content()
	switch {
	case r.known != nil && found == *r.known, r.maybe != nil && found == *r.maybe:
		if r.id != "" && rows[0].ID != r.id || r.label != "" && rows[0].FriendlyID != r.label {
			b.other.add("%s is %s %s, and was acknowledged as %s %s", r.name, rows[0].FriendlyID, rows[0].ID, r.label, r.id)
		}
	case r.known == nil || found.Title == r.known.Title || r.maybe != nil && found.Title == r.maybe.Title:
		b.other.add("half a write: %q, %s, capacity %d", found.Title, found.Status, found.Capacity)
	default:
		b.lost.add("%q was acknowledged, the row has %q", r.known.Title, found.Title)
	}
}

// faults are all findings, for people, a few of each kind.
func (b *book) faults() (said []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, kind := range []struct {
		name string
		tally
	}{{"lost", b.lost}, {"doubled", b.doubled}, {"other", b.other}} {
		for i, message := range slices.Sorted(maps.Keys(kind.of)) {
			if i == 5 {
				said = append(said, fmt.Sprintf("%s: and %d more kinds", kind.name, len(kind.of)-i))
				break
			}
			said = append(said, fmt.Sprintf("%s: %s (%d times)", kind.name, message, kind.of[message]))
		}
	}
	return said
}
