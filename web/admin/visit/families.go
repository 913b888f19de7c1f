package visit

import (
	"lectern/models"
	"lectern/views/components"
)

// RowNames returns the names of the event's metadata rows by id.
func (v *Visit) RowNames() (map[string]string, error) {
	names := map[string]string{}
	for _, family := range models.Families {
		rows, err := v.Programme.Family(v.UserContext(), family)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names[row.ID] = row.Name
		}
	}
	return names, nil
}

// FamilyOptions returns the rows of a family as options.
func (v *Visit) FamilyOptions(family models.Family, chosen ...string) ([]components.Option, error) {
	rows, err := v.Programme.Family(v.UserContext(), family)
	return Choices(rows, func(m *models.Metadata) (string, string) { return m.ID, m.Name }, chosen...), err
}
