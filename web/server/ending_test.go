package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models/apikey"
	"lectern/models/modelstest"
)

// endings is how often the server ends under load, on each database: LECTERN_ENDINGS, which is 300 in make chaos, or few.
func endings(t *testing.T) int {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("LECTERN_ENDINGS"), "12"))
	if err != nil || n < 1 {
		t.Fatal("LECTERN_ENDINGS is no number")
	}
	return n
}

// TestAnEndingServerRefusesNoWriteThatItCommitted ends a server while people create sessions, some of them in bodies
// that come in two parts, on connections that stay open: what was answered with a refusal is not there, and what was
// answered with 200 is.
func TestAnEndingServerRefusesNoWriteThatItCommitted(t *testing.T) {
	t.Parallel()
	endings := endings(t)
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			f := modelstest.Open(t, dialect)
			key := modelstest.NewKey(t, f, apikey.WriteSessions)
			told := map[string]int{} // status by title
			for round := range endings {
				endUnderLoad(t, f, key, round, told)
			}
			there := map[string]bool{}
			var titles []string
			modelstest.Fine(t, f.Read(t.Context()).Table("sessions").Pluck("title", &titles).Error)
			for _, title := range titles {
				there[title] = true
			}
			made := 0
			for title, status := range told {
				if status == http.StatusOK {
					made++
				}
				if status != 0 && there[title] != (status == http.StatusOK) {
					t.Errorf("%s was answered %d, and is there: %v", title, status, there[title])
				}
			}
			if made < endings {
				t.Errorf("only %d of %d writes were made", made, len(told))
			}
		})
	}
}

// endUnderLoad serves f, has six clients create sessions until they hear no more, and ends the server meanwhile.
func endUnderLoad(t *testing.T, f *modelstest.Fixture, key string, round int, told map[string]int) {
	t.Helper()
	l, cancel, ended := serve(t, appOver(f))
	var mu sync.Mutex
	var clients sync.WaitGroup
	begun := make(chan bool, 1)
	for n := range 6 {
		clients.Go(func() {
			client := &http.Client{Transport: &http.Transport{}, Timeout: modelstest.Patience}
			defer client.CloseIdleConnections()
			for i := 0; ; i++ {
				title := fmt.Sprintf("%d-%d-%d", round, n, i)
				body, _ := json.Marshal(map[string]string{"title": title, "description": strings.Repeat("long ", n%2*4000)})
				r, _ := http.NewRequest("POST", "http://"+l.Addr().String()+"/v1/event/"+f.Event.ID+"/sessions/create",
					bytes.NewReader(body))
				r.Header.Set("x-access-token", key)
				r.Header.Set("content-type", "application/json")
				status := 0
				if response, err := client.Do(r); err == nil {
					if _, err := io.Copy(io.Discard, response.Body); err == nil {
						status = response.StatusCode
					}
					response.Body.Close()
				}
				mu.Lock()
				told[title] = status
				mu.Unlock()
				if status != http.StatusOK {
					return
				}
				select {
				case begun <- true:
				default:
				}
			}
		})
	}
	<-begun
	time.Sleep(time.Duration(round%10) * time.Millisecond) // at another moment of their work each time
	cancel(context.Canceled)
	clients.Wait()
	if err := <-ended; err != nil {
		t.Errorf("the server ends with %v", err)
	}
}

// appOver returns an app with every door over a store.
func appOver(f *modelstest.Fixture) *fiber.App {
	return New(&Options{BaseURL: "http://127.0.0.1"}, f.Store, Process{Key: make([]byte, 32)})
}

// serve serves an app, and returns its listener, what ends it, and the error with which it ended.
func serve(t *testing.T, app *fiber.App) (l *Listener, end context.CancelCauseFunc, ended chan error) {
	t.Helper()
	l = Listen(modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t), &Options{})
	ctx, end := context.WithCancelCause(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- Serve(ctx, end, app, l, func() {}) }()
	return l, end, ended
}

// TestAnEndingServerAnswersWhoWaitsForChanges ends a server while as many requests wait as a key may have (one more is
// refused): each gets its answer, with the cursor to go on from.
func TestAnEndingServerAnswersWhoWaitsForChanges(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			f := modelstest.Open(t, dialect)
			key := modelstest.NewKey(t, f, apikey.ReadSessions)
			l, end, ended := serve(t, appOver(f))
			answered := make(chan string, 17)
			for range 17 {
				go func() {
					r, _ := http.NewRequest("GET", "http://"+l.Addr().String()+"/v1/event/"+f.Event.ID+"/changes?since=now&wait=30",
						nil)
					r.Header.Set("x-access-token", key)
					response, err := http.DefaultClient.Do(r)
					if err != nil {
						answered <- err.Error()
						return
					}
					defer response.Body.Close()
					var answer struct{ Cursor string }
					json.NewDecoder(response.Body).Decode(&answer)
					answered <- fmt.Sprint(response.StatusCode, " ", answer.Cursor != "")
				}()
			}
			modelstest.Want(t, "one too many is answered", <-answered, "429 false")
			end(context.Canceled)
			for range 16 {
				modelstest.Want(t, "who waited is answered", <-answered, "200 true")
			}
			if err := <-ended; err != nil {
				t.Errorf("the server ends with %v", err)
			}
		})
	}
}
