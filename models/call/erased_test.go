package call_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// TestErasedIsErased has a speaker with an unmistakable name do everything that speakers do, has staff write everything
// that they write about people, erases the speaker, and looks for the name in every table and in SQLite's file.
func TestErasedIsErased(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		begun := modelstest.Must(call.Begin(ctx, f.Store, c.Event, call.Beginning{Name: "Zebrafinch Quillon", Title: "Tides",
			Email: "zebrafinch@example.org", Browser: call.Browser{Address: "192.0.2.9"}}, store.By{Door: "call"}))(t)
		login := modelstest.Must(call.LoginBy(ctx, f.Store, begun.Token))(t)
		modelstest.Must(call.OpenLink(ctx, f.Store, c.Event.OrganizationID, begun.Link, call.Browser{Device: "zebra"},
			login))(t)
		login = modelstest.Must(call.LoginBy(ctx, f.Store, begun.Token))(t)
		pl, id := call.PlaceOf(f.Store, login, store.By{Door: "call"}), begun.Session.ID
		who := pl.ContactID()
		modelstest.Must(pl.SaveProfile(ctx, c.Event, modelstest.Values("about", "<p>Quillon keeps finches</p>", "job_title",
			"Quillonist", "company_name", "Zebrafinch Ltd", "website_url", "https://quillon.example", "availability",
			"Ask Quillon")))(t)
		modelstest.Must(pl.SetPhoto(ctx, c.Event, models.Upload{Name: "quillon.png",
			Content: modelstest.Picture(t, 9, 9)}))(t)
		brings := func(pl *call.Place, id, name string) {
			modelstest.Must(pl.AttachFile(ctx, c.Event, id, "slides", models.Upload{Name: name, Content: pdf(name).Content}))(t)
		}
		brings(pl, id, "quillon <slides>.pdf")
		brings(pl, id, "quillon two.pdf")
		c.AskSpeakers(t, f)
		own(t, pl, c, call.Values{"eats": "Else", "else": "Quillon's list"})
		modelstest.Must(pl.AttachOwn(ctx, c.Event, "pass", models.Upload{Name: "quillon pass.pdf",
			Content: pdf("x").Content}))(t)
		modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, id, call.Asking{Name: "Li", Email: "li@example.org"}))(t)
		modelstest.Must(pl.InviteCoSpeaker(ctx, c.Event, id, call.Asking{Name: "Bo", Email: "bo@example.org"}))(t)
		modelstest.Exec(t, f.SQL, "UPDATE letters SET state = 'sent', message_id = 'x@y', sent_at = created_at, "+
			"due_at = NULL WHERE to_email = 'bo@example.org'")
		cfp := call.Of(f.Programme())
		saved(t, pl, c, id, answers(c))
		draft := modelstest.Must(f.Programme().Session(ctx, id))(t)
		modelstest.Must(cfp.SubmitFor(ctx, id, call.SubmittingFor{Token: draft.UpdatedAt, AsItIs: true}))(t)
		// What a co-speaker brings stays theirs, and what they bring to another's proposal goes.
		other, theirs := c.Begin(t, f, "Nora", "Ebb")
		brings(other, theirs.ID, "noras.pdf")
		f.Join(t, f.Event, id, other.ContactID(), models.Moderator)
		modelstest.Exec(t, f.SQL, "UPDATE files SET uploaded_by = '"+who+"', uploaded_by_name = 'Zebrafinch Quillon', "+
			"name = 'quillon at ebb.pdf' WHERE name = 'noras.pdf'")
		modelstest.Exec(t, f.SQL, `UPDATE sessions SET custom_fields = '[{"key": "slides", "value": "quillon at ebb.pdf"}]' `+
			"WHERE id = '"+theirs.ID+"'")
		last, ebb := c.Begin(t, f, "Olga", "Flow")
		brings(last, ebb.ID, "olgas.pdf")
		modelstest.Exec(t, f.SQL, "UPDATE proposals SET contact_id = '"+who+"' "+"WHERE session_id = '"+ebb.ID+"'")
		// Staff.
		d := f.Directory(c.Event.OrganizationID, modelstest.Tester)
		own := modelstest.Must(people.In(d).AddOwnField(ctx, people.OwnFieldInput{Label: "Shirt", Type: field.Text}))(t).Key
		modelstest.Must(people.In(f.Programme().Directory()).Update(ctx, who, modelstest.Values("phone", "+49 Quillon", own,
			"Quillon XL", "hotel", "Quillon Inn", "dietary", "Quillon's list")))(t)
		modelstest.Must(people.Of(f.Programme()).AddContactNote(ctx, who, "Quillon called"))(t)
		modelstest.Must(people.Of(f.Programme()).AddCards(ctx, []string{who}, ""))(t)
		modelstest.Fine(t, cfp.InviteToPlace(ctx, who))
		modelstest.Must(cfp.PlaceLink(ctx, who))(t)
		modelstest.SetStatus(t, f.Programme(), id, models.Accepted)
		modelstest.Fine(t, pl.AnswerParticipation(ctx, c.Event, id, call.NotComing, "Quillon was ill"))
		modelstest.Fine(t, pl.AnswerParticipation(ctx, c.Event, id, call.NotComing, "Zebrafinch flies"))
		// What others were told of them.
		letter := func(state, body string) {
			modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Create(&models.Letter{ID: store.NewID(), EventID: &c.Event.ID, Kind: models.LetterCall,
					ContactID: other.ContactID(), State: models.LetterState(state), DueAt: &tx.Now,
					Subject: "With Zebrafinch Quillon", Body: body, CreatedAt: tx.Now, UpdatedAt: tx.Now}).Error
			}))
		}
		letter("queued", "Nora, Zebrafinch Quillon speaks with you.\nZebrafinch Quillon "+
			"Zebrafinch Quillon, ZEBRAFINCH@example.org")
		letter("failed", "All people of it: Nora and Zebrafinch Quillon.")
		modelstest.Exec(t, f.SQL, `INSERT INTO moves (id, organization_id, event_id, kind, address, event_there, sealed_token,
			file_name, file_key, choices, state, stopped_in, reason, preview, report, claims, deaths, user_id, user_name,
			actor_id, actor_name, created_at, updated_at) VALUES ('m', '`+c.Event.OrganizationID+`', '`+c.Event.ID+`',
			'pretalx', '', '', '', '', '', '{}', 'brought', '', '',
			'{"skipped": [{"title": "The photo of Zebrafinch Quillon"}]}', '{"skipped": [{"title": "Tides\nZebrafinch Quillon",
			"reason": "has another address, zebrafinch@example.org", "index": 7}]}',
			1, 0, '', '', '', '', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`)
		if knew := rowsWith(t, f, "quillon", "zebrafinch"); len(knew) < 8 {
			t.Fatalf("only %v knew them", knew)
		}
		had := len(modelstest.KeysKept(t, f))
		modelstest.Fine(t, people.In(d).Erase(ctx, who))
		modelstest.WantAll(t, "they are still in", rowsWith(t, f, "quillon", "zebrafinch"), nil)
		// Their photo and their pass leave no bytes; what answers a question of a session stays with it.
		f.Clock.Move(models.LeftoverAge + time.Minute)
		modelstest.Must(f.Store.SweepFiles(ctx, 50))(t)
		has, rows := len(modelstest.KeysKept(t, f)), modelstest.RowsOf(t, f, "SELECT count(*) FROM files")
		modelstest.Holds(t, has == rows && had-has >= 2, "%d files were kept, %d are, of %d rows", had, has, rows)
		for _, mark := range []string{"olgas.pdf", "Olga", "Tides", "file.pdf", "Nora and Erased person.",
			`"index":7`, "With Erased person"} { // of others, and of the session
			modelstest.Holds(t, len(modelstest.TablesWith(t, f, mark)) != 0, "%s is gone", mark)
		}
		modelstest.Want(t, "lines tell that they do not come",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE action = 'participation' "+
				"AND CAST(after AS text) LIKE '%answer%' AND CAST(after AS text) NOT LIKE '%reason%'"), 2)
		if f.Store.Embedded() {
			db := f.SQL
			modelstest.Exec(t, db, "PRAGMA wal_checkpoint(TRUNCATE)")
			var file string
			modelstest.Fine(t, db.QueryRow("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&file))
			for _, name := range modelstest.Must(filepath.Glob(file + "*"))(t) {
				text := strings.ToLower(string(modelstest.Must(os.ReadFile(name))(t)))
				modelstest.Holds(t, !strings.Contains(text, "quillon") && !strings.Contains(text, "zebrafinch"),
					"they are still in the bytes of %s", filepath.Base(name))
			}
		}
	})
}

// TestWhoWasRenamedIsErasedByTheFormerNameToo has letters to others mention a person by every name and address that
// they and a merged contact ever had, and mention other people who have one of these now.
func TestWhoWasRenamedIsErasedByTheFormerNameToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		d := f.Directory(c.Event.OrganizationID, modelstest.Tester)
		add := func(first, last, email string) string {
			return modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: first, LastName: last,
				Email: email}))(t).ID
		}
		change := func(id string, values map[string]string) {
			modelstest.Must(people.In(d).Update(ctx, id, people.Change{Values: values}))(t)
		}
		nora, who := add("Nora", "Ebb", "nora@example.org"), add("Zebrafinch", "Quillon", "zebrafinch@example.org")
		change(who, map[string]string{"last_name": "Quillon Stone", "email": "quillon@example.org"})
		change(who, map[string]string{"first_name": "Ada", "last_name": "King", "email": "ada@example.org"})
		change(who, map[string]string{"email": "lent@example.org", "last_name": "Lent"})
		change(who, map[string]string{"email": "ada@example.org", "last_name": "", "first_name": "Adalbert"})
		change(who, map[string]string{"last_name": "King"})
		twin := add("Zebra", "Quillonist", "twin@quillon.example")
		modelstest.Must(people.In(d).Merge(ctx, []people.MergePair{{SurvivorID: who, RemovedID: twin}}))(t)
		add("Ada", "Lent", "lent@example.org")
		letter := func(at store.Time, body string) {
			modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
				return tx.Create(&models.Letter{ID: store.NewID(), EventID: &c.Event.ID, Kind: models.LetterCall, ContactID: nora,
					State: "failed", Subject: "With all", CreatedAt: at, UpdatedAt: at, Body: body}).Error
			}))
		}
		letter(f.Event.CreatedAt, "Zebrafinch Quillon, Zebrafinch Quillon Stone, Zebra Quillonist, Adalbert King; Ada Lent, "+
			"Adalbert the Great. Write to ZEBRAFINCH@example.org, quillon@example.org, twin@quillon.example, ada@example.org, "+
			"lent@example.org")
		const later = "The Ada King dinner begins at eight." // nobody is called so any more
		letter(store.At(time.Now()), later)
		modelstest.Fine(t, people.In(d).Erase(ctx, who))
		modelstest.WantAll(t, "they are still in", rowsWith(t, f, "quillon", "zebrafinch"), nil)
		const told = "Erased person, Erased person, Erased person, Erased person; Ada Lent, Adalbert the Great. Write to Erased person, " +
			"Erased person, Erased person, Erased person, lent@example.org"
		if len(modelstest.TablesWith(t, f, told)) == 0 || len(modelstest.TablesWith(t, f, later)) == 0 {
			t.Errorf("the letter is %v", modelstest.Dump(t, f)["letters"])
		}
	})
}

// marked makes a person of whom the call keeps everything that it can: a proposal with an answer and a file, an account
// with a login and a link, a participation with a reason, an extension, and an invitation by others.
func marked(t *testing.T, f *modelstest.Fixture, mark string) *call.Begun {
	t.Helper()
	ctx, p := t.Context(), f.Programme()
	b := begun(t, f, modelstest.Must(f.EventBy(ctx, f.Event.ID))(t), mark+"title", mark+"@x.org")
	who, id := b.Account.ContactID, b.Session.ID
	cfp := call.Of(p)
	_ = modelstest.Must(cfp.SubmitFor(ctx, id, call.SubmittingFor{Token: b.Session.UpdatedAt, AsItIs: true}))(t)
	modelstest.Fine(t, cfp.InviteToPlace(ctx, who))
	modelstest.Fine(t, cfp.Extend(ctx, who, new(store.At(f.Clock.Now().Add(day)))))
	_ = modelstest.Must(cfp.PlaceLink(ctx, who))(t)
	theirs := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Of others", IsAbstract: true}))(t)
	modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Exec("UPDATE proposals SET withdrawn_reason = ? WHERE session_id = ?", mark+"withdrew", id).Error; err != nil {
			return err
		}
		if err := tx.Create(&call.Participation{SessionID: id, EventID: f.Event.ID, ContactID: who, Answer: "no",
			Reason: mark + "reason", AnsweredAt: tx.Now}).Error; err != nil {
			return err
		}
		if err := tx.Create(&call.CoSpeaker{ID: store.NewID(), EventID: f.Event.ID, SessionID: theirs.ID, InvitedBy: store.NewID(),
			Email: strings.ToUpper(mark) + "@x.org", EmailKey: store.Fold(mark + "@x.org"), Name: mark + "typed",
			Role: models.Speaking, State: call.Invited, CreatedAt: tx.Now}).Error; err != nil {
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
			modelstest.Holds(t, strings.Contains(text, want), "it lacks %q", want)
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
			modelstest.Holds(t, len(modelstest.TablesWith(t, f, mark)) != 0, "%s is gone", mark)
		}
		modelstest.Answers(call.LoginBy(t.Context(), f.Store, b.Token))(t, "their login opens something still",
			store.Unauthorized)
	})
}

// TestAMergeBringsAlongWhatTheCallKeeps merges two people who both have proposals, accounts and answers on one session.
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
		r := modelstest.Must(call.Of(f.Programme()).Record(t.Context(), s))(t)
		modelstest.Holds(t, r.BeganBy == stays.Account.ContactID && r.Participations[stays.Account.ContactID] != nil,
			"%+v", r)
		// Nobody proved the address, so that browser opens nothing of who stays.
		modelstest.Answers(call.LoginBy(t.Context(), f.Store, gone.Token))(t,
			"an address that nobody proved opens the place of who stays", store.Unauthorized)
	})
}
