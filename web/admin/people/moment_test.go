package people_test

import (
	"strings"
	"testing"

	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

// The event of these tests is in Brussels, where 02:30 came twice on 31 October 2027 and not at all on 28 March.
func TestArrivalIsSaidByTheClocksOfTheEvent(t *testing.T) {
	d := admintest.Open(t)
	ada := d.Person(d.Programme(), "first_name", "Ada", "workflow_status", "confirmed")
	b, here := d.As(staff.Organizer), d.Programme().Directory()
	path := d.At("/speakers/" + ada)
	page := b.Get(path, 200)
	admintest.Wants(t, page, `name="arrival" type="datetime-local"`, "By the clocks of Europe/Brussels.")
	form := admintest.Fields(page)
	save := func(status int, pairs ...string) (page string) {
		t.Helper()
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		_, page = b.Post(path+"/travel", form, status)
		if status == 303 {
			form = admintest.Fields(b.Get(path, 200))
		}
		return page
	}
	arrival := func() string {
		t.Helper()
		here := modelstest.Must(here.Person(t.Context(), ada))(t).Here
		if here.Arrival == nil {
			return ""
		}
		return here.Arrival.String()
	}
	save(303, "arrival", "2027-05-20T14:20", "arrival_details", "KL 1693")
	modelstest.Want(t, "kept as", arrival(), "2027-05-20T12:20:00.000Z")
	admintest.Wants(t, b.Page, "20 May 2027, 14:20 CEST", `value="2027-05-20T14:20"`)
	before := modelstest.Must(here.Person(t.Context(), ada))(t).Here.UpdatedAt
	save(303)
	if now := modelstest.Must(here.Person(t.Context(), ada))(t).Here.UpdatedAt; !now.Equal(before.Time) {
		t.Error("saving what is there changed something")
	}
	admintest.Wants(t, save(422, "arrival", "2027-03-28T02:30", "hotel", "Quay"), "does not exist in Europe/Brussels",
		"Quay")
	admintest.Wants(t, save(422, "arrival", "2027-10-31T02:30"), "comes twice that night", `name="arrival_which"`,
		"The second, 02:30 CET")
	save(303, "arrival", "2027-10-31T02:30", "arrival_which", "2")
	modelstest.Want(t, "the second is", arrival(), "2027-10-31T01:30:00.000Z")
	form.Del("arrival_which")
	admintest.Wants(t, b.Get(d.At("/speakers?who=all"), 200), "Arrives Sun 31 Oct, 02:30 CET")
	admintest.Wants(t, b.Get(d.At("/speakers?who=all&columns=arrival"), 200), "Sun 31 Oct 2027, 02:30 CET")
	admintest.Wants(t, b.Get(d.At("/speakers.csv?who=all&columns=arrival"), 200), "2027-10-31 02:30 +01:00")
	admintest.Lacks(t, d.As(staff.Viewer).Get(path, 200), "31 Oct") // organizers alone read travel

	form = admintest.Fields(b.Get(path, 200))
	modelstest.Must(people.In(here).Update(t.Context(), ada,
		people.Change{Values: map[string]string{"arrival": "2027-05-21T06:00:00Z"}}))(t)
	clash := save(409, "arrival", "2027-05-20T10:00")
	admintest.Wants(t, clash, "changed Arrival", "Fri 21 May 2027, 08:00 CEST", "Thu 20 May 2027, 10:00 CEST")
	form = admintest.Fill(admintest.Fields(clash), "arrival", "2027-05-20T10:00")
	save(303)
	modelstest.Want(t, "mine is kept as", arrival(), "2027-05-20T08:00:00.000Z")
	save(303, "arrival", "")
	if got := arrival(); got != "" || !strings.Contains(b.Get(d.At("/speakers?who=all&missing=travel"), 200), "Nobody") {
		t.Errorf("emptied it is %q; the details are known", got)
	}

	twin := d.Person(d.Programme(), "first_name", "Twin", "arrival", "2027-05-20T06:00:00Z")
	save(303, "arrival", "2027-05-20T09:00")
	admintest.Wants(t, d.As(staff.Owner).Get("/admin/contacts/"+ada+"/merge/"+twin, 200), "Thu 20 May 2027, 09:00 CEST",
		"Thu 20 May 2027, 08:00 CEST")
}
