package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
)

const nobody = "019f0000-0000-7000-8000-000000000000" // an id that no row has

func TestKeysThatProveNobodyAllLookAlike(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		ctx := context.Background()
		create := func(n apikey.New) (*apikey.Key, string) {
			n.Name, n.Scopes = "key", apikey.Scopes
			key, value, err := apikey.Of(d.Programme()).Create(ctx, n)
			modelstest.Fine(t, err)
			return key, value
		}
		revokedKey, revoked := create(apikey.New{})
		modelstest.Fine(t, apikey.Of(d.Programme()).Revoke(ctx, revokedKey.ID))
		unknownKey, unknown := create(apikey.New{})
		modelstest.Must(d.SQL.Exec("DELETE FROM api_keys WHERE id = $1", unknownKey.ID))(t)
		_, expiring := create(apikey.New{ValidFor: time.Hour})
		d.do(t, "GET", "/v1/events", nil, "x-access-token", expiring).want(200)
		d.Clock.Move(time.Hour)

		first := d.do(t, "GET", "/v1/events", nil, "x-access-token", "").wantError(401, "UnauthorizedError")
		for name, key := range map[string]string{
			"unknown": unknown, "revoked": revoked, "expired": expiring, "malformed": "secret",
			"shortened": d.key[:len(d.key)-1],
			"a typo":    d.key[:10] + "~" + d.key[11:], "in another case": strings.ToUpper(d.key),
			"very long":  strings.Repeat("a", 5000),
			"with a NUL": "lct_\x00", "not UTF-8": "lct_\xff",
		} {
			got := d.do(t, "GET", "/v1/events", nil, "x-access-token", key).wantError(401, "UnauthorizedError")
			modelstest.Want(t, "a key that is "+name, string(got.raw), string(first.raw))
		}
		d.do(t, "GET", "/v1/events", nil).want(200)
		// In the address, or as bearer, it is no key.
		d.do(t, "GET", "/v1/events?x-access-token="+d.key, nil, "x-access-token", "").wantError(401, "UnauthorizedError")
		d.do(t, "GET", "/v1/events", nil, "x-access-token", "", "authorization", "Bearer "+d.key).
			wantError(401, "UnauthorizedError")
	})
}

func TestEveryOperationNeedsAKey(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		d.unchanged(t, func() {
			for _, e := range endpoints() {
				d.ask(t, e, every(nobody), "x-access-token", "").wantError(401, "UnauthorizedError")
				d.Clock.Move(2 * time.Second) // so that fewer fail in a minute than an address may
			}
			d.do(t, "GET", "/v1/nothing", nil, "x-access-token", "").wantError(401, "UnauthorizedError")
			d.do(t, "GET", d.path("/nothing"), nil, "x-access-token", "").wantError(401, "UnauthorizedError")
		})
	})
}

func TestEveryOperationNeedsExactlyItsScope(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		of := d.rows(t)
		single, others := map[apikey.Scope]string{}, map[apikey.Scope]string{}
		for _, scope := range apikey.Scopes {
			single[scope] = d.mint(t, d.Event, scope)
			others[scope] = d.mint(t, d.Event, slices.DeleteFunc(slices.Clone(apikey.Scopes), func(s apikey.Scope) bool {
				return s == scope
			})...)
		}
		d.unchanged(t, func() {
			for _, e := range endpoints() {
				if e.scope == "" { // what any key may
					d.ask(t, e, of, "x-access-token", single[apikey.ReadMetadata]).want(200)
					continue
				}
				for _, scope := range apikey.Scopes {
					if scope != e.scope {
						d.ask(t, e, of, "x-access-token", single[scope]).wantError(403, "ForbiddenError", string(e.scope))
					}
				}
				d.ask(t, e, of, "x-access-token", others[e.scope]).wantError(403, "ForbiddenError", string(e.scope))
			}
		})
		for _, e := range endpoints() {
			if e.scope != "" {
				d.ask(t, e, of, "x-access-token", single[e.scope]).want(200)
			}
		}
	})
}

func TestAnotherEventIsForbiddenWhetherItExistsOrNot(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		other := d.elsewhere(t)
		of := other.rows(t)
		d.unchanged(t, func() {
			for _, e := range append(endpoints(), endpoint{"GET", "/nothing", "", nil},
				endpoint{"PATCH", "/sessions/{session}", "", "{"}) {
				if strings.HasPrefix(e.path, "/v1/") { // which names no event
					continue
				}
				theirs := *other
				theirs.key = d.key
				exists := theirs.ask(t, e, of).wantError(403, "ForbiddenError")
				theirs.event = &models.Event{ID: nobody}
				if missing := theirs.ask(t, e, of).wantError(403,
					"ForbiddenError"); string(missing.raw) != string(exists.raw) {
					t.Errorf("%s %s tells which events exist: %s, not %s", e.method, e.path, exists.raw, missing.raw)
				}
			}
			for _, path := range []string{"/v1/event/" + d.Other.ID, "/v1/event/", "/v1/event//sessions/search",
				"/v1/event/%00/sessions/search"} {
				d.do(t, "POST", path, `{}`).wantError(403, "ForbiddenError")
			}
		})
	})
}

func TestIdsOfTheOtherEventAreNotFoundHere(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		other := d.elsewhere(t)
		of := other.rows(t)
		d.unchanged(t, func() {
			for _, e := range endpoints() {
				if strings.Contains(e.path, "{") {
					got := d.ask(t, e, of).wantError(404, "NotFoundError")
					if none := d.ask(t, e, every(nobody)); string(none.raw) != string(got.raw) {
						t.Errorf("%s %s tells which ids exist: %s, not %s", e.method, e.path, got.raw, none.raw)
					}
				}
			}
			result := d.do(t, "POST", d.path("/sessions/bulk"), object{"operations": []object{
				{"action": "update", "id": of["session"], "data": object{"title": "Taken"}},
				{"action": "delete", "id": of["session"]},
			}}).want(200).object()
			wantEqual(t, result["stats"], object{"total": 2, "succeeded": 0, "failed": 2})
		})
		for _, path := range []string{"/sessions/search", "/sessions", "/speakers/search", "/speakers", "/contacts/search"} {
			if rows := d.do(t, "POST", d.path(path), `{"filters": {"text": "secret"}}`).want(200).results(); len(rows) > 0 {
				t.Errorf("%s shows rows of the other event: %v", path, rows)
			}
		}
	})
}

func TestChecksComeInTheirOrder(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		readOnly := d.mint(t, d.Event, apikey.ReadSessions)
		session := d.create(t, object{"title": "Talk"})
		id := session["id"].(string)
		gone := d.create(t, object{"title": "Gone"})["id"].(string)
		d.do(t, "DELETE", d.path("/sessions/"+gone), nil).want(200)
		stale := `{"title": "x", "updated_at": "2020-01-01T00:00:00Z"}`
		broken := `{"title": 3`
		elsewhere := "/v1/event/" + d.Other.ID

		d.do(t, "PUT", elsewhere+"/nothing/x", broken, "x-access-token", "x").wantError(401, "UnauthorizedError")
		d.do(t, "PUT", elsewhere+"/nothing/x", broken).wantError(403, "ForbiddenError")
		d.do(t, "PUT", elsewhere+"/sessions/x", broken, "x-access-token", readOnly).wantError(403, "ForbiddenError", "event")
		d.do(t, "PUT", d.path("/sessions/x"), broken, "x-access-token", readOnly).
			wantError(403, "ForbiddenError", "write:sessions")
		d.do(t, "PUT", d.path("/sessions/x"), strings.Repeat(" ", 3<<20), "x-access-token", readOnly).
			wantError(403, "ForbiddenError")
		d.do(t, "PUT", d.path("/nothing/x"), broken, "x-access-token", readOnly).wantError(404, "NotFoundError")
		d.do(t, "PATCH", d.path("/sessions/x"), broken).wantError(405, "MethodNotAllowedError")
		for _, record := range []string{"x", nobody, gone, id} {
			d.put(t, record, broken).wantError(400, "ValidationError")
			d.put(t, record, `{"title": ""}`).wantField("title")
			d.put(t, record, `{"status": "lost", "updated_at": "2020-01-01T00:00:00Z"}`).wantField("status")
		}
		for _, record := range []string{"x", nobody, gone} {
			d.put(t, record, stale).wantError(404, "NotFoundError")
		}
		d.put(t, id, `{"is_abstract": true, "updated_at": "2020-01-01T00:00:00Z"}`).wantField("is_abstract")
		d.put(t, id, stale).wantError(409, "ConflictError")
		wantEqual(t, d.get(t, id), session)
	})
}

func TestUnknownPathsAndMethodsAnswerInJSON(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, path := range []string{"/v1/nothing", d.path(""), d.path("/nothing"), d.path("/sessions/a/b/c"),
			d.path("/Sessions/search")} {
			d.do(t, "POST", path, `{}`).wantError(404, "NotFoundError")
		}
		for _, e := range endpoints() {
			d.ask(t, endpoint{"PATCH", e.path, "", nil}, every(nobody)).wantError(405, "MethodNotAllowedError")
		}
		wantEqual(t, d.do(t, "GET", d.path("/nothing"), nil).object()["request_id"], "request-1")
	})
}

func TestEachKeyListsExactlyItsEvent(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		got := d.do(t, "GET", "/v1/events", nil).want(200).object()
		wantEqual(t, got, object{
			"results":    []object{{"id": d.Event.ID, "name": "Conference", "slug": "conf", "timezone": "Europe/Brussels"}},
			"pagination": object{"currentPage": 1, "pageSize": 25, "totalPages": 1, "totalResults": 1},
		})
		other := d.elsewhere(t)
		wantEqual(t, pluck(other.do(t, "GET", "/v1/events", nil).want(200).results(), "id"), []string{d.Other.ID})
	})
}
