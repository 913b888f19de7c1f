package tasks

import (
	"net/url"

	"github.com/a-h/templ"

	"lectern/models/store"
	"lectern/models/tasks"
	pages "lectern/views/pages/tasks"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// shapes are the ways to show deliverables: one to a row, or all tasks of a person or a session side by side.
var shapes = []struct {
	as    string
	whose tasks.Whose
	name  string
}{{"", "", "List"}, {"people", tasks.OfSpeaker, "People"}, {"sessions", tasks.OfSession, "Sessions"}}

// whoseOf returns who has a row of the table, "" for the list.
func whoseOf(l visit.Listing) tasks.Whose {
	for _, layout := range shapes {
		if layout.as == l.Query.Get("as") {
			return layout.whose
		}
	}
	return ""
}

// fillTable fills in the people or sessions of one page. For a page beyond the last, it returns the address of the last
// one.
func fillTable(v *visit.Visit, p *pages.BoardPage, b *tasks.Board, l view, some []*tasks.Deliverable,
	whose tasks.Whose) (beyond string) {
	columns, rows := b.Table(some, whose, l.wanted.TaskID)
	from, to, found := paged(l, len(rows))
	if from > len(rows) {
		return p.Base + l.OnPage(found.TotalPages).Address()
	}
	what := map[tasks.Whose]string{tasks.OfSpeaker: "people", tasks.OfSession: "sessions"}[whose]
	p.Pages = visit.PagesOf(p.Base, l.Listing, found, what)
	p.Table = &pages.Table{Whose: map[tasks.Whose]string{tasks.OfSpeaker: "Person", tasks.OfSession: "Session"}[whose]}
	for _, t := range columns {
		p.Table.Tasks = append(p.Table.Tasks, pages.Column{Title: t.Title, URL: p.Base + l.With("task", t.ID)})
	}
	p.Table.Rows = store.Map(rows[from:to], func(row tasks.Row) pages.TableRow { return tableRow(v, b, row) })
	return ""
}

func tableRow(v *visit.Visit, b *tasks.Board, row tasks.Row) pages.TableRow {
	first := v.TaskRow(b, row.First())
	out := pages.TableRow{Label: first.Label, Owner: first.Owner, People: first.People, URL: ownerAt(v, row.First())}
	for _, d := range row {
		cell := pages.Cell{}
		if d != nil {
			cell = pages.Cell{URL: v.TaskAt(d), Task: d.Task.Title, Badge: visit.TaskBadge(d, b.Now),
				IsLate: d.IsLate(b.Now), Asked: b.IsAsked(d)}
			if due := d.Due(); due != nil {
				cell.Due, cell.DueFull = due.In(v.Zone()).Format("2 Jan"), v.TaskClock(*due)
			}
		}
		out.Cells = append(out.Cells, cell)
	}
	return out
}

// savedPage is the page that saved views of deliverables belong to.
const savedPage = "tasks"

// views returns the layouts of the list and its saved views.
func views(v *visit.Visit, b *tasks.Board, l view, form visit.ViewForm) (templ.Component, error) {
	saved, err := v.SavedViews(savedPage, l.Listing, form, func(query url.Values) (visit.Listing, bool) {
		kept, err := viewOf(v, b, query.Get)
		return kept.Listing, err == nil
	})
	p := pages.Layouts{Saved: saved}
	for _, layout := range shapes {
		p.All = append(p.All, toolbar.Choice{Name: layout.name, URL: v.At("/tasks") + l.With("as", layout.as),
			Current: l.Query.Get("as") == layout.as})
	}
	return pages.ListLayouts(p), err
}

func keepView(v *visit.Visit) error {
	_, l, err := board(v)
	if err != nil {
		return err
	}
	form := v.SentView()
	if err = v.KeepView(savedPage, l.Listing, form); err == nil {
		return nil
	}
	return v.Again(err, func(status int) error { return boardPage(v, status, form) })
}

func dropView(v *visit.Visit) error {
	_, l, err := board(v)
	if err != nil {
		return err
	}
	return v.DropView(l.Listing)
}
