package arrival

import (
	"context"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/metadata"
	"lectern/models/store"
)

// importLabels makes the rooms, tracks and formats that the event does not have by name.
func (i *importer) importLabels(ctx context.Context, all []Label) error {
	return importSteps(ctx, i, all, models.StepRows, func(tx *store.Tx, some []Label) error {
		labels, err := i.labelsByName(tx)
		if err != nil {
			return err
		}
		created := i.summary.labels()
		for _, label := range some {
			if labels[label.Family][label.Name] != nil {
				continue
			}
			made, err := i.InsertMetadata(tx, label.Family, label.NewMetadata)
			if err != nil {
				return err
			}
			*created[label.Family]++
			if i.move == "" {
				continue
			}
			if err := keepImported(tx, []imported{{i.Event().ID, "metadata", string(label.Family) + "/" + label.Name, made.ID,
				FieldHashes{}, i.move, nil}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// labelsOf returns the labels that a schedule names, each once; invalid ones are left out, of the sessions too.
func labelsOf(schedule *frab.Schedule) (labels []Label) {
	seen := map[models.Family]map[string]bool{models.Rooms: {}, models.Tracks: {}, models.Formats: {}}
	add := func(family models.Family, n models.NewMetadata) {
		if n.Clean(family) == nil && !seen[family][n.Name] {
			seen[family][n.Name] = true
			labels = append(labels, Label{Family: family, NewMetadata: n})
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

// Label is a track, room, format or tag of another system.
type Label struct {
	Key    string // "" in a schedule, which names it alone
	Family models.Family
	models.NewMetadata
}

// Labels brings metadata. A label that came before is renamed if its name changed there; one whose name exists here
// becomes that row. Invalid ones are skipped, and those deleted here stay deleted.
func (a *Arrival) Labels(ctx context.Context, all []Label) error {
	return importSteps(ctx, a.importer, all, models.StepRows, func(tx *store.Tx, some []Label) error {
		byName, err := a.labelsByName(tx)
		if err != nil {
			return err
		}
		keys := store.Map(some, func(s Label) string { return s.Key })
		records, err := a.recordsOf(tx, keys, "metadata")
		if err != nil {
			return err
		}
		for x := range some {
			if err := a.label(tx, &some[x], byName, records["metadata"][some[x].Key]); err != nil {
				return err
			}
		}
		return nil
	})
}

// label imports one label.
func (a *Arrival) label(tx *store.Tx, l *Label, byName map[models.Family]map[string]*string, last imported) error {
	if l.Capacity != nil && (*l.Capacity < 0 || *l.Capacity > store.MaxCapacity) {
		l.Capacity = nil
	}
	if err := l.Clean(l.Family); err != nil {
		a.Skip(l.Key, l.Name, err.Error())
		return nil
	}
	row := imported{EventID: a.Event().ID, Kind: "metadata", Key: l.Key, RecordID: last.RecordID,
		Said: a.hashes(map[string]any{"name": l.Name})}
	switch is := byName[l.Family][l.Name]; {
	case last.RecordID != "":
		if last.Said["name"] != row.Said["name"] {
			if err := a.rename(tx, l, last, row.Said); err != nil {
				return err
			}
		}
	case is != nil:
		row.RecordID = *is
	default:
		made, err := a.InsertMetadata(tx, l.Family, l.NewMetadata)
		if err != nil {
			return err
		}
		row.RecordID, row.MadeBy = made.ID, a.move
		byName[l.Family][l.Name] = &made.ID
		*a.summary.labels()[l.Family]++
	}
	return a.keep(tx, last.Said, row)
}

// rename gives a row its new name in the other system, unless the row was deleted here.
func (a *Arrival) rename(tx *store.Tx, l *Label, last imported, now FieldHashes) error {
	before, err := metadata.Of(a.importer.Load.Programme).MetadataIn(tx.DB, l.Family, last.RecordID)
	if err == nil {
		a.replaced(l.Key, before.Name, last.Said, map[string]any{"name": before.Name}, now)
		_, err = metadata.Of(a.importer.Load.Programme).UpdateIn(tx, l.Family, before.ID, metadata.Change{Name: &l.Name})
	}
	if store.KindOf(err) == store.NotFound {
		a.Skip(l.Key, l.Name, "was deleted here and stays so")
		return nil
	}
	return err
}

// labelIDs returns the ids of the event's metadata, for an arrival by the other system's keys, else by name.
func (i *importer) labelIDs(tx *store.Tx) (map[models.Family]map[string]*string, error) {
	if !i.arrives {
		return i.labelsByName(tx)
	}
	var rows []struct {
		Family models.Family
		Key    string
		ID     string
	}
	err := tx.Table("imported i").Joins("JOIN metadata m ON m.event_id = i.event_id AND m.id = i.record_id").
		Select("m.family, i.key, m.id").Where("i.event_id = ? AND i.kind = 'metadata'", i.Event().ID).Find(&rows).Error
	labels := map[models.Family]map[string]*string{}
	for _, family := range models.Families {
		labels[family] = map[string]*string{}
	}
	for _, row := range rows {
		labels[row.Family][row.Key] = &row.ID
	}
	return labels, err
}
