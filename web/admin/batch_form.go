package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// bulkBar is what an organizer can do with the rows of a list.
func (v *visit) bulkBar(l listing, p store.Pagination, onPage int, form formOnList) (*pages.BulkBar, error) {
	bar := &pages.BulkBar{Query: l.query.Encode(), AllChosen: form.all}
	if p.TotalResults > int64(onPage) {
		bar.All = "All " + number(p.TotalResults) + map[bool]string{true: " matching", false: ""}[l.filtered()]
	}
	for _, verb := range v.verbsOn(l.kind) {
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
	l, err := v.validListing(posted)
	if err != nil {
		return err
	}
	verb := v.verbNamed(kind, v.Value("do"))
	c := models.BatchChange{Operation: verb.operation}
	form := formOnList{ticked: v.Values("id"), all: v.Value("scope") == "all", chosen: map[string]string{}}
	for _, field := range verb.fields {
		if value := v.Value(field.name); value != "" {
			form.chosen[field.name] = value
			field.set(&c, value)
		}
	}
	again := func(message string) error {
		v.Faults = components.Faults{{Field: "", Message: message}}
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
	case verb.asksFirst(kind, c) && v.Value("confirm") == "":
		return v.confirmBulk(l, verb, c, form)
	}
	b, err := v.startBatch(l, c, form)
	if err == nil {
		return v.See(v.batchAt(b.ID, v.listAt(l)), "")
	}
	return v.Again(err, func(status int) error { return v.list(status, l, form) })
}

func (v *visit) startBatch(l listing, c models.BatchChange, form formOnList) (*models.Batch, error) {
	if form.all {
		q := l.search()
		return v.programme.StartBatch(v.ctx(), nil, &q, c)
	}
	return v.programme.StartBatch(v.ctx(), form.ticked, nil, c)
}

func restoreOne(v *visit) error {
	s, err := v.programme.RestoreSession(v.ctx(), v.Value("id"))
	if err != nil {
		return err
	}
	return v.See(v.listAt(v.posted("trash")), s.FriendlyID+" "+s.Title+" is back.")
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
