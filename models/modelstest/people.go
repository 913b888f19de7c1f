package modelstest

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/upkeep"
)

// Hire makes a new member of staff with a role everywhere; the name, one word, is also the local part of their address.
func (f *Fixture) Hire(t testing.TB, name string, role staff.Role) *staff.User {
	t.Helper()
	return Must(f.Staff.CreateUser(t.Context(), staff.NewUser{Email: name + "@example.org", Name: name, Role: role,
		Password: "correct horse battery"}))(t)
}

// Team returns the team of a member's organization, with that member acting.
func (f *Fixture) Team(ctx context.Context, u *staff.User) *staff.Team {
	return Team(ctx, f.Store, u)
}

// Team returns the team of a member's organization, with that member acting.
func Team(ctx context.Context, store *models.Store, u *staff.User) *staff.Team {
	return store.Staff.Team(store.Organization(u.OrganizationID, u.InPerson(ctx)))
}

// Webhooks returns those of the organization of the event under test.
func (f *Fixture) Webhooks() *outbox.Webhooks {
	return f.Outbox.Webhooks(f.Organization(f.Event.OrganizationID, Tester))
}

// Speaker adds a new contact to a session, after the people already on it, and returns the contact's id.
func (f *Fixture) Speaker(t testing.TB, event *models.Event, sessionID string, n models.NewContact) string {
	t.Helper()
	c := Must(f.Store.Programme(event, Tester).CreateContact(t.Context(), n))(t)
	f.Join(t, event, sessionID, c.ID, models.Speaking)
	return c.ID
}

// Join adds a contact to a session as if they had always been on it: it emits nothing and does not change the token.
func (f *Fixture) Join(t testing.TB, event *models.Event, sessionID, contactID string, role models.Role) {
	t.Helper()
	db := f.SQL
	for _, query := range []string{
		`INSERT INTO participants (event_id, session_id, contact_id, role, position)
			SELECT $1, $2, $3, $4, count(*) FROM participants WHERE session_id = $2`,
		`UPDATE sessions SET is_alone = false, search = search || chr(10) ||
			(SELECT split_part(search, chr(10), 1) FROM contacts WHERE id = $3) WHERE event_id = $1 AND id = $2 AND $4 <> ''`,
		`UPDATE event_counters SET sessions_version = sessions_version + 1, speakers_version = speakers_version + 1
			WHERE event_id = $1 AND $2 <> '' AND $3 <> '' AND $4 <> ''`,
	} {
		if f.Dialect() == "sqlite" {
			query = strings.NewReplacer("split_part(search, chr(10), 1)", "substr(search, 1, instr(search, char(10)) - 1)",
				"chr(", "char(").Replace(query)
		} else {
			query = strings.NewReplacer("$1", "$1::text", "$2", "$2::text", "$3", "$3::text", "$4", "$4::text").Replace(query)
		}
		if _, err := db.Exec(query, event.ID, sessionID, contactID, string(role)); err != nil {
			t.Fatal(err)
		}
	}
}

// UploadPeople uploads a file of people.
func UploadPeople(t testing.TB, p *models.Programme, content string) *people.ContactImport {
	t.Helper()
	return Must(people.Of(p).UploadContacts(t.Context(), models.Upload{Name: `C:\people.csv`, Content: []byte(content)}))(t)
}

// ImportPeople imports a file of people with a policy, to its end.
func ImportPeople(t testing.TB, f *Fixture, content string, policy people.ImportPolicy) *people.ContactImport {
	t.Helper()
	return ImportPeopleBy(t, f, Tester, content, policy)
}

// ImportPeopleBy is ImportPeople for another actor.
func ImportPeopleBy(t testing.TB, f *Fixture, by store.By, content string,
	policy people.ImportPolicy) *people.ContactImport {
	t.Helper()
	p := f.Store.Programme(f.Event, by)
	i := UploadPeople(t, p, content)
	Must(people.Of(p).StartImport(t.Context(), i.ID, policy))(t)
	Must(people.RunImport(t.Context(), f.Store))(t)
	return Must(people.Of(p).ContactImport(t.Context(), i.ID))(t)
}

// PersonBy returns the person at the event under test with this address, nil for none.
func PersonBy(t testing.TB, f *Fixture, email string) *models.Person {
	t.Helper()
	p := f.Programme()
	for _, c := range Must(p.FindContacts(t.Context(), email, 5))(t) {
		if c.Email == email && c.Here {
			return Must(p.Directory().Person(t.Context(), c.ID))(t)
		}
	}
	return nil
}

// ManyPeople returns a CSV file of n people.
func ManyPeople(n int) string {
	var out bytes.Buffer
	out.WriteString("First name,Last name,Email,Company\n")
	for i := range n {
		fmt.Fprintf(&out, "Person,%d,person%d@example.org,Company %d\n", i, i, i%7)
	}
	return out.String()
}

// Values returns a change of a person from names and values in turn.
func Values(pairs ...string) people.Change {
	c := people.Change{Values: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		c.Values[pairs[i]] = pairs[i+1]
	}
	return c
}

// ContactEmissions returns the types of contact emissions since the last call.
func ContactEmissions(t testing.TB, f *Fixture) (types []outbox.EmissionType) {
	t.Helper()
	for _, e := range Emitted(t, f) {
		if strings.HasPrefix(string(e.Type), "contact.") {
			types = append(types, e.Type)
		}
	}
	return types
}

// WantSound reports what Verify finds.
func WantSound(t testing.TB, f *Fixture) {
	t.Helper()
	for _, c := range Must(upkeep.Verify(t.Context(), f.Store))(t).Checks {
		for _, finding := range c.Findings {
			t.Errorf("%s: %s", c.Name, finding)
		}
	}
}

// RowsOf returns the number that a query counts.
func RowsOf(t *testing.T, f *Fixture, query string, args ...any) (n int) {
	t.Helper()
	db := f.SQL
	Fine(t, db.QueryRow(query, args...).Scan(&n))
	return n
}

// RowOf makes a metadata row.
func RowOf(t testing.TB, p *models.Programme, family models.Family, name string) *models.Metadata {
	t.Helper()
	return Must(p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: name}))(t)
}

// DirectoryOf returns the directory of the organization of the event under test.
func DirectoryOf(f *Fixture) *models.Directory {
	return f.Directory(f.Event.OrganizationID, Tester)
}

// Foreigner makes a contact of another organization.
func Foreigner(t *testing.T, f *Fixture, c people.Change) (*models.Directory, *models.Person) {
	t.Helper()
	owner, _ := ForeignOwner(t, f)
	d := f.Directory(owner.OrganizationID, Tester)
	return d, Must(people.In(d).Create(t.Context(), c))(t)
}

// Merged merges one pair, which must succeed.
func Merged(t *testing.T, f *Fixture, stays, gone string, take ...string) {
	t.Helper()
	for _, o := range Must(people.In(DirectoryOf(f)).Merge(t.Context(),
		[]people.MergePair{{SurvivorID: stays, RemovedID: gone, Take: take}}))(t) {
		if o.Reason != "" || o.LastID != stays {
			t.Fatalf("left out: %+v", o)
		}
	}
}

// SessionsByTitle returns the live sessions of a programme by title.
func SessionsByTitle(t *testing.T, p *models.Programme, filter models.SessionFilter) map[string]*models.Session {
	t.Helper()
	rows, _, err := p.SearchSessions(t.Context(), models.SessionSearch{Filter: filter, Page: store.Page{Size: 100}})
	if err != nil {
		t.Fatal(err)
	}
	return store.ByKey(rows, func(s *models.Session) string { return s.Title })
}

// Second returns the error of an operation and drops its result.
func Second[T any](_ T, err error) error { return err }

// Unzip returns the files of an archive, by name.
func Unzip(t *testing.T, content []byte) map[string]string {
	t.Helper()
	archive := Must(zip.NewReader(bytes.NewReader(content), int64(len(content))))(t)
	out := map[string]string{}
	for _, file := range archive.File {
		r := Must(file.Open())(t)
		out[file.Name] = string(Must(io.ReadAll(r))(t))
	}
	return out
}
