package visit

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/reviews"
	"lectern/models/revisions"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/page"
)

// Shell returns the frame of a page of the admin, with its counts. A page of the organization keeps the links of the
// event that was worked on last.
func (v *Visit) Shell(title string) (layouts.Shell, error) {
	s := layouts.Shell{Page: v.Page(title), User: v.User.Name, Role: string(v.Role), Path: v.Path(),
		Version: v.Version(), Help: HelpOf(v.Path())}
	if v.Role == staff.RoundReviewer {
		s.Role = string(staff.Reviewer) // they are called reviewers too
	}
	around, err := v.Surroundings()
	if err != nil {
		return s, err
	}
	events := around.Events
	for _, e := range events {
		s.Events = append(s.Events, layouts.Event{ID: e.ID, Name: e.Name, URL: v.sameAt(e.ID)})
	}
	at := place{v.Event, v.Programme, v.Role}
	if v.Event != nil {
		v.rememberEvent()
	} else if len(events) > 0 {
		last := v.LastEvent(events)
		at = place{last, v.Store.Programme(last, v.By()), v.User.RoleAt(last.ID)}
	}
	s.Reviews, s.Organizes = at.role.Covers(staff.RoundReviewer), at.role.Covers(staff.Organizer)
	if at.event != nil {
		s.Event = &layouts.Event{ID: at.event.ID, Name: at.event.Name, When: eventPlace(at.event)}
		if s.Sections, err = v.eventSections(at); err != nil {
			return s, err
		}
	}
	if section := v.organizationSection(around.People); len(section.Links) > 0 {
		s.Sections = append(s.Sections, section)
	}
	return s, nil
}

// SidebarCookie says whether the sidebar shows names even where icons would do.
const SidebarCookie = "lectern-sidebar"

// place is an event with the user's role there.
type place struct {
	event     *models.Event
	programme *models.Programme
	role      staff.Role
}

// framed is a page that is shown in a shell; its pointer gives access to it.
type framed[P any] interface {
	*P
	Frame() *layouts.Shell
}

// Show answers with a page in its shell.
func Show[P any, F framed[P]](v *Visit, status int, title string, view func(P) templ.Component, p P) (err error) {
	refresh := F(&p).Frame().Refresh
	if *F(&p).Frame(), err = v.Shell(title); err != nil {
		return err
	}
	F(&p).Frame().Refresh = refresh
	return v.Render(status, view(p))
}

func (v *Visit) link(name, address, icon, count string) layouts.Link {
	path, _, _ := strings.Cut(address, "?")
	here := cmp.Or(v.Section, v.Path())
	current := here == path || (strings.HasPrefix(here, path+"/") && strings.Count(path, "/") > 3)
	return layouts.Link{Name: name, URL: address, Icon: icon, Count: count, Current: current}
}

func (v *Visit) eventSections(at place) ([]layouts.Section, error) {
	if at.role == staff.RoundReviewer {
		return v.roundSections(at)
	}
	abstracts, agenda, err := at.programme.KindCounts(v.UserContext())
	if err != nil {
		return nil, err
	}
	people, err := at.programme.SpeakerCount(v.UserContext())
	if err != nil {
		return nil, err
	}
	base := "/admin/events/" + at.event.ID
	call := layouts.Section{Name: "Call for papers", Links: []layouts.Link{
		v.link("Dashboard", base, "layout-dashboard", ""),
		v.link("Form and window", base+"/call", "text-quote", ""),
		v.link("Submissions", base+"/submissions", "inbox", Number(abstracts))}}
	if at.role.Covers(staff.Reviewer) {
		waiting := ""
		if !at.role.Covers(staff.Organizer) { // organizers have other things to do first
			n, err := at.programme.AwaitingReview(v.UserContext(), v.User.ID)
			if err != nil {
				return nil, err
			}
			waiting = Some(n)
		}
		call.Links = append(call.Links, v.link("Reviews", base+"/reviews", "star", waiting))
	}
	if at.role.Covers(staff.Organizer) {
		call.Links = append(call.Links, v.link("Triage", base+"/triage", "list-filter", ""),
			v.link("Decisions", base+"/decisions", "gavel", ""), v.link("Letters", base+"/letters", "mail", ""))
	}
	programme, err := v.programmeSection(at, agenda)
	if err != nil {
		return nil, err
	}
	sections := []layouts.Section{call, programme}
	if at.role.SeesPeople() {
		about := layouts.Section{Name: "People", Links: []layouts.Link{
			v.link("Speakers", base+"/speakers", "users", Number(people))}}
		if at.role.Covers(staff.Organizer) {
			link, err := v.tasksLink(at.programme, base+"/tasks")
			if err != nil {
				return nil, err
			}
			about.Links = append(about.Links, link)
		}
		about.Links = append(about.Links, v.link("Sourcing", base+"/sourcing", "kanban", ""))
		sections = append(sections, about)
	}
	about := layouts.Section{Name: "Event", Links: []layouts.Link{v.link("Activity", base+"/activity", "history", "")}}
	if at.role.Covers(staff.Organizer) {
		about.Links = append(about.Links, v.link("Trash", base+"/trash", "trash-2", ""),
			v.link("API keys", base+"/keys", "key-round", ""), v.link("Look", base+"/look", "eye", ""),
			v.link("Embeds", base+"/embeds", "code", ""), v.link("Settings", base+"/settings", "settings", ""))
	}
	return append(sections, about), nil
}

// programmeSection returns the sidebar's links to the programme, with its number of sessions.
func (v *Visit) programmeSection(at place, sessions int64) (layouts.Section, error) {
	base := "/admin/events/" + at.event.ID
	families := v.link("Tracks, rooms and tags", base+"/metadata/tracks", "tag", "")
	families.Current = strings.HasPrefix(v.Path(), base+"/metadata/")
	programme := layouts.Section{Name: "Programme", Links: []layouts.Link{
		v.link("Sessions", base+"/sessions", "book-open", Number(sessions)),
		v.agendaLink(at.programme, base+"/agenda"),
	}}
	if at.role.Covers(staff.Organizer) {
		programme.Links = append(programme.Links, v.link("Publish", base+"/publish", "globe", ""))
	}
	programme.Links = append(programme.Links, families)
	if !at.event.AsksApproval || !at.role.Covers(staff.Organizer) {
		return programme, nil
	}
	link := v.link("Revisions", base+"/revisions", "pencil", "")
	n, err := revisions.Of(at.programme).Count(v.UserContext())
	link.Count = Some(n)
	programme.Links = append(programme.Links, link)
	return programme, err
}

// tasksLink returns the link to the tasks, with the number of deliverables to check.
func (v *Visit) tasksLink(p *models.Programme, address string) (layouts.Link, error) {
	link := v.link("Tasks", address, "list-checks", "")
	n, err := v.ToCheck(p)
	link.Count = Some(n)
	return link, err
}

// agendaLink returns the link to the agenda with its number of conflicts. Where that is not cached since the last
// change, the page requests it after loading: finding conflicts would make up a third of every other page's statements.
func (v *Visit) agendaLink(p *models.Programme, address string) layouts.Link {
	link := v.link("Agenda", address, "calendar-days", "")
	if all, known := agenda.Of(p).KnownConflicts(v.UserContext()); known {
		countConflicts(&link, all)
	} else {
		link.Counting = address + "/conflicts"
	}
	return link
}

func countConflicts(link *layouts.Link, all *agenda.Conflicts) {
	link.Count, link.Wrong = Some(int64(len(all.All))), len(all.All) > 0
}

// TellConflicts answers with the number of conflicts, as it stands beside the link to the agenda.
func TellConflicts(v *Visit) error {
	all, err := agenda.Of(v.Programme).Conflicts(v.UserContext())
	if err != nil {
		return err
	}
	var link layouts.Link
	countConflicts(&link, all)
	return v.Render(http.StatusOK, layouts.Count(link))
}

// roundSections returns the sidebar of a reviewer who sees only what rounds assign to them.
func (v *Visit) roundSections(at place) ([]layouts.Section, error) {
	queues, err := reviews.Of(at.programme).Queues(v.UserContext(), v.User)
	var waiting int64
	for _, q := range queues {
		if q.IsOpen(store.At(v.Options.Now())) {
			waiting += q.Waiting()
		}
	}
	return []layouts.Section{{Name: "Call for papers", Links: []layouts.Link{
		v.link("Reviews", "/admin/events/"+at.event.ID+"/reviews", "star", Some(waiting))}}}, err
}

func (v *Visit) organizationSection(people int64) layouts.Section {
	section := layouts.Section{Name: "Organization"}
	if v.seesPeople() {
		section.Links = append(section.Links, v.link("Contacts", ContactsPath, "contact-round", Number(people)))
	}
	if v.MayEverywhere() {
		section.Links = append(section.Links,
			v.link("Webhook endpoints", "/admin/endpoints", "webhook", ""),
			v.link("Delivery log", "/admin/deliveries", "send", ""))
	}
	if v.User.RoleAt("") == staff.Owner {
		section.Links = append(section.Links, v.link("Staff", "/admin/staff", "users", ""),
			v.link("Security", SecurityPath, "shield", ""), v.link("Status", StatusPath, "activity", ""))
	}
	return section
}

// sameAt returns the address of this page at another event: of the list, where this is a record's page.
func (v *Visit) sameAt(id string) string {
	rest := ""
	if v.Event != nil {
		rest = strings.TrimPrefix(cmp.Or(v.Section, v.Path()), "/admin/events/"+v.Event.ID)
		if parts := strings.Split(rest, "/"); len(parts) > 2 && parts[1] != "metadata" {
			rest = "/" + parts[1]
		} else if len(parts) > 3 {
			rest = "/" + parts[1] + "/" + parts[2]
		}
	}
	return "/admin/events/" + id + rest
}

// Ask shows a page that asks for confirmation.
func (v *Visit) Ask(title string, p layouts.ConfirmPage) error {
	p.Posted = !v.Reads()
	return Show(v, http.StatusOK, title, layouts.Confirm, p)
}

// At returns an address below the event.
func (v *Visit) At(path string) string { return "/admin/events/" + v.Event.ID + path }

// eventPlace returns the line under an event's name: its days, and the city of its time zone.
func eventPlace(e *models.Event) string {
	if days := page.EventDays(e); days != "" {
		return days + " · " + page.City(e.Timezone)
	}
	return "No dates yet · " + page.City(e.Timezone)
}
