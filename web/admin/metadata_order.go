package admin

import (
	"fmt"
	"net/http"
	"strconv"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

func moveMetadata(v *visit) error {
	s, row, err := v.row()
	if err != nil {
		return err
	}
	to, err := whole("position", v.value("position"))
	if err == nil && to == nil {
		err = &models.Error{Kind: models.Invalid, Message: "Say to which position."}
	}
	if err == nil {
		to = new(min(max(*to, 1), len(s.rows)) - 1)
		err = v.programme.MoveMetadata(v.ctx(), s.family, row.ID, *to)
	}
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.metadataPage(http.StatusUnprocessableEntity, s, pages.MetadataPage{}, s.index(row.ID))
	}
	from := s.index(row.ID)
	text := fmt.Sprintf("“%s” is number %d of %d now.", cut(row.Name), *to+1, len(s.rows))
	if from == *to || v.value("undo") != "" {
		return v.see(s.at(*to, "")+"#row-"+row.ID, text)
	}
	return v.seeUndo(s.at(*to, "")+"#row-"+row.ID, text, s.base+"/"+row.ID+"/move",
		components.Fault{Field: "position", Message: strconv.Itoa(from + 1)}, components.Fault{Field: "undo", Message: "yes"})
}
