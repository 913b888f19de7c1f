package tasks

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// handedIn is the SQL condition of deliverables d of which staff can look at something.
const handedIn = `(d.state IN ('done', 'changes', 'approved') OR EXISTS (SELECT 1 FROM deliverable_versions v
	WHERE v.task_id = d.task_id AND (v.session_id = d.session_id OR v.contact_id = d.contact_id)))`

// HandedIn returns how many owners handed in something for a task.
func (t *Tasks) HandedIn(ctx context.Context, id string) (n int64, err error) {
	return n, t.p.Read(ctx).Raw("SELECT count(*) FROM deliverables d WHERE d.event_id = ? AND d.task_id = ? AND "+handedIn,
		t.p.Event().ID, id).Scan(&n).Error
}

// ToCheck returns how many deliverables staff have to check, as the board counts them. If none is handed in, it costs
// one statement; otherwise it also reads the seats of those who did, to see whether they still have the task.
func (t *Tasks) ToCheck(ctx context.Context) (n int64, err error) {
	const (
		waiting = ` AND state = 'done' AND task_id IN (SELECT id FROM tasks
			WHERE event_id = @event AND kind IN ('file', 'link'))`
		theirs = ` AND (s.id IN (SELECT session_id FROM deliverables
				WHERE event_id = @event AND session_id IS NOT NULL` + waiting + `)
			OR x.contact_id IN (SELECT contact_id FROM deliverables
				WHERE event_id = @event AND contact_id IS NOT NULL` + waiting + `))`
	)
	done, err := readDeliverables(t.p.Read(ctx), keptSearch{eventID: t.p.Event().ID, condition: waiting})
	if err != nil || len(done) == 0 {
		return 0, err
	}
	tasks, err := t.All(ctx)
	if err != nil {
		return 0, err
	}
	seats, err := seatsOf(t.p.Read(ctx), seatSearch{eventID: t.p.Event().ID, tasks: tasks,
		unnamed: true, condition: theirs})
	if err != nil {
		return 0, err
	}
	b := newBoard(tasks, t.p.Now())
	b.fill(seats, done)
	return int64(b.Count(ToCheck, "")), nil
}

// Latest returns the version that counts of each given deliverable, with its file, by the ids of task and owner.
// Deliverables without a version are left out.
func (t *Tasks) Latest(ctx context.Context, of []*Deliverable) (map[[2]string]*Version, error) {
	owners := []string{}
	for _, d := range of {
		if d.isKept && d.Task.Kind.HasVersions() {
			owners = append(owners, d.OwnerID())
		}
	}
	if len(owners) == 0 {
		return map[[2]string]*Version{}, nil
	}
	return t.latest(ctx, " AND (v.session_id IN @owners OR v.contact_id IN @owners)", sql.Named("owners", owners))
}

// latest returns the versions that count among those that meet a condition, "" for all of the event.
func (t *Tasks) latest(ctx context.Context, condition string, values ...any) (map[[2]string]*Version, error) {
	var rows []struct {
		Version `gorm:"embedded"`
		File    models.File `gorm:"embedded;embeddedPrefix:file_"`
	}
	err := t.p.Read(ctx).Raw(`SELECT v.*, coalesce(f.key, '') AS file_key, coalesce(f.name, '') AS file_name,
			coalesce(f.size, 0) AS file_size, coalesce(f.media_type, '') AS file_media_type
		FROM deliverable_versions v LEFT JOIN files f ON f.id = v.file_id
		WHERE v.event_id = @event`+condition+" ORDER BY v.created_at, v.id",
		append(values, sql.Named("event", t.p.Event().ID))...).Scan(&rows).Error
	latest := map[[2]string]*Version{}
	for i := range rows {
		v := &rows[i].Version
		if v.FileID != nil {
			v.File = &rows[i].File
			v.File.ID, v.File.OrganizationID = *v.FileID, t.p.Event().OrganizationID
		}
		key := [2]string{v.TaskID, (&Deliverable{SessionID: v.SessionID, ContactID: v.ContactID}).OwnerID()}
		v.Number = 1
		was := latest[key]
		if was != nil {
			v.Number = was.Count + 1
		}
		if v.Count = v.Number; was != nil && was.IsChosen {
			was.Count = v.Count
		} else {
			latest[key] = v
		}
	}
	return latest, err
}

// Unreached returns, by name, the people who lack one of the deliverables and have no e-mail address.
func (b *Board) Unreached(of []*Deliverable) (names []string) {
	seen := map[*PersonOf]bool{}
	for _, d := range of {
		for _, p := range d.by {
			if d.IsMissing() && !p.HasAddress && !seen[p] {
				seen[p] = true
				names = append(names, p.FullName)
			}
		}
	}
	return names
}

// Quieted counts the missing deliverables that are not reminded of now, because they were within the last hour.
func (b *Board) Quieted(of []*Deliverable) (n int) {
	for _, d := range of {
		if d.IsMissing() && b.isQuiet(d) {
			n++
		}
	}
	return n
}

// isQuiet reports whether people were reminded of the deliverable within the last hour.
func (b *Board) isQuiet(d *Deliverable) bool {
	return d.RemindedAt != nil && b.Now.Sub(d.RemindedAt.Time) < quiet
}

// Called returns the name of a deliverable's owner, and the label of its session.
func (b *Board) Called(d *Deliverable) (label, name string) {
	if d.SessionID != nil {
		return b.Sessions[*d.SessionID].FriendlyID, b.Owner(d)
	}
	return "", b.Owner(d)
}

// Wanted selects deliverables of a board. Empty fields narrow nothing.
type Wanted struct {
	TaskID, TrackID, SessionID, ContactID string
	Show                                  Show
	Text                                  string // in names and titles
	dated                                 bool   // also read since when they are in their state
}

// conditions returns SQL conditions that narrow seats and deliverables to one session with its sources, or to one
// person with their sessions.
func (w Wanted) conditions() (seats, deliverables string, values []any) {
	switch {
	case w.SessionID != "":
		const with = "IN (SELECT m.id FROM sessions m WHERE m.id = @id OR m.composed_into = @id)"
		return " AND s.id " + with, " AND session_id " + with, []any{sql.Named("id", w.SessionID)}
	case w.ContactID != "":
		const theirs = "IN (SELECT p.session_id FROM participants p WHERE p.contact_id = @id)"
		return " AND s.id " + theirs, " AND (contact_id = @id OR session_id " + theirs + ")", []any{sql.Named("id", w.ContactID)}
	}
	return "", "", nil
}

// Show selects deliverables by their state.
type Show string

const (
	Everything Show = ""
	Missing    Show = "missing"
	Late       Show = "late"
	ToCheck    Show = "check"
	Asked      Show = "asked" // the latest comment is by a speaker
	Finished   Show = "finished"
)

// Shows are all values of Show, in the order of tabs.
var Shows = []Show{Everything, Late, Missing, ToCheck, Asked, Finished}

// Is reports whether a deliverable is among those that show selects.
func (b *Board) Is(d *Deliverable, show Show) bool {
	switch show {
	case Missing:
		return d.IsMissing()
	case Late:
		return d.IsLate(b.Now)
	case ToCheck:
		return d.IsToCheck()
	case Asked:
		return b.IsAsked(d)
	case Finished:
		return !d.IsMissing() && !d.IsToCheck()
	}
	return true
}

// Only returns the wanted deliverables, in the board's order.
func (b *Board) Only(w Wanted) (some []*Deliverable) {
	text := store.Searchable(w.Text)
	for _, d := range b.All {
		if w.TaskID != "" && d.TaskID != w.TaskID || !b.Is(d, w.Show) || !b.fits(d, w) || text != "" && !b.says(d, text) {
			continue
		}
		some = append(some, d)
	}
	return some
}

func (b *Board) fits(d *Deliverable, w Wanted) bool {
	if w.ContactID != "" && !slices.ContainsFunc(d.by, func(p *PersonOf) bool { return p.ID == w.ContactID }) {
		return false
	}
	if w.SessionID == "" && w.TrackID == "" {
		return true
	}
	if d.SessionID == nil {
		return w.SessionID == "" && slices.Contains(b.People[*d.ContactID].tracks, w.TrackID)
	}
	s := b.Sessions[*d.SessionID]
	is := func(id *string, wanted string) bool { return wanted == "" || id != nil && *id == wanted }
	return (is(&s.ID, w.SessionID) || is(s.ComposedInto, w.SessionID)) && is(s.TrackID, w.TrackID)
}

// says reports whether a folded text occurs in the title, label or names of a deliverable's owner and people.
func (b *Board) says(d *Deliverable, text string) bool {
	if d.SessionID != nil && strings.Contains(b.Sessions[*d.SessionID].searched(), text) {
		return true
	}
	return slices.ContainsFunc(d.by, func(p *PersonOf) bool { return strings.Contains(p.searched(), text) })
}

// searched returns the session's title and label folded for search; it is cached, because many tasks ask for it.
func (s *SessionOf) searched() string {
	if s.search == "" {
		s.search = store.Searchable(s.Title, s.FriendlyID)
	}
	return s.search
}

// searched returns the person's name folded for search; it is cached.
func (p *PersonOf) searched() string {
	if p.search == "" {
		p.search = store.Searchable(p.FullName)
	}
	return p.search
}

// Count returns how many deliverables of a task, "" for all, show selects.
func (b *Board) Count(show Show, taskID string) (n int) {
	for _, d := range b.All {
		if (taskID == "" || d.TaskID == taskID) && b.Is(d, show) {
			n++
		}
	}
	return n
}
