package moving_test

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAnOwnerBringsAnArchive(t *testing.T) {
	d := admintest.Open(t)
	d.Session(models.NewSession{Title: "Tides"})
	taken := modelstest.Must(archive.Take(t.Context(), d.Programme()))(t)
	defer taken.Close()
	var whole bytes.Buffer
	modelstest.Fine(t, taken.WriteTo(t.Context(), &whole))
	b, form := d.As(staff.Owner), "/admin/bring/"+d.Event.ID
	admintest.Wants(t, b.Get(d.At("/moves"), 200), "An archive of an event", form)
	admintest.Wants(t, b.Get(form, 200), "From an archive of an event", "Short name", "at most 1 GB", "docs/moving")
	_, page := b.SendFile(form, url.Values{}, "file", "", "", 422)
	admintest.Wants(t, page, "choose a file")
	_, page = b.SendFile(form, url.Values{"slug": {"again"}}, "file", "a.zip", "PK\x03\x04", 422)
	admintest.Wants(t, page, "no archive of an event", `value="again"`)
	_, page = b.SendFile(form, url.Values{}, "file", "a.zip", whole.String(), 422)
	admintest.Wants(t, page, "is taken by another event")
	here, _ := b.SendFile(form, url.Values{"slug": {"again"}}, "file", "a.zip", whole.String(), 303)
	admintest.Wants(t, b.Get(here, 200), "In line")
	work(d)
	admintest.Wants(t, b.Get(here, 200), "What would come", "Sessions and submissions", "under the short name “again”",
		"It cannot be undone", "Bring it")
	admintest.Lacks(t, b.Text, "what changed there is written")
	organizer := d.As(staff.Organizer)
	organizer.Get(here, 404)
	organizer.Get(form, 403)
	admintest.Lacks(t, organizer.Get(d.At("/moves"), 200), "a.zip", "An archive of an event")
	organizer.Post(here+"/bring", nil, 404)
	b.Post(here+"/bring", nil, 303)
	work(d)
	page = b.Get(here, 200)
	admintest.Wants(t, page, "What came", "It is an event of its own", "Open the event")
	admintest.Lacks(t, page, "Undo…", "Bring it again")
	event := page[strings.Index(page, `class="button primary" href="/admin/events/`):]
	event, _, _ = strings.Cut(event[len(`class="button primary" href="`):], `"`)
	b.Get(event, 200)
	admintest.Wants(t, b.Get(event+"/sessions", 200), "Tides")
	admintest.Wants(t, b.Get(d.At("/moves"), 200), "a.zip", "Became “")
	b.Leads(here + "/undo")
}

func TestAnOwnerBringsAllEvents(t *testing.T) {
	d := admintest.Open(t)
	modelstest.Exec(t, d.SQL, "UPDATE events SET slug = slug || '-there'")
	of := d.Store.Organization(d.Event.OrganizationID, store.By{})
	taken := modelstest.Must(archive.TakeAll(t.Context(), d.Store, of))(t)
	defer taken.Close()
	modelstest.Exec(t, d.SQL, "UPDATE events SET slug = replace(slug, '-there', '')")
	var whole bytes.Buffer
	modelstest.Fine(t, taken.WriteTo(t.Context(), &whole))
	b, form := d.As(staff.Owner), "/admin/bring/"+d.Event.ID
	admintest.Wants(t, b.Get(form, 200), "for an archive of all events")
	_, page := b.SendFile(form, url.Values{"slug": {"again"}}, "file", "a.zip", whole.String(), 422)
	admintest.Wants(t, page, "under the names and short names that they have")
	here, _ := b.SendFile(form, url.Values{}, "file", "a.zip", whole.String(), 303)
	work(d)
	admintest.Wants(t, b.Get(here, 200), "All events of “", "Each is an event of its own: “", "-there)", "Bring it")
	b.Post(here+"/bring", nil, 303)
	work(d)
	admintest.Wants(t, b.Get(here, 200), "What came", "-there)", "What was public where it comes from")
	admintest.Lacks(t, b.Text, "Open the event", "It is an event of its own")
	admintest.Wants(t, b.Get(d.At("/moves"), 200), "Became 2 events")
}
