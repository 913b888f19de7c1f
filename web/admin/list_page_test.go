package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestAPageBehindTheLastOneLeadsToTheLastOne(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.submissions(rowsAPage+1, "T")
	b := d.as(staff.Viewer)
	for path, want := range map[string]string{
		"/submissions?page=9&sort=title": "/submissions?page=2&sort=title",
		"/activity?kind=session&page=9":  "/activity?kind=session&page=2",
	} {
		if got := b.leads(d.at(path)); !strings.HasSuffix(got, want) {
			t.Errorf("%s leads to %s", path, got)
		}
	}
}

func TestAnEmptyQueueIsDone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.submissions(1, "T")
	b := d.as(staff.Viewer)
	for path, text := range map[string]string{
		"/submissions?status=accept_queue":      "The accept queue is empty.",
		"/submissions?needs=session":            "Nothing waits here: accepted, in no session.",
		"/submissions?status=withdrawn":         "Nothing matches",
		"/submissions?status=accept_queue&q=zz": "Nothing matches",
	} {
		wants(t, b.get(d.at(path), 200), text)
	}
}

func TestFiltersAndBulkOfferEveryRowOfALongFamily(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.submissions(1, "T")
	var last *models.Metadata
	for i := range store.MaxPageSize + 1 {
		last = d.add(d.Programme(), models.Tracks, models.NewMetadata{Name: fmt.Sprintf("Track %03d", i)})
	}
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/submissions?track="+last.ID), 200), `name="track" value="`+last.ID+`" checked> <bdi>Track 100`)
	page := b.get(d.at("/submissions"), 200)
	wants(t, page, `name="track" value="`+last.ID+`">`, `<option value="`+last.ID+`">Track 100`)
}

func TestTheEventSwitcherKeepsThePage(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	d.add(d.Programme(), models.Tags, models.NewMetadata{Name: "new"})
	batch, err := d.Programme().StartBatch(t.Context(), []string{s.ID}, nil, models.BatchChange{Status: new(models.Draft)})
	if err != nil {
		t.Fatal(err)
	}
	b := d.as(staff.Owner)
	for path, want := range map[string]string{
		"": "", "/submissions?q=x": "/submissions", "/sessions/" + s.ID: "/submissions", "/sessions/" + s.ID +
			"/edit": "/submissions",
		"/metadata/rooms": "/metadata/rooms", "/keys/new": "/keys", "/batches/" + batch.ID +
			"?back=submissions": "/submissions", "/settings": "/settings",
	} {
		wants(t, b.get(d.at(path), 200), `href="/admin/events/`+d.Other.ID+want+`"`)
	}
}

func TestASummaryLinksToFieldsAlone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.submissions(1, "T")
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions"), 200)
	_, page := b.post(d.at("/submissions/bulk"), url.Values{"do": {"pending"}}, 422)
	wants(t, page, "Select at least one row first", "<title>Error: ")
	lacks(t, page, `href="#"`)
}

func TestPeopleOfARecordLeadToWhatTheyAreOn(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
	li := modelstest.Must(d.Programme().CreateContact(t.Context(),
		models.NewContact{FirstName: "Li", LastName: "Wei", Email: "li@example.org"}))(t)
	modelstest.Must(d.Programme().SetParticipants(t.Context(), s.ID, []models.Participation{{ContactID: li.ID}}))(t)
	b := d.as(staff.Viewer)
	page := b.get(d.at("/sessions/"+s.ID), 200)
	wants(t, page, `data-copy="record-id"`, d.at("/speakers/"+li.ID))
	wants(t, b.get(d.at("/submissions?speaker="+li.ID), 200), "With Li Wei", "Tides")
}
