package web

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
	bar := &pages.BulkBar{Query: l.query.Encode(), AllChosen: form.all}
	if p.TotalResults > int64(onPage) {
		bar.All = "All " + number(p.TotalResults) + map[bool]string{true: " matching", false: ""}[l.filtered()]
	}
	for _, verb := range verbs {
		if !slices.Contains(verb.lists, l.kind) {
			continue
		}
		bar.Verbs = append(bar.Verbs, verb.button)
		for _, field := range verb.fields {
			options, err := field.options(v, form.chosen[field.name])
			if err != nil {
				return nil, err
			}
			if len(options) > 0 {
				bar.Fields = append(bar.Fields, pages.FilterField{Name: field.name, Label: field.label, Options: options})
			}
		}
	}
	return bar, nil
}

// bulk starts a change of many rows, after asking when it leaves the house.
func bulk(v *visit, kind string) error {
	posted := v.posted(kind)
	seen := posted.view()
	l, err := v.known(posted)
	if err != nil {
		return err
	}
	verb := verbNamed(v.value("do"))
	c := models.BatchChange{Operation: verb.operation}
	form := formOnList{ticked: v.values("id"), all: v.value("scope") == "all", chosen: map[string]string{}}
	for _, field := range verb.fields {
		if value := v.value(field.name); value != "" {
			form.chosen[field.name] = value
			field.set(&c, value)
		}
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
	case len(verb.fields) > 0 && c.IsEmpty():
		return again("Choose what to change first: a status, a track or a tag")
	case verb.asksFirst(kind, c) && v.value("confirm") == "":
		return v.confirmBulk(l, verb, c, form)
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

func restoreOne(v *visit) error {
	s, err := v.programme.RestoreSession(v.ctx(), v.value("id"))
	if err != nil {
		return err
	}
	return v.see(v.listAt(v.posted("trash")), s.FriendlyID+" "+s.Title+" is back.")
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
