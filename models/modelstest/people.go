package modelstest

import (
	"context"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/staff"
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
		Must(f.SQL.Exec(query, event.ID, sessionID, contactID, string(role)))(t)
	}
}
