package admin

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

const historyShown = 30

func showSession(v *visit) error {
	id, err := v.programme.SessionID(v.UserContext(), v.Params("id"))
	if err != nil {
		return err
	}
	if id != v.Params("id") {
		return v.SeeInstead(v.at("/sessions/" + id))
	}
	s, err := v.programme.Session(v.UserContext(), id)
	if err != nil {
		return err
	}
	return v.sessionPage(http.StatusOK, s, nil)
}

// sessionPage shows a session, with a review that was refused or nil.
func (v *visit) sessionPage(status int, s *models.Session, review *pages.ReviewForm) error {
	l, err := v.validListing(v.cameFrom(s))
	if err != nil {
		return err
	}
	v.section = v.at("/" + l.kind)
	previous, next, position, total, err := v.programme.Neighbours(v.UserContext(), l.search(), s)
	if err != nil {
		return err
	}
	history, changes, err := v.programme.ActivityLog(v.UserContext(),
		models.ActivityFilter{Subject: "session", SubjectID: s.ID}, store.Page{Number: 1, Size: historyShown})
	if err != nil {
		return err
	}
	zone := v.event.Location()
	p := pages.SessionPage{
		Session: s, Base: v.at("/sessions/" + s.ID), List: v.listAt(l), ListName: listTitles[l.kind],
		MayChange: v.may(staff.Organizer), Statuses: statusOptions(string(s.Status)), Token: s.UpdatedAt.String(),
		Query: l.from(), Content: v.content(s), When: v.whenIs(s), Created: page.When(&s.CreatedAt, zone),
		Changed: page.When(&s.UpdatedAt, zone), Activity: v.happenings(history), With: v.personAt(""),
		Entries: counted(changes.TotalResults, "entry", "entries"),
	}
	if len(history) > 0 && !s.UpdatedAt.Equal(s.CreatedAt.Time) {
		p.ChangedBy = pages.Doer(history[0].Actor, history[0].Door)
	}
	if changes.TotalPages > 1 {
		p.AllActivity = v.at("/activity?record=" + s.ID)
	}
	if err := v.composition(&p, s); err != nil {
		return err
	}
	p.Stands, p.Steps = v.steps(s, p.Composed)
	untold, err := v.untold(s)
	if err != nil {
		return err
	}
	if untold != "" {
		p.Stands += " " + untold + "."
		p.Steps = append(p.Steps, pages.Step{Name: "Release the change…", Icon: "history", URL: v.releaseAt()})
	}
	if p.Collides, err = v.collisions(s); err != nil {
		return err
	}
	record := func(id string) string {
		if id == "" {
			return ""
		}
		return v.at("/sessions/"+id) + l.from()
	}
	p.Previous, p.Next, p.InAgenda = record(previous), record(next), v.inAgenda(s)
	if err := v.recordParts(&p, s, review); err != nil {
		return err
	}
	if position > 0 {
		p.Position = number(position) + " of " + number(total)
	}
	return show(v, status, s.Title, pages.Session, p)
}

// recordParts are the parts of a record's page that have forms of their own.
func (v *visit) recordParts(p *pages.SessionPage, s *models.Session, review *pages.ReviewForm) (err error) {
	if p.Place, err = v.placeForm(s); err != nil {
		return err
	}
	if p.Place != nil {
		p.Move = v.at("/agenda/move/" + s.ID)
	}
	if p.Versions, err = v.programme.VersionCount(v.UserContext(), s.ID); err != nil {
		return err
	}
	if p.People, err = v.people(s); err != nil {
		return err
	}
	known, err := v.call().Record(v.UserContext(), s)
	if err != nil {
		return err
	}
	p.Call, p.Answers = v.callPart(s, known), v.answersOf(s, known)
	if known.SubmittedAt != nil { // until then the record was a draft
		p.Created = page.When(known.SubmittedAt, v.event.Location())
	}
	if p.MayChange && s.IsAbstract && s.DeletedAt == nil {
		p.EditAnswers = v.answersAt(s.ID) + p.Query
	}
	p.Reviews, err = v.reviews(s, review)
	return err
}

// fieldsOf are the fields of changes in a sentence: "status and track".
func fieldsOf(changes []pages.FieldChange) string {
	var names []string
	for _, c := range changes {
		if name := strings.ToLower(c.Field); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 3 {
		return counted(int64(len(names)), "field", "fields")
	}
	return enumerated(names)
}

// whenIs is when a session is, "" without a start: "Thu 20 May 2027, 09:00 to 09:45 WEST".
func (v *visit) whenIs(s *models.Session) string {
	zone := v.event.Location()
	switch {
	case s.StartsAt == nil:
		return ""
	case s.EndsAt == nil:
		return page.When(s.StartsAt, zone)
	}
	start, end := s.StartsAt.In(zone), s.EndsAt.In(zone)
	if start.Format("2006-01-02 MST") == end.Format("2006-01-02 MST") {
		return start.Format("Mon 2 Jan 2006, 15:04") + " to " + end.Format("15:04 MST")
	}
	return page.When(s.StartsAt, zone) + " to " + page.When(s.EndsAt, zone)
}

// happenings are entries of the activity in words.
func (v *visit) happenings(entries []*store.ActivityEntry) []pages.Happening {
	var out []pages.Happening
	for _, e := range entries {
		h := pages.Happening{When: page.When(&e.At, v.event.Location()), Who: pages.Doer(e.Actor, e.Door),
			What: cmp.Or(partVerbs[e.Action], cmp.Or(published(e), comesTo(e), e.Action)+" it"), Changes: v.changesOf(e)}
		if e.Action == "updated" && len(h.Changes) > 0 {
			h.What = "changed " + fieldsOf(h.Changes)
		}
		out = append(out, h)
	}
	return out
}

// inAgenda is where a session stands in the agenda; "" for what has no place there, and who does not see it.
func (v *visit) inAgenda(s *models.Session) string {
	if s.IsAbstract || s.StartsAt == nil || s.DeletedAt != nil || !v.may(staff.Viewer) {
		return ""
	}
	return v.agendaAt(s.StartsAt.In(v.event.Location()).Format(time.DateOnly), "") + "#" + s.FriendlyID
}
