package admin_test

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestAFormMakesOneThingHoweverOftenItIsSent(t *testing.T) {
	d := admintest.Open(t)
	forms := map[string]struct {
		path, table string
		form        url.Values
	}{
		"a submission": {d.At("/submissions/new"), "sessions", url.Values{"title": {"Tides"}, "status": {"pending"}}},
		"a session":    {d.At("/sessions/new"), "sessions", url.Values{"title": {"Opening"}, "status": {"accepted"}}},
		"an event": {"/admin/events/new", "events", url.Values{"name": {"N"}, "slug": {"n-1"}, "timezone": {"UTC"},
			"starter": {"yes"}}},
		"a copy":        {"/admin/copies/" + d.Event.ID, "events", url.Values{"name": {"Copy"}, "slug": {"copy-1"}}},
		"an endpoint":   {"/admin/endpoints/new", "webhook_endpoints", url.Values{"url": {"https://example.org/hook"}}},
		"a key":         {d.At("/keys/new"), "api_keys", url.Values{"name": {"K"}, "scopes": {"read:events"}, "expires": {"90"}}},
		"an invitation": {"/admin/staff/invite", "activity", url.Values{"email": {"cy@example.org"}, "role": {"viewer"}}},
	}
	for _, family := range models.Families {
		forms["one of "+string(family)] = struct {
			path, table string
			form        url.Values
		}{d.At("/metadata/" + string(family)), "metadata", url.Values{"name": {"One"}}}
	}
	for name, c := range forms {
		t.Run(name, func(t *testing.T) {
			b := d.As(staff.Owner)
			b.Get(c.path, 200)
			r := b.FormRequest(c.path, c.form) // with the form's proof
			before := d.Rows(c.table)
			first, err := b.App.Test(b.With(r), -1)
			if err != nil || first.StatusCode >= 400 {
				t.Fatalf("%v, %v", first, err)
			}
			made := d.Rows(c.table)
			if made == before {
				t.Fatal("nothing was made")
			}
			admintest.Wants(t, b.Follow(b.Post(c.path, c.form, 303)), "sent before")
			modelstest.Want(t, "sent again it made", d.Rows(c.table), made)
			// Changed since, it asks before it makes another.
			field := "name"
			for _, f := range []string{"title", "url", "email"} {
				if c.form.Has(f) {
					field = f
				}
			}
			c.form.Set(field, c.form.Get(field)+"x")
			if c.form.Has("slug") {
				c.form.Set("slug", c.form.Get("slug")+"-2")
			}
			_, page := b.Post(c.path, c.form, 409)
			admintest.Wants(t, page, "This form was sent before", "Go to what it made", "Send it again", c.form.Get(field))
			modelstest.Want(t, "changed it made", d.Rows(c.table), made)
			again := admintest.Entire(page)
			r = b.FormRequest(c.path, again)
			if res, err := b.App.Test(b.With(r), -1); err != nil || res.StatusCode >= 400 || d.Rows(c.table) == made {
				t.Errorf("another one is not made: %v, %v", res, err)
			}
		})
	}
}

func TestAFormSentThreeTimesAtOnceMakesOneTag(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		path := d.At("/metadata/tags")
		b := d.As(staff.Organizer).On(path)
		modelstest.AllSucceed(t, 3, func(int) error {
			res, err := b.App.Test(b.With(b.FormRequest(path, url.Values{"name": {"Tides"}})), -1)
			if err == nil && res.StatusCode != 303 {
				err = errors.New(res.Status)
			}
			return err
		})
		modelstest.Want(t, "the tags are", admintest.Names(d, models.Tags), "Tides")
	})
}

// TestARefusedFormIsNotUsedUp: the page with its faults is the same form, and so
// is the one that Back shows.
func TestARefusedFormIsNotUsedUp(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	path := d.At("/metadata/tags")
	b.Get(path, 200)
	old := url.Values{"name": {""}}
	b.Post(path, old, 422)
	b.Post(path, url.Values{"name": {"Tides"}}, 303) // with the proof of the page with the fault
	old.Set("name", "Tides")
	b.Post(path, old, 303) // with that of the first
	modelstest.Want(t, "the tags are", admintest.Names(d, models.Tags), "Tides")
}

func TestAFormThatFailedHalfWayMadeNothing(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Owner)
	b.Get("/admin/events/new", 200)
	modelstest.Exec(t, d.SQL, "CREATE TRIGGER no_formats BEFORE INSERT ON metadata WHEN NEW.family = 'formats' "+
		"BEGIN SELECT RAISE(ABORT, 'no'); END")
	form := url.Values{"name": {"N"}, "slug": {"n-1"}, "timezone": {"UTC"}, "starter": {"yes"}}
	b.Post("/admin/events/new", form, 500)
	if _, err := d.Store.EventBy(context.Background(), "n-1"); store.KindOf(err) != store.NotFound {
		t.Errorf("an event without its rows: %v", err)
	}
	modelstest.Must(d.SQL.Exec("DROP TRIGGER no_formats"))(t)
	b.Post("/admin/events/new", form, 303)
}
