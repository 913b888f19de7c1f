package settings

import (
	"cmp"
	"fmt"
	"strconv"

	"lectern/models/metadata"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
)

func moveMetadata(v *visit.Visit, s *shelf) error {
	row := s.row
	to, err := visit.WholeNumber("position", cmp.Or(v.Value("step"), v.Value("position")))
	if err == nil && to == nil {
		err = &store.Error{Kind: store.Invalid, Message: "Say to which position."}
	}
	if err == nil {
		to = new(min(max(*to, 1), len(s.rows)) - 1)
		err = metadata.Of(v.Programme).Move(v.UserContext(), s.family, row.ID, *to)
	}
	if err != nil {
		return v.Again(err, func(status int) error {
			return metadataPageOf(v, status, s, pages.MetadataPage{}, s.index(row.ID))
		})
	}
	from := s.index(row.ID)
	address := s.at(*to) + "#row-" + row.ID
	text := fmt.Sprintf("“%s” is number %d of %d now.", visit.Cut(row.Name), *to+1, len(s.rows))
	if from == *to || v.Value("undo") != "" {
		return v.See(address, text)
	}
	return v.SeeUndo(address, text, s.base+"/"+row.ID+"/move",
		components.Hidden{Name: "position", Value: strconv.Itoa(from + 1)}, components.Hidden{Name: "undo", Value: "yes"})
}
