package public

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// part is a part of the agenda: its query, and what is done with its rows once those of all parts are there.
type part struct {
	store.Asked
	place func()
}

// read reads the agenda. What did not change since the last one, nil without, is taken from there.
func (pub *Programme) read(db *gorm.DB, last *Agenda) (*Agenda, error) {
	a := &Agenda{ID: pub.p.Event().ID, Name: pub.p.Event().Name, Slug: pub.p.Event().Slug,
		Timezone: pub.p.Event().Timezone,
		StartsOn: store.ValueOf(pub.p.Event().StartsOn), EndsOn: store.ValueOf(pub.p.Event().EndsOn)}
	refs, err := pub.p.LoadMetadata(db)
	if err != nil {
		return nil, err
	}
	sessions, seats := map[string]*Session{}, &[]seat{}
	parts := []part{pub.shown(db, a, sessions, refs), pub.publicTags(db, sessions), pub.publicParts(db, sessions),
		pub.materials(db, sessions), pub.publicBreaks(db, a), pub.publicSeats(db, seats)}
	asked := make([]store.Asked, len(parts))
	for i, part := range parts {
		asked[i] = part.Asked
	}
	if err := store.EachRows(asked...); err != nil {
		return nil, err
	}
	for _, part := range parts {
		part.place()
	}
	if len(sessions)+len(a.Cancelled) == 0 {
		return nil, errNoAgenda
	}
	if err := pub.readTexts(db, a, last); err != nil {
		return nil, err
	}
	if err := pub.takeSeats(db, a, last, sessions, *seats); err != nil {
		return nil, err
	}
	a.label(refs)
	return a, nil
}

// shownIs is IsShown in SQL, for sessions s with a start.
var shownIs = "s.is_public = true AND s.status = '" + string(models.Accepted) + "' AND " + models.TakesPlace

// unplacedIs is the condition of sessions s that are shown without a time.
const unplacedIs = "s.is_public = true AND s.status = 'accepted' AND s.is_abstract = false AND s.deleted_at IS NULL AND s.starts_at IS NULL"

// shown are the public sessions, which it puts into found by their ids, without their texts. It finds them through
// calendar entries, whose rows cover every session that is or was shown; the condition decides.
func (pub *Programme) shown(db *gorm.DB, a *Agenda, found map[string]*Session, refs models.MetadataSet) part {
	type row struct {
		Session
		starts      *store.Time
		isCancelled bool
	}
	var rows []*row
	query := db.Raw(`SELECT e.session_id, e.title, e.starts_at, e.ends_at, e.track_id, e.room_id, e.sequence, e.is_cancelled,
			CASE WHEN e.updated_at < s.updated_at AND NOT e.is_cancelled THEN s.updated_at ELSE e.updated_at END,
			s.number, s.format_id, s.level_id, s.is_plenary, s.updated_at, `+pub.writerOf("s")+`
		FROM calendar_entries e JOIN sessions s ON s.id = e.session_id
		WHERE e.event_id = ? AND (e.is_cancelled OR `+shownIs+`)
		UNION ALL SELECT s.id, s.title, NULL, NULL, s.track_id, s.room_id, 0, false, s.updated_at,
			s.number, s.format_id, s.level_id, s.is_plenary, s.updated_at, `+pub.writerOf("s")+`
		FROM sessions s WHERE s.event_id = ? AND `+unplacedIs, pub.p.Event().ID, pub.p.Event().ID)
	targets := func() []any {
		s := &row{}
		rows = append(rows, s)
		return []any{&s.ID, &s.Title, &s.starts, &s.EndsAt, &s.TrackID, &s.RoomID, &s.Sequence, &s.isCancelled, &s.UpdatedAt,
			&s.Number, &s.FormatID, &s.LevelID, &s.IsPlenary, &s.row.updated, &s.row.writer}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		for _, x := range rows {
			s := &x.Session
			if x.starts != nil {
				s.StartsAt = *x.starts
			}
			switch {
			case x.isCancelled:
				a.Cancelled = append(a.Cancelled, s.Entry)
				continue
			case x.starts == nil:
				a.Unplaced = append(a.Unplaced, s)
			default:
				a.Sessions = append(a.Sessions, s)
			}
			if s.FormatID != nil && refs[*s.FormatID] != nil {
				s.Format = refs[*s.FormatID].Name
			}
			found[s.ID] = s
		}
		slices.SortFunc(a.Cancelled, byStart)
		slices.SortFunc(a.Sessions, func(x, y *Session) int { return byStart(x.Entry, y.Entry) })
		slices.SortFunc(a.Unplaced, func(x, y *Session) int { return store.CompareNames(x.Title, x.ID, y.Title, y.ID) })
	}}
}

func byStart(a, b Entry) int {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID))
}

// ofShown selects rows x of public sessions s. Both are joined by their event as well: a plan that begins with the
// sessions would otherwise read those of all events.
var ofShown = "(" + shownIs + " OR " + unplacedIs + ")"

func (pub *Programme) publicTags(db *gorm.DB, sessions map[string]*Session) part {
	var rows []*struct{ sessionID, tagID string }
	query := db.Table("session_tags x JOIN sessions s ON s.event_id = x.event_id AND s.id = x.session_id").
		Select("x.session_id, x.tag_id").Where("x.event_id = ? AND "+ofShown,
		pub.p.Event().ID).Order("x.session_id, x.tag_id")
	targets := func() []any {
		x := &struct{ sessionID, tagID string }{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.tagID}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		for _, x := range rows {
			if s := sessions[x.sessionID]; s != nil {
				s.TagIDs = append(s.TagIDs, x.tagID)
			}
		}
	}}
}

// publicParts are the parts of sessions that are composed of several.
func (pub *Programme) publicParts(db *gorm.DB, sessions map[string]*Session) part {
	type row struct {
		sessionID string
		Part
	}
	var rows []*row
	query := db.Table("sessions x JOIN sessions s ON s.event_id = x.event_id AND s.id = x.composed_into").
		Select("s.id, x.title, x.part_minutes").
		Where("x.event_id = ? AND x.deleted_at IS NULL AND x.status = ? AND NOT x.is_linked AND "+ofShown, pub.p.Event().ID,
			models.Accepted).
		Order("s.id, x.part_order, x.id")
	targets := func() []any {
		x := &row{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.Title, &x.Minutes}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		for _, x := range rows {
			if s := sessions[x.sessionID]; s != nil {
				s.Parts = append(s.Parts, x.Part)
			}
		}
		for _, s := range sessions {
			if len(s.Parts) == 1 {
				s.Parts = nil
			}
		}
	}}
}

// sorted orders people by their names as they are searched, so that Č stands with C.
func sorted(people map[string]*Person) []*Person {
	return slices.SortedFunc(maps.Values(people), func(x, y *Person) int {
		return cmp.Or(cmp.Compare(x.searched, y.searched), cmp.Compare(x.ID, y.ID))
	})
}

func (pub *Programme) publicPerson(c *models.Contact) *Person {
	c.PhotoKey = models.PhotoKeyIn(c.PhotoURL)
	under := c.SortedUnder()
	return &Person{ID: c.ID, Page: pub.pageOf(c.ID), Name: c.FullName, SortedUnder: under,
		searched: store.Searchable(under), JobTitle: c.JobTitle, Company: c.CompanyName, About: c.About, Photo: c.PhotoPath(), Website: c.WebsiteURL,
		Linkedin: c.LinkedinURL}
}

// pageOf is the id of a person's public page. It reveals neither the contact's id nor that people of two events are
// the same.
func (pub *Programme) pageOf(contactID string) string {
	sum := sha256.Sum256([]byte("page of " + contactID + " at " + pub.p.Event().ID))
	return hex.EncodeToString(sum[:5])
}

func (pub *Programme) publicBreaks(db *gorm.DB, a *Agenda) part {
	query := pub.p.BreaksIn(db).Table("agenda_breaks").Order("starts_at, id").Limit(models.MaxBreaks).
		Select("id, kind, title, starts_at, ends_at, room_id, is_plenary, sequence, updated_at")
	targets := func() []any {
		a.Breaks = append(a.Breaks, Break{})
		b := &a.Breaks[len(a.Breaks)-1]
		return []any{&b.ID, &b.Kind, &b.Title, &b.StartsAt, &b.EndsAt, &b.RoomID, &b.IsPlenary, &b.Sequence, &b.UpdatedAt}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {}}
}

// label lists the metadata that the agenda refers to.
func (a *Agenda) label(refs models.MetadataSet) {
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
	of := func(family models.Family) []*models.Metadata {
		return slices.DeleteFunc(refs.Of(family), func(m *models.Metadata) bool { return !named[m.ID] })
	}
	for _, m := range of(models.Rooms) {
		a.Rooms = append(a.Rooms, Room{m.ID, m.Name, m.Capacity})
	}
	for _, m := range of(models.Tracks) {
		a.Tracks = append(a.Tracks, Track{m.ID, m.Name, *m.Color})
	}
	labels := func(family models.Family) (all []Label) {
		for _, m := range of(family) {
			all = append(all, Label{m.ID, m.Name})
		}
		return all
	}
	a.Formats, a.Levels, a.Tags = labels(models.Formats), labels(models.Levels), labels(models.Tags)
}
