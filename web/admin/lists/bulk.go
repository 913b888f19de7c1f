package lists

import (
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/toolbar"
	"lectern/web/admin/batch"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// bulkBar returns the bar with what an organizer can do with the rows of a list.
func bulkBar(v *visit.Visit, l List, p store.Pagination, onPage int, form formOnList) (*toolbar.Bulk, error) {
	bar := &toolbar.Bulk{Query: l.Query.Encode(), AllChosen: form.all, Action: v.At("/" + l.Kind + "/bulk")}
	if p.TotalResults > int64(onPage) {
		bar.All = "All " + visit.Number(p.TotalResults) + map[bool]string{true: " matching", false: ""}[l.filtered()]
	}
	for _, verb := range verbsOn(v, l.Kind) {
		if verb.tabs != nil && !verb.tabs(l.Status()) {
			continue
		}
		fields, err := bulkFields(v, verb, l.Status(), form)
		if err != nil {
			return nil, err
		}
		if len(verb.fields) > 0 && len(fields) == 0 {
			continue // the event has no rows to choose from
		}
		if verb.menu == "" {
			bar.Verbs = append(bar.Verbs, verb.button)
			continue
		}
		if n := len(bar.Menus); n == 0 || bar.Menus[n-1].Name != verb.menu {
			bar.Menus = append(bar.Menus, toolbar.BulkMenu{Name: verb.menu})
		}
		menu := &bar.Menus[len(bar.Menus)-1]
		menu.Parts = append(menu.Parts, toolbar.BulkPart{Fields: fields, Verb: verb.button})
		menu.Open = menu.Open || (form.verb != "" && form.verb == verb.button.Do)
	}
	speakersVerb(v, bar, l.Kind)
	return bar, nil
}

// wholeQueue returns the button that decides the whole queue of this tab, or that composes all submissions waiting for
// a session; nil on other lists.
func wholeQueue(v *visit.Visit, l List, found store.Pagination) *toolbar.Whole {
	composes := models.Need(l.Query.Get("needs")) == models.NeedsSession
	for _, verb := range verbsOn(v, l.Kind) {
		whole := !composes && verb.sets.IsDecision() || composes && verb.operation == models.BatchCompose
		if !whole || !composes && !verb.tabs(l.Status()) || found.TotalResults == 0 {
			continue
		}
		which := map[bool]string{true: "it", false: "all " + visit.Number(found.TotalResults)}[found.TotalResults == 1]
		name := DecisionVerbs[verb.sets] + which + "…"
		if composes {
			name = "Compose " + which + ", each into a session of its own…"
			if found.TotalResults == 1 {
				name = "Compose it into a session of its own…"
			}
		}
		return &toolbar.Whole{Action: v.At("/" + l.Kind + "/bulk"), Query: l.Query.Encode(), Do: verb.button.Do,
			Icon: verb.button.Icon, Name: name}
	}
	return nil
}

// bulkFields returns a verb's fields with their options, without the status has that all rows have already.
func bulkFields(v *visit.Visit, verb verb, has models.Status, form formOnList) (fields []toolbar.FilterField, err error) {
	for _, field := range verb.fields {
		options, err := field.options(v, form.chosen[field.name])
		if err != nil {
			return nil, err
		}
		if field.name == newStatus.name {
			options = slices.DeleteFunc(options, func(o components.Option) bool { return o.Value == string(has) })
		}
		if len(options) > 0 {
			fields = append(fields, toolbar.FilterField{Name: field.name, Label: field.label, Options: options})
		}
	}
	return fields, nil
}

// bulk changes many rows; it asks first where others would be told.
func bulk(v *visit.Visit, kind string) error {
	posted := posted(v, kind)
	seen := posted.View()
	l, err := Valid(v, posted)
	if err != nil {
		return err
	}
	verb, known := verbNamed(v, kind, v.Value("do"))
	c, chosen := bulkChange(v, verb)
	form := formOnList{ticked: v.Values("id"), all: v.Value("scope") == "all", chosen: chosen, verb: verb.button.Do}
	again := func(message string) error {
		v.Faults = components.Faults{{Field: "", Message: message}}
		return list(v, http.StatusUnprocessableEntity, l, form)
	}
	narrowed := form.all && l.View() != seen // a filter was dropped, so the list now has more rows than the user saw
	form.all = form.all && !narrowed
	if missing := missingOf(form, known, narrowed, len(verb.fields) > 0 && c.IsEmpty()); missing != "" {
		return again(missing)
	}
	if verb.composes || verb.operation == models.BatchCommit { // the user decides on another page
		return openPage(v, l, verb, form)
	}
	asks := verb.question != nil && verb.question(c, "", 0, 0).Verb != ""
	if asks && v.Value("confirm") == "" {
		return confirmBulk(v, l, verb, c, form)
	}
	ids, q := form.selected(l)
	b, err := batch.Start(v, ids, q, c)
	if err != nil {
		return v.Again(err, func(status int) error { return list(v, status, l, form) })
	}
	if asks || verb.operation != models.BatchUpdate {
		return v.Lead(batch.At(v, b.ID, At(v, l)))
	}
	return batch.InPlace(v, b, At(v, l), saysBatch(v, l.Kind))
}

// missingOf says what the user must choose before anything is done, "" for nothing.
func missingOf(form formOnList, known, narrowed, empty bool) string {
	switch {
	case !known:
		return "Choose what to do with the rows"
	case narrowed:
		return "Nothing was changed: the list was narrowed by a filter that is not there any more. " +
			"Look at the list as it is now, then select again"
	case len(form.ticked) == 0 && !form.all:
		return "Select at least one row first"
	case len(form.ticked) > store.MaxPageSize && !form.all:
		return "At most " + visit.Number(store.MaxPageSize) +
			" rows are changed by ticking them. Tick fewer, or choose all that match"
	case empty:
		return "Choose what to change first"
	}
	return ""
}

// bulkChange returns what a verb changes, from its own fields alone; other menus of the form do not count.
func bulkChange(v *visit.Visit, verb verb) (c models.BatchChange, chosen map[string]string) {
	c.Operation, chosen = verb.operation, map[string]string{}
	if seen, err := store.ParseTime(v.Value("as_of")); err == nil && verb.operation == models.BatchApprove {
		c.AsOf = &seen
	}
	if verb.sets != "" {
		c.Status = &verb.sets
	}
	for _, field := range verb.fields {
		if value := v.Value(field.name); value != "" {
			chosen[field.name] = value
			field.set(&c, value)
		}
	}
	return c, chosen
}

// selected returns the ticked rows or, where all are meant, the search of the list.
func (f formOnList) selected(l List) (ids []string, all *models.SessionSearch) {
	if f.all {
		return nil, new(l.Search())
	}
	return f.ticked, nil
}

func restoreOne(v *visit.Visit) error {
	s, err := v.Programme.RestoreSession(v.UserContext(), v.Value("id"))
	if err != nil {
		return err
	}
	collides, err := warn.Collides(v, s, nil)
	if err != nil {
		return err
	}
	return v.SeeWarnings(At(v, posted(v, "trash")), s.FriendlyID+" "+visit.Cut(s.Title)+" is back.", collides, nil)
}
