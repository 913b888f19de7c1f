package people

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// rosterFacts are what columns show of people from other tables, by contact id.
type rosterFacts struct {
	*roster
	tags   map[string]string // names by tag id
	parts  map[string]models.SpeakerPart
	at     map[string][]string // ids of events
	events []shortEvent        // ordered by start
	coming map[string]string   // whether they come, in words
}

// facts reads what the shown columns need.
func (r *roster) facts(columns []rosterColumn, people []*models.Person) (f *rosterFacts, err error) {
	f = &rosterFacts{roster: r}
	ids := store.Map(people, func(x *models.Person) string { return x.ID })
	for _, c := range columns {
		switch {
		case c.key == eventsColumn:
			err = f.readEvents(ids)
		case (c.key == sessionsColumn || c.key == roleColumn) && f.parts == nil:
			f.parts, err = r.Programme.SpeakerParts(r.UserContext(), ids)
		case c.key == comingColumn:
			f.coming, err = r.Programme.PeopleComing(r.UserContext(), ids)
		case c.field != nil && c.field.Part == models.Tagging:
			f.tags, err = tagNames(r.Visit)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// tagNames returns the names of the event's tags by id.
func tagNames(v *visit.Visit) (map[string]string, error) {
	rows, err := v.Programme.Family(v.UserContext(), models.Tags)
	names := map[string]string{}
	for _, row := range rows {
		names[row.ID] = row.Name
	}
	return names, err
}

// shortEvent is an event with a short name: its year or, where two events share a year or one has none, its full name.
type shortEvent struct{ id, name, short string }

// eventsShown is how many events a row shows, the latest.
const eventsShown = 5

// readEvents finds at which events people are, among those that the user may see, except the list's own event.
func (f *rosterFacts) readEvents(ids []string) error {
	events, err := f.Visit.Events()
	if err != nil {
		return err
	}
	slices.SortStableFunc(events, func(a, b *models.Event) int { return strings.Compare(startOf(a), startOf(b)) })
	var eventIDs []string
	years := map[string]int{}
	for _, e := range events {
		if f.Event == nil || e.ID != f.Event.ID {
			f.events, eventIDs = append(f.events, shortEvent{e.ID, e.Name, e.Name}), append(eventIDs, e.ID)
			years[yearOf(e)]++
		}
	}
	if years[""] == 0 && len(years) == len(f.events) {
		for i := range f.events {
			e := events[slices.IndexFunc(events, func(e *models.Event) bool { return e.ID == f.events[i].id })]
			f.events[i].short = "’" + yearOf(e)[2:]
		}
	}
	f.at, err = people.In(f.directory).EventsOf(f.UserContext(), ids, eventIDs)
	return err
}

// yearOf returns the year in which an event begins, "" where that is unknown.
func yearOf(e *models.Event) string {
	year, _, _ := strings.Cut(startOf(e), "-")
	if len(year) != 4 {
		return ""
	}
	return year
}

// rows returns people as the list shows them.
func (r *roster) rows(people []*models.Person, columns []rosterColumn) (rows []pages.Row, err error) {
	f, err := r.facts(columns, people)
	if err != nil {
		return nil, err
	}
	for _, x := range people {
		row := pages.Row{ID: x.ID, Name: x.FullName, Company: x.CompanyName, Email: x.Email, Photo: x.PhotoPath(),
			URL: r.base + "/" + x.ID + r.l.With("page", "")}
		for _, c := range columns {
			row.Cells = append(row.Cells, f.cell(c, x))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// cell returns what a column shows of a person.
func (f *rosterFacts) cell(c rosterColumn, x *models.Person) pages.Cell {
	switch c.key {
	case "workflow_status":
		return pages.Cell{Status: c.field.Value(x), IsStatus: true}
	case eventsColumn:
		return f.eventsCell(x)
	case sessionsColumn:
		return f.sessionsCell(x)
	case travelColumn:
		return f.travelCell(x)
	case comingColumn:
		return pages.Cell{Text: f.coming[x.ID]}
	case "email":
		return pages.Cell{Text: x.Email, IsEmail: true}
	}
	if c.field != nil && c.field.IsMoment {
		return pages.Cell{Text: page.When(c.field.Moment(c.field.Value(x)), f.Zone())}
	}
	return pages.Cell{Text: f.text(c, x)}
}

func (f *rosterFacts) eventsCell(x *models.Person) (cell pages.Cell) {
	cell.Years = []pages.Year{}
	for _, e := range f.events {
		if slices.Contains(f.at[x.ID], e.id) {
			cell.Years = append(cell.Years, pages.Year{Short: e.short, Name: e.name})
		}
	}
	cell.Years = cell.Years[max(0, len(cell.Years)-eventsShown):]
	return cell
}

func (f *rosterFacts) sessionsCell(x *models.Person) (cell pages.Cell) {
	part := f.parts[x.ID]
	if len(part.Titles) == 0 {
		return pages.Cell{Text: "None yet", IsMuted: true}
	}
	cell.Title, cell.URL = part.Titles[0], f.Visit.At("/sessions/"+part.FirstID)
	if part.Sessions > 0 {
		cell.Links = append(cell.Links, toolbar.Choice{Name: visit.Counted(int64(part.Sessions), "session", "sessions"),
			URL: f.Visit.At("/sessions?speaker=" + x.ID)})
	}
	if part.Submissions > 0 {
		cell.Links = append(cell.Links, toolbar.Choice{Name: visit.Counted(int64(part.Submissions), "submission",
			"submissions"),
			URL: f.Visit.At("/submissions?speaker=" + x.ID)})
	}
	return cell
}

// travelCell says whether a person's travel is known; it is empty for those who do not come.
func (f *rosterFacts) travelCell(x *models.Person) pages.Cell {
	switch {
	case x.Here == nil, x.Here.WorkflowStatus == models.StatusDeclined, x.Here.WorkflowStatus == models.StatusWithdrawn:
		return pages.Cell{}
	case x.Here.Arrival != nil:
		return pages.Cell{Step: "good", Text: "Arrives " + x.Here.Arrival.In(f.Zone()).Format("Mon 2 Jan, 15:04 MST")}
	case x.Here.ArrivalDetails != "":
		return pages.Cell{Step: "good", Text: x.Here.ArrivalDetails}
	case x.Here.Departure != nil, x.Here.DepartureDetails+x.Here.TravelNotes != "":
		return pages.Cell{Step: "good", Text: "Noted"}
	case x.Here.WorkflowStatus == models.Confirmed:
		return pages.Cell{Step: "warn", Text: "Not known yet"}
	}
	return pages.Cell{Step: "open", Text: "Not known yet"}
}

// text returns a person's value in a column as text, also for exports.
func (f *rosterFacts) text(c rosterColumn, x *models.Person) string {
	switch c.key {
	case eventsColumn:
		var names []string
		for _, e := range f.events {
			if slices.Contains(f.at[x.ID], e.id) {
				names = append(names, e.name)
			}
		}
		return strings.Join(names, "; ")
	case sessionsColumn:
		var sessions []string
		for i, title := range f.parts[x.ID].Titles {
			sessions = append(sessions, f.parts[x.ID].FriendlyIDs[i]+" "+title)
		}
		return strings.Join(sessions, "; ")
	case roleColumn:
		return strings.Join(store.Map(f.parts[x.ID].Roles, func(role models.Role) string {
			return components.StatusName(string(role))
		}), ", ")
	case travelColumn:
		return f.travelCell(x).Text
	case comingColumn:
		return f.coming[x.ID]
	case changedColumn:
		return x.UpdatedAt.In(f.Zone()).Format("2006-01-02 15:04")
	}
	if at := c.field.Moment(c.field.Value(x)); at != nil { // with its offset, so that it can be imported again
		return at.In(f.Zone()).Format("2006-01-02 15:04 -07:00")
	}
	return cellText(c.field, x, f.tags)
}

// cellText returns a person's field as text; names holds the names of tags by id.
func cellText(f *models.ContactField, x *models.Person, names map[string]string) string {
	value := f.Value(x)
	switch {
	case f.Part == models.Tagging:
		return strings.Join(store.Map(x.Tags, func(id string) string { return names[id] }), "; ")
	case f.File(x) != nil:
		return f.File(x).Name
	case f.Key == "about":
		return store.PlainText(value)
	case f.Part == models.Workflow:
		return components.StatusName(value)
	}
	return f.Cell(value)
}
