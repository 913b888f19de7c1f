package lists

import (
	"slices"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// listFilter is one way to filter a list. Its parameter in the address, its choices in the form, its chip and the
// search in models all follow from it.
type listFilter struct {
	name, label string
	// lists offer it in their form; on others, and where there are no options, only tabs and links set it.
	lists []string
	many  bool // several values, any of which may match
	// options returns the choices for this user; nil where there are too many to offer.
	options func(v *visit.Visit, kind string) ([]components.Option, error)
	// takes tells whether a list accepts a value, where the values are not the options; exists whether its row exists.
	takes  func(v *visit.Visit, kind, value string) bool
	exists func(v *visit.Visit, value string) (bool, error)
	// says returns a value's chip, where that is not the label with the option's name.
	says func(v *visit.Visit, value string) (toolbar.Chip, error)
	// asTab tells whether a tab shows it already, so that no chip does.
	asTab  func(l List) bool
	narrow func(f *models.SessionFilter, l List, values []string)
}

// listFilters are all filters, in the order of the form.
var listFilters = []listFilter{
	{name: "q", takes: takesText, asTab: always, // the search field shows it
		narrow: func(f *models.SessionFilter, _ List, values []string) { f.Text = values[0] }},
	{name: "status", label: "Status", lists: []string{"sessions", "trash"}, many: true,
		options: func(_ *visit.Visit, kind string) ([]components.Option, error) {
			if kind == "triage" {
				return visit.Choices(models.Undecided, visit.Named), nil
			}
			return StatusOptions(""), nil
		},
		asTab: func(l List) bool {
			return l.Kind != "sessions" && l.Kind != "trash" && len(l.Query["status"]) == 1
		},
		narrow: func(f *models.SessionFilter, _ List, values []string) {
			f.Statuses = store.Map(values, func(value string) models.Status { return models.Status(value) })
		}},
	{name: "score", label: "Review", lists: []string{"submissions", "triage"},
		options: scoreOptions, says: saysScore, narrow: narrowScore},
	familyFilter(models.Tracks, func(f *models.SessionFilter) *[]string { return &f.TrackIDs }, everyList...),
	familyFilter(models.Rooms, func(f *models.SessionFilter) *[]string { return &f.RoomIDs }, "sessions", "trash"),
	familyFilter(models.Tags, func(f *models.SessionFilter) *[]string { return &f.TagIDs }, everyList...),
	familyFilter(models.Formats, func(f *models.SessionFilter) *[]string { return &f.FormatIDs }, everyList...),
	familyFilter(models.Levels, func(f *models.SessionFilter) *[]string { return &f.LevelIDs }, everyList...),
	{name: "content", label: "Content", lists: []string{"sessions"}, many: true,
		options: contentOptions, narrow: narrowContent},
	{name: "coming", label: "Participation", lists: []string{"submissions", "sessions"},
		options: func(*visit.Visit, string) ([]components.Option, error) { return visit.ComingOptions(), nil },
		narrow:  func(f *models.SessionFilter, _ List, values []string) { f.Coming = models.Coming(values[0]) }},
	yesNoFilter("public", "Programme", "Published", "Not published", List.onPublished,
		func(f *models.SessionFilter) **bool { return &f.IsPublic }, "sessions"),
	yesNoFilter("scheduled", "", "With a start", "Without a start",
		func(l List) bool { return l.Kind == "sessions" && l.Query.Get("scheduled") == "no" },
		func(f *models.SessionFilter) **bool { return &f.Scheduled }),
	{name: "day", asTab: always,
		takes: func(_ *visit.Visit, kind, value string) bool {
			return kind == "sessions" && new(models.SessionFilter).Day(value, time.UTC)
		},
		narrow: func(f *models.SessionFilter, l List, values []string) { f.Day(values[0], l.zone) }},
	{name: "needs",
		says: func(_ *visit.Visit, need string) (toolbar.Chip, error) {
			return toolbar.Chip{Text: needChip(need)}, nil
		},
		takes:  func(_ *visit.Visit, _, value string) bool { return needChip(value) != "" },
		narrow: func(f *models.SessionFilter, _ List, values []string) { f.Needs = models.Need(values[0]) }},
	{name: "speaker", says: saysSpeaker,
		takes:  isID,
		narrow: func(f *models.SessionFilter, _ List, values []string) { f.ContactIDs = values[:1] }},
}

var (
	allLists  = []string{"submissions", "sessions", "trash"}
	everyList = append([]string{"triage"}, allLists...)
)

func always(List) bool { return true }

// familyFilter returns the filter by a family of metadata.
func familyFilter(family models.Family, ids func(*models.SessionFilter) *[]string, lists ...string) listFilter {
	return listFilter{
		name: family.Singular(), label: components.StatusName(family.Singular()), lists: lists, many: true,
		options: func(v *visit.Visit, _ string) ([]components.Option, error) { return v.FamilyOptions(family) },
		takes:   isID,
		exists: func(v *visit.Visit, value string) (bool, error) {
			return v.Programme.HasMetadata(v.UserContext(), family, value)
		},
		narrow: func(f *models.SessionFilter, _ List, values []string) { *ids(f) = values },
	}
}

// filterNamed returns the filter of this name, nil for none.
func filterNamed(name string) *listFilter {
	at := slices.IndexFunc(listFilters, func(f listFilter) bool { return f.name == name })
	if at < 0 {
		return nil
	}
	return &listFilters[at]
}

// allows tells whether this user may filter a list by a value. Filters without takes have fixed options, so reading
// them cannot fail.
func (f *listFilter) allows(v *visit.Visit, kind, value string) bool {
	if f.takes != nil {
		return f.takes(v, kind, value)
	}
	options, _ := f.options(v, kind)
	return slices.ContainsFunc(options, func(o components.Option) bool { return o.Value == value })
}

func isID(_ *visit.Visit, _, value string) bool { return store.IsID(value) }

func takesText(_ *visit.Visit, _, value string) bool {
	return visit.Searchable(value) == value
}

// yesNoFilter returns a filter of two values, yes and no. Its chip needs no label.
func yesNoFilter(name, label, yes, no string, asTab func(List) bool, field func(*models.SessionFilter) **bool,
	lists ...string) listFilter {
	options := []components.Option{{Value: "yes", Name: yes}, {Value: "no", Name: no}}
	return listFilter{
		name: name, label: label, lists: lists, asTab: asTab,
		options: func(*visit.Visit, string) ([]components.Option, error) { return slices.Clone(options), nil },
		says: func(_ *visit.Visit, value string) (toolbar.Chip, error) {
			return toolbar.Chip{Text: visit.OptionName(options, value)}, nil
		},
		narrow: func(f *models.SessionFilter, _ List, values []string) { *field(f) = new(values[0] == "yes") },
	}
}

func saysSpeaker(v *visit.Visit, id string) (toolbar.Chip, error) {
	speaker, err := v.Programme.Speaker(v.UserContext(), id)
	switch {
	case err == nil:
		return toolbar.Chip{Text: "With " + speaker.FullName}, nil
	case store.KindOf(err) == store.NotFound:
		return toolbar.Chip{Text: "With somebody who is on no session"}, nil
	}
	return toolbar.Chip{}, err
}

// filterForm returns the filters that a list offers, with what is chosen.
func filterForm(v *visit.Visit, l List) (groups []toolbar.FilterGroup, err error) {
	for _, f := range listFilters {
		if !slices.Contains(f.lists, l.Kind) {
			continue
		}
		options, err := f.options(v, l.Kind)
		if err != nil {
			return nil, err
		}
		if len(options) == 0 {
			continue
		}
		group := toolbar.FilterGroup{Name: f.name, Label: f.label, Many: f.many}
		for _, o := range options {
			o.Chosen = slices.Contains(l.Query[f.name], o.Value)
			group.Options = append(group.Options, o)
			if o.Chosen {
				group.On++
			}
		}
		groups = append(groups, group)
	}
	return groups, nil
}

// chips returns the filters that are on, except those that a tab or the search field shows.
func chips(v *visit.Visit, base string, l List) (chips []toolbar.Chip, err error) {
	for _, f := range listFilters {
		if f.asTab != nil && f.asTab(l) {
			continue
		}
		for _, value := range l.Query[f.name] {
			chip, err := f.chip(v, l.Kind, value)
			if err != nil {
				return nil, err
			}
			chip.Without = base + l.Without(f.name, value)
			chips = append(chips, chip)
		}
	}
	return chips, nil
}

// chip returns the chip of a filter's value.
func (f *listFilter) chip(v *visit.Visit, kind, value string) (toolbar.Chip, error) {
	if f.says != nil {
		return f.says(v, value)
	}
	options, err := f.options(v, kind)
	return toolbar.Chip{Label: f.label, Text: visit.OptionName(options, value)}, err
}

// scoreOptions returns the filters by reviews that this user may use.
func scoreOptions(v *visit.Visit, kind string) (options []components.Option, err error) {
	if (kind != "submissions" && kind != "triage") || !v.May(staff.Reviewer) {
		return nil, nil
	}
	for _, c := range scoreChoices {
		if v.May(c.needs) {
			options = append(options, components.Option{Value: c.value, Name: c.name})
		}
	}
	return options, nil
}

// StatusOptions returns all statuses of sessions as options.
func StatusOptions(chosen string) []components.Option {
	return visit.Choices(models.Statuses, visit.Named, chosen)
}
