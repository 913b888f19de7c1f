package upkeep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
)

// SealedKind says what a sealed secret is for.
type SealedKind string

const (
	EndpointSecret     SealedKind = "endpoint"      // signs deliveries
	EndpointNextSecret SealedKind = "next endpoint" // waits to take its place
	SecondFactorSecret SealedKind = "second factor" // is asked for
	SecondFactorBegun  SealedKind = "begun second factor"
	ProviderSecret     SealedKind = "identity provider" // is shown to it for a sign-in
	MoveToken          SealedKind = "move"              // reads another system
)

// sealedColumn is one that holds what only the secret key opens, bound to the row's id.
type sealedColumn struct {
	kind          SealedKind
	since         int64 // the schema that brought it
	table, column string
	whose         string // the column that says so
	condition     string // of rows that have one
	lost          string // what the activity calls the loss of an endpoint's
}

// sealed are all of them.
var sealed = []*sealedColumn{
	{EndpointSecret, 1, "webhook_endpoints", "sealed_secret", "url", "sealed_secret <> ''", "secret lost"},
	{EndpointNextSecret, 4, "webhook_endpoints", "sealed_pending", "url", "sealed_pending IS NOT NULL",
		"rotation cancelled"},
	{SecondFactorSecret, 3, "users", "totp_secret", "name", "totp_secret <> '' AND totp_confirmed_at IS NOT NULL", ""},
	{SecondFactorBegun, 3, "users", "totp_secret", "name", "totp_secret <> '' AND totp_confirmed_at IS NULL", ""},
	{ProviderSecret, 92, "identity_providers", "sealed_secret", "name", "sealed_secret <> ''", ""},
	{MoveToken, 91, "moves", "sealed_token", "event_id", "sealed_token <> ''", ""},
}

// LostSecret is one that the store's secret key does not open.
type LostSecret struct {
	Kind  SealedKind
	ID    string // of the endpoint, the member of staff or the provider
	Whose string // the endpoint's host, or the name
	in    *sealedColumn
}

// SealedSecrets returns how many secrets are sealed in the database, and which of them the secret key does not
// open. It reads databases of older schemas, too, and writes nothing.
func SealedSecrets(ctx context.Context, s *models.Store) (all int, lost []LostSecret, err error) {
	return sealedSecrets(s, s.Read(ctx))
}

func sealedSecrets(s *models.Store, db *gorm.DB) (all int, lost []LostSecret, err error) {
	schema, err := s.SchemaVersion(db)
	if err != nil {
		return 0, nil, err
	}
	for _, in := range sealed {
		if schema < in.since {
			continue
		}
		var rows []struct{ ID, Whose, Sealed string }
		err := db.Table(in.table).Select("id, " + in.whose + " AS whose, " + in.column + " AS sealed").
			Where(in.condition).Order("created_at, id").Scan(&rows).Error
		if err != nil {
			return 0, nil, err
		}
		all += len(rows)
		for _, row := range rows {
			if _, err := s.Unseal(row.Sealed, row.ID); err == nil {
				continue
			}
			if address, err := url.Parse(row.Whose); in.whose == "url" && err == nil {
				row.Whose = address.Host // the rest may be a secret of its own
			}
			lost = append(lost, LostSecret{in.kind, row.ID, row.Whose, in})
		}
	}
	return all, lost, nil
}

// GiveUpLostSecrets ends the wait for the key that sealed them. An endpoint keeps its deliveries in line until it has a
// new secret, by RotateSecret and ActivateSecret; one that waited already is forgotten. Who used a second factor is
// still asked for it and has the recovery codes left, until EndSecondFactor. A provider refuses sign-ins until its
// secret is entered again. It returns what was given up; done again it finds nothing.
func GiveUpLostSecrets(ctx context.Context, s *models.Store) (lost []LostSecret, err error) {
	err = s.Write(ctx, func(tx *store.Tx) (err error) {
		if _, lost, err = sealedSecrets(s, tx.DB); err != nil {
			return err
		}
		for _, secret := range lost {
			if err := giveUp(tx, secret); err != nil {
				return err
			}
		}
		return nil
	})
	return lost, err
}

func giveUp(tx *store.Tx, lost LostSecret) error {
	var instead any = ""
	switch lost.Kind {
	case EndpointNextSecret:
		instead = nil
	case SecondFactorSecret:
		// One that nobody knows: it is asked for, and no code is right.
		next, err := tx.Store.Seal(string(staff.NewTOTPSecret()), lost.ID)
		if err != nil {
			return err
		}
		instead = next
	}
	var row struct {
		OrganizationID string
		UpdatedAt      store.Time
	}
	if err := tx.Lock().Table(lost.in.table).Where("id = ?", lost.ID).Take(&row).Error; err != nil {
		return err
	}
	if err := tx.Table(lost.in.table).Where("id = ?", lost.ID).
		UpdateColumns(map[string]any{lost.in.column: instead, "updated_at": tx.Now.Following(row.UpdatedAt)}).
		Error; err != nil {
		return err
	}
	tenant := tx.Store.Organization(row.OrganizationID, store.CommandLine)
	switch lost.Kind {
	case SecondFactorSecret:
		return tenant.Secure(tx, store.SecondFactorLost, store.Change{ID: lost.ID})
	case SecondFactorBegun, MoveToken:
		return nil // whoever needs it gives it once more
	case ProviderSecret:
		return tenant.Secure(tx, store.ProviderChanged, store.Change{ID: lost.ID, After: map[string]any{"secret": "lost"}})
	}
	return tenant.Record(tx, store.Change{Subject: "endpoint", ID: lost.ID, Action: lost.in.lost})
}

// KeyFingerprint names a secret key without telling it, in 16 hex digits; no key has none.
func KeyFingerprint(key []byte) string {
	if len(key) == 0 {
		return ""
	}
	sum := sha256.Sum256(append([]byte("lectern secret key\x00"), key...))
	return hex.EncodeToString(sum[:8])
}
