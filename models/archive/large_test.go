package archive_test

import (
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/store"
)

// PostgreSQL plans the check of a foreign key once in a connection. One that was planned for a table with some rows
// looks through all of it for each row that comes.
func TestTheRowsOfALargeArchiveAreCheckedByIndexes(t *testing.T) {
	t.Parallel()
	there, here := modelstest.Open(t, "postgres"), modelstest.Open(t, "postgres")
	ctx := t.Context()
	modelstest.Fine(t, seed.Fill(ctx, there.Programme(), 1100, 600))
	whole := take(t, there.Programme())
	tag := modelstest.RowOf(t, here.Programme(), models.Tags, "Few").ID
	for i := range 40 { // a plan stays once it was made some times
		s := modelstest.Must(here.Programme().CreateSession(ctx, models.NewSession{Title: fmt.Sprint("Few ", i),
			SessionInput: models.SessionInput{TagIDs: &[]string{tag}}}))(t)
		here.Speaker(t, here.Event, s.ID, models.NewContact{FirstName: "Few"})
	}
	scans := map[string]int{}
	modelstest.Must(bring(t, here.Store, whole, archive.Arrival{Slug: "large",
		Within: func(tx *store.Tx, _ *archive.Arrived) error {
			var rows []struct {
				Relname    string
				SeqTupRead int
			}
			err := tx.Raw("SELECT relname, seq_tup_read FROM pg_stat_xact_user_tables WHERE seq_tup_read > 0").Scan(&rows).Error
			for _, r := range rows {
				scans[r.Relname] = r.SeqTupRead
			}
			return err
		}}))(t)
	for _, table := range []string{"sessions", "contacts", "event_contacts"} {
		if scans[table] > 20_000 { // a few looks at all rows
			t.Errorf("%d rows of %s were looked at one after the other", scans[table], table)
		}
	}
}
