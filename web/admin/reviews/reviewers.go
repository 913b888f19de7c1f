package reviews

import (
	"context"
	"log/slog"
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	invitepages "lectern/views/pages/invite"
	pages "lectern/views/pages/reviews"
	"lectern/web/admin/invite"
	"lectern/web/admin/visit"
	"lectern/web/page"
	"lectern/web/request"
)

// roundPage shows a round, with the values of its form.
func roundPage(v *visit.Visit, status int, r *reviews.Round, form pages.RoundForm) error {
	zone := v.Event.Location()
	base := v.At("/rounds/" + r.ID)
	p := pages.RoundPage{Base: base, Rounds: v.At("/rounds"), State: roundState(v, &r.ReviewRound), GivesAll: r.GivesAll,
		Form:       form,
		OpensTwice: page.Twice(form.Opens, zone), ClosesTwice: page.Twice(form.Closes, zone), ResultsURL: base + "/results",
		Assigned: roundProgress(r), Reminds: v.Options.Mail != nil && r.IsOpen(v.Now()),
		MayInvite: v.User.RoleAt("") == staff.Owner}
	if !r.GivesAll {
		p.AssignURL = base + "/assign"
		if err := roundPeople(v, &p, r); err != nil {
			return err
		}
	}
	return visit.Show(v, status, r.Name, pages.Round, p)
}

// roundPeople fills in who reviews, and the criteria.
func roundPeople(v *visit.Visit, p *pages.RoundPage, r *reviews.Round) error {
	used, err := v.Rounds().IsUsed(v.UserContext(), r.ID)
	if err != nil {
		return err
	}
	if !used {
		p.CardURL, p.DeleteURL = p.Base+"/scorecard", p.Base+"/delete"
	}
	for _, c := range r.Card {
		p.Criteria = append(p.Criteria, pages.CriterionRow{Name: c.Name, Scale: c.Scale()})
	}
	on, err := v.Rounds().Reviewers(v.UserContext(), r.ID)
	if err != nil {
		return err
	}
	for _, one := range on {
		row := pages.RoundReviewer{Name: one.Name, Email: one.Email, Invited: one.UserID == "",
			Assigned: visit.Number(one.Assigned),
			Waiting:  visit.Number(one.Waiting()), Part: one.Answered, Whole: one.Assigned, WaitsForThem: one.Waiting() > 0,
			Aside: visit.SomeOf(one.Aside, "set aside", "set aside")}
		p.Reviewers = append(p.Reviewers, row)
	}
	others, err := v.Rounds().Candidates(v.UserContext(), r.ID)
	p.Candidates = visit.Choices(others, func(u *staff.User) (string, string) { return u.ID, u.Name })
	return err
}

// changeReviewers adds, removes, invites or reminds reviewers, by the button pressed.
func changeReviewers(v *visit.Visit, r *reviews.Round) error {
	back := v.At("/rounds/" + r.ID)
	if email := v.Value("remove"); email != "" {
		err := v.Rounds().RemoveReviewer(v.UserContext(), r.ID, email)
		return v.Done(err, back, seeAllThen("They are off the round. What they reviewed already stays. "))
	}
	var err error
	switch v.Value("do") {
	case "remind":
		return remindReviewers(v, r)
	case "invite":
		err = inviteReviewer(v, r)
	default:
		users := v.Values("user")
		if len(users) == 0 {
			err = store.Invalidf("user", "are not chosen yet: tick somebody")
		} else if err = v.Rounds().AddReviewers(v.UserContext(), r.ID, users); err == nil {
			return v.See(back, visit.Counted(int64(len(users)), "reviewer is", "reviewers are")+" on the round now.")
		}
	}
	if err == nil {
		return nil
	}
	return v.Again(err, func(status int) error { return roundAgain(v, status, r) })
}

// roundAgain shows a round's page with its stored settings.
func roundAgain(v *visit.Visit, status int, r *reviews.Round) error {
	return roundPage(v, status, r, roundFormOf(v, r))
}

// inviteReviewer invites somebody to review in this round: it mails the link if there is a mail server, else shows it.
func inviteReviewer(v *visit.Visit, r *reviews.Round) error {
	in, all := invite.ReviewerAt(v.Event.ID), invite.Addressees(v.FormValue("invite"))
	if len(all) > 1 {
		return invite.All(v, all, invite.Many{As: in, Action: v.At("/rounds/" + r.ID + "/reviewers"), Field: "invite",
			Back: v.At("/rounds/" + r.ID), Hidden: []components.Hidden{{Name: "do", Value: "invite"}},
			Then: func(ctx context.Context, email string) error { return v.Rounds().Expect(ctx, r.ID, email) }})
	}
	who := append(all, invite.Addressee{})[0]
	email := who.Email
	in.Email = email
	var token string
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		if err = v.Rounds().Expect(ctx, r.ID, email); err != nil { // first, so that nobody sees more in between
			return "", err
		}
		token, err = v.Team().Invite(ctx, in)
		return v.At("/rounds/" + r.ID), err
	})
	if err != nil {
		return err
	}
	i, err := v.Store.Staff.InvitationBy(v.UserContext(), token)
	if err != nil {
		return err
	}
	link := v.Options.BaseURL + models.InvitationPath + token
	p := invitepages.LinkPage{Link: link, Back: v.At("/rounds/" + r.ID),
		Text: "Give this link to " + i.Email + ". It is good for seven days and works once."}
	if v.Options.Mail != nil {
		p.Text = "It is on its way to " + i.Email + " by mail, and this is the link to copy. It is good for seven days and works once."
		n := models.Note{Email: i.Email, Subject: "Review submissions to " + v.Event.Name, Text: invite.Letter(i,
			who.Name, link)}
		if err := v.MailLink(v.Programme.Mails(), n, link); err != nil {
			slog.Error("a link was not sent", "request_id", request.ID(v.Context()), "error", err.Error())
			p.Text = "Give this link to " + i.Email + ". It is good for seven days and works once."
			p.NotMailed = true
		}
	}
	return visit.Show(v, http.StatusOK, "The invitation is ready", invitepages.Link, p)
}

// remindReviewers writes to the ticked reviewers who have something to review.
func remindReviewers(v *visit.Visit, r *reviews.Round) error {
	back, chosen := v.At("/rounds/"+r.ID), v.Values("email")
	if v.Options.Mail == nil {
		return &store.Error{Kind: store.Invalid, Message: "There is no mail server, so nobody was reminded."}
	}
	if !r.IsOpen(v.Now()) {
		return v.See(back, "Nobody was reminded: the round is not open.")
	}
	on, err := v.Rounds().Reviewers(v.UserContext(), r.ID)
	if err != nil {
		return err
	}
	var notes []models.Note
	for _, one := range on {
		if one.UserID == "" || one.Waiting() == 0 || !slices.Contains(chosen, one.Email) {
			continue
		}
		notes = append(notes, models.Note{Name: one.Name, Email: one.Email, Subject: "Reviews for " + v.Event.Name,
			Text: reminder(v, r, one)})
	}
	if len(notes) == 0 {
		return v.See(back, "Nobody was reminded: nothing waits for those who were ticked.")
	}
	return v.Done(v.Programme.Mails().Send(v.UserContext(), notes...), back,
		visit.Counted(int64(len(notes)), "reminder is", "reminders are")+" on the way. What becomes of them stands in the outbox of letters.")
}

func reminder(v *visit.Visit, r *reviews.Round, to *reviews.Reviewer) string {
	text := "Hello " + to.Name + ",\n\n" + visit.Counted(to.Waiting(), "submission waits", "submissions wait") +
		" for your review in the round “" +
		r.Name + "” of " + v.Event.Name + ".\n\n"
	if r.ClosesAt != nil {
		text += "The round closes on " + page.When(r.ClosesAt, v.Event.Location()) + ".\n\n"
	}
	return text + v.Options.BaseURL + v.At("/reviews/"+r.ID) + "\n"
}
