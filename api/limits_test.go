package api_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"lectern/api"
	"lectern/models/modelstest"
)

// limited runs test against an API with rate limits, on both databases.
func limited(t *testing.T, reads, writes int, test func(t *testing.T, d *door)) {
	t.Helper()
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		test(t, open(t, f, api.Options{Reads: reads, Writes: writes}))
	})
}

// wantOver fails the test unless the answer is a 429 that says how long to wait.
func (a *answer) wantOver() {
	a.t.Helper()
	a.wantError(429, "TooManyRequestsError")
	if wait, err := strconv.Atoi(a.header("Retry-After")); err != nil || wait < 1 || wait > 60 {
		a.t.Errorf("Retry-After is %q", a.header("Retry-After"))
	}
}

func TestReadsAndWritesAreLimitedApartAndToldInHeaders(t *testing.T) {
	limited(t, 3, 2, func(t *testing.T, d *door) {
		read := func() *answer { return d.do(t, "GET", d.path("/tracks"), nil) }
		write := func() *answer { return d.do(t, "POST", d.path("/tracks/create"), `{"name": "T"}`) }
		check := func(a *answer, limit, remaining int) {
			t.Helper()
			got := fmt.Sprint(a.header("RateLimit-Limit"), a.header("RateLimit-Remaining"))
			modelstest.Want(t, "limit and remaining", got, fmt.Sprint(strconv.Itoa(limit), strconv.Itoa(remaining)))
			if reset, err := strconv.Atoi(a.header("RateLimit-Reset")); err != nil || reset < 0 || reset > 60 {
				t.Errorf("RateLimit-Reset is %q", a.header("RateLimit-Reset"))
			}
		}
		check(write().want(200), 2, 1)
		check(read().want(200), 3, 2)
		check(d.do(t, "POST", d.path("/sessions/bulk"), object{"operations": []object{
			{"action": "create", "data": object{"title": "1"}}, {"action": "create", "data": object{"title": "2"}},
			{"action": "create", "data": object{"title": "3"}},
		}}).want(200), 2, 0)
		over := write()
		over.wantOver()
		check(over, 2, 0)
		check(read().want(200), 3, 1)
		check(d.do(t, "POST", d.path("/sessions"), `{"page": 0}`).want(400), 3, 0)
		read().wantOver()
		d.do(t, "PUT", d.path("/sessions/"+nobody), `{`).wantOver()

		reader := []string{"x-access-token", d.mint(t, d.Event, "write:contacts")} // which it takes to read contacts
		check(d.do(t, "POST", d.path("/contacts/search"), `{"filters": null}`, reader...).want(200), 3, 2)
		check(d.do(t, "GET", d.path("/contacts/"+nobody), nil, reader...).want(404), 3, 1)
		check(d.do(t, "POST", d.path("/contacts/create"), `{"first_name": "Ada"}`, reader...).want(200), 2, 1)

		d.elsewhere(t).do(t, "POST", "/v1/event/"+d.Other.ID+"/tracks/create", `{"name": "T"}`).want(200)
		colleague := d.mint(t, d.Event, "read:metadata")
		rows := d.do(t, "GET", d.path("/tracks"), nil, "x-access-token", colleague).want(200).results()
		modelstest.Want(t, "tracks were made within the limit", len(rows), 1)
		d.Clock.Move(time.Minute)
		check(write().want(200), 2, 1)
		check(read().want(200), 3, 2)
	})
}

func TestLimitsOfZeroAreOff(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for range 70 {
			wantEqual(t, d.do(t, "GET", "/v1/events", nil).want(200).header("RateLimit-Limit"), "")
		}
	})
}

func TestFailedAuthenticationIsLimitedPerAddress(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for i := range 60 {
			d.do(t, "GET", "/v1/events", nil, "x-access-token", fmt.Sprint("guess ", i)).want(401)
		}
		d.do(t, "GET", "/v1/events", nil, "x-access-token", "guess").wantOver()
		d.do(t, "GET", d.path("/nothing"), nil, "x-access-token", "").wantOver()
		d.Clock.Move(time.Minute)
		d.do(t, "GET", "/v1/events", nil).want(200)
	})
}

func TestSingleReadsAreNotSentAgainWhileNothingChanged(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.create(t, object{"title": "T"})["id"].(string)
		path := d.path("/sessions/" + id)
		tag := d.do(t, "GET", path, nil).want(200).header("ETag")
		if tag == "" {
			t.Fatal("no ETag")
		}
		d.do(t, "GET", path, nil, "If-None-Match", tag).want(304)
		d.do(t, "GET", path, nil, "If-None-Match", `"another"`).want(200)
		d.put(t, id, `{"title": "Changed"}`).want(200)
		changed := d.do(t, "GET", path, nil, "If-None-Match", tag).want(200)
		modelstest.Want(t, "the ETag is as before", changed.header("ETag") == tag, false)
		d.do(t, "GET", path, nil, "If-None-Match", tag, "x-access-token", "").want(401)
		d.do(t, "GET", d.path("/sessions/"+nobody), nil, "If-None-Match", "*").want(404)
		wantEqual(t, d.do(t, "PUT", path, `{"title": "x"}`, "If-None-Match", tag).want(200).header("ETag"), "")
	})
}

func TestEveryAnswerCarriesItsRequestId(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, got := range []*answer{
			d.do(t, "GET", "/v1/events", nil), d.do(t, "GET", "/v1/events", nil, "x-access-token", ""),
			d.do(t, "GET", "/v1/event/x/y", nil),
			d.do(t, "GET", d.path("/nothing"), nil), d.put(t, nobody, `{`), d.put(t, nobody, `{}`),
			d.put(t, nobody, `{"title": null}`),
			d.do(t, "POST", d.path("/sessions"), "\xff"), d.do(t, "POST", d.path("/sessions"), `{}`, "content-type",
				"text/plain"),
		} {
			if got.header("x-request-id") != "request-1" || (got.status != 200 && got.object()["request_id"] != "request-1") {
				t.Errorf("status %d: %q, %s", got.status, got.header("x-request-id"), got.raw)
			}
		}
	})
}
