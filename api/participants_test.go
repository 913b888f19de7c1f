package api_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/outbox"
)

// seated returns the names and roles of a session's participants, in their order.
func seated(s object) string {
	var all []string
	for i, x := range s["participants"].([]any) {
		p := x.(object)
		if p["order"] != float64(i) {
			return fmt.Sprint("order ", p["order"], " at ", i)
		}
		all = append(all, fmt.Sprint(p["full_name"], " ", p["role"]))
	}
	return strings.Join(all, ", ")
}

func TestTheParticipantsOfASessionAreReplaced(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		talk := d.create(t, object{"title": "Talk"})
		path := d.path("/sessions/" + talk["friendly_id"].(string) + "/participants")
		ada := d.speaker(t, d.create(t, object{"title": "Other"})["id"],
			models.NewContact{FirstName: "Ada", Email: "ada@example.org"})
		modelstest.Emitted(t, d.Fixture)
		changed := emitted{outbox.SessionUpdated, talk["id"]}
		put := func(people ...object) object {
			t.Helper()
			return d.do(t, "PUT", path, object{"participants": people}).want(200).object()
		}
		s := put(object{"id": ada}, object{"email": " Li@Example.org", "first_name": "Li", "last_name": "Na",
			"role": "moderator"})
		modelstest.Want(t, "seated", seated(s), "Ada speaker, Li Na moderator")
		wantEqual(t, d.get(t, talk["id"]), s)
		d.wantEmitted(t, "replaced", changed)
		back := s["participants"].([]any)
		wantEqual(t, put(back[0].(object), back[1].(object)), s) // as they were read
		d.wantEmitted(t, "no change")

		// An address stands for who has it, whatever they are called.
		again := put(object{"email": "LI@example.org", "last_name": "Somebody else"},
			object{"id": ada, "role": "chairperson"})
		modelstest.Want(t, "seated", seated(again), "Li Na speaker, Ada chairperson")
		body := object{"participants": []object{}, "updated_at": s["updated_at"]}
		d.do(t, "PUT", path, body).wantError(409, "ConflictError")
		body["updated_at"] = again["updated_at"]
		wantEqual(t, d.do(t, "PUT", path, body).want(200).object()["participants"], []any{})
		modelstest.Want(t, "emissions", len(modelstest.Emitted(t, d.Fixture)), 2)
		d.do(t, "DELETE", d.path("/sessions/"+talk["id"].(string)), nil).want(200)
		d.do(t, "PUT", path, object{"participants": []object{}}).wantError(404, "NotFoundError")
	})
}

func TestFaultyParticipantsAreRefusedNamingTheField(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		here, there := d.rows(t), d.elsewhere(t).rows(t)
		path := d.path("/sessions/" + here["session"] + "/participants")
		id := func(of string) string { return fmt.Sprintf(`{"id": %q}`, of) }
		d.unchanged(t, func() {
			for person, field := range map[string]string{
				`{}`: "participants[0].email", `{"first_name": "A"}`: "participants[0].email", `null`: "participants[0]",
				id(there["contact"]): "participants[0].id", id(nobody): "participants[0].id", id("x"): "participants[0].id",
				id(here["contact"]) + "," + id(here["contact"]):       "participants[1].id",
				`{"id": "` + here["contact"] + `", "last_name": "B"}`: "participants[0].first_name",
				`{"id": "` + here["contact"] + `", "role": null}`:     "participants[0].role", `{"email": "a@example.org"}`: "participants[0].first_name",
				`{"email": "nowhere", "first_name": "A"}`:                                    "participants[0].email",
				`{"email": "a@example.org", "first_name": "` + long(256) + `"}`:              "participants[0].first_name",
				`{"email": "a@example.org", "first_name": "A", "phone": "1"}`:                "participants[0].phone",
				`{"email": "a@example.org", "first_name": "A", "role": "king"}`:              "participants[0].role",
				many(101, func(int) string { return id(here["contact"]) }):                   "participants",
				id(here["contact"]) + `, {"email": "b@example.org", "first_name": "\u0000"}`: "participants[1].first_name",
			} {
				d.do(t, "PUT", path, `{"participants": [`+person+`]}`).wantField(field)
			}
			for body, field := range map[string]string{`{}`: "participants", `{"participants": null}`: "participants",
				`{"participants": {}}`: "participants", `{"participants": [], "nope": 1}`: "nope"} {
				d.do(t, "PUT", path, body).wantField(field)
			}
		})
	})
}

// Somebody of another event joins by their address as a guest: with their printed profile, and without the rest.
func TestAParticipantOfAnotherEventJoinsAsAGuest(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		other := d.elsewhere(t)
		theirs := other.speaker(t, other.create(t, object{"title": "Theirs"})["id"], models.NewContact{FirstName: "Eve",
			Email: "eve@example.org", Phone: "+44 1"})
		id := d.create(t, object{"title": "Talk"})["id"].(string)
		path := d.path("/sessions/" + id + "/participants")
		missing := d.do(t, "PUT", path, object{"participants": []object{{"id": nobody}}}).wantField("participants[0].id")
		hidden := d.do(t, "PUT", path, object{"participants": []object{{"id": theirs}}}).wantField("participants[0].id")
		modelstest.Want(t, "answer on somebody elsewhere", string(missing.raw), string(hidden.raw))
		twice := func(address string) string {
			x := object{"email": address, "first_name": "x"}
			refused := d.do(t, "PUT", path, object{"participants": []object{x, x}}).wantField("participants[1].email")
			return string(refused.raw)
		}
		modelstest.Want(t, "what is told of who is elsewhere", twice("eve@example.org"), twice("nobody@example.org"))
		byAddress := object{"participants": []object{{"email": "eve@example.org", "first_name": "E"}}}
		alone := d.mint(t, d.event, apikey.WriteSessions)
		d.do(t, "PUT", path, byAddress, "x-access-token", alone).wantError(403, "ForbiddenError", "write:contacts")
		s := d.do(t, "PUT", path, byAddress).want(200)
		if got := seated(s.object()); got != "Eve speaker" || strings.Contains(string(s.raw), "+44") {
			t.Errorf("%s: %s", got, s.raw)
		}
		wantEqual(t, d.do(t, "GET", d.path("/speakers/"+theirs), nil).want(200).object()["phone"], "")
		wantEqual(t, other.do(t, "GET", other.path("/speakers/"+theirs), nil).want(200).object()["phone"], "+44 1")
	})
}
