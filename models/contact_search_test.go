package models_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestPeopleAreFoundByWhatIsKeptOfThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		all := f.Directory(f.Event.OrganizationID, modelstest.Tester)
		shirt := modelstest.Must(all.AddOwnField(ctx, models.OwnFieldInput{Label: "Shirt", Type: field.Choices,
			Options: []string{"Small one", "Large one"}}))(t)
		tag, track := rowOf(t, p, models.Tags, "Mentor"), rowOf(t, p, models.Tracks, "Tides")
		add := func(at *models.Programme, pairs ...string) *models.Person {
			x, _, err := at.AddPerson(ctx, values(pairs...))
			modelstest.Fine(t, err)
			return x
		}
		ada := add(p, "first_name", "Ada", "email", "ada@example.org", "company_name", "Crème AG", "job_title", "Chief Engineer",
			"workflow_status", "invited", "tags", tag.ID, "arrival", "Monday", shirt.Key, "small one")
		bob := add(p, "first_name", "Bob", "company_name", "Creme AG", "workflow_status", "confirmed", shirt.Key, "Large one; Small one")
		cid := add(p, "first_name", "Cid", "email", "cid@example.org", "travel_notes", "train")
		dot := add(f.Elsewhere(), "first_name", "Dot", "email", "dot@example.org")
		modelstest.Must(f.Elsewhere().PutAtEvent(ctx, ada.ID))(t)
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "S", SessionInput: models.SessionInput{
			TrackID: store.Some(track.ID)}, People: []models.Participation{{ContactID: ada.ID, Role: models.Moderator}}}))(t)
		gone := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "G",
			People: []models.Participation{{ContactID: cid.ID}}}))(t)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "E",
			People: []models.Participation{{ContactID: bob.ID}}}))(t)
		_ = dot

		names := func(d *models.Directory, filter models.ContactFilter) string {
			found, pagination, err := d.Search(ctx, models.ContactSearch{Filter: filter, Page: store.Page{Size: 10}})
			modelstest.Fine(t, err)
			var names, each []string
			for _, x := range found {
				names = append(names, x.FullName)
			}
			modelstest.Fine(t, d.Each(ctx, filter, func(people []*models.Person) error {
				for _, x := range people {
					each = append(each, x.FullName)
				}
				return nil
			}))
			if int(pagination.TotalResults) != len(names) || !slices.Equal(each, names) {
				t.Errorf("%+v: %d results of %v, each %v", filter, pagination.TotalResults, names, each)
			}
			return strings.Join(names, " ")
		}
		here := p.Directory()
		for _, c := range []struct {
			d      *models.Directory
			filter models.ContactFilter
			want   string
		}{
			{all, models.ContactFilter{}, "Ada Bob Cid Dot"}, {here, models.ContactFilter{}, "Ada Bob Cid"},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{}, "Ada Bob Dot"}, {all.Within(nil), models.ContactFilter{}, ""},
			{all, models.ContactFilter{Text: "creme AD"}, "Ada"}, {all, models.ContactFilter{Company: "CREME ag"}, "Ada Bob"},
			{all, models.ContactFilter{Company: "creme"}, ""}, {all, models.ContactFilter{JobTitle: "engineer"}, "Ada"},
			{all, models.ContactFilter{NoEmail: true}, "Bob"}, {all, models.ContactFilter{Returns: true}, "Ada Bob"},
			{all.Within([]string{f.Event.ID}), models.ContactFilter{Returns: true}, ""},
			{all, models.ContactFilter{EventID: f.Other.ID}, "Ada Bob Dot"},
			{all, models.ContactFilter{Own: map[string]string{shirt.Key: `"large one"`}}, "Bob"},
			{here, models.ContactFilter{Own: map[string]string{shirt.Key: "small"}}, "Ada Bob"},
			{here, models.ContactFilter{Role: models.Moderator}, "Ada"}, {here, models.ContactFilter{Role: models.Speaking}, ""},
			{all, models.ContactFilter{Role: models.Speaking}, "Bob"}, {here, models.ContactFilter{TrackID: track.ID}, "Ada"},
			{here, models.ContactFilter{Speaking: new(true)}, "Ada"}, {here, models.ContactFilter{Speaking: new(false)}, "Bob Cid"},
			{here, models.ContactFilter{Status: "invited"}, "Ada"}, {here, models.ContactFilter{Status: models.NoStatus}, "Cid"},
			{here, models.ContactFilter{TagID: tag.ID}, "Ada"}, {here, models.ContactFilter{NoTravel: true}, "Bob"},
		} {
			if got := names(c.d, c.filter); got != c.want {
				t.Errorf("%+v: %q, want %q", c.filter, got, c.want)
			}
		}
		o := modelstest.Must(all.Overview(ctx))(t)
		if got := fmt.Sprint(o.People, o.Returning, o.NoEmail, o.Events[f.Event.ID], o.Events[f.Other.ID], o.Companies[0].Count); got !=
			"4 2 1 3 3 2" {
			t.Errorf("overview %s", got)
		}
		for _, filter := range []models.ContactFilter{{Text: strings.Repeat("x", 201)}, {Role: "x"}, {Status: "x"}, {TagID: "x"},
			{Own: map[string]string{"x": "y"}}} {
			_, err := here.Count(ctx, filter)
			modelstest.WantKind(t, fmt.Sprint(filter), err, store.Invalid)
		}
		statements := f.Statement.During(func() {
			here.Search(ctx, models.ContactSearch{Page: store.Page{Size: 2}})
		})
		if len(statements) != 4 {
			t.Errorf("%d statements: %s", len(statements), statements)
		}
	})
}
