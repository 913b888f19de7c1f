package models

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

func (p *Programme) readAgenda(db *gorm.DB) (*PublicAgenda, error) {
	a := &PublicAgenda{ID: p.event.ID, Name: p.event.Name, Slug: p.event.Slug, Timezone: p.event.Timezone,
		StartsOn: valueOf(p.event.StartsOn), EndsOn: valueOf(p.event.EndsOn)}
	refs, err := p.LoadMetadata(db)
	if err != nil {
		return nil, err
	}
	sessions, err := p.readShown(db, a, refs)
	if err != nil {
		return nil, err
	}
	if len(sessions)+len(a.Cancelled) == 0 {
		return nil, errNoAgenda
	}
	for _, read := range []func(*gorm.DB, *PublicAgenda, map[string]*PublicSession) error{
		p.readPublicTags, p.readPublicParts, p.readSpeakers, p.readMaterials, p.readBreaks,
	} {
		if err := read(db, a, sessions); err != nil {
			return nil, err
		}
	}
	a.label(refs)
	return a, nil
}

// shownIs is IsShown in SQL, for sessions s with a start.
var shownIs = "s.is_public = true AND s.status = '" + string(Accepted) + "' AND " + TakesPlace

// unplacedIs is the condition of sessions s that are shown without a time.
const unplacedIs = "s.is_public = true AND s.status = 'accepted' AND s.is_abstract = false AND s.deleted_at IS NULL AND s.starts_at IS NULL"

// readShown reads the public sessions and returns them by id. It finds them through calendar entries, whose rows
// cover every session that is or was shown; the condition decides.
func (p *Programme) readShown(db *gorm.DB, a *PublicAgenda, refs MetadataSet) (map[string]*PublicSession, error) {
	found := map[string]*PublicSession{}
	rows, err := db.Raw(`SELECT e.session_id, e.title, e.starts_at, e.ends_at, e.track_id, e.room_id, e.sequence, e.is_cancelled,
			CASE WHEN e.updated_at < s.updated_at AND NOT e.is_cancelled THEN s.updated_at ELSE e.updated_at END,
			s.number, CASE WHEN e.is_cancelled THEN '' ELSE s.description END, s.format_id, s.level_id, s.is_plenary
		FROM calendar_entries e JOIN sessions s ON s.id = e.session_id
		WHERE e.event_id = ? AND (e.is_cancelled OR `+shownIs+`)
		UNION ALL SELECT s.id, s.title, NULL, NULL, s.track_id, s.room_id, 0, false, s.updated_at,
			s.number, s.description, s.format_id, s.level_id, s.is_plenary
		FROM sessions s WHERE s.event_id = ? AND `+unplacedIs, p.event.ID, p.event.ID).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		s := &PublicSession{}
		var isCancelled bool
		var starts *store.Time
		if err := rows.Scan(&s.ID, &s.Title, &starts, &s.EndsAt, &s.TrackID, &s.RoomID, &s.Sequence, &isCancelled,
			&s.UpdatedAt,
			&s.Number, &s.Description, &s.FormatID, &s.LevelID, &s.IsPlenary); err != nil {
			return nil, err
		}
		if starts != nil {
			s.StartsAt = *starts
		}
		switch {
		case isCancelled:
			a.Cancelled = append(a.Cancelled, s.PublicEntry)
			continue
		case starts == nil:
			a.Unplaced = append(a.Unplaced, s)
		default:
			a.Sessions = append(a.Sessions, s)
		}
		if s.FormatID != nil && refs[*s.FormatID] != nil {
			s.Format = refs[*s.FormatID].Name
		}
		found[s.ID] = s
	}
	// Sorted in Go: a database would carry the texts through its sort.
	slices.SortFunc(a.Cancelled, byStart)
	slices.SortFunc(a.Sessions, func(x, y *PublicSession) int { return byStart(x.PublicEntry, y.PublicEntry) })
	slices.SortFunc(a.Unplaced, func(x, y *PublicSession) int { return store.CompareNames(x.Title, x.ID, y.Title, y.ID) })
	return found, rows.Err()
}

func byStart(a, b PublicEntry) int {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID))
}

// ofShown selects rows x of public sessions s. Both are joined by their event as well: a plan that begins with the
// sessions would otherwise read those of all events.
var ofShown = "(" + shownIs + " OR " + unplacedIs + ")"

func (p *Programme) readPublicTags(db *gorm.DB, a *PublicAgenda, sessions map[string]*PublicSession) error {
	rows, err := db.Table("session_tags x JOIN sessions s ON s.event_id = x.event_id AND s.id = x.session_id").
		Select("x.session_id, x.tag_id").Where("x.event_id = ? AND "+ofShown, p.event.ID).Order("x.session_id, x.tag_id").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var sessionID, tagID string
		if err := rows.Scan(&sessionID, &tagID); err != nil {
			return err
		}
		if s := sessions[sessionID]; s != nil {
			s.TagIDs = append(s.TagIDs, tagID)
		}
	}
	return rows.Err()
}

// readPublicParts adds the parts to sessions composed of several.
func (p *Programme) readPublicParts(db *gorm.DB, a *PublicAgenda, sessions map[string]*PublicSession) error {
	rows, err := db.Table("sessions x JOIN sessions s ON s.event_id = x.event_id AND s.id = x.composed_into").
		Select("s.id, x.title, x.part_minutes").
		Where("x.event_id = ? AND x.deleted_at IS NULL AND x.status = ? AND NOT x.is_linked AND "+ofShown, p.event.ID,
			Accepted).
		Order("s.id, x.part_order, x.id").Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var sessionID string
		var part PublicPart
		if err := rows.Scan(&sessionID, &part.Title, &part.Minutes); err != nil {
			return err
		}
		if s := sessions[sessionID]; s != nil {
			s.Parts = append(s.Parts, part)
		}
	}
	for _, s := range sessions {
		if len(s.Parts) == 1 {
			s.Parts = nil
		}
	}
	return rows.Err()
}

// readSpeakers adds the people to the public sessions, and notes whose pages are gone. One statement reads people and
// participations: few people are on several sessions, so joining costs less than finding the sessions twice. People
// without a name are left out.
func (p *Programme) readSpeakers(db *gorm.DB, a *PublicAgenda, sessions map[string]*PublicSession) error {
	rows, err := db.Raw(`SELECT x.session_id, x.position, x.role, c.id, c.first_name, c.last_name, c.full_name, c.sort_name,
			c.job_title, c.company_name, c.about, c.photo_url, c.website_url, c.linkedin_url
		FROM (SELECT e.session_id AS id FROM calendar_entries e JOIN sessions s ON s.id = e.session_id
				WHERE e.event_id = ? AND (e.is_cancelled OR `+shownIs+`)
			UNION SELECT s.id FROM sessions s WHERE s.event_id = ? AND `+unplacedIs+`) shown
		JOIN participants x ON x.session_id = shown.id JOIN contacts c ON c.id = x.contact_id
		WHERE c.full_name <> ''`, p.event.ID, p.event.ID).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	people, once := map[string]*PublicPerson{}, map[string]bool{}
	a.GonePages = map[string]bool{}
	for rows.Next() {
		var sessionID string
		var c Contact
		var on PublicSpeaker
		if err := rows.Scan(&sessionID, &on.position, &on.Role, &c.ID, &c.FirstName, &c.LastName, &c.FullName, &c.SortName,
			&c.JobTitle, &c.CompanyName, &c.About, &c.PhotoURL, &c.WebsiteURL, &c.LinkedinURL); err != nil {
			return err
		}
		s := sessions[sessionID]
		if s == nil {
			once[c.ID] = true
			continue
		}
		if on.PublicPerson = people[c.ID]; on.PublicPerson == nil {
			on.PublicPerson = p.publicPerson(&c)
			people[c.ID] = on.PublicPerson
		}
		s.People = append(s.People, on)
	}
	for id := range once {
		if people[id] == nil {
			a.GonePages[p.pageOf(id)] = true
		}
	}
	for _, s := range sessions {
		slices.SortFunc(s.People, func(a, b PublicSpeaker) int {
			return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.ID, b.ID))
		})
	}
	a.People = sorted(people)
	return rows.Err()
}

// sorted orders people by their names as they are searched, so that Č stands with C.
func sorted(people map[string]*PublicPerson) []*PublicPerson {
	type keyed struct {
		key string
		*PublicPerson
	}
	all := make([]keyed, 0, len(people))
	for _, person := range people {
		all = append(all, keyed{store.Searchable(person.SortedUnder), person})
	}
	slices.SortFunc(all, func(x, y keyed) int { return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.ID, y.ID)) })
	in := make([]*PublicPerson, len(all))
	for i := range all {
		in[i] = all[i].PublicPerson
	}
	return in
}

func (p *Programme) publicPerson(c *Contact) *PublicPerson {
	c.PhotoKey = PhotoKeyIn(c.PhotoURL)
	return &PublicPerson{ID: c.ID, Page: p.pageOf(c.ID), Name: c.FullName, SortedUnder: c.SortedUnder(),
		JobTitle: c.JobTitle, Company: c.CompanyName, About: c.About, Photo: c.PhotoPath(), Website: c.WebsiteURL,
		Linkedin: c.LinkedinURL}
}

// pageOf is the id of a person's public page. It reveals neither the contact's id nor that people of two events are
// the same.
func (p *Programme) pageOf(contactID string) string {
	sum := sha256.Sum256([]byte("page of " + contactID + " at " + p.event.ID))
	return hex.EncodeToString(sum[:5])
}

func (p *Programme) readBreaks(db *gorm.DB, a *PublicAgenda, _ map[string]*PublicSession) error {
	var breaks []*Break
	if err := p.breaks(db).Order("starts_at, id").Limit(maxBreaks).Find(&breaks).Error; err != nil {
		return err
	}
	for _, b := range breaks {
		a.Breaks = append(a.Breaks,
			PublicBreak{b.ID, b.Kind, b.Title, b.StartsAt, b.EndsAt, b.RoomID, b.IsPlenary, b.Sequence, b.UpdatedAt})
	}
	return nil
}

// label lists the metadata that the agenda refers to.
func (a *PublicAgenda) label(refs MetadataSet) {
	named := map[string]bool{}
	note := func(id *string) {
		if id != nil {
			named[*id] = true
		}
	}
	for _, s := range a.Sessions {
		note(s.RoomID)
	}
	for s := range a.All {
		note(s.TrackID)
		note(s.FormatID)
		note(s.LevelID)
		for _, id := range s.TagIDs {
			named[id] = true
		}
	}
	for _, b := range a.Breaks {
		note(b.RoomID)
	}
	of := func(family Family) []*Metadata {
		return slices.DeleteFunc(refs.Of(family), func(m *Metadata) bool { return !named[m.ID] })
	}
	for _, m := range of(Rooms) {
		a.Rooms = append(a.Rooms, PublicRoom{m.ID, m.Name, m.Capacity})
	}
	for _, m := range of(Tracks) {
		a.Tracks = append(a.Tracks, PublicTrack{m.ID, m.Name, *m.Color})
	}
	labels := func(family Family) (all []PublicLabel) {
		for _, m := range of(family) {
			all = append(all, PublicLabel{m.ID, m.Name})
		}
		return all
	}
	a.Formats, a.Levels, a.Tags = labels(Formats), labels(Levels), labels(Tags)
}
