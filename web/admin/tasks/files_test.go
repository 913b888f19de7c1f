package tasks_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/tasks"
	"lectern/web/admin/admintest"
)

func TestFilesAreTakenAlongAsOneArchive(t *testing.T) {
	d := admintest.Open(t)
	ctx, handle := t.Context(), tasks.Of(d.Programme())
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/tasks/files"), 200), "No files yet")
	modelstest.Want(t, "behind the last page is", b.Leads(d.At("/tasks/files?page=2")), d.At("/tasks/files?page=1"))
	b.Get(d.At("/tasks/files.zip"), 303)
	for _, title := range []string{"Tides", "Ebb <b>"} {
		s := d.Session(models.NewSession{Title: title, SessionInput: models.SessionInput{Status: new(models.Accepted)}})
		d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada"})
	}
	slides := modelstest.Must(handle.Create(ctx, tasks.Change{Title: new("Slides"), Kind: new(tasks.File), AskedOf: new(tasks.OfSession)}))(t)
	board := modelstest.Must(handle.Board(ctx))(t)
	for _, of := range board.All {
		modelstest.Fine(t,
			handle.Upload(ctx, slides.ID, of.OwnerID(), models.Upload{Name: "deck.pdf", Content: []byte("%PDF-" + of.ID)}))
	}
	page := b.Get(d.At("/tasks/files"), 200)
	admintest.Wants(t, page, "Download 2 files", "deck.pdf", "Ebb &lt;b&gt;", "1 version", `<option value="room">`)
	modelstest.Want(t, "behind the last page is", b.Leads(d.At("/tasks/files?page=2")), d.At("/tasks/files?page=1"))
	admintest.Wants(t, b.Get(d.At("/tasks/files?q=tides"), 200), "Download 1 file (")
	admintest.Wants(t, b.Get(d.At("/tasks/files?show=finished"), 200), "No file is like that")
	names := func(query string) []string {
		return slices.Sorted(maps.Keys(modelstest.Unzip(t, []byte(b.Get(d.At("/tasks/files.zip"+query), 200)))))
	}
	modelstest.WantAll(t, "by session", names("?by=session&q=tides"), []string{"S-1 Tides/S-1 Tides - Slides - deck.pdf"})
	if files := names("?by=forged"); len(files) != 2 || !strings.HasPrefix(files[0], "Slides/") {
		t.Errorf("%v", files)
	}
	for _, role := range []staff.Role{staff.Reviewer, staff.Viewer} {
		d.As(role).Get(d.At("/tasks/files.zip"), 403)
	}
}

const png = "\x89PNG\r\n\x1a\n and more"

// pictures hands in versions of a task: a picture, a PDF, and a file that is called a picture and is none.
func (s *stage) pictures(t *testing.T) (of *tasks.Task, versions []*tasks.Version) {
	of = s.define(tasks.Change{Title: new("Poster"), Kind: new(tasks.File), AskedOf: new(tasks.OfSession)})
	for _, u := range []models.Upload{{Name: "sea.PNG", Content: []byte(png)}, pdf("deck"),
		{Name: "odd.webp", Content: []byte("RIFF1234WAVEfmt ")}, {Name: "all.zip", Content: []byte("PK\x03\x04")}} {
		modelstest.Fine(t, s.tasks.Upload(t.Context(), of.ID, s.tides.ID, u))
	}
	return of, modelstest.Must(s.tasks.One(t.Context(), of.ID, s.tides.ID))(t).Versions
}

func TestPicturesAndPDFAreLookedAtInPlace(t *testing.T) {
	s := open(t)
	of, versions := s.pictures(t)
	here := s.at(of, s.tides.ID)
	admintest.Wants(t, s.b.Get(here, 200), here+"/versions/"+versions[3].ID+`/preview" alt="Preview of sea.PNG"`,
		"<iframe", "Open it in another tab")
	admintest.Lacks(t, s.b.Text, versions[0].ID+"/preview")
	for i, want := range []struct{ disposition, mediaType, policy, content string }{
		{"attachment", "application/octet-stream", "default-src 'none'; sandbox", "PK\x03\x04"},
		{"attachment", "application/octet-stream", "default-src 'none'; sandbox", "RIFF1234WAVEfmt "},
		{"inline", "application/pdf", "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'", "%PDF-1.7 deck"},
		{"inline", "image/png", "default-src 'none'; frame-ancestors 'self'; sandbox", png}} {
		at := here + "/versions/" + versions[i].ID + "/preview"
		res, body := s.b.Do(httptest.NewRequest(http.MethodGet, at, nil), 200)
		h := res.Header
		if !strings.HasPrefix(h.Get("Content-Disposition"), want.disposition+";") || h.Get("Content-Type") != want.mediaType ||
			h.Get("Content-Security-Policy") != want.policy || h.Get("X-Content-Type-Options") != "nosniff" || body != want.content {
			t.Errorf("%d: %q with %v", i, body, h)
		}
		s.As(staff.Viewer).Get(at, 403)
	}
}

func TestStaffMakeAnEarlierVersionTheLatest(t *testing.T) {
	s := open(t)
	of, versions := s.pictures(t)
	here := s.at(of, s.tides.ID)
	admintest.Wants(t, s.b.Get(here, 200), "Make latest: version 1", "This one counts")
	page := s.do(here, "/latest", url.Values{"version": {versions[3].ID}})
	admintest.Wants(t, page, "That version counts again, and is to be checked.", "Make latest: version 4")
	admintest.Lacks(t, page, "Make latest: version 1")
	admintest.Wants(t, s.b.Get(s.At("/sessions/"+s.tides.ID), 200), "made an earlier version of “Poster” the latest",
		"sea.PNG")
	admintest.Wants(t, s.b.Get(s.At("/tasks/files"), 200), "sea.PNG", "4 versions")
}

func TestTickedFilesAreTakenAlong(t *testing.T) {
	s := open(t)
	_, versions := s.pictures(t)
	admintest.Wants(t, s.b.Get(s.At("/tasks/files"), 200), "Download what is ticked",
		`name="id" value="`+versions[0].ID+`"`)
	admintest.Wants(t, s.b.Get(s.At("/tasks/files.zip?take=ticked&id="+versions[0].ID), 200), "all.zip")
	s.b.Get(s.At("/tasks/files.zip?take=ticked&id=x"), 303)
	admintest.Wants(t, s.b.Get(s.At("/tasks/files"), 200), "Tick the files that you want to take along")
}
