package sessions

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
	"lectern/web/page"
)

// changePeople changes who is on a record.
func changePeople(v *visit.Visit, s *models.Session) error {
	f := sentPeople(v)
	if f.do == "find" { // shown at once, with unsaved roles and the person half typed
		return sessionPage(v, http.StatusOK, s, nil)
	}
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	people := f.apply(seatedOn(s))
	switch {
	case v.Request().PostArgs().Has("people"): // the choice of a conflict
		people = peopleOf(v.FormValue("people"))
	case f.do == "back":
		return bringBack(v, s, token)
	}
	var now *models.Session
	err = v.OnceAsSent(func(ctx context.Context) (_ string, err error) {
		now, err = v.Programme.ChangePeople(ctx, s.ID,
			models.PeopleChange{People: participations(people), UpdatedAt: &token})
		return s.ID, err
	})
	if _, before := errors.AsType[*page.SentBefore](err); before {
		v.TellAt("people")
		return v.See(peopleAt(v, s), "This was sent before. Here are the people as they are now.")
	}
	switch store.KindOf(err) {
	case 0:
	case store.Stale:
		return peopleConflict(v, f)
	case store.Invalid:
		v.Faults = peopleFaults(err)
		return sessionPage(v, http.StatusUnprocessableEntity, s, nil)
	}
	if err != nil {
		return err
	}
	return peopleChanged(v, f, s, now)
}

// peopleAt returns the address of the people on a record's page.
func peopleAt(v *visit.Visit, s *models.Session) string {
	return v.At("/sessions/"+s.ID) + lists.PlaceQuery(v) + "#people-part"
}

// seePeople leads to the people of a record with a notice of what was done. Where a new person is half typed, it shows
// the page at once, which keeps that.
func seePeople(v *visit.Visit, f peopleForm, s *models.Session, text string, warnings []components.Linked,
	undo *components.Undo) error {
	v.TellAt("people")
	if f.do != "new" && f.fresh != (pages.NewPerson{}) {
		v.TellNow(text, warnings, undo)
		return sessionPage(v, http.StatusOK, s, nil)
	}
	return v.SeeWarnings(peopleAt(v, s), text, warnings, undo)
}

// peopleChanged says what changed of a record's people, and offers to undo it.
func peopleChanged(v *visit.Visit, f peopleForm, was, now *models.Session) error {
	text := "The people of " + now.FriendlyID + " are saved."
	if now.UpdatedAt == was.UpdatedAt {
		return seePeople(v, f, now, "Nothing was changed.", nil, nil)
	}
	switch i := f.meant(); {
	case f.do == "add" || f.do == "new":
		last := now.Participants[len(now.Participants)-1]
		text = visit.Cut(last.FullName) + " is on " + now.FriendlyID + " now."
		if last.Known {
			text = last.Email + " belongs to " + visit.Cut(last.FullName) + ", who is on " + now.FriendlyID + " now."
		}
	case i >= 0 && (f.do == "up" || f.do == "down"):
		if at := PlaceOn(now, f.was[i].ID); at >= 0 {
			text = visit.Cut(now.Participants[at].FullName) + " is number " + strconv.Itoa(at+1) + " of " +
				strconv.Itoa(len(now.Participants)) + " now."
		}
	case i >= 0 && f.do == "remove":
		if at := PlaceOn(was, f.was[i].ID); at >= 0 && PlaceOn(now, f.was[i].ID) < 0 {
			text = visit.Cut(was.Participants[at].FullName) + " is not on " + now.FriendlyID + " any more."
		}
	}
	text += f.rolesToo()
	collides, err := warn.Collides(v, now, was)
	if err != nil {
		return err
	}
	return seePeople(v, f, now, text, collides, &components.Undo{
		Action: v.At("/sessions/"+now.ID+"/people") + lists.PlaceQuery(v),
		Fields: []components.Hidden{{Name: "updated_at", Value: now.UpdatedAt.String()}, {Name: "do", Value: "back"},
			{Name: "back", Value: peopleText(seatedOn(was))}}})
}

// PlaceOn returns the index of a contact among a record's people, -1 for none.
func PlaceOn(s *models.Session, id string) int {
	return slices.IndexFunc(s.Participants, func(x *models.Participant) bool { return x.ContactID == id })
}

// bringBack restores the people from before a change, unless somebody changed the record since.
func bringBack(v *visit.Visit, s *models.Session, token store.Time) error {
	v.TellAt("people")
	people := peopleOf(v.FormValue("back"))
	if people == nil {
		return page.OldForm
	}
	_, err := v.Programme.ChangePeople(v.UserContext(), s.ID,
		models.PeopleChange{People: participations(people), UpdatedAt: &token})
	if kind := store.KindOf(err); kind == store.Stale || kind == store.Invalid {
		return v.SeeWarning(peopleAt(v, s), "Somebody changed this since, so nothing was undone.")
	}
	return v.Done(err, peopleAt(v, s), "Undone.")
}

// peopleConflict shows a change of people beside what somebody else saved meanwhile.
func peopleConflict(v *visit.Visit, f peopleForm) error {
	s, err := Live(v)
	if err != nil {
		return err
	}
	theirs := seatedOn(s)
	mine := f.apply(theirs)
	names, err := namesOfPeople(v, s, mine)
	if err != nil {
		return err
	}
	c, err := v.Conflict(s.ID, s.UpdatedAt, []page.Edited{{
		Name: "people", Label: "People", Was: peopleText(f.was), Mine: peopleText(mine), Theirs: peopleText(theirs),
		Show: func(text string) string { return seatedWords(peopleOf(text), names) },
	}})
	if err != nil {
		return err
	}
	c.Action, c.Discard = v.At("/sessions/"+s.ID+"/people")+lists.PlaceQuery(v), peopleAt(v, s)
	return visit.Show(v, http.StatusConflict, s.Title, layouts.Clashing, layouts.ClashPage{Conflict: *c})
}

// namesOfPeople returns the names of people by contact id.
func namesOfPeople(v *visit.Visit, s *models.Session, people []seated) (map[string]string, error) {
	names := map[string]string{}
	for _, x := range s.Participants {
		names[x.ContactID] = x.FullName
	}
	strangers := slices.DeleteFunc(slices.Clone(people), func(x seated) bool { return x.ID == "" || names[x.ID] != "" })
	found, err := v.Programme.Participants(v.UserContext(), participations(strangers))
	if err != nil && store.KindOf(err) != store.Invalid {
		return nil, err
	}
	for _, x := range found {
		names[x.ContactID] = x.FullName
	}
	return names, nil
}

// seatedWords lists people in words, a line each.
func seatedWords(people []seated, names map[string]string) string {
	var lines []string
	for _, x := range people {
		line := cmp.Or(names[x.ID], x.Name, "Somebody")
		if x.ID == "" {
			line = visit.JoinWords(", ", x.Name, x.Email, x.Company) + " (new)"
		}
		if x.Role != models.Speaking {
			line += ", " + string(x.Role)
		}
		lines = append(lines, line)
	}
	return cmp.Or(strings.Join(lines, "\n"), "Nobody")
}

// peopleFaults renames the faults of people to the fields of the form: only a new person's fields are typed.
func peopleFaults(err error) components.Faults {
	fields := map[string]string{"first_name": "new_name", "last_name": "new_name", "email": "new_email",
		"company_name": "new_company"}
	faults := page.FaultsOf(err)
	for i, f := range faults {
		_, field, of := strings.Cut(f.Field, ".")
		switch {
		case fields[field] != "":
			faults[i].Field = fields[field]
		case f.Field == "participants":
			faults[i] = components.Fault{Message: "The record " + f.Message}
		case of && strings.HasPrefix(f.Field, "participants"):
			faults[i] = components.Fault{Message: "One of the people " + f.Message}
		}
	}
	return faults
}
