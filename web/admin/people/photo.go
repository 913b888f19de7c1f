package people

import (
	"errors"

	"lectern/models"
	"lectern/models/store"
	pages "lectern/views/pages/people"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// choosePhoto makes the file of the form's field photo the photo of somebody.
func choosePhoto(v *visit.Visit) error {
	d := peopleHere(v)
	if _, err := d.Person(v.UserContext(), v.Params("contact")); err != nil {
		return err
	}
	photo, err := v.Upload("photo")
	if err == nil {
		_, err = d.SetPhoto(v.UserContext(), v.Params("contact"), photo)
	}
	return photoChanged(v, err, "The photo is changed.")
}

func removePhoto(v *visit.Visit) error {
	_, err := peopleHere(v).RemovePhoto(v.UserContext(), v.Params("contact"))
	return photoChanged(v, err, "The photo is removed.")
}

// photoChanged leads back to the person, who is told what is wrong with the file.
func photoChanged(v *visit.Visit, err error, done string) error {
	address := peoplePath(v) + "/" + v.Params("contact")
	var wrong *store.Error
	if errors.As(err, &wrong) && wrong.Kind == store.Invalid && len(wrong.Fields) > 0 {
		v.KeepNotice("bad", "The photo was not changed: the file "+wrong.Fields[0].Message+".")
		return v.See(address, "")
	}
	if err != nil {
		return err
	}
	return v.See(address, done)
}

// downloadPhoto sends somebody's photo to be saved.
func downloadPhoto(v *visit.Visit) error {
	photo, err := peopleHere(v).Photo(v.UserContext(), v.Params("contact"))
	if err != nil {
		return err
	}
	return page.SendFile(v.UserContext(), v.Ctx, v.Store, photo, "attachment")
}

// photoOf is what is known of somebody's photo.
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
