package people

import (
	"cmp"
	"net/http"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/people"
	"lectern/models/revisions"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// showPerson shows a person, with their sessions and notes at all events that the user may see.
func showPerson(v *visit.Visit, r *roster) error {
	x, err := r.directory.Person(v.UserContext(), v.Params("contact"))
	if store.KindOf(err) == store.NotFound {
		if x, err = people.In(r.directory).MergedInto(v.UserContext(), v.Params("contact")); err == nil {
			v.KeepNotice("good", "This contact was merged into “"+visit.Cut(x.FullName)+"”.")
			return v.SeeInstead(r.base + "/" + x.ID)
		}
	}
	if err != nil {
		return err
	}
	return r.personPage(http.StatusOK, x, "")
}

// personPage shows a person's page; note is the text of a note that was refused.
func (r *roster) personPage(status int, x *models.Person, note string) error {
	events, err := r.Visit.Events()
	if err != nil {
		return err
	}
	place, err := people.In(r.directory).Neighbours(r.UserContext(), r.filter(), r.order(), &x.Contact)
	if err != nil {
		return err
	}
	person := func(id string) string {
		if id == "" {
			return ""
		}
		return r.base + "/" + id + r.l.With("page", "")
	}
	p := pages.PersonPage{Person: &x.Contact, List: r.at(r.l), ListName: "Contacts", Base: r.base + "/" + x.ID, NewNote: note,
		Photo:    x.PhotoPath(),
		Previous: person(place.Previous), Next: person(place.Next), Byline: visit.JoinWords(", ", x.JobTitle, x.CompanyName)}
	if place.Position > 0 {
		p.Position = visit.Number(place.Position) + " of " + visit.Number(place.Total)
	}
	p.MayChange, p.PhotoForm = mayChangePeople(r.Visit) && x.ErasedAt == nil, p.Base+"/photo"
	if p.MayChange {
		if p.Shared, err = r.shared(x); err != nil {
			return err
		}
	}
	if x.ErasedAt != nil {
		p.Byline = "Erased " + page.When(x.ErasedAt, r.Zone()) + ". Nothing but their places on sessions is kept."
	}
	if r.Event != nil {
		p.ListName, p.PhotoForm = "Speakers", r.Visit.At("/contacts/"+x.ID+"/photo")
	}
	if p.PhotoFile, err = r.photoOf(x); err != nil {
		return err
	}
	p.Care, p.Files = r.care(x), r.personFiles(x)
	if p.Aliases, err = r.directory.Aliases(r.UserContext(), x.ID); err != nil {
		return err
	}
	if err := r.personWrite(&p); err != nil {
		return err
	}
	if err := r.personParts(&p, x); err != nil {
		return err
	}
	if err := r.personEvents(&p, x, events); err != nil {
		return err
	}
	return visit.Show(r.Visit, status, x.FullName, pages.Person, p)
}

// personParts fills in the fields, by the parts in which they are edited.
func (r *roster) personParts(p *pages.PersonPage, x *models.Person) (err error) {
	if x.Here != nil {
		p.Here = &pages.PersonHere{Status: x.Here.WorkflowStatus, Statuses: workflowOptions(x.Here.WorkflowStatus),
			Token: x.Here.UpdatedAt.String(), Event: r.Event.Name}
		if p.Here.Tags, err = r.FamilyOptions(models.Tags, x.Tags...); err != nil {
			return err
		}
		if err := r.personCard(p.Here, x); err != nil {
			return err
		}
		if r.May(staff.Organizer) {
			if p.Here.Waits, err = r.RevisionWaits((*revisions.Desk).OfPerson, x.ID); err != nil {
				return err
			}
			if p.Here.Tasks, err = r.TasksOfPerson(x.ID); err != nil {
				return err
			}
		}
	}
	r.personFields(p, x)
	return nil
}

func (r *roster) personFields(p *pages.PersonPage, x *models.Person) {
	for _, f := range r.fields {
		switch {
		case f.Part == models.Travel && x.Here != nil:
			p.Here.Travel = append(p.Here.Travel, r.partField(f, r.formValue(f, x), nil))
		case f.Key == "away" && x.Here != nil:
			p.Here.Availability = append(p.Here.Availability, r.awayField(f, x))
		case f.Part == models.Available && x.Here != nil:
			rest := formField(f, f.Value(x), nil)
			rest.Label = "Anything else about time"
			p.Here.Availability = append(p.Here.Availability, rest)
		case f.Part == models.Answered && x.Here != nil:
			p.Here.Answers = append(p.Here.Answers, r.personAnswer(f, x))
		case f.IsOwn && f.Type != field.File:
			if text := f.Cell(f.Value(x)); text != "" {
				p.Facts = append(p.Facts, components.Hidden{Name: f.Label, Value: text})
			}
		}
	}
}

// personCard fills in the person's card on the event's board, or where they could be placed.
func (r *roster) personCard(p *pages.PersonHere, x *models.Person) error {
	stages, card, err := people.Of(r.Programme).Standing(r.UserContext(), x.ID)
	if err != nil {
		return err
	}
	if card == nil {
		p.Place, p.Stages = r.Visit.At("/sourcing/place"), stageOptions(stages, "")
		return nil
	}
	p.Card, p.Since = r.Visit.At("/sourcing/"+x.ID), here(r.Visit, card.Since)
	for _, s := range stages {
		if s.ID == card.StageID {
			p.Stage = s.Name
		}
	}
	return nil
}

// idsOf returns the ids of events.
func idsOf(events []*models.Event) []string {
	return store.Map(events, func(e *models.Event) string { return e.ID })
}

// personEvents fills in what happened at the events that the user may see.
func (r *roster) personEvents(p *pages.PersonPage, x *models.Person, events []*models.Event) (err error) {
	ids := idsOf(events)
	found, err := r.directory.Appearances(r.UserContext(), x.ID, ids)
	if err != nil {
		return err
	}
	if err := r.personAt(p, x, events, ids); err != nil {
		return err
	}
	p.Events = appearances(r.Visit, found, events)
	if p.Letters, err = r.lettersTo(x.ID, found, events, ids); err != nil {
		return err
	}
	for _, e := range p.Events {
		p.Count += len(e.Sessions)
	}
	if len(p.Events) > 0 {
		p.FirstHere = firstOf(found, events)
	}
	notes, err := people.In(r.directory).ContactNotes(r.UserContext(), x.ID, ids)
	if err != nil {
		return err
	}
	zone := r.Zone()
	for _, n := range notes {
		p.Notes = append(p.Notes, pages.PersonNote{Who: n.AuthorName, When: page.When(&n.CreatedAt, zone), Text: n.Text,
			Event: r.otherEvent(n.EventID, events)})
	}
	history, err := people.In(r.directory).History(r.UserContext(), x.ID, ids)
	if err != nil {
		return err
	}
	if p.Activity, err = r.history(history, events); err != nil || p.Here == nil {
		return err
	}
	p.Here.TravelSaved, p.Here.AvailabilitySaved = r.lastSaved(history, models.Travel), r.lastSaved(history, models.Available)
	return nil
}

// otherEvent returns the name of an event, "" for the page's own.
func (r *roster) otherEvent(id string, events []*models.Event) string {
	for _, e := range events {
		if e.ID == id && (r.Event == nil || e.ID != r.Event.ID) {
			return e.Name
		}
	}
	return ""
}

// personAt lists the events that a person is at, on a page of the organization.
func (r *roster) personAt(p *pages.PersonPage, x *models.Person, events []*models.Event, ids []string) error {
	if r.Event != nil {
		return nil
	}
	at, err := people.In(r.directory).AttendanceOf(r.UserContext(), x.ID, ids)
	if err != nil {
		return err
	}
	var organized []*models.Event
	for _, e := range events {
		for _, a := range at {
			if a.EventID == e.ID {
				if r.User.RoleAt(e.ID).Covers(staff.Organizer) {
					organized = append(organized, e)
				}
				p.At = append(p.At, pages.PersonAt{Event: e.Name, URL: "/admin/events/" + e.ID + "/speakers/" + x.ID,
					Status: a.WorkflowStatus})
			}
		}
	}
	if len(organized) > 0 {
		p.Place, p.PlaceOf = p.Base, eventChoices(r.Visit, organized)
	}
	return nil
}

// lastSaved says who last saved a part of a person's fields at the page's event, and when.
func (r *roster) lastSaved(history []*store.ActivityEntry, part models.ContactPart) string {
	for _, e := range history {
		for _, f := range models.ContactFields {
			if _, was := e.After[f.Key]; was && f.Part == part && e.EventID == r.Event.ID {
				return "Saved by " + records.Doer(e.Actor, e.Door) + ", " + page.When(&e.At, r.Zone())
			}
		}
	}
	return ""
}

// history puts the activity into words.
func (r *roster) history(entries []*store.ActivityEntry, events []*models.Event) (out []records.Happening, err error) {
	names := map[string]string{}
	if r.Event != nil && len(entries) > 0 {
		if names, err = r.RowNames(); err != nil {
			return nil, err
		}
	}
	for _, f := range r.fields {
		names[f.Key] = f.Label
	}
	for _, e := range entries {
		e.Names = names
		if e.Action == "merged" { // it holds values of all events, which have a page of their own
			e.Before, e.After = nil, map[string]any{"merged_away": e.After["merged_away"]}
		}
		happened := records.Happening{When: page.When(&e.At, r.Zone()), Who: records.Doer(e.Actor, e.Door),
			What: cmp.Or(visit.TaskDeed(e), visit.PersonVerbs[e.Action], e.Action)}
		if visit.TellsOfTask(e, r.User.RoleAt(e.EventID).Covers(staff.Organizer)) {
			happened.Changes = visit.ChangesOf(e, r.Zone(), nil)
		}
		out = append(out, happened)
		for _, event := range events {
			if event.ID == e.EventID && (r.Event == nil || r.Event.ID != e.EventID) {
				out[len(out)-1].What += " at " + event.Name
			}
		}
	}
	return out, nil
}
