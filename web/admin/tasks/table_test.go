package tasks_test

import (
	"net/url"
	"regexp"
	"testing"
	"time"

	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/web/admin/admintest"
)

// said returns the words of a page without its markup.
func said(page string) string { return markup.ReplaceAllString(page, "") }

var markup = regexp.MustCompile(`<[^>]*>`)

func TestPeopleAndTasksStandBesideEachOther(t *testing.T) {
	s := open(t)
	slides := s.slides()
	due := new(store.At(s.Clock.Now().Add(48 * time.Hour)))
	bio := s.define(tasks.Change{Title: new("Bio"), DueAt: &due, Filters: &tasks.Filters{Tracks: []string{s.web}}})
	visa := s.define(tasks.Change{Title: new("Visa")})
	modelstest.Fine(t, s.place(s.ada, "Ada Marker").Tick(t.Context(), visa.ID, s.ada, true))
	people := s.At("/tasks?as=people")
	page := s.b.Get(people, 200)
	admintest.Wants(t, said(page), "Ada Marker, Bio: Open", "Ada Marker, Visa: Done", "Bo, Visa: Open", "Cyd, Visa: Open")
	admintest.Wants(t, page, `aria-current="true">People`, `scope="col">Person`, "Not theirs", s.at(visa, s.cyd),
		"/speakers/"+s.ada, due.In(s.Event.Location()).Format("2 Jan"))
	admintest.Lacks(t, page, s.at(bio, s.cyd), s.at(slides, s.tides.ID))
	page = s.b.Get(people+"&show=finished", 200)
	admintest.Wants(t, said(page), "Ada Marker, Visa: Done", "Ada Marker, Bio: Open")
	admintest.Lacks(t, page, "Bo, Visa")
	page = s.b.Get(people+"&task="+bio.ID, 200)
	admintest.Wants(t, said(page), "Bo, Bio: Open")
	admintest.Lacks(t, page, "Visa: ", "Cyd, ")
	page = s.b.Get(s.At("/tasks?as=sessions"), 200)
	admintest.Wants(t, page, `scope="col">Session`, "Ada Marker, Bo")
	admintest.Wants(t, said(page), "Tides, Slides: Open", "Ebb, Slides: Open")
	admintest.Lacks(t, page, "Visa: ")
	admintest.Wants(t, s.b.Get(s.At("/tasks?as=people&q=nobody"), 200), "Nothing matches")
	if at := s.b.Leads(s.At("/tasks?as=people&page=9")); at != s.At("/tasks?as=people&page=1") && at != people {
		t.Errorf("behind the last page leads to %s", at)
	}
	admintest.Lacks(t, s.b.Get(s.At("/tasks?as=forged"), 200), "task-matrix")
}

func TestDeliverablesAreNarrowedToASessionByItsLabel(t *testing.T) {
	s := open(t)
	s.slides()
	label := s.tides.FriendlyID
	page := s.b.Get(s.At("/tasks?session="+label), 200)
	admintest.Wants(t, page, "Tides", `name="session" value="`+label+`"`, "1</strong>")
	admintest.Lacks(t, page, `session-title" dir="auto">Ebb`)
	admintest.Wants(t, s.b.Get(s.At("/tasks?session="+s.ebb.ID), 200), `session-title" dir="auto">Ebb`)
	admintest.Wants(t, s.b.Get(s.At("/tasks?session=A-999"), 200), "No session “A-999” has a task", "Tides", "Ebb")
}

func TestAViewOfDeliverablesIsKept(t *testing.T) {
	s := open(t)
	s.slides()
	late := s.At("/tasks?as=sessions&show=missing&track=" + s.web)
	s.b.Get(late, 200)
	form := url.Values{"name": {"Web slides"}, "query": {"as=sessions&show=missing&track=" + s.web + "&forged=1"}, "shared": {"yes"}}
	page := s.b.Follow(s.b.Post(s.At("/tasks/views"), form, 303))
	admintest.Wants(t, page, "The view Web slides is kept.", `aria-current="true">Web slides`)
	admintest.Wants(t, said(page), "Tides, Slides: Open")
	_, page = s.b.Post(s.At("/tasks/views"), form, 422)
	admintest.Wants(t, page, "is taken by another of your views", `value="Web slides"`)
	admintest.Wants(t, said(page), "Tides, Slides: Open")
	views := modelstest.Must(desk.Of(s.Programme()).SavedViews(t.Context(), "", "tasks"))(t)
	if len(views) != 1 || views[0].Query != "as=sessions&show=missing&track="+s.web {
		t.Errorf("%+v", views)
	}
	other := s.As(staff.Organizer)
	admintest.Wants(t, other.Get(s.At("/tasks"), 200), "Web slides", "shared")
	page = s.b.Follow(s.b.Post(s.At("/tasks/views/"+views[0].ID+"/delete"), url.Values{"query": {"show=late"}}, 303))
	admintest.Wants(t, page, "The view Web slides is deleted.", "Undo")
	s.As(staff.Viewer).Post(s.At("/tasks/views"), form, 403)
}
