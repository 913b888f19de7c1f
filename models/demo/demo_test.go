package demo_test

import (
	"context"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/demo"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestDemonstrationHasWhatItPromises(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := context.Background()
		event := modelstest.Must(demo.Fill(ctx, f.Store))(t)
		p := f.Store.Programme(event, modelstest.Tester)
		count := func(filter models.SessionFilter) int64 {
			_, pagination, err := p.SearchSessions(ctx, models.SessionSearch{Filter: filter})
			if err != nil {
				t.Fatal(err)
			}
			return pagination.TotalResults
		}
		abstract, programme, yes := true, false, true
		if n := count(models.SessionFilter{IsAbstract: &abstract}); n != 60 {
			t.Errorf("%d abstracts", n)
		}
		if n := count(models.SessionFilter{IsAbstract: &programme}); n != 40 {
			t.Errorf("%d programme sessions", n)
		}
		for _, status := range models.Statuses {
			if count(models.SessionFilter{IsAbstract: &abstract, Statuses: []models.Status{status}}) == 0 {
				t.Errorf("no abstract is %s", status)
			}
		}
		if count(models.SessionFilter{IsPublic: &yes}) == 0 ||
			count(models.SessionFilter{Scheduled: &programme, IsAbstract: &programme}) == 0 {
			t.Error("nothing is public, or nothing unscheduled")
		}
		high, low := models.Score(450), models.Score(250)
		if count(models.SessionFilter{ScoreFrom: &high}) == 0 || count(models.SessionFilter{ScoreBelow: &low}) == 0 {
			t.Error("no submission has a high score, or none a low one")
		}
		if count(models.SessionFilter{IncludeDeleted: true}) != 101 {
			t.Error("nothing is in the trash")
		}
		if count(models.SessionFilter{Text: "harbour", IsAbstract: &abstract}) == 0 {
			t.Error("the search that the demonstration proposes finds nothing")
		}
		all, pagination, err := p.Speakers(ctx, "", store.Page{Size: 100})
		if err != nil || pagination.TotalResults < 45 {
			t.Errorf("%v, %d speakers", err, pagination.TotalResults)
		}
		names := map[string]int{}
		for _, s := range all {
			names[s.FullName]++
		}
		if names["Wei Zhang"] != 2 {
			t.Error("no two speakers share a name")
		}
		rows, _, err := p.SearchSessions(ctx, models.SessionSearch{Page: store.Page{Size: 100}})
		if err != nil {
			t.Fatal(err)
		}
		overMidnight, longest, roles, composed := false, 0, map[string]int{}, 0
		for _, s := range rows {
			longest = max(longest, len([]rune(s.Title)))
			roles[s.CompositionStatus.Role]++
			if s.CompositionStatus.SourceCount == 2 {
				composed++
			}
			if s.EndsAt != nil && s.EndsAt.In(event.Location()).Day() != s.StartsAt.In(event.Location()).Day() {
				overMidnight = true
			}
			if strings.Contains(s.Description, "<script") {
				t.Errorf("%s has a script in its description", s.FriendlyID)
			}
		}
		if !overMidnight || longest != store.MaxTitle || roles["target"] < 20 || composed != 1 {
			t.Errorf("over midnight: %v, longest title: %d, roles: %v, of two abstracts: %d", overMidnight, longest,
				roles, composed)
		}
	})
}
