package letters

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

var errTemplateStale = store.Outdated(
	"Someone else changed this template since you read it. Read it again, then repeat your change.")

// LetterTemplates returns the templates of the decisions, then the free ones by name.
func (ls *Letters) LetterTemplates(ctx context.Context) ([]*models.LetterTemplate, error) {
	var kept []*models.LetterTemplate
	if err := ls.p.Read(ctx).Where("event_id = ?", ls.p.Event().ID).Find(&kept).Error; err != nil {
		return nil, err
	}
	slices.SortFunc(kept, func(a, b *models.LetterTemplate) int { return store.CompareNames(a.Name, a.ID, b.Name, b.ID) })
	var all, free []*models.LetterTemplate
	for _, own := range models.LetterDefaults {
		all = append(all, &own)
	}
	for _, t := range kept {
		if at := slices.IndexFunc(all, func(d *models.LetterTemplate) bool { return d.Kind == t.Kind }); at >= 0 {
			all[at] = t
		} else {
			free = append(free, t)
		}
	}
	return append(all, free...), nil
}

// SaveLetterTemplate saves the template for letters of a decision. Drafts stay as they are until they are regenerated.
// version is the template's as it was read. It answers Invalid for a text that is empty, too long or has a broken or
// unknown placeholder, and Stale if it was saved meanwhile. Saving the present text changes nothing.
func (ls *Letters) SaveLetterTemplate(ctx context.Context, kind models.LetterKind, version int, subject, body string) error {
	if !slices.ContainsFunc(models.LetterDefaults, func(d models.LetterTemplate) bool { return d.Kind == kind }) {
		return store.NoSuch("template")
	}
	if err := models.CleanLetterOf(kind, &subject, &body); err != nil {
		return err
	}
	return ls.p.Write(ctx, func(tx *store.Tx) error {
		t, err := ls.p.Template(tx, kind)
		if err != nil {
			return err
		}
		return ls.saveTemplate(tx, t, version, string(kind), models.LetterTemplate{Subject: subject, Body: body})
	})
}

// saveTemplate saves the text and, for a free one, the name. label is its name in the activity.
func (ls *Letters) saveTemplate(tx *store.Tx, t *models.LetterTemplate, version int, word string, to models.LetterTemplate) (err error) {
	if t.Version != version {
		return errTemplateStale
	}
	if t.Subject == to.Subject && t.Body == to.Body && t.Name == to.Name {
		return nil
	}
	was := map[string]any{"subject": t.Subject}
	t.Name, t.Subject, t.Body, t.Version, t.ByName, t.UpdatedAt = to.Name, to.Subject, to.Body, version+1, ls.p.By().ActorName, tx.Now
	if t.ID != "" {
		done := tx.Model(t).Where("version = ?", version).
			Select("name", "subject", "body", "version", "by_name", "updated_at").Updates(t)
		err = store.Changed(done, errTemplateStale)
	} else {
		t.ID, t.EventID, t.CreatedAt = store.NewID(), ls.p.Event().ID, tx.Now
		if err = tx.Create(t).Error; store.IsDuplicate(err) {
			err = errTemplateStale
		}
	}
	if err != nil {
		return err
	}
	return ls.p.Record(tx, store.Change{Subject: "letter_template", ID: t.ID, Action: "updated", Before: was,
		After: map[string]any{"name": word, "subject": to.Subject}})
}

// SaveFreeTemplate saves a text for free letters under a name, and returns its id. With id "" it adds one, whose
// version is 0. It answers NotFound, Invalid also for a name that is empty or too long, and Stale as SaveLetterTemplate
// does.
func (ls *Letters) SaveFreeTemplate(ctx context.Context, id string, version int, name, subject, body string) (string, error) {
	var f store.Faults
	f.Clean(store.CleanName, "name", &name, store.MaxName)
	f.Add(models.CleanLetterOf(models.LetterFree, &subject, &body))
	if err := f.Err(); err != nil {
		return "", err
	}
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (string, error) {
		t := &models.LetterTemplate{Kind: models.LetterFree}
		if id != "" {
			var err error
			if t, err = ls.freeTemplate(tx, id); err != nil {
				return "", err
			}
		}
		err := ls.saveTemplate(tx, t, version, name, models.LetterTemplate{Name: name, Subject: subject, Body: body})
		return t.ID, err
	})
}

// DeleteFreeTemplate deletes a saved text. Letters written from it stay. It answers NotFound.
func (ls *Letters) DeleteFreeTemplate(ctx context.Context, id string) error {
	return ls.p.Write(ctx, func(tx *store.Tx) error {
		t, err := ls.freeTemplate(tx, id)
		if err == nil {
			err = tx.Delete(t).Error
		}
		if err != nil {
			return err
		}
		return ls.p.Record(tx, store.Change{Subject: "letter_template", ID: t.ID, Action: "deleted",
			Before: map[string]any{"name": t.Name, "subject": t.Subject}})
	})
}

func (ls *Letters) freeTemplate(tx *store.Tx, id string) (*models.LetterTemplate, error) {
	return store.OneByID[models.LetterTemplate](tx.Lock().Where("event_id = ? AND kind = 'free'", ls.p.Event().ID), id,
		store.NoSuch("template"))
}

// LetterPreview is a template filled in for one person.
type LetterPreview struct {
	Name          string // of a recipient of such a letter; "" where samples are filled in
	Subject, Body string
	Values        map[string]string // of the placeholders
}

// PreviewLetter shows how a text, saved or not, would read: for the first person who has a draft of the kind, or with
// samples. It answers Invalid as SaveLetterTemplate does, with nothing to show.
func (ls *Letters) PreviewLetter(ctx context.Context, kind models.LetterKind, subject, body string) (*LetterPreview, error) {
	err := models.CleanLetterOf(kind, &subject, &body)
	out := &LetterPreview{Subject: subject, Body: body, Values: map[string]string{}}
	draft := &models.Letter{}
	if err := ls.p.Read(ctx).Where("event_id = ? AND kind = ? AND state = 'draft' AND session_id IS NOT NULL", ls.p.Event().ID, kind).
		Order("created_at, id").Limit(1).Find(draft).Error; err != nil {
		return nil, err
	}
	var facts *models.LetterFacts
	if draft.ID != "" {
		s, err := ls.p.Session(ctx, *draft.SessionID)
		if err != nil {
			return nil, err
		}
		contact, err := ls.p.Contact(ctx, draft.ContactID)
		if err != nil {
			return nil, err
		}
		facts, out.Name = &models.LetterFacts{Event: ls.p.Event(), Session: s, Contact: contact}, contact.FullName
	}
	for _, x := range models.PlaceholdersOf(kind) {
		if out.Values[x.Name] = x.Sample; facts != nil {
			out.Values[x.Name] = x.Value(facts)
		}
	}
	if err != nil {
		return out, err
	}
	out.Subject, out.Body = models.FillWith(subject, out.Values), models.FillWith(body, out.Values)
	return out, nil
}
