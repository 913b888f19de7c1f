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

// sealedColumn is a column with secrets that only the secret key opens, bound to the row's id.
type sealedColumn struct {
	kind          SealedKind
	since         int64 // the schema version that added it
	table, column string
	whose         string // the column with the owner's name or address
	condition     string // of rows that have a secret
	lost          string // the activity's action for a lost endpoint secret
}

// sealed are all such columns.
var sealed = []*sealedColumn{
	{EndpointSecret, 1, "webhook_endpoints", "sealed_secret", "url", "sealed_secret <> ''", "secret lost"},
	{EndpointNextSecret, 4, "webhook_endpoints", "sealed_pending", "url", "sealed_pending IS NOT NULL",
		"rotation cancelled"},
	{SecondFactorSecret, 3, "users", "totp_secret", "name", "totp_secret <> '' AND totp_confirmed_at IS NOT NULL", ""},
	{SecondFactorBegun, 3, "users", "totp_secret", "name", "totp_secret <> '' AND totp_confirmed_at IS NULL", ""},
	{ProviderSecret, 92, "identity_providers", "sealed_secret", "name", "sealed_secret <> ''", ""},
	{MoveToken, 91, "moves", "sealed_token", "event_id", "sealed_token <> ''", ""},
}

// LostSecret is a secret that the store's secret key does not open.
type LostSecret struct {
	Kind  SealedKind
	ID    string // of the endpoint, the member of staff or the provider
	Whose string // the endpoint's host, or the name
	in    *sealedColumn
}

// SealedSecrets returns how many secrets are sealed in the database, and which of them the secret key does not open. It
// also reads databases of older schemas, and writes nothing.
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
				row.Whose = address.Host // the rest of the address may be a secret itself
			}
			lost = append(lost, LostSecret{in.kind, row.ID, row.Whose, in})
		}
	}
	return all, lost, nil
}

// GiveUpLostSecrets stops waiting for the lost secret key. Endpoints keep their queued deliveries until RotateSecret
// and ActivateSecret give them a new secret; a next secret that waited is deleted. Users with a second factor are still
// asked for it, and have only their recovery codes, until EndSecondFactor. Providers refuse sign-ins until their secret
// is entered again. It returns what was given up; a second call finds nothing.
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
		// Replace it by one that nobody knows, so that codes are still asked for and none is right.
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
		return nil // whoever needs it enters it again
	case ProviderSecret:
		return tenant.Secure(tx, store.ProviderChanged, store.Change{ID: lost.ID, After: map[string]any{"secret": "lost"}})
	}
	return tenant.Record(tx, store.Change{Subject: "endpoint", ID: lost.ID, Action: lost.in.lost})
}

// KeyFingerprint returns 16 hex digits that identify a secret key without revealing it; "" for no key.
func KeyFingerprint(key []byte) string {
	if len(key) == 0 {
		return ""
	}
	sum := sha256.Sum256(append([]byte("lectern secret key\x00"), key...))
	return hex.EncodeToString(sum[:8])
}
