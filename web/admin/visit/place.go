package visit

import (
	"net/http"

	"lectern/models"
	"lectern/models/call"
	"lectern/views/pages/invite"
)

// InvitedToPlace returns the notice after an invitation to a speaker's place was written.
func (v *Visit) InvitedToPlace() string {
	if v.Options.Mail == nil {
		return "The invitation waits in the outbox until there is a mail server. Until then, copy a link."
	}
	return "An invitation to their place is on its way."
}

// ShowPlaceLink shows a new link to a person's place, once, for staff to hand over.
func (v *Visit) ShowPlaceLink(at *models.Programme, contactID, back string) error {
	token, err := call.Of(at).PlaceLink(v.UserContext(), contactID)
	if err != nil {
		return v.DoneOrRefused(err, back, "")
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
	return Show(v, http.StatusOK, "Link to the place of "+person.FullName, invite.Link,
		invite.LinkPage{Back: back, Text: text,
			Link: v.Options.BaseURL + "/events/" + at.Event().Slug + "/place/link/" + token})
}
