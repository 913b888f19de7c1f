package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestHooksRunOnceAndInTheirOrderAroundTheCommit(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, organization := t.Context(), f.Organization(f.Event.OrganizationID, modelstest.Tester)
		events := func() (n int) {
			modelstest.Fine(t, f.SQL.QueryRow("SELECT count(*) FROM events WHERE name = 'Hooked'").Scan(&n))
			return n
		}
		var said []string
		say := func(what string) { said = append(said, what) }
		attempts := 0
		write := func(ctx context.Context, fault error) error {
			return organization.Write(ctx, func(tx *store.Tx) error {
				tx.AfterCommit(func() { say("after") })
				tx.BeforeCommit(func() error {
					say("before")
					return errors.Join(fault, tx.Exec("UPDATE events SET name = 'Hooked' WHERE id = ?", f.Event.ID).Error)
				})
				say("operation")
				if attempts++; attempts == 1 { // what PostgreSQL says when others were in the way
					return &pgconn.PgError{Code: "40001"}
				}
				return nil
			})
		}
		want := func(what string, wanted ...string) {
			t.Helper()
			modelstest.WantAll(t, what, said, wanted)
			said = nil
		}
		fault := errors.New("fault")
		if err := write(ctx, fault); !errors.Is(err, fault) || events() != 0 {
			t.Errorf("a fault before the commit: %v, %d changed", err, events())
		}
		want("a fault before the commit", "operation", "operation", "before")
		_, _, err := f.Once(ctx, models.OnceByForm("f", "r"), func(ctx context.Context) (string, error) {
			defer say("answer")
			return "", errors.Join(write(ctx, nil), write(ctx, nil))
		})
		modelstest.Fine(t, err)
		want("two joined", "operation", "operation", "answer", "before", "before", "after", "after")
		modelstest.Want(t, "changed", events(), 1)
	})
}
