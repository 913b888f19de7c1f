package api_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/staff"
)

func TestReviewsAreReadWithTheirScoresAndRounds(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ctx, p := t.Context(), d.Programme()
		ada, li := d.Hire(t, "ada", staff.Reviewer), d.Hire(t, "li", staff.Reviewer)
		id := d.create(t, object{"title": "Paper", "is_abstract": true})["id"].(string)
		path := d.path("/sessions/A-1/reviews")
		none := object{"score": nil, "reviews": 0, "rounds": []any{}, "results": []any{}}
		wantEqual(t, d.do(t, "GET", path, nil).want(200).object(), none)

		modelstest.Fine(t, p.GiveReview(ctx, ada, id, models.Opinion{Score: 4, Comment: "Fine <b>"}))
		rounds := reviews.Of(p)
		round := modelstest.Must(rounds.Create(ctx, reviews.Settings{Name: "Second", IsBlind: true}))(t)
		modelstest.Fine(t, rounds.AddReviewers(ctx, round.ID, []string{ada.ID, li.ID}))
		modelstest.Fine(t, rounds.AssignTo(ctx, round.ID, id, []string{ada.ID, li.ID}))
		modelstest.Fine(t, rounds.Give(ctx, ada, round.ID, id, reviews.Verdict{State: models.Abstained}))
		d.Clock.Move(1_000_000)
		modelstest.Fine(t, rounds.Give(ctx, li, round.ID, id, reviews.Verdict{State: models.Scored,
			Answers: map[string]string{round.Card[0].ID: "1"}}))

		at := func(s string) string { return "2026-11-21T09:30:00." + s + "Z" }
		wantEqual(t, d.do(t, "GET", path, nil).want(200).object(), object{
			"score": 2.5, "reviews": 2,
			"rounds": []object{
				{"id": d.Event.ID, "name": "All submissions", "scored": 1, "aside": 0, "mean": 4, "spread": 0},
				{"id": round.ID, "name": "Second", "scored": 1, "aside": 1, "mean": 1, "spread": 0},
			},
			"results": []object{
				{"round_id": round.ID, "reviewer": li.Name, "score": 1, "comment": "", "created_at": at("001"),
					"updated_at": at("001"),
					"answers":    []object{{"question": "Overall", "answer": "1 of 5"}}},
				{"round_id": d.Event.ID, "reviewer": ada.Name, "score": 4, "comment": "Fine <b>", "created_at": at("000"),
					"updated_at": at("000"), "answers": []object{}},
			},
		})
		d.put(t, id, `{"status": "draft"}`).want(200)
		wantEqual(t, d.do(t, "GET", path, nil).want(200).object(), none)
		talk := d.create(t, object{"title": "Talk"})["id"].(string)
		wantEqual(t, d.do(t, "GET", d.path("/sessions/"+talk+"/reviews"), nil).want(200).object(), none)
	})
}

func TestReviewsAreToldWithTheirScopeAlone(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.create(t, object{"title": "Paper", "is_abstract": true})["id"].(string)
		modelstest.Fine(t, d.Programme().GiveReview(t.Context(), d.Hire(t, "ada", staff.Reviewer), id,
			models.Opinion{Score: 5, Comment: "Secret words"}))
		key := d.mint(t, d.Event, apikey.ReadEvents, apikey.ReadSessions, apikey.WriteSessions, apikey.ReadContacts)
		d.do(t, "GET", d.path("/sessions/"+id+"/reviews"), nil, "x-access-token", key).
			wantError(403, "ForbiddenError", "read:reviews")
		for _, got := range []*answer{d.do(t, "GET", d.path("/sessions/"+id), nil),
			d.do(t, "POST", d.path("/sessions/search"), `{}`)} {
			if raw := string(got.want(200).raw); strings.Contains(raw, "Secret words") || strings.Contains(raw, "score") {
				t.Errorf("tells reviews: %s", raw)
			}
		}
	})
}
