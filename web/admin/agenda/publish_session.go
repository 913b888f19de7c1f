package agenda

import (
	"net/http"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
	"lectern/web/page"
)

// PublishSessionForm asks for confirmation before one session is published, and says what holds it.
func PublishSessionForm(v *visit.Visit, s *models.Session, query string) error {
	return askPublish(v, http.StatusOK, s, query)
}

func askPublish(v *visit.Visit, status int, s *models.Session, query string) error {
	back := v.At("/sessions/"+s.ID) + query
	all, err := v.Programme.Publication(v.UserContext(),
		&models.SessionSearch{Filter: models.SessionFilter{IDs: []string{s.ID}}})
	if err != nil {
		return err
	}
	p := pages.PublishAskPage{Reason: v.Value("reason"), ConfirmPage: layouts.ConfirmPage{
		Action: v.At("/sessions/"+s.ID+"/publish") + query, Cancel: back, Keeps: true, Verb: "Publish " +
			s.FriendlyID,
		Hidden: []components.Hidden{{Name: "updated_at", Value: s.UpdatedAt.String()}},
		Text:   "Everyone can read “" + s.Title + "” at once, and it is in the feeds.",
		Points: []string{"1 session.published event, once. No letter is sent by this."}}}
	switch {
	case len(all.Held) > 0:
		x := all.Held[0]
		d := &publishDesk{Visit: v, all: all}
		if err := d.load(); err != nil {
			return err
		}
		for _, hold := range x.Holds {
			row := d.row(x)
			d.sayHold(&row, x, hold)
			p.Holds = append(p.Holds, row)
		}
		p.Verb, p.NeedsReason = p.Verb+" anyway", true
	case len(all.Ready) > 0:
		d := &publishDesk{Visit: v, all: all}
		if d.conflicts, err = v.Programme.Conflicts(v.UserContext(), s); err != nil {
			return err
		}
		for _, w := range d.warningsOf(all.Ready[0]) {
			p.Points = append(p.Points, w.Text+".")
		}
	default:
		text := s.FriendlyID + " is public already."
		if !s.IsPublic {
			text = s.FriendlyID + " is not accepted, so it is no part of the programme."
		}
		return v.SeeWarning(back, text)
	}
	v.Section = v.At("/sessions")
	return visit.Show(v, status, p.Verb+"?", pages.PublishAsk, p)
}

// PublishSession publishes one session, even a held one if a reason is given.
func PublishSession(v *visit.Visit, s *models.Session, query string) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	back := v.At("/sessions/"+s.ID) + query
	reason := strings.TrimSpace(v.Value("reason"))
	before, _, err := v.Programme.Publish(v.UserContext(), s.ID, models.Publishing{Reason: reason, UpdatedAt: &token})
	switch store.KindOf(err) {
	case store.Stale:
		return v.SeeWarning(back, "Somebody changed this since, so nothing was published. Look at it as it is now.")
	case store.GateHeld:
		v.Faults = components.Faults{{Field: "reason", Message: "must not be empty"}}
		return askPublish(v, http.StatusUnprocessableEntity, s, query)
	case store.Invalid:
		return v.Again(err, func(status int) error { return askPublish(v, status, s, query) })
	}
	if err != nil {
		return err
	}
	if before.IsPublic {
		return v.See(back, s.FriendlyID+" was public already.")
	}
	untold, err := warn.UntoldNow(v, s)
	if err != nil {
		return err
	}
	return v.SeeWarnings(back, s.FriendlyID+" is public now.", untold, nil)
}

// UnpublishSession takes one session off the programme; nobody is notified.
func UnpublishSession(v *visit.Visit, s *models.Session, query string) error {
	before, _, err := v.Programme.Unpublish(v.UserContext(), s.ID)
	if err != nil {
		return err
	}
	text := s.FriendlyID + " is not public any more. Nothing was sent."
	if !before.IsPublic {
		text = s.FriendlyID + " was not public."
	}
	untold, err := warn.UntoldNow(v, s)
	if err != nil {
		return err
	}
	return v.SeeWarnings(v.At("/sessions/"+s.ID)+query, text, untold, nil)
}
