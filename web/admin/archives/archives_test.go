package archives_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models/archive"
	"lectern/models/archives"
	"lectern/models/archives/making"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// work runs the job until no archive waits.
func work(d *admintest.Desk) {
	d.T.Helper()
	for modelstest.Must(making.Run(d.T.Context(), d.Store))(d.T) {
	}
}

func opened(d *admintest.Desk, whole string) *archive.Archive {
	d.T.Helper()
	schema := modelstest.Must(d.Store.SchemaVersion(d.Store.Read(d.T.Context())))(d.T)
	a := modelstest.Must(archive.Open(strings.NewReader(whole), int64(len(whole)), schema))(d.T)
	modelstest.Fine(d.T, a.Verify(d.T.Context()))
	return a
}

func TestAllOfAnEventIsHadAsAFile(t *testing.T) {
	d := admintest.Open(t)
	path := "/admin/archives/" + d.Event.ID
	here := d.Hire("an organizer here", staff.Organizer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	for _, address := range []string{path, path + "/file"} {
		if status, _, _ := here.Try("GET", address, nil); status != 403 {
			t.Errorf("who organizes one event is answered %d", status)
		}
	}
	if _, _, page := here.Try("GET", d.At("/settings"), nil); strings.Contains(page, path) {
		t.Error("who organizes one event is offered all that is known of its people")
	}
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/settings"), 200), path, "Make the archive")
	admintest.Wants(t, b.Get(d.At("/find?q=archive"), 200), path)
	admintest.Wants(t, b.Get(path, 200), "as a file", "Make the archive", "keep it safe", "docs/moving-events")
	admintest.Lacks(t, b.Text, "all events as one archive", "Download")
	modelstest.Want(t, "before it leads to", b.Leads(path+"/file"), path)
	admintest.Wants(t, b.Get(path, 200), "There is no archive here")
	b.Post(path, nil, 303)
	admintest.Wants(t, b.Get(path, 200), "In line", `hx-get="`+path+`"`, "Stop")
	work(d)
	admintest.Wants(t, b.Get(path, 200), "Download the archive", path+"/file", "It is deleted on", "Make it anew",
		"Delete it now", "Asked for by Ada organizer")
	modelstest.Want(t, "it is of", opened(d, b.Get(path+"/file", 200)).Manifest.Event.ID, d.Event.ID)
	modelstest.Fine(t, d.Store.KeepSeen(t.Context()))
	admintest.Wants(t, d.As(staff.Owner).Get("/admin/security", 200), "exported people with their addresses")
	b.On(path).Post(path+"/clear", nil, 303)
	admintest.Wants(t, b.Get(path, 200), "It is deleted.", "Make the archive")
	b.Leads(path + "/file")
	b.On(path).Post(path, nil, 303)
	work(d)
	d.Clock.Move(archives.KeptFor)
	b = d.As(staff.Organizer)
	admintest.Wants(t, b.Get(path, 200), "is deleted by now")
	b.Leads(path + "/file")
}

func TestAllEventsAreHadByOwners(t *testing.T) {
	d, organizer := admintest.OpenAs(t, staff.Organizer)
	for _, address := range []string{"/admin/archive", "/admin/archive/file"} {
		organizer.Get(address, 403)
	}
	b := d.As(staff.Owner)
	admintest.Wants(t, b.Get("/admin/archives/"+d.Event.ID, 200), "all events as one archive", `href="/admin/archive"`)
	admintest.Wants(t, b.Get(d.At("/find?q=all+events"), 200), "/admin/archive")
	b.On("/admin/archive").Post("/admin/archive", nil, 303)
	work(d)
	admintest.Wants(t, b.Get("/admin/archive", 200), "Download the archive")
	if a := opened(d, b.Get("/admin/archive/file", 200)); a.Manifest.Event != nil || len(a.Manifest.Events) != 2 {
		t.Errorf("it is of %+v", a.Manifest)
	}
}

// TestThePageTellsHowFarAnArchiveIs writes the rows itself that a worker would write.
func TestThePageTellsHowFarAnArchiveIs(t *testing.T) {
	d := admintest.Open(t)
	b, path := d.As(staff.Organizer), "/admin/archives/"+d.Event.ID
	b.On(path).Post(path, nil, 303)
	for _, of := range []struct{ columns, want, lacks string }{
		{"claimed_until = '2099-01-01T00:00:00.000Z'", "Reading the records", "<progress"},
		{"written = 0, of_bytes = 3145728", `value="0" max="3072"`, "Reading the records"},
		{"written = 1048576", "1.0 MB of about 3.1 MB", "Reading the records"},
		{"written = 1048576", `value="1024" max="3072"`, "Download"},
		{"state = 'stopped', reason = 'The disk is full.', claimed_until = NULL", "The disk is full.", "<progress"},
	} {
		modelstest.Exec(t, d.SQL, "UPDATE archives SET "+of.columns)
		admintest.Wants(t, b.Get(path, 200), of.want)
		admintest.Lacks(t, b.Text, of.lacks)
	}
}

func TestAnArchiveThatNoPageTakesSaysSo(t *testing.T) {
	d := admintest.Open(t)
	b, path := d.As(staff.Organizer), "/admin/archives/"+d.Event.ID
	b.On(path).Post(path, nil, 303)
	work(d)
	const words = "It is larger than the "
	admintest.Lacks(t, b.Get(path, 200), words)
	modelstest.Exec(t, d.SQL, fmt.Sprintf("UPDATE archives SET written = %d", moves.MaxArchive+1))
	admintest.Wants(t, b.Get(path, 200), words, "lectern import archive")
}
