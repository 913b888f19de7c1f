package api_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/api"
	"lectern/models/apikey"
	"lectern/models/modelstest"
)

const onceKey = "Idempotency-Key"

func (d *door) createOnce(t testing.TB, key string, body any) *answer {
	t.Helper()
	return d.do(t, "POST", d.path("/sessions/create"), body, onceKey, key)
}

func TestARepeatedCreateIsAnsweredTheSameAndDoneOnce(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		first := d.createOnce(t, "k", `{"title": "Once"}`).want(200)
		d.Clock.Move(24*time.Hour - time.Millisecond)
		d.put(t, first.object()["id"], `{"title": "Changed since"}`).want(200)
		d.unchanged(t, func() {
			again := d.createOnce(t, "k", `{ "title" : "Once" }`).want(200)
			modelstest.Want(t, "second answer", string(again.raw), string(first.raw))
			d.createOnce(t, "k", `{"title": "Another"}`).wantError(400, "ValidationError", onceKey)
			d.do(t, "POST", d.path("/sessions/bulk"), `{"operations": []}`, onceKey, "k").
				wantError(400, "ValidationError", onceKey)
		})
		wantEqual(t, d.titles(t, `{}`), []string{"Changed since"})
	})
}

func TestAnIdempotencyKeyExpiresAfterADay(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		first := d.createOnce(t, "k", `{"title": "Once"}`).want(200).object()
		d.bulk(t, []object{{"action": "create", "data": object{"title": "Bulk"}}}, onceKey, "b")
		d.Clock.Move(24*time.Hour + time.Millisecond)
		if second := d.createOnce(t, "k", `{"title": "Another"}`).want(200).object(); second["id"] == first["id"] {
			t.Error("the key still holds")
		}
		d.bulk(t, []object{{"action": "create", "data": object{"title": "Bulk"}}}, onceKey, "b")
		modelstest.Want(t, "sessions", len(d.search(t, `{}`)), 4)
	})
}

func TestIdempotencyKeysOfOthersAreUnaffected(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		body := `{"title": "Same"}`
		ids := map[any]bool{}
		ids[d.createOnce(t, "k", body).want(200).object()["id"]] = true
		ids[d.createOnce(t, "K", body).want(200).object()["id"]] = true
		ids[d.create(t, object{"title": "Same"})["id"]] = true
		ids[d.elsewhere(t).createOnce(t, "k", body).want(200).object()["id"]] = true
		colleague := *d
		colleague.key = d.mint(t, d.Event, apikey.WriteSessions)
		ids[colleague.createOnce(t, "k", body).want(200).object()["id"]] = true
		modelstest.Want(t, "different sessions", len(ids), 5)
	})
}

func TestAFailedRequestKeepsNoAnswer(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		d.createOnce(t, "k", `{"title": ""}`).wantField("title")
		d.createOnce(t, "k", `{"title": "T", "ends_at": "2026-11-21T10:00:00Z"}`).wantField("ends_at")
		d.createOnce(t, "k", `{"title": "Better"}`).want(200)
		wantEqual(t, d.titles(t, `{}`), []string{"Better"})
	})
}

func TestOneKeyAtOnceMakesOneSession(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		var answers sync.Map
		var clients sync.WaitGroup
		for range 8 {
			clients.Go(func() {
				answers.Store(string(d.createOnce(t, "k", `{"title": "Once"}`).want(200).raw), true)
				answers.Store(string(d.do(t, "POST", d.path("/sessions/bulk"),
					`{"operations": [{"action": "create", "data": {"title": "Bulk"}}]}`, onceKey, "b").want(200).raw), true)
			})
		}
		clients.Wait()
		different := 0
		answers.Range(func(any, any) bool { different++; return true })
		if n := len(d.search(t, `{}`)); n != 2 || different != 2 {
			t.Errorf("%d sessions and %d different answers, want 2 and 2", n, different)
		}
	})
}

func TestARepeatedBulkIsAnsweredTheSameAndDoneOnce(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		body := `{"operations": [{"action": "create", "data": {"title": "One"}}, {"action": "delete", "id": "x"}, {"action": "create", "data": {"title": "One"}}]}`
		first := d.do(t, "POST", d.path("/sessions/bulk"), body, onceKey, "b").want(200)
		d.unchanged(t, func() {
			again := d.do(t, "POST", d.path("/sessions/bulk"), strings.ReplaceAll(body, " ", ""), onceKey, "b").want(200)
			modelstest.Want(t, "second answer", string(again.raw), string(first.raw))
			d.do(t, "POST", d.path("/sessions/bulk"), `{"operations": []}`, onceKey, "b").
				wantError(400, "ValidationError", onceKey)
		})
		wantEqual(t, d.titles(t, `{}`), []string{"One", "One"})
	})
}

// TestACommitThatWasCutShortIsNoRefusal ends the connection during a commit: nobody can know whether it took effect.
func TestACommitThatWasCutShortIsNoRefusal(t *testing.T) {
	t.Parallel()
	d := open(t, modelstest.Open(t, "postgres"), api.Options{})
	modelstest.Exec(t, d.SQL, "CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS "+
		"$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$")
	atCommit := func(table, when string) {
		modelstest.Exec(t, d.SQL, "CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON "+table+
			" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ("+when+") EXECUTE FUNCTION ends()")
	}
	atCommit("sessions", "NEW.title = 'Cut'")
	d.createOnce(t, "k", `{"title": "Cut"}`).wantError(504, "OutcomeUnknownError", "not known", "Idempotency-Key")
	atCommit("metadata", "NEW.name = 'Cut'")
	for path, body := range map[string]string{"/sessions/create": `{"title": "Cut"}`,
		"/tracks/create": `{"name": "Cut"}`} {
		answer := d.do(t, "POST", d.path(path), body).wantError(504, "OutcomeUnknownError", "Look before")
		if strings.Contains(string(answer.raw), "Idempotency-Key") {
			t.Errorf("%s without a key is told to send it again: %s", path, answer.raw)
		}
	}
	items := []object{{"action": "create", "data": object{"title": "Cut"}}, {"action": "create",
		"data": object{"title": "Whole"}}}
	if got := d.bulk(t, items, onceKey, "b"); !strings.Contains(fmt.Sprint(got), "not known") {
		t.Errorf("an item that was cut short is told as %v", got)
	}
	for _, item := range d.bulk(t, items) { // without a key nobody may try again
		modelstest.Want(t, "code of an item in a commit that was cut short", code(item), "internal_error")
	}
	modelstest.Exec(t, d.SQL, "DROP TRIGGER ends ON sessions")
	d.createOnce(t, "k", `{"title": "Cut"}`).want(200)
	// That the whole answer cannot be kept refuses nothing of what was done.
	atCommit("kept_answers", `NEW.key = 'c'`)
	d.bulk(t, items[1:], onceKey, "c")
	wantEqual(t, d.titles(t, `{"sort": {"order": "title", "sort": "asc"}}`), []string{"Cut", "Whole", "Whole"})
}
