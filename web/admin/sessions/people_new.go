package sessions

import (
	"net/http"
	"strings"

	"lectern/models/store"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/visit"
)

// changesPeople tells whether the editor's form only changes people, by a button of their part, and is not saved yet.
func (f peopleForm) changesPeople() bool { return f.do != "" && f.do != "create" }

// all returns the people to save from the editor's form, including one who is typed but not added yet.
func (f peopleForm) all() []seated {
	if f.fresh != (pages.NewPerson{}) {
		f.do = "new"
	}
	return f.apply(f.was)
}

// withPeople applies a change of people to the form of a new record, and returns the status with which to show it
// again.
func withPeople(v *visit.Visit, f *peopleForm) (status int, err error) {
	now := f.apply(f.was)
	_, err = v.Programme.Participants(v.UserContext(), participations(now))
	if store.KindOf(err) == store.Invalid {
		v.Faults = peopleFaults(err)
		return http.StatusUnprocessableEntity, nil
	}
	if err != nil {
		return 0, err
	}
	f.was, f.roles = now, nil
	if f.do == "new" {
		f.fresh = pages.NewPerson{}
	}
	if f.do == "add" {
		f.find = ""
	}
	return http.StatusOK, nil
}

// editedPeople returns the people's part of a new record's editor.
func editedPeople(v *visit.Visit, f peopleForm, kind string) (p pages.PeoplePart, err error) {
	now, _ := f.withRoles(f.was)
	participants, err := v.Programme.Participants(v.UserContext(), participations(now))
	if store.KindOf(err) == store.Invalid { // no page of ours sent this
		now, participants = nil, nil
	} else if err != nil {
		return p, err
	}
	p = peoplePart(v, now, participants)
	p.Creating, p.New, p.Find = true, f.fresh, v.At("/people/find?new="+kind)
	p.Found, err = v.FoundPeopleFor(f.find, strings.Fields(p.On))
	p.Found.Editor = newAt(v, kind)
	return p, err
}

// newAt returns the address of the form of a new submission, session, or proposal for somebody.
func newAt(v *visit.Visit, kind string) string {
	if kind == "proposals" {
		return v.At("/call/proposals/new")
	}
	return v.At("/" + kind + "/new")
}
