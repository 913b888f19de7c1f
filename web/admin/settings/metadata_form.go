package settings

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// metadataFormOf returns a row as its form shows it.
func metadataFormOf(m *models.Metadata) pages.MetadataForm {
	f := pages.MetadataForm{ID: m.ID, UpdatedAt: m.UpdatedAt.String(), Focus: true, MetadataValues: valuesOf(m)}
	f.Was = f.MetadataValues
	return f
}

func valuesOf(m *models.Metadata) pages.MetadataValues {
	return pages.MetadataValues{Name: m.Name, Wanted: visit.WholeText(m.Wanted),
		Own: cmp.Or(visit.WholeText(cmp.Or(m.Capacity, m.DefaultMinutes)), visit.ValueOr(m.Color, ""))}
}

func metadataForm(v *visit.Visit, family models.Family) pages.MetadataForm {
	read := func(was string) pages.MetadataValues {
		return pages.MetadataValues{Name: v.Value(was + "name"), Own: v.Value(was + pages.OwnFields[family].Name),
			Wanted: v.Value(was + "wanted")}
	}
	return pages.MetadataForm{ID: v.Params("row"), UpdatedAt: v.Value("updated_at"), MetadataValues: read(""),
		Was: read(components.FirstPrefix)}
}

// numbers reads the fields of a form that only some families have.
func numbers(family models.Family, f pages.MetadataForm) (capacity, minutes, wanted *int, err error) {
	switch family {
	case models.Rooms:
		capacity, err = visit.WholeNumber("capacity", f.Own)
	case models.Formats:
		minutes, err = visit.WholeNumber("default_minutes", f.Own)
	}
	if err == nil && family.HasQuota() {
		wanted, err = visit.WholeNumber("wanted", f.Wanted)
	}
	return capacity, minutes, wanted, err
}

func addMetadata(v *visit.Visit, s *shelf) (err error) {
	f := metadataForm(v, s.family)
	n := models.NewMetadata{Name: f.Name}
	if s.family == models.Tracks {
		n.Color = visit.Optional(f.Own)
	}
	if n.Capacity, n.DefaultMinutes, n.Wanted, err = numbers(s.family, f); err == nil {
		err = v.Once(func(ctx context.Context) (_ string, err error) {
			s.row, err = v.Programme.CreateMetadata(ctx, s.family, n)
			return s.at(len(s.rows)), err
		})
	}
	if err != nil {
		return v.Again(err, func(status int) error {
			return metadataPageOf(v, status, s, pages.MetadataPage{Add: f}, len(s.rows)-1)
		})
	}
	return metadataDone(v, s, s.at(len(s.rows), "add=1"), "added")
}

// metadataDone leads back to the list with a notice, and warns of a name that another row has or a colour that is hard
// to see.
func metadataDone(v *visit.Visit, s *shelf, address, done string) error {
	row := s.row
	kind, text := "good", "“"+visit.Cut(row.Name)+"” is "+done+"."
	namesake := func(m *models.Metadata) bool { return m.ID != row.ID && strings.EqualFold(m.Name, row.Name) }
	if slices.ContainsFunc(s.rows, namesake) {
		kind, text = "warn", text+" There is another "+s.family.Singular()+" of that name."
	}
	if warning := colorWarning(row.Color); warning != "" {
		kind, text = "warn", text+" Its colour is h"+warning[1:]
	}
	v.KeepNotice(kind, text)
	return v.See(address, "")
}

func changeMetadata(v *visit.Visit, s *shelf) (err error) {
	now, f := s.row, metadataForm(v, s.family)
	token, _ := store.ParseTime(f.UpdatedAt) // a missing token counts as stale
	c := metadata.Change{Name: &f.Name, UpdatedAt: &token}
	if s.family == models.Tracks {
		c.Color = &f.Own
	}
	c.Capacity.Set, c.DefaultMinutes.Set = s.family == models.Rooms, s.family == models.Formats
	c.Wanted.Set = s.family.HasQuota()
	if c.Capacity.Value, c.DefaultMinutes.Value, c.Wanted.Value, err = numbers(s.family, f); err == nil {
		s.row, err = metadata.Of(v.Programme).Update(v.UserContext(), s.family, now.ID, c)
	}
	if store.KindOf(err) == store.Stale {
		return metadataConflict(v, s, now, f)
	}
	if err != nil {
		return v.Again(err, func(status int) error {
			return metadataPageOf(v, status, s, pages.MetadataPage{Edit: &f}, s.index(now.ID))
		})
	}
	return metadataDone(v, s, s.atRow(), "saved")
}

// metadataConflict asks, field by field, whose value shall stay.
func metadataConflict(v *visit.Visit, s *shelf, now *models.Metadata, f pages.MetadataForm) error {
	theirs := valuesOf(now)
	fields := []page.Edited{{Name: "name", Label: "Name", Was: f.Was.Name, Mine: f.Name, Theirs: theirs.Name}}
	if own := pages.OwnFields[s.family]; own.Name != "" {
		fields = append(fields, page.Edited{Name: own.Name, Label: own.Label, Was: f.Was.Own, Mine: f.Own, Theirs: theirs.Own})
	}
	if s.family.HasQuota() {
		fields = append(fields, page.Edited{Name: "wanted", Label: "Sessions wanted", Was: f.Was.Wanted, Mine: f.Wanted,
			Theirs: theirs.Wanted})
	}
	c, err := v.Conflict(now.ID, now.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard = s.base+"/"+now.ID, s.at(s.index(now.ID))
	return metadataPageOf(v, http.StatusConflict, s, pages.MetadataPage{Conflict: c}, s.index(now.ID))
}
