package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// copied is what a client has that follows the changes: each row as JSON, by its kind and id.
type copied struct {
	cursor string
	rows   map[string]object
}

// follow takes over all changes that there are, a few with each request.
func (d *door) follow(t testing.TB, c *copied) {
	t.Helper()
	for {
		page := d.do(t, "GET", d.path("/changes?limit=4&since="+url.QueryEscape(c.cursor)), nil).want(200).object()
		for _, row := range page["results"].([]any) {
			change := row.(object)
			kind := change["kind"].(string)
			name := fmt.Sprint(kind, " ", change["id"])
			if subject := strings.Replace(kind, "speaker", "contact", 1); change["subject"] != subject ||
				(change["action"] == "deleted") != (change["deleted"] == true) {
				t.Errorf("%s is told as %v %v", name, change["subject"], change["action"])
			}
			if delete(c.rows, name); change["deleted"] == false {
				c.rows[name] = change[kind].(object)
				wantEqual(t, change["data"], change[kind])
			} else if data, given := change["data"]; !given || data != nil {
				t.Errorf("%s is deleted, and its data are %v", name, data)
			}
		}
		if c.cursor = page["cursor"].(string); page["more"] == false {
			return
		}
	}
}

// shown is all that the API shows of the event, each row as its own address answers it, or its list where it has none.
func (d *door) shown(t testing.TB) map[string]object {
	t.Helper()
	rows := map[string]object{}
	list := func(kind, method, path, single string) {
		var body any
		if method == "POST" {
			body = `{"pageSize": 100}`
		}
		for _, row := range d.do(t, method, path, body).want(200).results() {
			if single != "" {
				row = d.do(t, "GET", d.path(single+row["id"].(string)), nil).want(200).object()
			}
			rows[fmt.Sprint(kind, " ", row["id"])] = row
		}
	}
	list("event", "GET", "/v1/events", "")
	for _, family := range families {
		list(family[:len(family)-1], "GET", d.path("/"+family+"?pageSize=100"), "/"+family+"/")
	}
	list("break", "GET", d.path("/breaks?pageSize=100"), "")
	list("speaker", "POST", d.path("/speakers/search"), "/speakers/")
	list("session", "POST", d.path("/sessions/search"), "/sessions/")
	return rows
}

// wantSame fails the test unless a copy has exactly what the API shows.
func (d *door) wantSame(t testing.TB, c *copied, after string) {
	t.Helper()
	d.follow(t, c)
	shown := d.shown(t)
	for name, row := range shown {
		if got, want := fmt.Sprint(c.rows[name]), fmt.Sprint(row); got != want {
			t.Errorf("after %s %s is\n%s, and told was\n%s", after, name, want, got)
		}
	}
	for name := range c.rows {
		if shown[name] == nil {
			t.Errorf("after %s %s is told, and not shown", after, name)
		}
	}
}

// TestWhatChangesTellIsWhatTheAPIReads compares the JSON of the changes with that of every read, while the API and
// staff change things of all kinds at once.
func TestWhatChangesTellIsWhatTheAPIReads(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ctx, p, copy := t.Context(), d.Programme(), &copied{rows: map[string]object{}}
		d.wantSame(t, copy, "nothing")
		made := map[string]string{}
		for _, family := range families {
			made[family] = d.row(t, family, "One of "+family)
		}
		hall := d.row(t, "rooms", "Hall")
		at := store.At(time.Date(2027, 5, 15, 9, 0, 0, 0, time.UTC))
		session := d.create(t, object{"title": "Talk", "description": "<p>Täglich</p>", "room_id": hall,
			"track_id": made["tracks"], "format_id": made["formats"], "level_id": made["levels"],
			"tag_ids": []string{made["tags"]}, "starts_at": at, "custom_fields": object{"why": "so"}})["id"].(string)
		gone := d.create(t, object{"title": "Gone"})["id"].(string)
		abstract := d.create(t, object{"title": "A", "is_abstract": true, "status": "accepted"})
		ada := d.speaker(t, session, models.NewContact{FirstName: "Ada", About: "<p>x</p>", Phone: "+44 1"})
		bob := d.speaker(t, gone, models.NewContact{FirstName: "Bob"})
		d.compose(t, "", abstract)
		pause := modelstest.Must(agenda.Of(p).AddBreak(ctx,
			models.NewBreak{Kind: models.Blocker, Title: "Repairs", RoomID: &hall,
				StartsAt: at, EndsAt: store.At(at.Add(time.Hour))}))(t)
		modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{Kind: models.Pause, Title: "Tea", IsPlenary: true,
			StartsAt: at, EndsAt: store.At(at.Add(time.Hour))}))(t)
		d.wantSame(t, copy, "everything was made")
		for _, kind := range []string{"event", "track", "room", "tag", "format", "level", "break", "speaker", "session"} {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(copy.rows)), func(name string) bool {
				return strings.HasPrefix(name, kind+" ")
			}) {
				t.Errorf("there is no %s to compare", kind)
			}
		}

		send := func(method, path string, body any) error {
			if got := d.do(t, method, d.path(path), body); got.status != 200 {
				return fmt.Errorf("%s %s: %d %s", method, path, got.status, got.raw)
			}
			return nil
		}
		var atOnce sync.WaitGroup
		for _, change := range []func() error{
			func() error { return send("PUT", "/sessions/"+session, object{"title": "Anew", "capacity": 40}) },
			func() error { return send("DELETE", "/sessions/"+gone, nil) },
			func() error { return send("PUT", "/rooms/"+hall, object{"name": "Great hall", "capacity": 300}) },
			func() error { return metadata.Of(p).Move(ctx, models.Levels, made["levels"], 0) },
			func() error {
				return modelstest.ErrorOf(people.In(p.Directory()).Update(ctx, ada, modelstest.Values("company_name", "Engines")))
			},
			func() error {
				return modelstest.ErrorOf(agenda.Of(p).UpdateBreak(ctx, pause.ID, models.BreakChange{Title: new("Paint")}))
			},
			func() error { return modelstest.ErrorOf(p.UpdateEvent(ctx, models.EventChange{Name: new("Another")})) },
		} {
			atOnce.Go(func() {
				if err := change(); err != nil {
					t.Error(err)
				}
			})
		}
		atOnce.Wait()
		d.wantSame(t, copy, "changes at once")
		modelstest.Merged(t, d.Fixture, ada, bob)
		d.do(t, "DELETE", d.path("/tags/"+made["tags"]+"?reassign=none"), nil).want(200)
		d.do(t, "DELETE", d.path("/rooms/"+hall+"?reassign="+made["rooms"]), nil).want(200)
		modelstest.Fine(t, modelstest.ErrorOf(agenda.Of(d.Programme()).DeleteBreak(ctx, pause.ID)))
		d.do(t, "POST", d.path("/sessions/"+gone+"/restore"), nil).want(200)
		d.wantSame(t, copy, "merging, deleting and restoring")
	})
}
