package people

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Biographies returns the versions of somebody's biography as the descriptions of versions, the latest first, at most
// models.MaxVersions. They are read from the activity of some events and of none, which has both sides of each change.
// For a guest it returns only the present biography.
func (d *Directory) Biographies(ctx context.Context, of *models.Contact, eventIDs []string) ([]*models.Version, error) {
	guest, err := d.IsGuest(ctx, of.ID)
	if err != nil {
		return nil, err
	}
	if guest {
		return []*models.Version{{ID: models.FirstVersion, At: of.UpdatedAt, Text: models.Text{Description: of.About}}}, nil
	}
	var lines []*store.Activity
	err = d.linesOf(ctx, of.ID, eventIDs, guest).Where(`CAST(after AS text) LIKE '%"about":%'`).Limit(models.MaxVersions).
		Find(&lines).Error
	if err != nil {
		return nil, err
	}
	var versions []*models.Version
	text := models.Text{Description: of.About}
	for _, line := range lines {
		is, changed := store.ReadFacts(line.After)["about"].(string)
		was, _ := store.ReadFacts(line.Before)["about"].(string)
		if !changed || is == was { // SQLite ignores case here too
			continue
		}
		text.Description = is
		versions = append(versions, &models.Version{ID: line.ID, At: line.CreatedAt, Actor: line.ActorName, Door: line.Door, Text: text,
			Before: &models.Text{Description: was}})
		text.Description = was
	}
	if len(lines) < models.MaxVersions {
		versions = append(versions, &models.Version{ID: models.FirstVersion, At: of.CreatedAt, Text: text})
	}
	return versions, nil
}

// Restore sets somebody's biography to one of the versions that Biographies returns; token is the contact's token as it
// was read. It answers NotFound for an unknown version, and otherwise as Update does.
func (d *Directory) Restore(ctx context.Context, of *models.Contact, eventIDs []string, version string,
	token *store.Time) (*models.Version, error) {
	versions, err := d.Biographies(ctx, of, eventIDs)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(versions, func(v *models.Version) bool { return v.ID == version })
	if at < 0 {
		return nil, store.NoSuch("version")
	}
	_, err = d.Update(ctx, of.ID, Change{Values: map[string]string{"about": versions[at].Text.Description},
		UpdatedAt: token})
	return versions[at], err
}
