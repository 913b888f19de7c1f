package agenda

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// agendaViews are the ways to show a day, with their names in an address.
var agendaViews = []struct{ value, name string }{{"rooms", "Rooms"}, {"tracks", "Tracks"}, {"list", "List"}}

// agendaSteps are how many minutes a row of the grid may have; the first is the default.
var agendaSteps = []int{5, 15, 30, 60}

// agendaAsks is what an address asks the agenda to show.
type agendaAsks struct {
	day, view, text string
	step            int
}

const agendaCookie = "lectern-agenda-rows"

// agendaAsked reads the address; what it leaves open comes from this browser's cookie or a default.
func agendaAsked(v *visit.Visit) agendaAsks {
	asks := agendaAsks{day: v.Query("day"), view: agendaViews[0].value, text: v.Query("q"), step: agendaSteps[0]}
	for _, view := range agendaViews {
		if v.Query("view") == view.value {
			asks.view = view.value
		}
	}
	for _, step := range []string{v.CookieValue(agendaCookie), v.Query("step")} {
		if n, err := strconv.Atoi(step); err == nil && slices.Contains(agendaSteps, n) {
			asks.step = n
		}
	}
	return asks
}

// At returns the address of the agenda at a day in a view.
func At(v *visit.Visit, day, view string) string {
	query := url.Values{}
	if day != "" {
		query.Set("day", day)
	}
	if view != "" && view != agendaViews[0].value {
		query.Set("view", view)
	}
	if len(query) == 0 {
		return v.At("/agenda")
	}
	return v.At("/agenda") + "?" + query.Encode()
}

// keepAgendaRows stores in this browser how many minutes a row has.
func keepAgendaRows(v *visit.Visit) error {
	if n, err := strconv.Atoi(v.Value("step")); err == nil && slices.Contains(agendaSteps, n) {
		v.SetCookie(agendaCookie, strconv.Itoa(n), visit.AYear)
	}
	return v.See(At(v, v.Value("day"), v.Value("view")), "")
}

// agendaVersion answers with a text that changes whenever what an agenda shows does, so that browsers know when to
// reload; 304 for a browser that has the latest.
func agendaVersion(v *visit.Visit) error {
	tag := `"` + agenda.Of(v.Programme).Stamp() + `"`
	v.Set("ETag", tag)
	if v.Get("If-None-Match") == tag {
		return v.SendStatus(http.StatusNotModified)
	}
	return v.SendString(agenda.Of(v.Programme).Stamp())
}

func showAgenda(v *visit.Visit) error {
	asks := agendaAsked(v)
	p := pages.Page{Base: v.At("/agenda"), MayChange: v.May(staff.Organizer), Sessions: v.At("/sessions"),
		Step: asks.step, View: asks.view, Version: agenda.Of(v.Programme).Stamp()}
	days, err := agenda.Of(v.Programme).Days(v.UserContext())
	if err != nil {
		return err
	}
	if len(days.Days) == 0 {
		return agendaPage(v, p)
	}
	known := func(day string) bool {
		return slices.ContainsFunc(days.Days, func(d models.DayCount) bool { return d.Day == day })
	}
	if asks.day == "" {
		if asks.day = v.Store.Now().In(v.Zone()).Format(time.DateOnly); !known(asks.day) {
			asks.day = days.Days[0].Day
		}
	}
	if !known(asks.day) {
		v.KeepNotice("warn", "The event has no such day. It may have been moved.")
		return v.SeeInstead(At(v, "", asks.view))
	}
	day, err := agenda.Of(v.Programme).Day(v.UserContext(), asks.day, asks.text)
	if err != nil {
		return err
	}
	g := &agendaGrid{Visit: v, asks: asks, day: day, page: &p}
	if g.suggestable, err = agenda.Of(v.Programme).CountUnplaced(v.UserContext()); err != nil {
		return err
	}
	g.fill()
	return agendaPage(v, p)
}

func agendaPage(v *visit.Visit, p pages.Page) (err error) {
	if p.Shell, err = v.Shell("Agenda"); err != nil {
		return err
	}
	p.FoldURL, p.Narrow = strings.Clone(v.OriginalURL()), v.CookieValue(visit.SidebarCookie) != "wide"
	if p.MayChange {
		p.Scripts = []string{"/static/agenda.js"}
	}
	return v.Render(http.StatusOK, pages.Agenda(p))
}

// agendaGrid is a page of the agenda while it is built.
type agendaGrid struct {
	*visit.Visit
	asks      agendaAsks
	day       *agenda.Day
	page      *pages.Page
	conflicts *agendaConflicts
	// suggestable is how many sessions wait for a place.
	suggestable int64
	from        time.Time // start of the grid
	columns     map[string]*gridColumn
}

func (g *agendaGrid) fill() {
	g.conflicts = g.agendaConflicts()
	g.page.Rooms = strings.Join(store.Map(g.day.Rooms, func(room *models.Metadata) string { return room.ID }), " ")
	g.tabs()
	g.shelf()
	g.window()
	if g.asks.view != "list" {
		g.arrange()
	}
	g.starts()
	g.legend()
	g.breaks()
}

// tabs fills in the days and the ways to show them.
func (g *agendaGrid) tabs() {
	p := g.page
	p.Day = g.asks.day
	for _, d := range g.day.Days.Days {
		date, err := time.Parse(time.DateOnly, d.Day)
		if err != nil {
			continue
		}
		tab := pages.Tab{Name: date.Format("Monday 2"), Short: date.Format("Mon 2"),
			URL: At(g.Visit, d.Day, g.asks.view), Current: d.Day == g.asks.day,
			Placed:    visit.Number(d.Count) + " placed",
			Conflicts: visit.SomeOf(int64(g.conflicts.days[d.Day]), "conflict", "conflicts")}
		if tab.Current {
			p.Date = date.Format("Monday 2 January 2006")
		}
		p.Days = append(p.Days, tab)
	}
	for _, view := range agendaViews {
		p.Views = append(p.Views, components.Tab{Name: view.name, URL: At(g.Visit, g.asks.day, view.value),
			Current: view.value == g.asks.view})
	}
	for _, step := range agendaSteps {
		p.Steps = append(p.Steps, components.Option{Value: strconv.Itoa(step), Name: strconv.Itoa(step) + " min rows",
			Chosen: step == g.asks.step})
	}
	zone, _ := g.day.From.In(g.Zone()).Add(12 * time.Hour).Zone()
	if p.MayChange {
		p.Breaks, p.Publish = g.At("/agenda/breaks/new")+"?day="+g.asks.day, g.At("/publish")
	}
	p.Zone = page.City(g.Event.Timezone) + " (" + zone + ")"
	p.Conflicts, p.ConflictCount = g.conflicts.lines, visit.Counted(int64(g.conflicts.days[g.asks.day]), "conflict",
		"conflicts")
}

// shelf fills in the sessions that are not placed yet.
func (g *agendaGrid) shelf() {
	shelf := &g.page.Shelf
	shelf.Count, shelf.Text = visit.Number(g.day.Days.Unplaced), g.asks.text
	shelf.Any = g.day.Days.Unplaced > 0
	if n := g.suggestable; n > 0 && g.page.MayChange {
		g.page.Suggest, g.page.SuggestCount = g.At("/agenda/suggest"), visit.Number(n)
	}
	for _, s := range g.day.Unplaced {
		card := g.card(s)
		card.Where = minutesText(s.Length())
		shelf.Cards = append(shelf.Cards, card)
	}
	if rest := g.day.UnplacedCount - int64(len(g.day.Unplaced)); rest > 0 {
		shelf.More = "and " + visit.Number(rest) + " more"
	}
	if g.asks.text != "" {
		shelf.Clear = At(g.Visit, g.asks.day, g.asks.view)
		shelf.Found = visit.Number(g.day.UnplacedCount) + " found"
	}
}

// starts groups the day's cards by their start.
func (g *agendaGrid) starts() {
	var last *pages.Start
	for _, s := range g.day.Sessions {
		at := s.StartsAt.In(g.Zone())
		name := at.Format(layoutOf(at, "15:04"))
		if s.StartsAt.Before(g.day.From.Time) {
			name = "Since " + at.Format("Monday, 15:04")
		}
		if last == nil || last.Name != name {
			g.page.Starts = append(g.page.Starts, pages.Start{Name: name})
			last = &g.page.Starts[len(g.page.Starts)-1]
		}
		card := g.placedCard(s)
		if last.Cards = append(last.Cards, card); card.Class == "" && g.asks.view != "list" && s.StartsAt.Before(g.day.From.Time) {
			_, end := g.within(s)
			card.Where = "until " + end.In(g.Zone()).Format("15:04")
			g.page.Before = append(g.page.Before, card)
		}
	}
}

// legend lists the tracks on the day's cards, with their colours.
func (g *agendaGrid) legend() {
	shown := map[string]bool{}
	for _, s := range slices.Concat(g.day.Sessions, g.day.Unplaced) {
		shown[visit.ValueOr(s.TrackID, "")] = true
	}
	g.page.Inks = []pages.Ink{{ID: noInk, Color: noTrack}}
	for i, track := range g.day.Tracks {
		if shown[track.ID] {
			g.page.Inks = append(g.page.Inks, pages.Ink{ID: inkOf(i), Color: visit.ValueOr(track.Color, "")})
			g.page.Legend = append(g.page.Legend, pages.Track{Name: track.Name, Color: visit.ValueOr(track.Color, "")})
		}
	}
	if shown[""] && len(g.page.Legend) > 0 {
		g.page.Legend = append(g.page.Legend, pages.Track{Name: "No track", Color: noTrack})
	}
}

// noTrack is the colour of a card without a track, and noInk its class.
const noTrack, noInk = "#A8A199", "t-"

// inkOf returns the class of the colour of the track at this index.
func inkOf(track int) string { return "t" + strconv.Itoa(track) }
