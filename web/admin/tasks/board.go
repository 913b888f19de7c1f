package tasks

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	pages "lectern/views/pages/tasks"
	"lectern/views/records"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// title is the name of all pages of tasks in the sidebar.
const title = "Tasks"

// narrowing are the parameters that filter a list of deliverables.
var narrowing = []string{"show", "as", "task", "track", "session", "q"}

// showNames name the states that the list can show.
var showNames = map[tasks.Show]string{tasks.Everything: "All", tasks.Late: "Late", tasks.Missing: "Missing",
	tasks.ToCheck: "To check", tasks.Asked: "Waiting for an answer", tasks.Finished: "Finished"}

// emptyShows say what it means that no deliverable is in a state.
var emptyShows = map[tasks.Show]string{tasks.Late: "Nothing is late.", tasks.Missing: "Everybody has handed in all there is.",
	tasks.ToCheck: "All that was handed in has been looked at.", tasks.Asked: "Nobody waits for an answer of yours.",
	tasks.Finished: "Nothing is finished yet."}

// view is a list of deliverables as its address describes it.
type view struct {
	visit.Listing
	wanted tasks.Wanted
}

// viewOf reads the address of a list, through value. It drops parameters that name nothing of the event.
func viewOf(v *visit.Visit, b *tasks.Board, value func(string) string) (view, error) {
	l := visit.Listing{Query: map[string][]string{}}
	for _, name := range narrowing {
		l.Set(name, value(name))
	}
	if !slices.Contains(tasks.Shows, tasks.Show(l.Query.Get("show"))) {
		l.Set("show", "")
	}
	if !slices.ContainsFunc(b.Tasks, func(t *tasks.Task) bool { return t.ID == l.Query.Get("task") }) {
		l.Set("task", "")
	}
	l.Set("session", sessionNamed(v, b, l.Query.Get("session")))
	if whoseOf(l) == "" {
		l.Set("as", "")
	}
	tracks, err := v.FamilyOptions(models.Tracks)
	if visit.OptionName(tracks, l.Query.Get("track")) == "" {
		l.Set("track", "")
	}
	l.Set("q", visit.Searchable(strings.TrimSpace(l.Query.Get("q"))))
	return view{l, tasks.Wanted{TaskID: l.Query.Get("task"), TrackID: l.Query.Get("track"),
		SessionID: l.Query.Get("session"), Show: tasks.Show(l.Query.Get("show")), Text: l.Query.Get("q")}}, err
}

// sessionNamed returns the id of the session that an address names, by id or by its label as typed; "" for none.
func sessionNamed(v *visit.Visit, b *tasks.Board, name string) string {
	if name == "" || b.Sessions[name] != nil {
		return name
	}
	for _, d := range b.All {
		if d.SessionID != nil && strings.EqualFold(b.Sessions[*d.SessionID].FriendlyID, name) {
			return *d.SessionID
		}
	}
	if v.Reads() && !store.IsID(name) {
		v.WarnNow("No session “" + visit.Cut(name) + "” has a task, so it narrows nothing.")
	}
	return ""
}

// board returns all deliverables, and the list of them to show.
func board(v *visit.Visit) (*tasks.Board, view, error) {
	b, err := v.BoardOfTasks()
	if err != nil {
		return nil, view{}, err
	}
	value := func(name string) string { return v.Query(name) }
	if !v.Reads() { // a form carries the list along
		query, _ := url.ParseQuery(v.Value("query"))
		value = query.Get
	}
	l, err := viewOf(v, b, value)
	return b, l, err
}

func showBoard(v *visit.Visit) error { return boardPage(v, http.StatusOK, visit.ViewForm{}) }

// boardPage shows the list of deliverables, or their table; form is a saved view's form that was refused.
func boardPage(v *visit.Visit, status int, form visit.ViewForm) error {
	b, l, err := board(v)
	if err != nil {
		return err
	}
	base := v.At("/tasks")
	w := l.wanted
	w.Show = tasks.Everything
	rest := b.Only(w)
	some := slices.DeleteFunc(slices.Clone(rest), func(d *tasks.Deliverable) bool { return !b.Is(d, l.wanted.Show) })
	p := pages.BoardPage{Base: base, Tabs: tabs(v, b, "board"), Shows: shows(base, b, l, rest), None: len(b.Tasks) == 0,
		Zone: page.City(v.Event.Timezone), Empty: emptyShows[l.wanted.Show]}
	if l.wanted.Show == tasks.Everything && len(b.All) == 0 {
		p.Empty = "Nobody has a task now. Whoever fits one has it at once."
	}
	if l.narrowed() {
		p.Empty = ""
	}
	if p.Bar, err = bar(v, b, l, base, "deliverable", len(some)); err != nil {
		return err
	}
	if p.Bar.Views, err = views(v, b, l, form); err != nil {
		return err
	}
	if n := len(b.Reminders(some)); n > 0 {
		p.Remind, p.Ask = visit.Counted(int64(n), "person", "people"), v.At("/tasks/remind")+l.With("page")
	}
	if n, err := v.ToCheck(v.Programme); err != nil {
		return err
	} else if n > 0 {
		p.Check = v.At("/tasks/check")
	}
	l.Set("page", v.Query("page"))
	beyond := ""
	if whose := whoseOf(l.Listing); whose != "" {
		beyond = fillTable(v, &p, b, l, some, whose)
	} else if beyond, err = fillRows(v, &p, b, l, some); err != nil {
		return err
	}
	if beyond != "" {
		return v.SeeInstead(beyond)
	}
	return visit.Show(v, status, title, pages.Board, p)
}

// fillRows fills in the deliverables of one page. For a page beyond the last, it returns the address of the last one.
func fillRows(v *visit.Visit, p *pages.BoardPage, b *tasks.Board, l view,
	some []*tasks.Deliverable) (beyond string, err error) {
	from, to, found := paged(l, len(some))
	if from > len(some) {
		return p.Base + l.OnPage(found.TotalPages).Address(), nil
	}
	p.Pages = visit.PagesOf(p.Base, l.Listing, found, "deliverables")
	p.Rows, err = rows(v, b, some[from:to])
	return "", err
}

// paged returns which of all rows are on the list's page; from is larger than all for a page beyond the last.
func paged(l view, all int) (from, to int, found store.Pagination) {
	page := store.Page{Number: l.Page(), Size: visit.RowsAPage}
	from, to, found = page.Offset(), min(page.Offset()+page.Size, all), page.Of(int64(all))
	if from > 0 && from >= all {
		from = all + 1
	}
	return from, to, found
}

// narrowed tells whether a filter is on, besides the tab.
func (l view) narrowed() bool {
	return slices.ContainsFunc(narrowing[2:], func(name string) bool { return l.Query.Get(name) != "" })
}

// rows returns deliverables with the latest version of each.
func rows(v *visit.Visit, b *tasks.Board, of []*tasks.Deliverable) (all []records.TaskRow, err error) {
	latest, err := v.TasksOf().Latest(v.UserContext(), of)
	for _, d := range of {
		row := v.TaskRow(b, d)
		versionWords(&row, latest[[2]string{d.TaskID, d.OwnerID()}])
		all = append(all, row)
	}
	return all, err
}

// versionWords adds the latest version of a deliverable to its row.
func versionWords(row *records.TaskRow, latest *tasks.Version) {
	if latest == nil {
		return
	}
	row.Version, row.File = "Version "+strconv.Itoa(latest.Number), latest.URL
	if latest.File != nil {
		row.File = latest.File.Name
	}
}

// tabs returns the tabs of all pages of tasks.
func tabs(v *visit.Visit, b *tasks.Board, current string) []components.Tab {
	return []components.Tab{
		{Name: "Deliverables", URL: v.At("/tasks"), Count: visit.Number(int64(len(b.All))), Current: current == "board"},
		{Name: "Files", URL: v.At("/tasks/files"), Current: current == "files"},
		{Name: "Tasks", URL: v.At("/tasks/list"), Count: visit.Number(int64(len(b.Tasks))), Current: current == "list"}}
}

// shows returns the states that the list can show, each with its number among rest.
func shows(base string, b *tasks.Board, l view, rest []*tasks.Deliverable) (all []components.Tab) {
	counts := make([]int64, len(tasks.Shows))
	for _, d := range rest {
		for i, show := range tasks.Shows {
			if b.Is(d, show) {
				counts[i]++
			}
		}
	}
	for i, show := range tasks.Shows {
		all = append(all, components.Tab{Name: showNames[show], URL: base + l.With("show", string(show)),
			Count: visit.Number(counts[i]), Current: show == l.wanted.Show})
	}
	return all
}

// bar returns the line above the list of files, or of deliverables, at the address base; what names one of them.
func bar(v *visit.Visit, b *tasks.Board, l view, base, what string, found int) (toolbar.Bar, error) {
	bar := toolbar.Bar{Base: base, Text: l.wanted.Text, Placeholder: "Name, title or label",
		Searches: "Searches the names of people, and the titles and labels of sessions.",
		Hidden:   l.Hidden("show", "as"), Found: visit.Number(int64(found)), What: what + "s",
		CSV: base + ".csv" + l.With("page")}
	if found == 1 {
		bar.What = what
	}
	tracks, err := v.FamilyOptions(models.Tracks, l.wanted.TrackID)
	if err != nil {
		return bar, err
	}
	tasks := visit.Choices(b.Tasks, func(t *tasks.Task) (string, string) { return t.ID, t.Title }, l.wanted.TaskID)
	chip := func(label, name, text string) {
		if l.Query.Get(name) != "" && text != "" {
			bar.Chips = append(bar.Chips, toolbar.Chip{Label: label, Text: text, Without: base + l.With(name)})
		}
	}
	bar.Filters = []toolbar.FilterGroup{{Name: "task", Label: "Task", Options: tasks}}
	if len(tracks) > 0 {
		bar.Filters = append(bar.Filters, toolbar.FilterGroup{Name: "track", Label: "Track", Options: tracks})
	}
	chip("Task", "task", visit.OptionName(tasks, l.wanted.TaskID))
	chip("Track", "track", visit.OptionName(tracks, l.wanted.TrackID))
	session := toolbar.FilterInput{Name: "session", Label: "Label, such as A-12", Type: "text"}
	group := toolbar.FilterGroup{Name: "session", Label: "Session"}
	if s := b.Sessions[l.wanted.SessionID]; s != nil {
		session.Value, group.On = s.FriendlyID, 1
		chip("Session", "session", s.FriendlyID)
	}
	group.Inputs = []toolbar.FilterInput{session}
	bar.Filters = append(bar.Filters, group)
	if l.narrowed() {
		clear := visit.Listing{Query: map[string][]string{}}
		clear.Set("as", l.Query.Get("as"))
		bar.Clear = base + clear.With("show", string(l.wanted.Show))
	}
	return bar, nil
}

// nextToCheck leads to the next deliverable to check, after the one that the user comes from.
func nextToCheck(v *visit.Visit) error {
	b, err := v.BoardOfTasks()
	if err != nil {
		return err
	}
	waiting := b.Only(tasks.Wanted{Show: tasks.ToCheck})
	if len(waiting) == 0 {
		return v.See(v.At("/tasks?show=check"), "All that was handed in has been looked at.")
	}
	next := waiting[0]
	from := slices.IndexFunc(b.All, func(d *tasks.Deliverable) bool { return d.TaskID+d.OwnerID() == v.Query("after") })
	if i := slices.IndexFunc(b.All[from+1:], (*tasks.Deliverable).IsToCheck); i >= 0 {
		next = b.All[from+1+i]
	}
	return v.See(v.TaskAt(next), "")
}
