package tasks

import (
	"context"
	"io"
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	pages "lectern/views/pages/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// groupingNames name the ways to group an archive into folders.
var groupingNames = map[tasks.Grouping]string{tasks.ByTask: "Task", tasks.ByDay: "Day", tasks.ByRoom: "Room",
	tasks.BySession: "Session", tasks.ByPerson: "Person"}

// listFiles shows the latest files of the deliverables that match the filters, to download one by one or all at once.
func listFiles(v *visit.Visit) error {
	b, l, err := board(v)
	if err != nil {
		return err
	}
	w, base := l.wanted, v.At("/tasks/files")
	w.Show = tasks.Everything
	held, err := v.TasksOf().Library(v.UserContext(), b, w)
	if err != nil {
		return err
	}
	shows := fileShows(base, b, l, held)
	held = slices.DeleteFunc(held, func(h *tasks.LatestFile) bool { return !b.Is(h.Deliverable, l.wanted.Show) })
	l.Set("page", v.Query("page"))
	from, to, found := paged(l, len(held))
	if from > len(held) {
		return v.SeeInstead(base + l.OnPage(found.TotalPages).Address())
	}
	p := pages.FilesPage{Tabs: tabs(v, b, "files"), Shows: shows, None: len(shows) == 0, Archive: base + ".zip", Narrows: l.Hidden(narrowing...),
		Groupings: visit.Choices(tasks.Groupings, func(g tasks.Grouping) (string, string) { return string(g), groupingNames[g] },
			string(tasks.ByTask))}
	if p.Bar, err = bar(v, b, l, base, "file", len(held)); err != nil {
		return err
	}
	p.Bar.CSV = ""
	var bytes int64
	for _, h := range held {
		bytes += h.Version.File.Size
	}
	p.Size = page.Size(bytes)
	p.Rows = store.Map(held[from:to], func(h *tasks.LatestFile) pages.FileRow { return fileRow(v, b, h) })
	p.Pages = visit.PagesOf(base, l.Listing, found, "files")
	v.Section = v.At("/tasks")
	return visit.Show(v, http.StatusOK, title, pages.Files, p)
}

// fileShows returns the states of files that the list can show, each with its number; none where there are no files.
func fileShows(base string, b *tasks.Board, l view, held []*tasks.LatestFile) (all []components.Tab) {
	if len(held) == 0 && !l.narrowed() {
		return nil
	}
	for _, show := range []tasks.Show{tasks.Everything, tasks.ToCheck, tasks.Missing, tasks.Finished} {
		n := 0
		for _, h := range held {
			if b.Is(h.Deliverable, show) {
				n++
			}
		}
		name := showNames[show]
		if show == tasks.Missing {
			name = "Changes asked"
		}
		all = append(all, components.Tab{Name: name, URL: base + l.With("show", string(show)), Count: visit.Number(int64(n)),
			Current: show == l.wanted.Show})
	}
	return all
}

func fileRow(v *visit.Visit, b *tasks.Board, h *tasks.LatestFile) pages.FileRow {
	return pages.FileRow{TaskRow: v.TaskRow(b, h.Deliverable), Name: h.Version.File.Name, Size: page.Size(h.Version.File.Size),
		ID: h.Version.ID, Address: v.TaskAt(h.Deliverable) + "/versions/" + h.Version.ID, When: v.TaskClock(h.Version.CreatedAt),
		Versions: visit.Counted(int64(h.Version.Count), "version", "versions")}
}

// ticks returns the ids of the ticked versions, nil where all are wanted.
func ticks(v *visit.Visit) []string {
	if v.Query("take") == "" {
		return nil
	}
	return v.Queries("id")
}

// noFiles says why an archive would be empty.
func noFiles(v *visit.Visit) string {
	if v.Query("take") != "" {
		return "Tick the files that you want to take along, then download them."
	}
	return "There is no file to take along: nobody has handed in anything of what you chose."
}

// sendFiles answers with the latest files that match the filters as one archive, streamed while it is made.
func sendFiles(v *visit.Visit) error {
	_, l, err := board(v)
	if err != nil {
		return err
	}
	by := tasks.Grouping(v.Query("by"))
	if !slices.Contains(tasks.Groupings, by) {
		by = tasks.ByTask
	}
	archive, err := v.TasksOf().Archive(v.UserContext(), l.wanted, ticks(v), by)
	if store.KindOf(err) == store.Invalid {
		return v.SeeWarning(v.At("/tasks/files")+l.With("page"), noFiles(v))
	}
	if err != nil {
		return err
	}
	v.Set(fiber.HeaderContentType, "application/zip")
	v.Set(fiber.HeaderContentDisposition, `attachment; filename="`+v.Event.Slug+`-files-`+v.Now().UTC().Format("2006-01-02")+`.zip"`)
	page.Stream(v.Ctx, func(ctx context.Context, to io.Writer) error { return archive.WriteTo(ctx, to) })
	return nil
}
