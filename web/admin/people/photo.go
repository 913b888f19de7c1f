package people

import (
	"lectern/models"
	"lectern/models/store"
	pages "lectern/views/pages/people"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const photoRefused = "The photo was not changed: the file "

// choosePhoto makes the file of the form's field photo a person's photo.
func choosePhoto(v *visit.Visit) error {
	d := peopleHere(v)
	if _, err := d.Person(v.UserContext(), v.Params("contact")); err != nil {
		return err
	}
	photo, err := v.Upload("photo")
	if err == nil {
		_, err = d.SetPhoto(v.UserContext(), v.Params("contact"), photo)
	}
	return fileChanged(v, err, photoRefused, "The photo is changed.")
}

func removePhoto(v *visit.Visit) error {
	_, err := peopleHere(v).RemovePhoto(v.UserContext(), v.Params("contact"))
	return fileChanged(v, err, photoRefused, "The photo is removed.")
}

// downloadPhoto sends a person's photo to save.
func downloadPhoto(v *visit.Visit) error {
	return v.SaveFile(peopleHere(v).Photo(v.UserContext(), v.Params("contact")))
}

// photoOf says what is known of a person's photo.
func (r *roster) photoOf(x *models.Person) (photo pages.PersonPhoto, err error) {
	if x.PhotoKey == "" {
		return photo, nil
	}
	f, err := r.directory.PhotoOf(r.UserContext(), &x.Contact)
	if store.KindOf(err) == store.NotFound {
		return photo, nil
	}
	if err != nil {
		return photo, err
	}
	return pages.PersonPhoto{Name: f.Name, Who: records.Doer(f.UploadedByName, "admin"),
		When: page.When(&f.CreatedAt, r.Zone())}, nil
}
