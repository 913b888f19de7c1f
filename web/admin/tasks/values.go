package tasks

import (
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/models/task"
	"lectern/views/components"
	pages "lectern/views/pages/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// mostBytes bounds the size of a task's file.
const mostBytes = cfp.MaxFileBytes

// joined writes values as lines.
func joined[T ~string](values []T) string {
	lines := make([]string, len(values))
	for i, value := range values {
		lines[i] = string(value)
	}
	return strings.Join(lines, "\n")
}

// unjoined reads the values of lines; it returns an empty slice for none, never nil.
func unjoined[T ~string](text string) []T {
	values := []T{}
	for _, line := range store.Lines(text) {
		values = append(values, T(line))
	}
	return values
}

func ticked(on bool) string {
	if on {
		return "yes"
	}
	return ""
}

// valuesOf returns a task as its form holds it.
func valuesOf(v *visit.Visit, t *task.Task) pages.Values {
	f := t.Filters
	values := pages.Values{Title: t.Title, Instructions: t.Instructions, Kind: string(t.Kind), Whose: string(t.AskedOf),
		Due:      page.ClockText(page.ClockOf(t.DueAt, v.Zone())),
		Required: ticked(t.IsRequired), Reminded: ticked(t.IsReminded), Public: ticked(t.IsPublic), Kinds: joined(t.FileKinds),
		Roles: joined(f.Roles), Statuses: joined(f.Statuses), Formats: joined(f.Formats), Tracks: joined(f.Tracks),
		Levels: joined(f.Levels), Tags: joined(f.Tags), OnlyGiven: ticked(t.OnlyGiven)}
	if t.PartID != nil {
		values.Part = *t.PartID
	}
	if t.MaxBytes != nil {
		values.Size = strconv.FormatFloat(float64(*t.MaxBytes)/(1<<20), 'f', -1, 64)
	}
	return values
}

// sent reads the form of a task; was is the prefix of the values that it had when it was opened, "" for those sent.
func sent(v *visit.Visit, was string) pages.Values {
	one := func(name string) string { return strings.ReplaceAll(v.Value(was+name), "\r\n", "\n") }
	lines := func(name string) string {
		return strings.Join(store.Lines(strings.Join(v.Values(was+name), "\n")), "\n")
	}
	return pages.Values{Title: one("title"), Instructions: one("instructions"), Kind: one("kind"), Whose: one("asked_of"),
		Due: v.Clock(was + "due_at"), Required: one("is_required"), Reminded: one("is_reminded"), Public: one("is_public"),
		Part: one("part"), Kinds: lines("file_kinds"), Size: one("max_bytes"), Roles: lines("roles"),
		Statuses: lines("statuses"), Formats: lines("formats"), Tracks: lines("tracks"), Levels: lines("levels"),
		Tags: lines("tags"), OnlyGiven: one("only_given")}
}

// changeOf turns the form into a change. A due date that was not touched keeps its exact moment. Fields of another
// kind, which the form hides, are cleared.
func changeOf(v *visit.Visit, f, was pages.Values, kind task.Kind) (c task.Change, err error) {
	var faults store.Faults
	due, err := page.MovedClock("due_at", f.Due, was.Due, v.Zone())
	faults.Add(err)
	if due.Set {
		c.DueAt = &due.Value
	}
	var bytes *int
	if kind == task.File && f.Size != "" {
		bytes, err = bytesOf(f.Size)
		faults.Add(err)
	}
	filters := task.Filters{Roles: unjoined[models.Role](f.Roles), Statuses: unjoined[models.Status](f.Statuses),
		Formats: unjoined[string](f.Formats), Tracks: unjoined[string](f.Tracks), Levels: unjoined[string](f.Levels),
		Tags: unjoined[string](f.Tags)}
	kinds := unjoined[cfp.FileKind](f.Kinds)
	if kind != task.File {
		kinds = []cfp.FileKind{}
	}
	part := f.Part
	if kind != task.Form {
		part = ""
	}
	c.Title, c.Instructions, c.PartID = &f.Title, &f.Instructions, &part
	c.IsRequired, c.IsReminded = new(f.Required != ""), new(f.Reminded != "")
	c.IsPublic = new(f.Public != "" && kind.HasVersions())
	c.Filters, c.OnlyGiven, c.FileKinds, c.MaxBytes = &filters, new(f.OnlyGiven != ""), &kinds, &bytes
	return c, faults.Err()
}

// bytesOf converts MB, which may be a fraction, to bytes.
func bytesOf(size string) (*int, error) {
	mb, err := strconv.ParseFloat(strings.ReplaceAll(size, ",", "."), 64)
	switch {
	case err != nil || mb <= 0:
		return nil, page.FieldFault("max_bytes", "must be a number of MB, such as 10")
	case mb*(1<<20) > mostBytes:
		return nil, page.FieldFault("max_bytes", "can be at most 20 MB. Ask for a link where files are larger")
	}
	return new(max(int(mb*(1<<20)), 1)), nil
}

// labels are the form's names of its fields.
var labels = map[string]string{"title": "Title", "instructions": "Instructions", "kind": "What they hand in",
	"asked_of": "Who does it", "due_at": "Due", "is_required": "Required", "is_reminded": "Remind people by itself",
	"is_public": "Put on the public page", "part": "Section of the call’s form", "file_kinds": "What the file may be",
	"max_bytes": "Size at most", "roles": "Role", "statuses": "Status of the session", "formats": "Format",
	"tracks": "Track", "levels": "Level", "tags": "Tag", "only_given": "Only whom you choose one by one"}

// conflict returns the choice between a stale edit and what somebody else saved meanwhile.
func conflict(v *visit.Visit, t *task.Task, p pages.FormPage) (*components.Conflict, error) {
	names, err := v.RowNames()
	if err != nil {
		return nil, err
	}
	yes := func(value string) string { return map[bool]string{true: "Yes", false: "No"}[value != ""] }
	named := func(text string) string {
		var words []string
		for _, line := range store.Lines(text) {
			if name := names[line]; name != "" {
				line = name
			}
			words = append(words, line)
		}
		return strings.Join(words, ", ")
	}
	clock := func(text string) string { return page.ClockWords(text, v.Zone()) }
	parts := func(id string) string { return visit.OptionName(p.Parts, id) }
	show := map[string]func(string) string{"due_at": clock, "is_required": yes, "is_reminded": yes, "is_public": yes, "only_given": yes,
		"part": parts, "file_kinds": named, "roles": named, "statuses": named, "formats": named, "tracks": named,
		"levels": named, "tags": named}
	var edited []page.Edited
	was, theirs := p.Was.Fields(), valuesOf(v, t).Fields()
	for i, mine := range p.Form.Fields() {
		edited = append(edited, page.Edited{Name: mine.Name, Label: labels[mine.Name], Was: was[i].Value, Mine: mine.Value,
			Theirs: theirs[i].Value, Show: show[mine.Name]})
	}
	return v.Conflict(t.ID, t.UpdatedAt, edited)
}
