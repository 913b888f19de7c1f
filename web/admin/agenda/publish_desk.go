package agenda

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// publishDesk lays out the parts of a publication.
type publishDesk struct {
	*visit.Visit
	all       *models.Publication
	conflicts map[string][]models.Conflict
	chosen    *publishChoice
	show      string // the part of which one page is shown
	page      int    // its page, from 1

	sessions map[string]*models.Session // of the rows shown, by id
	letters  map[string]*models.LetterRow
}

// span returns which of a part's n rows are shown: first included, last excluded.
func (d *publishDesk) span(part string, n int) (first, last int) {
	few := linesFirst
	if part == "ready" {
		few = publishFirst
	}
	if d.show != part {
		return 0, min(n, few)
	}
	pages := max(1, (n+publishLots-1)/publishLots)
	first = (max(1, min(d.page, pages)) - 1) * publishLots
	return first, min(n, first+publishLots)
}

// shown returns the rows of a part that are shown.
func (d *publishDesk) shown(part string, rows []*models.Publishable) []*models.Publishable {
	first, last := d.span(part, len(rows))
	return rows[first:last]
}

// ways returns the links to the rest of a part.
func (d *publishDesk) ways(name string, n int) (w pages.PublishWays) {
	first, last := d.span(name, n)
	at := func(first int) string {
		return d.At("/publish/count?show=" + name + "&page=" + strconv.Itoa(first/publishLots+1) + "#" + name)
	}
	switch {
	case last-first == n:
		return w
	case d.show != name:
		w.All, w.AllURL = "Show all "+visit.Number(int64(n)), at(0)
		return w
	}
	w.Shown = visit.Number(int64(first+1)) + " to " + visit.Number(int64(last)) + " of " + visit.Number(int64(n))
	if first > 0 {
		w.Previous = at(first - publishLots)
	}
	if last < n {
		w.Next = at(last)
	}
	return w
}

// load reads what the shown rows need from other tables: people, tracks and rooms, and the letters that hold sessions.
func (d *publishDesk) load() error {
	var ids, letterIDs []string
	for _, h := range holdWords {
		for _, x := range d.shown(heldName(h.hold), d.heldBy(h.hold)) {
			ids = append(ids, x.ID)
			if x.LetterID != "" {
				letterIDs = append(letterIDs, x.LetterID)
			}
		}
	}
	for _, x := range d.shown("ready", d.all.Ready) {
		ids = append(ids, x.ID)
	}
	var sessions []*models.Session
	var err error
	if len(ids) > 0 {
		if sessions, err = d.Programme.SessionsOf(d.UserContext(), ids); err != nil {
			return err
		}
	}
	d.sessions = store.ByKey(sessions, func(s *models.Session) string { return s.ID })
	d.letters, err = letters.Of(d.Programme).LettersOf(d.UserContext(), letterIDs)
	return err
}

// count returns how many sessions would be published.
func (d *publishDesk) count() (n int) {
	for _, x := range d.all.Ready {
		if d.chosen.takes(x) {
			n++
		}
	}
	return n
}

func (d *publishDesk) part(name, title, says string, rows []*models.Publishable) pages.PublishPart {
	return pages.PublishPart{Title: title, Count: visit.Number(int64(len(rows))), Says: says,
		Ways: d.ways(name, len(rows))}
}

func (d *publishDesk) row(x *models.Publishable) pages.PublishRow {
	row := pages.PublishRow{Number: strconv.Itoa(x.Number), URL: d.At("/sessions/" + x.ID), Title: x.Title,
		Meta: x.FriendlyID}
	if s := d.sessions[x.ID]; s != nil {
		row.Meta = strings.Join(append([]string{row.Meta}, visit.Names(s.Participants)...), " · ")
	}
	return row
}

func (d *publishDesk) ready() pages.PublishPart {
	p := d.part("ready", "Ready", "Accepted, and their people know.", d.all.Ready)
	shown := d.shown("ready", d.all.Ready)
	for _, x := range shown {
		row := d.row(x)
		row.Ticked = d.chosen.takes(x)
		if s := d.sessions[x.ID]; s != nil {
			if s.Track != nil {
				row.Track, row.Color = s.Track.Name, s.Track.Color
			}
			if row.When, row.Room = "No time yet", "No room yet"; s.Room != nil {
				row.Room = s.Room.Name
			}
			if s.StartsAt != nil {
				row.When = s.StartsAt.In(d.Event.Location()).Format("Mon 2, 15:04")
			}
		}
		if w := d.warningsOf(x); len(w) > 0 {
			row.Warning, row.WarnURL = w[0].About, w[0].URL
			if len(w) > 1 {
				row.Warning += " and " + strconv.Itoa(len(w)-1) + " more"
			}
		}
		p.Rows = append(p.Rows, row)
	}
	p.Rest = numbersOf(d.all.Ready, shown, d.chosen.takes)
	return p
}

// numbersOf returns, as text, the numbers of a part's sessions that are chosen but not shown.
func numbersOf(all, shown []*models.Publishable, takes func(*models.Publishable) bool) string {
	var rest []int
	for _, x := range all {
		if !slices.Contains(shown, x) && takes(x) {
			rest = append(rest, x.Number)
		}
	}
	slices.Sort(rest)
	return formatNumbers(rest)
}

// warnings returns the warnings about all ready sessions, which hold nothing back.
func (d *publishDesk) warnings() (said []pages.PublishWarning) {
	known := map[string]bool{} // a conflict of two sessions is told once
	for _, x := range d.all.Ready {
		for _, w := range d.warningsOf(x) {
			if !known[w.Text] {
				known[w.Text] = true
				said = append(said, w)
			}
		}
	}
	return said
}

// some returns the warnings that are shown, with links to the rest.
func (d *publishDesk) some(warnings []pages.PublishWarning) pages.PublishWarnings {
	first, last := d.span("warnings", len(warnings))
	return pages.PublishWarnings{Count: visit.Number(int64(len(warnings))), Lines: warnings[first:last],
		Ways: d.ways("warnings", len(warnings))}
}

// warningsOf returns the warnings about one session.
func (d *publishDesk) warningsOf(x *models.Publishable) (said []pages.PublishWarning) {
	at := d.At("/sessions/" + x.ID)
	switch {
	case x.StartsAt == nil && x.RoomID == nil:
		said = append(said, pages.PublishWarning{Text: x.FriendlyID + " has no room and no time yet", URL: at,
			About: "Not placed yet"})
	case x.StartsAt == nil:
		said = append(said, pages.PublishWarning{Text: x.FriendlyID + " has no time yet", URL: at, About: "No time yet"})
	case x.RoomID == nil:
		said = append(said, pages.PublishWarning{Text: x.FriendlyID + " has no room yet", URL: at, About: "No room yet"})
	}
	for _, c := range d.conflicts[x.ID] {
		day := c.From.In(d.Event.Location()).Format(time.DateOnly)
		said = append(said, pages.PublishWarning{Text: warn.Line(c, d.Event.Location()), About: conflictWords[c.Need],
			URL: d.At("/agenda?day=" + day + "#" + x.FriendlyID)})
	}
	if x.Undescribed {
		said = append(said, pages.PublishWarning{Text: x.FriendlyID + " has no description", URL: at,
			About: "No description"})
	}
	return said
}

// conflictWords name the kinds of conflicts in a row.
var conflictWords = map[models.Need]string{models.NeedsRoom: "Room taken twice",
	models.NeedsPerson:   "Two places at once",
	models.NeedsPresence: "Somebody is away", models.NeedsSeats: "Room too small",
	models.NeedsPlenary: "Beside a plenary"}

func (d *publishDesk) public() pages.PublishPart {
	changed := 0
	var rows, rest []*models.Publishable // what needs a look comes first
	for _, x := range d.all.Public {
		if x.IsChanged() {
			changed++
		}
		if x.IsChanged() || x.Status != models.Accepted {
			rows = append(rows, x)
		} else {
			rest = append(rest, x)
		}
	}
	rows = append(rows, rest...)
	says := ""
	if changed > 0 {
		says = visit.Counted(int64(changed), "changed since and updates by itself.",
			"changed since and update by themselves.")
	}
	p := d.part("public", "Already public", says, rows)
	for _, x := range d.shown("public", rows) {
		row := d.row(x)
		switch {
		case x.Status != models.Accepted:
			row.Off, row.Changed = true, strings.ToLower(components.StatusName(string(x.Status)))+", and still public"
		case x.IsChanged():
			row.Changed = "changed " + d.since(x.UpdatedAt.Time)
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// since formats a moment in the past as one says it: "today, 9:40".
func (d *publishDesk) since(at time.Time) string {
	zone := d.Event.Location()
	at, now := at.In(zone), d.Options.Now().In(zone)
	if at.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return "today, " + at.Format("15:04")
	}
	return at.Format("Mon 2 January, 15:04")
}
