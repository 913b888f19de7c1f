package models

import (
	"context"

	"lectern/models/frab"
	"lectern/models/store"
)

// importedLabel is a metadata row that the schedule names.
type importedLabel struct {
	family Family
	NewMetadata
}

// importLabels makes the rooms, tracks and formats that the event has none of by that name.
func (i *importer) importLabels(ctx context.Context, all []importedLabel) error {
	return importSteps(ctx, i, all, stepRows, func(tx *store.Tx, some []importedLabel) error {
		labels, err := i.labelsByName(tx)
		if err != nil {
			return err
		}
		created := i.summary.labels()
		for _, label := range some {
			if labels[label.family][label.Name] != nil {
				continue
			}
			made, err := i.insertMetadata(tx, label.family, label.NewMetadata)
			if err != nil {
				return err
			}
			*created[label.family]++
			if i.move == "" {
				continue
			}
			if err := keepImported(tx, []importedKey{{i.event.ID, "metadata", string(label.family) + "/" + label.Name, made.ID,
				Said{}, i.move, nil}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// labelsOf are what the schedule names, each once; one that breaks a rule is left out of the sessions too.
func labelsOf(schedule *frab.Schedule) (labels []importedLabel) {
	seen := map[Family]map[string]bool{Rooms: {}, Tracks: {}, Formats: {}}
	add := func(family Family, n NewMetadata) {
		if n.clean(family) == nil && !seen[family][n.Name] {
			seen[family][n.Name] = true
			labels = append(labels, importedLabel{family, n})
		}
	}
	for _, room := range schedule.Rooms {
		n := NewMetadata{Name: room.Name, Capacity: room.Capacity}
		if n.clean(Rooms) != nil {
			n.Capacity = nil
		}
		add(Rooms, n)
	}
	for _, track := range schedule.Tracks {
		n := NewMetadata{Name: track.Name}
		if colorPattern.MatchString(track.Color) {
			n.Color = &track.Color
		}
		add(Tracks, n)
	}
	for _, event := range schedule.Events {
		add(Formats, NewMetadata{Name: event.Type})
	}
	return labels
}

// labelsByName are the ids of the event's metadata by their names, the first of each.
func (i *importer) labelsByName(tx *store.Tx) (map[Family]map[string]*string, error) {
	var rows []*Metadata
	if err := tx.Where("event_id = ?", i.event.ID).Order("position, id").Find(&rows).Error; err != nil {
		return nil, err
	}
	labels := map[Family]map[string]*string{}
	for _, family := range Families {
		labels[family] = map[string]*string{}
	}
	for _, m := range rows {
		if labels[m.Family][m.Name] == nil {
			labels[m.Family][m.Name] = &m.ID
		}
	}
	return labels, nil
}
