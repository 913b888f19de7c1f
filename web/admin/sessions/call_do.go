package sessions

import (
	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// submittedFor is the notice after staff submitted a draft.
const submittedFor = "It is submitted, and whoever it is of is written to."

// theCallOf returns the event's call.
func theCallOf(v *visit.Visit) *call.Call { return call.Of(v.Programme) }

// onCall wraps something that staff do with a submission; it leads back to the submission's page, which shows the
// result or why it was refused.
func onCall(do func(v *visit.Visit, id string) (text string, err error)) visit.Handler {
	return func(v *visit.Visit) error {
		id := v.Params("id")
		text, err := do(v, id)
		back := v.At("/sessions/" + id)
		if store.KindOf(err) == store.Stale {
			return v.SeeWarning(back, "Somebody changed it since you opened its page. Here it is as it is now.")
		}
		return v.DoneOrRefused(err, back, text)
	}
}

// until reads a moment that was typed in the event's zone; nil for none.
func until(v *visit.Visit, field string) (*store.Time, error) {
	typed, err := page.SentClock("until", v.Clock(field), v.Event.Location())
	return typed.Value, err
}

var (
	lockCall = onCall(func(v *visit.Visit, id string) (string, error) {
		if v.Value("lock") == "" {
			return "Its people can change it again.", theCallOf(v).Lock(v.UserContext(), id, false)
		}
		return "Its people cannot change it any more.", theCallOf(v).Lock(v.UserContext(), id, true)
	})
	reopenCall = onCall(func(v *visit.Visit, id string) (string, error) {
		until, err := until(v, "until")
		if err != nil {
			return "", err
		}
		text := "It is as open for its people as the call is."
		if until != nil {
			text = "Its people can change it until " + page.When(until, v.Event.Location()) + "."
		}
		return text, theCallOf(v).Reopen(v.UserContext(), id, until)
	})
	extendCall = onCall(func(v *visit.Visit, _ string) (string, error) {
		until, err := until(v, "until-"+v.Value("contact"))
		if err != nil {
			return "", err
		}
		text := "The call ends for them as for all."
		if until != nil {
			text = "They can write until " + page.When(until, v.Event.Location()) + "."
		}
		return text, theCallOf(v).Extend(v.UserContext(), v.Value("contact"), until)
	})
	takeUpCall = onCall(func(v *visit.Visit, id string) (string, error) {
		token, err := store.ParseTime(v.Value("updated_at"))
		if err != nil {
			return "", page.OldForm
		}
		s, err := theCallOf(v).TakeUpAgain(v.UserContext(), id, token)
		if err != nil {
			return "", err
		}
		return statusNow(s.Status), nil
	})
	inviteToPlace = onCall(func(v *visit.Visit, _ string) (string, error) {
		return v.InvitedToPlace(), theCallOf(v).InviteToPlace(v.UserContext(), v.Value("contact"))
	})
	answerCall = func(v *visit.Visit) error {
		s, err := Live(v)
		if err != nil {
			return err
		}
		people := store.Map(s.Participants, func(x *models.Participant) string { return x.ContactID })
		m, err := letters.Of(v.Programme).StartMailing(v.UserContext(), v.Programme.Directory(), people)
		if store.KindOf(err) == store.Invalid {
			return v.SeeWarning(v.At("/sessions/"+s.ID), components.Sentence(page.FaultsOf(err)[0]))
		}
		if err != nil {
			return err
		}
		return v.See(visit.MailingAt(v, m.ID)+"?about="+s.ID, "")
	}
)

// submitCall submits a draft on behalf of its people. Where something is missing, the form shows what.
func submitCall(v *visit.Visit) error {
	id := v.Params("id")
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	_, err = theCallOf(v).SubmitFor(v.UserContext(), id, call.SubmittingFor{Token: token})
	if store.KindOf(err) == store.Invalid && page.FaultsOf(err).Of("status") == "" {
		return v.SeeInstead(answersAt(v, id) + "?check=1")
	}
	return onCall(func(*visit.Visit, string) (string, error) { return submittedFor, err })(v)
}

// linkToPlace shows a link to the place of one of a record's people.
func linkToPlace(v *visit.Visit) error {
	return v.ShowPlaceLink(v.Programme, v.Value("contact"), v.At("/sessions/"+v.Params("id")))
}
