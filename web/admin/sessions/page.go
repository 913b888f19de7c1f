package sessions

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/revisions"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/agenda"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
	"lectern/web/page"
)

const historyShown = 30

func showSession(v *visit.Visit) error {
	id, err := v.Programme.SessionID(v.UserContext(), v.Params("id"))
	if err != nil {
		return err
	}
	if id != v.Params("id") {
		return v.SeeInstead(v.At("/sessions/" + id))
	}
	s, err := v.Programme.Session(v.UserContext(), id)
	if err != nil {
		return err
	}
	return sessionPage(v, http.StatusOK, s, nil)
}

// sessionPage shows a session; review is a review that was refused, or nil.
func sessionPage(v *visit.Visit, status int, s *models.Session, review *pages.ReviewForm) error {
	l, err := lists.Valid(v, lists.CameFrom(v, s))
	if err != nil {
		return err
	}
	v.Section = v.At("/" + l.Kind)
	previous, next, position, total, err := v.Programme.Neighbours(v.UserContext(), l.Search(), s)
	if err != nil {
		return err
	}
	history, changes, err := desk.Of(v.Programme).ActivityLog(v.UserContext(),
		desk.ActivityFilter{Subject: "session", SubjectID: s.ID}, store.Page{Number: 1, Size: historyShown})
	if err != nil {
		return err
	}
	zone := v.Event.Location()
	p := pages.Page{
		Session: s, Base: v.At("/sessions/" + s.ID), List: lists.At(v, l), ListName: lists.Titles[l.Kind],
		MayChange: v.May(staff.Organizer), Statuses: lists.StatusOptions(string(s.Status)), Token: s.UpdatedAt.String(),
		Query: l.From(), Content: content(v, s), When: WhenIs(v, s), Created: page.When(&s.CreatedAt, zone),
		Changed: page.When(&s.UpdatedAt, zone), Activity: Happenings(v, history), With: v.PersonAt(""),
		Entries: visit.Counted(changes.TotalResults, "entry", "entries"),
	}
	if len(history) > 0 && !s.UpdatedAt.Equal(s.CreatedAt.Time) {
		p.ChangedBy = records.Doer(history[0].Actor, history[0].Door)
	}
	if changes.TotalPages > 1 {
		p.AllActivity = v.At("/activity?record=" + s.ID)
	}
	if err := composition(v, &p, s); err != nil {
		return err
	}
	p.Stands, p.Steps = steps(v, s, p.Composed)
	untold, err := warn.Untold(v, s)
	if err != nil {
		return err
	}
	if untold != "" {
		p.Stands += " " + untold + "."
		p.Steps = append(p.Steps, pages.Step{Name: "Release the change…", Icon: "history", URL: warn.ReleaseAt(v)})
	}
	if p.Collides, err = warn.Collisions(v, s); err != nil {
		return err
	}
	record := func(id string) string {
		if id == "" {
			return ""
		}
		return v.At("/sessions/"+id) + l.From()
	}
	p.Previous, p.Next, p.InAgenda = record(previous), record(next), inAgenda(v, s)
	if err := recordParts(v, &p, s, review); err != nil {
		return err
	}
	if position > 0 {
		p.Position = visit.Number(position) + " of " + visit.Number(total)
	}
	return visit.Show(v, status, s.Title, pages.Session, p)
}

// recordParts fills in the parts of a record's page that have forms of their own.
func recordParts(v *visit.Visit, p *pages.Page, s *models.Session, review *pages.ReviewForm) (err error) {
	if p.Place, err = placeForm(v, s); err != nil {
		return err
	}
	if p.Place != nil {
		p.Move = v.At("/agenda/move/" + s.ID)
	}
	if p.Versions, err = v.Programme.VersionCount(v.UserContext(), s.ID); err != nil {
		return err
	}
	if p.People, err = peopleOn(v, s); err != nil {
		return err
	}
	if err := broughtTo(v, p, s); err != nil {
		return err
	}
	known, err := theCallOf(v).Record(v.UserContext(), s)
	if err != nil {
		return err
	}
	p.Call, p.Answers = callPartOf(v, s, known), answersShown(v, s, known)
	if known.SubmittedAt != nil { // the record was a draft until then
		p.Created = page.When(known.SubmittedAt, v.Event.Location())
	}
	if p.MayChange && s.IsAbstract && s.DeletedAt == nil {
		p.EditAnswers = answersAt(v, s.ID) + p.Query
	}
	p.Reviews, err = reviewsOf(v, s, review)
	return err
}

// broughtTo adds what a record's people handed in: a revision that waits, and tasks.
func broughtTo(v *visit.Visit, p *pages.Page, s *models.Session) (err error) {
	if !p.MayChange || s.DeletedAt != nil {
		return nil
	}
	if p.Waits, err = v.RevisionWaits((*revisions.Desk).OfSession, s.ID); err != nil {
		return err
	}
	p.Tasks, err = v.TasksOfSession(s.ID)
	return err
}

// fieldsOf names the changed fields in a sentence: "status and track".
func fieldsOf(changes []records.FieldChange) string {
	var names []string
	for _, c := range changes {
		if name := strings.ToLower(c.Field); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 3 {
		return visit.Counted(int64(len(names)), "field", "fields")
	}
	return visit.Enumerated(names)
}

// WhenIs says when a session is: "Thu 20 May 2027, 09:00 to 09:45 WEST"; "" without a start.
func WhenIs(v *visit.Visit, s *models.Session) string {
	zone := v.Event.Location()
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

// Happenings puts entries of the activity into words.
func Happenings(v *visit.Visit, entries []*store.ActivityEntry) []records.Happening {
	var out []records.Happening
	for _, e := range entries {
		h := records.Happening{When: page.When(&e.At, v.Event.Location()), Who: records.Doer(e.Actor, e.Door),
			What: cmp.Or(visit.PartVerbs[e.Action], visit.TaskDeed(e), cmp.Or(visit.Published(e), visit.ComesTo(e),
				e.Action)+" it"),
			Changes: visit.ChangesHere(v, e)}
		if e.Action == "updated" && len(h.Changes) > 0 {
			h.What = "changed " + fieldsOf(h.Changes)
		}
		out = append(out, h)
	}
	return out
}

// inAgenda returns the address of a session in the agenda; "" where it has no place there, or the user does not see it.
func inAgenda(v *visit.Visit, s *models.Session) string {
	if s.IsAbstract || s.StartsAt == nil || s.DeletedAt != nil || !v.May(staff.Viewer) {
		return ""
	}
	return agenda.At(v, s.StartsAt.In(v.Event.Location()).Format(time.DateOnly), "") + "#" + s.FriendlyID
}
