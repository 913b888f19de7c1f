package sessions

import (
	"net/http"
	"strings"

	"lectern/models/store"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/visit"
)

// changesPeople tells of a form of the editor that is not to be saved yet: a button of the people's part was pressed.
func (f peopleForm) changesPeople() bool { return f.do != "" && f.do != "create" }

// all are the people of the editor's form as they are to be saved, with who is typed and not added yet.
func (f peopleForm) all() []seated {
	if f.fresh != (pages.NewPerson{}) {
		f.do = "new"
	}
	return f.apply(f.was)
}

// withPeople shows the editor of a new record again, with its people changed.
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

// editedPeople is the part of the editor of a new record with its people.
func editedPeople(v *visit.Visit, f peopleForm, kind string) (p pages.PeoplePart, err error) {
	now, _ := f.withRoles(f.was)
	participants, err := v.Programme.Participants(v.UserContext(), participations(now))
	if store.KindOf(err) == store.Invalid { // nothing that a page of ours made
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

// newAt is where something new is made: a submission, a session, or a proposal for somebody.
func newAt(v *visit.Visit, kind string) string {
	if kind == "proposals" {
		return v.At("/call/proposals/new")
	}
	return v.At("/" + kind + "/new")
}
