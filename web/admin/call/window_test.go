package call_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
)

var windowFields = []string{"updated_at", "cfp_opens_at", "cfp_closes_at", "was_cfp_opens_at", "was_cfp_closes_at"}

func TestWhenACallIsOpenFollowsTheZone(t *testing.T) {
	d, b, path := admintest.Windowed(t)
	admintest.Wants(t, b.Get(path, 200), "Not open yet.", "Europe/Brussels, where it is 10:30 now")
	form := admintest.Fill(b.Hidden(windowFields...), "cfp_opens_at", "2027-01-10T09:00",
		"cfp_closes_at", "2027-03-28T03:00")
	admintest.Wants(t, b.Follow(b.Post(path, form, 303)), "When it is open is saved.", "Opens 10 January 2027, 09:00",
		`value="2027-01-10T09:00"`, `value="2027-03-28T03:00"`)
	// Another zone: moments stay, unless they are typed anew.
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Asia/Tokyo")}))(t)
	admintest.Wants(t, b.Get(path, 200), `value="2027-01-10T17:00"`)
	form = admintest.Fill(b.Hidden(windowFields...), "cfp_closes_at", "2027-03-31T23:59")
	d.Clock.Move(time.Second) // what else of the event changes meanwhile is not in its way
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Name: new("Other name")}))(t)
	b.Post(path, form, 303)
	if e := d.Programme().Event(); e.CFPOpensAt.String() != "2027-01-10T08:00:00.000Z" ||
		e.CFPClosesAt.String() != "2027-03-31T14:59:00.000Z" {
		t.Errorf("%+v", e)
	}
	form.Set("cfp_opens_at", "")
	_, page := b.Post(path, form, 409)
	admintest.Wants(t, page, "while you were editing", `name="cfp_closes_at" value="2027-03-31T23:59"`)
	b.Get(path, 200)
	form = admintest.Fill(b.Hidden(windowFields...), "cfp_opens_at", "")
	b.Post(path, form, 303)
	if e := d.Programme().Event(); e.CFPOpensAt != nil || e.CFPClosesAt == nil {
		t.Errorf("%+v", e)
	}
	for value, want := range map[string]string{"soon": "must be a date and a time",
		"9999-12-31T23:59": "must be a date and a time", "2027-04-01T00:00": "must be after the opening"} {
		form.Set("cfp_opens_at", value)
		admintest.Wants(t, b.Answer(path, form, 422), want, `value="`+value+`"`)
	}
}

func TestACallIsOpenedAndClosedNow(t *testing.T) {
	d, b, path := admintest.Windowed(t)
	admintest.Wants(t, b.Get(path, 200), "Nothing comes in yet.", "Open now")
	admintest.Lacks(t, b.Page, "starts_on", "ends_on") // of the event, whose settings have them
	admintest.Wants(t, b.Get(d.At("/call"), 200), `href="`+path+`"`)
	viewer := d.As(staff.Viewer)
	admintest.Lacks(t, viewer.Get(path, 200), "Open now", "Save")
	viewer.Post(d.At("/call/open"), nil, 403)
	admintest.Wants(t, b.Follow(b.Post(d.At("/call/open"), nil, 303)), "The call is open.", "Open, without an end.",
		"Close now")
	d.Clock.Move(time.Hour)
	admintest.Wants(t, b.Follow(b.Post(d.At("/call/close"), nil, 303)), "The call is closed.", "Closed since",
		"Open again now")
	admintest.Wants(t, b.Follow(b.Post(d.At("/call/open"), nil, 303)), "The call is open.", "Open, without an end.")
}

func TestTimesThatClocksSkipOrShowTwice(t *testing.T) {
	d, b, path := admintest.Windowed(t)
	b.Get(path, 200)
	form := admintest.Fill(b.Hidden(windowFields...), "cfp_closes_at", "2027-03-28T02:30")
	_, page := b.Post(path, form, 422)
	admintest.Wants(t, page, "Closes does not exist in Europe/Brussels, where the clocks go forward that day; take 28 Mar 2027, 03:00 or later.",
		`value="2027-03-28T02:30"`)
	form.Set("cfp_closes_at", "2027-10-31T02:30")
	_, page = b.Post(path, form, 422)
	admintest.Wants(t, page, "comes twice that night", "The first, 02:30 CEST", "The second, 02:30 CET")
	form.Set("cfp_closes_at_which", "2")
	b.Post(path, form, 303)
	modelstest.Want(t, "the cfp closes at", d.Programme().Event().CFPClosesAt.String(), "2027-10-31T01:30:00.000Z")
	// Saved again, untouched, it stays the second; then it becomes the first.
	fields := append(windowFields, "was_cfp_closes_at_which")
	admintest.Wants(t, b.Get(path, 200), `<option value="2" selected>`)
	form = admintest.Fill(b.Hidden(fields...), "cfp_closes_at_which", "2", "cfp_opens_at", "2027-01-10T09:00")
	b.Post(path, form, 303)
	if e := d.Programme().Event(); e.CFPClosesAt.String() != "2027-10-31T01:30:00.000Z" || e.CFPOpensAt == nil {
		t.Error(e.CFPClosesAt)
	}
	b.Get(path, 200)
	form = admintest.Fill(b.Hidden(fields...), "cfp_closes_at_which", "1")
	b.Post(path, form, 303)
	modelstest.Want(t, "the cfp closes at", d.Programme().Event().CFPClosesAt.String(), "2027-10-31T00:30:00.000Z")
}
