package visit

import (
	"slices"

	"lectern/models/cfp"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/records"
)

// RecordURL is where a line's record stands, "" when it has no page.
func RecordURL(v *Visit, e *store.ActivityEntry) string {
	if e.Gone || e.SubjectName == "" && e.Subject != "api_key" {
		return ""
	}
	if page := map[string]string{"event": "/settings", "api_key": "/keys", "call": "/call", "look": "/look",
		"embed": "/embeds"}[e.Subject]; page != "" {
		if !v.May(staff.Organizer) {
			return ""
		}
		return v.At(page)
	}
	if e.Subject == "task" && v.May(staff.Organizer) {
		return v.At("/tasks/" + e.SubjectID + "/edit")
	}
	where, known := recordPages[e.Subject]
	if !known || where.organizers && !v.May(staff.Organizer) {
		return ""
	}
	return v.At(where.path + e.SubjectID)
}

// recordPages are where the pages of records stand, by what activity calls their kind.
var recordPages = map[string]struct {
	path       string
	organizers bool // they alone may see it
}{
	"session": {"/sessions/", false}, "contact": {"/speakers/", false}, "break": {"/agenda/breaks/", false},
	"track": {"/metadata/tracks/", false}, "room": {"/metadata/rooms/", false}, "tag": {"/metadata/tags/", false},
	"format": {"/metadata/formats/", false}, "level": {"/metadata/levels/", false},
	"contact_import": {"/imports/", true}, "review_round": {"/rounds/", true},
}

// PartVerbs are what a record's own page says of what became of its parts, or of itself as one.
var PartVerbs = map[string]string{
	"joined": "composed it into a session", "left": "took it out of its session", "parted": "took parts out of it",
	"undone": "undid the decision", "published_anyway": "published it anyway",
	"arranged": "arranged its parts", "linked": "linked it to its submission again",
	"locked": "locked it for its people", "unlocked": "let its people change it again",
	"reopened": "reopened it for its people", "closed": "ended that it was open for its people",
	"submitted": "submitted it for its people",
	"revised":   "asks to change it", "revision accepted": "accepted a change of it", "revision refused": "refused a change of it",
}

// ComesTo is what somebody said of whether they come to a session and speak; "" of any other line.
func ComesTo(e *store.ActivityEntry) string {
	if e.Action != "participation" {
		return ""
	}
	if e.After["answer"] == cfp.NotComing {
		return "said that they cannot come to"
	}
	return "said that they come to"
}

// ChangesHere are the fields that an entry tells of, with the way to the versions of a text.
func ChangesHere(v *Visit, e *store.ActivityEntry) []records.FieldChange {
	var sight *review.Sight
	if e.Action != "created" && (e.Before["custom_fields"] != nil || e.After["custom_fields"] != nil) {
		sight = v.Sight()
	}
	isRevision := slices.Contains([]string{"revised", "revision accepted", "revision refused"}, e.Action)
	if !TellsOfTask(e, v.May(staff.Organizer)) || isRevision && !v.May(staff.Organizer) {
		return nil
	}
	if e.Action == "participation" { // the line says it; why is for organizers, as on the record
		e = new(*e)
		e.Before, e.After = reasonOf(v, e.Before), reasonOf(v, e.After)
	}
	changes := ChangesOf(e, v.Event.Location(), sight)
	if url := RecordURL(v, e); url != "" && e.Subject == "session" && !isRevision {
		for i := range changes {
			changes[i].Versions = url + "/versions"
		}
	}
	return changes
}

// reasonOf is why somebody comes or does not, for who may read that.
func reasonOf(v *Visit, said map[string]any) map[string]any {
	if said["reason"] == nil || !v.May(staff.Organizer) {
		return nil
	}
	return map[string]any{"reason": said["reason"]}
}
