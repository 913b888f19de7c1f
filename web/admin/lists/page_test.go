package lists_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestAPageBehindTheLastOneLeadsToTheLastOne(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(visit.RowsAPage+1, "T")
	b := d.As(staff.Viewer)
	for path, want := range map[string]string{
		"/submissions?page=9&sort=title": "/submissions?page=2&sort=title",
		"/activity?kind=session&page=9":  "/activity?kind=session&page=2",
	} {
		if got := b.Leads(d.At(path)); !strings.HasSuffix(got, want) {
			t.Errorf("%s leads to %s", path, got)
		}
	}
}

func TestAnEmptyQueueIsDone(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	b := d.As(staff.Viewer)
	for path, text := range map[string]string{
		"/submissions?status=accept_queue":      "The accept queue is empty.",
		"/submissions?needs=session":            "Nothing waits here: accepted, in no session.",
		"/submissions?status=withdrawn":         "Nothing matches",
		"/submissions?status=accept_queue&q=zz": "Nothing matches",
	} {
		admintest.Wants(t, b.Get(d.At(path), 200), text)
	}
}

func TestFiltersAndBulkOfferEveryRowOfALongFamily(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	var last *models.Metadata
	for i := range store.MaxPageSize + 1 {
		last = d.Add(d.Programme(), models.Tracks, models.NewMetadata{Name: fmt.Sprintf("Track %03d", i)})
	}
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/submissions?track="+last.ID), 200),
		`name="track" value="`+last.ID+`" checked> <bdi>Track 100`)
	page := b.Get(d.At("/submissions"), 200)
	admintest.Wants(t, page, `name="track" value="`+last.ID+`">`, `<option value="`+last.ID+`">Track 100`)
}

func TestTheEventSwitcherKeepsThePage(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	modelstest.RowOf(t, d.Programme(), models.Tags, "new")
	batch := modelstest.Must(d.Programme().StartBatch(t.Context(), []string{s.ID}, nil, models.BatchChange{Status: new(models.Draft)}))(t)
	b := d.As(staff.Owner)
	for path, want := range map[string]string{
		"": "", "/submissions?q=x": "/submissions", "/sessions/" + s.ID: "/submissions", "/sessions/" + s.ID +
			"/edit": "/submissions",
		"/metadata/rooms": "/metadata/rooms", "/keys/new": "/keys", "/batches/" + batch.ID +
			"?back=submissions": "/submissions", "/settings": "/settings",
	} {
		admintest.Wants(t, b.Get(d.At(path), 200), `href="/admin/events/`+d.Other.ID+want+`"`)
	}
}

func TestASummaryLinksToFieldsAlone(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions"), 200)
	_, page := b.Post(d.At("/submissions/bulk"), url.Values{"do": {"pending"}}, 422)
	admintest.Wants(t, page, "Select at least one row first", "<title>Error: ")
	admintest.Lacks(t, page, `href="#"`)
}

func TestPeopleOfARecordLeadToWhatTheyAreOn(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	li := modelstest.Must(d.Programme().CreateContact(t.Context(),
		models.NewContact{FirstName: "Li", LastName: "Wei", Email: "li@example.org"}))(t)
	modelstest.Must(d.Programme().SetParticipants(t.Context(), s.ID, []models.Participation{{ContactID: li.ID}}))(t)
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At("/sessions/"+s.ID), 200), `data-copy="record-id"`, d.At("/speakers/"+li.ID))
	admintest.Wants(t, b.Get(d.At("/submissions?speaker="+li.ID), 200), "With Li Wei", "Tides")
}
