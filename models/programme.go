package models

import (
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
)

// Programme is the handle of one event's reads and writes. Every event-scoped operation is a method of it, so no query
// can forget the event.
type Programme struct {
	store *Store
	event *Event
	by    store.By
	reach Reach
	// asViewer hides what only organizers see; see AsViewer.
	asViewer bool
	// withoutPeople hides activity about people; see AsReviewer.
	withoutPeople bool
	// templates caches the templates read while one goroutine works off a batch; nil elsewhere.
	templates map[LetterKind]*LetterTemplate
}

// Programme returns the handle of an event for an actor. It reaches the people of that event; see Reaching.
func (s *Store) Programme(event *Event, by store.By) *Programme {
	return &Programme{store: s, event: event, by: by, reach: PeopleOf(event.ID)}
}

// Anew returns the handle with its event, and the versions of what belongs to it, read anew.
func (p *Programme) Anew(ctx context.Context) (*Programme, error) {
	event, err := p.store.EventBy(ctx, p.event.ID)
	if err != nil {
		return nil, err
	}
	anew := *p
	anew.event = event
	return &anew, nil
}

// By returns the actor.
func (p *Programme) By() store.By { return p.by }

// Event returns the conference to which this programme belongs.
func (p *Programme) Event() *Event { return p.event }

// Store returns the programme's store, for packages on top.
func (p *Programme) Store() *Store { return p.store }

// Write runs an operation in one transaction.
func (p *Programme) Write(ctx context.Context, operation func(*store.Tx) error) error {
	return p.store.Write(ctx, operation)
}

// Read begins a query, which the caller restricts to the event.
func (p *Programme) Read(ctx context.Context) *gorm.DB { return p.store.Read(ctx) }

// Team returns the staff of the event's organization, with the actor of this handle.
func (p *Programme) Team() *staff.Team {
	return p.store.Staff.Team(p.store.Organization(p.event.OrganizationID, p.by))
}

// Embedded reports whether the database is SQLite, where some SQL differs.
func (p *Programme) Embedded() bool { return p.store.Embedded() }

// Now returns the present moment.
func (p *Programme) Now() store.Time { return p.store.Now() }

// Record writes the activity of a change.
func (p *Programme) Record(tx *store.Tx, a store.Change) error {
	line, err := p.activityLine(a, tx.Now)
	if err != nil {
		return err
	}
	return tx.Later().Create(line).Error
}

// activityLine returns the activity of a change as a row.
func (p *Programme) activityLine(a store.Change, now store.Time) (*store.Activity, error) {
	return a.ActivityRow(p.event.OrganizationID, &p.event.ID, p.by, now)
}

// fact returns an emission of this event, to be recorded with the change.
func (p *Programme) fact(kind outbox.EmissionType, resourceID string, data any) outbox.NewEmission {
	return outbox.NewEmission{Emission: outbox.Emission{
		OrganizationID: p.event.OrganizationID, EventID: &p.event.ID, Type: kind, ResourceID: resourceID,
	}, Data: data}
}

// decision is the payload of decision.committed.
type decision struct {
	*Session
	PreviousStatus Status `json:"previous_status"`
}

// Note notes a security event by the actor of this handle; of names its subject.
func (p *Programme) Note(event store.SecurityEvent, of string) {
	p.store.Note(store.Incident{
		Event: event, By: p.by, OrganizationID: p.event.OrganizationID, Facts: map[string]any{"of": of},
	})
}

// Activity returns the latest 200 changes of one record of this event, newest first.
func (p *Programme) Activity(ctx context.Context, subjectID string) ([]*store.Activity, error) {
	var lines []*store.Activity
	err := p.Read(ctx).Where("event_id = ? AND subject_id = ?", p.event.ID, subjectID).
		Order("created_at DESC, id DESC").Limit(200).Find(&lines).Error
	return lines, err
}

// StepRows limits the rows that one step of a load writes.
const StepRows = 100

// A load writes for about loadHolds and then rests for loadRests. A process that waits for a locked SQLite file tries
// again at least every 100 ms, so it gets in during a rest; PostgreSQL gives a released row lock to whoever waits.
const (
	loadHolds = 250 * time.Millisecond
	loadRests = 120 * time.Millisecond
)

// Load writes many rows in short transactions, so that others can write in between.
type Load struct {
	*Programme
	held time.Duration // how long it has written since the last rest
}

// Step runs one of these transactions, and rests if the load has written for loadHolds.
func (l *Load) Step(ctx context.Context, operation func(*store.Tx) error) error {
	var began time.Time
	err := l.Write(ctx, func(tx *store.Tx) error {
		began = time.Now()
		return operation(tx)
	})
	if l.held += time.Since(began); err != nil || l.held < loadHolds {
		return err
	}
	l.held = 0
	return store.Rest(ctx, loadRests)
}

// Operations take their locks in one order, given in docs/architecture/ground.md, so that they cannot deadlock.
// SQLite has one writer and needs no order.

// metadataLock is the first key of the advisory locks on events' metadata.
const metadataLock = 7201937

// ShareMetadata locks the event's metadata against deletion, together with others who share it. Operations that set
// metadata on sessions call it first.
func (p *Programme) ShareMetadata(tx *store.Tx) error {
	return ShareMetadata(tx, p.event.ID)
}

// OwnMetadata locks the event's metadata exclusively, once nobody shares it any more.
func (p *Programme) OwnMetadata(tx *store.Tx) error {
	return lockMetadata(tx, "pg_advisory_xact_lock", p.event.ID)
}

// ShareMetadata is the method of that name for any event.
func ShareMetadata(tx *store.Tx, eventID string) error {
	return lockMetadata(tx, "pg_advisory_xact_lock_shared", eventID)
}

func lockMetadata(tx *store.Tx, function, eventID string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("SELECT "+function+"(?, hashtext(?))", metadataLock, eventID).Error
}

// SessionOrder is the order in which sessions are locked. The linked abstract is known only once its session is
// locked, so abstracts come second.
const SessionOrder = "is_abstract, id"

// HoldSessions locks the event's sessions that meet a condition.
func (p *Programme) HoldSessions(tx *store.Tx, condition string, values ...any) error {
	if tx.Store.Embedded() {
		return nil
	}
	var ids []string
	return tx.Lock().Model(&Session{}).Where("event_id = ?", p.event.ID).Where(condition, values...).
		Order(SessionOrder).Pluck("id", &ids).Error
}
