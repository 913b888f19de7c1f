package arrival

import (
	"context"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/store"
)

// Label is a track, room, format or tag of another system.
type Label struct {
	Key    string
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
