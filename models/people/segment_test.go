package people_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestSegmentsAreOnesOwnOrTheTeams(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		user := func(name string, role staff.Role) string {
			return modelstest.Must(f.Staff.CreateUser(ctx,
				staff.NewUser{Email: name + "@example.org", Name: name, Role: role, Password: "correct horse"}))(t).ID
		}
		ada := people.Keeper{UserID: user("uma", staff.Organizer), Team: true}
		eve := people.Keeper{UserID: user("vic", staff.Viewer)}
		all, here := f.Directory(f.Event.OrganizationID, modelstest.Tester), f.Programme().Directory()
		add := func(d *models.Directory, k people.Keeper, name string, shared bool) *people.Segment {
			t.Helper()
			return modelstest.Must(people.In(d).AddSegment(ctx, k, people.SegmentInput{Name: name, Query: "q=" + name,
				IsShared: shared}))(t)
		}
		team := add(all, ada, "Mentors", true)
		mine := add(all, ada, "Mine", false)
		add(all, eve, "Mine", false) // nobody sees both
		add(here, ada, "Mentors", true)
		add(f.Elsewhere().Directory(), ada, "Elsewhere", true)
		names := func(d *models.Directory, k people.Keeper) string {
			names := store.Map(modelstest.Must(people.In(d).Segments(ctx, k))(t),
				func(s *people.Segment) string { return fmt.Sprint(s.Name, s.IsShared()) })
			return strings.Join(names, " ")
		}
		stranger := people.Keeper{UserID: store.NewID(), Team: true}
		for _, c := range []struct {
			d    *models.Directory
			k    people.Keeper
			want string
		}{
			{all, ada, "Mentorstrue Minefalse"}, {all, eve, "Mentorstrue Minefalse"}, {here, eve, "Mentorstrue"},
			{all.Within(nil), eve, "Mentorstrue Minefalse"}, {all, stranger, "Mentorstrue"},
		} {
			modelstest.Want(t, "names", names(c.d, c.k), c.want)
		}
		_, foreign := modelstest.ForeignOwner(t, f)
		there := f.Directory(modelstest.Must(f.EventBy(ctx, foreign))(t).OrganizationID, modelstest.Tester)
		modelstest.Want(t, "another organization sees", names(there, ada), "")

		changed := people.SegmentInput{Name: "Mentors of 2027", Query: "q=x", IsShared: true}
		_, err := people.In(all).ChangeSegment(ctx, eve, team.ID, changed, nil)
		modelstest.WantKind(t, "the team's, by a viewer", err, store.NotFound)
		_, err = people.In(all).DeleteSegment(ctx, eve, team.ID)
		modelstest.WantKind(t, "the team's, deleted by a viewer", err, store.NotFound)
		_, err = people.In(here).ChangeSegment(ctx, ada, team.ID, changed, nil)
		modelstest.WantKind(t, "of another list", err, store.NotFound)
		modelstest.Answers(people.In(all).DeleteSegment(ctx, eve, mine.ID))(t, "somebody's own", store.NotFound)
		modelstest.Answers(people.In(there).DeleteSegment(ctx, ada, team.ID))(t, "of another organization", store.NotFound)

		after := modelstest.Must(people.In(all).ChangeSegment(ctx, ada, team.ID, changed, &team.UpdatedAt))(t)
		modelstest.Holds(t, after.Name == changed.Name && after.Query == "q=x" && after.UpdatedAt.After(team.UpdatedAt.Time),
			"became %+v", after)
		_, err = people.In(all).ChangeSegment(ctx, ada, team.ID, changed, &team.UpdatedAt)
		modelstest.WantKind(t, "an outdated one", err, store.Stale)
		modelstest.Must(people.In(all).ChangeSegment(ctx, ada, mine.ID, people.SegmentInput{Name: "Ours", IsShared: true},
			nil))(t)
		modelstest.Want(t, "shared meanwhile", names(all, eve), "Mentors of 2027true Ourstrue Minefalse")
		modelstest.Want(t, "deleted", modelstest.Must(people.In(all).DeleteSegment(ctx, ada, team.ID))(t).Query, "q=x")
		modelstest.Answers(people.In(all).Segment(ctx, ada, team.ID))(t, "one that was deleted", store.NotFound)
		modelstest.Exec(t, f.SQL, "DELETE FROM users WHERE id = '"+ada.UserID+"'")
		modelstest.Want(t, "once who kept it is gone", names(here, eve), "Mentorstrue")
	})
}

func TestSegmentsAreChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Programme().Directory()
		ada := people.Keeper{UserID: modelstest.FirstOwner(t, f).ID}
		modelstest.Must(people.In(d).AddSegment(ctx, ada, people.SegmentInput{Name: "n", Query: strings.Repeat("é",
			people.MaxSegmentQuery)}))(t)
		for field, in := range map[string]people.SegmentInput{
			"name": {Name: " N "}, "query": {Name: "x", Query: strings.Repeat("x", people.MaxSegmentQuery+1)},
			"shared": {Name: "x", IsShared: true},
		} {
			_, err := people.In(d).AddSegment(ctx, ada, in)
			e := store.AsError(err)
			modelstest.Holds(t, e != nil && e.Kind == store.Invalid && e.Fields[0].Field == field, "%s: %v", field, err)
		}
		for _, id := range []string{store.NewID(), "", "x"} {
			_, err := people.In(d).AddSegment(ctx, people.Keeper{UserID: id, Team: true}, people.SegmentInput{Name: "x"})
			modelstest.WantKind(t, "nobody", err, store.NotFound)
			modelstest.Answers(people.In(d).DeleteSegment(ctx, ada, id))(t, "none", store.NotFound)
		}
		for i := range people.MaxSegments - 1 {
			modelstest.Must(people.In(d).AddSegment(ctx, ada, people.SegmentInput{Name: fmt.Sprint(i)}))(t)
		}
		_, err := people.In(d).AddSegment(ctx, ada, people.SegmentInput{Name: "one more"})
		modelstest.WantKind(t, "one too many", err, store.Invalid)
		ada.Team = true // the team's are counted apart
		modelstest.Must(people.In(d).AddSegment(ctx, ada, people.SegmentInput{Name: "one more", IsShared: true}))(t)
	})
}
