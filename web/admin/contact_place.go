package admin

import (
	"net/http"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/views/pages"
)

// invitedToPlace says that an invitation to somebody's place was written.
func (v *visit) invitedToPlace() string {
	if v.options.Mail == nil {
		return "The invitation waits in the outbox until there is a mail server. Until then, copy a link."
	}
	return "An invitation to their place is on its way."
}

// linkToPlace shows, from a record, a link to the place of one of its people.
func linkToPlace(v *visit) error {
	return v.showPlaceLink(v.programme, v.Value("contact"), v.at("/sessions/"+v.Params("id")))
}

// showPlaceLink shows a link to somebody's place once, for staff to hand over.
func (v *visit) showPlaceLink(at *models.Programme, contactID, back string) error {
	token, err := cfp.Of(at).PlaceLink(v.UserContext(), contactID)
	if err != nil {
		return v.doneOrRefused(err, back, "")
	}
	person, err := at.Contact(v.UserContext(), contactID)
	if err != nil {
		return err
	}
	text := "Give this link to " + person.FullName + ". It opens what is theirs at " + at.Event().Name + ", for 14 days, in " +
		"the browser alone in which it is opened first."
	if person.Email != "" {
		text += " A letter tells them that it was copied."
	}
	return show(v, http.StatusOK, "Link to the place of "+person.FullName, pages.Link, pages.LinkPage{Back: back, Text: text,
		Link: v.options.BaseURL + "/events/" + at.Event().Slug + "/place/link/" + token})
}

// onPlace is something that staff do about the place of somebody, from their page: by the event of the page, or by the
// one that is chosen.
func onPlace(do func(v *visit, at *models.Programme, contactID, back string) error) handler {
	return func(v *visit) error {
		at, err := v.organizedAt("place_of")
		if err != nil {
			return err
		}
		r, x, err := v.personOf()
		if err != nil {
			return err
		}
		return do(v, at, x.ID, r.base+"/"+x.ID+r.l.with("page", ""))
	}
}

// invitePerson writes to somebody where all that is theirs can be found.
func invitePerson(v *visit, at *models.Programme, contactID, back string) error {
	return v.doneOrRefused(cfp.Of(at).InviteToPlace(v.UserContext(), contactID), back, v.invitedToPlace())
}

// linkPerson shows a link to somebody's place.
func linkPerson(v *visit, at *models.Programme, contactID, back string) error {
	return v.showPlaceLink(at, contactID, back)
}
