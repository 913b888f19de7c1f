package cfp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/status"
	"lectern/models/store"
)

// slidesOf is a file of so many megabytes.
func slidesOf(megabytes int) models.Upload {
	return pdf(strings.Repeat("x", megabytes<<20-9))
}

func TestAStrangerBringsLittle(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		attach := func(pl *cfp.Place, megabytes int) error {
			return second(pl.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(megabytes)))
		}
		if err := attach(pl, 6); fields(err) != "slides" || !strings.Contains(err.Error(), "up to 5 MB") {
			t.Errorf("a large file of an unproven address: %v", err)
		}
		kept := 0
		for _, err := range modelstest.AtOnce(12, func(int) error { return attach(pl, 5) }) {
			if err == nil {
				kept++
			} else if store.KindOf(err) != store.TooMany && store.KindOf(err) != store.Stale {
				t.Errorf("one too many: %v", err)
			}
		}
		var counted int64
		f.Store.Read(ctx).Table("brought_bytes").Where("whose = ?", "unproven "+pl.ContactID()).Pluck("bytes", &counted)
		left := modelstest.RowsOf(t, f, "SELECT count(*) FROM file_leftovers")
		if kept == 0 || kept > 6 || counted != 30<<20 || left > 6 {
			t.Errorf("%d of 12 are kept, %d bytes are counted, %d are left over", kept, counted, left)
		}
		modelstest.Must(cfp.Of(f.Programme()).AttachFile(ctx, s.ID, "slides", slidesOf(6)))(t) // by staff
		pl = c.Prove(t, f, pl)
		modelstest.Fine(t, attach(pl, 20))
		had := "UPDATE brought_bytes SET bytes = ? WHERE whose = ? AND bytes = ?"
		modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
			done := tx.Exec(had, 180<<20, "proven "+pl.ContactID(), 20<<20)
			modelstest.Want(t, "20 MB are not counted", done.RowsAffected, 1)
			return done.Error
		}))
		modelstest.Fine(t, attach(pl, 20))
		if err := attach(pl, 1); store.KindOf(err) != store.TooMany || !strings.Contains(err.Error(), "Send it again in") {
			t.Errorf("the 201st megabyte: %v", err)
		}
		f.Clock.Move(time.Hour)
		modelstest.Fine(t, attach(pl, 1))
	})
}

func TestStrangersTogetherBringLittleToAnEventAndKeepNobodyOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "First", "Tides")
		modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(1)))(t)
		modelstest.Exec(t, f.SQL, "UPDATE brought_bytes SET bytes = $1 WHERE whose = $2", 497<<20, "unproven "+c.Event.ID)
		type draft struct {
			pl *cfp.Place
			id string
		}
		drafts := make([]draft, 6)
		for i := range drafts {
			pl, s := c.Begin(t, f, fmt.Sprint("Kim", i), "Ebb")
			drafts[i] = draft{pl, s.ID}
		}
		kept := 0
		for _, err := range modelstest.AtOnce(len(drafts), func(i int) error {
			return second(drafts[i].pl.AttachFile(ctx, c.Event, drafts[i].id, "slides", slidesOf(1)))
		}) {
			if err == nil {
				kept++
			} else if store.KindOf(err) != store.TooMany {
				t.Errorf("one too many: %v", err)
			}
		}
		modelstest.Want(t, "kept of 6", kept, 3)
		proven := c.Prove(t, f, pl)
		modelstest.Must(proven.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(2)))(t)
		// Who has proven an address is counted too, with all who have.
		modelstest.Exec(t, f.SQL, "UPDATE brought_bytes SET bytes = $1 WHERE whose = $2", 4999<<20, "proven "+c.Event.ID)
		modelstest.Answers(proven.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(2)))(t, "the 5001st megabyte",
			store.TooMany)
		modelstest.Must(proven.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(1)))(t)
	})
}

func TestWhatAReplacedAnswerLeavesGoesWithinTheHour(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		first := modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("one")))(t).Files["slides"]
		now := modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("three")))(t).Files["slides"]
		sizes := modelstest.Must(status.FilesOf(ctx, f.Store, f.Store.Organization(c.Event.OrganizationID, store.By{})))(t)
		if sizes.Files != 1 || sizes.Bytes != now.Size || len(sizes.Events) != 1 || sizes.Events[0].Name != c.Event.Name ||
			sizes.Events[0].Bytes != now.Size {
			t.Errorf("files take %+v", sizes)
		}
		for range 2 { // as often as it is swept in an hour
			f.Clock.Move(30 * time.Minute)
			modelstest.Must(f.Store.SweepFiles(ctx, 10))(t)
		}
		if _, err := f.Store.OpenFile(ctx, first); err == nil {
			t.Error("the bytes of the first file stay")
		}
		content := modelstest.Must(f.Store.OpenFile(ctx, now))(t)
		content.Close()
	})
}
