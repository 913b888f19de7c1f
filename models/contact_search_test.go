package models_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestPeopleAreFoundByWhatIsKeptOfThem(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		all := f.Directory(f.Event.OrganizationID, modelstest.Tester)
		shirt := modelstest.Must(all.AddOwnField(ctx, models.OwnFieldInput{Label: "Shirt", Type: field.Choices,
			Options: []string{"Small one", "Large one"}}))(t)
		tag, track := modelstest.RowOf(t, p, models.Tags, "Mentor"), modelstest.RowOf(t, p, models.Tracks, "Tides")
		add := func(at *models.Programme, pairs ...string) *models.Person {
			x, _, err := people.Of(at).AddPerson(ctx, modelstest.Values(pairs...))
			modelstest.Fine(t, err)
			return x
		}
		ada := add(p, "first_name", "Ada", "email", "ada@example.org", "company_name", "Crème AG", "job_title", "Chief Engineer",
			"workflow_status", "invited", "tags", tag.ID, "arrival_details", "Monday", shirt.Key, "small one")
		bob := add(p, "first_name", "Bob", "company_name", "Creme AG", "workflow_status", "confirmed", shirt.Key, "Large one; Small one")
		cid := add(p, "first_name", "Cid", "email", "cid@example.org", "travel_notes", "train")
		namesake, tides := modelstest.RowOf(t, f.Elsewhere(), models.Tags, "mentor"), modelstest.RowOf(t, f.Elsewhere(),
			models.Tracks, "TIDES")
		add(f.Elsewhere(), "first_name", "Dot", "email", "dot@example.org", "workflow_status", "confirmed",
			"tags", namesake.ID)
		modelstest.Must(people.Of(f.Elsewhere()).PutAtEvent(ctx, ada.ID))(t)
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "S", SessionInput: models.SessionInput{
			TrackID: store.Some(track.ID)}, People: []models.Participation{{ContactID: ada.ID, Role: models.Moderator}}}))(t)
		gone := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "G",
			People: []models.Participation{{ContactID: cid.ID}}}))(t)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		eli := add(p, "first_name", "Eli", "email", "eli@example.org", "departure", "2027-05-23T10:00:00Z")
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true,
			People: []models.Participation{{ContactID: eli.ID, Role: models.Chairperson}}}))(t)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "E",
			SessionInput: models.SessionInput{TrackID: store.Some(tides.ID)},
			People:       []models.Participation{{ContactID: bob.ID}, {ContactID: eli.ID}}}))(t)

		names := func(d *models.Directory, filter models.ContactFilter) string {
			found, pagination, err := d.Search(ctx, models.ContactSearch{Filter: filter, Page: store.Page{Size: 10}})
			modelstest.Fine(t, err)
			var names, each []string
			for _, x := range found {
				names = append(names, x.FullName)
			}
			modelstest.Fine(t, d.Each(ctx, filter, models.ByName, func(people []*models.Person) error {
				for _, x := range people {
					each = append(each, x.FullName)
				}
				return nil
			}))
			walked, _, err := d.Search(ctx, models.ContactSearch{Filter: filter, Page: store.Page{Size: 10}, Total: new(int64(5000))})
			modelstest.Fine(t, err)
			for i, x := range walked {
				if i >= len(names) || x.FullName != names[i] || len(walked) != len(names) {
					t.Errorf("%+v: walking finds another %s", filter, x.FullName)
				}
			}
			if n := modelstest.Must(d.Count(ctx, filter))(t); int(n) != len(names) {
				t.Errorf("%+v: counted %d of %v", filter, n, names)
			}
			if int(pagination.TotalResults) != len(names) || !slices.Equal(each, names) {
				t.Errorf("%+v: %d results of %v, each %v", filter, pagination.TotalResults, names, each)
			}
			return strings.Join(names, " ")
		}
		here, tags, tracks := p.Directory(), []string{tag.ID, namesake.ID}, []string{track.ID, tides.ID}
		for _, c := range []struct {
			d      *models.Directory
			filter models.ContactFilter
			want   string
		}{
			{all, models.ContactFilter{}, "Ada Bob Cid Dot Eli"}, {here, models.ContactFilter{}, "Ada Bob Cid Eli"},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{}, "Ada Bob Dot Eli"},
			{all.Within(nil), models.ContactFilter{}, ""},
			{all, models.ContactFilter{Text: "creme AD"}, "Ada"}, {all, models.ContactFilter{Company: "CREME ag"}, "Ada Bob"},
			{all, models.ContactFilter{Company: "creme"}, ""}, {all, models.ContactFilter{JobTitle: "engineer"}, "Ada"},
			{all, models.ContactFilter{NoEmail: true}, "Bob"}, {all, models.ContactFilter{Returns: true}, "Ada Bob Eli"},
			{all.Within([]string{f.Event.ID}), models.ContactFilter{Returns: true}, ""},
			{all.Within([]string{f.Event.ID}), models.ContactFilter{EventID: f.Other.ID}, ""}, // Ada and Eli are there
			{here, models.ContactFilter{Statuses: []string{"invited", models.NoStatus}}, "Ada Cid Eli"},
			{all, models.ContactFilter{Returned: true}, "Eli"},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{Returned: true}, ""},
			{here, models.ContactFilter{Returned: true, Returns: true, EventID: f.Other.ID}, "Ada Bob Cid Eli"}, // of no event
			{all, models.ContactFilter{EventID: f.Other.ID}, "Ada Bob Dot Eli"},
			{all, models.ContactFilter{Own: map[string]models.OwnFilter{shirt.Key: {Any: []string{"Large one"}}}}, "Bob"},
			{here, models.ContactFilter{Own: map[string]models.OwnFilter{shirt.Key: {Words: "small"}}}, "Ada Bob"},
			{here, models.ContactFilter{Roles: []models.Role{models.Moderator}}, "Ada"},
			{here, models.ContactFilter{Roles: []models.Role{models.Speaking}}, ""},
			{all, models.ContactFilter{Roles: []models.Role{models.Speaking}}, "Bob Eli"},
			{here, models.ContactFilter{TrackIDs: []string{track.ID}}, "Ada"},
			{here, models.ContactFilter{Speaking: new(true), Statuses: []string{"invited"}}, "Ada"},
			{here, models.ContactFilter{Roles: []models.Role{models.Moderator}, NoTravel: true}, ""},
			{here, models.ContactFilter{Statuses: []string{"invited"}, NoTravel: true}, ""},
			{all.Within([]string{f.Event.ID, f.Other.ID}), models.ContactFilter{}, "Ada Bob Cid Dot Eli"},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{Own: map[string]models.OwnFilter{shirt.Key: {Filled: true}}}, "Ada Bob"},
			{all, models.ContactFilter{EventID: f.Event.ID, Own: map[string]models.OwnFilter{shirt.Key: {Any: []string{""}}}}, "Cid Eli"},
			{here, models.ContactFilter{Speaking: new(false), Roles: []models.Role{models.Moderator}}, ""},
			{here, models.ContactFilter{Speaking: new(true)}, "Ada Eli"},
			{here, models.ContactFilter{Speaking: new(false)}, "Bob Cid"},
			{here, models.ContactFilter{Statuses: []string{"invited"}}, "Ada"},
			{here, models.ContactFilter{Statuses: []string{models.NoStatus}}, "Cid Eli"},
			{here, models.ContactFilter{TagIDs: []string{tag.ID}}, "Ada"}, {here, models.ContactFilter{NoTravel: true}, "Bob"},

			// At any event, or at the one that is asked for.
			{all, models.ContactFilter{TagIDs: tags}, "Ada Dot"},
			{all, models.ContactFilter{TagIDs: tags, EventID: f.Other.ID}, "Dot"},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{TagIDs: tags}, "Dot"},
			{all, models.ContactFilter{TagIDs: []string{store.NewID()}}, ""},
			{all, models.ContactFilter{TrackIDs: tracks}, "Ada Bob Eli"},
			{all, models.ContactFilter{TrackIDs: tracks, EventID: f.Event.ID}, "Ada"},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{TrackIDs: tracks}, "Bob Eli"},
			{all.Within([]string{f.Event.ID}), models.ContactFilter{TrackIDs: tracks, EventID: f.Other.ID}, ""},
			{all, models.ContactFilter{TrackIDs: tracks, Roles: []models.Role{models.Moderator}}, "Ada"},
			{all, models.ContactFilter{Roles: []models.Role{models.Speaking}, EventID: f.Event.ID}, ""},
			{all, models.ContactFilter{Roles: []models.Role{models.Speaking}, EventID: f.Other.ID}, "Bob Eli"},
			{all, models.ContactFilter{Statuses: []string{"confirmed"}}, "Bob Dot"},
			{all, models.ContactFilter{Statuses: []string{"confirmed"}, EventID: f.Other.ID}, "Dot"},
			{all, models.ContactFilter{Statuses: []string{"confirmed", models.NoStatus}}, "Ada Bob Cid Dot Eli"},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{Statuses: []string{"invited"}}, ""},
			{all.Within([]string{f.Other.ID}), models.ContactFilter{Statuses: []string{"confirmed"}}, "Dot"},
			{all, models.ContactFilter{Statuses: []string{"confirmed"}, TagIDs: tags, Text: "dot"}, "Dot"},
			{all, models.ContactFilter{Statuses: []string{"invited", "confirmed"},
				Own: map[string]models.OwnFilter{shirt.Key: {Filled: true}}}, "Ada Bob"},
		} {
			if got := names(c.d, c.filter); got != c.want {
				t.Errorf("%+v: %q, want %q", c.filter, got, c.want)
			}
		}
		largeOrNone, none := models.OwnFilter{Any: []string{"Large one", ""}}, models.OwnFilter{Any: []string{""}}
		for _, c := range []struct { // an own field, and what else is asked of the event
			d      *models.Directory
			own    models.OwnFilter
			filter models.ContactFilter
			want   string
		}{
			{all, largeOrNone, models.ContactFilter{}, "Bob Cid Dot Eli"},
			{here, largeOrNone, models.ContactFilter{}, "Bob Cid Eli"},
			{all.Within([]string{f.Other.ID}), largeOrNone, models.ContactFilter{}, "Bob Dot Eli"},
			{here, none, models.ContactFilter{}, "Cid Eli"}, {here, none, models.ContactFilter{Speaking: new(true)}, "Eli"},
			{here, largeOrNone, models.ContactFilter{Speaking: new(false)}, "Bob Cid"},
			{here, largeOrNone, models.ContactFilter{Statuses: []string{"invited"}}, ""},
			{here, models.OwnFilter{Filled: true}, models.ContactFilter{Statuses: []string{"invited"}}, "Ada"},
			{here, models.OwnFilter{Words: "small"}, models.ContactFilter{Roles: []models.Role{models.Moderator}}, "Ada"},
			{here, models.OwnFilter{Any: []string{"Large one"}, Words: "small"}, models.ContactFilter{NoTravel: true}, "Bob"},
			{here, models.OwnFilter{Any: []string{"", "Large one"}, Filled: true}, models.ContactFilter{}, "Bob"},
		} {
			c.filter.Own = map[string]models.OwnFilter{shirt.Key: c.own}
			if got := names(c.d, c.filter); got != c.want {
				t.Errorf("%+v: %q, want %q", c.filter, got, c.want)
			}
		}
		o := modelstest.Must(all.Overview(ctx))(t)
		if got := fmt.Sprint(o.People, o.Returning, o.Returned, o.NoEmail, o.Events[f.Event.ID], o.Events[f.Other.ID], o.Companies[0].Count); got !=
			"5 3 1 1 4 4 2" {
			t.Errorf("overview %s", got)
		}
		for _, filter := range []models.ContactFilter{{Text: strings.Repeat("x", 201)}, {Roles: []models.Role{"x"}}, {Statuses: []string{"x"}},
			{TagIDs: []string{"x"}}, {TrackIDs: []string{track.ID, "x"}},
			{Own: map[string]models.OwnFilter{"x": {Words: "y"}}}, {Own: map[string]models.OwnFilter{shirt.Key: {From: "1"}}},
			{Own: map[string]models.OwnFilter{shirt.Key: {Type: field.Number, To: "x"}}}} {
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

func TestPeopleAreFoundByOwnFieldsOfEachType(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Directory(f.Event.OrganizationID, modelstest.Tester)
		keys := map[field.Type]string{}
		for _, typ := range field.Types() {
			in := models.OwnFieldInput{Label: "F " + string(typ), Type: typ}
			if typ.HasOptions() {
				in.Options = []string{"S", "XS", "50%", "a_b"}
			}
			if typ.InTables() {
				keys[typ] = modelstest.Must(d.AddOwnField(ctx, in))(t).Key
			}
		}
		add := func(name string, of map[field.Type]string) {
			c := modelstest.Values("first_name", name)
			for typ, value := range of {
				c.Values[keys[typ]] = value
			}
			modelstest.Must(d.CreatePerson(ctx, c))(t)
		}
		add("Ada", map[field.Type]string{field.Text: "Blue harbour", field.LongText: "one\ntwo", field.Choice: "S", field.Choices: "S; 50%",
			field.Number: "9", field.Date: "2026-12-31", field.URL: "https://a.example/", field.Email: "a@example.org", field.YesNo: "yes"})
		add("Bob", map[field.Type]string{field.Text: "blue", field.Choice: "XS", field.Choices: "XS; a_b", field.Number: "-10.5",
			field.Date: "2027-01-01", field.YesNo: "no"})
		add("Cid", nil)
		for _, c := range []struct {
			typ    field.Type
			filter models.OwnFilter
			want   string
		}{
			{field.Text, models.OwnFilter{Words: "harbour BLUE"}, "Ada"}, {field.Text, models.OwnFilter{Filled: true}, "Ada Bob"},
			{field.Text, models.OwnFilter{Any: []string{""}}, "Cid"}, {field.LongText, models.OwnFilter{Words: "two"}, "Ada"},
			{field.Choice, models.OwnFilter{Any: []string{"S"}}, "Ada"}, {field.Choice, models.OwnFilter{Any: []string{"S", "XS"}}, "Ada Bob"},
			{field.Choice, models.OwnFilter{Any: []string{"XS", ""}}, "Bob Cid"}, {field.Choices, models.OwnFilter{Any: []string{"S"}}, "Ada"},
			{field.Choices, models.OwnFilter{Any: []string{"50%", "a_b"}}, "Ada Bob"}, {field.Choices, models.OwnFilter{Any: []string{"%"}}, ""},
			{field.Choices, models.OwnFilter{Any: []string{"axb"}}, ""}, {field.Number, models.OwnFilter{From: "8.5"}, "Ada"},
			{field.Number, models.OwnFilter{From: "-11", To: "9"}, "Ada Bob"}, {field.Number, models.OwnFilter{To: "-10.5"}, "Bob"},
			{field.Date, models.OwnFilter{To: "2026-12-31"}, "Ada"}, {field.Date, models.OwnFilter{From: "2027-01-01"}, "Bob"},
			{field.URL, models.OwnFilter{Words: "a.example"}, "Ada"}, {field.Email, models.OwnFilter{Filled: true}, "Ada"},
			{field.YesNo, models.OwnFilter{Any: []string{field.No}}, "Bob"}, {field.YesNo, models.OwnFilter{Any: []string{field.Yes, ""}}, "Ada Cid"},
		} {
			c.filter.Type = c.typ
			filter := models.ContactFilter{Own: map[string]models.OwnFilter{keys[c.typ]: c.filter}}
			if got := inOrder(t, d, filter, models.ByName); got != c.want {
				t.Errorf("%s %+v: %q, want %q", c.typ, c.filter, got, c.want)
			}
		}
		gone := models.ContactFilter{Own: map[string]models.OwnFilter{store.NewID(): {Filled: true}}}
		if got := inOrder(t, d, gone, models.ByName); got != "" {
			t.Errorf("by a field that is gone: %s", got)
		}
	})
}

// inOrder are the first names of who passes a filter, on pages and as an export reads them.
func inOrder(t *testing.T, d *models.Directory, filter models.ContactFilter, order models.ContactOrder) string {
	t.Helper()
	var names, each []string
	for page := 1; page <= 4; page++ {
		found, _, err := d.Search(t.Context(), models.ContactSearch{Filter: filter, Order: order, Page: store.Page{Number: page, Size: 2}})
		modelstest.Fine(t, err)
		for _, x := range found {
			names = append(names, x.FirstName)
		}
	}
	if n := modelstest.Must(d.Count(t.Context(), filter))(t); int(n) != len(names) {
		t.Errorf("%+v: counted %d of %v", filter, n, names)
	}
	modelstest.Fine(t, d.Each(t.Context(), filter, order, func(people []*models.Person) error {
		for _, x := range people {
			each = append(each, x.FirstName)
		}
		return nil
	}))
	if !slices.Equal(names, each) {
		t.Errorf("%+v %s: %v, each %v", filter, order, names, each)
	}
	return strings.Join(names, " ")
}

func TestPeopleStandInEachOrder(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Directory(f.Event.OrganizationID, modelstest.Tester)
		ids := map[string]string{}
		for _, name := range []string{"Cid", "Ada", "Bob"} {
			ids[name] = modelstest.Must(d.CreatePerson(ctx, modelstest.Values("first_name", name)))(t).ID
			f.Clock.Move(time.Second)
		}
		modelstest.Must(d.UpdatePerson(ctx, ids["Ada"], modelstest.Values("phone", "1")))(t)
		for order, want := range map[models.ContactOrder]string{"": "Ada Bob Cid", models.ByName: "Ada Bob Cid",
			models.ByChange: "Ada Bob Cid", models.ByAge: "Bob Ada Cid"} {
			if got := inOrder(t, d, models.ContactFilter{}, order); got != want {
				t.Errorf("%s: %s, want %s", order, got, want)
			}
			names := strings.Fields(want)
			for i, name := range names {
				x := modelstest.Must(d.Person(ctx, ids[name]))(t)
				place := modelstest.Must(d.Neighbours(ctx, models.ContactFilter{}, order, &x.Contact))(t)
				if place.Position != int64(i+1) || i > 0 && place.Previous != ids[names[i-1]] ||
					i < 2 && place.Next != ids[names[i+1]] {
					t.Errorf("%s: %s is at %+v", order, name, place)
				}
			}
		}
		_, _, err := d.Search(ctx, models.ContactSearch{Order: "x"})
		modelstest.WantKind(t, "no order", err, store.Invalid)
	})
}
