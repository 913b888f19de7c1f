package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// writer changes sessions of its own, one request after the other.
type writer struct {
	*site
	at     *replica
	name   string
	random *rand.Rand
	made   int
	live   []*record // those it may change
	tracks []string  // ids
	people []string
	limit  time.Duration
}

func (s *site) newWriter(name string, at *replica) *writer {
	return &writer{site: s, at: at, name: name, random: randomOf(s.Name() + name), limit: 4 * time.Second}
}

// writers are writers at work.
type writers struct {
	stop context.CancelFunc
	wait sync.WaitGroup
}

// startWriters starts n of them, in turn at the replicas.
func (s *site) startWriters(n int) *writers {
	ctx, stop := context.WithCancel(s.ctx)
	all := &writers{stop: stop}
	if s.mirror == nil {
		s.mirror = &mirror{site: s, rows: map[string]string{}}
	}
	all.wait.Go(func() { s.mirror.follow(ctx) })
	for i := range n {
		s.crew++
		w := s.newWriter(fmt.Sprint("w", s.crew), s.replicas[i%len(s.replicas)])
		all.wait.Go(func() { w.run(ctx) })
	}
	return all
}

// end has the writers end; each waits for the answer to its last request.
func (w *writers) end() {
	w.stop()
	w.wait.Wait()
}

// breath is the longest that a writer waits between two requests: the machine
// is for the server and for the receivers.
const breath = 40 * time.Millisecond

func (w *writer) run(ctx context.Context) {
	for ; ctx.Err() == nil; sleep(ctx, time.Duration(w.random.Int64N(int64(breath)))) {
		switch n := w.random.IntN(100); {
		case n < 25 || len(w.live) == 0:
			if w.create("") && w.writesBeside {
				w.join(w.live[len(w.live)-1])
			}
			w.beside()
		case n < 37:
			w.create(w.onceKey())
		case n < 55:
			w.update(w.pick(), "")
		case n < 70:
			r := w.pick()
			w.update(r, r.token)
		case n < 75:
			w.publish(w.pick())
		case n < 81:
			w.remove(w.pick())
		case n < 85:
			w.bulk("")
		case n < 88:
			w.bulk(w.onceKey())
		default:
			w.read(w.pick())
		}
	}
}

func (w *writer) pick() *record { return w.live[w.random.IntN(len(w.live))] }

func (w *writer) onceKey() string { return fmt.Sprintf("%s-%d-%d", w.name, w.made, w.random.Uint32()) }

// status is one that changes nothing else.
func (w *writer) status() string {
	return []string{"pending", "accept_queue", "decline_queue", "withdrawn"}[w.random.IntN(4)]
}

// send asks for a write. With an Idempotency-Key it is impatient: it does not wait
// for the first answer, and repeats the request until it hears one, whatever is
// killed meanwhile.
func (w *writer) send(method, path string, body any, once string) reply {
	limit := w.limit
	if once != "" {
		limit = time.Duration(1 + w.random.Int64N(int64(breath)))
	}
	for doubt := false; ; limit = w.limit {
		got := w.ask(w.at, request{method: method, path: path, body: body, once: once, limit: limit})
		if fault := got.fault(w.at); fault != "" {
			w.odd("%s was answered %s", method, fault)
		}
		heard := got.outcome() == acknowledged || got.outcome() == refused && got.err == nil && (!doubt || !got.isOfThisTry())
		if heard || once == "" {
			return got
		}
		// Connecting may be the transport's own second try, of a request that was heard.
		doubt = doubt || got.outcome() == unheard || got.err != nil
		if sleep(w.ctx, breath); w.ctx.Err() == nil {
			continue
		}
		if doubt { // that the last try found nobody says nothing of those before
			got = reply{err: w.ctx.Err()}
		}
		return got
	}
}

// fields are what every write of a session gives.
func (c content) fields() map[string]any {
	return map[string]any{"title": c.Title, "description": c.Description, "status": c.Status, "capacity": c.Capacity}
}

func (w *writer) newOne() *record {
	w.made++
	return w.newRecord(fmt.Sprintf("%s-%d", w.name, w.made), w.random.IntN(2) == 0)
}

// create makes a session and tells whether that was acknowledged.
func (w *writer) create(once string) bool {
	r := w.newOne()
	c := r.next(w.status())
	fields := c.fields()
	fields["is_abstract"] = r.abstract
	if len(w.tracks) > 0 {
		fields["track_id"] = w.tracks[w.random.IntN(len(w.tracks))]
	}
	w.sending(c.Title)
	return w.concluded(r, "session.created", c, w.send("POST", "/sessions/create", fields, once))
}

func (w *writer) update(r *record, token string) {
	c := r.next(w.status())
	fields := c.fields()
	if token != "" {
		fields["updated_at"] = token
	}
	w.sending(c.Title)
	w.concluded(r, "session.updated", c, w.send("PUT", "/sessions/"+r.id, fields, ""))
}

func (w *writer) publish(r *record) {
	if r.known.Public {
		return
	}
	c := r.next(w.status())
	c.Public = true
	fields := c.fields()
	fields["is_public"], fields["publish_override"] = true, true
	w.sending(c.Title)
	w.concluded(r, "session.published", c, w.send("PUT", "/sessions/"+r.id, fields, ""))
}

func (w *writer) remove(r *record) {
	c := *r.known
	c.Deleted = true
	w.concluded(r, "session.deleted", c, w.send("DELETE", "/sessions/"+r.id, nil, ""))
}

// concluded keeps what came of one write.
func (w *writer) concluded(r *record, kind string, c content, got reply) bool {
	o := got.outcome()
	if o == acknowledged {
		var answer row
		if err := json.Unmarshal(got.body, &answer); err != nil || answer.ID == "" || r.id != "" && r.id != answer.ID {
			w.odd("%s was answered with another thing: %s", kind, got)
		}
		r.id, r.token = answer.ID, answer.UpdatedAt
		if answer.FriendlyID != "" {
			r.label = answer.FriendlyID
		}
	}
	w.keep(r, kind, c, o)
	return o == acknowledged
}

// keep notes an outcome, and which sessions may be changed further.
func (w *writer) keep(r *record, kind string, c content, o outcome) {
	w.conclude(r, kind, c, o)
	w.live = slices.DeleteFunc(w.live, func(other *record) bool { return other == r })
	if r.known != nil && r.maybe == nil && !r.known.Deleted {
		w.live = append(w.live, r)
	}
}

// read reads a session, at any replica: it must be as it was acknowledged.
func (w *writer) read(r *record) {
	at := w.replicas[w.random.IntN(len(w.replicas))]
	got := w.ask(at, request{method: "GET", path: "/sessions/" + r.id, limit: w.limit})
	var found row
	switch {
	case got.fault(at) != "":
		w.odd("GET was answered %s", got.fault(at))
	case got.status != http.StatusOK:
	case json.Unmarshal(got.body, &found) != nil || found.content() != *r.known:
		w.odd("a read is older than what was acknowledged")
	}
}
