package store_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// labelled is a row of an event, with values of each kind that sessions and keys have.
type labelled struct {
	ID, Name         string
	StartsOn         *string
	CreatedAt        store.Time
	CfpOpensAt       *store.Time
	AsksApproval     bool
	CustomFieldsLike models.Answers
	Seats            int
	MoreSeats        *int
	NoSeats          *int
	Version          int64
	Status           models.Status
	Long             string
	NoText           *string
}

func labels(db *gorm.DB, id string) *gorm.DB {
	return db.Table("events").Select("id, name, starts_on, created_at, cfp_opens_at, asks_approval, "+
		`CAST('[{"key": "Größe", "value": "\"1\" \u00e9"}]' AS `+jsonOf(db)+`) AS custom_fields_like, `+
		"CAST(-7 AS integer) AS seats, CAST(8 AS integer) AS more_seats, CAST(NULL AS integer) AS no_seats, "+
		"CAST(9007199254740993 AS bigint) AS version, 'pending' AS status, '"+strings.Repeat("long ", 300)+"' AS long, "+
		"CAST(NULL AS text) AS no_text").Where("id = ?", id)
}

func jsonOf(db *gorm.DB) string {
	if db.Name() == "postgres" {
		return "jsonb"
	}
	return "text"
}

func eachLabel(db *gorm.DB, id string) (found []labelled, err error) {
	err = store.EachRow(labels(db, id), func() []any {
		found = append(found, labelled{})
		l := &found[len(found)-1]
		return []any{&l.ID, &l.Name, &l.StartsOn, &l.CreatedAt, &l.CfpOpensAt, &l.AsksApproval, &l.CustomFieldsLike, &l.Seats,
			&l.MoreSeats, &l.NoSeats, &l.Version, &l.Status, &l.Long, &l.NoText}
	})
	return found, err
}

func TestEachRowReadsWhatGormReads(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Fine(t, f.Write(t.Context(), func(tx *store.Tx) error {
			modelstest.Fine(t, rename(tx, f, new("What was written later"))) // goes before
			for _, day := range []*string{nil, new("2027-05-20")} {
				modelstest.Fine(t, tx.Exec("UPDATE events SET starts_on = ? WHERE id = ?", day, f.Event.ID).Error)
				var want []labelled
				modelstest.Fine(t, labels(tx.DB, f.Event.ID).Scan(&want).Error)
				got := modelstest.Must(eachLabel(tx.DB, f.Event.ID))(t)
				if len(got) != 1 || got[0].Name != "What was written later" || !reflect.DeepEqual(got, want) {
					t.Errorf("read %+v, not %+v", got, want)
				}
			}
			none := modelstest.Must(eachLabel(tx.DB, store.NewID()))(t)
			if len(none) > 0 {
				t.Errorf("found %+v", none)
			}
			return nil
		}))
	})
}

func TestEachRowTellsWhatWentWrong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		one := func() []any { return []any{new(string)} }
		for _, statement := range []string{"SELECT nothing FROM events", "SELECT NULL", "SELECT CAST(NULL AS text)", "SELECT 'a', 'b'"} {
			if err := store.EachRow(f.Read(t.Context()).Raw(statement), one); err == nil {
				t.Errorf("%s: no error", statement)
			}
		}
		ctx, end := context.WithCancel(t.Context())
		end()
		modelstest.WantKind(t, "a request that ended", store.EachRow(f.Read(ctx).Raw("SELECT 'a'"), one), store.Unavailable)
		modelstest.Fine(t, store.EachRow(f.Read(t.Context()).Raw("SELECT 'a'"), one)) // the connection is whole
	})
}

func TestEachRowsReadsSeveralQueriesAndTellsWhatWentWrongInOne(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ask := func(db *gorm.DB, statements ...string) (found [][]string, err error) {
			found = make([][]string, len(statements))
			all := make([]store.Asked, len(statements))
			for i, statement := range statements {
				all[i] = store.Asked{Query: db.Raw(statement), Targets: func() []any {
					found[i] = append(found[i], "")
					return []any{&found[i][len(found[i])-1]}
				}}
			}
			return found, store.EachRows(all...)
		}
		name := "SELECT name FROM events WHERE id = '" + f.Event.ID + "'"
		good := func(db *gorm.DB, event string) {
			t.Helper()
			found := modelstest.Must(ask(db, "SELECT 'a' UNION ALL SELECT 'b'", "SELECT 'c' WHERE 1 = 0", name))(t)
			if want := [][]string{{"a", "b"}, nil, {event}}; !reflect.DeepEqual(found, want) {
				t.Errorf("%v, not %v", found, want)
			}
		}
		good(f.Read(t.Context()), f.Event.Name)
		modelstest.Fine(t, f.Snapshot(t.Context(), func(db *gorm.DB) error { good(db, f.Event.Name); return nil }))
		modelstest.Fine(t, f.Write(t.Context(), func(tx *store.Tx) error {
			modelstest.Fine(t, rename(tx, f, new("Written later"))) // goes before
			good(tx.DB, "Written later")
			return nil
		}))
		for at := range 3 {
			for _, wrong := range []string{"SELECT nothing FROM events", "SELECT NULL", "SELECT 'a', 'b'", "SELECT CAST(1 / 0 AS text)",
				"SELECT CAST(1 / (count(*) - count(*)) AS text) FROM events"} { // the last two once they are made
				statements := []string{"SELECT 'a'", "SELECT 'b'", "SELECT 'c'"}
				statements[at] = wrong
				if err := f.Snapshot(t.Context(), func(db *gorm.DB) error {
					return modelstest.ErrorOf(ask(db, statements...))
				}); err == nil {
					t.Errorf("%v: no error", statements)
				}
			}
		}
		ctx, end := context.WithCancel(t.Context())
		if err := f.Snapshot(ctx, func(db *gorm.DB) error {
			end()
			return modelstest.ErrorOf(ask(db, "SELECT 'a'", "SELECT 'b'"))
		}); store.KindOf(err) != store.Unavailable {
			t.Errorf("a request that ended: %v", err)
		}
		modelstest.Fine(t, f.Snapshot(t.Context(), func(db *gorm.DB) error { good(db, "Written later"); return nil }))
	})
}
