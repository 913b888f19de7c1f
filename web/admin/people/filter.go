package people

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// rosterFilter is one way to filter a list of people. Its parameters in the address, its part of the form, its chips
// and the search in models all follow from it.
type rosterFilter struct {
	name, label string
	any         string              // shown while it is off; "" shows Any and the label
	many        bool                // several options, any of which may match
	options     []components.Option // choices
	inputs      []rosterInput       // or typed values
	// takes returns a value as it is searched for, "" for an invalid one; where takes is nil, a value must be an
	// option.
	takes func(name, value string) string
	set   func(f *people.Filter, get func(name string) []string)
}

// rosterInput is an input of a filter: behind is added to the filter's name, chip stands before its value.
type rosterInput struct {
	behind, label, kind, chip string
	options                   []components.Option
}

// names returns the parameters of a filter.
func (f rosterFilter) names() []string {
	if len(f.inputs) == 0 {
		return []string{f.name}
	}
	names := make([]string, len(f.inputs))
	for i, in := range f.inputs {
		names[i] = f.name + in.behind
	}
	return names
}

// read copies the valid values of a filter from a query to a list.
func (f rosterFilter) read(l visit.Listing, query url.Values) {
	for _, name := range f.names() {
		var values []string
		for _, value := range query[name] {
			if f.takes != nil {
				value = f.takes(name, value)
			} else if !slices.ContainsFunc(f.options, func(o components.Option) bool { return o.Value == value }) {
				value = ""
			}
			if value != "" && (f.many || len(values) == 0) {
				values = append(values, value)
			}
		}
		l.Set(name, values...)
	}
}

func (f rosterFilter) isOn(l visit.Listing) bool {
	return slices.ContainsFunc(f.names(), func(name string) bool { return l.Query.Has(name) })
}

// group returns the filter's part of the form.
func (f rosterFilter) group(l visit.Listing) toolbar.FilterGroup {
	group := toolbar.FilterGroup{Name: f.name, Label: f.label, Any: f.any, Many: f.many}
	for _, o := range f.options {
		o.Chosen = slices.Contains(l.Query[f.name], o.Value)
		group.Options = append(group.Options, o)
		if o.Chosen {
			group.On++
		}
	}
	for _, in := range f.inputs {
		value := l.Query.Get(f.name + in.behind)
		if value != "" {
			group.On++
		}
		input := toolbar.FilterInput{Name: f.name + in.behind, Label: in.label, Type: in.kind, Value: value}
		for _, o := range in.options {
			o.Chosen = o.Value == value
			input.Options = append(input.Options, o)
		}
		group.Inputs = append(group.Inputs, input)
	}
	return group
}

// chips returns the chips of the values that are on.
func (f rosterFilter) chips(r *roster) (chips []toolbar.Chip) {
	for _, name := range f.names() {
		for _, value := range r.l.Query[name] {
			chip := toolbar.Chip{Label: f.label, Text: visit.OptionName(f.options, value), Without: r.base +
				r.l.Without(name, value)}
			if i := slices.IndexFunc(f.inputs, func(in rosterInput) bool { return f.name+in.behind == name }); i >= 0 {
				chip.Text = f.inputs[i].chip + value
				if said := visit.OptionName(f.inputs[i].options, value); said != "" {
					chip.Text = said
				}
			}
			if option, isOption := strings.CutPrefix(value, optionPrefix); chip.Text == "" && isOption {
				chip.Text = option
			}
			if chip.Text == "" {
				chip.Text = "one that is gone"
			}
			chips = append(chips, chip)
		}
	}
	return chips
}

// named returns options from pairs of value and name.
func named(pairs ...string) (options []components.Option) {
	for i := 0; i < len(pairs); i += 2 {
		options = append(options, components.Option{Value: pairs[i], Name: pairs[i+1]})
	}
	return options
}

// first returns the first value, "" for none.
func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// allFilters returns the list's filters in the order of the form, and last those that the query has for deleted fields.
func (r *roster) allFilters(query url.Values) ([]rosterFilter, error) {
	of, where := r.eventFilters, ""
	if r.Event == nil {
		of = r.organizationFilters
		if where = " at any event"; query.Has("event") {
			where = " at that event"
		}
	}
	filters, err := of(where)
	if err != nil {
		return nil, err
	}
	filters = append(filters, rosterFilter{name: "role", label: "Role" + where, many: true,
		options: named("speaker", "Speaker", "moderator", "Moderator", "chairperson", "Chairperson"),
		set: func(f *people.Filter, get func(string) []string) {
			f.Roles = store.Map(get("role"), func(role string) models.Role { return models.Role(role) })
		}},
		textFilter("company", "Company", "As it is written", func(f *people.Filter) *string { return &f.Company }),
		textFilter("job", "Job title", "Has the words", func(f *people.Filter) *string { return &f.JobTitle }))
	return append(filters, r.ownFilters(query)...), nil
}

// textFilter returns a filter by a text of the profile.
func textFilter(name, label, hint string, at func(*people.Filter) *string) rosterFilter {
	return rosterFilter{name: name, label: label, inputs: []rosterInput{{label: hint, kind: "text"}},
		takes: func(_, value string) string { return fitText(value) },
		set:   func(f *people.Filter, get func(string) []string) { *at(f) = first(get(name)) }}
}

// fitText returns a text that can be searched for, "" for any other.
func fitText(value string) string {
	if value, err := store.CleanText("q", value, store.MaxSearchText); err == nil {
		return value
	}
	return ""
}

// statusFilter returns the filter by workflow status; where names the events meant.
func statusFilter(where string) rosterFilter {
	return rosterFilter{name: "status", label: "Status" + where, many: true, options: statusChoices(),
		set: func(f *people.Filter, get func(string) []string) { f.Statuses = get("status") }}
}

// nobodys is an id that nothing has.
const nobodys = "00000000-0000-7000-8000-000000000000"

// namesFilter returns the filter by the names of metadata at all events: rows of one name are one choice. A name that
// is gone finds nobody, so that a segment never becomes wider than it was.
func namesFilter(of models.Family, where string, rows []*models.Metadata,
	at func(*people.Filter) *[]string) rosterFilter {
	ids := map[string][]string{}
	filter := rosterFilter{name: of.Singular(), label: components.StatusName(of.Singular()) + where, many: true,
		takes: func(_, value string) string { return fitText(value) }}
	for _, row := range rows {
		if row.Family != of {
			continue
		}
		name := cmp.Or(row.NameKey, row.Name)
		if ids[name] == nil {
			filter.options = append(filter.options, components.Option{Value: name, Name: row.Name})
		}
		ids[name] = append(ids[name], row.ID)
	}
	filter.set = func(f *people.Filter, get func(string) []string) {
		for _, name := range get(of.Singular()) {
			if *at(f) = append(*at(f), ids[name]...); ids[name] == nil {
				*at(f) = append(*at(f), nobodys)
			}
		}
	}
	return filter
}

// eventFilters returns the filters that only an event's list has.
func (r *roster) eventFilters(where string) (filters []rosterFilter, err error) {
	filters = append(filters, statusFilter(where))
	for _, of := range []struct {
		family models.Family
		at     func(*people.Filter) *[]string
	}{
		{models.Tracks, func(f *people.Filter) *[]string { return &f.TrackIDs }},
		{models.Tags, func(f *people.Filter) *[]string { return &f.TagIDs }},
	} {
		options, err := r.FamilyOptions(of.family)
		if err != nil {
			return nil, err
		}
		name := of.family.Singular()
		filters = append(filters, rosterFilter{name: name, label: components.StatusName(name), many: true, options: options,
			takes: func(_, value string) string { return map[bool]string{true: value}[store.IsID(value)] },
			set:   func(f *people.Filter, get func(string) []string) { *of.at(f) = get(name) }})
	}
	filters = append(filters, rosterFilter{name: "coming", label: "Participation", options: visit.ComingOptions(),
		set: func(f *people.Filter, get func(string) []string) {
			f.Coming = models.Coming(strings.Join(get("coming"), ""))
		}})
	if !r.May(staff.Organizer) {
		return append(filters, missingFilter("email", "E-mail address")), nil
	}
	return append(filters, missingFilter("travel", "Travel", "email", "E-mail address")), nil
}

// organizationFilters returns the filters that only the organization's directory has.
func (r *roster) organizationFilters(where string) ([]rosterFilter, error) {
	events, err := r.Visit.Events()
	if err != nil {
		return nil, err
	}
	rows, err := people.In(r.directory).RowsOfEvents(r.UserContext())
	if err != nil {
		return nil, err
	}
	return []rosterFilter{
		{name: "event", label: "Event", takes: func(_, value string) string { return map[bool]string{true: value}[store.IsID(value)] },
			options: visit.Choices(events, func(e *models.Event) (string, string) { return e.ID, e.Name }),
			set:     func(f *people.Filter, get func(string) []string) { f.EventID = first(get("event")) }},
		{name: "returning", label: "Came before", any: "Came before or not", options: named("yes", "At more than one event", "speakers", "Spoke at more than one"),
			set: func(f *people.Filter, get func(string) []string) {
				f.Returns, f.Returned = first(get("returning")) == "yes", first(get("returning")) == "speakers"
			}},
		statusFilter(where),
		namesFilter(models.Tracks, where, rows, func(f *people.Filter) *[]string { return &f.TrackIDs }),
		namesFilter(models.Tags, where, rows, func(f *people.Filter) *[]string { return &f.TagIDs }),
		missingFilter("email", "E-mail address"),
	}, nil
}

// missingFilter returns the filter by what is not known yet.
func missingFilter(pairs ...string) rosterFilter {
	return rosterFilter{name: "missing", label: "Missing", any: "Missing or not", options: named(pairs...),
		set: func(f *people.Filter, get func(string) []string) {
			f.NoEmail, f.NoTravel = slices.Contains(get("missing"), "email"), slices.Contains(get("missing"), "travel")
		}}
}
