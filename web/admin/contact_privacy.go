package admin

import (
	"io"

	"lectern/models"
	"lectern/models/people"
	"lectern/views/pages"
)

// care is what this member of staff may do about somebody's record as a whole; nil for who may not and of
// who was erased.
func (r *roster) care(x *models.Person) *pages.PersonCare {
	if !r.mayEverywhere() || x.ErasedAt != nil {
		return nil
	}
	return &pages.PersonCare{Base: contactsPath + "/" + x.ID}
}

// exportPerson sends an archive of all that is kept of somebody.
func exportPerson(v *visit) error {
	id := v.Params("contact")
	return v.sendWritten("person-"+id+".zip", "application/zip", func(out io.Writer) error {
		_, err := people.In(v.directory()).ExportPerson(v.UserContext(), id, out)
		return err
	})
}

// askErase asks before somebody is erased, and says what stays, why and for how long.
func askErase(v *visit) error {
	v.section = contactsPath
	x, err := v.directory().Person(v.UserContext(), v.Params("contact"))
	if err != nil {
		return err
	}
	return v.ask("Erase "+x.FullName+"?", pages.ConfirmPage{Action: contactsPath + "/" + x.ID + "/erase",
		Cancel: contactsPath + "/" + x.ID, Verb: "Erase this person",
		Text: "Name and addresses become “Erased person”. Profile, photo, your own fields, notes, tags, travel and availability of all " +
			"events are deleted, and so are the values in their activity and in what webhooks sent and logged.",
		Points: append([]string{"Sessions stay, with an erased person on them: the programme is the organization's record. " +
			"Who changed what and when stays in the activity, without the values."}, people.KeptElsewhere...),
		Last: "This cannot be undone, and webhooks are not told. Export first what the person asked for."})
}

func erasePerson(v *visit) error {
	if v.Value("confirm") != "yes" {
		return askErase(v)
	}
	_, err := people.In(v.directory()).Erase(v.UserContext(), v.Params("contact"))
	return v.Done(err, contactsPath+"/"+v.Params("contact"), "The person is erased. Their places on sessions stay.")
}
