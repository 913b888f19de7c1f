package apikey_test

import (
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAKeyIsRecognisableAndKeptAsAHashAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		key, value, err := apikey.Of(f.Programme()).Create(t.Context(),
			apikey.New{Name: " k ", Scopes: []apikey.Scope{apikey.WriteSessions, apikey.ReadEvents}})
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^lct_[0-9A-Za-z]{38}$`).MatchString(value) {
			t.Errorf("the value is %q", value)
		}
		const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		sum, check := crc32.ChecksumIEEE([]byte(value[:36])), ""
		for range 6 {
			check, sum = string(digits[sum%62])+check, sum/62
		}
		modelstest.Want(t, "the checksum of "+value+" is", check, value[36:])
		if key.Hint != "lct_…"+value[38:] || key.Name != "k" || key.Scopes != "read:events write:sessions" ||
			strings.Contains(key.Hash, value[4:20]) {
			t.Errorf("the key is %+v", key)
		}
		lines := modelstest.Must(f.Programme().Activity(t.Context(), key.ID))(t)
		if kept := fmt.Sprintf("%+v %+v", *key, *lines[0]); strings.Contains(kept, value) ||
			strings.Contains(kept, value[4:36]) {
			t.Errorf("the value is kept: %s", kept)
		}
		found, err := apikey.In(f.Store).Authenticate(t.Context(), value, modelstest.Tester)
		if err != nil || found.ID != key.ID || found.Event.ID != f.Event.ID || found.Event.Timezone != f.Event.Timezone {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

func TestLastUseIsKeptToTheMinute(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		value := modelstest.NewKey(t, f, apikey.Scopes...)
		used := func() *store.Time {
			key := modelstest.Must(apikey.In(f.Store).Authenticate(t.Context(), value, modelstest.Tester))(t)
			modelstest.Fine(t, apikey.In(f.Store).KeepUses(t.Context()))
			return key.LastUsedAt
		}
		if first := used(); first != nil {
			t.Errorf("used at %v before its first use", first)
		}
		f.Clock.Move(59 * time.Second)
		if second := used(); second == nil || second.String() != "2026-11-21T09:30:00.000Z" {
			t.Errorf("used at %v", second)
		}
		f.Clock.Move(2 * time.Second)
		used()
		modelstest.Want(t, "used at", used().String(), "2026-11-21T09:31:00.000Z")
	})
}

func TestAKeyThatBreaksARuleIsNotMade(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for name, n := range map[string]apikey.New{
			"no name": {Scopes: apikey.Scopes}, "no scope": {Name: "k"},
			"an unknown scope": {Name: "k", Scopes: []apikey.Scope{"read:all"}},
			"already expired":  {Name: "k", Scopes: apikey.Scopes, ValidFor: -1},
			"a NUL":            {Name: "k\x00", Scopes: apikey.Scopes},
		} {
			if _, value, err := apikey.Of(f.Programme()).Create(t.Context(),
				n); store.KindOf(err) != store.Invalid || value != "" {
				t.Errorf("a key with %s: %q, %v", name, value, err)
			}
		}
		key := modelstest.First(apikey.Of(f.Elsewhere()).Create(t.Context(), apikey.New{Name: "k", Scopes: apikey.Scopes}))(t)
		modelstest.WantKind(t, "revoking the other event's key answers", apikey.Of(f.Programme()).Revoke(t.Context(), key.ID),
			store.NotFound)
		for i, want := range []store.Kind{0, store.NotFound} {
			if err := apikey.Of(f.Elsewhere()).Revoke(t.Context(),
				key.ID); store.KindOf(err) != want || (want == 0 && err != nil) {
				t.Errorf("revoking, time %d: %v", i+1, err)
			}
		}
	})
}

func TestKeysAreListedNewestFirstWithoutWhatProvesThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		if keys := modelstest.Must(apikey.Of(f.Programme()).All(ctx))(t); keys == nil || len(keys) != 0 {
			t.Errorf("without keys there are %v", keys)
		}
		var values []string
		for i, p := range []*models.Programme{f.Programme(), f.Elsewhere(), f.Programme(), f.Programme()} {
			f.Clock.Move(time.Second)
			_, value, err := apikey.Of(p).Create(ctx, apikey.New{Name: fmt.Sprint("key ", i), Scopes: apikey.Scopes,
				ValidFor: time.Duration(i) * 24 * time.Hour})
			modelstest.Fine(t, err)
			values = append(values, value)
		}
		keys := modelstest.Must(apikey.Of(f.Programme()).All(ctx))(t)
		var names []string
		for i, key := range keys {
			names = append(names, key.Name)
			if value := values[[]int{3, 2, 0}[i]]; key.Hash != "" || key.Hint != "lct_…"+value[38:] ||
				key.EventID != f.Event.ID || key.CreatedBy != modelstest.Tester.ActorName {
				t.Errorf("%+v", key)
			}
		}
		modelstest.Want(t, "the keys", strings.Join(names, ", "), "key 3, key 2, key 0")
		modelstest.Fine(t, apikey.Of(f.Programme()).Revoke(ctx, keys[0].ID))
		f.Clock.Move(2 * 24 * time.Hour)
		keys = modelstest.Must(apikey.Of(f.Programme()).All(ctx))(t)
		for i, want := range []apikey.State{apikey.Revoked, apikey.Expired, apikey.Active} {
			modelstest.Want(t, keys[i].Name, keys[i].State(f.Clock.Now()), want)
		}
		for _, id := range []string{"", "x", "\x00"} {
			modelstest.WantKind(t, "revoking "+id, apikey.Of(f.Programme()).Revoke(ctx, id), store.NotFound)
		}
	})
}

func TestStateOfAKey(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	in := func(d time.Duration) *store.Time { return new(store.At(now.Add(d))) }
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		key   apikey.Key
		state apikey.State
		soon  bool
	}{
		"one that never expires":    {apikey.Key{}, apikey.Active, false},
		"one of 14 days":            {apikey.Key{ExpiresAt: in(14 * day)}, apikey.Active, true},
		"one of more than 14 days":  {apikey.Key{ExpiresAt: in(14*day + time.Second)}, apikey.Active, false},
		"one of the last second":    {apikey.Key{ExpiresAt: in(time.Second)}, apikey.Active, true},
		"one that ends now":         {apikey.Key{ExpiresAt: in(0)}, apikey.Expired, false},
		"one that was revoked":      {apikey.Key{RevokedAt: in(-day), ExpiresAt: in(day)}, apikey.Revoked, false},
		"one revoked, then expired": {apikey.Key{RevokedAt: in(-2 * day), ExpiresAt: in(-day)}, apikey.Revoked, false},
	} {
		if state, soon := c.key.State(now), c.key.ExpiresSoon(now); state != c.state || soon != c.soon {
			t.Errorf("%s is %s, expiring soon: %v", name, state, soon)
		}
	}
}

func TestAKeyUsedFromAnotherAddressIsRecorded(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		key, value, err := apikey.Of(f.Programme()).Create(ctx, apikey.New{Name: "k", Scopes: apikey.Scopes})
		modelstest.WantKind(t, "a key", err, 0)
		lines := func() (addresses []string) {
			t.Helper()
			modelstest.WantKind(t, "keeping", apikey.In(f.Store).KeepUses(ctx), 0)
			modelstest.WantKind(t, "writing down", f.KeepSeen(ctx), 0)
			var told []store.Activity
			modelstest.Fine(t, f.Read(ctx).Where("action = 'key from new address'").Order("id").Find(&told).Error)
			for _, line := range told {
				modelstest.Want(t, "who is told", line.ActorID, key.ID)
				addresses = append(addresses, line.Address)
			}
			return addresses
		}
		use := func(db *models.Store, address string) {
			t.Helper()
			modelstest.Must(apikey.In(db).Authenticate(ctx, value, store.By{Door: "api", Address: address}))(t)
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
		modelstest.Want(t, "addresses are kept", modelstest.RowsOf(t, f, "SELECT count(*) FROM key_addresses"), 100)
	})
}
