package api_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"lectern/models/apikey"
	"lectern/models/modelstest"
)

// feed is an answer of the changes.
type feed struct {
	Results []struct {
		Kind, ID string
		Deleted  bool
		Changed  *time.Time `json:"changed_at"`
		Session  *struct{ Title string }
		Track    *struct{ Name, Color string }
		Speaker  *struct{ Email string }
	}
	Cursor string
	More   bool
	Kinds  []string
}

func (d *door) changes(t testing.TB, query string, headers ...string) (f feed) {
	t.Helper()
	d.do(t, "GET", d.path("/changes?"+query), nil, headers...).want(200).into(&f)
	return f
}

func TestAClientFollowsTheChanges(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		session := d.create(t, object{"title": "One"})["id"].(string)
		track := d.row(t, "tracks", "Web")
		all := d.changes(t, "")
		for page := d.changes(t, "limit=1"); ; page = d.changes(t, "limit=1&since="+page.Cursor) {
			modelstest.Want(t, "first change page by page", page.Results[0].ID, all.Results[0].ID)
			if all.Results = all.Results[1:]; page.More != (len(all.Results) > 0) {
				t.Fatalf("more is %t before %d", page.More, len(all.Results))
			}
			if !page.More {
				break
			}
		}
		d.do(t, "PUT", d.path("/sessions/"+session), object{"title": "Two", "track_id": track}).want(200)
		between := d.changes(t, "since="+all.Cursor).Results[0].Changed
		time.Sleep(5 * time.Millisecond) // the clock counts milliseconds
		d.do(t, "DELETE", d.path("/sessions/"+session), nil).want(200)
		next := d.changes(t, "since="+all.Cursor)
		if len(next.Results) != 1 || next.Results[0].Session.Title != "Two" || !next.Results[0].Deleted || next.More {
			t.Errorf("two changes of one session are %+v", next)
		}
		if at := next.Results[0].Changed; between == nil || at == nil || !at.After(*between) {
			t.Errorf("it was changed at %v, and then at %v", between, at)
		}
		tracks := d.changes(t, "kinds=track,room")
		if len(tracks.Results) == 0 || tracks.Results[0].Track.Name != "Web" || len(tracks.Kinds) != 2 {
			t.Errorf("of tracks and rooms %+v", tracks)
		}
		for _, several := range []string{"kinds=track&kinds=room", "kinds=&kinds=room&kinds=track,room"} {
			modelstest.WantAll(t, several, d.changes(t, several).Kinds, tracks.Kinds)
		}
		modelstest.Want(t, "changes of another event", len(d.elsewhere(t).changes(t, "kinds=session,track").Results), 0)
		d.elsewhere(t).do(t, "GET", d.elsewhere(t).path("/changes?since="+all.Cursor), nil).
			wantError(410, "GoneError", "Begin anew")
		d.do(t, "GET", d.path("/changes?since=elsewhere.1.."), nil).wantError(410, "GoneError", "Begin anew")
	})
}

func TestAClientWaitsForAChange(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		since := d.changes(t, "").Cursor
		if now := d.changes(t, "since=now"); len(now.Results) != 0 || now.Cursor != since {
			t.Errorf("now is %s with %d changes, behind all is %s", now.Cursor, len(now.Results), since)
		}
		told := make(chan feed)
		go func() { told <- d.changes(t, "wait=30&since="+since) }()
		d.create(t, object{"title": "At last"})
		if next := <-told; len(next.Results) != 1 || next.Results[0].Session.Title != "At last" {
			t.Errorf("who waited is told %+v", next)
		}
		began := time.Now()
		if none := d.changes(t, "wait=1&kinds=track&since="+since); len(none.Results) != 0 || none.Cursor == since {
			t.Errorf("of tracks there is %+v behind %s", none, since)
		}
		if waited := time.Since(began); waited < time.Second {
			t.Errorf("it waited %s of a second", waited)
		}
	})
}

func TestSixteenRequestsOfAKeyWaitAtOnceAndOneMoreIsRefused(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		since := d.changes(t, "").Cursor
		answered := make(chan *answer, 17)
		for range 17 {
			go func() {
				answered <- d.do(t, "GET", d.path("/changes?wait=30&kinds=session&since="+since), nil)
			}()
		}
		refused := <-answered
		refused.wantError(429, "TooManyRequestsError", "16 requests of this key wait")
		modelstest.Want(t, "seconds to wait", refused.header("Retry-After"), "5")
		d.create(t, object{"title": "At last"})
		for range 16 {
			var next feed
			if (<-answered).want(200).into(&next); len(next.Results) != 1 {
				t.Errorf("one that waited is told %+v", next)
			}
		}
	})
}

func TestChangesAreOfWhatTheKeyMayRead(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		key := func(scopes ...apikey.Scope) []string {
			return []string{"x-access-token", d.mint(t, d.event, scopes...)}
		}
		d.create(t, object{"title": "One"})
		sessions := d.changes(t, "", key(apikey.ReadSessions)...)
		if !slices.Equal(sessions.Kinds, []string{"break", "session"}) || len(sessions.Results) != 1 {
			t.Errorf("with read:sessions alone one is told %+v", sessions)
		}
		d.do(t, "GET", d.path("/changes?kinds=session,speaker"), nil, key(apikey.ReadSessions)...).
			wantError(403, "ForbiddenError", "read:contacts")
		d.do(t, "GET", d.path("/changes"), nil, key(apikey.WriteSessions)...).
			wantError(403, "ForbiddenError", "read:sessions")
		for _, query := range []string{"since=x", "since=" + url.QueryEscape("a.1.session.\x00"), "since=a.-1..", "limit=0",
			"limit=501", "wait=31", "kinds=cake"} {
			d.do(t, "GET", d.path("/changes?"+query), nil).wantError(400, "ValidationError")
		}
	})
}
