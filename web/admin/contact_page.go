package admin

import (
	"net/http"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// showPerson is somebody with their sessions and notes at all events that the reader may see.
func showPerson(v *visit) error {
	r, err := v.roster()
	if err != nil {
		return err
	}
	x, err := r.directory.Person(v.ctx(), v.Params("contact"))
	if err != nil {
		return err
	}
	return r.personPage(http.StatusOK, x, "")
}

// personPage is somebody's page; note is what was typed of a note that could not be kept.
func (r *roster) personPage(status int, x *models.Person, note string) error {
	events, err := r.visit.events()
	if err != nil {
		return err
	}
	place, err := r.directory.Neighbours(r.ctx(), r.filter(), &x.Contact)
	if err != nil {
		return err
	}
	person := func(id string) string {
		if id == "" {
			return ""
		}
		return r.base + "/" + id + r.l.with("page", "")
	}
	p := pages.PersonPage{Person: &x.Contact, List: r.at(r.l), ListName: "Contacts", Base: r.base + "/" + x.ID, NewNote: note,
		Photo:    x.PhotoPath(),
		Previous: person(place.Previous), Next: person(place.Next), Byline: joinWords(", ", x.JobTitle, x.CompanyName)}
	if place.Position > 0 {
		p.Position = number(place.Position) + " of " + number(place.Total)
	}
	if r.event != nil {
		p.ListName, p.MayChange = "Speakers", r.may(staff.Organizer)
		p.PhotoForm = r.visit.at("/contacts/" + x.ID + "/photo")
	} else {
		p.MayChange = r.mayEverywhere()
	}
	p.Care = r.care(x)
	if err := r.personParts(&p, x); err != nil {
		return err
	}
	if err := r.personEvents(&p, x, events); err != nil {
		return err
	}
	return show(r.visit, status, x.FullName, pages.Person, p)
}

// personParts are the fields, by the parts in which they are edited.
func (r *roster) personParts(p *pages.PersonPage, x *models.Person) (err error) {
	names := map[string]string{}
	if x.Here != nil {
		tags, err := r.allRows(models.Tags)
		if err != nil {
			return err
		}
		for _, tag := range tags {
			names[tag.ID] = tag.Name
		}
		p.Here = &pages.PersonHere{Status: x.Here.WorkflowStatus, Statuses: workflowOptions(x.Here.WorkflowStatus),
			Token: x.Here.UpdatedAt.String(), Event: r.event.Name}
		if p.Here.Tags, err = r.options(models.Tags, x.Tags...); err != nil {
			return err
		}
	}
	if p.Here != nil {
		if err := r.personCard(p.Here, x); err != nil {
			return err
		}
	}
	for _, f := range r.fields {
		switch {
		case f.Part == models.Travel && x.Here != nil:
			p.Here.Travel = append(p.Here.Travel, formField(f, f.Value(x), nil))
		case f.Part == models.Available && x.Here != nil:
			p.Here.Availability = append(p.Here.Availability, formField(f, f.Value(x), nil))
		case f.Key == "phone" || f.IsOwn:
			if text := cellText(f, x, names); text != "" {
				p.Facts = append(p.Facts, components.Hidden{Name: f.Label, Value: text})
			}
		}
	}
	return nil
}

// personCard is somebody's card on the event's board, or where one could be placed.
func (r *roster) personCard(p *pages.PersonHere, x *models.Person) error {
	stages, card, err := r.programme.Standing(r.ctx(), x.ID)
	if err != nil {
		return err
	}
	if card == nil {
		p.Place, p.Stages = r.visit.at("/sourcing/place"), stageOptions(stages, "")
		return nil
	}
	p.Card, p.Since = r.visit.at("/sourcing/"+x.ID), r.here(card.Since)
	for _, s := range stages {
		if s.ID == card.StageID {
			p.Stage = s.Name
		}
	}
	return nil
}

// personEvents is what happened at the events that the reader may see.
func (r *roster) personEvents(p *pages.PersonPage, x *models.Person, events []*models.Event) (err error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	if p.Events, err = r.appearances(r.directory, x.ID, events); err != nil {
		return err
	}
	for _, e := range p.Events {
		p.Count += len(e.Sessions)
	}
	notes, err := r.directory.ContactNotes(r.ctx(), x.ID, ids)
	if err != nil {
		return err
	}
	zone := r.zone()
	for _, n := range notes {
		note := pages.PersonNote{Who: n.AuthorName, When: page.When(&n.CreatedAt, zone), Text: n.Text}
		for _, e := range events {
			if e.ID == n.EventID && (r.event == nil || e.ID != r.event.ID) {
				note.Event = e.Name
			}
		}
		p.Notes = append(p.Notes, note)
	}
	history, err := r.directory.History(r.ctx(), x.ID, ids)
	if err != nil {
		return err
	}
	p.Activity, err = r.history(history)
	return err
}

// history is the activity in words.
func (r *roster) history(entries []*store.ActivityEntry) (out []pages.Happening, err error) {
	names := map[string]string{}
	if r.event != nil && len(entries) > 0 {
		if names, err = r.rowNames(); err != nil {
			return nil, err
		}
	}
	for _, f := range r.fields {
		names[f.Key] = f.Label
	}
	for _, e := range entries {
		e.Names = names
		if e.Action == "merged" { // with values of all events, which stand on a page of their own
			e.Before, e.After = nil, map[string]any{"merged_away": e.After["merged_away"]}
		}
		out = append(out, pages.Happening{When: page.When(&e.At, r.zone()), Who: pages.Doer(e.Actor, e.Door),
			What: contactDone[e.Action], Changes: changesOf(e, r.zone())})
		if contactDone[e.Action] == "" {
			out[len(out)-1].What = e.Action
		}
	}
	return out, nil
}

// contactDone is what was done with somebody.
var contactDone = map[string]string{"added": "put them at the event", "removed": "took them off the event",
	"placed": "placed them on the sourcing board", "staged": "moved them on the sourcing board",
	"unstaged": "took them off the sourcing board", "noted": "added a note", "merged": "merged somebody else into them", "exported": "exported all that is kept of them",
	"erased": "erased them", "told apart": "said that they and somebody else are not the same"}
