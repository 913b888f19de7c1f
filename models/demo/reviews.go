package demo

import (
	"crypto/rand"

	"lectern/models"
	"lectern/models/staff"
)

var reviewers = [][2]string{{"Beatriz Nunes", "beatriz"}, {"Henrik Aalto", "henrik"}, {"Mei-Ling Tan", "mei-ling"}}

// opinions are what reviewers write, by their score.
var opinions = map[int][]string{
	1: {"A product demonstration; the abstract says so itself.", ""},
	2: {"We had nearly this talk last year, by the same person.", "Two talks in one. Neither has room."},
	3: {"Solid, but I cannot tell what I would take home.", "", "For the small hall, if there is a slot left."},
	4: {"A clear story with real numbers.", "", "Would pair well with the talk on handovers."},
	5: {"Exactly what this conference is for.", "Heard the short version at a meetup: take it."},
}

// reviews has three reviewers think about what was handed in: most of it, better
// of what was accepted. Some of the pending ones still wait for one of them.
func (b *builder) reviews(store *models.Store) error {
	for at, who := range reviewers {
		reviewer, err := store.Staff.CreateUser(b.ctx, staff.NewUser{Name: who[0], Email: who[1] + "@tideline.example",
			Role: staff.Reviewer, Password: rand.Text()})
		if err != nil {
			return err
		}
		for i, abstract := range b.abstracts {
			if (i+at)%4 == 3 || abstract.Reviewable(reviewer) != nil {
				continue
			}
			score := 2 + (i*7+at*(i%2+1))%3
			switch abstract.Status {
			case models.Accepted, models.AcceptQueue:
				score++
			case models.Declined, models.DeclineQueue:
				score--
			}
			comments := opinions[score]
			if err := b.GiveReview(b.ctx, reviewer, abstract.ID,
				models.Opinion{Score: score, Comment: comments[(i+at)%len(comments)]}); err != nil {
				return err
			}
		}
	}
	return nil
}
