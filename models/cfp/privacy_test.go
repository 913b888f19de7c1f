package cfp_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// marked is somebody of whom the call keeps all that it can: a proposal with an answer and a file, an account with a
// login and a link, a participation with a reason, an extension, and that others asked them to speak along.
func marked(t *testing.T, f *modelstest.Fixture, mark string) *cfp.Begun {
	t.Helper()
	ctx, p := t.Context(), f.Programme()
	b := begun(t, f, modelstest.Must(f.EventBy(ctx, f.Event.ID))(t), mark+"title", mark+"@x.org")
	who, id := b.Account.ContactID, b.Session.ID
	call := cfp.Of(p)
	_ = modelstest.Must(call.SubmitFor(ctx, id, cfp.SubmittingFor{Token: b.Session.UpdatedAt, AsItIs: true}))(t)
	modelstest.Fine(t, call.InviteToPlace(ctx, who))
	modelstest.Fine(t, call.Extend(ctx, who, new(store.At(f.Clock.Now().Add(day)))))
	_ = modelstest.Must(call.PlaceLink(ctx, who))(t)
	theirs := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Of others", IsAbstract: true}))(t)
	modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Exec("UPDATE proposals SET withdrawn_reason = ? WHERE session_id = ?", mark+"withdrew", id).Error; err != nil {
			return err
		}
		if err := tx.Create(&cfp.Participation{SessionID: id, EventID: f.Event.ID, ContactID: who, Answer: "no",
			Reason: mark + "reason", AnsweredAt: tx.Now}).Error; err != nil {
			return err
		}
		if err := tx.Create(&cfp.CoSpeaker{ID: store.NewID(), EventID: f.Event.ID, SessionID: theirs.ID, InvitedBy: store.NewID(),
			Email: strings.ToUpper(mark) + "@x.org", EmailKey: store.Fold(mark + "@x.org"), Name: mark + "typed",
			Role: models.Speaking, State: cfp.Invited, CreatedAt: tx.Now}).Error; err != nil {
			return err
		}
		return p.SendCallLetters(tx, models.CallLetter{Email: mark + "@x.org", Name: mark + "typed", Subject: mark + "letter",
			Body: "B"})
	}))
	return b
}

func TestAnExportHasWhatTheCallKeepsOfOnePerson(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		openCall(t, f, f.Programme(), 10*day)
		b := marked(t, f, "mine")
		marked(t, f, "other")
		var out bytes.Buffer
		_ = modelstest.Must(people.In(f.Directory(f.Event.OrganizationID, store.By{Door: "admin"})).
			ExportPerson(t.Context(), b.Account.ContactID, &out))(t)
		archive := modelstest.Must(zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
		text := string(modelstest.Must(io.ReadAll(modelstest.Must(archive.Open("person.json"))(t)))(t))
		for _, want := range []string{"mine@x.org", "minereason", "minewithdrew", "minetyped", "minetitle", `"has_password": false`,
			"192.0.2.9", "may_write_longer", "expires_at"} {
			if !strings.Contains(text, want) {
				t.Errorf("it lacks %q", want)
			}
		}
		if strings.Contains(text, "other") && strings.Contains(text, "otherreason") || strings.Contains(text, b.Token) {
			t.Error("it has something of somebody else, or what opens a place")
		}
	})
}

func TestErasingLeavesNothingThatTheCallKeepsOfAPerson(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		openCall(t, f, f.Programme(), 10*day)
		b := marked(t, f, "mine")
		marked(t, f, "other")
		erase := people.In(f.Directory(f.Event.OrganizationID, store.By{Door: "admin"})).Erase
		modelstest.Fine(t, erase(t.Context(), b.Account.ContactID))
		for _, mark := range []string{"mine@x.org", "MINE@x.org", "minereason", "minewithdrew", "minetyped", "mineletter"} {
			modelstest.WantAll(t, mark+" is still in", modelstest.TablesWith(t, f, mark), nil)
		}
		// What they proposed stays, and so does all of others.
		for _, mark := range []string{"minetitle", "other@x.org", "OTHER@x.org", "otherreason", "otherwithdrew", "othertyped",
			"otherletter"} {
			if len(modelstest.TablesWith(t, f, mark)) == 0 {
				t.Errorf("%s is gone", mark)
			}
		}
		modelstest.Answers(cfp.LoginBy(t.Context(), f.Store, b.Token))(t, "their login opens something still",
			store.Unauthorized)
	})
}

// TestAMergeBringsAlongWhatTheCallKeeps has two people with proposals, accounts and answers on one session.
func TestAMergeBringsAlongWhatTheCallKeeps(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		openCall(t, f, f.Programme(), 10*day)
		stays, gone := marked(t, f, "stays"), marked(t, f, "gone")
		d := f.Directory(f.Event.OrganizationID, store.By{Door: "admin"})
		pair := people.MergePair{SurvivorID: stays.Account.ContactID, RemovedID: gone.Account.ContactID}
		_ = modelstest.Must(people.In(d).Merge(t.Context(), []people.MergePair{pair}))(t)
		for _, table := range modelstest.TablesWith(t, f, gone.Account.ContactID) {
			if !slices.Contains([]string{"activity", "emissions", "changes"}, table) { // which tell of what was
				t.Errorf("who is gone is still in %s", table)
			}
		}
		s := modelstest.Must(f.Programme().Session(t.Context(), gone.Session.ID))(t)
		r := modelstest.Must(cfp.Of(f.Programme()).Record(t.Context(), s))(t)
		if r.BeganBy != stays.Account.ContactID || r.Participations[stays.Account.ContactID] == nil {
			t.Errorf("%+v", r)
		}
		// Nobody proved the address, so that browser opens nothing of who stays.
		modelstest.Answers(cfp.LoginBy(t.Context(), f.Store, gone.Token))(t,
			"an address that nobody proved opens the place of who stays", store.Unauthorized)
	})
}
