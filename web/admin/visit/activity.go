package visit

import (
	"slices"

	"lectern/models/call"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/records"
)

// RecordURL returns the address of the record that a line of activity is about, "" when it has no page.
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

// recordPages are the pages of records, by the kind that activity calls them.
var recordPages = map[string]struct {
	path       string
	organizers bool // only they may see it
}{
	"session": {"/sessions/", false}, "contact": {"/speakers/", false}, "break": {"/agenda/breaks/", false},
	"track": {"/metadata/tracks/", false}, "room": {"/metadata/rooms/", false}, "tag": {"/metadata/tags/", false},
	"format": {"/metadata/formats/", false}, "level": {"/metadata/levels/", false},
	"contact_import": {"/imports/", true}, "review_round": {"/rounds/", true},
}

// PartVerbs are the verbs on a record's own page for what happened to its parts, or to it as a part.
var PartVerbs = map[string]string{
	"joined": "composed it into a session", "left": "took it out of its session", "parted": "took parts out of it",
	"undone": "undid the decision", "published_anyway": "published it anyway",
	"arranged": "arranged its parts", "linked": "linked it to its submission again",
	"locked": "locked it for its people", "unlocked": "let its people change it again",
	"reopened": "reopened it for its people", "closed": "ended that it was open for its people",
	"submitted": "submitted it for its people",
	"revised":   "asks to change it", "revision accepted": "accepted a change of it", "revision refused": "refused a change of it",
}

// ComesTo says what somebody answered to whether they come to a session; "" for any other line.
func ComesTo(e *store.ActivityEntry) string {
	if e.Action != "participation" {
		return ""
	}
	if e.After["answer"] == call.NotComing {
		return "said that they cannot come to"
	}
	return "said that they come to"
}

// ChangesHere returns the changed fields of an entry that the visitor may see, with links to the versions of a text.
func ChangesHere(v *Visit, e *store.ActivityEntry) []records.FieldChange {
	var sight *reviews.Sight
	if e.Action != "created" && (e.Before["custom_fields"] != nil || e.After["custom_fields"] != nil) {
		sight = v.Sight()
	}
	isRevision := slices.Contains([]string{"revised", "revision accepted", "revision refused"}, e.Action)
	if !TellsOfTask(e, v.May(staff.Organizer)) || isRevision && !v.May(staff.Organizer) {
		return nil
	}
	if e.Action == "participation" { // the line itself says the answer; the reason is for organizers, as on the record
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

// reasonOf returns the reason why somebody comes or does not, for those who may read it, else nil.
func reasonOf(v *Visit, said map[string]any) map[string]any {
	if said["reason"] == nil || !v.May(staff.Organizer) {
		return nil
	}
	return map[string]any{"reason": said["reason"]}
}
