package admin

import (
	"cmp"
	"net/http"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

const historyShown = 30

func showSession(v *visit) error {
	s, err := v.programme.Session(v.ctx(), v.Params("id"))
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
	previous, next, position, total, err := v.programme.Neighbours(v.ctx(), l.search(), s)
	if err != nil {
		return err
	}
	history, changes, err := v.programme.ActivityLog(v.ctx(),
		models.ActivityFilter{Subject: "session", SubjectID: s.ID}, store.Page{Number: 1, Size: historyShown})
	if err != nil {
		return err
	}
	zone := v.event.Location()
	p := pages.SessionPage{
		Session: s, Base: v.at("/sessions/" + s.ID), List: v.listAt(l), ListName: listTitles[l.kind],
		MayChange: v.may(staff.Organizer), Statuses: statusOptions(string(s.Status)), Token: s.UpdatedAt.String(),
		Query: l.from(), Content: v.content(s),
		Starts: cmp.Or(page.When(s.StartsAt, zone), "Unscheduled"), Ends: cmp.Or(page.When(s.EndsAt, zone), "Not set"),
		Created: page.When(&s.CreatedAt, zone), Changed: page.When(&s.UpdatedAt, zone), Deleted: page.When(s.DeletedAt, zone),
		Activity: v.happenings(history), With: v.at("/speakers/"),
	}
	if changes.TotalPages > 1 {
		p.AllActivity = v.at("/activity?record=" + s.ID)
	}
	record := func(id string) string {
		if id == "" {
			return ""
		}
		return v.at("/sessions/"+id) + l.from()
	}
	p.Previous, p.Next = record(previous), record(next)
	if p.Versions, err = v.programme.VersionCount(v.ctx(), s.ID); err != nil {
		return err
	}
	if p.Composed, err = v.composed(s); err != nil {
		return err
	}
	if p.People, err = v.people(s); err != nil {
		return err
	}
	if p.Reviews, err = v.reviews(s, review); err != nil {
		return err
	}
	if position > 0 {
		p.Position = number(position) + " of " + number(total)
	}
	return show(v, status, s.Title, pages.Session, p)
}

// composed are the records on the other side of a composition.
func (v *visit) composed(s *models.Session) (records []pages.Record, err error) {
	add := func(id, friendlyID, title string) {
		records = append(records, pages.Record{Name: friendlyID + " " + title, URL: v.at("/sessions/" + id)})
	}
	if target := s.CompositionStatus.Target; target != nil {
		add(target.ID, target.FriendlyID, target.Title)
	}
	if s.CompositionStatus.SourceCount > 0 {
		sources, err := v.programme.Sources(v.ctx(), s.ID)
		if err != nil {
			return nil, err
		}
		for _, source := range sources {
			add(source.ID, source.FriendlyID, source.Title)
		}
	}
	return records, nil
}

// happenings are entries of the activity in words.
func (v *visit) happenings(entries []*store.ActivityEntry) []pages.Happening {
	var out []pages.Happening
	for _, e := range entries {
		out = append(out, pages.Happening{When: page.When(&e.At, v.event.Location()), Who: pages.Doer(e.Actor, e.Door), What: e.Action,
			Changes: changesOf(e, v.event.Location())})
	}
	return out
}
