package people

import (
	"lectern/models"
	"lectern/models/cfp"
	"lectern/web/admin/visit"
)

// onPlace is something that staff do about the place of somebody, from their page: by the event of the page, or by the
// one that is chosen.
func onPlace(do func(v *visit.Visit, at *models.Programme, contactID, back string) error) visit.Handler {
	return func(v *visit.Visit) error {
		at, err := v.OrganizedAt("place_of")
		if err != nil {
			return err
		}
		r, x, err := personOf(v)
		if err != nil {
			return err
		}
		return do(v, at, x.ID, r.base+"/"+x.ID+r.l.With("page", ""))
	}
}

// invitePerson writes to somebody where all that is theirs can be found.
func invitePerson(v *visit.Visit, at *models.Programme, contactID, back string) error {
	return v.DoneOrRefused(cfp.Of(at).InviteToPlace(v.UserContext(), contactID), back, v.InvitedToPlace())
}

// linkPerson shows a link to somebody's place.
func linkPerson(v *visit.Visit, at *models.Programme, contactID, back string) error {
	return v.ShowPlaceLink(at, contactID, back)
}
