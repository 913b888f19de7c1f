package admin

import (
	"net/url"
	"strings"
	"testing"
)

func TestASubmissionInNoRoundYetIsAssignedByHand(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openBlind(t, dialect, true)
		base, record := d.at("/rounds/"+d.round), d.at("/sessions/"+d.others.ID)
		one := base + "/submissions/" + d.others.ID
		// From its record, and back to it.
		wants(t, d.olga.get(record, 200), one+"?from=record", "First look", "No reviewer yet")
		wants(t, d.olga.get(one+"?from=record", 200), `name="from" value="record"`)
		page := d.olga.follow(d.olga.post(one, url.Values{"user": {d.reviewer}, "from": {"record"}}, 303))
		wants(t, page, "Markedother", "1 reviewer has it in the round “First look” now.", "1 reviewer</span>")
		d.ada.get(d.queue("/"+d.others.ID), 200)
		d.olga.follow(d.olga.post(one, nil, 303))
		// From the round's Assign page, by a list that has those without reviewers first.
		wants(t, d.olga.get(base+"/assign", 200), base+"/submissions")
		page = d.olga.get(base+"/submissions", 200)
		wants(t, page, one, "No reviewer yet", "1 to 2 of 2 submissions")
		if strings.Index(page, "Markedother") > strings.Index(page, ">Mine<") {
			t.Error("what has a reviewer comes first")
		}
		wants(t, d.olga.get(base+"/submissions?q=a-1", 200), ">Mine<")
		lacks(t, d.olga.get(base+"/submissions?q=a-1", 200), one)
		wants(t, d.olga.get(base+"/submissions?q=nowhere", 200), "Nothing found")
		d.olga.get(d.at("/rounds/"+d.Event.ID+"/submissions"), 404)
		// A reviewer is led to none of it.
		d.ada.get(base+"/submissions", 404)
	})
}

func TestARoundThatWasAMistakeIsDeleted(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openBlind(t, dialect, true)
		base := d.at("/rounds/" + d.round)
		wants(t, d.olga.get(base, 200), base+"/delete")
		wants(t, d.olga.get(base+"/delete", 200), "Delete the round “First look”?", "1 assignment without a review", "1 person is on it",
			"and on no other round sees what the round of all submissions gives")
		wants(t, d.olga.follow(d.olga.post(base+"/delete", nil, 303)), "“First look” is deleted.")
		d.olga.get(base, 404)
		d.olga.get(base+"/delete", 404)
		wants(t, d.olga.get(d.at("/activity"), 200), "deleted the review round")
		lacks(t, d.olga.get(d.at("/rounds/"+d.Event.ID), 200), "/delete")
	})
}
