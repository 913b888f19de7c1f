package upkeep_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/demo"
	"lectern/models/field"
	"lectern/models/files"
	"lectern/models/frab"
	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/seed"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/upkeep"
)

// wrong returns the checks that found something, with their findings.
func wrong(t *testing.T, s *models.Store) map[string][]string {
	t.Helper()
	v := modelstest.Must(upkeep.Verify(t.Context(), s))(t)
	out, sum := map[string][]string{}, 0
	for _, c := range v.Checks {
		if sum += c.Wrong; c.Wrong > 0 {
			out[c.Name] = c.Findings
		}
	}
	if sum != v.Wrong {
		t.Errorf("%d are wrong in all, %d of the checks", v.Wrong, sum)
	}
	return out
}

// livedIn fills a fixture with something of everything that is kept.
func livedIn(t *testing.T, f *modelstest.Fixture) (abstract, session *models.Session) {
	t.Helper()
	ctx, p := t.Context(), f.Programme()
	modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
	byProvider(t, f)
	modelstest.Rounds(t, f, p)
	modelstest.Fine(t, seed.Fill(ctx, p, 30, 10))
	file := modelstest.Must(os.Open("../frab/testdata/schedule.xml"))(t)
	defer file.Close()
	modelstest.Must(arrival.Of(p).Import(t.Context(), modelstest.Must(frab.Parse(file, time.UTC))(t),
		arrival.Options{AsSubmissions: true}))(t)
	abstract = modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Über <b>ς</b>", IsAbstract: true,
		SessionInput: models.SessionInput{Description: new("<p>Text &amp; more</p>")}}))(t)
	ada := f.Speaker(t, f.Event, abstract.ID, models.NewContact{FirstName: "Ada", LastName: "Øst", Email: "OEST@example.org"})
	session = modelstest.Must(p.Compose(ctx, []string{abstract.ID}, ""))(t)
	modelstest.Must(p.UpdateSession(ctx, session.ID, models.SessionChange{Title: new("Changed"), IsPublic: new(true),
		PublishOverride: true, SessionInput: models.SessionInput{StartsAt: store.Some(session.CreatedAt)}}))(t)
	modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{
		Kind: models.Pause, Title: "Lunch", StartsAt: session.CreatedAt,
		EndsAt: session.CreatedAt.Following(session.CreatedAt)}))(t)
	abstract = modelstest.Must(p.Session(ctx, abstract.ID))(t)
	for i, reviewer := range []*staff.User{f.Hire(t, "Rea", staff.Reviewer), f.Hire(t, "Rob", staff.Reviewer),
		f.Hire(t, "Ron", staff.Reviewer)} {
		modelstest.Fine(t, p.GiveReview(ctx, reviewer, abstract.ID, models.Opinion{Score: 3 + i%2}))
	}
	proposed(t, f, abstract, ada)
	defer func() { _ = modelstest.Must(call.Of(p).PlaceLink(ctx, ada))(t) }() // once they are merged, which ends others
	directory := p.Directory()
	shirt := modelstest.Must(people.In(directory).AddOwnField(ctx,
		people.OwnFieldInput{Label: "Shirt", Type: field.Choices, Options: []string{"Größe L", "Größe S"}}))(t)
	modelstest.Must(people.In(directory).Update(ctx, ada, modelstest.Values(shirt.Key, "Größe L; Größe S")))(t)
	modelstest.Photos(t, f, 2)
	dressed(t, f)
	twin := modelstest.Contact(t, p, "Ada", "Ö.East@example.org")
	modelstest.Must(people.In(f.Directory(f.Event.OrganizationID, modelstest.Tester)).Merge(ctx,
		[]people.MergePair{{SurvivorID: ada, RemovedID: twin.ID}}))(t)
	modelstest.Must(people.Of(p).UploadContacts(ctx, models.Upload{Name: "people.csv",
		Content: []byte("Name,Email\nEva,eva@example.org\n")}))(t)
	modelstest.Exec(t, f.SQL, "INSERT INTO file_leftovers SELECT '"+files.NewKey()+"', created_at FROM events LIMIT 1")
	batch := modelstest.Must(p.StartBatch(ctx, []string{abstract.ID, session.ID}, nil,
		models.BatchChange{Operation: models.BatchDelete}))(t)
	modelstest.Must(p.DeleteSession(ctx, session.ID))(t) // so that one item fails
	for worked := true; worked; {
		worked = modelstest.Must(f.RunBatch(ctx, 50))(t)
	}
	modelstest.Must(p.RestoreSession(ctx, session.ID))(t)
	modelstest.Must(p.RetryFailed(ctx, batch.ID))(t)
	modelstest.Must(f.Outbox.FanOut(ctx, false, 1000))(t)
	return abstract, session
}

// dressed gives the event a look with a logo.
func dressed(t *testing.T, f *modelstest.Fixture) {
	t.Helper()
	looks := look.Of(f.Programme())
	modelstest.Fine(t, looks.Save(t.Context(), look.Change{Brand: new("#FF4B1F"), Paper: new("#FFF8EF")}))
	modelstest.Fine(t, looks.SetPicture(t.Context(), look.Logo, models.Upload{Name: "logo.png", Content: modelstest.Picture(t, 4, 4)}))
}

// proposed opens a call with a draft, and with everything else that it keeps of somebody on a submission.
func proposed(t *testing.T, f *modelstest.Fixture, s *models.Session, contact string) {
	t.Helper()
	ctx, p, now := t.Context(), f.Programme(), f.Clock.Now()
	cfp, c := call.Of(p), modelstest.OpenCall(t, f)
	event := c.Event
	place, draft := c.Begin(t, f, "Nia", "Draft")
	_ = modelstest.Must(place.AttachFile(ctx, event, draft.ID, "slides", models.Upload{Name: "slides.pdf",
		Content: []byte("%PDF-1.7 one")}))(t)
	c.AskSpeakers(t, f)
	modelstest.Fine(t, modelstest.ErrorOf(place.SaveOwn(ctx, event, call.Saving{Values: call.Values{"eats": "Vegan"}})))
	modelstest.Fine(t, cfp.Extend(ctx, contact, new(store.At(now.Add(time.Hour)))))
	modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
		if err := tx.Create(&call.CoSpeaker{ID: store.NewID(), EventID: event.ID, SessionID: s.ID, InvitedBy: contact,
			Email: "x@example.org", EmailKey: "x@example.org", Role: models.Speaking, State: call.Joined, ContactID: contact,
			CreatedAt: tx.Now}).Error; err != nil {
			return err
		}
		return tx.Create(&call.Participation{SessionID: s.ID, EventID: event.ID, ContactID: contact, Answer: "yes",
			AnsweredAt: tx.Now}).Error
	}))
}

// byProvider signs an owner in by an identity provider.
func byProvider(t *testing.T, f *modelstest.Fixture) {
	t.Helper()
	ctx, team := t.Context(), f.Team(t.Context(), f.Hire(t, "Una", staff.Owner))
	p := modelstest.Must(team.AddProvider(ctx, staff.NewProvider{Name: "House", Issuer: "https://login.example.org",
		ClientID: "lectern", Secret: "s3cret", Domains: []string{"example.org"}}))(t)
	modelstest.Fine(t, team.SwitchProvider(ctx, p.ID, true))
	token := modelstest.First(f.Staff.BeginVisit(ctx, staff.ProviderVisit{ProviderID: p.ID}, ""))(t)
	modelstest.Must(f.Staff.Enter(ctx, modelstest.Must(f.Staff.EndVisit(ctx, token))(t),
		staff.Person{Subject: "una", Email: "una@example.org", Verified: true}, signin.Browser{}))(t)
}

func TestNothingIsWrongWhereEverythingWasDone(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		livedIn(t, f)
		modelstest.Must(demo.Fill(t.Context(), f.Store, demo.Options{Password: modelstest.SecretPhrase}))(t)
		modelstest.Want(t, "wrong", len(wrong(t, f.Store)), 0)
		for _, c := range modelstest.Must(upkeep.Verify(t.Context(), f.Store))(t).Checks {
			if c.Looked == 0 {
				t.Errorf("%s looked at nothing", c.Name)
			}
		}
	})
}

func TestEachThingThatIsWrongIsFound(t *testing.T) {
	modelstest.EachAlone(t, func(t *testing.T, f *modelstest.Fixture) {
		abstract, session := livedIn(t, f)
		lone := modelstest.Must(f.Programme().CreateSession(t.Context(),
			models.NewSession{Title: "Lone", IsAbstract: true}))(t)
		breaks := map[string]string{ // by check; $1 is an abstract, $2 its session, $3 another abstract
			"secrets": "UPDATE webhook_endpoints SET sealed_secret = 'AAAA'",
			"numbers": "UPDATE event_counters SET last_abstract = 1 WHERE event_id = (SELECT event_id FROM sessions WHERE id = $1)",
			"labels":  "UPDATE sessions SET friendly_id = 'S-0' WHERE id = $2",
			"scores":  "UPDATE sessions SET score = score + 1 WHERE id = $1",
			"alone":   "UPDATE sessions SET is_alone = (1 = 0) WHERE id = $3",
			"links":   "UPDATE sessions SET description = description || '.' WHERE id = $1",
			"compositions": "UPDATE sessions SET composed_into = $3 WHERE id = (SELECT max(id) FROM sessions WHERE " +
				"is_abstract AND composed_into IS NULL AND id <> $3)",
			"sessions":        "UPDATE sessions SET search = search || '?' WHERE id = $3",
			"contacts":        "UPDATE contacts SET name_key = 'somebody' WHERE id = (SELECT min(id) FROM contacts)",
			"folded":          "UPDATE users SET email_key = 'somebody' WHERE email_key LIKE 'rob@%'",
			"rounds":          "UPDATE webhook_deliveries SET round_result = 'delivered' WHERE round_result = 'rejected'",
			"lines":           "UPDATE deliveries_due SET resource_id = $3 WHERE seq = (SELECT max(seq) FROM deliveries_due)",
			"second factors":  "UPDATE users SET totp_confirmed_at = created_at WHERE email_key LIKE 'rea@%'",
			"identities":      "UPDATE identities SET user_id = (SELECT min(id) FROM users WHERE id <> identities.user_id)",
			"passkeys":        "UPDATE users SET passkeys = 1 WHERE email_key LIKE 'rea@%'",
			"foreign keys":    "DELETE FROM contacts WHERE email_key = 'oest@example.org'",
			"calendars":       "UPDATE calendar_entries SET title = 'Another'",
			"batches":         "UPDATE batches SET succeeded = succeeded + 1",
			"proposals":       "UPDATE proposals SET contact_id = 'nobody'",
			"call questions":  "UPDATE call_parts SET event_id = (SELECT max(id) FROM events e WHERE e.id <> call_parts.event_id)",
			"participations":  "UPDATE participations SET contact_id = 'nobody'",
			"co-speakers":     "UPDATE co_speakers SET contact_id = 'nobody' WHERE state = 'joined'",
			"places":          "UPDATE speaker_accounts SET contact_id = 'nobody'",
			"ways in":         "UPDATE speaker_accounts SET confirmed_at = created_at, email_key = 'somebody@example.org'",
			"place links":     "UPDATE speaker_links SET contact_id = 'nobody' WHERE contact_id <> ''",
			"extensions":      "UPDATE call_extensions SET contact_id = 'nobody'",
			"looks":           "UPDATE files SET purpose = 'picture' WHERE purpose = 'logo'",
			"colours":         "UPDATE event_looks SET paper = '#FFFFFF'",
			"speaker answers": "UPDATE call_questions SET asked_of = 'proposal'",
			"answers":         "UPDATE files SET purpose = 'own_field' WHERE purpose = 'answer'",
		}
		breaks["search"] = "UPDATE sessions_search SET words = 'other' WHERE session_id = $2 AND of_title"
		if f.Embedded() {
			breaks["search"] = "INSERT INTO sessions_search (sessions_search, rowid, search) SELECT 'delete', seq, search " +
				"FROM sessions WHERE id = $2"
		}
		db := f.SQL
		db.SetMaxOpenConns(1)
		if !f.Embedded() {
			modelstest.Exec(t, db, "SET session_replication_role = replica") // nothing is checked, no trigger runs
		}
		for _, name := range slices.Sorted(maps.Keys(breaks)) {
			statement := strings.NewReplacer("$1", "'"+abstract.ID+"'", "$2", "'"+session.ID+"'", "$3", "'"+lone.ID+"'").
				Replace(breaks[name])
			if done, err := db.Exec(statement); err != nil {
				t.Fatalf("%s: %v", name, err)
			} else if n, _ := done.RowsAffected(); n == 0 {
				t.Errorf("%s: nothing was broken", name)
			}
		}
		modelstest.Exec(t, db, "UPDATE contact_values SET search = 'grosse'")
		found := wrong(t, f.Store)
		if said := strings.Join(found["answers"], ""); !strings.HasPrefix(said, "the file of slides of ") ||
			!strings.HasSuffix(said, " is one of something else") {
			t.Errorf("answers: %q", said)
		}
		modelstest.Want(t, "folded", len(found["folded"]), 2)
		for _, name := range slices.Sorted(maps.Keys(breaks)) {
			if len(found[name]) == 0 {
				t.Errorf("%s was not found", name)
			}
			delete(found, name)
		}
		modelstest.Want(t, "found as well", len(found), 0)
	})
}

func TestVerifyTellsOfAnotherSchema(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			f := modelstest.OpenAt(t, modelstest.Database(t, dialect))
			modelstest.Exec(t, f.SQL,
				"DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)")
			if found := wrong(t, f.Store); len(found) != 1 || !strings.Contains(fmt.Sprint(found["schema"]), "lectern migrate brings") {
				t.Errorf("found %v", found)
			}
			modelstest.Exec(t, f.SQL, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)")
			if found := wrong(t, f.Store); len(found) != 1 || !strings.Contains(fmt.Sprint(found["schema"]), "9999, of a newer Lectern") {
				t.Errorf("found %v", found)
			}
			if _, err := f.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), "made by a newer Lectern") {
				t.Errorf("migrating: %v", err)
			}
		})
	}
}

func TestVerifyReadsEveryIndexWhereAmcheckIs(t *testing.T) {
	t.Parallel()
	f := modelstest.OpenAt(t, modelstest.Database(t, "postgres"))
	integrity := func() *upkeep.Check {
		checks := modelstest.Must(upkeep.Verify(t.Context(), f.Store))(t).Checks
		return checks[slices.IndexFunc(checks, func(c *upkeep.Check) bool { return c.Name == "integrity" })]
	}
	without := integrity()
	if without.Wrong != 0 || !strings.Contains(without.Note, "CREATE EXTENSION amcheck") {
		t.Errorf("%+v", without)
	}
	modelstest.Exec(t, f.SQL, "CREATE SCHEMA apart; CREATE EXTENSION amcheck SCHEMA apart")
	if with := integrity(); with.Wrong != 0 || with.Note != "" || with.Looked <= without.Looked {
		t.Errorf("%+v", with)
	}
	modelstest.Exec(t, f.SQL, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'sessions_recent'::regclass")
	if broken := integrity(); broken.Wrong == 0 || !strings.Contains(broken.Findings[0], "sessions_recent is not valid") {
		t.Errorf("%+v", broken)
	}
}

func TestWordsThatStrayedAreFoundAndRebuilt(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	var ids []string
	for range 3 {
		ids = append(ids, modelstest.Must(f.Programme().CreateSession(t.Context(),
			models.NewSession{Title: "A session"}))(t).ID)
	}
	modelstest.Exec(t, f.SQL, "DELETE FROM sessions_search WHERE NOT of_title AND session_id = '"+ids[1]+"'")
	modelstest.Exec(t, f.SQL, "UPDATE sessions_search SET words = 'other' WHERE of_title AND session_id = '"+ids[2]+"'")
	found := wrong(t, f.Store)["search"]
	if len(found) != 1 || !strings.HasPrefix(found[0], "2 sessions are found by other words than theirs, the first is "+ids[1]) {
		t.Fatalf("found %q", found)
	}
	_, mending, _ := strings.Cut(found[0], "rebuild the words: ")
	modelstest.Exec(t, f.SQL, mending)
	modelstest.Want(t, "after "+mending, len(wrong(t, f.Store)), 0)
}

// TestAnIndexOfWordsThatWasReadBeforeIsSound has each connection read the index before its pages change.
func TestAnIndexOfWordsThatWasReadBeforeIsSound(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	for range 6 { // each begins pages of its own
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "A session"}))(t)
	}
	var read func(connections int) error
	read = func(connections int) error {
		return f.Store.Snapshot(t.Context(), func(db *gorm.DB) error {
			var n int
			err := db.Raw("SELECT count(*) FROM sessions_search WHERE sessions_search MATCH 'session'").Scan(&n).Error
			if err != nil || connections == 1 {
				return err
			}
			return read(connections - 1)
		})
	}
	modelstest.Fine(t, read(f.Store.Stats().MaxOpenConnections))
	modelstest.Must(f.SQL.Exec("INSERT INTO sessions_search (sessions_search) VALUES ('optimize')"))(t)
	modelstest.WantSound(t, f)
}

func TestFilesThatAreMissingOrOthersAreFound(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, place := t.Context(), f.Options.Files
		keys := modelstest.Photos(t, f, 4)
		if found := wrong(t, f.Store); len(found) > 0 {
			t.Fatalf("%v", found)
		}
		unknown := files.NewKey()
		modelstest.Fine(t, place.Put(ctx, unknown, strings.NewReader("newer")))
		modelstest.Fine(t, place.Delete(ctx, keys[0]))
		modelstest.Fine(t, place.Delete(ctx, keys[1]))
		modelstest.Fine(t, place.Put(ctx, keys[1], strings.NewReader("other bytes")))
		modelstest.Exec(t, f.SQL, "INSERT INTO file_leftovers SELECT key, created_at FROM files WHERE key = '"+keys[2]+"'")
		modelstest.Exec(t, f.SQL, "UPDATE contacts SET photo_url = replace(photo_url, '"+keys[3]+"', '"+unknown+
			"'), photo_key = '"+unknown+"' WHERE photo_key = '"+keys[3]+"'")
		found := wrong(t, f.Store)
		if len(found["files"]) != 2 || len(found["leftovers"]) != 1 || len(found["photos"]) != 1 || len(found) != 3 {
			t.Errorf("%v", found)
		}
		all := strings.Join(found["files"], "\n")
		for _, part := range []string{keys[0] + ") is not there", keys[1] + ") has other bytes"} {
			if !strings.Contains(all, part) {
				t.Errorf("%q is not in %s", part, all)
			}
		}
		v := modelstest.Must(upkeep.Verify(ctx, f.Store))(t)
		for _, c := range v.Checks {
			if c.Name == "files" && (c.Looked != 4 || !strings.Contains(c.Note, "1 more files (5 bytes)")) {
				t.Errorf("%+v", c)
			}
		}
		// What is in use is never swept, whatever the list says.
		modelstest.Exec(t, f.SQL, "UPDATE file_leftovers SET since = '2020-01-01T00:00:00.000Z'")
		modelstest.Must(f.SweepFiles(ctx, 10))(t)
		modelstest.Must(place.Open(ctx, keys[2]))(t)
	})
}

func TestAFileStoreThatIsAwayIsAFinding(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Photos(t, f, 1)
		f.Options.Files = files.NewDisk("/dev/null")
		if found := wrong(t, f.Store); len(found) != 1 || !strings.Contains(found["files"][0], "could not be looked at") {
			t.Errorf("%v", found)
		}
	})
}
