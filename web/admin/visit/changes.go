package visit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/reviews"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/records"
	"lectern/web/page"
)

// FactWords turns field values, as activity and batches keep them, into words.
type FactWords struct {
	Zone  *time.Location
	Names map[string]string // by the ids that occur; "" for unknown ones
	Gone  string            // shown for an id without a name, unless it is ""
	sight *reviews.Sight    // decides which answers are shown; nil shows all
}

// ChangesOf returns the changed fields of an entry in words, with times in the zone. It returns none for a session's
// creation, whose values are the record itself, nor for a publication, which a verb tells.
func ChangesOf(e *store.ActivityEntry, zone *time.Location, sight *reviews.Sight) []records.FieldChange {
	if e.Subject == "session" && e.Action == "created" || Published(e) != "" || e.Subject == "task" && e.Action != "updated" {
		return nil
	}
	e = aboutTasks(e)
	changes := (&FactWords{Zone: zone, Names: e.Names, sight: sight}).Changes(e.Before, e.After)
	for i, change := range changes {
		was, err1 := strconv.Atoi(change.Before)
		is, err2 := strconv.Atoi(change.After)
		if e.Action == "moved" && err1 == nil && err2 == nil { // people count from one
			changes[i].Before, changes[i].After = strconv.Itoa(was+1), strconv.Itoa(is+1)
		}
	}
	return changes
}

// Published returns "published" or "unpublished" for a change of a session that did only that, else "".
func Published(e *store.ActivityEntry) string {
	if e.Subject != "session" || e.Action != "updated" || len(e.After) != 1 {
		return ""
	}
	switch e.After["is_public"] {
	case true:
		return "published"
	case false:
		return "unpublished"
	}
	return ""
}

// fieldWords name the fields whose words differ from their names, besides those of sessions, in the order in which they
// are shown, before all others.
var fieldWords = []struct{ field, words string }{
	{"name", "Name"}, {"role", "Role"}, {"everywhere", "At every event"}, {"roles", "At single events"},
	{"sources", "Made from"}, {"composed_into", "Session"}, {"parts", "Parts"}, {"timezone", "Time zone"}, {"starts_on", "First day"}, {"ends_on", "Last day"},
	{"cfp_opens_at", "Call for papers opens"}, {"cfp_closes_at", "Call for papers closes"},
	{"is_blind", "Blind"}, {"opens_at", "Opens"}, {"closes_at", "Closes"}, {"reviewers_added", "Reviewers added"},
	{"reviewers_removed", "Reviewers taken off"}, {"assigned", "Submissions assigned"}, {"scorecard", "Criteria of the scorecard"},
	{"asks_approval", "Ask for approved content"}, {"fields", "What"}, {"url", "Address"}, {"photo_url", "Photo"},
	{"due_at", "Due"}, {"asked_of", "Who does it"}, {"is_required", "Required"}, {"is_reminded", "Reminds by itself"},
	{"only_given", "Only whom staff chose"},
	{"file_kinds", "Kinds of files"}, {"max_bytes", "Size at most"}, {"part", "Section of the call’s form"}, {"filters", "Who gets it"},
	{"website_url", "Website"}, {"linkedin_url", "LinkedIn"},
	{"client_id", "Client ID"}, {"domains", "E-mail domains"}, {"groups_claim", "Claim with the groups"},
	{"grants", "What groups may do"}, {"is_enabled", "Turned on"},
}

func wordsOf(field string) (words string, rank int) {
	for i, f := range models.SessionFields {
		if f.Name == field && f.Label != "" {
			return f.Label, i
		}
	}
	for i, known := range fieldWords {
		if known.field == field {
			return known.words, len(models.SessionFields) + i
		}
	}
	for i, f := range models.ContactFields {
		if f.Key == field {
			return f.Label, len(models.SessionFields) + len(fieldWords) + i
		}
	}
	words = strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(field, "_ids"), "_id"), "_", " ")
	if words != "" {
		words = strings.ToUpper(words[:1]) + words[1:]
	}
	return words, len(models.SessionFields) + len(fieldWords) + len(models.ContactFields)
}

// Changes returns the fields that differ between before and after, in words.
func (w *FactWords) Changes(before, after map[string]any) []records.FieldChange {
	fields := map[string]bool{}
	for _, side := range []map[string]any{before, after} {
		for field := range side {
			fields[field] = true
		}
	}
	order := slices.SortedFunc(maps.Keys(fields), func(a, b string) int {
		_, rankA := wordsOf(a)
		_, rankB := wordsOf(b)
		return cmp.Or(cmp.Compare(rankA, rankB), cmp.Compare(a, b))
	})
	out := []records.FieldChange{}
	for _, field := range order {
		if field == "custom_fields" {
			out = append(out, w.answers(before[field], after[field])...)
			continue
		}
		words, _ := wordsOf(field)
		if store.IsID(field) { // the field is one that staff defined
			words = cmp.Or(w.Names[field], "A field that was deleted")
		}
		change := records.FieldChange{Field: words, Before: w.say(field, before[field]), After: w.say(field, after[field])}
		if change.Before+change.After == "" {
			continue
		}
		if field == "description" {
			change.Words = changedWords(before[field], after[field])
		}
		// A long text may have changed beyond the part that is shown.
		if change.Before != change.After || field == "description" || field == "about" {
			out = append(out, change)
		}
	}
	return out
}

// passagesShown is how many changed paragraphs of a text a line of activity shows.
const passagesShown = 4

// changedWords returns the changed words of a text, as many as a line has room for; none where the text is new or gone,
// or where only its markup changed.
func changedWords(before, after any) (out []components.Passage) {
	was, _ := before.(string)
	is, _ := after.(string)
	if was == "" || is == "" {
		return nil
	}
	more := 0
	for _, passage := range page.Difference(was, is) {
		switch {
		case passage.Alike > 0:
			continue
		case len(out) == passagesShown:
			more++
			continue
		}
		for i, piece := range passage.Pieces {
			passage.Pieces[i].Text = ShortText(piece.Text)
		}
		out = append(out, passage)
	}
	if more > 0 {
		out = append(out, components.Passage{Pieces: []components.Piece{{Text: "… and in " +
			Counted(int64(more), "more paragraph", "more paragraphs")}}})
	}
	return out
}

// ShortText cuts a text to maxWords characters.
func ShortText(text string) string { return Beginning(text, maxWords) }

// answers returns the changed answers to the call's form, each under its key.
func (w *FactWords) answers(before, after any) []records.FieldChange {
	var keys []string
	sides := [2]map[string]string{{}, {}}
	for i, side := range []any{before, after} {
		list, _ := side.([]any)
		for _, item := range list {
			answer, _ := item.(map[string]any)
			key := w.say("", answer["key"])
			sides[i][key] = w.say("", answer["value"])
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	var out []records.FieldChange
	for _, key := range keys {
		if sides[0][key] != sides[1][key] && !w.sight.Hides(key) {
			out = append(out, records.FieldChange{Field: w.sight.Label(key), Before: sides[0][key], After: sides[1][key]})
		}
	}
	return out
}

// maxWords is how many characters of a long text a change shows.
const maxWords = 300

// say returns a value in words, "" for nil.
func (w *FactWords) say(field string, value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case bool:
		return map[bool]string{true: "Yes", false: "No"}[value]
	case string:
		return w.sayText(field, value)
	case []any:
		return strings.Join(store.Map(value, func(item any) string { return w.say("", item) }), ", ")
	case map[string]any:
		return w.sayObject(value)
	}
	return fmt.Sprint(value)
}

// sayObject puts a file, a person with a role or any other object into words, the last field by field.
func (w *FactWords) sayObject(value map[string]any) string {
	if file, ok := value["file"].(string); ok {
		return file
	}
	if id, ok := value["id"].(string); ok {
		if role := w.say("", value["role"]); role != "" && role != string(models.Speaking) {
			return w.sayText("", id) + " (" + role + ")"
		}
		if minutes := w.say("", value["minutes"]); minutes != "" {
			return w.sayText("", id) + " (" + minutes + " min)"
		}
		return w.sayText("", id)
	}
	var items []string
	for _, field := range slices.Sorted(maps.Keys(value)) {
		if said := w.say(field, value[field]); said != "" {
			words, _ := wordsOf(field)
			items = append(items, cmp.Or(w.Names[field], words)+": "+said)
		}
	}
	return strings.Join(items, ", ")
}

func (w *FactWords) sayText(field, text string) string {
	switch {
	case field == "status" || field == "content_state" || field == "workflow_status":
		return components.StatusName(text)
	case field == "description" || field == "about":
		text = store.PlainText(text)
	case w.Names[text] != "":
		return w.Names[text]
	case w.Gone != "" && store.IsID(text):
		return w.Gone
	default:
		if at, err := store.ParseTime(text); err == nil {
			return at.In(w.Zone).Format("2 Jan 2006, 15:04 MST")
		}
	}
	return ShortText(text)
}

// PersonVerbs are the verbs for what was done with a person.
var PersonVerbs = map[string]string{"added": "put them at the event", "removed": "took them off the event",
	"placed": "placed them on the sourcing board", "staged": "moved them on the sourcing board",
	"unstaged": "took them off the sourcing board", "noted": "added a note", "merged": "merged somebody else into them", "exported": "exported all that is kept of them",
	"erased": "erased them", "told apart": "said that they and somebody else are not the same",
	"link made": "made a link to their place", "invited": "invited them to their place", "extended": "let them write for longer",
	"closed": "ended that they may write for longer", "answered": "answered what is asked of each speaker",
	"task": "changed a task of theirs", "revised": "asks to change their profile", "revision accepted": "accepted a change of theirs",
	"revision refused": "refused a change of theirs"}
