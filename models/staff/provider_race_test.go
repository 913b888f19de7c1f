package staff_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestAProviderIsDeletedAsSomebodySetsOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		ada := modelstest.FirstOwner(t, f)
		setOut := func(p *staff.Provider) error {
			return modelstest.ErrorOf(f.Staff.BeginVisit(ctx, staff.ProviderVisit{ProviderID: p.ID}, "192.0.2.1"))
		}
		deleted := func(p *staff.Provider) error { return f.Team(ctx, ada).DeleteProvider(ctx, p.ID) }

		p := house(t, f, ada)
		modelstest.Fine(t, setOut(p)) // one that is under way
		done := make(chan error, 1)
		modelstest.Fine(t, f.Staff.Write(ctx, func(tx *store.Tx) error { // and one that sets out as it is deleted
			v := staff.ProviderVisit{ID: "under way", ProviderID: p.ID, ExpiresAt: tx.Now}
			if err := tx.Create(&v).Error; err != nil {
				return err
			}
			go func() { done <- deleted(p) }()
			modelstest.Waits(t, f, 1)
			return nil
		}))
		modelstest.Fine(t, <-done)

		p = house(t, f, ada)
		if f.Dialect() == "postgres" { // where what the provider was read as may be gone when the visit is written
			stop := f.Statement.Watch(onceRead(func() { modelstest.Fine(t, deleted(p)) }))
			modelstest.WantKind(t, "setting out to what was deleted", setOut(p), store.NotFound)
			stop()
		}
		for range 5 {
			p := house(t, f, ada)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					if err := setOut(p); err != nil && store.KindOf(err) != store.NotFound {
						t.Errorf("setting out: %v", err)
					}
				})
			}
			all.Go(func() {
				modelstest.WantKind(t, "deleting", deleted(p), 0)
			})
			all.Wait()
		}
	})
}

// onceRead watches for the first statement that reads a provider by its id, and does something after it.
func onceRead(then func()) func(string) {
	var read atomic.Bool // what is done reads it too
	return func(statement string) {
		if strings.Contains(statement, `FROM "identity_providers"`) && !read.Swap(true) {
			then()
		}
	}
}
