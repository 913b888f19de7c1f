package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/desk"
	"lectern/views/records"
	"lectern/web/admin/visit"
)

// activityKinds are the kinds of records that activity tells of, and their words.
var activityKinds = [][2]string{
	{"", "Everything"}, {"session", "Submissions and sessions"}, {"contact", "People"},
	{"contact_import", "Imports of people"}, {"break", "Breaks"}, {"track", "Tracks"},
	{"room", "Rooms"}, {"tag", "Tags"}, {"format", "Formats"}, {"level", "Levels"}, {"event", "Settings and imports"},
	{"look", "Look"}, {"embed", "Embeds"},
	{"api_key", "API keys"}, {"letter_template", "Templates of letters"}, {"review_round", "Review rounds"},
	{"task", "Tasks"},
}

// listActivity shows what happened in the event, or to one record of it, or by one person.
func listActivity(v *visit.Visit) error {
	l := v.PlainListing("kind", "record", "by", "page")
	named := func(name string) string { // what no column can hold names nothing
		id, err := store.CleanText(name, l.Query.Get(name), store.MaxName)
		if err != nil {
			l.Query.Del(name)
			return ""
		}
		return id
	}
	kind, record, by := l.Query.Get("kind"), named("record"), named("by")
	if !slices.ContainsFunc(activityKinds, func(k [2]string) bool { return k[0] == kind }) {
		kind = ""
		l.Query.Del("kind")
	}
	filter := models.ActivityFilter{Subject: kind, SubjectID: record, ActorID: by}
	entries, pagination, err := v.Programme.ActivityLog(v.UserContext(), filter,
		store.Page{Number: l.Page(), Size: visit.RowsAPage})
	if err != nil {
		return err
	}
	if len(entries) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.SeeInstead(v.At("/activity") + "?" + l.OnPage(pagination.TotalPages).Query.Encode())
	}
	p := pages.ActivityPage{
		Base: v.At("/activity"), Zone: v.Event.Timezone, Hidden: l.Hidden("record", "by"),
		Filtered: kind != "" || record != "" || by != "",
		Kinds:    visit.Choices(activityKinds, func(k [2]string) (string, string) { return k[0], k[1] }, kind),
	}
	if by != "" && len(entries) > 0 {
		p.By = records.Doer(entries[0].Actor, entries[0].Door)
	}
	zone := v.Event.Location()
	for _, e := range entries {
		day := e.At.In(zone).Format("Monday, 2 January 2006")
		if len(p.Days) == 0 || p.Days[len(p.Days)-1].Name != day {
			p.Days = append(p.Days, pages.ActivityDay{Name: day})
		}
		last := &p.Days[len(p.Days)-1]
		line := pages.ActivityLine{ActivityEntry: e, Time: e.At.In(zone).Format("15:04"), URL: recordURL(v, e), Did: did(e),
			Changes: changesHere(v, e)}
		if e.ActorID != "" && by == "" {
			line.ByURL = p.Base + "?by=" + url.QueryEscape(e.ActorID)
		}
		last.Lines = append(last.Lines, line)
	}
	p.Pages = visit.PagesOf(p.Base, l, pagination, "changes")
	return visit.Show(v, http.StatusOK, "Activity", pages.Activity, p)
}

// recordURL is where a line's record stands, "" when it has no page.
func recordURL(v *visit.Visit, e *store.ActivityEntry) string {
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

// activityVerbs are what people say of actions that they call otherwise.
var activityVerbs = map[string]string{
	"updated": "changed", "composed": "made", "detached": "gave a text of its own to", "linked": "linked the text of",
	"joined": "composed", "left": "took out of its session", "parted": "took parts out of", "arranged": "arranged the parts of",
	"placed": "placed on the sourcing board", "staged": "moved on the sourcing board",
	"unstaged":         "took off the sourcing board",
	"undone":           "undid the decision on",
	"published_anyway": "published anyway", "released": "released",
	"started": "started", "question_added": "added a question to", "question_changed": "changed a question of",
	"question_removed": "took a question out of", "question_brought_back": "brought a question back to",
	"question_moved": "moved a question of", "part_added": "added a part to", "part_changed": "changed a part of",
	"part_moved": "moved a part of", "part_removed": "took a part out of", "copied": "copied another event’s form for",
	"event copied": "copied another event into",
	"code_made":    "made an access code for", "code_changed": "changed an access code of",
	"code_ended": "ended an access code of",
	"told":       "told the people of", "letters_sent_off": "sent off letters of", "letters_retried": "sent off again letters of",
	"letters_held_back": "held back letters of", "letters_paused": "paused letters of",
	"letters_resumed": "went on with letters of",
	"answered":        "answered what is asked of each speaker for",
	"link made":       "made a link to the place of", "invited": "invited to their place",
	"extended": "let write for longer", "contact closed": "ended that there is longer to write for",
	"session closed": "ended that its people can still change",
	"task":           "changed a task of",
	"revised":        "asks to change", "revision accepted": "accepted a change of", "revision refused": "refused a change of",
}

// partVerbs are what a record's own page says of what became of its parts, or of itself as one.
var partVerbs = map[string]string{
	"joined": "composed it into a session", "left": "took it out of its session", "parted": "took parts out of it",
	"undone": "undid the decision", "published_anyway": "published it anyway",
	"arranged": "arranged its parts", "linked": "linked it to its submission again",
	"locked": "locked it for its people", "unlocked": "let its people change it again",
	"reopened": "reopened it for its people", "closed": "ended that it was open for its people",
	"submitted": "submitted it for its people",
	"revised":   "asks to change it", "revision accepted": "accepted a change of it", "revision refused": "refused a change of it",
}

// comesTo is what somebody said of whether they come to a session and speak; "" of any other line.
func comesTo(e *store.ActivityEntry) string {
	if e.Action != "participation" {
		return ""
	}
	if e.After["answer"] == cfp.NotComing {
		return "said that they cannot come to"
	}
	return "said that they come to"
}

// did is a line's verb, with the kind of record unless its name tells it.
func did(e *store.ActivityEntry) string {
	nouns := map[string]string{
		"session": "", "contact": "the person ", "event": "the settings of ", "look": "the look of ", "embed": "an embed of ", "call": "the call for papers of ", "api_key": "an API key ",
		"agenda_version": "the agenda ", "contact_import": "people from ", "letter_template": "the template of letters ", "review_round": "the review round ",
	}
	noun, known := nouns[e.Subject]
	if !known {
		noun = "the " + e.Subject + " "
	}
	switch {
	case visit.TaskDeed(e) != "":
		return visit.TaskDeed(e) + " of "
	case e.Subject == "event" && e.Action == "import undone":
		return "took back what a move had brought to "
	case e.Subject == "event" && e.Action == "imported":
		return "changed the programme of "
	case e.Action == "event copied" || e.Action == "brought in" ||
		e.Subject == "event" && strings.HasPrefix(e.Action, "letters_"):
		noun = ""
	case e.Subject == "session" && e.SubjectName == "":
		noun = "a record that is gone "
	}
	return cmp.Or(visit.Published(e), comesTo(e), activityVerbs[e.Subject+" "+e.Action], activityVerbs[e.Action],
		e.Action) + " " + noun
}

// changesHere are the fields that an entry tells of, with the way to the versions of a text.
func changesHere(v *visit.Visit, e *store.ActivityEntry) []records.FieldChange {
	var sight *models.Sight
	if e.Action != "created" && (e.Before["custom_fields"] != nil || e.After["custom_fields"] != nil) {
		sight = v.Sight()
	}
	isRevision := slices.Contains([]string{"revised", "revision accepted", "revision refused"}, e.Action)
	if !visit.TellsOfTask(e, v.May(staff.Organizer)) || isRevision && !v.May(staff.Organizer) {
		return nil
	}
	if e.Action == "participation" { // the line says it; why is for organizers, as on the record
		e = new(*e)
		e.Before, e.After = reasonOf(v, e.Before), reasonOf(v, e.After)
	}
	changes := visit.ChangesOf(e, v.Event.Location(), sight)
	if url := recordURL(v, e); url != "" && e.Subject == "session" && !isRevision {
		for i := range changes {
			changes[i].Versions = url + "/versions"
		}
	}
	return changes
}

// reasonOf is why somebody comes or does not, for who may read that.
func reasonOf(v *visit.Visit, said map[string]any) map[string]any {
	if said["reason"] == nil || !v.May(staff.Organizer) {
		return nil
	}
	return map[string]any{"reason": said["reason"]}
}
