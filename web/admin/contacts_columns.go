package admin

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// rosterColumn is a column of a list of people, beside the name: a field, or what is known by other rows.
type rosterColumn struct {
	key, name string
	field     *models.ContactField
}

// eventsColumn is at which events somebody is.
const eventsColumn = "events"

// offered are the columns of the list.
func (r *roster) offered() (columns []rosterColumn) {
	if r.event == nil {
		columns = append(columns, rosterColumn{key: eventsColumn, name: "Events"})
	}
	for _, f := range r.fields {
		switch {
		case f.Part.OfEvent() && r.event == nil, f.Key == "first_name", f.Key == "last_name", f.Key == "email",
			f.Key == "company_name", f.Key == "about":
		default:
			columns = append(columns, rosterColumn{f.Key, f.Label, f})
		}
	}
	return columns
}

// columns are those that the address names, or the usual ones.
func (r *roster) columns() []rosterColumn {
	chosen := strings.Split(r.l.query.Get("columns"), ",")
	if r.l.query.Get("columns") == "" {
		chosen = []string{"workflow_status", "arrival", eventsColumn}
	}
	return slices.DeleteFunc(r.offered(), func(c rosterColumn) bool { return !slices.Contains(chosen, c.key) })
}

// needsValues tells of columns that show tags or own fields.
func needsValues(columns []rosterColumn) bool {
	return slices.ContainsFunc(columns, func(c rosterColumn) bool {
		return c.field != nil && (c.field.IsOwn || c.field.Part == models.Tagging)
	})
}

// shower says what a column shows of somebody.
func (r *roster) shower(columns []rosterColumn, ids []string) (func(rosterColumn, *models.Person) pages.ContactCell, error) {
	names := map[string]string{}
	at := map[string][]string{}
	for _, c := range columns {
		switch {
		case c.key == eventsColumn:
			if err := r.nameEvents(ids, at); err != nil {
				return nil, err
			}
		case c.field != nil && c.field.Part == models.Tagging:
			rows, err := r.allRows(models.Tags)
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				names[row.ID] = row.Name
			}
		}
	}
	return func(c rosterColumn, x *models.Person) pages.ContactCell {
		switch {
		case c.key == eventsColumn:
			return pages.ContactCell{Text: strings.Join(at[x.ID], ", ")}
		case c.field.Part == models.Workflow:
			return pages.ContactCell{Status: c.field.Value(x)}
		}
		return pages.ContactCell{Text: cellText(c.field, x, names)}
	}, nil
}

// nameEvents puts the names of the events at which people are into at.
func (r *roster) nameEvents(ids []string, at map[string][]string) error {
	events, err := r.visit.events()
	if err != nil {
		return err
	}
	all := make([]string, len(events))
	for i, e := range events {
		all[i] = e.ID
	}
	found, err := r.directory.EventsOf(r.ctx(), ids, all)
	for id, of := range found {
		for _, e := range events {
			if slices.Contains(of, e.ID) {
				at[id] = append(at[id], e.Name)
			}
		}
	}
	return err
}

// cellText is a field of somebody as a table carries it; names are those of tags.
func cellText(f *models.ContactField, x *models.Person, names map[string]string) string {
	value := f.Value(x)
	switch {
	case f.Part == models.Tagging:
		var tags []string
		for _, id := range x.Tags {
			tags = append(tags, names[id])
		}
		return strings.Join(tags, "; ")
	case f.Key == "about":
		return store.PlainText(value)
	case f.Part == models.Workflow:
		return components.StatusName(value)
	}
	return f.Cell(value)
}

// workflowOptions are the statuses of people at an event, in words.
func workflowOptions(chosen string) []components.Option {
	options := choices(models.WorkflowStatuses, func(s string) (string, string) { return s, components.StatusName(s) }, chosen)
	return append([]components.Option{{Name: "No status", Chosen: chosen == ""}}, options...)
}

// filterFields are the choices and texts that narrow the list, and the chips of what only a link sets.
func (r *roster) filterFields() (fields []pages.ContactFilterField, chips []pages.Chip, err error) {
	add := func(name, label string, options []components.Option) {
		f := pages.ContactFilterField{Field: components.Field{Name: name, Label: label, Value: r.l.query.Get(name)}}
		if options != nil {
			f.Options = append([]components.Option{{Name: "Any"}}, options...)
		}
		fields = append(fields, f)
	}
	chosen := func(name string, pairs ...string) (options []components.Option) {
		for i := 0; i < len(pairs); i += 2 {
			options = append(options, components.Option{Value: pairs[i], Name: pairs[i+1], Chosen: r.l.query.Get(name) == pairs[i]})
		}
		return options
	}
	if r.event != nil {
		status := workflowOptions(r.l.query.Get("status"))
		status[0] = components.Option{Value: models.NoStatus, Name: "No status", Chosen: r.l.query.Get("status") == models.NoStatus}
		add("status", "Status", status)
		for _, family := range []models.Family{models.Tracks, models.Tags} {
			name := family.Singular()
			options, err := r.options(family, r.l.query.Get(name))
			if err != nil {
				return nil, nil, err
			}
			add(name, components.StatusName(name), append([]components.Option{}, options...))
		}
		add("missing", "Missing", chosen("missing", "travel", "Travel", "email", "E-mail address"))
	} else {
		events, err := r.visit.events()
		if err != nil {
			return nil, nil, err
		}
		add("event", "Event", append([]components.Option{}, choices(events, func(e *models.Event) (string, string) { return e.ID, e.Name },
			r.l.query.Get("event"))...))
		add("missing", "Missing", chosen("missing", "email", "E-mail address"))
		add("returning", "Came before", chosen("returning", "yes", "At more than one event"))
	}
	add("role", "Role", chosen("role", "speaker", "Speaker", "moderator", "Moderator", "chairperson", "Chairperson"))
	add("company", "Company", nil)
	add("job", "Job title", nil)
	for _, f := range r.fields {
		if !f.IsOwn {
			continue
		}
		var pairs []string
		for _, option := range f.Input().Options {
			value := option.Value
			if f.Type != field.YesNo {
				value = `"` + value + `"`
			}
			pairs = append(pairs, value, option.Label)
		}
		add(ownPrefix+f.Key, f.Label, chosen(ownPrefix+f.Key, pairs...))
	}
	return fields, r.chipsOf(fields), nil
}

// chipsOf are the filters that are on.
func (r *roster) chipsOf(fields []pages.ContactFilterField) (chips []pages.Chip) {
	for _, f := range fields {
		if f.Value == "" {
			continue
		}
		text := f.Value
		for _, o := range f.Options {
			if o.Chosen && o.Value != "" {
				text = o.Name
			}
		}
		chips = append(chips, pages.Chip{Text: f.Label + ": " + text, Without: r.base + r.l.with(f.Name, "")})
	}
	return chips
}
