package lists

import (
	"cmp"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// verb is what can be done with many records at once, as pages show it: its button, the words of its batches, and the
// question it asks first. What it does stands in its operation's row in models.
type verb struct {
	operation models.Operation
	button    toolbar.BulkVerb
	menu      string                                 // the menu it belongs to, "" for none
	lists     []string                               // kinds of lists that offer it
	offered   func(v *visit.Visit, kind string) bool // nil: always
	tabs      func(status models.Status) bool        // whether a status' tab has it, "" is the tab of all; nil: on all
	fields    []bulkField
	sets      models.Status // the one status it sets, instead of fields
	title     string        // of its batches; "" lists what the fields are set to
	done      string        // about each record that it changed; "" lists the changes
	undone    string        // about each record where it was undone
	fillsBin  bool          // it moves its records to the Trash
	composes  bool          // it leads to the page that composes the rows instead of starting a batch
	// numbers adds to the question what would become of the rows, or answers Invalid if nothing; nil adds nothing.
	numbers func(v *visit.Visit, q models.SessionSearch, p *layouts.ConfirmPage) error
	// question is asked before the batch starts; nil, or a page without a Verb, asks nothing.
	question func(c models.BatchChange, what string, found, public int64) layouts.ConfirmPage
}

var (
	programme = []string{"submissions", "sessions"}
	more      = "More…"
)

// verbs are all verbs, in the order of the bar.
var verbs = []verb{
	decisionVerb(models.Accepted, models.AcceptQueue, "Accept…", "check", "a"),
	decisionVerb(models.Declined, models.DeclineQueue, "Decline…", "circle-x", "d"),
	queue(models.AcceptQueue, "To accept queue", "clock", "a", outsideQueues),
	queue(models.DeclineQueue, "To decline queue", "clock", "d", outsideQueues),
	queue(models.Pending, "Back to pending", "", "p", func(tab models.Status) bool { return tab != models.Pending }),
	{
		button: toolbar.BulkVerb{Do: "compose-into", Name: "Into one session", Asks: true}, menu: "Compose…",
		lists: []string{"submissions"}, tabs: areAccepted, composes: true,
	}, {
		operation: models.BatchCompose,
		button:    toolbar.BulkVerb{Do: "compose", Name: "Each into its own", Icon: "check", Asks: true}, menu: "Compose…",
		lists: []string{"submissions"}, tabs: areAccepted, title: "Compose, each into a session of its own",
		done: "In a session of its own now", undone: "In no session any more", question: askOfComposing, numbers: composingInNumbers,
	}, {
		operation: models.BatchUpdate, button: toolbar.BulkVerb{Do: "tag", Name: "Change tags"}, menu: "Tag…",
		lists: programme, fields: []bulkField{addTag, removeTag},
	}, {
		operation: models.BatchUpdate, button: toolbar.BulkVerb{Do: "track", Name: "Change track"}, menu: "Track…",
		lists: programme, fields: []bulkField{newTrack},
	}, {
		operation: models.BatchUpdate, button: toolbar.BulkVerb{Do: "room", Name: "Change room"}, menu: "Room…",
		lists: []string{"sessions"}, fields: []bulkField{newRoom},
	}, {
		operation: models.BatchUpdate, button: toolbar.BulkVerb{Do: "status", Name: "Change status", Asks: true}, menu: more,
		lists: programme, fields: []bulkField{newStatus}, question: askOfDecision,
	}, {
		operation: models.BatchApprove, button: toolbar.BulkVerb{Do: "approve", Name: "Approve content", Icon: "check"}, menu: more,
		lists: []string{"sessions"}, offered: hasContent, title: "Content approved",
	}, {
		operation: models.BatchPublish,
		button:    toolbar.BulkVerb{Do: "publish", Name: "Publish", Icon: "globe", Asks: true}, menu: more,
		lists: []string{"sessions"}, title: "Publish", done: "Public now", question: askOfPublishing, numbers: publishingInNumbers,
	}, {
		operation: models.BatchUnpublish, button: toolbar.BulkVerb{Do: "unpublish", Name: "Unpublish", Asks: true}, menu: more,
		lists: []string{"sessions"}, title: "Unpublish", done: "Not public any more", question: askOfUnpublishing,
	}, {
		operation: models.BatchDelete,
		button:    toolbar.BulkVerb{Do: "delete", Name: "Delete", Icon: "trash-2", Danger: true, Asks: true}, menu: more,
		lists: programme, title: "Delete", done: "In the Trash now", fillsBin: true, question: askOfDeletion,
	}, {
		operation: models.BatchRestore,
		button:    toolbar.BulkVerb{Do: "restore", Name: "Restore", Icon: "rotate-ccw", Asks: true},
		lists:     []string{"trash"}, title: "Restore from the Trash", done: "Back from the Trash",
	},
	{operation: models.BatchPlace, title: "Place sessions as suggested"}, // started on a page of its own
}

// queue returns the verb that moves submissions to a status that nobody is told of.
func queue(to models.Status, name, icon, key string, tabs func(models.Status) bool) verb {
	return verb{
		operation: models.BatchUpdate, button: toolbar.BulkVerb{Do: string(to), Name: name, Icon: icon, Key: key},
		lists: []string{"submissions"}, sets: to, tabs: tabs,
	}
}

// decisionVerb returns the verb that decides a queue; it leads to the page of what the commit would do.
func decisionVerb(to, from models.Status, name, icon, key string) verb {
	return verb{
		operation: models.BatchCommit,
		button:    toolbar.BulkVerb{Do: string(to), Name: name, Icon: icon, Key: key, Asks: true},
		lists:     []string{"submissions"}, sets: to,
		tabs: func(tab models.Status) bool { return tab == from },
	}
}

func outsideQueues(tab models.Status) bool {
	return tab != models.AcceptQueue && tab != models.DeclineQueue
}

// areAccepted tells whether a tab is that of accepted submissions, which can be composed.
func areAccepted(tab models.Status) bool { return tab == models.Accepted }

// verbsOn returns the verbs that this event offers on a list.
func verbsOn(v *visit.Visit, kind string) (on []verb) {
	for _, verb := range verbs {
		if slices.Contains(verb.lists, kind) && (verb.offered == nil || verb.offered(v, kind)) {
			on = append(on, verb)
		}
	}
	return on
}

// Status returns the one status that the list is filtered by, "" for none or several.
func (l List) Status() models.Status {
	if statuses := l.Query["status"]; len(statuses) == 1 {
		return models.Status(statuses[0])
	}
	return ""
}

// verbNamed returns the verb of a list that a button names.
func verbNamed(v *visit.Visit, kind, do string) (verb, bool) {
	for _, verb := range verbsOn(v, kind) {
		if verb.button.Do == do {
			return verb, true
		}
	}
	return verb{}, false
}

func verbOf(operation models.Operation) verb {
	for _, verb := range verbs {
		if verb.operation == operation {
			return verb
		}
	}
	return verb{operation: operation, title: string(operation)}
}

// bulkField is a field beside a verb: its options, what a choice sets, and, with the names of metadata rows, the words
// for it: before it is done, and after it for one record and for many. They are "" where the change does not set it.
type bulkField struct {
	name, label string
	options     func(v *visit.Visit, chosen string) ([]components.Option, error)
	set         func(c *models.BatchChange, value string)
	says        func(c models.BatchChange, name func(id string) string) (todo, one, many string)
}

// none is the choice that removes a track or a room.
const none = "none"

var newStatus = bulkField{"status", "New status",
	func(_ *visit.Visit, chosen string) ([]components.Option, error) { return StatusOptions(chosen), nil },
	func(c *models.BatchChange, value string) { c.Status = new(models.Status(value)) },
	func(c models.BatchChange, _ func(string) string) (todo, one, many string) {
		if c.Status == nil {
			return "", "", ""
		}
		name := components.StatusName(string(*c.Status))
		now := strings.ToLower(name)
		switch *c.Status {
		case models.AcceptQueue, models.DeclineQueue:
			now = "in the " + now
		case models.Draft:
			return "change status to " + name, "is a draft", "are drafts"
		}
		return "change status to " + name, "is " + now, "are " + now
	}}

var newTrack = bulkField{"track", "New track", rowOrNone(models.Tracks, "No track"),
	func(c *models.BatchChange, value string) { c.TrackID = idOrNull(value) },
	func(c models.BatchChange, name func(string) string) (todo, one, many string) {
		return saysRow("track", c.TrackID, name)
	}}

var newRoom = bulkField{"room", "New room", rowOrNone(models.Rooms, "No room"),
	func(c *models.BatchChange, value string) { c.RoomID = idOrNull(value) },
	func(c models.BatchChange, name func(string) string) (todo, one, many string) {
		return saysRow("room", c.RoomID, name)
	}}

var addTag = bulkField{"add_tag", "Add a tag", tagOptions,
	func(c *models.BatchChange, value string) { c.AddTags = []string{value} },
	func(c models.BatchChange, name func(string) string) (todo, one, many string) {
		for _, id := range c.AddTags {
			return "add the tag " + name(id), "has the tag " + name(id), "have the tag " + name(id)
		}
		return "", "", ""
	}}

var removeTag = bulkField{"remove_tag", "Take a tag away", tagOptions,
	func(c *models.BatchChange, value string) { c.RemoveTags = []string{value} },
	func(c models.BatchChange, name func(string) string) (todo, one, many string) {
		for _, id := range c.RemoveTags {
			without := "without the tag " + name(id)
			return "take the tag " + name(id) + " away", "is " + without, "are " + without
		}
		return "", "", ""
	}}

// updateFields are all fields that an update can set.
var updateFields = []bulkField{newStatus, newTrack, newRoom, addTag, removeTag}

func idOrNull(value string) store.Optional[string] {
	if value == none {
		return store.Null[string]()
	}
	return store.Some(value)
}

func saysRow(family string, id store.Optional[string], name func(string) string) (todo, one, many string) {
	switch {
	case !id.Set:
		return "", "", ""
	case id.Value == nil:
		return "take the " + family + " away", "has no " + family, "have no " + family
	}
	of := "the " + family + " " + name(*id.Value)
	return "change the " + family + " to " + name(*id.Value), "has " + of, "have " + of
}

// rowOrNone returns the rows of a family as options, and one for none of them.
func rowOrNone(family models.Family, noneOfThem string) func(v *visit.Visit, chosen string) ([]components.Option,
	error) {
	return func(v *visit.Visit, chosen string) ([]components.Option, error) {
		options, err := v.FamilyOptions(family, chosen)
		if len(options) > 0 {
			options = append(options, components.Option{Value: none, Name: noneOfThem, Chosen: chosen == none})
		}
		return options, err
	}
}

func tagOptions(v *visit.Visit, chosen string) ([]components.Option, error) {
	return v.FamilyOptions(models.Tags, chosen)
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
	var parts []string
	for _, field := range updateFields {
		if todo, _, _ := field.says(b.Change, naming(names)); todo != "" {
			parts = append(parts, todo)
		}
	}
	words := strings.Join(parts, ", ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// saysBatch returns the function that words the result of a batch that was started on a list.
func saysBatch(v *visit.Visit, kind string) func(done *models.Batch) (string, error) {
	return func(done *models.Batch) (string, error) {
		names, err := v.RowNames()
		return batchDone(done, names, kind), err
	}
}

// batchDone says what a batch did to how many records: "3 submissions are in the accept queue."
func batchDone(b *models.Batch, names map[string]string, kind string) string {
	what := visit.Number(int64(b.Succeeded)) + " " + listWhat(kind, int64(b.Succeeded))
	if b.Undoes != nil {
		return what + map[bool]string{true: " is as it was.", false: " are as they were."}[b.Succeeded == 1]
	}
	var parts []string
	for _, field := range updateFields {
		if _, one, many := field.says(b.Change, naming(names)); one != "" {
			parts = append(parts, map[bool]string{true: one, false: many}[b.Succeeded == 1])
		}
	}
	return what + " " + strings.Join(parts, " and ") + "."
}

// naming returns the function that names metadata rows.
func naming(names map[string]string) func(id string) string {
	return func(id string) string { return cmp.Or(names[id], gone) }
}

// gone stands for a row that has no name any more.
const gone = "one that is gone"
