package visit

import (
	"lectern/models"
	"lectern/models/letters"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/page"
)

// StartMailing begins a letter to those of the people who are in the directory among, and leads to its page.
func (v *Visit) StartMailing(at *models.Programme, among *models.Directory, people []string, back,
	template string) error {
	m, err := letters.Of(at).StartMailing(v.UserContext(), among, people)
	if store.KindOf(err) == store.Invalid {
		text := "Nobody was ticked, so there is nobody to write to."
		if len(people) > 0 {
			text = components.Sentence(page.FaultsOf(err)[0])
		}
		return v.SeeWarning(back, text)
	}
	if err != nil {
		return err
	}
	address := "/admin/events/" + at.Event().ID + "/letters/mailings/" + m.ID
	if template != "" {
		address += "?template=" + template
	}
	return v.Lead(address)
}

// Starter returns the name of the built-in text that a letter begins with, where the button asked for one, else "".
func (v *Visit) Starter() string {
	if v.Query("template") == letters.PlaceText {
		return letters.PlaceText
	}
	return ""
}

// OrganizedAt returns the programme of the page's event, else of the event that a field of the form names, which this
// user must organize.
func (v *Visit) OrganizedAt(field string) (*models.Programme, error) {
	if v.Event != nil {
		return v.Programme, nil
	}
	event, role, err := v.Store.EventFor(v.UserContext(), v.User, v.Value(field))
	if err != nil {
		return nil, err
	}
	if !role.Covers(staff.Organizer) {
		return nil, &forbidden{staff.Organizer}
	}
	return v.ProgrammeOf(event), nil
}

func MailingAt(v *Visit, id string) string { return v.At("/letters/mailings/" + id) }
