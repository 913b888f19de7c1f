package api_test

import (
	"context"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

// letter sets the state of an abstract's letter for its present decision.
func (d *door) letter(t testing.TB, id any, state models.LetterState) {
	t.Helper()
	d.SetLetter(t, d.Event, id.(string), state)
}

// compose composes abstracts into a new session, or into one that is there.
func (d *door) compose(t testing.TB, into string, abstracts ...object) object {
	t.Helper()
	s := modelstest.Must(d.Programme().Compose(context.Background(), pluck(abstracts, "id"), into))(t)
	return d.get(t, s.ID)
}

const publish = `{"is_public": true}`

// wantHeld fails the test unless publishing is held back and changes nothing.
func (d *door) wantHeld(t testing.TB, id any) {
	t.Helper()
	before := d.get(t, id)
	d.unchanged(t, func() {
		d.put(t, id, publish).wantError(400, "PublishGateError", "publish_override")
		d.put(t, id, `{"is_public": true, "publish_override": false}`).wantError(400, "PublishGateError")
		d.put(t, id, `{"is_public": true, "title": "Not applied", "capacity": 9, "custom_fields": {"x": "y"}}`).
			wantError(400, "PublishGateError")
	})
	wantEqual(t, d.get(t, id), before)
}

func (d *door) wantPublished(t testing.TB, id, body any) {
	t.Helper()
	wantEqual(t, d.put(t, id, body).want(200).object()["is_public"], true)
}

func TestAnAbstractIsHeldUntilTheLetterOfItsPresentDecisionIsSent(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		another := d.create(t, object{"title": "Another", "is_abstract": true, "status": "accepted"})
		d.letter(t, another["id"], models.LetterSent)
		a := d.create(t, object{"title": "A", "is_abstract": true})
		d.wantHeld(t, a["id"])
		d.put(t, a["id"], `{"status": "accepted"}`).want(200)
		d.wantHeld(t, a["id"])
		for _, state := range []models.LetterState{models.LetterDraft, models.LetterQueued, models.LetterSending,
			models.LetterFailed, models.LetterUnknown} {
			d.letter(t, a["id"], state)
			d.wantHeld(t, a["id"])
		}
		d.letter(t, a["id"], models.LetterSent)
		d.put(t, a["id"], `{"status": "declined"}`).want(200)
		d.wantHeld(t, a["id"])
		d.put(t, a["id"], `{"status": "pending"}`).want(200)
		d.wantHeld(t, a["id"])
		d.put(t, a["id"], `{"status": "accepted"}`).want(200)
		d.wantHeld(t, a["id"]) // accepted again is another decision
		d.letter(t, a["id"], models.LetterTold)
		d.wantPublished(t, a["id"], publish)
	})
}

func TestTheGateLooksAtTheDecisionTheSameRequestMakes(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true, "status": "accepted"})
		d.letter(t, a["id"], models.LetterSent)
		d.put(t, a["id"], `{"status": "declined", "is_public": true}`).wantError(400, "PublishGateError")
		d.put(t, a["id"], `{"status": "declined"}`).want(200)
		d.letter(t, a["id"], models.LetterSent)
		d.put(t, a["id"], `{"status": "accepted", "is_public": true}`).wantError(400, "PublishGateError")
		d.wantPublished(t, a["id"], `{"title": "B", "status": "declined", "is_public": true, "publish_override": true}`)
	})
}

func TestAComposedSessionWaitsForTheLettersOfAllItsSources(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true, "status": "accepted"})
		b := d.create(t, object{"title": "B", "is_abstract": true, "status": "accepted"})
		s := d.compose(t, "", a, b)
		d.wantHeld(t, s["id"])
		d.letter(t, a["id"], models.LetterSent)
		d.wantHeld(t, s["id"])
		d.letter(t, b["id"], models.LetterSent)
		d.put(t, b["id"], `{"status": "declined"}`).want(200)
		d.wantHeld(t, s["id"])
		d.put(t, b["id"], `{"status": "accepted"}`).want(200)
		d.wantHeld(t, s["id"])
		d.letter(t, b["id"], models.LetterSent)
		d.wantPublished(t, s["id"], publish)
	})
}

func TestAStandaloneSessionNeedsTheOverrideEachTimeItIsPublished(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "S"})
		d.wantHeld(t, s["id"])
		// A stale token comes before the gate.
		d.put(t, s["id"], `{"is_public": true, "updated_at": "2020-01-01T00:00:00Z"}`).wantError(409, "ConflictError")
		d.wantPublished(t, s["id"], `{"is_public": true, "publish_override": true}`)
		d.wantPublished(t, s["id"], publish) // already public: no gate
		again := d.get(t, s["id"])
		d.unchanged(t, func() { d.wantPublished(t, s["id"], publish) })
		wantEqual(t, d.put(t, s["id"], publish).object(), again)
		changed := d.put(t, s["id"], `{"is_public": true, "title": "Still public"}`).want(200).object()
		wantEqual(t, []any{changed["title"], changed["is_public"]}, []any{"Still public", true})
		// Unpublishing needs no gate, and publishing again does.
		wantEqual(t, d.put(t, s["id"], `{"is_public": false}`).want(200).object()["is_public"], false)
		d.wantHeld(t, s["id"])
	})
}
