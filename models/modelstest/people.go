package modelstest

import (
	"strings"
	"testing"

	"lectern/models"
)

// Speaker puts a new contact on a session of an event, behind the people there
// already, and returns the contact's id.
func (f *Fixture) Speaker(t testing.TB, event *models.Event, sessionID string, n models.NewContact) string {
	t.Helper()
	db, now := f.SQL(t), models.At(f.Clock.Now()).String()
	defer db.Close()
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	id, name := models.NewID(), strings.TrimSpace(n.FirstName+" "+n.LastName)
	photo := &n.PhotoURL
	if n.PhotoURL == "" {
		photo = nil
	}
	exec(`INSERT INTO contacts (id, organization_id, email, email_key, first_name, last_name, full_name, name_key, company_name,
			job_title, phone, website_url, linkedin_url, about, photo_url, search, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)`,
		id, event.OrganizationID, n.Email, strings.ToLower(n.Email), n.FirstName, n.LastName, name, strings.ToLower(name), n.CompanyName,
		n.JobTitle, n.Phone, n.WebsiteURL, n.LinkedinURL, n.About, photo, strings.ToLower(name+"\n"+n.Email+"\n"+n.CompanyName), now)
	exec(`INSERT INTO event_contacts (event_id, organization_id, contact_id, workflow_status, travel_notes, logistics_notes, created_at, updated_at)
		VALUES ($1, $2, $3, '', $4, $5, $6, $6)`, event.ID, event.OrganizationID, id, n.TravelNotes, n.LogisticsNotes, now)
	f.Join(t, event, sessionID, id, models.Speaking)
	return id
}

// Join puts a contact on one more session.
func (f *Fixture) Join(t testing.TB, event *models.Event, sessionID, contactID string, role models.Role) {
	t.Helper()
	db := f.SQL(t)
	defer db.Close()
	for _, query := range []string{
		`INSERT INTO participants (event_id, session_id, contact_id, role, position)
			SELECT $1, $2, $3, $4, count(*) FROM participants WHERE session_id = $2`,
		`UPDATE sessions SET search = search || chr(10) || (SELECT name_key FROM contacts WHERE id = $3) WHERE event_id = $1 AND id = $2 AND $4 <> ''`,
		`UPDATE events SET sessions_version = sessions_version + 1 WHERE id = $1 AND $2 <> '' AND $3 <> '' AND $4 <> ''`,
	} {
		if f.Dialect() == "sqlite" {
			query = strings.Replace(query, "chr(", "char(", 1)
		} else {
			query = strings.NewReplacer("$1", "$1::text", "$2", "$2::text", "$3", "$3::text", "$4", "$4::text").Replace(query)
		}
		if _, err := db.Exec(query, event.ID, sessionID, contactID, string(role)); err != nil {
			t.Fatal(err)
		}
	}
}
