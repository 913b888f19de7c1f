package apikey_test

import (
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAKeyUsedFromAnotherAddressIsRecorded(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		key, value, err := apikey.Of(f.Programme()).Create(ctx, apikey.New{Name: "k", Scopes: apikey.Scopes})
		modelstest.WantKind(t, "a key", err, 0)
		lines := func() (addresses []string) {
			t.Helper()
			modelstest.WantKind(t, "keeping", apikey.In(f.Store).KeepUses(ctx), 0)
			modelstest.WantKind(t, "writing down", f.KeepSeen(ctx), 0)
			rows, err := f.SQL.Query("SELECT address, actor_id FROM activity WHERE action = 'key from new address' ORDER BY id")
			modelstest.WantKind(t, "reading", err, 0)
			defer rows.Close()
			for rows.Next() {
				var address, actor string
				if err := rows.Scan(&address, &actor); err != nil || actor != key.ID {
					t.Errorf("%q, %v", actor, err)
				}
				addresses = append(addresses, address)
			}
			modelstest.WantKind(t, "reading on", rows.Err(), 0)
			return addresses
		}
		use := func(db *models.Store, address string) {
			t.Helper()
			_, err := apikey.In(db).Authenticate(ctx, value, store.By{Door: "api", Address: address})
			modelstest.WantKind(t, "using the key", err, 0)
		}
		use(f.Store, "192.0.2.1")
		use(f.Store, "")
		modelstest.WantAll(t, "the first address is told", lines(), nil)
		use(f.Store, "192.0.2.1")
		use(f.Store, "192.0.2.2")
		use(f.Store, "192.0.2.2")
		if got := lines(); len(got) != 1 || got[0] != "192.0.2.2" {
			t.Errorf("told are %v", got)
		}
		// Another process knows as well.
		other := modelstest.Replica(t, f)
		use(other.Store, "192.0.2.2")
		modelstest.WantKind(t, "keeping", apikey.In(other.Store).KeepUses(ctx), 0)
		modelstest.WantKind(t, "writing down", other.KeepSeen(ctx), 0)
		for i := range 150 {
			use(f.Store, fmt.Sprintf("198.51.100.%d", i))
		}
		if got := lines(); len(got) < 2 || len(got) > 60 || got[1] == "192.0.2.2" {
			t.Errorf("%d are told: %v", len(got), got)
		}
		var kept int
		if err := f.SQL.QueryRow("SELECT count(*) FROM key_addresses").Scan(&kept); err != nil || kept != 100 {
			t.Errorf("%d addresses are kept: %v", kept, err)
		}
	})
}
