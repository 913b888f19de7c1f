package people_test

import (
	"encoding/csv"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	room "lectern/web/admin/people"
)

// TestAnExportOfPeopleComesInAgainAndChangesNothing: each column is known, and each value says what it said.
func TestAnExportOfPeopleComesInAgainAndChangesNothing(t *testing.T) {
	d := admintest.Open(t)
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	pairs := []string{"first_name", "Ada", "last_name", "Lovelace", "sort_name", "Lovelace Ada",
		"email", "ada@example.org", "company_name", "=Analytical, \"Ltd\"", "job_title", "Countess",
		"phone", "+44 20 7946 0018", "website_url", "https://ada.example", "linkedin_url", "https://www.linkedin.com/in/ada", "about", "<p>Counts <b>well</b>.</p>\n<p>Writes, too.</p>",
		"workflow_status", "confirmed", "arrival", "2027-05-19T12:20:00Z", "arrival_details", "IR 1",
		"departure", "2027-05-23T08:00:00Z", "departure_details", "IR 2", "hotel", "Quay",
		"dietary", "No shellfish", "access", "Step-free", "travel_notes", "Comes\nby train", "logistics_notes", "-HDMI", "away", "2027-05-20 00:00-10:00\n2027-05-21 14:00-24:00", "availability", "Rather late"}
	for _, of := range []struct {
		kind  field.Type
		value string
	}{{field.Text, "@ada"}, {field.LongText, "One\nTwo"}, {field.Choice, "L, wide"}, {field.Choices, "L, wide\nS"},
		{field.Number, "-1234.5"}, {field.Date, "2026-12-31"}, {field.URL, "https://example.org/a?b=c"},
		{field.Email, "own@example.org"}, {field.YesNo, "no"}} {
		in := people.OwnFieldInput{Label: "Own " + string(of.kind), Type: of.kind}
		if of.kind.HasOptions() {
			in.Options = []string{"L, wide", "S"}
		}
		pairs = append(pairs, modelstest.Must(people.In(all).AddOwnField(t.Context(), in))(t).Key, of.value)
	}
	tags := modelstest.RowOf(t, d.Programme(), models.Tags, "AI, ML").ID + "\n" +
		modelstest.RowOf(t, d.Programme(), models.Tags, "Keynote").ID
	ada := d.Person(d.Programme(), append(pairs, "tags", tags)...)
	b := d.As(staff.Owner)
	check := bringPeople(d, b, b.Get(d.At("/speakers.csv?who=all&fields=all"), 200))
	if !strings.HasSuffix(check, "/check") {
		t.Fatal("a column is not known")
	}
	admintest.Wants(t, b.Get(check, 200), "0 people can come in, 0 rows cannot", "Every row can be read.",
		"0 fields in 0 contacts. What is blank in the file stays.")
	admintest.Lacks(t, b.Page, "Columns left out")

	// What is corrected in the file is all that changes.
	before := modelstest.Must(d.Programme().Directory().Person(t.Context(), ada))(t)
	file := strings.Replace(b.Get(d.At("/speakers.csv?who=all&fields=all"), 200), "Countess", "Analyst", 1)
	address := strings.TrimSuffix(bringPeople(d, b, file), "/check")
	admintest.Wants(t, b.Get(address+"/check", 200), "1 field in 1 contact. What is blank in the file stays.")
	b.Post(address+"/start", url.Values{"policy": {"overwrite"}}, 303)
	modelstest.Must(people.RunImport(t.Context(), d.Store))(t)
	after := modelstest.Must(d.Programme().Directory().Person(t.Context(), ada))(t)
	if after.JobTitle != "Analyst" || after.About != before.About || len(after.Tags) != 2 {
		t.Errorf("became %+v with %v", after.Contact, after.Tags)
	}
}

// TestAnExportSaysOfItsOwnColumnsWhyTheyAreNotTaken brings the file of all fields again, then that of a list with every
// column that it can have.
func TestAnExportSaysOfItsOwnColumnsWhyTheyAreNotTaken(t *testing.T) {
	d := admintest.Open(t)
	call := modelstest.OpenCall(t, d.Fixture)
	call.AskSpeakers(t, d.Fixture)
	call.Begin(t, d.Fixture, "Bo", "Tides")
	modelstest.Must(people.In(d.Directory(d.Event.OrganizationID, modelstest.Tester)).AddOwnField(t.Context(),
		people.OwnFieldInput{Label: "Passport", Type: field.File}))(t)
	d.Person(d.Programme(), "first_name", "Ada", "last_name", "Lovelace", "email", "ada@example.org",
		"arrival_details", "IR 1")
	b := d.As(staff.Owner)
	const answered, files = "Speakers answer this for themselves.", "It names files, and a table does not bring those."
	follows := "It follows from sessions and events, and is kept with no person."
	shown := room.OfferedColumns(d.Event)
	for query, want := range map[string]map[string]string{
		"fields=all": {"What do you eat?": answered, "What else?": answered, "Your pass": answered, "Shirt": answered,
			"Passport": files},
		"columns=" + strings.Join(shown, ","): {"Sessions": follows, "Roles in sessions": follows, "Came before": follows,
			"Travel so far": follows, "Participation": follows, "Changed": follows},
	} {
		check := bringPeople(d, b, b.Get(d.At("/speakers.csv?who=all&"+query), 200))
		if !strings.HasSuffix(check, "/check") {
			t.Fatalf("%s: a column is not known", query)
		}
		admintest.Wants(t, b.Get(check, 200), "0 people can come in",
			"0 fields in 0 contacts. What is blank in the file stays.")
		left := b.Page[strings.Index(b.Page, "Columns left out"):]
		for name, why := range want {
			if _, after, found := strings.Cut(left, "<bdi>"+name+"</bdi>"); !found || !strings.Contains(strings.SplitN(after,
				"</li>", 2)[0], why) {
				t.Errorf("%s: %s is not told of in %s", query, name, left)
			}
		}
		modelstest.Want(t, query, strings.Count(left, "<bdi>"), len(want))
		admintest.Wants(t, b.Get(strings.TrimSuffix(check, "check")+"columns", 200), slices.Collect(maps.Values(want))[0])
	}
}

// What a speaker answered is in the file of people as they said it, and no formula; it is a column of the list, too.
func TestAFileOfPeopleHasNoFormulaOfASpeaker(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		called := modelstest.OpenCall(t, d.Fixture)
		called.AskSpeakers(t, d.Fixture)
		bo, _ := called.Begin(t, d.Fixture, "Bo", "Tides")
		bo = called.Prove(t, d.Fixture, bo)
		before := modelstest.Must(bo.OwnAnswers(t.Context(), called.Event))(t)
		_, faults, err := bo.SaveOwn(t.Context(), called.Event, call.Saving{Token: before.Token(),
			Values: call.Values{"eats": "Else", "else": `=HYPERLINK("https://evil.example","Click")`}})
		if err != nil || len(faults) > 0 {
			t.Fatal(err, faults)
		}
		file := d.As(staff.Owner).Get(d.At("/speakers.csv?who=all&fields=all"), 200)
		rows := modelstest.Must(csv.NewReader(strings.NewReader(strings.TrimPrefix(file, "\uFEFF"))).ReadAll())(t)
		at := slices.Index(rows[0], "What else?")
		if len(rows) != 2 || at < 0 || rows[1][at] != `'=HYPERLINK("https://evil.example","Click")` {
			t.Errorf("the file has %q", rows)
		}
		page := d.As(staff.Owner).Get(d.At("/speakers?who=all&columns="+d.Form().Question("else").ID), 200)
		admintest.Wants(t, page, "What else?", `=HYPERLINK(&#34;https://evil.example&#34;,&#34;Click&#34;)`)
	})
}

func TestAChoiceThatIsNotOfferedAnyMoreStaysWithWhoHasIt(t *testing.T) {
	d := admintest.Open(t)
	all := d.Directory(d.Event.OrganizationID, modelstest.Tester)
	size := modelstest.Must(people.In(all).AddOwnField(t.Context(), people.OwnFieldInput{Label: "Shirt",
		Type: field.Choice, Options: []string{"S", "M"}}))(t)
	days := modelstest.Must(people.In(all).AddOwnField(t.Context(), people.OwnFieldInput{Label: "Days",
		Type: field.Choices, Options: []string{"Thursday", "Friday"}}))(t)
	ada := d.Person(d.Programme(), "first_name", "Ada", size.Key, "S", days.Key, "Thursday\nFriday")
	for key, options := range map[string][]string{size.Key: {"M"}, days.Key: {"Friday"}} {
		modelstest.Must(people.In(all).ChangeOwnField(t.Context(), key, people.OwnFieldInput{Label: key, Options: options},
			nil))(t)
	}
	b := d.As(staff.Organizer)
	path := d.At("/speakers/" + ada)
	form := admintest.Fields(b.Get(path+"/edit", 200))
	admintest.Wants(t, b.Page, "S (no longer a choice)", "Thursday (no longer a choice)")
	form.Set("phone", "+44 20 7946 0018")
	admintest.Wants(t, b.Follow(b.Post(path+"/edit", form, 303)), "Saved.", "+44 20 7946 0018")
	own := modelstest.Must(all.Person(t.Context(), ada))(t).Own
	if own[size.Key] != "S" || own[days.Key] != "Thursday\nFriday" {
		t.Errorf("kept %v", own)
	}
	form = admintest.Fill(admintest.Fields(b.Get(path+"/edit", 200)), size.Key, "M")
	form[days.Key] = []string{"Friday"}
	b.Post(path+"/edit", form, 303)
	if own := modelstest.Must(all.Person(t.Context(), ada))(t).Own; own[size.Key] != "M" || own[days.Key] != "Friday" {
		t.Errorf("changed to %v", own)
	}
	admintest.Lacks(t, b.Get(path+"/edit", 200), "no longer a choice")
}

func TestAListOfPeopleSaysWhyItIsEmpty(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/speakers"), 200), "No speakers yet", "added or imported is listed here.",
		"Add a person")
	ada := d.Person(d.Programme(), "first_name", "Ada")
	admintest.Wants(t, b.Get(d.At("/speakers"), 200), "No speakers yet",
		"1 person is at this event, and on no submission or session of it.", "Show everybody")
	talk := d.Session(models.NewSession{Title: "Talk"})
	d.Join(t, d.Event, talk.ID, ada, models.Speaking)
	admintest.Wants(t, b.Get(d.At("/speakers?who=off"), 200), "Nobody is without a session",
		"is on a submission or session of it: 1 person.")
	admintest.Lacks(t, b.Page, "No speakers yet")
	d.Person(d.Programme(), "first_name", "Bob")
	admintest.Wants(t, b.Get(d.At("/speakers?q=bob"), 200), "No speaker matches", "1 person who is on no session does.",
		"q=bob&amp;who=all")
	admintest.Wants(t, b.Get(d.At("/speakers?q=ada&who=off"), 200), "Nobody without a session matches",
		"1 person who is on one does.")
	admintest.Wants(t, b.Get(d.At("/speakers?q=zeppelin"), 200), "Nobody matches")
}

func TestAStatusThatSomebodyChangedSinceIsNotTakenBack(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Ada", "workflow_status", "prospect")
	b := d.As(staff.Organizer)
	path := d.At("/speakers/" + ada)
	change := func(to string) url.Values {
		t.Helper()
		b.Get(path, 200)
		form := url.Values{"workflow_status": {to}, "was_workflow_status": {"prospect"}}
		admintest.Wants(t, b.Follow(b.Post(path+"/workflow", form, 303)), "Undo")
		return admintest.UndoOf(b.Page)
	}
	back := func(undo url.Values) string {
		t.Helper()
		location, _ := b.Post(d.At("/speakers/status"), undo, 303)
		modelstest.Want(t, "leads to", location, path)
		return b.Get(location, 200)
	}
	admintest.Wants(t, back(change("confirmed")), "Undone.", `value="prospect" selected`)
	undo := change("invited")
	since := []people.StatusMove{{ContactID: ada, To: models.StatusDeclined}}
	modelstest.Must(people.Of(d.Programme()).MoveStatuses(t.Context(), since, true))(t)
	admintest.Wants(t, back(undo), "Somebody changed the status since, so it stays as it is.", `value="declined" selected`)
}
