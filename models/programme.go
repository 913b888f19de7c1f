package models

import (
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
)

// Programme is one event's reads and writes. It is the handle on which every
// event-scoped operation hangs, so no query can forget the event.
type Programme struct {
	store *Store
	event *Event
	by    store.By
	reach Reach
	// asViewer leaves out what is for who organizes the event alone; see AsViewer.
	asViewer bool
	// withoutPeople leaves out what happened to people; see AsReviewer.
	withoutPeople bool
	// templates are those that were read, while a batch is made by one goroutine; nil elsewhere.
	templates map[LetterKind]*LetterTemplate
}

// Programme returns the programme of event, for the one who acts. It reaches the people of that event; see Reaching.
func (s *Store) Programme(event *Event, by store.By) *Programme {
	return &Programme{store: s, event: event, by: by, reach: PeopleOf(event.ID)}
}

// By is who acts on it.
func (p *Programme) By() store.By { return p.by }

// Event is the conference this programme belongs to.
func (p *Programme) Event() *Event { return p.event }

// Store is where the programme is kept, for a package on top of it.
func (p *Programme) Store() *Store { return p.store }

// Write is one operation of a package on top of the programme, in one transaction.
func (p *Programme) Write(ctx context.Context, operation func(*store.Tx) error) error {
	return p.store.Write(ctx, operation)
}

// Read reads for a package on top of the programme. Whoever asks names the event.
func (p *Programme) Read(ctx context.Context) *gorm.DB { return p.store.Read(ctx) }

// Record writes a line of activity with a change that a package on top of the programme makes.
func (p *Programme) Record(tx *store.Tx, a store.Change) error { return p.record(tx, a) }

// Live is a session that was not deleted, held until the operation ends. It answers NotFound.
func (p *Programme) Live(tx *store.Tx, id string) (*Session, error) { return p.live(tx, id) }

// Team is the staff of the event's organization, for the one who acts.
func (p *Programme) Team() *staff.Team {
	return p.store.Staff.Team(p.store.Organization(p.event.OrganizationID, p.by))
}

// Embedded tells of SQLite, where SQL differs.
func (p *Programme) Embedded() bool { return p.store.Embedded() }

// Now is the present moment.
func (p *Programme) Now() store.Time { return p.store.Now() }

func (p *Programme) write(ctx context.Context, operation func(*store.Tx) error) error {
	return p.store.Write(ctx, operation)
}

func (p *Programme) read(ctx context.Context) *gorm.DB { return p.store.Read(ctx) }

// record writes a line of activity with the change it tells of.
func (p *Programme) record(tx *store.Tx, a store.Change) error {
	line, err := a.Line(p.event.OrganizationID, &p.event.ID, p.by, tx.Now)
	if err != nil {
		return err
	}
	return tx.Later().Create(line).Error
}

// fact is something of this event to be recorded with the change it tells of.
func (p *Programme) fact(kind outbox.EmissionType, resourceID string, data any) outbox.Told {
	return outbox.Told{Emission: outbox.Emission{
		OrganizationID: p.event.OrganizationID, EventID: &p.event.ID, Type: kind, ResourceID: resourceID,
	}, Data: data}
}

// decision is the payload of decision.committed.
type decision struct {
	*Session
	PreviousStatus Status `json:"previous_status"`
}

// Note is the store's for the one who acts on this programme; of is what it is about.
func (p *Programme) Note(event store.SecurityEvent, of string) {
	p.store.Note(store.Incident{
		Event: event, By: p.by, OrganizationID: p.event.OrganizationID, Facts: map[string]any{"of": of},
	})
}

// Activity returns what happened to one record of this event, newest first.
func (p *Programme) Activity(ctx context.Context, subjectID string) ([]*store.Activity, error) {
	var lines []*store.Activity
	err := p.read(ctx).Where("event_id = ? AND subject_id = ?", p.event.ID, subjectID).
		Order("created_at DESC, id DESC").Limit(200).Find(&lines).Error
	return lines, err
}

// stepRows is how many rows one step of a load writes at most.
const stepRows = 100

// A load writes for loadHolds, more or less, and rests for loadRests. Who waits for
// an SQLite file that another process holds looks again every 100 ms at the latest,
// and gets in then; PostgreSQL gives a row to whoever asks at the right moment.
const (
	loadHolds = 250 * time.Millisecond
	loadRests = 120 * time.Millisecond
)

// load writes many rows in short transactions, beside others who write.
type load struct {
	*Programme
	held time.Duration // since the last rest
}

// step is write for one of the transactions.
func (l *load) step(ctx context.Context, operation func(*store.Tx) error) error {
	var began time.Time
	err := l.write(ctx, func(tx *store.Tx) error {
		began = time.Now()
		return operation(tx)
	})
	if l.held += time.Since(began); err != nil || l.held < loadHolds {
		return err
	}
	l.held = 0
	return store.Rest(ctx, loadRests)
}

// What an operation holds until it ends, it takes in one order, which docs/architecture/ground.md gives: so no two
// operations wait for each other. SQLite has one writer and needs none of it.

// metadataLock is the class of the advisory locks of events' metadata.
const metadataLock = 7201937

// shareMetadata keeps the event's metadata rows from being deleted. Whoever puts
// some on sessions does it first.
func (p *Programme) shareMetadata(tx *store.Tx) error {
	return ShareMetadata(tx, p.event.ID)
}

// ownMetadata waits for all who share the event's metadata, and makes others wait.
func (p *Programme) ownMetadata(tx *store.Tx) error {
	return lockMetadata(tx, "pg_advisory_xact_lock", p.event.ID)
}

// ShareMetadata is shareMetadata of any event.
func ShareMetadata(tx *store.Tx, eventID string) error {
	return lockMetadata(tx, "pg_advisory_xact_lock_shared", eventID)
}

func lockMetadata(tx *store.Tx, function, eventID string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("SELECT "+function+"(?, hashtext(?))", metadataLock, eventID).Error
}

// SessionOrder is the order in which sessions are held. A session's linked
// abstract is known once the session is held, so abstracts come behind.
const SessionOrder = "is_abstract, id"

// holdSessions holds the event's sessions that meet a condition.
func (p *Programme) holdSessions(tx *store.Tx, condition string, values ...any) error {
	if tx.Store.Embedded() {
		return nil
	}
	var ids []string
	return tx.Lock().Model(&Session{}).Where("event_id = ?", p.event.ID).Where(condition, values...).
		Order(SessionOrder).Pluck("id", &ids).Error
}
