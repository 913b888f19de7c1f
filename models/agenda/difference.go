package agenda

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Change is how one session differs between two agendas.
type Change struct {
	Was, Is *Entry // nil if it is new, or cancelled
}

// IsNew, IsCancelled, IsMoved and IsRenamed classify the change. A moved session may be renamed too.
func (c Change) IsNew() bool       { return c.Was == nil }
func (c Change) IsCancelled() bool { return c.Is == nil }
func (c Change) IsMoved() bool     { return c.NewTime() || c.NewRoom() }
func (c Change) IsRenamed() bool {
	return c.Was != nil && c.Is != nil && c.Was.Title != c.Is.Title
}

// NewTime reports whether start or end changed.
func (c Change) NewTime() bool {
	return c.Was != nil && c.Is != nil &&
		(!c.Was.StartsAt.Equal(c.Is.StartsAt.Time) || !c.Was.EndsAt.Equal(c.Is.EndsAt.Time))
}

// NewRoom reports whether the session changed rooms; a renamed room is the same room.
func (c Change) NewRoom() bool {
	return c.Was != nil && c.Is != nil && c.Was.RoomID != c.Is.RoomID
}

// Now returns the session in the new agenda, or in the old one if it is cancelled.
func (c Change) Now() *Entry {
	if c.Is == nil {
		return c.Was
	}
	return c.Is
}

// rank orders changes: cancelled, moved, new, renamed.
func (c Change) rank() int {
	switch {
	case c.IsCancelled():
		return 0
	case c.IsMoved():
		return 1
	case c.IsNew():
		return 2
	}
	return 3
}

// Difference lists the changes between two agendas: cancelled, moved, new and renamed, each by start and
// number. A change of people alone is not listed.
func Difference(was, is []*Entry) (changes []Change) {
	old := store.ByKey(was, func(e *Entry) string { return e.SessionID })
	for _, e := range is {
		c := Change{old[e.SessionID], e}
		delete(old, e.SessionID)
		if c.IsNew() || c.IsMoved() || c.IsRenamed() {
			changes = append(changes, c)
		}
	}
	for _, e := range was {
		if old[e.SessionID] != nil {
			changes = append(changes, Change{e, nil})
		}
	}
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), a.Now().StartsAt.Compare(b.Now().StartsAt.Time),
			cmp.Compare(a.Now().SessionID, b.Now().SessionID))
	})
	return changes
}

// Concerned lists each person on a changed session once, in the order of the changes, including those on cancelled
// sessions.
func Concerned(changes []Change) (people []Person) {
	known := map[string]bool{}
	for _, c := range changes {
		for _, x := range c.Now().People {
			if !known[x.ContactID] {
				known[x.ContactID] = true
				people = append(people, x)
			}
		}
	}
	return people
}

// Where formats time and room in a time zone: "Thu 20 May, 9:40 to 10:20, Rope Loft".
func (e *Entry) Where(zone *time.Location) string { return e.place().where(zone) }

func (e *Entry) place() *PublicPlace { return &PublicPlace{e.StartsAt, e.EndsAt, e.Room} }

// ChangesFor formats the changes of one person's sessions for a letter, at least one line each.
func ChangesFor(contactID string, changes []Change, zone *time.Location) string {
	var lines []string
	for _, c := range changes {
		if !slices.ContainsFunc(c.Now().People, func(x Person) bool { return x.ContactID == contactID }) {
			continue
		}
		title := "“" + store.OneLine(c.Now().Title) + "” (" + c.Now().FriendlyID + ")"
		switch {
		case c.IsCancelled():
			lines = append(lines, "Cancelled: "+title+", which was "+c.Was.Where(zone)+".")
		case c.IsNew():
			lines = append(lines, "New: "+title+", "+c.Is.Where(zone)+".")
		case c.IsMoved():
			lines = append(lines, "Moved: "+title+" is now "+c.Is.Where(zone)+". Before, it was "+c.Was.Where(zone)+".")
		}
		if c.IsRenamed() {
			lines = append(lines, "New title: "+title+", before “"+store.OneLine(c.Was.Title)+"”.")
		}
	}
	return strings.Join(lines, "\n")
}

// PublicChange is a Change reduced to what is public.
type PublicChange struct {
	FriendlyID      string
	Title, WasTitle string // WasTitle is "" unless the title changed
	New, Cancelled  bool
	Was, Is         *PublicPlace // nil if new, or cancelled; Was is nil too if only renamed
	People          []string     // names, as on the programme
}

// PublicPlace is the time and room of a session.
type PublicPlace struct {
	StartsAt, EndsAt store.Time
	Room             string // "" for none
}

// where formats it in a time zone: "Thu 20 May, 9:40 to 10:20, Rope Loft".
func (p *PublicPlace) where(zone *time.Location) string {
	text := p.StartsAt.In(zone).Format("Mon 2 January, 15:04")
	if end := p.EndsAt.In(zone); p.EndsAt.After(p.StartsAt.Time) {
		if text += " to " + end.Format("15:04"); end.YearDay() != p.StartsAt.In(zone).YearDay() {
			text += end.Format(" on Mon 2 January")
		}
	}
	if p.Room != "" {
		text += ", " + p.Room
	}
	return text
}

// PublicVersion is a released agenda with its changes since the version before; nil for the first version, in which
// everything is new.
type PublicVersion struct {
	Number     int
	Name, Note string
	ReleasedAt store.Time
	Changes    []PublicChange
}

// public reduces a change to what is public.
func (c Change) public() PublicChange {
	out := PublicChange{FriendlyID: c.Now().FriendlyID, Title: c.Now().Title, New: c.IsNew(), Cancelled: c.IsCancelled()}
	if c.IsRenamed() {
		out.WasTitle = c.Was.Title
	}
	if c.Is != nil {
		out.Is = c.Is.place()
	}
	if c.IsCancelled() || c.IsMoved() {
		out.Was = c.Was.place()
	}
	for _, x := range c.Now().People {
		out.People = append(out.People, x.Name)
	}
	return out
}

// PublicVersions returns the newest released agendas for everybody, at most limit, each with its changes. The first
// version lists none, because all of it was new.
func (a *Agenda) PublicVersions(ctx context.Context, limit int) (out []PublicVersion, err error) {
	err = a.p.Store().Snapshot(ctx, func(db *gorm.DB) error {
		var versions []*Version
		if err := db.Where("event_id = ?", a.p.Event().ID).Order("number DESC").Limit(limit + 1).
			Find(&versions).Error; err != nil {
			return err
		}
		var is []*Entry
		for i, v := range versions {
			was := is // the agenda of the following version
			if is, err = a.agendaOf(db, v.ID, someSessions{}); err != nil {
				return err
			}
			if i > 0 {
				for _, c := range Difference(is, was) {
					out[i-1].Changes = append(out[i-1].Changes, c.public())
				}
			}
			if i < limit {
				out = append(out, PublicVersion{Number: v.Number, Name: v.Name, Note: v.Note, ReleasedAt: v.CreatedAt})
			}
		}
		return nil
	})
	return out, err
}

// pending returns what changed since the last version, which is nil before the first.
func (a *Agenda) pending(db *gorm.DB) (last *Version, changes []Change, err error) {
	if last, err = a.lastVersion(db); err != nil {
		return nil, nil, err
	}
	var some someSessions
	if last != nil {
		some = changedSince(last)
	}
	changes, err = a.changesSince(db, last, some)
	return last, changes, err
}

func (a *Agenda) lastVersion(db *gorm.DB) (*Version, error) { return a.before(db, 1<<30) }

// changesSince returns what changed of some sessions since a version, nil for before the first.
func (a *Agenda) changesSince(db *gorm.DB, v *Version, some someSessions) ([]Change, error) {
	var was []*Entry
	var err error
	if v != nil {
		if was, err = a.agendaOf(db, v.ID, some); err != nil {
			return nil, err
		}
	}
	now, err := a.agendaNow(db, some)
	return Difference(was, now), err
}

// changedSince selects the sessions that may differ from a version: each change moves their token. It allows for
// changes that began before the release and ended after it.
func changedSince(v *Version) someSessions {
	return someSessions{" AND s.updated_at > ?", []any{store.At(v.CreatedAt.Add(-longestChange))}}
}

// longestChange is longer than any transaction may take.
const longestChange = 10 * time.Minute

// PendingChanges returns what a release would change since the last version, which is nil before the first.
func (a *Agenda) PendingChanges(ctx context.Context) (last *Version, changes []Change, err error) {
	return a.pending(a.p.Read(ctx))
}

// PendingChange returns what a release would change of one session since the last version; nil for nothing, and before
// the first version, when nobody had been told anything. It costs at most five statements, and one before the first
// version.
func (a *Agenda) PendingChange(ctx context.Context, sessionID string) (*Change, error) {
	last, err := a.lastVersion(a.p.Read(ctx))
	if err != nil || last == nil {
		return nil, err
	}
	changes, err := a.changesSince(a.p.Read(ctx), last, someSessions{" AND s.id = ?", []any{sessionID}})
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	return &changes[0], nil
}

// Untold counts the people who have not been told what changed since the last version.
func (a *Agenda) Untold(ctx context.Context) (int64, error) {
	last, err := a.lastVersion(a.p.Read(ctx))
	if err != nil || last == nil {
		return 0, err
	}
	changes, err := a.changesSince(a.p.Read(ctx), last, changedSince(last))
	return int64(len(Concerned(changes))), err
}
