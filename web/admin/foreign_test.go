package admin_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// TestIdsOfAnotherEventOpenNothing puts what belongs to another event, or to
// somebody else, into each address.
func TestIdsOfAnotherEventOpenNothing(t *testing.T) {
	d := admintest.Open(t)
	c := d.Hire("an owner", staff.Owner, true, nil)
	d.Hire("another owner", staff.Owner, true, nil)
	foreign := records(d, d.Elsewhere(), d.Member("another owner"))
	for _, r := range d.Routes() {
		if !strings.HasPrefix(r.Path, visit.Event+"/") || !strings.ContainsAny(r.Path[len(visit.Event):], ":") {
			continue
		}
		path := admintest.Parameter.ReplaceAllStringFunc(r.Path, func(name string) string {
			if name == ":event" {
				return d.Event.ID
			}
			if foreign[name] == "" && name != ":kind" {
				t.Errorf("%s: there is no %s to try", r.Path, name)
			}
			return foreign[name]
		})
		if !strings.Contains(strings.ReplaceAll(path, "/metadata/tracks", ""), "-") || strings.HasSuffix(r.Path, ":family") {
			continue
		}
		status, _, page := c.Try(r.Method, path, func(request *http.Request) {
			form := "updated_at=2026-11-21T09:30:00.000Z&status=accepted"
			request.Body, request.ContentLength = readCloser([]byte(form)), int64(len(form))
		})
		if status != 404 || strings.Contains(page, "Quiet") {
			t.Errorf("%s %s: %d\n%s", r.Method, r.Path, status, page)
		}
	}
	s, err := d.Elsewhere().Session(t.Context(), foreign[":id"])
	if err != nil || s.Status != models.Pending || s.DeletedAt != nil {
		t.Errorf("the other event's session is %+v, %v", s, err)
	}
}

func TestFieldsTakeNothingOfAnotherEvent(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Owner)
	mine := d.Session(models.NewSession{Title: "Mine"})
	foreign := map[models.Family]string{}
	for _, family := range models.Families {
		foreign[family] = modelstest.RowOf(t, d.Elsewhere(), family, "Quiet").ID
	}
	other := d.Foreign(models.NewSession{Title: "Quiet plan", IsAbstract: true})
	row := modelstest.RowOf(t, d.Programme(), models.Tracks, "Ours")
	refused := func(path, field, value string, more url.Values, want int) {
		t.Helper()
		form := url.Values{field: {value}}
		for name, values := range more {
			if name != field {
				form[name] = values
			}
		}
		admintest.Lacks(t, b.On(d.At("/submissions")).Answer(d.At(path), form, want), "Quiet")
	}
	for field, family := range map[string]models.Family{"track_id": models.Tracks, "format_id": models.Formats,
		"level_id": models.Levels, "room_id": models.Rooms, "tag_ids": models.Tags} {
		edit := admintest.Fields(b.Get(d.At("/sessions/"+mine.ID+"/edit"), 200))
		if _, known := edit[field]; !known && field != "tag_ids" {
			t.Fatalf("the form has no %s but %v", field, edit)
		}
		refused("/sessions/"+mine.ID+"/edit", field, foreign[family], edit, 422)
		form := admintest.Fill(admintest.Fields(b.Get(d.At("/sessions/new"), 200)), "title", "New")
		refused("/sessions/new", field, foreign[family], form, 422)
	}
	ours := func(do string) url.Values { return url.Values{"id": {mine.ID}, "do": {do}} }
	refused("/sessions/bulk", "track", foreign[models.Tracks], ours("track"), 422)
	refused("/sessions/bulk", "room", foreign[models.Rooms], ours("room"), 422)
	refused("/sessions/bulk", "add_tag", foreign[models.Tags], ours("tag"), 422)
	refused("/sessions/bulk", "remove_tag", foreign[models.Tags], ours("tag"), 422)
	refused("/sessions/bulk", "id", other.ID, url.Values{"do": {"track"}, "track": {row.ID}}, 404)
	refused("/sessions/bulk", "id", other.ID, url.Values{"do": {"delete"}}, 404)
	refused("/trash/restore", "id", other.ID, nil, 404)
	refused("/metadata/tracks/"+row.ID+"/delete", "reassign", foreign[models.Tracks], nil, 422)
	for _, query := range []string{"?track=" + foreign[models.Tracks], "?tag=" + foreign[models.Tags], "?room=" +
		foreign[models.Rooms]} {
		page := b.Get(d.At("/sessions"+query), 200) // as if it were no id at all
		admintest.Wants(t, page, ">Mine<")
		admintest.Lacks(t, page, "Quiet")
	}
	if got := d.Read(mine.ID); got.Track != nil || got.Room != nil || len(got.Tags) > 0 {
		t.Errorf("%+v", got)
	}
	// A role at an event of strangers.
	strange := d.StrangersEvent()
	b.Get("/admin/staff/invite", 200)
	admintest.Lacks(t, b.Answer("/admin/staff/invite", url.Values{"email": {"x@example.org"}, "role": {"events"},
		"at-" + strange: {"organizer"}}, 422), "Strange")
}

// TestWhoOrganizesOneEventReachesNothingOfAnother sends every request that there is, reading and writing, with ids of an
// event at which the caller has no role: below their own event, below the other one, and below no event. Nothing of it is
// told, and no row changes.
func TestWhoOrganizesOneEventReachesNothingOfAnother(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		d.Hire("another owner", staff.Owner, true, nil)
		here := d.Hire("an organizer here", staff.Organizer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
		foreign := records(d, d.Elsewhere(), d.Member("another owner"))
		ofThem := func() []string { return append(rowsOf(d, d.Other.ID), rowsOf(d, foreign[":contact"])...) }
		before, tried := ofThem(), 0
		for _, r := range d.Routes() {
			if r.Needs == visit.Anyone || r.Needs == visit.SignedIn || r.Needs == visit.Enrolling ||
				strings.HasPrefix(r.Path, "/design") ||
				!strings.Contains(r.Path, ":") {
				continue
			}
			for _, at := range []string{d.Event.ID, d.Other.ID} {
				ofEvent := strings.HasPrefix(r.Path, visit.Event)
				if at == d.Other.ID && !ofEvent || at == d.Event.ID && ofEvent && !strings.Contains(r.Path[len(visit.Event):],
					":") {
					continue
				}
				path := admintest.Parameter.ReplaceAllStringFunc(r.Path, func(name string) string {
					if name == ":event" {
						return at
					}
					return foreign[name]
				})
				tried++
				status, _, page := here.Try(r.Method, path, func(request *http.Request) {
					if r.Method == http.MethodPost {
						form := "updated_at=2026-11-21T09:30:00.000Z&status=accepted&contact=" + foreign[":contact"] +
							"&id=" + foreign[":id"] + "&back=1&name=Taken&title=Taken&label=Taken"
						request.Body, request.ContentLength = readCloser([]byte(form)), int64(len(form))
					}
				})
				if status == 200 && r.Method == http.MethodPost && at == d.Other.ID || strings.Contains(page, "Quiet") ||
					status >= 500 {
					t.Errorf("%s %s: %d\n%s", r.Method, path, status, admintest.Body(page))
				}
			}
		}
		if tried < 200 {
			t.Errorf("only %d requests were tried", tried)
		}
		wantRows(t, before, ofThem())
	})
}

// rowsOf returns all rows that contain the id of an event or of a person.
func rowsOf(d *admintest.Desk, eventID string) (rows []string) {
	for table, all := range modelstest.Dump(d.T.(*testing.T), d.Fixture) {
		for _, row := range all {
			if strings.Contains(row, eventID) {
				rows = append(rows, table+": "+row)
			}
		}
	}
	slices.Sort(rows)
	return rows
}

// wantRows fails unless rows are as they were.
func wantRows(t *testing.T, before, after []string) {
	t.Helper()
	if slices.Equal(after, before) {
		return
	}
	for _, row := range after {
		if !slices.Contains(before, row) {
			t.Errorf("it was written: %s", row)
		}
	}
	t.Errorf("%d rows of another event were, %d are", len(before), len(after))
}

// TestNothingOfAnotherEventIsFoundByItsIdOrItsWords sends every request that has no id in its address but the event's, with
// what belongs to another event in each field that names or finds somebody. Nothing is told, and no row of it changes.
func TestNothingOfAnotherEventIsFoundByItsIdOrItsWords(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		here := d.Hire("an organizer here", staff.Organizer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
		s := d.Foreign(models.NewSession{Title: "Zwielicht", IsAbstract: true})
		id := d.Speaker(t, d.Other, s.ID, models.NewContact{FirstName: "Marta", LastName: "Zwielicht",
			Email: "m@zwielicht.example", About: "<p>Zwielicht</p>"})
		query := url.Values{"updated_at": {"2026-11-21T09:30:00.000Z"}, "id": {s.ID}, "session": {s.ID}, "back": {"1"}}
		for _, name := range []string{"contact", "person", "stays", "goes", "loses", "into", "keep", "ticked", "about"} {
			query.Set(name, id)
		}
		query.Set("pair", id+" "+id)
		for _, name := range []string{"q", "find", "find_into", "query"} {
			query.Set(name, "zwielich")
		}
		ofThem := func() []string { return append(append(rowsOf(d, d.Other.ID), rowsOf(d, id)...), rowsOf(d, s.ID)...) }
		before, tried := ofThem(), 0
		for _, r := range d.Routes() {
			if r.Needs == visit.Anyone || r.Needs == visit.Enrolling || strings.HasPrefix(r.Path, "/design") ||
				strings.Contains(strings.Replace(r.Path, ":event", "", 1), ":") || strings.HasPrefix(r.Path, visit.AccountPath) {
				continue
			}
			path := strings.Replace(r.Path, ":event", d.Event.ID, 1)
			if r.Method == http.MethodGet {
				path += "?" + query.Encode()
			}
			tried++
			status, _, page := here.Try(r.Method, path, func(request *http.Request) {
				if r.Method == http.MethodPost {
					request.Body, request.ContentLength = readCloser([]byte(query.Encode())), int64(len(query.Encode()))
				}
			})
			if strings.Contains(page, "Zwielicht") || strings.Contains(page, "m@zwielicht") || status >= 500 {
				t.Errorf("%s %s: %d\n%s", r.Method, path, status, admintest.Body(page))
			}
		}
		if status, _, _ := here.Try("GET", "/admin/events/"+d.Event.ID+"/submissions", nil); status != 200 || tried < 100 {
			t.Errorf("only %d requests were tried, and their own event answers %d", tried, status)
		}
		wantRows(t, before, ofThem())
	})
}
