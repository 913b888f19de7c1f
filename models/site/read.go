package site

import (
	"cmp"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/store"
)

// part is a query for a part of the agenda, and what to do with its rows once those of all parts were read.
type part struct {
	store.Asked
	place func()
}

// keptChanges is the number of changes above which reading all sessions again costs less.
const keptChanges = 200

// reading is one reading of the agenda, in progress.
type reading struct {
	*Programme
	db       *gorm.DB
	a        *Agenda
	refs     models.MetadataSet
	last     *Agenda  // the agenda read before; nil where all sessions are read
	ids      []string // of the sessions to read, if last is set
	sessions map[string]*Session
	seats    []seat
}

// read reads the agenda. It takes from last, which may be nil, what has not changed since.
func (pub *Programme) read(db *gorm.DB, last *Agenda) (*Agenda, error) {
	e := pub.p.Event()
	a := &Agenda{ID: e.ID, Name: e.Name, Slug: e.Slug, Timezone: e.Timezone, StartsOn: store.ValueOf(e.StartsOn),
		EndsOn: store.ValueOf(e.EndsOn), metadata: pub.p.MetadataVersion(), were: map[string][]string{}}
	r := &reading{Programme: pub, db: db, a: a, sessions: map[string]*Session{}}
	var err error
	if r.refs, err = pub.p.LoadMetadata(db); err != nil {
		return nil, err
	}
	if last == nil {
		last = &Agenda{}
	}
	ids, at, known, err := changes.Of(pub.p).Changed(db, last.at, changes.Session, keptChanges)
	if err != nil {
		return nil, err
	}
	if a.at = at; known && last.metadata == a.metadata { // the feed does not list sessions for changed metadata
		r.last, r.ids = last, ids
	}
	r.keep()
	parts := []part{r.shown(), r.tags(), r.parts(), r.materials(), r.breaks(), r.publicSeats()}
	asked := store.Map(parts, func(part part) store.Asked { return part.Asked })
	if err := store.EachRows(asked...); err != nil {
		return nil, err
	}
	for _, part := range parts {
		part.place()
	}
	if len(r.sessions)+len(a.Cancelled)+len(a.Gone) == 0 {
		return nil, errNoAgenda
	}
	r.takePeople()
	a.label(r.refs)
	return a, nil
}

// keep takes over the sessions of the last agenda that have not changed.
func (r *reading) keep() {
	if r.last == nil {
		return
	}
	read := map[string]bool{}
	for _, id := range r.ids {
		read[id] = true
	}
	some := func(all []*Session) (kept []*Session) {
		for _, s := range all {
			if !read[s.ID] {
				kept, r.sessions[s.ID] = append(kept, s), s
			}
		}
		return kept
	}
	r.a.Sessions, r.a.Unplaced = some(r.last.Sessions), some(r.last.Unplaced)
	gone := func(all []Entry) (kept []Entry) {
		for _, e := range all {
			if !read[e.ID] {
				kept, r.a.were[e.ID] = append(kept, e), r.last.were[e.ID]
			}
		}
		return kept
	}
	r.a.Cancelled, r.a.Gone = gone(r.last.Cancelled), gone(r.last.Gone)
}

// only narrows a query to the sessions to read, whose ids are in column.
func (r *reading) only(column string) (condition string, values []any) {
	if r.last == nil {
		return "", nil
	}
	return " AND " + column + " ?", []any{store.AnyOf(r.ids)}
}

// shown reads the public sessions and those that were public. It finds them through calendar entries, which cover every
// session that is or was shown; the condition tells them apart.
func (r *reading) shown() part {
	type row struct {
		Session
		starts      *store.Time
		isCancelled bool
	}
	var rows []*row
	event := r.p.Event().ID
	placed, these := r.only("e.session_id")
	unplaced, _ := r.only("s.id")
	query := r.db.Raw(`SELECT e.session_id, e.title, s.description, e.starts_at, e.ends_at, e.track_id, e.room_id, e.sequence,
			e.is_cancelled,
			CASE WHEN e.updated_at < s.updated_at AND NOT e.is_cancelled THEN s.updated_at ELSE e.updated_at END,
			s.number, s.format_id, s.level_id, s.is_plenary
		FROM calendar_entries e JOIN sessions s ON s.id = e.session_id
		WHERE e.event_id = ? AND (e.is_cancelled OR `+shownIs+`)`+placed+`
		UNION ALL SELECT s.id, s.title, s.description, NULL, NULL, s.track_id, s.room_id, 0, false, s.updated_at,
			s.number, s.format_id, s.level_id, s.is_plenary
		FROM sessions s WHERE s.event_id = ? AND `+unplacedIs+unplaced+`
		UNION ALL SELECT s.id, '', '', NULL, NULL, NULL, NULL, 0, true, s.updated_at, s.number, NULL, NULL, false
		FROM sessions s WHERE s.event_id = ? AND `+goneIs+unplaced,
		slices.Concat([]any{event}, these, []any{event}, these, []any{event}, these)...)
	targets := func() []any {
		s := &row{}
		rows = append(rows, s)
		return []any{&s.ID, &s.Title, &s.Description, &s.starts, &s.EndsAt, &s.TrackID, &s.RoomID, &s.Sequence, &s.isCancelled,
			&s.UpdatedAt, &s.Number, &s.FormatID, &s.LevelID, &s.IsPlenary}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		a := r.a
		for _, x := range rows {
			s := &x.Session
			if x.starts != nil {
				s.StartsAt = *x.starts
			}
			switch {
			case x.isCancelled && x.starts == nil:
				a.Gone, a.were[s.ID] = append(a.Gone, s.Entry), nil
				continue
			case x.isCancelled:
				a.Cancelled, a.were[s.ID] = append(a.Cancelled, s.Entry), nil
				continue
			case x.starts == nil:
				a.Unplaced = append(a.Unplaced, s)
			default:
				a.Sessions = append(a.Sessions, s)
			}
			if s.FormatID != nil && r.refs[*s.FormatID] != nil {
				s.Format = r.refs[*s.FormatID].Name
			}
			r.sessions[s.ID] = s
		}
		slices.SortFunc(a.Cancelled, byStart)
		slices.SortFunc(a.Gone, byStart)
		slices.SortFunc(a.Sessions, r.byRoom())
		slices.SortFunc(a.Unplaced, func(x, y *Session) int { return store.CompareNames(x.Title, x.ID, y.Title, y.ID) })
	}}
}

func byStart(a, b Entry) int {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID))
}

// byRoom orders sessions by start, then by the order of their rooms, those without a room last.
func (r *reading) byRoom() func(x, y *Session) int {
	rooms := r.refs.Of(models.Rooms)
	order := make(map[string]int, len(rooms))
	for i, room := range rooms {
		order[room.ID] = i - len(rooms)
	}
	return func(x, y *Session) int {
		return cmp.Or(x.StartsAt.Compare(y.StartsAt.Time),
			cmp.Compare(order[store.ValueOf(x.RoomID)], order[store.ValueOf(y.RoomID)]), cmp.Compare(x.ID, y.ID))
	}
}

func (r *reading) tags() part {
	var rows []*struct{ sessionID, tagID string }
	only, these := r.only("x.session_id")
	query := r.db.Table("session_tags x JOIN sessions s ON s.event_id = x.event_id AND s.id = x.session_id").
		Select("x.session_id, x.tag_id").Where("x.event_id = ? AND "+ofShown+only, append([]any{r.p.Event().ID}, these...)...).
		Order("x.session_id, x.tag_id")
	targets := func() []any {
		x := &struct{ sessionID, tagID string }{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.tagID}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		for _, x := range rows {
			if s := r.sessions[x.sessionID]; s != nil {
				s.TagIDs = append(s.TagIDs, x.tagID)
			}
		}
	}}
}

// parts reads the parts of sessions that are composed of several.
func (r *reading) parts() part {
	type row struct {
		sessionID string
		Part
	}
	var rows []*row
	only, these := r.only("s.id")
	query := r.db.Table("sessions x JOIN sessions s ON s.event_id = x.event_id AND s.id = x.composed_into").
		Select("s.id, x.title, x.part_minutes").
		Where("x.event_id = ? AND x.deleted_at IS NULL AND x.status = ? AND NOT x.is_linked AND "+ofShown+only,
			append([]any{r.p.Event().ID, models.Accepted}, these...)...).Order("s.id, x.part_order, x.id")
	targets := func() []any {
		x := &row{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.Title, &x.Minutes}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		read := map[*Session]bool{}
		for _, x := range rows {
			if s := r.sessions[x.sessionID]; s != nil {
				s.Parts, read[s] = append(s.Parts, x.Part), true
			}
		}
		for s := range read {
			if len(s.Parts) == 1 {
				s.Parts = nil
			}
		}
	}}
}

func (r *reading) breaks() part {
	query := r.p.BreaksIn(r.db).Table("agenda_breaks").Order("starts_at, id").Limit(models.MaxBreaks).
		Select("id, kind, title, starts_at, ends_at, room_id, is_plenary, sequence, updated_at")
	targets := func() []any {
		r.a.Breaks = append(r.a.Breaks, Break{})
		b := &r.a.Breaks[len(r.a.Breaks)-1]
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
