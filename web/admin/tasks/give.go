package tasks

import (
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/models/tasks"
	pages "lectern/views/pages/tasks"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// foundAtMost is how many people, and how many sessions, a search shows.
const foundAtMost = 8

// showGive searches for people and sessions to give the task to, and shows who was given it by hand.
func showGive(v *visit.Visit, t *tasks.Task) error {
	b, err := v.TasksOf().BoardOf(v.UserContext(), t)
	if err != nil {
		return err
	}
	p := pages.GivePage{Here: v.At("/tasks/" + t.ID + "/give"), Task: v.At("/tasks/" + t.ID + "/edit"),
		Tasks: v.At("/tasks/list"), Title: t.Title, Text: strings.TrimSpace(v.Query("q"))}
	p.Says = "They have it beside everybody who fits its filters."
	if t.OnlyGiven {
		p.Says = "Nobody has it but whom you choose here."
	}
	for _, d := range b.Given() {
		row := pages.Receiver{ID: d.OwnerID(), URL: ownerAt(v, d), TakeBack: v.TaskAt(d) + "/take-back"}
		row.Meta, row.Name = b.Called(d)
		p.Given = append(p.Given, row)
	}
	if p.Short = !store.IsSearched(p.Text); !p.Short {
		if p.Found, err = found(v, t, b, p.Text); err != nil {
			return err
		}
		p.More = len(p.Found) >= foundAtMost
	}
	return visit.Show(v, http.StatusOK, "Give “"+t.Title+"”", pages.Give, p)
}

// ownerAt returns the address of the person or the session that a deliverable is of.
func ownerAt(v *visit.Visit, d *tasks.Deliverable) string {
	if d.SessionID != nil {
		return v.At("/sessions/" + d.OwnerID())
	}
	return v.At("/speakers/" + d.OwnerID())
}

// found returns the people and sessions that match a text and can be given the task; only sessions where the task is a
// session's.
func found(v *visit.Visit, t *tasks.Task, b *tasks.Board, text string) (all []pages.Receiver, err error) {
	f, err := v.Programme.FindSpeaking(v.UserContext(), text, foundAtMost, foundAtMost)
	if store.KindOf(err) == store.Invalid {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	has := func(id string) bool {
		return slices.ContainsFunc(b.All, func(d *tasks.Deliverable) bool { return d.OwnerID() == id || b.IsPartOf(d, id) })
	}
	if t.AskedOf == tasks.OfSpeaker {
		for _, x := range slices.Concat(f.Named, f.Others) {
			all = append(all, pages.Receiver{ID: x.ID, Name: x.FullName, Meta: x.CompanyName, Has: has(x.ID),
				URL: v.At("/speakers/" + x.ID)})
		}
	}
	for _, s := range f.Sessions {
		all = append(all, pages.Receiver{ID: s.ID, Name: s.Title, Meta: sessionMeta(t, s), Has: has(s.ID),
			URL: v.At("/sessions/" + s.ID)})
	}
	return all, nil
}

// sessionMeta returns a session's label, and who gets a task that is given to it.
func sessionMeta(t *tasks.Task, s *models.Session) string {
	if t.AskedOf == tasks.OfSession {
		return s.FriendlyID
	}
	return s.FriendlyID + " · everybody who is on it now"
}

func give(v *visit.Visit, t *tasks.Task) error {
	n, err := v.TasksOf().Give(v.UserContext(), t.ID, v.Value("owner"))
	return v.DoneOrRefused(err, v.At("/tasks/"+t.ID+"/give"), givenText(t, n))
}

// giveFromRecord gives a task to the session or the person on whose page the form stands, and leads back there.
func giveFromRecord(v *visit.Visit) error {
	owner, back := v.Value("owner"), v.Value("back")
	if back != v.At("/sessions/"+owner) && back != v.At("/speakers/"+owner) {
		return page.OldForm
	}
	t, err := v.TasksOf().Task(v.UserContext(), v.Value("give-task"))
	if err != nil {
		return err
	}
	n, err := v.TasksOf().Give(v.UserContext(), t.ID, owner)
	return v.DoneOrRefused(err, back+"#tasks-part", givenText(t, n))
}

func givenText(t *tasks.Task, n int) string {
	one, many := "person", "people"
	if t.AskedOf == tasks.OfSession {
		one, many = "session", "sessions"
	}
	return "“" + visit.Cut(t.Title) + "” is given to " + visit.Counted(int64(n), one, many) + "."
}

func takeBack(v *visit.Visit, s *tasks.Sheet) error {
	err := v.TasksOf().TakeBack(v.UserContext(), s.TaskID, s.OwnerID())
	return v.Done(err, v.At("/tasks/"+s.TaskID+"/give"), "“"+visit.Cut(s.Task.Title)+"” is taken back from "+visit.Cut(s.Owner)+".")
}
