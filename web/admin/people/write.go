package people

import (
	"cmp"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// write adds to a bar what begins a letter to who is ticked: of the event, or from the organization's directory of one
// that is chosen, at which this person may.
func (r *roster) write(bar *toolbar.Bulk) error {
	verb := toolbar.BulkVerb{Do: "write", Name: "Write a letter", Icon: "mail", Action: r.base + "/write"}
	if r.Event != nil {
		bar.Verbs = append(bar.Verbs, verb, toolbar.BulkVerb{Do: "place", Name: "Invite to their place", Icon: "link",
			Action: verb.Action + "?template=" + letters.PlaceText})
		return nil
	}
	events, err := r.MayWriteFor()
	if err != nil || len(events) == 0 {
		return err
	}
	place := toolbar.BulkVerb{Do: "place", Name: "Invite to their place", Icon: "link",
		Action: verb.Action + "?template=" + letters.PlaceText}
	bar.Menus = append(bar.Menus, toolbar.BulkMenu{Name: "Write…", Parts: []toolbar.BulkPart{{Verb: verb,
		Fields: []toolbar.FilterField{{Name: "letter_of", Label: "Letter of", Options: r.EventChoices(events)}}},
		{Verb: place}}})
	return nil
}

// addressees are the ids of those who are ticked in a list, or of all who pass it. One more than a letter may be to is
// enough to refuse it.
func (r *roster) addressees() (ids []string, err error) {
	if r.Value("scope") != "all" {
		return r.Values("id"), nil
	}
	n, err := people.In(r.directory).Count(r.UserContext(), r.filter())
	if err != nil || n > letters.MaxMailing {
		return make([]string, letters.MaxMailing+1), err
	}
	return ids, people.In(r.directory).Each(r.UserContext(), r.filter(), people.ByName,
		func(people []*models.Person) error {
			for _, x := range people {
				ids = append(ids, x.ID)
			}
			return nil
		})
}

// writeToPeople begins a letter to those of an event who are ticked, or to somebody whose page it is.
func writeToPeople(v *visit.Visit) error {
	r, err := postedRoster(v)
	if err != nil {
		return err
	}
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
