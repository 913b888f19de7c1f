package tasks

import (
	"cmp"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// mostBytes bounds the size of a task's file.
const mostBytes = call.MaxFileBytes

// joined writes values as lines.
func joined[T ~string](values []T) string {
	return strings.Join(store.Map(values, func(value T) string { return string(value) }), "\n")
}

// unjoined reads the values of lines; it returns an empty slice for none, never nil.
func unjoined[T ~string](text string) []T {
	return store.Map(store.Lines(text), func(line string) T { return T(line) })
}

// taskFields are the fields of the form of a task.
func taskFields(v *visit.Visit, t *tasks.Task) []page.Edited {
	size := ""
	if t.MaxBytes != nil {
		size = strconv.FormatFloat(float64(*t.MaxBytes)/(1<<20), 'f', -1, 64)
	}
	yes := func(value string) string { return map[bool]string{true: "Yes", false: "No"}[value != ""] }
	tick := func(name, label string, is bool) page.Edited {
		return page.Edited{Name: name, Label: label, Theirs: map[bool]string{true: "yes"}[is], Show: yes}
	}
	var names map[string]string
	named := func(text string) string {
		if names == nil {
			names, _ = v.RowNames() // without them, the ids stand
		}
		return strings.Join(store.Map(store.Lines(text), func(line string) string { return cmp.Or(names[line], line) }), ", ")
	}
	lines := func(name, label, now string) page.Edited {
		return page.Edited{Name: name, Label: label, Theirs: now, Show: named, Lines: true}
	}
	return []page.Edited{{Name: "title", Label: "Title", Theirs: t.Title},
		{Name: "instructions", Label: "Instructions", Theirs: t.Instructions},
		page.EditedMoment("due_at", "Due", t.DueAt, v.Zone()), tick("is_required", "Required", t.IsRequired),
		tick("is_reminded", "Remind people by itself", t.IsReminded), tick("is_public", "Put on the public page", t.IsPublic),
		{Name: "part", Label: "Section of the call’s form", Theirs: visit.ValueOr(t.PartID, ""), Show: func(id string) string {
			parts, _ := partChoices(v, id)
			return visit.OptionName(parts, id)
		}}, lines("file_kinds", "What the file may be", joined(t.FileKinds)),
		{Name: "max_bytes", Label: "Size at most", Theirs: size}, lines("roles", "Role", joined(t.Filters.Roles)),
		lines("statuses", "Status of the session", joined(t.Filters.Statuses)),
		lines("formats", "Format", joined(t.Filters.Formats)), lines("tracks", "Track", joined(t.Filters.Tracks)),
		lines("levels", "Level", joined(t.Filters.Levels)), lines("tags", "Tag", joined(t.Filters.Tags)),
		tick("only_given", "Only whom you choose one by one", t.OnlyGiven)}
}

// changeOf turns the form into a change. A due date that was not touched keeps its exact moment. Fields of another
// kind, which the form hides, are cleared.
func changeOf(e *page.Edit, kind tasks.Kind) (c tasks.Change, err error) {
	var faults store.Faults
	due, err := e.Moved("due_at")
	faults.Add(err)
	if due.Set {
		c.DueAt = &due.Value
	}
	var bytes *int
	if kind == tasks.File && e.Of("max_bytes") != "" {
		bytes, err = bytesOf(e.Of("max_bytes"))
		faults.Add(err)
	}
	filters := tasks.Filters{Roles: unjoined[models.Role](e.Of("roles")), Statuses: unjoined[models.Status](e.Of("statuses")),
		Formats: unjoined[string](e.Of("formats")), Tracks: unjoined[string](e.Of("tracks")), Levels: unjoined[string](e.Of("levels")),
		Tags: unjoined[string](e.Of("tags"))}
	kinds := unjoined[call.FileKind](e.Of("file_kinds"))
	if kind != tasks.File {
		kinds = []call.FileKind{}
	}
	part := e.Of("part")
	if kind != tasks.Form {
		part = ""
	}
	c.Title, c.Instructions, c.PartID = new(e.Of("title")), new(e.Of("instructions")), &part
	c.IsRequired, c.IsReminded = new(e.Of("is_required") != ""), new(e.Of("is_reminded") != "")
	c.IsPublic = new(e.Of("is_public") != "" && kind.HasVersions())
	c.Filters, c.OnlyGiven, c.FileKinds, c.MaxBytes = &filters, new(e.Of("only_given") != ""), &kinds, &bytes
	return c, faults.Err()
}

// bytesOf converts MB, which may be a fraction, to bytes.
func bytesOf(size string) (*int, error) {
	mb, err := strconv.ParseFloat(strings.ReplaceAll(size, ",", "."), 64)
	switch {
	case err != nil || mb <= 0:
		return nil, store.Invalidf("max_bytes", "must be a number of MB, such as 10")
	case mb*(1<<20) > mostBytes:
		return nil, store.Invalidf("max_bytes", "can be at most 20 MB. Ask for a link where files are larger")
	}
	return new(max(int(mb*(1<<20)), 1)), nil
}
