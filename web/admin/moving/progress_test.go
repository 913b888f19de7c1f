package moving_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"lectern/models/arrival"
	"lectern/models/fetch"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/moving"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// TestThePageTellsHowFarAMoveIs brings 250 people, of whom the last one's photo takes as long as the page is looked at.
func TestThePageTellsHowFarAMoveIs(t *testing.T) {
	asked, release := make(chan bool, 1), make(chan bool)
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/photo" {
			asked <- true
			<-release
			w.WriteHeader(404)
			return
		}
		var speakers []string
		for i := range 250 {
			speakers = append(speakers, fmt.Sprintf(`{"id": "%d", "firstName": "Ada", "lastName": "No %d", "profilePicture": "%s"}`, i, i,
				map[bool]string{true: server.URL + "/photo"}[i == 249]))
		}
		fmt.Fprintf(w, `{"sessions": [{"id": "1", "title": "Tides", "speakers": ["1"]}], "speakers": [%s]}`,
			strings.Join(speakers, ","))
	}))
	defer server.Close()
	d, b := admintest.OpenAs(t, staff.Organizer)
	b.Get(d.At("/moves/new?from=sessionize"), 200)
	here, _ := sent(b, "", "", url.Values{"from": {"sessionize"}, "address": {server.URL + "/api/v2/abcd1234/view/All"}},
		303)
	web := &fetch.Client{HTTP: server.Client()}
	modelstest.Must(moves.Run(t.Context(), d.Store, web))(t)
	b.On(here).Post(here+"/bring", nil, 303)
	over := make(chan error, 1)
	go func() {
		_, err := moves.Run(t.Context(), d.Store, web)
		over <- err
	}()
	<-asked
	page := ""
	modelstest.Comes(func() bool {
		page = b.Get(here, 200)
		return strings.Contains(page, "200 people")
	})
	admintest.Wants(t, page, "It is coming in", "Bringing it here", "200 people",
		`<progress class="bar" value="200" max="251"`)
	close(release)
	modelstest.Fine(t, <-over)
	admintest.Wants(t, b.Get(here, 200), "What came", "the photo of Ada No 249")
}

// TestEachStateTellsHowFarItIs writes the rows itself that a worker would write.
func TestEachStateTellsHowFarItIs(t *testing.T) {
	d, owner := admintest.OpenAs(t, staff.Owner)
	owner.Get(d.At("/moves/new?from=schedule"), 200)
	here, _ := sent(owner, "schedule.xml", "<schedule/>", url.Values{"from": {"schedule"}}, 303)
	all := func(n int) arrival.Foreseen { return arrival.Foreseen{New: n - 1, Here: 1} }
	preview := &moves.StoredPreview{Preview: moving.Preview{People: all(1200), Sessions: all(800), Reviews: all(1)}}
	report := &moves.StoredReport{Report: moving.Report{Reviews: arrival.Counts{Created: 3},
		Summary: arrival.Summary{Contacts: arrival.Counts{Created: 1000, Unchanged: 1}, Abstracts: arrival.Counts{Created: 400},
			Sessions: arrival.Counts{Created: 300}}}}
	whole, wholly := &moves.StoredPreview{Event: &moves.Event{Rows: 5000}}, &moves.StoredReport{Event: &moves.Event{Rows: 1200}}
	for _, of := range []struct {
		kind    string
		state   moves.State
		isAtIt  bool
		preview *moves.StoredPreview
		report  *moves.StoredReport
		want    []string
		lacks   string
	}{
		{"schedule", moves.Looking, false, nil, nil, []string{"In line"}, "<progress"},
		{"schedule", moves.Looking, true, nil, nil, []string{"Reading what is there"}, "<progress"},
		{"schedule", moves.Looking, true, preview, nil, []string{"1,200 people", "800 sessions", "1 review<"}, "<progress"},
		{"schedule", moves.Bringing, false, preview, nil, []string{"In line", `value="0" max="2001"`}, "people<"},
		{"schedule", moves.Bringing, true, preview, report, []string{"Bringing it here", "1,001 people", "400 sessions", "3 reviews",
			`value="1404" max="2001"`}, "In line"},
		{"schedule", moves.Undoing, true, preview, report, []string{"Taking back what came"}, "<progress"},
		{"archive", moves.Looking, true, whole, nil, []string{"Reading what is there", "5,000 rows"}, "<progress"},
		{"archive", moves.Bringing, true, whole, wholly, []string{"1,200 rows", `value="1200" max="5000"`}, "people"},
	} {
		until := "NULL"
		if of.isAtIt {
			until = "'2099-01-01T00:00:00.000Z'"
		}
		modelstest.Exec(t, d.SQL, fmt.Sprintf("UPDATE moves SET kind = '%s', state = '%s', claimed_until = %s, preview = %s, report = %s",
			of.kind, of.state, until, asRow(t, of.preview), asRow(t, of.report)))
		page := owner.Get(here, 200)
		_, page, _ = strings.Cut(page, `id="progress"`)
		admintest.Wants(t, page, append(of.want, "You can leave this page", here+"/stop")...)
		admintest.Lacks(t, page, of.lacks)
	}
}

// asRow encodes a preview or a report as the database stores it.
func asRow[T any](t *testing.T, of *T) string {
	t.Helper()
	if of == nil {
		return "NULL"
	}
	return "'" + string(modelstest.Must(json.Marshal(of))(t)) + "'"
}
