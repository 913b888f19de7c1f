package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

func (w *Web) metadataRoutes() []route {
	const list, row = event + "/metadata/:family", event + "/metadata/:family/:row"
	return []route{
		{"GET", event + "/metadata", viewer, func(v *visit) error { return v.see(v.at("/metadata/tracks"), "") }},
		{"GET", list, viewer, listMetadata},
		{"POST", list, organizer, addMetadata},
		{"GET", row, viewer, findMetadata},
		{"POST", row, organizer, changeMetadata},
		{"POST", row + "/move", organizer, moveMetadata},
		{"GET", row + "/delete", organizer, deleteMetadataForm},
		{"POST", row + "/delete", organizer, deleteMetadata},
	}
}

// shelf is a family of the event as a page needs it.
type shelf struct {
	family models.Family
	base   string
	rows   []*models.Metadata // all of them, in order
}

// metadataPage is how many rows a page of a family has.
const metadataPage = 100

// shelf reads the family of the address.
func (v *visit) shelf() (*shelf, error) {
	s := &shelf{family: models.Family(v.Params("family")), base: v.at("/metadata/" + v.Params("family"))}
	if !slices.Contains(models.Families, s.family) {
		return nil, errNoPage
	}
	for page := 1; page <= models.MaxPage; page++ {
		rows, at, err := v.programme.ListMetadata(v.ctx(), s.family, "", models.Page{Number: page, Size: models.MaxPageSize})
		if err != nil {
			return nil, err
		}
		s.rows = append(s.rows, rows...)
		if page >= at.TotalPages {
			break
		}
	}
	return s, nil
}

// index is the place of a row, -1 without.
func (s *shelf) index(id string) int {
	return slices.IndexFunc(s.rows, func(m *models.Metadata) bool { return m.ID == id })
}

// row is the row of the address with its family.
func (v *visit) row() (*shelf, *models.Metadata, error) {
	s, err := v.shelf()
	if err != nil {
		return nil, nil, err
	}
	if i := s.index(v.Params("row")); i >= 0 {
		return s, s.rows[i], nil
	}
	return nil, nil, &models.Error{Kind: models.NotFound, Message: "There is no such " + s.family.Singular() + " in this event. It may have been deleted."}
}

// at is the address of the page on which the row at an index stands.
func (s *shelf) at(index int, query string) string {
	address := s.base
	if page := index/metadataPage + 1; page > 1 {
		address += "?page=" + strconv.Itoa(page)
		if query != "" {
			address += "&" + query
		}
	} else if query != "" {
		address += "?" + query
	}
	return address
}

func listMetadata(v *visit) error {
	s, err := v.shelf()
	if err != nil {
		return err
	}
	p := pages.MetadataPage{}
	if i := s.index(v.Query("edit")); i >= 0 && v.may(models.Organizer) {
		form := metadataFormOf(s.rows[i])
		p.Edit = &form
	}
	p.Add.Focus = v.Query("add") != ""
	number, _ := strconv.Atoi(v.Query("page"))
	return v.metadataPage(http.StatusOK, s, p, (max(number, 1)-1)*metadataPage)
}

// findMetadata leads to where a row stands.
func findMetadata(v *visit) error {
	s, row, err := v.row()
	if err != nil {
		return err
	}
	return v.see(s.at(s.index(row.ID), "")+"#row-"+row.ID, "")
}

// metadataPage shows the page on which index lies.
func (v *visit) metadataPage(status int, s *shelf, p pages.MetadataPage, index int) error {
	shell, err := v.shell(pages.FamilyWords[s.family].Title)
	if err != nil {
		return err
	}
	usage, err := v.programme.MetadataUsage(v.ctx(), s.family)
	if err != nil {
		return err
	}
	if p.Tabs, err = v.familyTabs(s.family); err != nil {
		return err
	}
	shell.Scripts = []string{"/static/vendor/sortable/Sortable.min.js"}
	shell.Path = s.base
	p.Shell, p.Base, p.Family, p.Total, p.MayChange = shell, s.base, s.family, len(s.rows), v.may(models.Organizer)
	last := max(0, (len(s.rows)-1)/metadataPage)
	page := min(max(index/metadataPage, 0), last)
	p.First = page * metadataPage
	for _, m := range s.rows[p.First:min(p.First+metadataPage, len(s.rows))] {
		p.Rows = append(p.Rows, pages.MetadataRow{Metadata: m, Uses: v.uses(s.family, m.ID, usage[m.ID]), Warning: colorWarning(m.Color)})
	}
	if s.family == models.Tracks && p.Add.Color == "" {
		p.Add.Color = models.TrackColors[len(s.rows)%len(models.TrackColors)]
	}
	if last > 0 {
		p.Pages = &components.Pages{From: number(int64(p.First + 1)), To: number(int64(p.First + len(p.Rows))), Total: number(int64(len(s.rows))), What: string(s.family)}
		if page > 0 {
			p.Pages.Previous = s.at(p.First-metadataPage, "")
		}
		if page < last {
			p.Pages.Next = s.at(p.First+metadataPage, "")
		}
	}
	if status != http.StatusOK {
		v.Set("HX-Push-Url", "false") // the address of a refused form is none to come back to
	}
	return v.render(status, pages.Metadata(p))
}

func (v *visit) familyTabs(current models.Family) ([]components.Tab, error) {
	var tabs []components.Tab
	for _, family := range models.Families {
		_, at, err := v.programme.ListMetadata(v.ctx(), family, "", models.Page{Size: 1})
		if err != nil {
			return nil, err
		}
		tabs = append(tabs, components.Tab{
			Name: pages.FamilyWords[family].Title, URL: v.at("/metadata/" + string(family)), Count: number(at.TotalResults), Current: family == current,
		})
	}
	return tabs, nil
}

// uses are what uses a row, each with the list of it.
func (v *visit) uses(family models.Family, id string, u models.Usage) []pages.MetadataUse {
	var uses []pages.MetadataUse
	query := "?" + family.Singular() + "=" + id
	if u.Submissions > 0 {
		uses = append(uses, pages.MetadataUse{Text: counted(int64(u.Submissions), "submission", "submissions"), URL: v.at("/submissions" + query)})
	}
	if u.Sessions > 0 {
		uses = append(uses, pages.MetadataUse{Text: counted(int64(u.Sessions), "session", "sessions"), URL: v.at("/sessions" + query)})
	}
	if u.People > 0 {
		uses = append(uses, pages.MetadataUse{Text: counted(int64(u.People), "person", "people")})
	}
	return uses
}

// colorWarning says where a track's colour is hard to see.
func colorWarning(color *string) string {
	if color == nil || models.ContrastOK(*color) {
		return ""
	}
	light, dark := models.Contrasts(*color)
	where, ratio := "light", light
	if dark < light {
		where, ratio = "dark", dark
	}
	return fmt.Sprintf("Hard to see on the %s page: contrast %.1f to 1, at least %.0f to 1 is needed.", where, ratio, models.MinContrast)
}

// metadataFormOf is a row as its form shows it.
func metadataFormOf(m *models.Metadata) pages.MetadataForm {
	f := pages.MetadataForm{ID: m.ID, UpdatedAt: m.UpdatedAt.String(), Focus: true, MetadataValues: valuesOf(m)}
	f.Was = f.MetadataValues
	return f
}

func valuesOf(m *models.Metadata) pages.MetadataValues {
	text := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	values := pages.MetadataValues{Name: m.Name, Capacity: text(m.Capacity), Minutes: text(m.DefaultMinutes)}
	if m.Color != nil {
		values.Color = *m.Color
	}
	return values
}

func (v *visit) metadataForm() pages.MetadataForm {
	read := func(was string) pages.MetadataValues {
		return pages.MetadataValues{
			Name: v.value(was + "name"), Color: v.value(was + "color"), Capacity: v.value(was + "capacity"), Minutes: v.value(was + "default_minutes"),
		}
	}
	return pages.MetadataForm{ID: v.Params("row"), UpdatedAt: v.value("updated_at"), MetadataValues: read(""), Was: read("was_")}
}

// whole reads a whole number; nothing is nil. One that is too large for any rule
// is handed on to be refused by it.
func whole(field, text string) (*int, error) {
	if text == "" {
		return nil, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case errors.Is(err, strconv.ErrRange):
		n = math.MaxInt32
	case err != nil:
		return nil, fieldFault(field, "must be a whole number")
	}
	return &n, nil
}

// numbers are the fields of a form that belong to one family each.
func numbers(family models.Family, f pages.MetadataForm) (capacity, minutes *int, err error) {
	switch family {
	case models.Rooms:
		capacity, err = whole("capacity", f.Capacity)
	case models.Formats:
		minutes, err = whole("default_minutes", f.Minutes)
	}
	return capacity, minutes, err
}

func addMetadata(v *visit) error {
	s, err := v.shelf()
	if err != nil {
		return err
	}
	f := v.metadataForm()
	n := models.NewMetadata{Name: f.Name}
	if s.family == models.Tracks {
		n.Color = optional(f.Color)
	}
	var row *models.Metadata
	if n.Capacity, n.DefaultMinutes, err = numbers(s.family, f); err == nil {
		err = v.once(func(ctx context.Context) (_ string, err error) {
			row, err = v.programme.CreateMetadata(ctx, s.family, n)
			return s.at(len(s.rows), ""), err
		})
	}
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.metadataPage(http.StatusUnprocessableEntity, s, pages.MetadataPage{Add: f}, len(s.rows)-1)
	}
	return v.metadataDone(s, s.at(len(s.rows), "add=1"), "added", row)
}

// metadataDone leads back to the list with what was done, and with a warning
// when the name or the colour deserves one.
func (v *visit) metadataDone(s *shelf, address, done string, row *models.Metadata) error {
	kind, text := "good", "“"+cut(row.Name)+"” is "+done+"."
	if slices.ContainsFunc(s.rows, func(m *models.Metadata) bool { return m.ID != row.ID && strings.EqualFold(m.Name, row.Name) }) {
		kind, text = "warn", text+" There is another "+s.family.Singular()+" of that name."
	}
	if warning := colorWarning(row.Color); warning != "" {
		kind, text = "warn", text+" Its colour is h"+warning[1:]
	}
	v.keepNotice(kind, text)
	return v.see(address, "")
}

// cut is a name short enough for a notice.
func cut(name string) string {
	if runes := []rune(name); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return name
}

func changeMetadata(v *visit) error {
	s, now, err := v.row()
	if err != nil {
		return err
	}
	f := v.metadataForm()
	token, _ := models.ParseTime(f.UpdatedAt) // none is as good as an old one
	c := models.MetadataChange{Name: &f.Name, UpdatedAt: &token}
	if s.family == models.Tracks {
		c.Color = &f.Color
	}
	c.Capacity.Set, c.DefaultMinutes.Set = s.family == models.Rooms, s.family == models.Formats
	var row *models.Metadata
	if c.Capacity.Value, c.DefaultMinutes.Value, err = numbers(s.family, f); err == nil {
		row, err = v.programme.UpdateMetadata(v.ctx(), s.family, now.ID, c)
	}
	if models.KindOf(err) == models.Stale {
		return v.metadataConflict(s, now, f)
	}
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.metadataPage(http.StatusUnprocessableEntity, s, pages.MetadataPage{Edit: &f}, s.index(now.ID))
	}
	return v.metadataDone(s, s.at(s.index(row.ID), "")+"#row-"+row.ID, "saved", row)
}

// metadataConflict asks field by field whose value is to stay.
func (v *visit) metadataConflict(s *shelf, now *models.Metadata, f pages.MetadataForm) error {
	theirs := valuesOf(now)
	fields := []edited{{name: "name", label: "Name", was: f.Was.Name, mine: f.Name, theirs: theirs.Name}}
	switch s.family {
	case models.Tracks:
		fields = append(fields, edited{name: "color", label: "Colour", was: f.Was.Color, mine: f.Color, theirs: theirs.Color})
	case models.Rooms:
		fields = append(fields, edited{name: "capacity", label: "Seats", was: f.Was.Capacity, mine: f.Capacity, theirs: theirs.Capacity})
	case models.Formats:
		fields = append(fields, edited{name: "default_minutes", label: "Minutes", was: f.Was.Minutes, mine: f.Minutes, theirs: theirs.Minutes})
	}
	c, err := v.conflict(now.ID, now.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard = s.base+"/"+now.ID, s.at(s.index(now.ID), "")
	return v.metadataPage(http.StatusConflict, s, pages.MetadataPage{Conflict: c}, s.index(now.ID))
}

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
