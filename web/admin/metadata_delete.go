package admin

import (
	"cmp"
	"net/http"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

func deleteMetadataForm(v *visit) error {
	s, row, err := v.row()
	if err != nil {
		return err
	}
	return v.deleteMetadataPage(http.StatusOK, s, row, "")
}

func (v *visit) deleteMetadataPage(status int, s *shelf, row *models.Metadata, chosen string) error {
	shell, err := v.shell("Delete " + s.family.Singular())
	if err != nil {
		return err
	}
	usage, err := v.programme.MetadataUsage(v.ctx(), s.family)
	if err != nil {
		return err
	}
	p := pages.DeleteMetadataPage{
		Shell: shell, Base: s.base, Back: s.at(s.index(row.ID), ""), Family: s.family, Row: row, Uses: v.uses(s.family, row.ID, usage[row.ID]),
		Others: []components.Option{{Name: "Nothing: leave it without a " + s.family.Singular()}},
	}
	if s.family == models.Tags {
		p.Others[0].Name = "Nothing: just remove the tag"
	}
	for _, other := range s.rows {
		if other.ID != row.ID {
			p.Others = append(p.Others, components.Option{Value: other.ID, Name: other.Name, Chosen: other.ID == chosen})
		}
	}
	return v.render(status, pages.DeleteMetadata(p))
}

func deleteMetadata(v *visit) error {
	s, row, err := v.row()
	if err != nil {
		return err
	}
	other := v.value("reassign")
	if err := v.programme.DeleteMetadata(v.ctx(), s.family, row.ID, optional(other)); err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.deleteMetadataPage(http.StatusUnprocessableEntity, s, row, other)
	}
	text := "“" + cut(row.Name) + "” is deleted."
	if i := s.index(cmp.Or(other, row.ID)); other != "" {
		text = "“" + cut(row.Name) + "” is deleted; “" + cut(s.rows[i].Name) + "” stands in its place."
	}
	return v.see(s.at(max(0, min(s.index(row.ID), len(s.rows)-2)), ""), text)
}
