package sessions_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// TestFilesOfAnswersOpenToWhoSeesTheAnswer opens the file of an answer from the record and from a round without names,
// as everybody who may, and as those from whom it is hidden.
func TestFilesOfAnswersOpenToWhoSeesTheAnswer(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		ctx, c := t.Context(), modelstest.OpenCall(t, d.Fixture)
		pl, s := c.Begin(t, d.Fixture, "Li", "Ebb")
		modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", models.Upload{Name: "ebb & flow.pdf",
			Content: []byte("%PDF-1.7 ebb")}))(t)
		pending := models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Pending)}}
		modelstest.Must(d.Programme().UpdateSession(ctx, s.ID, pending))(t)
		modelstest.Fine(t, review.Of(d.Programme()).AssignTo(ctx, d.Round, s.ID, []string{d.Reviewer}))
		rea := d.As(staff.Reviewer)
		record, sheet := d.At("/sessions/"+s.ID), d.Queue("/"+s.ID)
		ofRecord, ofSheet := record+"/answers/files/slides", sheet+"/files/slides"
		seenBy := func(who cfp.Audience) {
			t.Helper()
			modelstest.Fine(t, d.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Model(&cfp.Question{}).Where("event_id = ? AND key = ?", d.Event.ID, "slides").
					UpdateColumn("seen_by", who).Error
			}))
		}
		opens := func(b *admintest.Browser, page, file string, status int) {
			t.Helper()
			shown, sent := "ebb &amp; flow.pdf", "\"ebb & flow.pdf\""
			if b == d.Ada { // who sees no names sees none of files either
				shown, sent = "File 1", "file-1.pdf"
				admintest.Lacks(t, b.Get(page, 200), "ebb &amp; flow")
			}
			if status != 200 {
				admintest.Lacks(t, b.Get(page, 200), "ebb &amp; flow.pdf", file)
				b.Get(file, status)
				return
			}
			admintest.Wants(t, b.Get(page, 200), `href="`+file+`"`, ">"+shown+"</a>")
			res, content := b.Do(httptest.NewRequest("GET", file, nil), 200)
			if h := res.Header; content != "%PDF-1.7 ebb" || h.Get("X-Content-Type-Options") != "nosniff" ||
				h.Get("Content-Disposition") != "attachment; filename="+sent {
				t.Errorf("%q as %v", content, h)
			}
		}
		for who, status := range map[cfp.Audience][2]int{
			cfp.Reviewers: {200, 200}, cfp.OpenRounds: {200, 404}, cfp.StaffOnly: {404, 404},
		} {
			seenBy(who)
			opens(d.Olga, record, ofRecord, 200)
			opens(rea, record, ofRecord, status[0])
			opens(d.Ada, sheet, ofSheet, status[1])
			d.Ada.Get(ofRecord, 404) // what is not assigned to who reviews in rounds alone
		}
		// Whatever else who sees no names may open, the name of the file stands nowhere.
		seenBy(cfp.Reviewers)
		ids := d.IDs(":id", s.ID, ":contact", pl.ContactID(), ":key", "slides")
		for at := range d.Ada.EveryPage(ids, "", "?q=flow.pdf", "?q=ebb") {
			if page := at.Page + fmt.Sprint(at.Header); admintest.HasAny(page, "ebb &amp; flow", "ebb & flow") {
				t.Errorf("%s tells the name of a file:\n%s", at.Address, admintest.Body(page))
			}
		}
		modelstest.Fine(t, review.Of(d.Programme()).Identify(ctx, []string{"slides"}))
		opens(d.Ada, sheet, ofSheet, 404)
		opens(rea, record, ofRecord, 200)
		rea.Get(ofSheet, 404) // who is not on the round
		rea.Get("/admin/events/"+d.Other.ID+"/sessions/"+s.ID+"/answers/files/slides", 404)
	})
}
