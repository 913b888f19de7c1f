package models_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// TestATypingErrorFindsTheSameInBothDatabases has what could leak: another event, the Trash, a draft.
func TestATypingErrorFindsTheSameInBothDatabases(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		add := func(at *models.Programme, title string) *models.Session {
			f.Clock.Move(1)
			return modelstest.Must(at.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true}))(t)
		}
		first := add(p, "Harbours of the north")
		add(p, "A harbour at night")
		add(p, "Tides")
		add(f.Elsewhere(), "Harbours elsewhere")
		modelstest.Must(p.DeleteSession(ctx, add(p, "Harbours in the Trash").ID))(t)
		f.Speaker(t, f.Event, first.ID, models.NewContact{Email: "anna@example.org", FirstName: "Anna", LastName: "Kowalska"})
		f.Speaker(t, f.Other, add(f.Elsewhere(), "Nets").ID,
			models.NewContact{Email: "ola@example.org", FirstName: "Ola", LastName: "Kowalska"})
		find := func(text string) (found []string) {
			t.Helper()
			near := modelstest.Must(p.FindNear(ctx, text, 2, 3))(t)
			for _, s := range near.Sessions {
				found = append(found, s.Title)
			}
			for _, person := range near.Named {
				found = append(found, person.FullName)
			}
			return found
		}
		for text, want := range map[string][]string{
			"harbuor": {"A harbour at night", "Harbours of the north"}, "nigth harbour": {"A harbour at night"},
			"kowalksa": {"Anna Kowalska"}, "Anna Kowalkska": {"Anna Kowalska"}, "zebra": nil, "tode": nil, "": nil,
		} {
			modelstest.WantAll(t, text+" finds", find(text), want)
		}
	})
}
