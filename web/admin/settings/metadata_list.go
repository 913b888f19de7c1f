package settings

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/look"
	"lectern/models/metadata"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// shelf is a family of the event's metadata with what its page needs.
type shelf struct {
	family models.Family
	base   string
	rows   []*models.Metadata // all rows, in order
	row    *models.Metadata   // the row of the path, nil for none
}

// metadataPage is how many rows a page of a family shows.
const metadataPage = 100

// family reads the family of the path.
func family(v *visit.Visit) (*shelf, error) {
	s := &shelf{family: models.Family(v.Params("family")), base: v.At("/metadata/" + v.Params("family"))}
	if !slices.Contains(models.Families, s.family) {
		return nil, page.NoPage
	}
	var err error
	s.rows, err = v.Programme.Family(v.UserContext(), s.family)
	return s, err
}

// index returns the index of a row, -1 for none.
func (s *shelf) index(id string) int {
	return slices.IndexFunc(s.rows, func(m *models.Metadata) bool { return m.ID == id })
}

// row reads the family and the row of the path.
func row(v *visit.Visit) (*shelf, error) {
	s, err := family(v)
	if err != nil {
		return nil, err
	}
	if i := s.index(v.Params("row")); i >= 0 {
		s.row = s.rows[i]
		return s, nil
	}
	return nil, &store.Error{Kind: store.NotFound, Message: "There is no such " + s.family.Singular() +
		" in this event. It may have been deleted."}
}

// at returns the address of the page that shows the row at an index.
func (s *shelf) at(index int, query ...string) string {
	if page := index/metadataPage + 1; page > 1 {
		query = append([]string{"page=" + strconv.Itoa(page)}, query...)
	}
	if len(query) == 0 {
		return s.base
	}
	return s.base + "?" + strings.Join(query, "&")
}

// atRow returns the address at which the path's row is shown.
func (s *shelf) atRow() string { return s.at(s.index(s.row.ID)) + "#row-" + s.row.ID }

func listTracks(v *visit.Visit) error { return v.See(v.At("/metadata/tracks"), "") }

func listMetadata(v *visit.Visit, s *shelf) error {
	p := pages.MetadataPage{}
	if i := s.index(v.Query("edit")); i >= 0 && v.May(staff.Organizer) {
		p.Edit = new(metadataFormOf(s.rows[i]))
	}
	p.Add.Focus = v.Query("add") != ""
	number, _ := strconv.Atoi(v.Query("page"))
	return metadataPageOf(v, http.StatusOK, s, p, (max(number, 1)-1)*metadataPage)
}

// findMetadata redirects to where a row is shown.
func findMetadata(v *visit.Visit, s *shelf) error { return v.See(s.atRow(), "") }

// metadataPageOf shows the page that holds the row at an index.
func metadataPageOf(v *visit.Visit, status int, s *shelf, p pages.MetadataPage, index int) error {
	shell, err := v.Shell(pages.FamilyWords[s.family].Title)
	if err != nil {
		return err
	}
	usage, err := metadata.Of(v.Programme).Usage(v.UserContext(), s.family)
	if err != nil {
		return err
	}
	if p.Tabs, err = familyTabs(v, s.family); err != nil {
		return err
	}
	shell.Scripts = []string{"/static/vendor/sortable/Sortable.min.js"}
	shell.Path = s.base
	p.Shell, p.Base, p.Family, p.Total, p.MayChange = shell, s.base, s.family, len(s.rows), v.May(staff.Organizer)
	last := max(0, (len(s.rows)-1)/metadataPage)
	page := min(max(index/metadataPage, 0), last)
	p.First = page * metadataPage
	for _, m := range s.rows[p.First:min(p.First+metadataPage, len(s.rows))] {
		row := pages.MetadataRow{Metadata: m, Uses: uses(v, s.family, m.ID, usage[m.ID])}
		if p.MayChange { // others could not act on it
			row.Warning = colorWarning(m.Color)
		}
		p.Rows = append(p.Rows, row)
	}
	if s.family == models.Tracks && p.Add.Own == "" {
		p.Add.Own = models.TrackColors[len(s.rows)%len(models.TrackColors)]
	}
	if last > 0 {
		p.Pages = &components.Pages{From: visit.Number(int64(p.First + 1)), To: visit.Number(int64(p.First + len(p.Rows))),
			Total: visit.Number(int64(len(s.rows))), What: string(s.family)}
		if page > 0 {
			p.Pages.Previous = s.at(p.First - metadataPage)
		}
		if page < last {
			p.Pages.Next = s.at(p.First + metadataPage)
		}
	}
	if status != http.StatusOK {
		v.Set("HX-Push-Url", "false") // a refused form's address must not enter the browser's history
	}
	return v.Render(status, pages.Metadata(p))
}

func familyTabs(v *visit.Visit, current models.Family) ([]components.Tab, error) {
	var tabs []components.Tab
	for _, family := range models.Families {
		_, at, err := v.Programme.ListMetadata(v.UserContext(), family, "", store.Page{Size: 1})
		if err != nil {
			return nil, err
		}
		tabs = append(tabs, components.Tab{
			Name: pages.FamilyWords[family].Title, URL: v.At("/metadata/" + string(family)),
			Count:   visit.Number(at.TotalResults),
			Current: family == current,
		})
	}
	return tabs, nil
}

// uses returns what uses a row, each with a link to its list.
func uses(v *visit.Visit, family models.Family, id string, u metadata.Usage) []pages.MetadataUse {
	var uses []pages.MetadataUse
	query := "?" + family.Singular() + "=" + id
	add := func(n int, one, many, address string) {
		if n > 0 {
			uses = append(uses, pages.MetadataUse{Text: visit.Counted(int64(n), one, many), URL: address})
		}
	}
	add(u.Submissions, "submission", "submissions", v.At("/submissions"+query))
	add(u.Sessions, "session", "sessions", v.At("/sessions"+query))
	add(u.People, "person", "people", "")
	add(u.Breaks, "break", "breaks", "")
	return uses
}

// colorWarning says where a track's colour is hard to see.
func colorWarning(color *string) string {
	if color == nil || look.ContrastOK(*color) {
		return ""
	}
	light, dark := look.Contrasts(*color)
	where, ratio := "light", light
	if dark < light {
		where, ratio = "dark", dark
	}
	ratio = math.Floor(ratio*10) / 10 // rounded down, so that it never seems sufficient
	return fmt.Sprintf("Hard to see on the %s page: its contrast is %.1f to 1, and %.0f to 1 is enough.", where, ratio,
		look.MinContrast)
}
