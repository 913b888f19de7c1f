package settings_test

import (
	"net/url"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAnOwnerCopiesAnEventForAnotherYear(t *testing.T) {
	d := admintest.Open(t)
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Name: new("Tides 2026"), Slug: new("tides-2026"),
		StartsOn: store.Some("2026-11-21")}))(t)
	modelstest.RowOf(t, d.Programme(), models.Tracks, "Systems")
	owner, path := d.As(staff.Owner), "/admin/copies/"+d.Event.ID
	admintest.Wants(t, owner.Get(d.At("/settings"), 200), path, "Copy this event")
	admintest.Lacks(t, d.As(staff.Organizer).Get(d.At("/settings"), 200), "Copy this event")
	admintest.Wants(t, owner.Get(path, 200), `value="Tides 2027"`, `value="tides-2027"`, `value="2027-11-20"`)
	form := url.Values{"name": {"Tides 2027"}, "slug": {"tides-2026"}, "starts_on": {"2027-11-20"}}
	admintest.Wants(t, owner.Answer(path, form, 422), "is taken by another event", `value="Tides 2027"`)
	form.Set("slug", "tides-2027")
	location, _ := owner.Post(path, form, 303)
	admintest.Wants(t, owner.Follow(location, ""), "“Tides 2027” is created, as a copy of “Tides 2026”.")
	made := modelstest.Must(d.Store.EventBy(t.Context(), "tides-2027"))(t)
	modelstest.Want(t, "it starts on", *made.StartsOn, "2027-11-20")
	here := "/admin/events/" + made.ID
	admintest.Wants(t, owner.Get(here+"/metadata/tracks", 200), "Systems")
	admintest.Wants(t, owner.Get(here+"/activity", 200), "copied another event into", "Tides 2026")
	admintest.Wants(t, owner.Get("/admin/security", 200), "as a copy of another event, with its staff")
	owner.Get("/admin/copies/"+store.NewID(), 404)
	d.As(staff.Organizer).Get(path, 403)
}
