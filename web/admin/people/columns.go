package people

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/admin/visit"
)

// rosterColumn is a column of a list of people besides the name: a field, or something that other tables know.
type rosterColumn struct {
	key, name string
	field     *models.ContactField
}

// The columns that are no fields.
const (
	eventsColumn   = "events" // a person's other events, or all of them in the directory
	sessionsColumn = "sessions"
	roleColumn     = "role"
	travelColumn   = "travel" // whether any travel is known
	comingColumn   = "coming" // whether they come
	changedColumn  = "changed"
)

// usualRosterColumns are the default columns.
var usualRosterColumns = map[string][]string{
	"speakers": {"workflow_status", sessionsColumn, eventsColumn, travelColumn}, "contacts": {eventsColumn, "email", "job_title"}}

// offered returns the columns that the list can show.
func (r *roster) offered() (columns []rosterColumn) {
	add := func(key, name string) { columns = append(columns, rosterColumn{key: key, name: name}) }
	if r.Event != nil {
		columns = append(columns, rosterColumn{"workflow_status", "Status", models.ContactFieldNamed("workflow_status")})
		add(sessionsColumn, "Sessions")
		add(roleColumn, "Role")
		add(eventsColumn, "Came before")
		add(travelColumn, "Travel")
		add(comingColumn, "Participation")
	} else {
		add(eventsColumn, "Events")
	}
	for _, f := range r.fields {
		switch {
		case f.Part.OfEvent() && r.Event == nil, f.Part == models.Workflow, f.Key == "first_name", f.Key == "last_name",
			f.Key == "company_name", f.Key == "about":
		default:
			columns = append(columns, rosterColumn{f.Key, f.Label, f})
		}
	}
	add(changedColumn, "Changed")
	return columns
}

// knownColumns keeps the keys that the list can show, in its order.
func (r *roster) knownColumns(keys []string) (known []string) {
	for _, c := range r.offered() {
		if slices.Contains(keys, c.key) {
			known = append(known, c.key)
		}
	}
	return known
}

// columns returns the columns that the address names, else those of this browser's cookie, else the default; compact
// tells whether rows are low.
func (r *roster) columns() (columns []rosterColumn, compact bool) {
	kept, rows, found := strings.Cut(r.CookieValue(visit.ColumnsCookie(r.l.Kind)), "/")
	keys := usualRosterColumns[r.l.Kind]
	if found {
		keys = strings.Split(kept, ".")
	}
	if given := r.l.Query.Get("columns"); given != "" {
		keys = strings.Split(given, ",")
	}
	return slices.DeleteFunc(r.offered(), func(c rosterColumn) bool { return !slices.Contains(keys, c.key) }), rows == "compact"
}

// keepRosterColumns stores the chosen columns: those of a segment in the address, from where they can be saved with it,
// those of other lists in this browser.
func keepRosterColumns(v *visit.Visit, r *roster) error {
	keys := r.knownColumns(v.Values("columns"))
	r.l.Set("columns", "")
	if r.l.Query.Has("segment") {
		r.l.Set("columns", strings.Join(keys, ","))
		columns, _ := (&roster{Visit: v, fields: r.fields, l: visit.Listing{Kind: r.l.Kind}}).columns()
		keys = keysOfColumns(columns)
	}
	rows := map[bool]string{true: "compact", false: "roomy"}[v.Value("rows") == "compact"]
	v.SetCookie(visit.ColumnsCookie(r.l.Kind), strings.Join(keys, ".")+"/"+rows, visit.AYear)
	return v.See(r.at(r.l), "")
}

func keysOfColumns(columns []rosterColumn) []string {
	return store.Map(columns, func(c rosterColumn) string { return c.key })
}

// needsValues tells whether a column shows tags, own fields or answers, which the search has to read.
func needsValues(columns []rosterColumn) bool {
	return slices.ContainsFunc(columns, func(c rosterColumn) bool {
		return c.field != nil && (c.field.IsOwn || c.field.Part == models.Tagging || c.field.Part == models.Answered)
	})
}

// workflowOptions returns the workflow statuses as options.
func workflowOptions(chosen string) []components.Option {
	options := visit.Choices(models.WorkflowStatuses,
		func(s string) (string, string) { return s, components.StatusName(s) }, chosen)
	return append([]components.Option{{Name: "No status", Chosen: chosen == ""}}, options...)
}
