package models

import (
	"cmp"
	"context"

	"lectern/models/store"
)

// ArrivingPerson is somebody of another system.
type ArrivingPerson struct {
	Key string
	NewContact
	Away string // Absences at this event, each on a line
}

// People brings people. Somebody whose address the organization knows is that contact, whose name and biography stay
// where they have one.
func (a *Arrival) People(ctx context.Context, all []ArrivingPerson) error {
	a.people = map[string]*Contact{}
	var some []importedPerson
	for _, x := range all {
		x.About, _ = store.CleanHTML("about", x.About, store.MaxDescription)
		if err := x.NewContact.clean(); err != nil {
			a.Skip(x.Key, x.FirstName+" "+x.LastName, err.Error())
			continue
		}
		some = append(some, importedPerson{x.Key, x.NewContact, x.Away})
	}
	return a.importPeople(ctx, some)
}

// facts are what is said of somebody.
func (x *importedPerson) facts() map[string]any {
	return map[string]any{"name": x.FirstName + " " + x.LastName, "about": x.About, "away": x.away}
}

// updateArrived writes what the other system says otherwise than the last time, of people who were here before. Who
// comes for the first time and was known keeps name and biography.
func (i *importer) updateArrived(tx *store.Tx, some []importedPerson, added []*Contact,
	last map[string]importedKey) error {
	isNew := map[*Contact]bool{}
	for _, c := range added {
		isNew[c] = true
	}
	var renamed []string
	for _, x := range some {
		c, said := i.people[x.key], i.saying(x.facts())
		row, before := importedKey{i.event.ID, "contact", x.key, c.ID, said}, last[x.key].Said
		changed := func(name string) bool { return before[name] != said[name] }
		if changed("away") && (x.away != "" || before != nil) {
			if err := tx.Model(&EventContact{}).Where("event_id = ? AND contact_id = ?", i.event.ID, c.ID).
				UpdateColumns(map[string]any{"away": x.away, "updated_at": tx.Now}).Error; err != nil {
				return err
			}
		}
		first, surname, about := c.FirstName, c.LastName, c.About
		if before == nil {
			about = cmp.Or(about, x.About)
		} else if changed("about") {
			about = x.About
		}
		if before != nil && changed("name") {
			first, surname = x.FirstName, x.LastName
		}
		differs := first != c.FirstName || surname != c.LastName || about != c.About
		switch {
		case isNew[c]:
		case !differs && !(before != nil && changed("away")):
			i.summary.Contacts.Unchanged++
		default:
			i.summary.Contacts.Updated++
		}
		if differs && !isNew[c] {
			i.replaced(x.key, c.FullName, before, map[string]any{"name": c.FirstName + " " + c.LastName, "about": c.About},
				said)
			c.FirstName, c.LastName, c.About = first, surname, about
			if err := UpdateContact(tx, c); err != nil {
				return err
			}
			renamed = append(renamed, c.ID)
		}
		if err := i.keep(tx, before, row); err != nil {
			return err
		}
	}
	if len(renamed) == 0 {
		return nil
	}
	if err := touchPrinted(tx, renamed); err != nil {
		return err
	}
	return ReindexSessions(tx, renamed)
}
