package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

func (w *Web) bulkRoutes() []route {
	routes := []route{
		{"POST", event + "/trash/bulk", organizer, func(v *visit) error { return bulk(v, "trash") }},
		{"POST", event + "/trash/restore", organizer, restoreOne},
		{"GET", event + "/batches/:batch", organizer, batchPage},
		{"POST", event + "/batches/:batch/retry", organizer, retryBatch},
		{"POST", event + "/batches/:batch/undo", organizer, undoBatch},
		{"GET", event + "/find", viewer, find},
		{"GET", "/admin/find", signedIn, findAnywhere},
		{"GET", event + "/speakers", viewer, speakers},
	}
	for _, kind := range []string{"submissions", "sessions"} {
		list := event + "/" + kind
		routes = append(routes,
			route{"POST", list + "/bulk", organizer, func(v *visit) error { return bulk(v, kind) }},
			route{"POST", list + "/views", viewer, func(v *visit) error { return saveView(v, kind) }},
			route{"POST", list + "/views/:view/delete", viewer, func(v *visit) error { return deleteView(v, kind) }},
			route{"GET", list + ".csv", viewer, func(v *visit) error { return export(v, kind) }},
		)
	}
	return routes
}

// bulkBar is what an organizer can do with the rows of a list.
func (v *visit) bulkBar(l listing, p models.Pagination, onPage int, form formOnList) (*pages.BulkBar, error) {
	bar := &pages.BulkBar{Kind: l.kind, Query: l.query.Encode(), AllChosen: form.all}
	if p.TotalResults > int64(onPage) {
		bar.All = "All " + number(p.TotalResults) + map[bool]string{true: " matching", false: ""}[l.filtered()]
	}
	if l.kind == "trash" {
		return bar, nil
	}
	for _, status := range models.Statuses {
		bar.Statuses = append(bar.Statuses, components.Option{Value: string(status), Name: components.StatusName(string(status)), Chosen: form.chosen["status"] == string(status)})
	}
	var err error
	if bar.Tracks, err = v.options(models.Tracks, form.chosen["track"]); err != nil {
		return nil, err
	}
	if len(bar.Tracks) > 0 {
		bar.Tracks = append(bar.Tracks, components.Option{Value: noTrack, Name: "No track", Chosen: form.chosen["track"] == noTrack})
	}
	if bar.Add, err = v.options(models.Tags, form.chosen["add_tag"]); err != nil {
		return nil, err
	}
	bar.Remove, err = v.options(models.Tags, form.chosen["remove_tag"])
	return bar, err
}

const noTrack = "none"

// bulkFields are the choices of the bar.
var bulkFields = []string{"status", "track", "add_tag", "remove_tag"}

// batchChange is what the form asks for.
func (v *visit) batchChange() models.BatchChange {
	var c models.BatchChange
	switch v.value("do") {
	case "delete":
		c.Delete = true
		return c
	case "restore":
		c.Restore = true
		return c
	}
	if status := models.Status(v.value("status")); status != "" {
		c.Status = &status
	}
	switch track := v.value("track"); track {
	case "":
	case noTrack:
		c.TrackID = models.Null[string]()
	default:
		c.TrackID = models.Some(track)
	}
	c.AddTags, c.RemoveTags = one(v.value("add_tag")), one(v.value("remove_tag"))
	return c
}

func isNothing(c models.BatchChange) bool {
	return c.Status == nil && !c.TrackID.Set && len(c.AddTags)+len(c.RemoveTags) == 0 && !c.Delete && !c.Restore
}

// bulk starts a change of many rows, after asking when it leaves the house.
func bulk(v *visit, kind string) error {
	posted := v.posted(kind)
	seen := posted.view()
	l, err := v.known(posted)
	if err != nil {
		return err
	}
	c := v.batchChange()
	form := formOnList{ticked: v.values("id"), all: v.value("scope") == "all", chosen: map[string]string{}}
	for _, field := range bulkFields {
		form.chosen[field] = v.value(field)
	}
	again := func(message string) error {
		v.faults = components.Faults{{Field: "", Message: message}}
		return v.list(http.StatusUnprocessableEntity, l, form)
	}
	switch {
	case form.all && l.view() != seen: // what is left of the listing has more rows than were looked at
		form.all = false
		return again("Nothing was changed: the list was narrowed by a filter that is not there any more. " +
			"Look at the list as it is now, then select again")
	case len(form.ticked) == 0 && !form.all:
		return again("Select at least one row first")
	case isNothing(c):
		return again("Choose what to change first: a status, a track or a tag")
	case asksFirst(kind, c) && v.value("confirm") == "":
		return v.confirmBulk(l, c, form)
	}
	b, err := v.startBatch(l, c, form)
	if err == nil {
		return v.see(v.batchAt(b.ID, v.listAt(l)), "")
	}
	if err := v.refuse(err); err != nil {
		return err
	}
	return v.list(http.StatusUnprocessableEntity, l, form)
}

func (v *visit) startBatch(l listing, c models.BatchChange, form formOnList) (*models.Batch, error) {
	if form.all {
		q := l.search()
		return v.programme.StartBatch(v.ctx(), nil, &q, c)
	}
	return v.programme.StartBatch(v.ctx(), form.ticked, nil, c)
}

// asksFirst tells of a change that others notice: a deletion, and a decision on
// submissions.
func asksFirst(kind string, c models.BatchChange) bool {
	return c.Delete || (kind == "submissions" && c.Status != nil && c.Status.IsDecision())
}

func (v *visit) confirmBulk(l listing, c models.BatchChange, form formOnList) error {
	q := l.search()
	if !form.all {
		q = models.SessionSearch{Filter: models.SessionFilter{IDs: form.ticked}, Sort: q.Sort, Ascending: q.Ascending}
	}
	q.Page = models.Page{Number: 1, Size: titlesShown}
	rows, found, err := v.programme.SearchSessions(v.ctx(), q)
	if err != nil {
		return err
	}
	if found.TotalResults == 0 {
		return &models.Error{Kind: models.NotFound, Message: "None of these records is there any more."}
	}
	public := q
	public.Filter.IsPublic, public.Page.Size = new(true), 1
	_, published, err := v.programme.SearchSessions(v.ctx(), public)
	if err != nil {
		return err
	}
	one, many := "submission", "submissions"
	if l.kind == "sessions" {
		one, many = "session", "sessions"
	}
	what := counted(found.TotalResults, one, many)
	p := pages.ConfirmBulkPage{Base: v.at("/" + l.kind), Back: v.listAt(l), Danger: c.Delete}
	if c.Delete {
		p.Verb = "Delete " + what
		p.Lead = "They leave every list and the API, and wait in the Trash until somebody restores them."
		if found.TotalResults == 1 {
			p.Lead = "It leaves every list and the API, and waits in the Trash until somebody restores it."
		}
		if published.TotalResults > 0 {
			p.Facts = append(p.Facts, number(published.TotalResults)+" of them "+map[bool]string{true: "is", false: "are"}[published.TotalResults == 1]+" public now")
		}
		p.Facts = append(p.Facts, "Webhook endpoints are told")
	} else {
		p.Verb = decisionVerbs[*c.Status] + what
		p.Lead = "This commits the decision. Letters are not sent by it."
		p.Facts = append(p.Facts, "Webhook endpoints are told of each decision", "What stands on this decision already stays as it is")
	}
	for _, s := range rows {
		p.Titles = append(p.Titles, s.FriendlyID+"  "+s.Title)
	}
	if more := found.TotalResults - int64(len(rows)); more > 0 {
		p.More = "and " + number(more) + " more"
	}
	if p.Shell, err = v.shell(p.Verb + "?"); err != nil {
		return err
	}
	p.Hidden = v.sent("confirm")
	return v.show(pages.ConfirmBulk(p))
}

// titlesShown are how many of many are named before they are changed.
const titlesShown = 10

func restoreOne(v *visit) error {
	s, err := v.programme.RestoreSession(v.ctx(), v.value("id"))
	if err != nil {
		return err
	}
	return v.see(v.listAt(v.posted("trash")), s.FriendlyID+" "+s.Title+" is back.")
}

// changeWords say what a batch does.
func (v *visit) changeWords(b *models.Batch) (string, error) {
	c := b.Change
	switch {
	case b.Undoes != nil:
		return "Undo", nil
	case c.Delete:
		return "Delete", nil
	case c.Restore:
		return "Restore from the Trash", nil
	}
	names, err := v.rowNames()
	if err != nil {
		return "", err
	}
	name := func(id string) string {
		if names[id] == "" {
			return "one that is gone"
		}
		return names[id]
	}
	var parts []string
	if c.Status != nil {
		parts = append(parts, "set status "+components.StatusName(string(*c.Status)))
	}
	if c.TrackID.Set && c.TrackID.Value == nil {
		parts = append(parts, "take the track away")
	} else if c.TrackID.Set {
		parts = append(parts, "set track "+name(*c.TrackID.Value))
	}
	for _, id := range c.AddTags {
		parts = append(parts, "add tag "+name(id))
	}
	for _, id := range c.RemoveTags {
		parts = append(parts, "take tag "+name(id)+" away")
	}
	words := strings.Join(parts, ", ")
	return strings.ToUpper(words[:1]) + words[1:], nil
}

func (v *visit) batchAt(id, back string) string {
	return v.at("/batches/"+id) + "?back=" + url.QueryEscape(strings.TrimPrefix(back, v.at("/")))
}

// listBehind is the list that a batch was started on, from an address or a form.
func (v *visit) listBehind(given string) string {
	given = strings.TrimPrefix(given, v.at("/"))
	path, _, _ := strings.Cut(given, "?")
	if !slices.Contains([]string{"submissions", "sessions", "trash"}, path) {
		return v.at("/submissions")
	}
	return v.at("/" + given)
}
