package admin

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"lectern/models/staff"
	"lectern/views/layouts"
	"lectern/views/pages"
)

// shell is the frame of a page of the admin, with its counts.
func (v *visit) shell(title string) (layouts.Shell, error) {
	s := layouts.Shell{Page: v.Page(title), User: v.user.Name, Role: string(v.role), Path: v.Path()}
	events, err := v.w.store.EventsFor(v.ctx(), v.user)
	if err != nil {
		return s, err
	}
	for _, e := range events {
		s.Events = append(s.Events, layouts.Event{ID: e.ID, Name: e.Name, Zone: e.Timezone, URL: v.sameAt(e.ID)})
	}
	if v.event != nil {
		s.Event = &layouts.Event{ID: v.event.ID, Name: v.event.Name, Zone: v.event.Timezone}
		if s.Sections, err = v.eventSections(); err != nil {
			return s, err
		}
	} else if len(events) > 0 {
		s.Sections = []layouts.Section{{Name: "Events"}}
		for _, e := range events {
			s.Sections[0].Links = append(s.Sections[0].Links, v.link(e.Name, "/admin/events/"+e.ID, "calendar", ""))
		}
	}
	s.Sections = append(s.Sections, v.organizationSection())
	return s, nil
}

// framed is a page that is shown in a shell.
type framed[P any] interface {
	*P
	Frame() *layouts.Shell
}

// show answers with a page in its shell.
func show[P any, F framed[P]](v *visit, status int, title string, view func(P) templ.Component, p P) (err error) {
	if *F(&p).Frame(), err = v.shell(title); err != nil {
		return err
	}
	return v.Render(status, view(p))
}

func (v *visit) link(name, address, icon, count string) layouts.Link {
	path, _, _ := strings.Cut(address, "?")
	here := cmp.Or(v.section, v.Path())
	current := here == path || (strings.HasPrefix(here, path+"/") && strings.Count(path, "/") > 3)
	return layouts.Link{Name: name, URL: address, Icon: icon, Count: count, Current: current}
}

func (v *visit) eventSections() ([]layouts.Section, error) {
	abstracts, agenda, err := v.programme.KindCounts(v.ctx())
	if err != nil {
		return nil, err
	}
	people, err := v.programme.SpeakerCount(v.ctx())
	if err != nil {
		return nil, err
	}
	submissions, sessions := number(abstracts), number(agenda)
	base := "/admin/events/" + v.event.ID
	programme := layouts.Section{Links: []layouts.Link{
		v.link("Dashboard", base, "layout-dashboard", ""),
		v.link("Submissions", base+"/submissions", "file-text", submissions),
		v.link("Sessions", base+"/sessions", "calendar", sessions),
		v.link("Speakers", base+"/speakers", "users", number(people)),
	}}
	families := v.link("Tracks, rooms and tags", base+"/metadata/tracks", "tag", "")
	families.Current = strings.HasPrefix(v.Path(), base+"/metadata/")
	about := layouts.Section{Name: "Event", Links: []layouts.Link{families}}
	if v.may(staff.Organizer) {
		programme.Links = append(programme.Links, v.link("Trash", base+"/trash", "trash-2", ""))
		about.Links = append(about.Links, v.link("API keys", base+"/keys", "key-round", ""),
			v.link("Settings", base+"/settings", "settings", ""))
	}
	programme.Links = append(programme.Links, v.link("Activity", base+"/activity", "activity", ""))
	return []layouts.Section{programme, about}, nil
}

func (v *visit) organizationSection() layouts.Section {
	section := layouts.Section{Name: "Organization"}
	if v.mayEverywhere() {
		section.Links = append(section.Links,
			v.link("Webhook endpoints", "/admin/endpoints", "webhook", ""),
			v.link("Delivery log", "/admin/deliveries", "send", ""))
	}
	if v.user.RoleAt("") == staff.Owner {
		section.Links = append(section.Links, v.link("Staff", "/admin/staff", "users", ""),
			v.link("Security", securityPath, "shield", ""))
	}
	section.Links = append(section.Links, v.link("Your account", "/admin/account", "user", ""))
	return section
}

// sameAt is this page of another event: the list of a kind, not its record.
func (v *visit) sameAt(id string) string {
	rest := ""
	if v.event != nil {
		rest = strings.TrimPrefix(cmp.Or(v.section, v.Path()), "/admin/events/"+v.event.ID)
		if parts := strings.Split(rest, "/"); len(parts) > 2 && parts[1] != "metadata" {
			rest = "/" + parts[1]
		} else if len(parts) > 3 {
			rest = "/" + parts[1] + "/" + parts[2]
		}
	}
	return "/admin/events/" + id + rest
}

// ask shows the page that asks before something is done.
func (v *visit) ask(title string, p pages.ConfirmPage) error {
	return show(v, http.StatusOK, title, pages.Confirm, p)
}

// at is an address below the event.
func (v *visit) at(path string) string { return "/admin/events/" + v.event.ID + path }

// safeNext is where to go after signing in: a page of ours.
func safeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") ||
		strings.ContainsAny(next, "\\\r\n") {
		return "/admin"
	}
	return next
}
