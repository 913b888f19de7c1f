package reviews_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/web/admin/admintest"
)

func TestASubmissionInNoRoundYetIsAssignedByHand(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		base, record := d.At("/rounds/"+d.Round), d.At("/sessions/"+d.Others.ID)
		one := base + "/submissions/" + d.Others.ID
		// From its record, and back to it.
		admintest.Wants(t, d.Olga.Get(record, 200), one+"?from=record", "First look", "No reviewer yet")
		admintest.Wants(t, d.Olga.Get(one+"?from=record", 200), `name="from" value="record"`)
		page := d.Olga.Follow(d.Olga.Post(one, url.Values{"user": {d.Reviewer}, "from": {"record"}}, 303))
		admintest.Wants(t, page, "Markedother", "1 reviewer has it in the round “First look” now.", "1 reviewer</span>")
		d.Ada.Get(d.Queue("/"+d.Others.ID), 200)
		d.Olga.Follow(d.Olga.Post(one, nil, 303))
		// From the round's Assign page, by a list that has those without reviewers first.
		admintest.Wants(t, d.Olga.Get(base+"/assign", 200), base+"/submissions")
		page = d.Olga.Get(base+"/submissions", 200)
		admintest.Wants(t, page, one, "No reviewer yet", "1 to 2 of 2 submissions")
		if strings.Index(page, "Markedother") > strings.Index(page, ">Mine<") {
			t.Error("what has a reviewer comes first")
		}
		admintest.Wants(t, d.Olga.Get(base+"/submissions?q=a-1", 200), ">Mine<")
		admintest.Lacks(t, d.Olga.Get(base+"/submissions?q=a-1", 200), one)
		admintest.Wants(t, d.Olga.Get(base+"/submissions?q=nowhere", 200), "Nothing found")
		d.Olga.Get(d.At("/rounds/"+d.Event.ID+"/submissions"), 404)
		// A reviewer is led to none of it.
		d.Ada.Get(base+"/submissions", 404)
	})
}

func TestARoundThatWasAMistakeIsDeleted(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := admintest.OpenBlind(t, dialect, true)
		base := d.At("/rounds/" + d.Round)
		admintest.Wants(t, d.Olga.Get(base, 200), base+"/delete")
		admintest.Wants(t, d.Olga.Get(base+"/delete", 200), "Delete the round “First look”?", "1 assignment without a review",
			"1 person is on it", "and on no other round sees what the round of all submissions gives")
		admintest.Wants(t, d.Olga.Follow(d.Olga.Post(base+"/delete", nil, 303)), "“First look” is deleted.")
		d.Olga.Get(base, 404)
		d.Olga.Get(base+"/delete", 404)
		admintest.Wants(t, d.Olga.Get(d.At("/activity"), 200), "deleted the review round")
		admintest.Lacks(t, d.Olga.Get(d.At("/rounds/"+d.Event.ID), 200), "/delete")
	})
}
