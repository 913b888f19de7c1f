package demo

import (
	"context"
	"math"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/store"
)

// call tells how submissions came in, were reviewed and decided.
func (e *edition) call(entries []*entry) {
	var form store.By // the website's form, acting by its key
	var value string
	e.at(e.daysAgo(callOpens, 9, 30), "making the form's key", func(ctx context.Context) error {
		key, secret, err := apikey.Of(e.by(e.staff.Owner)).Create(ctx, apikey.New{Name: "Call for papers form",
			Scopes: []apikey.Scope{apikey.ReadEvents, apikey.WriteSessions, apikey.ReadMetadata}})
		if err == nil {
			form, value = store.By{Door: "api", ActorID: key.ID, ActorName: key.Name}, secret
		}
		return err
	})
	e.at(e.daysAgo(callCloses, 22, 58), "using it last", func(ctx context.Context) error {
		_, err := apikey.In(e.db).Authenticate(ctx, value, form)
		return err
	})
	turns := e.random.Perm(len(entries))
	for i, x := range entries {
		came := e.arrival(turns[i], len(entries))
		e.at(came, "submitting "+x.title, func(ctx context.Context) error {
			n, err := e.input(x, answersOf(i))
			if err != nil {
				return err
			}
			n.IsAbstract = true
			if x.state == string(models.Draft) {
				n.Status = new(models.Draft)
			}
			return e.enter(ctx, e.db.Programme(e.event, form).Reaching(models.Everybody), x, n)
		})
		reviewed := e.daysAgo(callCloses-1, 10, 0).Add(time.Duration(i) * 83 * time.Minute)
		if reviewed.Before(came) {
			reviewed = came.Add(12 * time.Hour)
		}
		e.review(x, reviewed, 25*time.Hour)
	}
	e.decide(entries)
	e.compose(entries)
}

// arrival returns when the nth of all submissions came in: few at first, most in the last week, some in the last hour.
func (e *edition) arrival(n, of int) time.Time {
	opens, closes := e.daysAgo(callOpens, 11, 0), e.daysAgo(callCloses, 22, 40)
	share, low, high := (float64(n)+0.5)/float64(of), 0.0, 1.0
	for range 30 { // bisects for where the curve reaches the share
		middle := (low + high) / 2
		if 0.32*middle+0.38*math.Pow(middle, 8)+0.3*math.Pow(middle, 60) < share {
			low = middle
		} else {
			high = middle
		}
	}
	return opens.Add(time.Duration(low * float64(closes.Sub(opens)))).Truncate(time.Second)
}

// answersOf returns the answers of a submission to the form's questions.
func answersOf(i int) models.AnswersInput {
	given := []string{"No", "Once, at a meetup in spring", "No, it was written for Tideline",
		"Yes, in Gdańsk; the recording is linked in my notes"}
	needs := []string{"", "I bring my own adapter.", "", "A session in the morning, please: my train leaves at five.",
		"Tables for groups of four, and a printer we can leave running.", "", "Step-free access to the stage."}
	answers := models.AnswersInput{{Key: givenBefore, Value: given[i%len(given)]}}
	if need := needs[i%len(needs)]; need != "" {
		answers = append(answers, models.Answer{Key: shouldWeKnow, Value: need})
	}
	return answers
}

// decide has organizers queue and commit decisions by the reviewers' opinions.
func (e *edition) decide(entries []*entry) {
	at := map[models.Status]int{}
	for _, x := range entries {
		status := models.Status(x.state)
		n := at[status]
		at[status]++
		var path []models.Status // statuses, each some days after the one before
		switch status {
		case models.Accepted:
			path = []models.Status{models.AcceptQueue, models.Accepted}
		case models.Declined:
			path = []models.Status{models.DeclineQueue, models.Declined}
		case models.AcceptQueue, models.DeclineQueue, models.Withdrawn:
			path = []models.Status{status}
		}
		for step, to := range path {
			days := decided + 1 - step
			if len(path) == 1 {
				days = 2 // what is queued now was queued lately
			}
			e.at(e.daysAgo(days, 13, 3*n+step), string(to)+" "+x.title, func(ctx context.Context) error {
				who := e.staff.Tomas // queues
				if to.IsDecision() {
					who = e.staff.Beatriz // commits
				}
				_, err := e.by(who).UpdateSession(ctx, x.row.ID,
					models.SessionChange{SessionInput: models.SessionInput{Status: &to}})
				return err
			})
		}
		if status == models.Accepted {
			e.letters(x, e.daysAgo(decided-1, 9, 3*n), n)
		}
	}
}
