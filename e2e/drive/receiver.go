package drive

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/jobs/mailtest"
	"lectern/models/modelstest"
)

// Receiver keeps the deliveries that it receives.
type Receiver struct {
	*httptest.Server
	Mu     sync.Mutex
	bodies []string
	Last   http.Header
}

func NewReceiver(t *testing.T) *Receiver {
	r := &Receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		r.Mu.Lock()
		defer r.Mu.Unlock()
		r.bodies, r.Last = append(r.bodies, string(body)), request.Header
	}))
	t.Cleanup(r.Close)
	return r
}

// Wait returns the bodies once there are n of them.
func (r *Receiver) Wait(t *testing.T, n int) []string {
	t.Helper()
	var bodies []string
	if !Within(Patience, func() bool {
		r.Mu.Lock()
		defer r.Mu.Unlock()
		bodies = slices.Clone(r.bodies)
		return len(bodies) >= n
	}) {
		t.Fatalf("fewer than %d deliveries arrived", n)
	}
	return bodies
}

// Heard waits for n events, then until no further one arrives for a moment, and returns their counts by type.
func (r *Receiver) Heard(t *testing.T, n int) string {
	t.Helper()
	bodies := r.Wait(t, n)
	for more := true; more; more = len(bodies) > n { // one too many would arrive at once
		n = len(bodies)
		time.Sleep(300 * time.Millisecond)
		bodies = r.Wait(t, n)
	}
	return counts(t, bodies, "")
}

// HeardOf returns the counts by type of the events of a record that arrived so far.
func (r *Receiver) HeardOf(t *testing.T, id string) string {
	t.Helper()
	return counts(t, r.Wait(t, 0), id)
}

// counts counts deliveries by the type of their event: those of one record, or all of them with "".
func counts(t *testing.T, bodies []string, id string) string {
	t.Helper()
	kinds := map[string]int{}
	for _, body := range bodies {
		var told struct {
			Metadata struct{ Event string }
			Data     struct{ ID string }
		}
		modelstest.Fine(t, json.Unmarshal([]byte(body), &told))
		if id == "" || told.Data.ID == id {
			kinds[told.Metadata.Event]++
		}
	}
	var said []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		said = append(said, fmt.Sprint(kind, " ", kinds[kind]))
	}
	return strings.Join(said, ", ")
}

// PostOffice is a mail server that keeps what it receives. It rejects recipients whose address begins with "nobody".
type PostOffice struct{ *mailtest.PostOffice }

// Letter waits for a letter to this address whose subject contains these words, and returns its text.
func (o *PostOffice) Letter(t *testing.T, to, subject string) (text string) {
	t.Helper()
	if !Within(Patience, func() bool {
		for _, letter := range o.Letters() {
			if about, says := letter.Read(t); letter.To == to && strings.Contains(about, subject) {
				text = says
				return true
			}
		}
		return false
	}) {
		t.Fatalf("no letter to %s about %q, but %+v", to, subject, o.Letters())
	}
	return text
}

var linkPattern = regexp.MustCompile(`http://[^/\s]+(/\S+)`)

// Link returns the path of the first link in such a letter.
func (o *PostOffice) Link(t *testing.T, to, subject string) string {
	t.Helper()
	text := o.Letter(t, to, subject)
	found := linkPattern.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in the letter:\n%s", text)
	}
	return found[1]
}

// OpenPost starts a mail server and lets the site send through it.
func (s *Site) OpenPost() *PostOffice {
	s.T.Helper()
	office := &mailtest.PostOffice{Refuse: func(to string) error {
		if strings.HasPrefix(to, "nobody") {
			return mailtest.Unknown(to)
		}
		return nil
	}}
	s.Env = append(s.Env, "LECTERN_SMTP_URL=smtp://"+office.Open(s.T).Address(),
		"LECTERN_MAIL_FROM=Harbour <programme@harbour.test>")
	return &PostOffice{office}
}
