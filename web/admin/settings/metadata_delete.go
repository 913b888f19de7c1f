package settings

import (
	"net/http"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
)

func deleteMetadataForm(v *visit.Visit, s *shelf) error {
	return deleteMetadataPage(v, http.StatusOK, s, "")
}

func deleteMetadataPage(v *visit.Visit, status int, s *shelf, chosen string) error {
	row := s.row
	usage, err := metadata.Of(v.Programme).Usage(v.UserContext(), s.family)
	if err != nil {
		return err
	}
	p := pages.DeleteMetadataPage{
		ConfirmPage: layouts.ConfirmPage{
			Action: s.base + "/" + row.ID + "/delete", Verb: "Delete " + s.family.Singular(),
			Cancel: s.at(s.index(row.ID)), Last: "This cannot be undone. Activity keeps what it was.",
		},
		Uses:   uses(v, s.family, row.ID, usage[row.ID]),
		Others: []components.Option{{Name: "Nothing: leave it without a " + s.family.Singular()}},
	}
	switch {
	case s.family == models.Tags:
		p.Others[0].Name = "Nothing: just remove the tag"
	case usage[row.ID].Breaks > 0:
		p.Others[0].Name = "Nothing: leave sessions without a room, and delete its " +
			visit.Counted(int64(usage[row.ID].Breaks), "break", "breaks")
	}
	for _, other := range s.rows {
		if other.ID != row.ID {
			p.Others = append(p.Others, components.Option{Value: other.ID, Name: other.Name, Chosen: other.ID == chosen})
		}
	}
	return visit.Show(v, status, p.Verb+" “"+row.Name+"”?", pages.DeleteMetadata, p)
}

func deleteMetadata(v *visit.Visit, s *shelf) error {
	row, other := s.row, v.Value("reassign")
	if err := metadata.Of(v.Programme).Delete(v.UserContext(), s.family, row.ID, visit.Optional(other)); err != nil {
		return v.Again(err, func(status int) error { return deleteMetadataPage(v, status, s, other) })
	}
	text := "“" + visit.Cut(row.Name) + "” is deleted."
	if other != "" {
		text = "“" + visit.Cut(row.Name) + "” is deleted; “" + visit.Cut(s.rows[s.index(other)].Name) +
			"” stands in its place."
	}
	return v.See(s.at(max(0, min(s.index(row.ID), len(s.rows)-2))), text)
}
