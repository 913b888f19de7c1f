package people

import (
	"errors"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/people"
	"lectern/models/store"
	pages "lectern/views/pages/people"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// personFiles returns the own fields that hold files, including those without a file yet.
func (r *roster) personFiles(x *models.Person) (files []pages.PersonFile) {
	for _, of := range r.fields {
		if of.Type != field.File || !of.IsOwn {
			continue
		}
		file := pages.PersonFile{Key: of.Key, Label: of.Label, Hint: of.Help, URL: fileForm(r.Visit, x.ID, of.Key)}
		if f := of.File(x); f != nil {
			file.Name, file.Size = f.Name, page.Size(f.Size)
			file.Who, file.When = records.Doer(f.UploadedByName, "admin"), page.When(&f.CreatedAt, r.Zone())
		}
		files = append(files, file)
	}
	return files
}

// fileForm returns the address that takes and serves the file of a field.
func fileForm(v *visit.Visit, contactID, key string) string {
	base := visit.ContactsPath + "/" + contactID
	if v.Event != nil {
		base = v.At("/contacts/" + contactID)
	}
	return base + "/files/" + key
}

// chooseFile sets a person's own field to the file of the form.
func chooseFile(v *visit.Visit) error {
	d, key := peopleHere(v), v.Params("field")
	if _, err := d.Person(v.UserContext(), v.Params("contact")); err != nil {
		return err
	}
	upload, err := v.Upload(key)
	if err == nil {
		_, err = people.In(d).SetFile(v.UserContext(), v.Params("contact"), key, upload)
	}
	return fileChanged(v, err, fileRefused, "The file is saved.")
}

func removeFile(v *visit.Visit) error {
	_, err := people.In(peopleHere(v)).RemoveFile(v.UserContext(), v.Params("contact"), v.Params("field"))
	return fileChanged(v, err, fileRefused, "The file is removed.")
}

const fileRefused = "The file was not saved: it "

// fileChanged leads back to the person's page, with a notice of what is wrong with the file or of what was done.
func fileChanged(v *visit.Visit, err error, refused, done string) error {
	address := peoplePath(v) + "/" + v.Params("contact")
	var wrong *store.Error
	if errors.As(err, &wrong) && wrong.Kind == store.Invalid && len(wrong.Fields) > 0 {
		return v.SeeRefusal(address, refused+wrong.Fields[0].Message+".")
	}
	return v.Done(err, address, done)
}

// downloadFile sends the file of a person's own field.
func downloadFile(v *visit.Visit) error {
	return v.SaveFile(people.In(peopleHere(v)).File(v.UserContext(), v.Params("contact"), v.Params("field")))
}
