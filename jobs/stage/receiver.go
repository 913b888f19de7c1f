// Package stage is what a demonstration sends to: a system that receives changes, and a mail server with a page that
// shows its letters. Nothing leaves the computer.
package stage

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// Receiver is the system that the demonstration reports its changes to. It mostly succeeds; now and then it is slow, or
// fails once or twice, so that the delivery log shows such cases.
type Receiver struct {
	server  *http.Server
	Address netip.AddrPort
	served  sync.WaitGroup
	mu      sync.Mutex
	events  int             // received for the first time
	refused map[string]bool // events to refuse once more
}

// StartReceiver listens on loopback, at a port of the system's choice.
func StartReceiver() (*Receiver, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Receiver{Address: listener.Addr().(*net.TCPAddr).AddrPort(), refused: map[string]bool{}}
	r.server = &http.Server{Handler: http.HandlerFunc(r.receive), ReadTimeout: 10 * time.Second}
	r.served.Go(func() { r.server.Serve(listener) }) // until Close
	return r, nil
}

// URL returns the address that receives events.
func (r *Receiver) URL() string { return "http://" + r.Address.String() + "/lectern" }

// Close stops the server and waits up to a second for requests under way.
func (r *Receiver) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r.server.Shutdown(ctx)
	r.server.Close()
	r.served.Wait()
}

// The positions in each dozen of events that are slow or fail; the others are answered 204 at once.
const (
	slowAt, failsAt, failsTwiceAt = 3, 6, 10
	slow                          = 1200 * time.Millisecond
)

// eventLimit is how many bytes of an event are read.
const eventLimit = 2 << 20

func (r *Receiver) receive(w http.ResponseWriter, request *http.Request) {
	io.Copy(io.Discard, io.LimitReader(request.Body, eventLimit))
	event := request.Header.Get("x-service-event-id")
	r.mu.Lock()
	fails := r.refused[event]
	turn := 0
	if request.Header.Get("x-service-attempt") == "1" {
		r.events++
		turn = r.events % 12
		fails = turn == failsAt || turn == failsTwiceAt
		r.refused[event] = turn == failsTwiceAt
	}
	r.mu.Unlock()
	if turn == slowAt {
		select {
		case <-time.After(slow):
		case <-request.Context().Done():
		}
	}
	if fails {
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, `{"error":"The display is restarting","event":%q}`, request.Header.Get("x-service-event"))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
