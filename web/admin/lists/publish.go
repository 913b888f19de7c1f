package lists

import (
	"lectern/models"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/admin/agenda"
	"lectern/web/admin/visit"
)

// askOfPublishing asks for confirmation before sessions are published; publishingInNumbers adds the numbers.
func askOfPublishing(_ models.BatchChange, what string, _, _ int64) layouts.ConfirmPage {
	return layouts.ConfirmPage{Verb: "Publish " + what, Keeps: true,
		Text: "What is ready can be read by everyone at once. What is held stays as it is, and the result says why."}
}

func publishingInNumbers(v *visit.Visit, q models.SessionSearch, p *layouts.ConfirmPage) error {
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
	p.Points = append(p.Points, agenda.HoldsInWords(all.Held)...)
	return nil
}

func askOfUnpublishing(_ models.BatchChange, what string, _, public int64) layouts.ConfirmPage {
	return layouts.ConfirmPage{Verb: "Unpublish " + what, Keeps: true, Points: []string{visit.Number(public) +
		" of them public now"},
		Text: "They leave the public programme and the feeds at once. Nothing is sent, and you can publish them again."}
}
