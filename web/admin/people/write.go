package people

import (
	"cmp"
	"slices"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// write adds to a bar what begins a letter to ticked people: of this event or, from the directory, of a chosen event
// that the user organizes.
func (r *roster) write(bar *toolbar.Bulk) error {
	verb := toolbar.BulkVerb{Do: "write", Name: "Write a letter", Icon: "mail", Action: r.base + "/write"}
	place := toolbar.BulkVerb{Do: "place", Name: "Invite to their place", Icon: "link",
		Action: verb.Action + "?template=" + letters.PlaceText}
	if r.Event != nil {
		bar.Verbs = append(bar.Verbs, verb, place)
		return nil
	}
	events, err := mayWriteFor(r.Visit)
	if err != nil || len(events) == 0 {
		return err
	}
	bar.Menus = append(bar.Menus, toolbar.BulkMenu{Name: "Write…", Parts: []toolbar.BulkPart{{Verb: verb,
		Fields: []toolbar.FilterField{{Name: "letter_of", Label: "Letter of", Options: eventChoices(r.Visit, events)}}},
		{Verb: place}}})
	return nil
}

// addressees returns the ids of the ticked people, or of all in the list. If these are too many for one letter, it
// returns just enough blank ids for the letter to be refused.
func (r *roster) addressees() (ids []string, err error) {
	if r.Value("scope") != "all" {
		return r.Values("id"), nil
	}
	n, err := people.In(r.directory).Count(r.UserContext(), r.filter())
	if err != nil || n > letters.MaxMailing {
		return make([]string, letters.MaxMailing+1), err
	}
	err = people.In(r.directory).Each(r.UserContext(), r.filter(), people.ByName,
		func(people []*models.Person) error {
			for _, x := range people {
				ids = append(ids, x.ID)
			}
			return nil
		})
	return ids, err
}

// writeToPeople begins a letter to ticked people of an event, or to one person from their page.
func writeToPeople(v *visit.Visit, r *roster) error {
	people, err := r.addressees()
	if err != nil {
		return err
	}
	back := r.at(r.l)
	if v.Value("back") == "person" && len(people) == 1 && store.IsID(people[0]) {
		back = v.At("/speakers/" + people[0])
	}
	return v.StartMailing(v.Programme, r.directory, people, back, cmp.Or(v.Value("template"), v.Starter()))
}

// writeToContacts begins a letter of an event to people of the organization's directory.
func writeToContacts(v *visit.Visit) error {
	at, err := v.OrganizedAt("letter_of")
	if err != nil {
		return err
	}
	r, err := postedRoster(v)
	if err != nil {
		return err
	}
	people, err := r.addressees()
	if err != nil {
		return err
	}
	return v.StartMailing(at, r.directory, people, r.at(r.l), v.Starter())
}

// mayWriteFor returns the events for which this user may write letters.
func mayWriteFor(v *visit.Visit) ([]*models.Event, error) {
	events, err := v.Events()
	return slices.DeleteFunc(slices.Clone(events), func(e *models.Event) bool {
		return !v.User.RoleAt(e.ID).Covers(staff.Organizer)
	}), err
}

// eventChoices returns events as options; the one that was worked on last is chosen.
func eventChoices(v *visit.Visit, events []*models.Event) []components.Option {
	return visit.Choices(events, func(e *models.Event) (string, string) { return e.ID, e.Name }, v.LastEvent(events).ID)
}
