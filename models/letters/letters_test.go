package letters_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestLettersAreSentByKind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		for i, status := range []models.Status{models.Accepted, models.Accepted, models.Accepted, models.Declined} {
			modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "Tide", fmt.Sprintf("p%d@x.org", i)), status)
		}
		kinds := func(text string) string {
			var out string
			for _, k := range modelstest.Must(letters.Of(p).DraftKinds(ctx, text))(t) {
				out += fmt.Sprintf("%s %d/%d ", k.Kind, k.Ready, k.Drafts)
			}
			return out
		}
		modelstest.Want(t, "kinds", kinds(""), "accepted 3/3 declined 1/1 undone 0/0 free 0/0 ")
		modelstest.Want(t, "kinds", kinds("p1@x.org"), "accepted 1/1 declined 0/0 undone 0/0 free 0/0 ")
		refusals, one := letters.Choice{Kind: models.LetterDeclined}, letters.Choice{Text: "p1@x.org"}
		modelstest.Answers(letters.Of(p).SendChosen(ctx, refusals, 4))(t, "the number of all", store.Stale)
		modelstest.Want(t, "people", modelstest.Must(letters.Of(p).ReadyPeople(ctx, refusals))(t), 1)
		modelstest.Must(letters.Of(p).SendChosen(ctx, refusals, 1))(t)
		modelstest.Want(t, "kinds", kinds(""), "accepted 3/3 declined 0/0 undone 0/0 free 0/0 ")
		modelstest.Must(letters.Of(p).SendChosen(ctx, one, 1))(t)
		rows := modelstest.First(letters.Of(p).LettersIn(ctx, letters.DraftLetters,
			letters.Choice{Kind: models.LetterAccepted}, store.Page{}))(t)
		if len(rows) != 2 || kinds("p1@x.org") != "accepted 0/0 declined 0/0 undone 0/0 free 0/0 " {
			t.Errorf("%d acceptances are left, %s", len(rows), kinds(""))
		}
		modelstest.Answers(letters.Of(f.Elsewhere()).SendChosen(ctx, letters.Choice{}, 2))(t, "another event", store.Stale)
	})
}

// undecided takes a decision back within a transaction, and runs its next statement.
func undecided(ctx context.Context, p *models.Programme, id string) error {
	_, err := p.UpdateSession(ctx, id,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Pending)}})
	if err == nil {
		_, err = letters.Of(p).Counts(ctx)
	}
	return err
}

func TestALetterThatIsSupersededAsItIsSentOffStaysBehind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tide", "a@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		sent := make(chan error, 1)
		modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
			if err := undecided(tx.Within(ctx), p, id); err != nil {
				return err
			}
			go func() { _, err := letters.Of(f.Programme()).SendChosen(ctx, letters.Choice{}, 1); sent <- err }()
			modelstest.Waits(t, f, 1)
			return nil
		}))
		modelstest.WantKind(t, "sending it off", <-sent, store.Stale)
		modelstest.Want(t, "letters are in line", modelstest.Must(letters.Of(p).Counts(ctx))(t).Outbox, 0)
	})
}

func TestWhoseLetterLeavesAsTheDecisionIsUndoneIsWrittenTo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tide", "a@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		f.Clock.Move(letters.Hold)
		undone := make(chan int, 1)
		modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
			if _, err := f.ClaimLetter(tx.Within(ctx), "h"); err != nil {
				return err
			}
			go func() {
				_, letters, err := f.Programme().UndoDecision(ctx, id, models.Undoing{To: models.Pending})
				if err != nil {
					t.Error(err)
				}
				undone <- letters
			}()
			modelstest.Waits(t, f, 1)
			return nil
		}))
		modelstest.Want(t, "letters take it back", <-undone, 1)
	})
}

func TestALetterOfWhatWasDeletedWhileItWasTriedIsADraftAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tide", "a@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		f.Clock.Move(letters.Hold)
		attempt := modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.Must(p.DeleteSession(ctx, id))(t)
		modelstest.Fine(t, f.EndLetter(ctx, attempt, models.LetterEnd{State: models.LetterQueued, Answer: "452: full"}))
		f.Clock.Move(time.Hour)
		modelstest.Want(t, "the letter is", modelstest.Must(f.ClaimLetter(ctx, "h"))(t).State, models.LetterDraft)
		modelstest.Want(t, "a letter that is due once more", modelstest.Must(f.ClaimLetter(ctx, "h"))(t), nil)
		modelstest.Must(p.RestoreSession(ctx, id))(t)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		// One that failed is not tried again either.
		f.Clock.Move(letters.Hold)
		attempt = modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.Fine(t, f.EndLetter(ctx, attempt, models.LetterEnd{State: models.LetterFailed, Answer: "550: no"}))
		modelstest.Must(p.DeleteSession(ctx, id))(t)
		modelstest.Want(t, "would be tried again", modelstest.Must(letters.Of(p).Counts(ctx))(t).Retries, 0)
		modelstest.Answers(letters.Of(p).RetryLetters(ctx, 1))(t, "trying again", store.Stale)
		modelstest.WantKind(t, "sending it", letters.Of(p).SendLetter(ctx, attempt.ID), store.Stale)
		modelstest.Must(p.RestoreSession(ctx, id))(t)
		modelstest.Must(letters.Of(p).RetryLetters(ctx, 1))(t)
	})
}

func TestPlaceholdersWorkInTheTextOfOneLetter(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "About {{first_name}}", "a@x.org"), models.Accepted)
		l := modelstest.Drafts(t, p, "")[0]
		modelstest.WantKind(t, "a letter elsewhere", letters.Of(f.Elsewhere()).EditLetter(ctx, l.ID, l.UpdatedAt, "S", "{{first_name}}"),
			store.NotFound)
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, l.ID, l.UpdatedAt, "On {{session_title}}",
			"Dear {{first_name}},\n\n{{session_id}} is yours: {{place_link}}"))
		l, _, err := letters.Of(p).Letter(ctx, l.ID)
		if err != nil || l.Subject != "On About {first_name}" || l.Missing != "" || !l.IsEdited ||
			l.Body != "Dear Name0,\n\nA-1 is yours: {{place_link}}" {
			t.Errorf("%q, %q, %v", l.Subject, l.Body, err)
		}

		m := modelstest.Must(letters.Of(p).StartMailing(ctx, p.Directory(), []string{l.ContactID}))(t)
		modelstest.Must(letters.Of(p).SaveMailing(ctx, m.ID, 0, "Travel", "Hello"))(t)
		one := modelstest.Mailed(t, p, m.ID)[0]
		modelstest.WantKind(t, "of a decision", letters.Of(p).EditLetter(ctx, one.ID, one.UpdatedAt, "S", "{{session_title}}"), store.Invalid)
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, one.ID, one.UpdatedAt, "{{full_name}}", "Hello {{first_name}}"))
		if one = modelstest.Mailed(t, p, m.ID)[0]; one.Subject != "Name0 Last" || one.Body != "Hello Name0" {
			t.Errorf("%q, %q", one.Subject, one.Body)
		}
	})
}

// addressees makes people of the event, one for each name, with an address made of the name; Plum has none.
func addressees(t *testing.T, p *models.Programme, names ...string) (ids []string) {
	t.Helper()
	for _, name := range names {
		n := models.NewContact{FirstName: name, LastName: "Last", CompanyName: "Works"}
		if name != "Plum" {
			n.Email = strings.ToLower(name) + "@x.org"
		}
		ids = append(ids, modelstest.Must(p.CreateContact(t.Context(), n))(t).ID)
	}
	return ids
}

func TestAMailingIsALetterToEachOfSomePeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ids := addressees(t, p, "Ada", "Plum", "Zoe")
		stranger := addressees(t, f.Elsewhere(), "Leak")
		decision := modelstest.AbstractOf(t, f, "Ledgers", "d@x.org")
		modelstest.SetStatus(t, p, decision, models.Accepted)
		modelstest.Answers(letters.Of(p).StartMailing(ctx, p.Directory(), stranger))(t, "to nobody", store.Invalid)
		before := modelstest.Must(letters.Of(p).Counts(ctx))(t).Drafts
		m := modelstest.Must(letters.Of(p).StartMailing(ctx, p.Directory(), append(ids, ids[0], stranger[0], "x")))(t)
		if c := modelstest.Must(letters.Of(p).Counts(ctx))(t); c.Drafts != before || c.Free == 0 {
			t.Errorf("a letter without a text counts as a draft: %+v", c)
		}
		row := modelstest.Must(letters.Of(p).Mailing(ctx, m.ID))(t)
		if row.People != 3 || row.Ready != 0 || row.NoReach != 1 || row.Version != 0 {
			t.Fatalf("%+v", row)
		}
		for _, text := range []string{"{{session_title}}", "{{travel_desk}}", "{{first_name", ""} {
			modelstest.Answers(letters.Of(p).SaveMailing(ctx, m.ID, 0, "S", text))(t, text, store.Invalid)
		}
		modelstest.Must(letters.Of(p).SaveMailing(ctx, m.ID, 0, "To {{first_name}}\r\nBcc: eve@x.org",
			"Dear {{first_name}} of {{company}}"))(t)
		modelstest.Answers(letters.Of(p).SaveMailing(ctx, m.ID, 0, "S", "B"))(t, "an old version", store.Stale)
		rows := modelstest.Mailed(t, p, m.ID)
		if len(rows) != 3 || rows[0].Name != "Plum Last" || rows[1].Subject != "To Ada Bcc: eve@x.org" || rows[1].Body != "Dear Ada of Works" {
			t.Fatalf("%+v", rows[1])
		}
		// One is edited by hand, one taken out; another text leaves the first as it is.
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, rows[1].ID, rows[1].UpdatedAt, "Ada", "By hand"))
		modelstest.Fine(t, letters.Of(p).TakeOutLetter(ctx, rows[0].ID))
		modelstest.WantKind(t, "a decision's", letters.Of(p).TakeOutLetter(ctx, modelstest.Drafts(t, p, "")[0].ID),
			store.Stale)
		modelstest.Must(letters.Of(p).SaveMailing(ctx, m.ID, 1, "Again", "Dear {{first_name}}"))(t)
		rows = modelstest.Mailed(t, p, m.ID)
		if len(rows) != 2 || rows[0].Body != "By hand" || rows[1].Body != "Dear Zoe" {
			t.Errorf("%q %q", rows[0].Body, rows[1].Body)
		}
		second, place, err := letters.Of(p).MailingLetter(ctx, m.ID, 9)
		if err != nil || second.ID != rows[1].ID || place.Position != 2 || place.Total != 2 {
			t.Errorf("%v %+v", err, place)
		}
		// Decisions and mailings go out each by their own button, with its number.
		if c := modelstest.Must(letters.Of(p).Counts(ctx))(t); c.Ready != 1 || c.Drafts != 3 || c.Free != 2 {
			t.Errorf("%+v", c)
		}
		modelstest.Answers(letters.Of(p).SendMailing(ctx, m.ID, 3))(t, "another number", store.Stale)
		modelstest.Must(letters.Of(p).SendMailing(ctx, m.ID, 2))(t)
		modelstest.Want(t, "drafts of decisions", len(modelstest.Drafts(t, p, "")), 1)
		f.Clock.Move(letters.Hold)
		for range 2 {
			out := modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
			modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterSent}))
		}
		if row := modelstest.Must(letters.Of(p).Mailing(ctx, m.ID))(t); row.Sent != 2 || row.Drafts != 0 {
			t.Errorf("%+v", row)
		}
		modelstest.Want(t, "discarded of those that were sent", modelstest.Must(letters.Of(p).DiscardMailing(ctx,
			m.ID))(t), 0)
		modelstest.Must(letters.Of(p).Mailing(ctx, m.ID))(t)
	})
}

func TestAMailingThatIsDiscardedIsGone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		m := modelstest.Must(letters.Of(p).StartMailing(ctx, p.Directory(), addressees(t, p, "Ada", "Zoe")))(t)
		if rows := modelstest.Must(letters.Of(p).Mailings(ctx,
			10))(t); len(rows) != 1 || rows[0].ID != m.ID || rows[0].Drafts != 2 {
			t.Fatalf("%+v", rows)
		}
		modelstest.Answers(letters.Of(f.Elsewhere()).DiscardMailing(ctx, m.ID))(t, "of another event", store.NotFound)
		modelstest.Want(t, "discarded", modelstest.Must(letters.Of(p).DiscardMailing(ctx, m.ID))(t), 2)
		modelstest.Answers(letters.Of(p).Mailing(ctx, m.ID))(t, "gone", store.NotFound)
	})
}

func TestWhoIsMergedGetsAMailingOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ids := addressees(t, p, "Ada", "Adah")
		m := modelstest.Must(letters.Of(p).StartMailing(ctx, p.Directory(), ids))(t)
		modelstest.Must(letters.Of(p).SaveMailing(ctx, m.ID, 0, "S", "Dear {{first_name}}"))(t)
		modelstest.Merged(t, f, ids[0], ids[1])
		if rows := modelstest.Mailed(t, p, m.ID); len(rows) != 1 || rows[0].ContactID != ids[0] {
			t.Errorf("%+v", rows)
		}
	})
}

func TestSavedTextsOfFreeLetters(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		modelstest.Answers(letters.Of(p).SaveFreeTemplate(ctx, "", 0, "", "S", "B"))(t, "no name", store.Invalid)
		_, err := letters.Of(p).SaveFreeTemplate(ctx, "", 0, "N", "S", "{{session_title}}")
		modelstest.WantKind(t, "a placeholder of decisions", err, store.Invalid)
		id := modelstest.Must(letters.Of(p).SaveFreeTemplate(ctx, "", 0, "Travel", "S", "Dear {{first_name}}"))(t)
		modelstest.Must(letters.Of(p).SaveFreeTemplate(ctx, id, 1, "Journeys", "S", "Dear {{first_name}}"))(t)
		modelstest.Answers(letters.Of(p).SaveFreeTemplate(ctx, id, 1, "Other", "S", "B"))(t, "an old version", store.Stale)
		all := modelstest.Must(letters.Of(p).LetterTemplates(ctx))(t)
		if len(all) != 4 || all[3].Name != "Journeys" || all[3].Version != 2 {
			t.Errorf("%+v", all)
		}
		modelstest.WantKind(t, "of another event", letters.Of(f.Elsewhere()).DeleteFreeTemplate(ctx, id), store.NotFound)
		modelstest.Fine(t, letters.Of(p).DeleteFreeTemplate(ctx, id))
		modelstest.WantKind(t, "gone", letters.Of(p).DeleteFreeTemplate(ctx, id), store.NotFound)
	})
}

func TestMailsToStaffStandInTheLog(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		modelstest.Fine(t, p.Mails().Send(ctx, models.Note{Name: "Lin\r\nBcc: e@x.org", Email: "lin@x.org",
			Subject: "Reviews", Text: "Two wait."}))
		house := f.Store.Mails(f.Event.OrganizationID, store.By{ActorName: "Ada"})
		begun := modelstest.Must(house.Begin(ctx, models.Note{Email: "new@x.org", Subject: "Join",
			Text: "Open (the link)."}, "post.test"))(t)
		out := modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
		if out.Email != "lin@x.org" || out.Name != "Lin Bcc: e@x.org" || out.Kind != models.LetterNote {
			t.Errorf("%+v", out)
		}
		modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterFailed, Answer: "550: no"}))
		modelstest.Fine(t, f.EndLetter(ctx, begun, models.LetterEnd{State: models.LetterQueued, Answer: "452: full"}))
		logged := func(m *models.Mails) (said []string) {
			rows := modelstest.First(m.Log(ctx, store.Page{Size: 10}))(t)
			return store.Map(rows, func(l *models.LetterRow) string { return fmt.Sprint(l.Kind, " ", l.Email, " ", l.State) })
		}
		// A link that nobody keeps is not sent again.
		modelstest.Want(t, "logged", fmt.Sprint(logged(p.Mails()), logged(house), logged(f.Elsewhere().Mails())),
			"[note lin@x.org failed] [invitation new@x.org failed] []")
		if c := modelstest.Must(letters.Of(p).Counts(ctx))(t); c.Failed != 1 || c.Retries != 1 {
			t.Errorf("%+v", c)
		}
		modelstest.WantKind(t, "an invitation again", letters.Of(p).SendLetter(ctx, begun.ID), store.Stale)
		modelstest.Must(letters.Of(p).RetryLetters(ctx, 1))(t)
	})
}

func TestWhatLetsNothingBeSentDoesNotCountAsAnAttempt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "T", "a@x.org"), models.Accepted)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		f.Clock.Move(letters.Hold)
		for range 6 {
			out := modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
			modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterQueued,
				Answer: "535: no", Barred: true}))
		}
		if c := modelstest.Must(letters.Of(p).Counts(ctx))(t); c.Barred != "535: no" || c.Held != 1 || c.Failed != 0 {
			t.Errorf("%+v", c)
		}
		out := modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
		modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterSent, Answer: "250"}))
		if c := modelstest.Must(letters.Of(p).Counts(ctx))(t); c.Barred != "" || c.Sent != 1 {
			t.Errorf("%+v", c)
		}
	})
}
