package admin

import (
	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// submittedFor is said once staff have submitted a draft.
const submittedFor = "It is submitted, and whoever it is of is written to."

// call is that of the event.
func (v *visit) call() *cfp.Call { return cfp.Of(v.programme) }

// onCall is something that staff do with a submission, whose page is shown again: a refusal is told there.
func onCall(do func(v *visit, id string) (text string, err error)) handler {
	return func(v *visit) error {
		id := v.Params("id")
		text, err := do(v, id)
		back := v.at("/sessions/" + id)
		if store.KindOf(err) == store.Stale {
			v.KeepNotice("warn", "Somebody changed it since you opened its page. Here it is as it is now.")
			return v.See(back, "")
		}
		return v.doneOrRefused(err, back, text)
	}
}

// doneOrRefused is Done, but that a refusal is told on the page at back.
func (v *visit) doneOrRefused(err error, back, text string) error {
	if store.KindOf(err) == store.Invalid {
		v.KeepNotice("bad", components.Sentence(page.FaultsOf(err)[0]))
		return v.See(back, "")
	}
	return v.Done(err, back, text)
}

// until is the moment that somebody typed in the time of the event; nil for none.
func (v *visit) until(field string) (*store.Time, error) {
	typed, err := page.SentClock("until", v.Clock(field), v.event.Location())
	return typed.Value, err
}

var (
	lockCall = onCall(func(v *visit, id string) (string, error) {
		if v.Value("lock") == "" {
			return "Its people can change it again.", v.call().Lock(v.UserContext(), id, false)
		}
		return "Its people cannot change it any more.", v.call().Lock(v.UserContext(), id, true)
	})
	reopenCall = onCall(func(v *visit, id string) (string, error) {
		until, err := v.until("until")
		if err != nil {
			return "", err
		}
		text := "It is as open for its people as the call is."
		if until != nil {
			text = "Its people can change it until " + page.When(until, v.event.Location()) + "."
		}
		return text, v.call().Reopen(v.UserContext(), id, until)
	})
	extendCall = onCall(func(v *visit, _ string) (string, error) {
		until, err := v.until("until-" + v.Value("contact"))
		if err != nil {
			return "", err
		}
		text := "The call ends for them as for all."
		if until != nil {
			text = "They can write until " + page.When(until, v.event.Location()) + "."
		}
		return text, v.call().Extend(v.UserContext(), v.Value("contact"), until)
	})
	takeUpCall = onCall(func(v *visit, id string) (string, error) {
		token, err := store.ParseTime(v.Value("updated_at"))
		if err != nil {
			return "", page.OldForm
		}
		s, err := v.call().TakeUpAgain(v.UserContext(), id, token)
		if err != nil {
			return "", err
		}
		return statusNow(s.Status), nil
	})
	inviteToPlace = onCall(func(v *visit, _ string) (string, error) {
		return v.invitedToPlace(), v.call().InviteToPlace(v.UserContext(), v.Value("contact"))
	})
	answerCall = func(v *visit) error {
		s, err := liveSession(v)
		if err != nil {
			return err
		}
		var people []string
		for _, x := range s.Participants {
			people = append(people, x.ContactID)
		}
		m, err := v.programme.StartMailing(v.UserContext(), v.programme.Directory(), people)
		if store.KindOf(err) == store.Invalid {
			v.KeepNotice("warn", components.Sentence(page.FaultsOf(err)[0]))
			return v.See(v.at("/sessions/"+s.ID), "")
		}
		if err != nil {
			return err
		}
		return v.See(v.mailingAt(m.ID)+"?about="+s.ID, "")
	}
)

// submitCall submits a draft for its people. Where something is missing, the form says what.
func submitCall(v *visit) error {
	id := v.Params("id")
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	_, err = v.call().SubmitFor(v.UserContext(), id, cfp.SubmittingFor{Token: token})
	if store.KindOf(err) == store.Invalid && page.FaultsOf(err).Of("status") == "" {
		return v.SeeInstead(v.answersAt(id) + "?check=1")
	}
	return onCall(func(*visit, string) (string, error) { return submittedFor, err })(v)
}

// letterAbout is what a letter about a submission begins with.
func (v *visit) letterAbout(id string) (pages.LetterDraft, error) {
	s, err := v.programme.Session(v.UserContext(), id)
	if store.KindOf(err) == store.NotFound {
		return pages.LetterDraft{}, nil
	}
	if err != nil {
		return pages.LetterDraft{}, err
	}
	return pages.LetterDraft{Subject: "{{event}}: about “" + models.WithoutPlaceholders(s.Title) + "” (" + s.FriendlyID + ")",
		Body: "Dear {{first_name}},\n\n\n\nThe programme committee of {{event}}"}, nil
}
