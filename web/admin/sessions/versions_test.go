package sessions_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

func TestARecordShowsItsVersionsAndWhatEachChanged(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{Description: new("<p>The sea goes out.</p>")}})
	record := d.At("/sessions/" + s.ID)
	admintest.Wants(t, b.Get(record, 200), `href="`+record+`/versions"`, "One version")
	d.Clock.Move(time.Hour)
	b.Send(record+"/edit", 303, "title", "Neap <b>tides", "description", "<p>The sea comes out.</p>")
	d.Clock.Move(time.Hour)
	b.Send(record+"/edit", 303, "description", "<p>The <em>sea</em> comes out.</p>")

	admintest.Wants(t, b.Get(record, 200), "3 versions")
	admintest.Wants(t, b.Get(record+"/versions", 200), "Only the formatting changed.", "Sat 21 Nov 2026, 12:30 CET",
		"The text now", "changed the title and the description", "Neap &lt;b&gt;tides", "The sea ",
		"API key “Test key”</bdi> wrote it first", `>goes<`, `>comes<`, "deleted: ", "inserted: ", "Read it")
	modelstest.Want(t, "how often Restore this version", strings.Count(b.Text, "Restore this version"), 2)

	// The activity has the words alone, and the way to all of it.
	log := b.Get(d.At("/activity"), 200)
	admintest.Wants(t, log, `>goes<`, `>comes<`, `href="`+record+`/versions"`, "formatting changed")
	admintest.Lacks(t, log, ">The sea goes out.<")

	for _, role := range []staff.Role{staff.Viewer, staff.Reviewer} {
		other := d.As(role)
		admintest.Wants(t, other.Get(record+"/versions", 200), "Neap &lt;b&gt;tides")
		admintest.Lacks(t, other.Text, "Restore this version", "<form method=\"post\" action=\""+record)
		other.Post(record+"/versions", url.Values{"version": {"1"}, "updated_at": {d.Read(s.ID).UpdatedAt.String()}}, 403)
	}
}

// restore sends the form of a version on the page of versions.
func restore(b *admintest.Browser, page, id, version string, status int) (location, answer string) {
	b.T.Helper()
	return b.Post(b.At("/sessions/"+id+"/versions"), url.Values{"version": {version},
		"updated_at": {admintest.Between(page, `name="updated_at" value="`, `"`)},
		"newest":     {admintest.Between(page, `name="newest" value="`, `"`)},
	}, status)
}

func TestRestoringAVersionIsAnEdit(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true,
		SessionInput: models.SessionInput{Description: new("<p>One</p>")}})
	d.Clock.Move(time.Hour)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Floods"),
		SessionInput: models.SessionInput{Description: new("<p>Two</p>"), Status: new(models.AcceptQueue)}}))(t)
	d.Clock.Move(time.Hour)
	modelstest.Emitted(t, d.Fixture)
	page := b.Get(d.At("/sessions/"+s.ID+"/versions"), 200)
	versions := modelstest.Must(d.Programme().Versions(t.Context(), d.Read(s.ID)))(t)
	first := versions[1].ID

	// Somebody else moved it meanwhile: both fit together.
	modelstest.SetStatus(t, d.Programme(), s.ID, models.Pending)
	modelstest.Emitted(t, d.Fixture)
	_, answer := restore(b, page, s.ID, first, 409)
	admintest.Wants(t, answer, "You changed other fields, so both fit together", `value="Tides"`, "Test key changed")
	b.Post(d.At("/sessions/"+s.ID+"/edit"), admintest.Fields(answer), 303)
	if now := d.Read(s.ID); now.Title != "Tides" || now.Description != "<p>One</p>" || now.Status != models.Pending {
		t.Errorf("it is %q, %q, %s", now.Title, now.Description, now.Status)
	}
	if emitted := modelstest.Emitted(t, d.Fixture); len(emitted) != 1 || emitted[0].Type != "session.updated" {
		t.Errorf("it emitted %+v", emitted)
	}

	// With a fresh page it is done at once.
	page = b.Get(d.At("/sessions/"+s.ID+"/versions"), 200)
	admintest.Wants(t, b.Follow(restore(b, page, s.ID, versions[0].ID, 303)), "Title and description are again those of")
	if now := d.Read(s.ID); now.Title != "Floods" || now.Description != "<p>Two</p>" || now.Status != models.Pending {
		t.Errorf("it is %q, %q, %s", now.Title, now.Description, now.Status)
	}
	if emitted := modelstest.Emitted(t, d.Fixture); len(emitted) != 1 || emitted[0].Type != "session.updated" {
		t.Errorf("it emitted %+v", emitted)
	}

	// Who changed the text itself meanwhile is told of, field by field.
	page = b.Get(d.At("/sessions/"+s.ID+"/versions"), 200)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Theirs")}))(t)
	_, answer = restore(b, page, s.ID, first, 409)
	admintest.Wants(t, answer, "You changed some of the same fields", "Theirs", "Tides", "Test key changed Title")
	modelstest.Want(t, "it is", d.Read(s.ID).Title, "Theirs")
}

func TestVersionsOfWhatIsNotThere(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	elsewhere := d.Foreign(models.NewSession{Title: "Secret"})
	s := d.Session(models.NewSession{Title: "Tides"})
	token := url.Values{"updated_at": {d.Read(s.ID).UpdatedAt.String()}}
	b.Get(d.At("/sessions/"+s.ID+"/versions?page=7"), 303)
	token.Set("version", elsewhere.ID)
	b.On(d.At("/sessions/"+s.ID)).Post(d.At("/sessions/"+s.ID+"/versions"), token, 404)
	modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
	b.Get(d.At("/sessions/"+s.ID+"/versions"), 404)
	b.Post(d.At("/sessions/"+s.ID+"/versions"), token, 404)
	admintest.Lacks(t, b.Get(d.At("/sessions/"+s.ID), 200), "/versions")
}

func TestTheVersionsOfALinkedAbstractAreRestoredAtItsSession(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	abstract := d.Session(models.NewSession{Title: "One", IsAbstract: true})
	d.Clock.Move(time.Minute)
	s := modelstest.Must(d.Programme().Compose(t.Context(), []string{abstract.ID}, ""))(t)
	d.Clock.Move(time.Minute)
	modelstest.Must(d.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("Two")}))(t)
	page := b.Get(d.At("/sessions/"+abstract.ID+"/versions"), 200)
	admintest.Wants(t, page, "one text with", d.At("/sessions/"+s.ID+"/versions"))
	admintest.Lacks(t, page, "Restore this version")
	now := d.Read(abstract.ID)
	versions := modelstest.Must(d.Programme().Versions(t.Context(), now))(t)
	refused := b.Follow(b.Post(d.At("/sessions/"+abstract.ID+"/versions"),
		url.Values{"version": {versions[1].ID}, "updated_at": {now.UpdatedAt.String()}}, 303))
	admintest.Wants(t, refused, "is edited on the linked session")
	page = b.Get(d.At("/sessions/"+s.ID+"/versions"), 200)
	restore(b, page, s.ID, modelstest.Must(d.Programme().Versions(t.Context(), d.Read(s.ID)))(t)[1].ID, 303)
	modelstest.Want(t, "the abstract is", d.Read(abstract.ID).Title, "One")
}
