package people

import (
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// addNote adds a note to a person.
func addNote(v *visit.Visit, r *roster) error {
	x := r.person
	text := v.Value("note")
	if _, err := people.Of(v.Programme).AddContactNote(v.UserContext(), x.ID, text); err != nil {
		return v.Again(err, func(status int) error { return r.personPage(status, x, text) })
	}
	return v.See(r.base+"/"+x.ID+r.l.With("page", "")+"#notes", "The note is added.")
}

// askTakeOff asks for confirmation before a person is taken off the event.
func askTakeOff(v *visit.Visit, r *roster) error {
	x := r.person
	return v.Ask("Take "+x.FullName+" off "+v.Event.Name+"?", layouts.ConfirmPage{
		Text: "They stay a contact of the organization, and notes stay.",
		Points: []string{"Their status, tags, travel and availability at this event are deleted; the activity keeps them.",
			"What they answered for it is deleted too, and kept nowhere.",
			"It sends nothing."},
		Action: v.At("/speakers/" + x.ID + "/take-off"), Verb: "Take off the event", Cancel: v.At("/speakers/" + x.ID)})
}

func takeOff(v *visit.Visit) error {
	x, err := people.Of(v.Programme).TakeOffEvent(v.UserContext(), v.Params("contact"))
	if store.KindOf(err) == store.Invalid {
		return v.SeeRefusal(v.At("/speakers/"+v.Params("contact")), components.Sentence(components.Fault{
			Message: "They were not taken off: this person " + page.FaultsOf(err)[0].Message}))
	}
	if err != nil {
		return err
	}
	return v.SeeUndo(v.At("/speakers?who=all"), visit.Cut(x.FullName)+" is not at this event any more.",
		v.At("/speakers/put-back"), components.Hidden{Name: "contact", Value: x.ID})
}

// putAtEvent adds a contact of the organization to this event.
func putAtEvent(v *visit.Visit) error {
	x, err := people.Of(v.Programme).PutAtEvent(v.UserContext(), v.Value("contact"))
	if err != nil {
		return err
	}
	return v.See(v.At("/speakers/"+x.ID), visit.Cut(x.FullName)+" is at this event now.")
}
