package agenda

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Version is a released agenda. It keeps what was public and placed at that time, for differences and letters; pages
// and feeds always show the present agenda.
type Version struct {
	ID        string
	EventID   string
	Number    int // from 1
	Name      string
	Note      string
	ByName    string
	CreatedAt store.Time
}

// TableName returns the table of versions.
func (Version) TableName() string { return "agenda_versions" }

// MaxVersionNote is the maximum length of a version's note, in characters.
const MaxVersionNote = 2000

// Entry is a public session in an agenda.
type Entry struct {
	SessionID  string
	FriendlyID string
	Title      string
	RoomID     string // "" for none
	Room       string
	StartsAt   store.Time
	EndsAt     store.Time // StartsAt if it has no end
	People     []Person   `gorm:"-"`
}

// Person is somebody on a session, in any role, by their present name.
type Person struct{ ContactID, Name string }

// versionSession and versionPerson are the rows of a version.
type versionSession struct {
	VersionID string
	Entry     `gorm:"embedded"`
}

type versionPerson struct {
	VersionID, SessionID string
	Position             int
	ContactID            string
}

// Release says how an agenda is released.
type Release struct {
	Name string
	Note string
	// Seen is the Fingerprint of the difference that was looked at; "" releases whatever changed.
	Seen string
	// Subject and Body are the text of letters to the people concerned, "" for none. Placeholders may be in both,
	// {{changes}} too.
	Subject, Body string
}

// onAgenda is the condition of sessions s that a version keeps: public and taking a place.
var onAgenda = models.TakesPlace + " AND s.is_public"

// someSessions is an SQL condition that narrows an agenda to some sessions s.
type someSessions struct {
	condition string // " AND …"; "" for all
	values    []any
}

// agendaNow returns the present public agenda, by start and number.
func (a *Agenda) agendaNow(db *gorm.DB, some someSessions) (entries []*Entry, err error) {
	values := append([]any{a.p.Event().ID}, some.values...)
	if err = db.Session(&gorm.Session{NewDB: true}).Raw(`SELECT s.id AS session_id, s.friendly_id, s.title,
			coalesce(s.room_id, '') AS room_id, coalesce(r.name, '') AS room, s.starts_at, coalesce(s.ends_at,
				s.starts_at) AS ends_at
		FROM sessions s LEFT JOIN metadata r ON r.id = s.room_id WHERE s.event_id = ? AND `+onAgenda+some.condition+`
		ORDER BY s.starts_at, s.number`, values...).Scan(&entries).Error; err != nil {
		return nil, err
	}
	return entries, a.seatEntries(db, entries, `SELECT x.session_id, x.contact_id, c.full_name AS name
		FROM participants x JOIN contacts c ON c.id = x.contact_id JOIN sessions s ON s.event_id = x.event_id AND s.id = x.session_id
		WHERE x.event_id = ? AND `+onAgenda+some.condition+` ORDER BY x.session_id, x.position`, values...)
}

// agendaOf returns the agenda that a version kept, in the same order.
func (a *Agenda) agendaOf(db *gorm.DB, versionID string, some someSessions) (entries []*Entry, err error) {
	of := `v.version_id = ?`
	values := []any{versionID}
	if some.condition != "" {
		of += ` AND v.session_id IN (SELECT s.id FROM sessions s WHERE s.event_id = ?` + some.condition + `)`
		values = append(append(values, a.p.Event().ID), some.values...)
	}
	if err = db.Session(&gorm.Session{NewDB: true}).Raw(`SELECT v.session_id, v.friendly_id, v.title, v.room_id, v.room,
			v.starts_at, v.ends_at FROM agenda_version_sessions v WHERE `+of+`
		ORDER BY v.starts_at, v.friendly_id, v.session_id`, values...).Scan(&entries).Error; err != nil {
		return nil, err
	}
	return entries, a.seatEntries(db, entries, `SELECT v.session_id, v.contact_id, c.full_name AS name
		FROM agenda_version_people v
		JOIN contacts c ON c.id = v.contact_id WHERE `+of+` ORDER BY v.session_id, v.position`, values...)
}

// seatEntries adds to entries the people that a query finds, each once per session, even if a merge left two seats.
func (a *Agenda) seatEntries(db *gorm.DB, entries []*Entry, query string, values ...any) error {
	if len(entries) == 0 {
		return nil
	}
	var seats []struct{ SessionID, ContactID, Name string }
	if err := db.Session(&gorm.Session{NewDB: true}).Raw(query, values...).Scan(&seats).Error; err != nil {
		return err
	}
	byID := store.ByKey(entries, func(e *Entry) string { return e.SessionID })
	for _, seat := range seats {
		e, person := byID[seat.SessionID], Person{seat.ContactID, seat.Name}
		if e != nil && !slices.Contains(e.People, person) {
			e.People = append(e.People, person)
		}
	}
	return nil
}

// Versions returns the released versions, newest first.
func (a *Agenda) Versions(ctx context.Context) (versions []*Version, err error) {
	err = a.p.Read(ctx).Where("event_id = ?", a.p.Event().ID).Order("number DESC").Find(&versions).Error
	return versions, err
}

// ReleasedVersion returns a version of the event, or NotFound.
func (a *Agenda) ReleasedVersion(ctx context.Context, id string) (*Version, error) {
	return a.version(a.p.Read(ctx), id)
}

func (a *Agenda) version(db *gorm.DB, id string) (*Version, error) {
	return store.OneByID[Version](db.Where("event_id = ?", a.p.Event().ID), id, store.NoSuch("version"))
}

// before returns the version before the one with this number; nil for the first.
func (a *Agenda) before(db *gorm.DB, number int) (*Version, error) {
	return store.One[Version](db.Session(&gorm.Session{NewDB: true}).
		Where("event_id = ? AND number < ?", a.p.Event().ID, number).Order("number DESC"), nil)
}

// VersionChanges is ChangesIn outside of a transaction.
func (a *Agenda) VersionChanges(ctx context.Context, id string) (*Version, []Change, error) {
	return a.ChangesIn(a.p.Read(ctx), id)
}

// ChangesIn returns a version and its changes since the one before; for the first one, everything. It answers NotFound.
func (a *Agenda) ChangesIn(db *gorm.DB, id string) (*Version, []Change, error) {
	v, err := a.version(db, id)
	if err != nil {
		return nil, nil, err
	}
	last, err := a.before(db, v.Number)
	if err != nil {
		return nil, nil, err
	}
	var was []*Entry
	if last != nil {
		if was, err = a.agendaOf(db, last.ID, someSessions{}); err != nil {
			return nil, nil, err
		}
	}
	is, err := a.agendaOf(db, v.ID, someSessions{})
	return v, Difference(was, is), err
}

// Fingerprint returns a hash that tells differences apart.
func Fingerprint(changes []Change) string {
	text, _ := json.Marshal(changes) // strings and times can always be marshalled
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12])
}

var errReleased = store.Outdated("The agenda was changed or released since you looked at it. " +
	"Look at the changes again, then release it.")

// Drafter drafts letters about a version to the people concerned, in the transaction that releases it.
type Drafter func(tx *store.Tx, v *Version, changes []Change, subject, body string) error

// Release keeps the public agenda as a version and, if it has a text, has letters drafted. It emits nothing, and
// publishes nothing. It answers Invalid for an empty or too long name or note, for a text that SaveMailing refuses, and
// for an agenda that is empty or has not changed; Stale when the difference is not the one that was seen, for example
// because somebody else released it.
func (a *Agenda) Release(ctx context.Context, r Release, draft Drafter) (*Version, error) {
	var f store.Faults
	f.Clean(store.CleanName, "name", &r.Name, store.MaxName)
	f.Clean(store.CleanText, "note", &r.Note, MaxVersionNote)
	if r.Subject+r.Body != "" {
		f.Add(models.CleanLetterOf(models.LetterFree, &r.Subject, &r.Body))
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	return store.Make(ctx, a.p.Write, func(tx *store.Tx) (*Version, error) {
		last, changes, err := a.releasable(tx, r.Seen)
		if err != nil {
			return nil, err
		}
		v := &Version{ID: store.NewID(), EventID: a.p.Event().ID, Number: 1, Name: r.Name, Note: r.Note,
			ByName: a.p.By().ActorName, CreatedAt: tx.Now}
		if last != nil {
			v.Number = last.Number + 1
		}
		if err := tx.Create(v).Error; err != nil {
			if store.IsDuplicate(err) {
				err = errReleased
			}
			return nil, err
		}
		now, err := a.agendaNow(tx.DB, someSessions{})
		if err != nil {
			return nil, err
		}
		models.Touch(tx, a.p.Event().ID) // the dashboard shows who has not been told
		if err := keepEntries(tx, v.ID, now); err != nil {
			return nil, err
		}
		if r.Body != "" {
			if err := draft(tx, v, changes, r.Subject, r.Body); err != nil {
				return nil, err
			}
		}
		return v, a.p.Record(tx, store.Change{Subject: "agenda_version", ID: v.ID, Action: "released",
			After: map[string]any{"name": v.Name, "number": v.Number, "changes": len(changes)}})
	})
}

// releasable returns what changed since the last version, which is nil before the first. It answers Stale if that is
// not what was seen ("" skips the check), and Invalid if there is nothing to release.
func (a *Agenda) releasable(tx *store.Tx, seen string) (last *Version, changes []Change, err error) {
	last, changes, err = a.pending(tx.DB)
	switch {
	case err != nil:
	case seen != "" && seen != Fingerprint(changes):
		err = errReleased
	case len(changes) == 0 && last == nil:
		err = store.Invalidf("agenda", "has no session that is public and has a time, so there is nothing to release")
	case len(changes) == 0:
		err = store.Invalidf("agenda", "has not changed since version %d, so there is nothing to release", last.Number)
	}
	return last, changes, err
}

// keepEntries inserts the rows of a version.
func keepEntries(tx *store.Tx, versionID string, entries []*Entry) error {
	var rows []versionSession
	var people []versionPerson
	for _, e := range entries {
		rows = append(rows, versionSession{versionID, *e})
		for i, x := range e.People {
			people = append(people, versionPerson{versionID, e.SessionID, i, x.ContactID})
		}
	}
	if err := store.InsertInto(tx, "agenda_version_sessions", rows); err != nil {
		return err
	}
	return store.InsertInto(tx, "agenda_version_people", people)
}
