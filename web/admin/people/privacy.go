package people

import (
	"io"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/layouts"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
)

// care returns what this user may do with a person's record as a whole; nil for nothing, and for an erased person.
func (r *roster) care(x *models.Person) *pages.PersonCare {
	if !r.MayEverywhere() || x.ErasedAt != nil {
		return nil
	}
	return &pages.PersonCare{Base: visit.ContactsPath + "/" + x.ID}
}

// exportPerson sends an archive of everything stored about a person.
func exportPerson(v *visit.Visit) error {
	id := v.Params("contact")
	return v.SendWritten("person-"+id+".zip", "application/zip", func(out io.Writer) error {
		_, err := people.In(v.Directory()).ExportPerson(v.UserContext(), id, out)
		if err == nil {
			v.NoteExport("person-"+id, nil)
		}
		return err
	})
}

// askErase asks for confirmation before a person is erased, and says what stays, why and for how long.
func askErase(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	x, err := v.Directory().Person(v.UserContext(), v.Params("contact"))
	if err != nil {
		return err
	}
	return v.Ask("Erase "+x.FullName+"?", layouts.ConfirmPage{Action: visit.ContactsPath + "/" + x.ID + "/erase",
		Cancel: visit.ContactsPath + "/" + x.ID, Verb: "Erase this person",
		Text: "Name and addresses become “Erased person”. Profile, photo, your own fields, notes, tags, travel and availability of all " +
			"events are deleted, and so are the values in their activity and in what webhooks sent and logged.",
		Points: append([]string{"Sessions stay, with an erased person on them: the programme is the organization's record. " +
			"Who changed what and when stays in the activity, without the values."}, people.KeptElsewhere...),
		Last: "This cannot be undone, and webhooks are not told. Export first what the person asked for."})
}

func erasePerson(v *visit.Visit) error {
	if v.Value("confirm") != "yes" {
		return askErase(v)
	}
	err := people.In(v.Directory()).Erase(v.UserContext(), v.Params("contact"))
	return v.Done(err, visit.ContactsPath+"/"+v.Params("contact"), "The person is erased. Their places on sessions stay.")
}

// shared says why the user may not change a person's profile, "" if they may.
func (r *roster) shared(x *models.Person) (why string, err error) {
	may, err := r.directory.MayChange(r.directory.Read(r.UserContext()), x.ID)
	if err == nil && !may {
		why = x.FullName + " " + store.AsError(models.ErrShared).Fields[0].Message + "."
	}
	return why, err
}
