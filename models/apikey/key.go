// Package apikey holds the keys by which programs read and write one event through the API: their scopes, how long they
// are valid, and when and from where they were used. It stands on top of the programme.
package apikey

import (
	"context"
	"crypto/rand"
	"hash/crc32"
	"math/big"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Scope is one thing a key may do. Scopes do not imply each other.
type Scope string

const (
	ReadEvents    Scope = "read:events"
	ReadSessions  Scope = "read:sessions"
	WriteSessions Scope = "write:sessions"
	ReadReviews   Scope = "read:reviews"
	ReadContacts  Scope = "read:contacts"
	WriteContacts Scope = "write:contacts"
	ReadMetadata  Scope = "read:metadata"
	WriteMetadata Scope = "write:metadata"
)

// Scopes are all scopes.
var Scopes = []Scope{ReadEvents, ReadSessions, WriteSessions, ReadReviews, ReadContacts, WriteContacts, ReadMetadata,
	WriteMetadata}

// Key gives access to one event. Its value is shown once and stored as a hash.
type Key struct {
	ID         string
	EventID    string
	Event      *models.Event
	Name       string
	Hash       string
	Hint       string // the prefix and the last four characters
	Scopes     string // separated by spaces
	CreatedBy  string
	ExpiresAt  *store.Time
	RevokedAt  *store.Time
	LastUsedAt *store.Time
	CreatedAt  store.Time
}

// TableName keeps gorm from guessing at the abbreviation.
func (Key) TableName() string { return "api_keys" }

// Has reports whether the key was granted the scope.
func (k *Key) Has(scope Scope) bool {
	return slices.Contains(strings.Fields(k.Scopes), string(scope))
}

// State says whether a key is active, expired or revoked.
type State string

const (
	Active  State = "active"
	Expired State = "expired"
	Revoked State = "revoked"
)

// State returns the key's state at now. A revoked key stays revoked after its expiry.
func (k *Key) State(now time.Time) State {
	switch {
	case k.RevokedAt != nil:
		return Revoked
	case k.ExpiresAt != nil && !now.Before(k.ExpiresAt.Time):
		return Expired
	}
	return Active
}

// soon is how long before its expiry a key counts as expiring soon.
const soon = 14 * 24 * time.Hour

// ExpiresSoon reports whether an active key expires within the next 14 days.
func (k *Key) ExpiresSoon(now time.Time) bool {
	return k.State(now) == Active && k.ExpiresAt != nil && k.ExpiresAt.Sub(now) <= soon
}

const (
	keyPrefix   = "lct_"
	base62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	keyRandom   = 32
	keyChecksum = 6
)

func newValue() string {
	b := []byte(keyPrefix)
	for range keyRandom {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			panic(err) // crypto/rand never fails on a supported system
		}
		b = append(b, base62[n.Int64()])
	}
	return string(b) + checksum(string(b))
}

// checksum makes typos and leaked keys recognisable without asking the database.
func checksum(s string) string {
	sum := crc32.ChecksumIEEE([]byte(s))
	b := make([]byte, keyChecksum)
	for i := keyChecksum - 1; i >= 0; i-- {
		b[i], sum = base62[sum%62], sum/62
	}
	return string(b)
}

func wellFormed(value string) bool {
	body := len(keyPrefix) + keyRandom
	return len(value) == body+keyChecksum && strings.HasPrefix(value, keyPrefix) && checksum(value[:body]) == value[body:]
}

// New is the input to make a key; it never expires when ValidFor is 0.
type New struct {
	Name     string
	Scopes   []Scope
	ValidFor time.Duration
}

// Create makes a key for this event and returns it with its value, which is shown this once.
func (ks *Keys) Create(ctx context.Context, n New) (*Key, string, error) {
	var f store.Faults
	f.Clean(store.CleanName, "name", &n.Name, store.MaxName)
	if len(n.Scopes) == 0 {
		f.Add(store.Invalidf("scopes", "must name at least one scope"))
	}
	var granted []string
	for _, scope := range Scopes {
		if slices.Contains(n.Scopes, scope) {
			granted = append(granted, string(scope))
		}
	}
	for _, scope := range n.Scopes {
		if !slices.Contains(Scopes, scope) {
			f.Add(store.Invalidf("scopes", "does not know %q; the scopes are %s", scope, joinScopes(Scopes, ", ")))
		}
	}
	if n.ValidFor < 0 {
		f.Add(store.Invalidf("expires", "must lie in the future"))
	}
	if err := f.Err(); err != nil {
		return nil, "", err
	}
	value := newValue()
	key := &Key{
		ID: store.NewID(), EventID: ks.p.Event().ID, Name: n.Name, Hash: store.HashKey(value),
		Hint: keyPrefix + "…" + value[len(value)-4:], Scopes: strings.Join(granted, " "), CreatedBy: ks.p.By().ActorName,
	}
	err := ks.p.Write(ctx, func(tx *store.Tx) error {
		key.CreatedAt = tx.Now
		if n.ValidFor > 0 {
			key.ExpiresAt = new(store.At(tx.Now.Add(n.ValidFor)))
		}
		if err := tx.Omit("Event").Create(key).Error; err != nil {
			return err
		}
		return tx.Secure(ks.p.Event().OrganizationID, &ks.p.Event().ID, ks.p.By(), store.APIKeyMade,
			store.Change{ID: key.ID, After: map[string]any{"name": key.Name, "scopes": granted}})
	})
	if err != nil {
		return nil, "", err
	}
	return key, value, nil
}

func joinScopes(scopes []Scope, separator string) string {
	return strings.Join(store.Map(scopes, func(s Scope) string { return string(s) }), separator)
}

// All returns the event's keys, newest first, including those that expired or were revoked. Their hashes are not read.
func (ks *Keys) All(ctx context.Context) ([]*Key, error) {
	keys := []*Key{}
	return keys, ks.p.Read(ctx).Omit("hash").Where("event_id = ?", ks.p.Event().ID).Order("created_at DESC, id DESC").
		Find(&keys).Error
}

// Revoke ends a key from the next request on. It answers NotFound for a key of another event or one that is revoked.
func (ks *Keys) Revoke(ctx context.Context, id string) error {
	if !store.IsID(id) {
		return store.NoSuch("API key")
	}
	return ks.p.Write(ctx, func(tx *store.Tx) error {
		done := tx.Model(&Key{}).Where("event_id = ? AND id = ? AND revoked_at IS NULL", ks.p.Event().ID, id).
			UpdateColumn("revoked_at", tx.Now)
		if err := store.Changed(done, store.NoSuch("API key")); err != nil {
			return err
		}
		return tx.Secure(ks.p.Event().OrganizationID, &ks.p.Event().ID, ks.p.By(), store.APIKeyRevoked, store.Change{ID: id})
	})
}

var errUnauthorized = &store.Error{Kind: store.Unauthorized,
	Message: "Send a valid API key in the header x-access-token."}

// Authenticate returns the key with this value and its event. Missing, unknown, revoked and expired keys all answer the
// same Unauthorized. It notes the use, to the minute, and its address, which KeepUses writes.
func (r *Ring) Authenticate(ctx context.Context, value string, by store.By) (*Key, error) {
	if !wellFormed(value) {
		return nil, errUnauthorized
	}
	var key *Key
	err := store.EachRow(r.s.Read(ctx).Table("api_keys k").Joins("JOIN events e ON e.id = k.event_id").
		Joins("JOIN event_counters c ON c.event_id = e.id").
		Select("k.id, k.event_id, k.name, k.hash, k.hint, k.scopes, k.created_by, k.expires_at, k.revoked_at, k.last_used_at, "+
			"k.created_at, e.id, e.organization_id, e.name, e.slug, e.timezone, e.starts_on, e.ends_on, c.metadata_version, "+
			"c.sessions_version, c.speakers_version, c.rows_version").
		Where("k.hash = ?", store.HashKey(value)).Limit(1), func() []any {
		key = &Key{Event: &models.Event{}}
		e := key.Event
		return []any{&key.ID, &key.EventID, &key.Name, &key.Hash, &key.Hint, &key.Scopes, &key.CreatedBy, &key.ExpiresAt,
			&key.RevokedAt, &key.LastUsedAt, &key.CreatedAt, &e.ID, &e.OrganizationID, &e.Name, &e.Slug, &e.Timezone, &e.StartsOn,
			&e.EndsOn, &e.MetadataVersion, &e.SessionsVersion, &e.SpeakersVersion, &e.RowsVersion}
	})
	if err == nil && key == nil {
		err = errUnauthorized
	}
	if err != nil {
		return nil, err
	}
	now := r.s.Now()
	if key.State(now.Time) != Active {
		return nil, errUnauthorized
	}
	noted := notedOf(r.s)
	noted.seen.Note(key.ID, key.LastUsedAt, now)
	noted.uses.note(key, by, now)
	return key, nil
}

// Keys is the handle of one event's keys.
type Keys struct{ p *models.Programme }

// Of returns the keys of a programme.
func Of(p *models.Programme) *Keys { return &Keys{p} }

// Ring is the handle of the keys of all events.
type Ring struct{ s *models.Store }

// In returns the keys of a database.
func In(s *models.Store) *Ring { return &Ring{s} }

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{"api_keys": Key{}, "key_addresses": keyAddress{}}
