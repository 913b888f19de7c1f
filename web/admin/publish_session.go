package admin

import (
	"net/http"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// publishSessionForm asks before one session is published, with what holds it.
func publishSessionForm(v *visit.Visit, s *models.Session) error {
	return askPublish(v, http.StatusOK, s)
}

func askPublish(v *visit.Visit, status int, s *models.Session) error {
	back := v.At("/sessions/"+s.ID) + listingQuery(v)
	all, err := v.Programme.Publication(v.UserContext(),
		&models.SessionSearch{Filter: models.SessionFilter{IDs: []string{s.ID}}})
	if err != nil {
		return err
	}
	p := pages.PublishAskPage{Reason: v.Value("reason"), ConfirmPage: pages.ConfirmPage{
		Action: v.At("/sessions/"+s.ID+"/publish") + listingQuery(v), Cancel: back, Keeps: true, Verb: "Publish " +
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
		v.KeepNotice("warn", text)
		return v.See(back, "")
	}
	v.Section = v.At("/sessions")
	return visit.Show(v, status, p.Verb+"?", pages.PublishAsk, p)
}

// publishSession publishes one session; with a reason also what is held.
func publishSession(v *visit.Visit, s *models.Session) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	back := v.At("/sessions/"+s.ID) + listingQuery(v)
	reason := strings.TrimSpace(v.Value("reason"))
	before, _, err := v.Programme.Publish(v.UserContext(), s.ID, models.Publishing{Reason: reason, UpdatedAt: &token})
	switch store.KindOf(err) {
	case store.Stale:
		v.KeepNotice("warn", "Somebody changed this since, so nothing was published. Look at it as it is now.")
		return v.See(back, "")
	case store.GateHeld:
		v.Faults = components.Faults{{Field: "reason", Message: "must not be empty"}}
		return askPublish(v, http.StatusUnprocessableEntity, s)
	case store.Invalid:
		return v.Again(err, func(status int) error { return askPublish(v, status, s) })
	}
	if err != nil {
		return err
	}
	if before.IsPublic {
		return v.See(back, s.FriendlyID+" was public already.")
	}
	untold, err := untoldNow(v, s)
	if err != nil {
		return err
	}
	return v.SeeWarnings(back, s.FriendlyID+" is public now.", untold, nil)
}

// unpublishSession takes one session off the programme. It tells nobody.
func unpublishSession(v *visit.Visit, s *models.Session) error {
	before, _, err := v.Programme.Unpublish(v.UserContext(), s.ID)
	if err != nil {
		return err
	}
	text := s.FriendlyID + " is not public any more. Nothing was sent."
	if !before.IsPublic {
		text = s.FriendlyID + " was not public."
	}
	untold, err := untoldNow(v, s)
	if err != nil {
		return err
	}
	return v.SeeWarnings(v.At("/sessions/"+s.ID)+listingQuery(v), text, untold, nil)
}

// askOfPublishing asks before sessions of a list are published; publishingInNumbers says what comes of them.
func askOfPublishing(_ string, _ models.BatchChange, what string, _, _ int64) pages.ConfirmPage {
	return pages.ConfirmPage{Verb: "Publish " + what, Keeps: true,
		Text: "What is ready can be read by everyone at once. What is held stays as it is, and the result says why."}
}

func publishingInNumbers(v *visit.Visit, q models.SessionSearch, p *pages.ConfirmPage) error {
	all, err := v.Programme.Publication(v.UserContext(), &q)
	if err != nil {
		return err
	}
	ready := int64(len(all.Ready))
	if ready == 0 {
		return store.Invalidf("id", "are not ready: %s",
			"none of these sessions can be published as they are. The page Publish says why")
	}
	p.Verb = "Publish " + visit.Counted(ready, "session", "sessions")
	p.Points = append(p.Points, visit.Counted(ready, "session.published event",
		"session.published events")+", once each. No letter is sent by this.")
	for _, x := range []struct {
		n    int
		text string
	}{{len(all.Held), " held and left out"}, {len(all.Public), " public already"}, {all.Unaccepted,
		" not accepted and left out"}} {
		if x.n > 0 {
			p.Points = append(p.Points, visit.Number(int64(x.n))+x.text)
		}
	}
	p.Points = append(p.Points, holdsInWords(all.Held)...)
	return nil
}

func askOfUnpublishing(_ string, _ models.BatchChange, what string, _, public int64) pages.ConfirmPage {
	p := pages.ConfirmPage{Verb: "Unpublish " + what, Keeps: true, Points: []string{visit.Number(public) +
		" of them public now"},
		Text: "They leave the public programme and the feeds at once. Nothing is sent, and you can publish them again."}
	return p
}
