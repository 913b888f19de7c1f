package arrival

import (
	"context"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// importedLabel is a row of metadata that the schedule names.
type importedLabel struct {
	family models.Family
	models.NewMetadata
}

// importLabels makes the rooms, tracks and formats that the event does not have by name.
func (i *importer) importLabels(ctx context.Context, all []importedLabel) error {
	return importSteps(ctx, i, all, models.StepRows, func(tx *store.Tx, some []importedLabel) error {
		labels, err := i.labelsByName(tx)
		if err != nil {
			return err
		}
		created := i.summary.labels()
		for _, label := range some {
			if labels[label.family][label.Name] != nil {
				continue
			}
			made, err := i.InsertMetadata(tx, label.family, label.NewMetadata)
			if err != nil {
				return err
			}
			*created[label.family]++
			if i.move == "" {
				continue
			}
			if err := keepImported(tx, []imported{{i.Event().ID, "metadata", string(label.family) + "/" + label.Name, made.ID,
				FieldHashes{}, i.move, nil}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// labelsOf returns the labels that a schedule names, each once; invalid ones are left out, of the sessions too.
func labelsOf(schedule *frab.Schedule) (labels []importedLabel) {
	seen := map[models.Family]map[string]bool{models.Rooms: {}, models.Tracks: {}, models.Formats: {}}
	add := func(family models.Family, n models.NewMetadata) {
		if n.Clean(family) == nil && !seen[family][n.Name] {
			seen[family][n.Name] = true
			labels = append(labels, importedLabel{family, n})
		}
	}
	for _, room := range schedule.Rooms {
		n := models.NewMetadata{Name: room.Name, Capacity: room.Capacity}
		if n.Clean(models.Rooms) != nil {
			n.Capacity = nil
		}
		add(models.Rooms, n)
	}
	for _, track := range schedule.Tracks {
		n := models.NewMetadata{Name: track.Name}
		if models.ColorPattern.MatchString(track.Color) {
			n.Color = &track.Color
		}
		add(models.Tracks, n)
	}
	for _, event := range schedule.Events {
		add(models.Formats, models.NewMetadata{Name: event.Type})
	}
	return labels
}

// labelsByName returns the ids of the event's metadata by name, the first one for each name.
func (i *importer) labelsByName(tx *store.Tx) (map[models.Family]map[string]*string, error) {
	var rows []*models.Metadata
	if err := tx.Where("event_id = ?", i.Event().ID).Order("position, id").Find(&rows).Error; err != nil {
		return nil, err
	}
	labels := map[models.Family]map[string]*string{}
	for _, family := range models.Families {
		labels[family] = map[string]*string{}
	}
	for _, m := range rows {
		if labels[m.Family][m.Name] == nil {
			labels[m.Family][m.Name] = &m.ID
		}
	}
	return labels, nil
}
