package people

import (
	"lectern/models"
	"lectern/models/call"
	"lectern/web/admin/visit"
)

// onPlace wraps something that staff do about a person's place, at the page's event or at the one chosen in the form.
func onPlace(do func(v *visit.Visit, at *models.Programme, contactID, back string) error) visit.Handler {
	return func(v *visit.Visit) error {
		at, err := v.OrganizedAt("place_of")
		if err != nil {
			return err
		}
		r, err := personOf(v)
		if err != nil {
			return err
		}
		return do(v, at, r.person.ID, r.base+"/"+r.person.ID+r.l.With("page", ""))
	}
}

// invitePerson mails a person the link to their place.
func invitePerson(v *visit.Visit, at *models.Programme, contactID, back string) error {
	return v.DoneOrRefused(call.Of(at).InviteToPlace(v.UserContext(), contactID), back, v.InvitedToPlace())
}

// linkPerson shows a link to a person's place.
func linkPerson(v *visit.Visit, at *models.Programme, contactID, back string) error {
	return v.ShowPlaceLink(at, contactID, back)
}
