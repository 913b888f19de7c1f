package task

import (
	"context"
	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"slices"
)

// statuses maps the statuses that a task's filter can have to those of sessions. Speakers do not learn of queued
// decisions before they are committed, so both queues count as pending.
var statuses = map[models.Status][]models.Status{
	models.Accepted: {models.Accepted},
	models.Pending:  {models.Pending, models.AcceptQueue, models.DeclineQueue},
}

// heardOf are all statuses of sessions that can have tasks; drafts, declined and withdrawn sessions have none.
var heardOf = slices.Concat(statuses[models.Accepted], statuses[models.Pending])

// Statuses are the statuses that a filter can have, in the order of the form.
var Statuses = []models.Status{models.Accepted, models.Pending}

// check normalizes a task, clears what does not belong to its kind, and answers Invalid for each faulty field: title,
// instructions, kind, asked_of, roles, statuses, formats, tracks, levels, tags, part, file_kinds, max_bytes.
func (t *Tasks) check(ctx context.Context, task *Task) error {
	var faults store.Faults
	task.Title = store.OneLine(task.Title)
	faults.Clean(store.CleanName, "title", &task.Title, store.MaxTitle)
	faults.Clean(store.CleanText, "instructions", &task.Instructions, maxInstructions)
	if !slices.Contains(kinds, task.Kind) {
		faults.Add(store.Invalidf("kind", "must be one of those in the list"))
	}
	if task.AskedOf != OfSpeaker && task.AskedOf != OfSession {
		faults.Add(store.Invalidf("asked_of", "must be speaker or session"))
	}
	if task.Kind == Form && task.AskedOf == OfSession {
		faults.Add(store.Invalidf("asked_of", "must be each speaker: a form asks people about themselves"))
	}
	if task.IsPublic = task.IsPublic && task.Kind.HasVersions(); task.IsPublic && task.AskedOf == OfSpeaker {
		faults.Add(store.Invalidf("is_public", "needs a task of the session, on whose page it stands"))
	}
	if task.Kind != File || task.FileKinds == nil {
		task.FileKinds = []cfp.FileKind{}
	}
	if task.Kind != File {
		task.MaxBytes = nil
	}
	faults.Add(task.Question().CheckFile())
	if err := t.checkFilters(ctx, &faults, task); err != nil {
		return err
	}
	if err := t.checkPart(ctx, &faults, task); err != nil {
		return err
	}
	return faults.Err()
}

// checkPart checks that the part of a Form task has questions for speakers, and clears it for other kinds.
func (t *Tasks) checkPart(ctx context.Context, faults *store.Faults, task *Task) error {
	if task.Kind != Form {
		task.PartID = nil
		return nil
	}
	parts, err := t.Parts(ctx)
	if err == nil && (task.PartID == nil || !slices.ContainsFunc(parts, func(p *cfp.Part) bool { return p.ID == *task.PartID })) {
		faults.Add(store.Invalidf("part", "must be a section of the call's form with questions that are asked of each speaker"))
	}
	return err
}

// Parts returns the sections of the call's form that have questions for each speaker.
func (t *Tasks) Parts(ctx context.Context) ([]*cfp.Part, error) {
	form, err := cfp.Of(t.p).Form(ctx)
	if store.KindOf(err) == store.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return form.Of(cfp.OfSpeaker).Parts, nil
}

func (t *Tasks) checkFilters(ctx context.Context, faults *store.Faults, task *Task) error {
	f := &task.Filters
	for _, role := range f.Roles {
		if !slices.Contains(models.ParticipantRoles, role) {
			faults.Add(store.Invalidf("roles", "name one that there is not"))
		}
	}
	for _, status := range f.Statuses {
		if statuses[status] == nil {
			faults.Add(store.Invalidf("statuses", "must be accepted or pending"))
		}
	}
	for _, n := range []struct {
		field  string
		family models.Family
		ids    *[]string
	}{{"formats", models.Formats, &f.Formats}, {"tracks", models.Tracks, &f.Tracks}, {"levels", models.Levels, &f.Levels},
		{"tags", models.Tags, &f.Tags}} {
		*n.ids = slices.Compact(slices.Sorted(slices.Values(*n.ids)))
		if len(*n.ids) == 0 {
			continue
		}
		rows, err := t.p.Family(ctx, n.family)
		if err != nil {
			return err
		}
		if len(*n.ids) > mostValues || slices.ContainsFunc(*n.ids, func(id string) bool {
			return !slices.ContainsFunc(rows, func(m *models.Metadata) bool { return m.ID == id })
		}) {
			faults.Add(store.Invalidf(n.field, "name one that this event has no more"))
		}
	}
	return nil
}
