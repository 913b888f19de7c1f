package arrival

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Person is somebody of another system.
type Person struct {
	Key string
	models.NewContact
	Away string // Absences at this event, each on a line
}

// People brings people; what of them breaks a rule is left out. Somebody whose address the organization knows is that
// contact, whose name and biography stay where they have one.
func (a *Arrival) People(ctx context.Context, all []Person) error {
	a.people = map[string]*models.Contact{}
	var some []importedPerson
	for _, x := range all {
		if err := x.NewContact.Clean(); err != nil {
			x.emptyFaulty(err)
			if x.NewContact.Clean() != nil {
				a.Skip(x.Key, x.FirstName+" "+x.LastName, "does not come: "+err.Error())
				continue
			}
			a.Skip(x.Key, x.FirstName+" "+x.LastName, "comes without what breaks a rule: "+err.Error())
		}
		some = append(some, importedPerson{x.Key, x.NewContact, x.Away})
	}
	return a.importPeople(ctx, some)
}

// emptyFaulty empties the fields that a refusal names.
func (x *Person) emptyFaulty(refused error) {
	var faults *store.Error
	if !errors.As(refused, &faults) {
		return
	}
	fields := map[string]*string{"email": &x.Email, "company_name": &x.CompanyName, "job_title": &x.JobTitle,
		"phone": &x.Phone, "website_url": &x.WebsiteURL, "linkedin_url": &x.LinkedinURL, "about": &x.About,
		"photo_url": &x.PhotoURL}
	for _, fault := range faults.Fields {
		if field := fields[fault.Field]; field != nil {
			*field = ""
		}
	}
}

// facts are what is said of somebody.
func (x *importedPerson) facts() map[string]any {
	return map[string]any{"name": x.FirstName + " " + x.LastName, "about": x.About, "away": x.away}
}

// updateArrived writes what the other system says otherwise than the last time, of people who were here before. A
// profile that is beyond the reach of the importer stays.
func (i *importer) updateArrived(tx *store.Tx, some []importedPerson, added []*models.Contact, beyond map[string]bool,
	last map[string]imported) error {
	var changed []string
	for _, x := range some {
		c, before, said := i.people[x.key], last[x.key].Said, i.saying(x.facts())
		isAway, err := i.setAway(tx, &x, c, before, said)
		if err != nil {
			return err
		}
		differs := !beyond[c.ID] && !slices.Contains(added, c) && x.onto(new(*c), before, said)
		switch {
		case slices.Contains(added, c):
		case differs || isAway && before != nil:
			i.summary.Contacts.Updated++
		default:
			i.summary.Contacts.Unchanged++
		}
		if differs {
			i.replaced(x.key, c.FullName, before, map[string]any{"name": c.FirstName + " " + c.LastName, "about": c.About}, said)
			x.onto(c, before, said)
			if err := models.UpdateContact(tx, c); err != nil {
				return err
			}
			changed = append(changed, c.ID)
		}
		row := imported{EventID: i.Event().ID, Kind: "contact", Key: x.key, RecordID: c.ID, Said: said}
		if err := i.keep(tx, before, row); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	if err := models.TouchPrinted(tx, changed); err != nil {
		return err
	}
	return models.ReindexSessions(tx, changed)
}

// setAway writes when somebody is away where that is said otherwise, and tells whether it did.
func (i *importer) setAway(tx *store.Tx, x *importedPerson, c *models.Contact, before, said Said) (bool, error) {
	if before["away"] == said["away"] || before == nil && x.away == "" {
		return false, nil
	}
	return true, tx.Model(&models.EventContact{}).Where("event_id = ? AND contact_id = ?", i.Event().ID, c.ID).
		UpdateColumns(map[string]any{"away": x.away, "updated_at": tx.Now}).Error
}

// onto writes name and biography on a contact where they are said otherwise than before, and tells whether it differs
// then. Who comes for the first time and was known keeps the name, and a biography if there is one.
func (x *importedPerson) onto(c *models.Contact, before, said Said) (differs bool) {
	was := *c
	switch {
	case before == nil:
		c.About = cmp.Or(c.About, x.About)
	case before["about"] != said["about"]:
		c.About = x.About
	}
	if before != nil && before["name"] != said["name"] {
		c.FirstName, c.LastName = x.FirstName, x.LastName
	}
	return c.About != was.About || c.FirstName != was.FirstName || c.LastName != was.LastName
}
