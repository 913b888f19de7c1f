package site_test

import (
	"net/http"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhatEachReleaseChangedCanBeRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), open(f)
		page := d.home + "/changes"
		d.shows(t, page, "has not been released yet")
		p := f.Programme()
		hall := modelstest.RowOf(t, p, models.Rooms, "Hall").ID
		moved, gone := d.talk(t, "Moved talk", models.SessionInput{}), d.talk(t, "Cancelled <b>talk</b>",
			models.SessionInput{})
		secret := d.talk(t, "MARKER talk", models.SessionInput{})
		f.Speaker(t, f.Event, moved.ID, models.NewContact{FirstName: "Ada", LastName: "Shown", Email: "MARKER@example.org"})
		d.change(t, moved, public)
		d.change(t, gone, public)
		lacks(t, page, d.shows(t, page, "The programme is public", "/calendar.ics"), "has not been released yet")
		modelstest.Must(letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "First"}))(t)
		later := models.SessionChange{}
		later.RoomID, later.StartsAt, later.EndsAt = store.Some(hall), store.Some(at("12:00")), store.Some(at("12:30"))
		d.change(t, moved, later)
		d.change(t, gone, models.SessionChange{IsPublic: new(false)})
		d.change(t, d.talk(t, "New talk", models.SessionInput{}), public)
		d.change(t, secret, models.SessionChange{Title: new("MARKER talk, renamed")})
		modelstest.Must(letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "Second", Note: "The room <i>changed</i>."}))(t)
		d.talk(t, "MARKER not released", models.SessionInput{})

		clock := func(utc string) string { return at(utc).In(f.Event.Location()).Format("15:04") }
		response, body := d.ask(t, page)
		if got := response.Header.Get("Cache-Control"); response.StatusCode != http.StatusOK ||
			got != "public, max-age=0, must-revalidate" {
			t.Errorf("%d, kept %q", response.StatusCode, got)
		}
		says(t, body, []string{"Second", "First", "The first agenda that was released",
			"The room &lt;i&gt;changed&lt;/i&gt;.", "Cancelled &lt;b&gt;talk&lt;/b&gt;", "Ada Shown",
			clock("12:00") + "–" + clock("12:30") + ", Hall", clock("10:00") + "–" + clock("11:00"), "New talk"}, nil)
		if order := []int{strings.Index(body, ">Cancelled<"), strings.Index(body, ">Moved<"), strings.Index(body,
			">New<")}; order[0] < 0 ||
			order[1] < order[0] || order[2] < order[1] {
			t.Errorf("the kinds of changes stand at %v", order)
		}
		lacks(t, "the page", body, "MARKER", "@example.org", "_token", "method=")
		d.answers(t, "/events/nowhere/changes", http.StatusNotFound)
	})
}
