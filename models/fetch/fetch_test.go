package fetch_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/models/fetch"
	"lectern/models/modelstest"
)

// TestNoAnswerIsSaidInWordsAndNotedInFull: a page never shows the error of this server's network, such as the address
// of its name server. The log has the error, without the address that was asked.
func TestNoAnswerIsSaidInWordsAndNotedInFull(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	closed := httptest.NewServer(nil)
	closed.Close()
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	secure := httptest.NewUnstartedServer(nil)
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	secure.StartTLS()
	defer secure.Close()
	breaking := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
	}))
	defer breaking.Close()
	tooLong := strings.Repeat("a", 64) + ".example" // no name of a server is as long
	for _, of := range []struct{ address, want, noted string }{
		{"http://" + tooLong, "the schedule: there is no server called " + tooLong + ". Look whether the address is right", "no such host"},
		{closed.URL, "the schedule: " + hostOf(closed.URL) + " cannot be reached: it takes no connections there", "connection refused"},
		{slow.URL, "the schedule: " + hostOf(slow.URL) + " did not answer in time", "Client.Timeout"},
		{secure.URL, "the schedule: " + hostOf(secure.URL) + " has a certificate that this server does not trust", "x509"},
		{breaking.URL, "the schedule: " + hostOf(breaking.URL) + " breaks the connection off", "EOF"},
	} {
		log.Reset()
		waited := 0
		patience := modelstest.Patience
		if of.address == slow.URL {
			patience = 200 * time.Millisecond
		}
		client := &fetch.Client{HTTP: &http.Client{Timeout: patience},
			Wait: func(context.Context, time.Duration) error { waited++; return nil }}
		_, err := client.Get(t.Context(), fetch.Ask{What: "the schedule", Address: of.address + "/?token=hidden", Limit: 100})
		if _, is := errors.AsType[*fetch.Fault](err); !is || err.Error() != of.want {
			t.Errorf("%v, want %s", err, of.want)
		}
		if said := log.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, of.noted) || strings.Contains(said, "hidden") {
			t.Errorf("%s is noted as %s", of.want, said)
		}
		if tries := 4; waited != tries && of.noted != "x509" {
			t.Errorf("%s: asked again %d times", of.want, waited)
		}
	}
}

func hostOf(address string) string { return address[strings.Index(address, "//")+2:] }
