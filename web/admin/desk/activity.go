package desk

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models/desk"
	"lectern/models/store"
	pages "lectern/views/pages/desk"
	"lectern/views/records"
	"lectern/web/admin/visit"
)

// activityKinds are the kinds of records that activity can be filtered by, with their names.
var activityKinds = [][2]string{
	{"", "Everything"}, {"session", "Submissions and sessions"}, {"contact", "People"},
	{"contact_import", "Imports of people"}, {"break", "Breaks"}, {"track", "Tracks"},
	{"room", "Rooms"}, {"tag", "Tags"}, {"format", "Formats"}, {"level", "Levels"}, {"event", "Settings and imports"},
	{"look", "Look"}, {"embed", "Embeds"},
	{"api_key", "API keys"}, {"letter_template", "Templates of letters"}, {"review_round", "Review rounds"},
	{"task", "Tasks"},
}

// listActivity shows what happened at the event, to one record of it, or by one person.
func listActivity(v *visit.Visit) error {
	l := v.PlainListing("kind", "record", "by", "page")
	named := func(name string) string { // drops values that no column can hold
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
	filter := desk.ActivityFilter{Subject: kind, SubjectID: record, ActorID: by}
	entries, pagination, err := desk.Of(v.Programme).ActivityLog(v.UserContext(), filter,
		store.Page{Number: l.Page(), Size: visit.RowsAPage})
	if err != nil {
		return err
	}
	if len(entries) == 0 && pagination.TotalResults > 0 { // beyond the last page
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
		line := pages.ActivityLine{ActivityEntry: e, Time: e.At.In(zone).Format("15:04"), URL: visit.RecordURL(v, e),
			Did:     did(e),
			Changes: visit.ChangesHere(v, e)}
		if e.ActorID != "" && by == "" {
			line.ByURL = p.Base + "?by=" + url.QueryEscape(e.ActorID)
		}
		last.Lines = append(last.Lines, line)
	}
	p.Pages = visit.PagesOf(p.Base, l, pagination, "changes")
	return visit.Show(v, http.StatusOK, "Activity", pages.Activity, p)
}

// activityVerbs are the verbs of actions that are stored under other names.
var activityVerbs = map[string]string{
	"updated": "changed", "composed": "made", "detached": "gave a text of its own to", "linked": "linked the text of",
	"joined": "composed", "left": "took out of its session", "parted": "took parts out of",
	"arranged": "arranged the parts of",
	"placed":   "placed on the sourcing board", "staged": "moved on the sourcing board",
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
	"told":       "told the people of", "letters_sent_off": "sent off letters of",
	"letters_retried":   "sent off again letters of",
	"letters_held_back": "held back letters of", "letters_paused": "paused letters of",
	"letters_resumed": "went on with letters of",
	"answered":        "answered what is asked of each speaker for",
	"link made":       "made a link to the place of", "invited": "invited to their place",
	"extended": "let write for longer", "contact closed": "ended that there is longer to write for",
	"session closed": "ended that its people can still change",
	"task":           "changed a task of",
	"revised":        "asks to change", "revision accepted": "accepted a change of",
	"revision refused": "refused a change of",
}

// did returns a line's verb, with the kind of record unless its name tells that.
func did(e *store.ActivityEntry) string {
	nouns := map[string]string{
		"session": "", "contact": "the person ", "event": "the settings of ", "look": "the look of ",
		"embed": "an embed of ", "call": "the call for papers of ", "api_key": "an API key ",
		"agenda_version": "the agenda ", "contact_import": "people from ", "letter_template": "the template of letters ",
		"review_round": "the review round ",
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
	return cmp.Or(visit.Published(e), visit.ComesTo(e), activityVerbs[e.Subject+" "+e.Action], activityVerbs[e.Action],
		e.Action) + " " + noun
}
