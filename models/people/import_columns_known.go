package people

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/store"
)

// ofPeople removes the columns that WriteFaults adds to a file.
func ofPeople(headers []string) []string {
	return slices.DeleteFunc(slices.Clone(headers), csv.IsBeside)
}

// readAs stores how a file was read and what its columns hold: the mapping of an earlier import with the same columns,
// else a guess.
func (e *AtEvent) readAs(ctx context.Context, i *ContactImport, file *csv.File,
	fields []*models.ContactField) (err error) {
	i.Encoding, i.Delimiter, i.Headers = file.Encoding, string(file.Delimiter), nil
	for _, column := range file.Columns {
		i.Headers = append(i.Headers, column.Name)
	}
	if i.Mapping, err = e.knownMapping(ctx, i.Headers, fields); err != nil || i.Mapping != nil {
		return err
	}
	for _, guess := range file.Guess(importTargets(fields)) {
		i.Mapping = append(i.Mapping, guess.Target)
	}
	return nil
}

// lookedBack is how many earlier imports are searched for the same columns.
const lookedBack = 50

// knownMapping returns the mapping of the organization's last started import with the same columns, nil if there is
// none or it is no longer valid.
func (e *AtEvent) knownMapping(ctx context.Context, headers []string, fields []*models.ContactField) (models.Options,
	error) {
	var before []*ContactImport
	err := e.p.Read(ctx).Where("organization_id = ? AND state <> ?", e.p.Event().OrganizationID, ImportUploaded).
		Select("headers", "mapping").Order("created_at DESC, id DESC").Limit(lookedBack).Find(&before).Error
	if err != nil {
		return nil, err
	}
	for _, i := range before {
		if len(i.Headers) != len(i.Mapping) || !slices.Equal(ofPeople(i.Headers), ofPeople(headers)) {
			continue
		}
		holds := map[string]string{}
		for at, name := range i.Headers {
			holds[name] = i.Mapping[at]
		}
		mapping := models.Options(store.Map(headers, func(name string) string { return holds[name] }))
		if checkMapping(mapping, len(headers), fields) != nil {
			return nil, nil
		}
		return mapping, nil
	}
	return nil, nil
}
