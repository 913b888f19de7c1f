package people_test

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
		shirt := modelstest.Must(people.In(all).AddOwnField(ctx, people.OwnFieldInput{Label: "Shirt", Type: field.Choices,
			Options: []string{"Small one", "Large one"}}))(t)
		tag, track := modelstest.RowOf(t, p, models.Tags, "Mentor"), modelstest.RowOf(t, p, models.Tracks, "Tides")
		add := func(at *models.Programme, pairs ...string) *models.Person {
			return modelstest.First(people.Of(at).AddPerson(ctx, modelstest.Values(pairs...)))(t)
		}
		ada := add(p, "first_name", "Ada", "email", "ada@example.org", "company_name", "Crème AG", "job_title",
			"Chief Engineer", "workflow_status", "invited", "tags", tag.ID, "arrival_details", "Monday", shirt.Key, "small one")
		bob := add(p, "first_name", "Bob", "company_name", "Creme AG", "workflow_status", "confirmed", shirt.Key,
			"Large one; Small one")
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

		names := func(d *models.Directory, filter people.Filter) string {
			found, pagination, err := people.In(d).Search(ctx, people.Search{Filter: filter, Page: store.Page{Size: 10}})
			modelstest.Fine(t, err)
			var names, each []string
			for _, x := range found {
				names = append(names, x.FullName)
			}
			modelstest.Fine(t, people.In(d).Each(ctx, filter, people.ByName, func(people []*models.Person) error {
				for _, x := range people {
					each = append(each, x.FullName)
				}
				return nil
			}))
			walked := modelstest.First(people.In(d).Search(ctx,
				people.Search{Filter: filter, Page: store.Page{Size: 10}, Total: new(int64(5000))}))(t)
			for i, x := range walked {
				modelstest.Holds(t, i < len(names) && x.FullName == names[i] && len(walked) == len(names),
					"%+v: walking finds another %s", filter, x.FullName)
			}
			modelstest.Want(t, fmt.Sprintf("%+v: %v, counted", filter, names),
				int(modelstest.Must(people.In(d).Count(ctx, filter))(t)), len(names))
			modelstest.Holds(t, int(pagination.TotalResults) == len(names) && slices.Equal(each, names),
				"%+v: %d results of %v, each %v", filter, pagination.TotalResults, names, each)
			return strings.Join(names, " ")
		}
		here, tags, tracks := p.Directory(), []string{tag.ID, namesake.ID}, []string{track.ID, tides.ID}
		for _, c := range []struct {
			d      *models.Directory
			filter people.Filter
			want   string
		}{
			{all, people.Filter{}, "Ada Bob Cid Dot Eli"}, {here, people.Filter{}, "Ada Bob Cid Eli"},
			{all.Within([]string{f.Other.ID}), people.Filter{}, "Ada Bob Dot Eli"},
			{all.Within(nil), people.Filter{}, ""},
			{all, people.Filter{Text: "creme AD"}, "Ada"}, {all, people.Filter{Company: "CREME ag"}, "Ada Bob"},
			{all, people.Filter{Company: "creme"}, ""}, {all, people.Filter{JobTitle: "engineer"}, "Ada"},
			{all, people.Filter{NoEmail: true}, "Bob"}, {all, people.Filter{Returns: true}, "Ada Bob Eli"},
			{all.Within([]string{f.Event.ID}), people.Filter{Returns: true}, ""},
			{all.Within([]string{f.Event.ID}), people.Filter{EventID: f.Other.ID}, ""}, // Ada and Eli are there
			{here, people.Filter{Statuses: []string{"invited", people.NoStatus}}, "Ada Cid Eli"},
			{all, people.Filter{Returned: true}, "Eli"},
			{all.Within([]string{f.Other.ID}), people.Filter{Returned: true}, ""},
			{here, people.Filter{Returned: true, Returns: true, EventID: f.Other.ID}, "Ada Bob Cid Eli"}, // of no event
			{all, people.Filter{EventID: f.Other.ID}, "Ada Bob Dot Eli"},
			{all, people.Filter{Own: map[string]people.OwnFilter{shirt.Key: {Any: []string{"Large one"}}}}, "Bob"},
			{here, people.Filter{Own: map[string]people.OwnFilter{shirt.Key: {Words: "small"}}}, "Ada Bob"},
			{here, people.Filter{Roles: []models.Role{models.Moderator}}, "Ada"},
			{here, people.Filter{Roles: []models.Role{models.Speaking}}, ""},
			{all, people.Filter{Roles: []models.Role{models.Speaking}}, "Bob Eli"},
			{here, people.Filter{TrackIDs: []string{track.ID}}, "Ada"},
			{here, people.Filter{Speaking: new(true), Statuses: []string{"invited"}}, "Ada"},
			{here, people.Filter{Roles: []models.Role{models.Moderator}, NoTravel: true}, ""},
			{here, people.Filter{Statuses: []string{"invited"}, NoTravel: true}, ""},
			{all.Within([]string{f.Event.ID, f.Other.ID}), people.Filter{}, "Ada Bob Cid Dot Eli"},
			{all.Within([]string{f.Other.ID}), people.Filter{Own: map[string]people.OwnFilter{shirt.Key: {Filled: true}}},
				"Ada Bob"},
			{all, people.Filter{EventID: f.Event.ID, Own: map[string]people.OwnFilter{shirt.Key: {Any: []string{""}}}},
				"Cid Eli"},
			{here, people.Filter{Speaking: new(false), Roles: []models.Role{models.Moderator}}, ""},
			{here, people.Filter{Speaking: new(true)}, "Ada Eli"},
			{here, people.Filter{Speaking: new(false)}, "Bob Cid"},
			{here, people.Filter{Statuses: []string{"invited"}}, "Ada"},
			{here, people.Filter{Statuses: []string{people.NoStatus}}, "Cid Eli"},
			{here, people.Filter{TagIDs: []string{tag.ID}}, "Ada"}, {here, people.Filter{NoTravel: true}, "Bob"},

			// At any event, or at the one that is asked for.
			{all, people.Filter{TagIDs: tags}, "Ada Dot"},
			{all, people.Filter{TagIDs: tags, EventID: f.Other.ID}, "Dot"},
			{all.Within([]string{f.Other.ID}), people.Filter{TagIDs: tags}, "Dot"},
			{all, people.Filter{TagIDs: []string{store.NewID()}}, ""},
			{all, people.Filter{TrackIDs: tracks}, "Ada Bob Eli"},
			{all, people.Filter{TrackIDs: tracks, EventID: f.Event.ID}, "Ada"},
			{all.Within([]string{f.Other.ID}), people.Filter{TrackIDs: tracks}, "Bob Eli"},
			{all.Within([]string{f.Event.ID}), people.Filter{TrackIDs: tracks, EventID: f.Other.ID}, ""},
			{all, people.Filter{TrackIDs: tracks, Roles: []models.Role{models.Moderator}}, "Ada"},
			{all, people.Filter{Roles: []models.Role{models.Speaking}, EventID: f.Event.ID}, ""},
			{all, people.Filter{Roles: []models.Role{models.Speaking}, EventID: f.Other.ID}, "Bob Eli"},
			{all, people.Filter{Statuses: []string{"confirmed"}}, "Bob Dot"},
			{all, people.Filter{Statuses: []string{"confirmed"}, EventID: f.Other.ID}, "Dot"},
			{all, people.Filter{Statuses: []string{"confirmed", people.NoStatus}}, "Ada Bob Cid Dot Eli"},
			{all.Within([]string{f.Other.ID}), people.Filter{Statuses: []string{"invited"}}, ""},
			{all.Within([]string{f.Other.ID}), people.Filter{Statuses: []string{"confirmed"}}, "Dot"},
			{all, people.Filter{Statuses: []string{"confirmed"}, TagIDs: tags, Text: "dot"}, "Dot"},
			{all, people.Filter{Statuses: []string{"invited", "confirmed"},
				Own: map[string]people.OwnFilter{shirt.Key: {Filled: true}}}, "Ada Bob"},
		} {
			modelstest.Want(t, fmt.Sprintf("%+v", c.filter), names(c.d, c.filter), c.want)
		}
		largeOrNone, none := people.OwnFilter{Any: []string{"Large one", ""}}, people.OwnFilter{Any: []string{""}}
		for _, c := range []struct { // an own field, and what else is asked of the event
			d      *models.Directory
			own    people.OwnFilter
			filter people.Filter
			want   string
		}{
			{all, largeOrNone, people.Filter{}, "Bob Cid Dot Eli"},
			{here, largeOrNone, people.Filter{}, "Bob Cid Eli"},
			{all.Within([]string{f.Other.ID}), largeOrNone, people.Filter{}, "Bob Dot Eli"},
			{here, none, people.Filter{}, "Cid Eli"}, {here, none, people.Filter{Speaking: new(true)}, "Eli"},
			{here, largeOrNone, people.Filter{Speaking: new(false)}, "Bob Cid"},
			{here, largeOrNone, people.Filter{Statuses: []string{"invited"}}, ""},
			{here, people.OwnFilter{Filled: true}, people.Filter{Statuses: []string{"invited"}}, "Ada"},
			{here, people.OwnFilter{Words: "small"}, people.Filter{Roles: []models.Role{models.Moderator}}, "Ada"},
			{here, people.OwnFilter{Any: []string{"Large one"}, Words: "small"}, people.Filter{NoTravel: true}, "Bob"},
			{here, people.OwnFilter{Any: []string{"", "Large one"}, Filled: true}, people.Filter{}, "Bob"},
		} {
			c.filter.Own = map[string]people.OwnFilter{shirt.Key: c.own}
			modelstest.Want(t, fmt.Sprintf("%+v", c.filter), names(c.d, c.filter), c.want)
		}
		o := modelstest.Must(people.In(all).Overview(ctx))(t)
		modelstest.Want(t, "overview",
			fmt.Sprint(o.People, o.Returning, o.Returned, o.NoEmail, o.Events[f.Event.ID], o.Events[f.Other.ID],
				o.Companies[0].Count), "5 3 1 1 4 4 2")
		for _, filter := range []people.Filter{{Text: strings.Repeat("x", 201)}, {Roles: []models.Role{"x"}},
			{Statuses: []string{"x"}}, {TagIDs: []string{"x"}}, {TrackIDs: []string{track.ID, "x"}},
			{Own: map[string]people.OwnFilter{"x": {Words: "y"}}}, {Own: map[string]people.OwnFilter{shirt.Key: {From: "1"}}},
			{Own: map[string]people.OwnFilter{shirt.Key: {Type: field.Number, To: "x"}}}} {
			modelstest.Answers(people.In(here).Count(ctx, filter))(t, fmt.Sprint(filter), store.Invalid)
		}
		statements := f.Statement.During(func() {
			people.In(here).Search(ctx, people.Search{Page: store.Page{Size: 2}})
		})
		modelstest.Want(t, fmt.Sprint("statements ", statements), len(statements), 4)
	})
}

func TestPeopleAreFoundByOwnFieldsOfEachType(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Directory(f.Event.OrganizationID, modelstest.Tester)
		keys := map[field.Type]string{}
		for _, typ := range field.Types() {
			in := people.OwnFieldInput{Label: "F " + string(typ), Type: typ}
			if typ.HasOptions() {
				in.Options = []string{"S", "XS", "50%", "a_b"}
			}
			if typ.InTables() {
				keys[typ] = modelstest.Must(people.In(d).AddOwnField(ctx, in))(t).Key
			}
		}
		add := func(name string, of map[field.Type]string) {
			c := modelstest.Values("first_name", name)
			for typ, value := range of {
				c.Values[keys[typ]] = value
			}
			modelstest.Must(people.In(d).Create(ctx, c))(t)
		}
		add("Ada", map[field.Type]string{field.Text: "Blue harbour", field.LongText: "one\ntwo", field.Choice: "S",
			field.Choices: "S; 50%",
			field.Number:  "9", field.Date: "2026-12-31", field.URL: "https://a.example/", field.Email: "a@example.org", field.YesNo: "yes"})
		add("Bob", map[field.Type]string{field.Text: "blue", field.Choice: "XS", field.Choices: "XS; a_b",
			field.Number: "-10.5", field.Date: "2027-01-01", field.YesNo: "no"})
		add("Cid", nil)
		for _, c := range []struct {
			typ    field.Type
			filter people.OwnFilter
			want   string
		}{
			{field.Text, people.OwnFilter{Words: "harbour BLUE"}, "Ada"}, {field.Text, people.OwnFilter{Filled: true},
				"Ada Bob"},
			{field.Text, people.OwnFilter{Any: []string{""}}, "Cid"}, {field.LongText, people.OwnFilter{Words: "two"}, "Ada"},
			{field.Choice, people.OwnFilter{Any: []string{"S"}}, "Ada"}, {field.Choice, people.OwnFilter{Any: []string{"S",
				"XS"}}, "Ada Bob"},
			{field.Choice, people.OwnFilter{Any: []string{"XS", ""}}, "Bob Cid"}, {field.Choices,
				people.OwnFilter{Any: []string{"S"}}, "Ada"},
			{field.Choices, people.OwnFilter{Any: []string{"50%", "a_b"}}, "Ada Bob"}, {field.Choices,
				people.OwnFilter{Any: []string{"%"}}, ""},
			{field.Choices, people.OwnFilter{Any: []string{"axb"}}, ""}, {field.Number, people.OwnFilter{From: "8.5"}, "Ada"},
			{field.Number, people.OwnFilter{From: "-11", To: "9"}, "Ada Bob"}, {field.Number, people.OwnFilter{To: "-10.5"},
				"Bob"},
			{field.Date, people.OwnFilter{To: "2026-12-31"}, "Ada"}, {field.Date, people.OwnFilter{From: "2027-01-01"}, "Bob"},
			{field.URL, people.OwnFilter{Words: "a.example"}, "Ada"}, {field.Email, people.OwnFilter{Filled: true}, "Ada"},
			{field.YesNo, people.OwnFilter{Any: []string{field.No}}, "Bob"}, {field.YesNo,
				people.OwnFilter{Any: []string{field.Yes, ""}}, "Ada Cid"},
		} {
			c.filter.Type = c.typ
			filter := people.Filter{Own: map[string]people.OwnFilter{keys[c.typ]: c.filter}}
			modelstest.Want(t, fmt.Sprintf("%s %+v", c.typ, c.filter), inOrder(t, d, filter, people.ByName), c.want)
		}
		gone := people.Filter{Own: map[string]people.OwnFilter{store.NewID(): {Filled: true}}}
		modelstest.Want(t, "by a field that is gone", inOrder(t, d, gone, people.ByName), "")
	})
}

// inOrder returns the first names of the people who pass a filter, from pages and from an export, which must agree.
func inOrder(t *testing.T, d *models.Directory, filter people.Filter, order people.Order) string {
	t.Helper()
	var names, each []string
	for page := 1; page <= 4; page++ {
		found := modelstest.First(people.In(d).Search(t.Context(),
			people.Search{Filter: filter, Order: order, Page: store.Page{Number: page, Size: 2}}))(t)
		for _, x := range found {
			names = append(names, x.FirstName)
		}
	}
	modelstest.Want(t, fmt.Sprintf("%+v: %v, counted", filter, names),
		int(modelstest.Must(people.In(d).Count(t.Context(), filter))(t)), len(names))
	modelstest.Fine(t, people.In(d).Each(t.Context(), filter, order, func(people []*models.Person) error {
		for _, x := range people {
			each = append(each, x.FirstName)
		}
		return nil
	}))
	modelstest.Holds(t, slices.Equal(names, each), "%+v %s: %v, each %v", filter, order, names, each)
	return strings.Join(names, " ")
}

func TestPeopleStandInEachOrder(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Directory(f.Event.OrganizationID, modelstest.Tester)
		ids := map[string]string{}
		for _, name := range []string{"Cid", "Ada", "Bob"} {
			ids[name] = modelstest.Must(people.In(d).Create(ctx, modelstest.Values("first_name", name)))(t).ID
			f.Clock.Move(time.Second)
		}
		modelstest.Must(people.In(d).Update(ctx, ids["Ada"], modelstest.Values("phone", "1")))(t)
		for order, want := range map[people.Order]string{"": "Ada Bob Cid", people.ByName: "Ada Bob Cid",
			people.ByChange: "Ada Bob Cid", people.ByAge: "Bob Ada Cid"} {
			modelstest.Want(t, string(order), inOrder(t, d, people.Filter{}, order), want)
			names := strings.Fields(want)
			for i, name := range names {
				x := modelstest.Must(d.Person(ctx, ids[name]))(t)
				place := modelstest.Must(people.In(d).Neighbours(ctx, people.Filter{}, order, &x.Contact))(t)
				if place.Position != int64(i+1) || i > 0 && place.Previous != ids[names[i-1]] ||
					i < 2 && place.Next != ids[names[i+1]] {
					t.Errorf("%s: %s is at %+v", order, name, place)
				}
			}
		}
		modelstest.Answers(people.In(d).Search(ctx, people.Search{Order: "x"}))(t, "no order", store.Invalid)
	})
}

func TestNamesAreSortedAsEditorsSortThem(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ first, last, sort, want string }{
		{"Ada", "Byron", "", "Byron, Ada"},
		{"Ada", "Byron", "Lovelace", "Lovelace"},
		{"Anna", "van der Berg", "", "Berg, Anna van der"},
		{"Anna", "van der Berg", "van der Berg", "van der Berg"},
		{"Ursula", "von der Leyen", "", "Leyen, Ursula von der"},
		{"Gerard", "'t Hooft", "", "Hooft, Gerard 't"},
		{"Jean", "de La Fontaine", "", "La Fontaine, Jean de"},
		{"Anna", "Van Damme", "", "Van Damme, Anna"},
		{"Gabriel", "García Márquez", "", "García Márquez, Gabriel"},
		{"José", "Ortega y Gasset", "", "Ortega y Gasset, José"},
		{"Juana", "de la Cruz", "", "Cruz, Juana de la"},
		{"bell", "hooks", "", "hooks, bell"},
		{"maria", "de souza", "", "de souza, maria"},
		{"田辺", "由紀", "", "田辺 由紀"},
		{"김", "민준", "", "김 민준"},
		{"王小明", "", "", "王小明"},
		{"田辺", "由紀", "たなべ ゆき", "たなべ ゆき"},
		{"سارة", "الحسن", "", "الحسن, سارة"},
		{"Cher", "", "", "Cher"},
		{"", "Christo", "", "Christo"},
		{"Tim", "O’Reilly", "", "O’Reilly, Tim"},
		{"X", "42", "", "42, X"},
	} {
		c := &models.Contact{FirstName: x.first, LastName: x.last, SortName: x.sort}
		c.Index()
		modelstest.Want(t, x.first+" "+x.last+" is sorted under", c.SortedUnder(), x.want)
	}
}
