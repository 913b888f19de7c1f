package public

import (
	"cmp"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// written tells whether a row is as it was when it was read last. PostgreSQL says which transaction wrote it; SQLite
// has nothing like that, so all of its rows are read.
type written struct {
	updated store.Time
	writer  uint32
}

func (r written) isAs(last written) bool { return r == last && r.writer != 0 }

// writerOf is the column with which a row of a table says who wrote it.
func (pub *Programme) writerOf(table string) string {
	if pub.p.Store().Embedded() {
		return "0"
	}
	return table + ".xmin"
}

// readTexts gives the sessions their texts, which are most of what there is to read: those that were written since the
// last agenda are read.
func (pub *Programme) readTexts(db *gorm.DB, a, last *Agenda) error {
	before, others := map[string]*Session{}, map[string]*Session{}
	if last != nil {
		for s := range last.All {
			before[s.ID] = s
		}
	}
	var ids []string
	for s := range a.All {
		if known := before[s.ID]; known != nil && s.row.isAs(known.row) {
			s.Description = known.Description
		} else {
			others[s.ID], ids = s, append(ids, s.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	type row struct{ id, text string }
	var rows []*row
	err := store.EachRow(db.Table("sessions").Select("id, description").Where("event_id = ? AND id ?", pub.p.Event().ID,
		store.AnyOf(ids)), func() []any {
		x := &row{}
		rows = append(rows, x)
		return []any{&x.id, &x.text}
	})
	for _, x := range rows {
		others[x.id].Description = x.text
	}
	return err
}

// seat is somebody on a session that is or was shown.
type seat struct {
	sessionID, contactID string
	Speaker
	row written
}

// publicSeats are who is on the sessions that are or were shown. People without a name are left out.
func (pub *Programme) publicSeats(db *gorm.DB, found *[]seat) part {
	query := db.Raw(`SELECT x.session_id, x.position, x.role, c.id, c.updated_at, `+pub.writerOf("c")+`
		FROM (SELECT session_id AS id FROM calendar_entries WHERE event_id = ?
			UNION SELECT s.id FROM sessions s WHERE s.event_id = ? AND `+unplacedIs+`) shown
		JOIN participants x ON x.session_id = shown.id JOIN contacts c ON c.id = x.contact_id
		WHERE c.full_name <> ''`, pub.p.Event().ID, pub.p.Event().ID)
	targets := func() []any {
		*found = append(*found, seat{})
		x := &(*found)[len(*found)-1]
		return []any{&x.sessionID, &x.position, &x.Role, &x.contactID, &x.row.updated, &x.row.writer}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {}}
}

// takeSeats adds the people to the public sessions, and notes whose pages are gone. Those who were written since the last
// agenda are read.
func (pub *Programme) takeSeats(
	db *gorm.DB, a, last *Agenda, sessions map[string]*Session, seats []seat,
) error {
	people, once, cancelled := map[string]*Person{}, map[string]bool{}, map[string]bool{}
	for _, e := range a.Cancelled {
		cancelled[e.ID] = true
	}
	rows := map[string]written{}
	for i := range seats {
		if x := &seats[i]; sessions[x.sessionID] != nil {
			rows[x.contactID] = x.row
		} else if cancelled[x.sessionID] {
			once[x.contactID] = true
		}
	}
	if err := pub.readPeople(db, last, rows, people); err != nil {
		return err
	}
	for i := range seats {
		x := &seats[i]
		if s := sessions[x.sessionID]; s != nil && people[x.contactID] != nil {
			x.Person = people[x.contactID]
			s.People = append(s.People, x.Speaker)
		}
	}
	a.GonePages = map[string]bool{}
	for id := range once {
		if people[id] == nil {
			a.GonePages[pub.pageOf(id)] = true
		}
	}
	for _, s := range sessions {
		slices.SortFunc(s.People, func(a, b Speaker) int {
			return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.ID, b.ID))
		})
	}
	a.People = sorted(people)
	return nil
}

// readPeople finds people by their ids and puts them into found.
func (pub *Programme) readPeople(
	db *gorm.DB, last *Agenda, rows map[string]written, found map[string]*Person,
) error {
	if last != nil {
		for _, person := range last.People {
			if row, isOn := rows[person.ID]; isOn && row.isAs(person.row) {
				found[person.ID] = person
			}
		}
	}
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if found[id] == nil {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var read []*models.Contact
	err := store.EachRow(db.Table("contacts").Select("id, first_name, last_name, full_name, sort_name, job_title, company_name, "+
		"about, photo_url, website_url, linkedin_url").Where("organization_id = ? AND id ?", pub.p.Event().OrganizationID,
		store.AnyOf(ids)), func() []any {
		c := &models.Contact{}
		read = append(read, c)
		return []any{&c.ID, &c.FirstName, &c.LastName, &c.FullName, &c.SortName, &c.JobTitle, &c.CompanyName, &c.About,
			&c.PhotoURL, &c.WebsiteURL, &c.LinkedinURL}
	})
	for _, c := range read {
		found[c.ID] = pub.publicPerson(c)
		found[c.ID].row = rows[c.ID]
	}
	return err
}

// Material is a file or a link that speakers handed in for a task and staff approved and show.
type Material struct {
	ID        string // of the version, which its address has
	Title     string // of the task, such as Slides
	URL       string // of a link, "" of a file
	FileID    string // "" of a link
	Ending    string // of the file's name, with its dot
	Size      int64  // bytes of the file
	UpdatedAt store.Time
}

// materials are what is shown of the tasks of public sessions and of their parts.
func (pub *Programme) materials(db *gorm.DB, sessions map[string]*Session) part {
	type row struct {
		sessionID, name string
		Material
	}
	var rows []*row
	query := db.Raw(`SELECT s.id, v.id, t.title, v.url, coalesce(f.id, ''), coalesce(f.name, ''), coalesce(f.size, 0), d.state_at
		FROM deliverables d JOIN tasks t ON t.id = d.task_id AND t.is_public
		JOIN sessions x ON x.event_id = d.event_id AND x.id = d.session_id AND x.deleted_at IS NULL AND x.status = 'accepted'
		JOIN sessions s ON s.event_id = x.event_id AND s.id = coalesce(x.composed_into, x.id)
		JOIN deliverable_versions v ON v.task_id = d.task_id AND v.session_id = d.session_id
			AND NOT EXISTS (SELECT 1 FROM deliverable_versions n WHERE n.task_id = v.task_id AND n.session_id = v.session_id
				AND (n.is_chosen, n.created_at, n.id) > (v.is_chosen, v.created_at, v.id))
		LEFT JOIN files f ON f.id = v.file_id
		WHERE d.event_id = ? AND d.state = 'approved' AND `+ofShown+` ORDER BY t.position, t.id, x.part_order, x.id`, pub.p.Event().ID)
	targets := func() []any {
		x := &row{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.ID, &x.Title, &x.URL, &x.FileID, &x.name, &x.Size, &x.UpdatedAt}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		for _, x := range rows {
			if s := sessions[x.sessionID]; s != nil {
				x.Ending = models.EndingOf(x.name)
				s.Materials = append(s.Materials, x.Material)
			}
		}
	}}
}
