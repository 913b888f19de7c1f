package cfp_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// TestWhatAnAcceptedProposalOwesIsAnsweredAfterTheEnd has Ada accepted, Bea in the accept queue, which speakers do not
// hear of, and Cyd declined.
func TestWhatAnAcceptedProposalOwesIsAnsweredAfterTheEnd(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		ada, accepted := submitted(t, f, c, "Ada")
		bea, queued := submitted(t, f, c, "Bea")
		cyd, declined := submitted(t, f, c, "Cyd")
		for id, status := range map[string]models.Status{accepted.ID: models.Accepted, queued.ID: models.AcceptQueue,
			declined.ID: models.Declined} {
			modelstest.SetStatus(t, f.Programme(), id, status)
		}
		f.Clock.Move(11 * 24 * time.Hour)
		modelstest.Emitted(t, f)

		m := modelstest.Must(ada.One(ctx, c.Event, accepted.ID))(t)
		p := proposalOf(t, ada, c, accepted.ID)
		if r := p.Rights(f.Now()); m.Status != models.Accepted || r.Answer || !r.Owed || !r.Writes() || r.Invite ||
			!strings.HasPrefix(r.Why, "The call closed on ") {
			t.Errorf("%s, %+v", m.Status, r)
		}
		if owed := p.Form.Owed(p.Values); len(owed) != 1 || owed[0].Key != "phone" {
			t.Errorf("it owes %v", owed)
		}
		v := answers(c)
		maps.Copy(v, cfp.Values{"title": "Late", "description": "Late", "format": c.Workshop, "help": "", "biography": "Late",
			"phone": "+47 555 01 23"})
		p = saved(t, ada, c, accepted.ID, v)
		if p.Title != "Tides" || p.Values["description"] != answers(c)["description"] || p.Values["format"] != c.Talk ||
			p.Values["help"] != "Money\nVisa" || p.Values["biography"] != "" || p.Values["phone"] != "+47 555 01 23" {
			t.Errorf("%v is kept", p.Values)
		}
		if owed, told := p.Form.Owed(p.Values), emitted(t, f); len(owed) != 0 || told != string(outbox.SessionUpdated) {
			t.Errorf("it owes %v, and %q was told", owed, told)
		}
		if s := modelstest.Must(f.Programme().Session(ctx, accepted.ID))(t); !has(s.CustomFields, "phone", "+47 555 01 23") {
			t.Errorf("staff see %v", s.CustomFields)
		}

		call := cfp.Of(f.Programme())
		modelstest.Fine(t, call.Lock(ctx, accepted.ID, true))
		late := cfp.Saving{Values: v}
		for what, err := range map[string]error{
			"a file that is not owed": second(ada.AttachFile(ctx, c.Event, accepted.ID, "slides", pdf("x"))),
			"one that is locked":      third(ada.Save(ctx, c.Event, accepted.ID, late)),
			"one in the queue":        third(bea.Save(ctx, c.Event, queued.ID, late)),
			"one that was not taken":  third(cyd.Save(ctx, c.Event, declined.ID, late)),
			"to ask somebody along":   second(ada.InviteCoSpeaker(ctx, c.Event, accepted.ID, cfp.Asking{Email: "li@example.org"})),
		} {
			if !cfp.IsRefused(err) {
				t.Errorf("%s answers %v", what, err)
			}
		}
		modelstest.Want(t, "Bea hears of", modelstest.Must(bea.One(ctx, c.Event, queued.ID))(t).Status, models.Pending)
		modelstest.Answers(bea.Save(ctx, c.Event, accepted.ID, late))(t, "somebody else", store.NotFound)
		modelstest.Want(t, "was told of what was refused", emitted(t, f), "")
	})
}

func has(answers models.Answers, key, value string) bool {
	for _, a := range answers {
		if a.Key == key && a.Value == value {
			return true
		}
	}
	return false
}
