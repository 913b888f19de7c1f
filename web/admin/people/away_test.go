package people_test

import (
	"net/url"
	"regexp"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAbsencesAreTickedByTheDay(t *testing.T) {
	d := admintest.Open(t)
	ctx, p := t.Context(), d.Programme()
	modelstest.Must(p.UpdateEvent(ctx, models.EventChange{StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-21")}))(t)
	const odd = "2027-05-21 09:30-10:00"
	ada := d.Person(p, "first_name", "Ada", "away", "2027-05-20 12:00-15:00;"+odd)
	b, path := d.As(staff.Organizer), d.At("/speakers/"+ada)
	page := b.Get(path, 200)
	ticked := regexp.MustCompile(`name="away" value="([^"]+)" checked`).FindAllStringSubmatch(page, -1)
	boxes := regexp.MustCompile(`name="away" value=`).FindAllString(page, -1)
	if len(ticked) != 2 || ticked[0][1] != "2027-05-20 12:00-15:00" || ticked[1][1] != odd || len(boxes) != 9 {
		t.Fatalf("%d boxes, ticked %q", len(boxes), ticked)
	}
	admintest.Wants(t, page, "Fri 21 May, 09:30 to 10:00", `aria-label="Thu 20 May, until 12:00"`)
	token := regexp.MustCompile(`action="[^"]+/availability"[\s\S]*?name="updated_at" value="([^"]+)"`).FindStringSubmatch(page)[1]
	b.Follow(b.Post(path+"/availability", url.Values{"updated_at": {token}, "away": {"2027-05-21 18:00-24:00", odd},
		"was_away": {"2027-05-20 12:00-15:00\r\n" + odd}}, 303))
	x := modelstest.Must(p.Directory().Person(ctx, ada))(t)
	modelstest.Want(t, "kept", odd+"\n2027-05-21 18:00-24:00", x.Here.Away)
	_, page = b.Post(path+"/availability", url.Values{"updated_at": {x.Here.UpdatedAt.String()}, "away": {"never"}}, 422)
	admintest.Wants(t, page, "never", "2027-05-20 12:00-15:00")
}
