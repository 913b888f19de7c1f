package admin

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// verb is what can be done with many records at once, for the page: its button, the words of its batches, and
// whether it asks first. What is done stands in the operation's row in models.
type verb struct {
	operation models.Operation
	button    pages.BulkVerb
	lists     []string                         // where it stands
	offered   func(v *visit, kind string) bool // nil: always
	fields    []bulkField
	title     string // of its batches; "" says what the fields are set to
	done      string // of each record that it went through; "" says what was changed
	fillsBin  bool   // its records are in the Trash then
	// question is asked before it begins; nil, or one without a verb, asks nothing.
	question func(kind string, c models.BatchChange, what string, found, public int64) pages.ConfirmPage
}

// verbs are all; the first one is meant by a form that names none.
var verbs = []verb{
	{
		operation: models.BatchUpdate, button: pages.BulkVerb{Do: "change", Name: "Apply"},
		lists: []string{"submissions", "sessions"}, fields: updateFields, question: askOfDecision,
	}, {
		operation: models.BatchDelete, button: pages.BulkVerb{Do: "delete", Name: "Delete", Icon: "trash-2", Danger: true},
		lists: []string{"submissions", "sessions"}, title: "Delete", done: "In the Trash now", fillsBin: true,
		question: askOfDeletion,
	}, {
		operation: models.BatchApprove, button: pages.BulkVerb{Do: "approve", Name: "Approve content", Icon: "check"},
		lists: []string{"sessions"}, offered: (*visit).hasContent, title: "Content approved",
	}, {
		operation: models.BatchRestore, button: pages.BulkVerb{Do: "restore", Name: "Restore", Icon: "rotate-ccw"},
		lists: []string{"trash"}, title: "Restore from the Trash", done: "Back from the Trash",
	},
}

// verbsOn are those that this event has on a list.
func (v *visit) verbsOn(kind string) (on []verb) {
	for _, verb := range verbs {
		if slices.Contains(verb.lists, kind) && (verb.offered == nil || verb.offered(v, kind)) {
			on = append(on, verb)
		}
	}
	return on
}

func (v *visit) verbNamed(kind, do string) verb {
	for _, verb := range v.verbsOn(kind) {
		if verb.button.Do == do {
			return verb
		}
	}
	return verbs[0]
}

func verbOf(operation models.Operation) verb {
	for _, verb := range verbs {
		if verb.operation == operation {
			return verb
		}
	}
	return verb{operation: operation, title: string(operation)}
}

// bulkField is a choice beside a verb: its options, what a choice sets, and what is
// said of it, with the names of rows; "" when it sets nothing.
type bulkField struct {
	name, label string
	options     func(v *visit, chosen string) ([]components.Option, error)
	set         func(c *models.BatchChange, value string)
	says        func(c models.BatchChange, name func(id string) string) string
}

const noTrack = "none"

var updateFields = []bulkField{
	{"status", "New status",
		func(_ *visit, chosen string) ([]components.Option, error) { return statusOptions(chosen), nil },
		func(c *models.BatchChange, value string) { c.Status = new(models.Status(value)) },
		func(c models.BatchChange, _ func(string) string) string {
			if c.Status == nil {
				return ""
			}
			return "set status " + components.StatusName(string(*c.Status))
		}},
	{"track", "New track", trackOptions,
		func(c *models.BatchChange, value string) {
			if c.TrackID = store.Some(value); value == noTrack {
				c.TrackID = store.Null[string]()
			}
		},
		func(c models.BatchChange, name func(string) string) string {
			switch {
			case !c.TrackID.Set:
				return ""
			case c.TrackID.Value == nil:
				return "take the track away"
			}
			return "set track " + name(*c.TrackID.Value)
		}},
	{"add_tag", "Add a tag", tagOptions,
		func(c *models.BatchChange, value string) { c.AddTags = one(value) },
		func(c models.BatchChange, name func(string) string) string {
			return saysTags("add tag ", c.AddTags, "", name)
		}},
	{"remove_tag", "Take a tag away", tagOptions,
		func(c *models.BatchChange, value string) { c.RemoveTags = one(value) },
		func(c models.BatchChange, name func(string) string) string {
			return saysTags("take tag ", c.RemoveTags, " away", name)
		}},
}

func trackOptions(v *visit, chosen string) ([]components.Option, error) {
	options, err := v.options(models.Tracks, chosen)
	if len(options) > 0 {
		options = append(options, components.Option{Value: noTrack, Name: "No track", Chosen: chosen == noTrack})
	}
	return options, err
}

func tagOptions(v *visit, chosen string) ([]components.Option, error) {
	return v.options(models.Tags, chosen)
}

func saysTags(before string, ids []string, after string, name func(string) string) string {
	var parts []string
	for _, id := range ids {
		parts = append(parts, before+name(id)+after)
	}
	return strings.Join(parts, ", ")
}

// batchTitle says what a batch does.
func batchTitle(b *models.Batch, names map[string]string) string {
	verb := verbOf(b.Change.Operation)
	switch {
	case b.Undoes != nil:
		return "Undo"
	case verb.title != "":
		return verb.title
	}
	name := func(id string) string {
		if names[id] == "" {
			return gone
		}
		return names[id]
	}
	var parts []string
	for _, field := range verb.fields {
		if said := field.says(b.Change, name); said != "" {
			parts = append(parts, said)
		}
	}
	words := strings.Join(parts, ", ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// gone is said of a row that has no name any more.
const gone = "one that is gone"
