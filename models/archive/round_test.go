package archive_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/archive"
	"lectern/models/archives"
	"lectern/models/call"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/people"
	"lectern/models/seed"
	"lectern/models/store"
)

// take archives an event into a file.
func take(t *testing.T, p *models.Programme) []byte {
	t.Helper()
	taken := modelstest.Must(archive.Take(t.Context(), p))(t)
	defer taken.Close()
	var out bytes.Buffer
	modelstest.Fine(t, taken.WriteTo(t.Context(), &out))
	return out.Bytes()
}

// bring reads an archive into a database.
func bring(t *testing.T, db *models.Store, whole []byte, as archive.Arrival) (*archive.Arrived, error) {
	t.Helper()
	schema := modelstest.Must(db.SchemaVersion(db.Read(t.Context())))(t)
	opened, err := archive.Open(bytes.NewReader(whole), int64(len(whole)), schema)
	if err != nil {
		return nil, err
	}
	return opened.Import(t.Context(), db, store.By{Door: "import", ActorName: "command line"}, as)
}

// empty returns a Lectern without any data.
func empty(t *testing.T, dialect string, f *modelstest.Fixture) *models.Store {
	t.Helper()
	options := store.Options{BaseURL: modelstest.BaseURL, SecretKey: make([]byte, store.SecretKeySize), PasswordMemory: 64,
		Now: f.Clock.Now, QuickSQLite: true, Files: files.NewDisk(filepath.Join(t.TempDir(), "files")), Log: slog.New(f.Log)}
	db := modelstest.Must(models.Open(t.Context(), modelstest.Database(t, dialect), options))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// unpack returns the files of an archive.
func unpack(t *testing.T, whole []byte) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, entry := range modelstest.Must(zip.NewReader(bytes.NewReader(whole), int64(len(whole))))(t).File {
		content := modelstest.Must(entry.Open())(t)
		all[entry.Name] = string(modelstest.Must(io.ReadAll(content))(t))
		content.Close()
	}
	return all
}

// records returns the rows of a part, sorted, each with its members in one order.
func records(t *testing.T, part string) (rows []string) {
	t.Helper()
	for said := range strings.Lines(part) {
		var one map[string]any
		modelstest.Fine(t, json.Unmarshal([]byte(said), &one))
		if state := one["state"]; state == "queued" && one["due_at"] != nil {
			one["due_at"] = nil // held, so that it is not sent twice
		}
		if one["action"] == "brought in" && one["subject"] == "event" {
			continue // of the arrival itself
		}
		for _, name := range []string{"before", "after"} { // one engine keeps spaces in them, the other has its own
			var facts any
			if said, is := one[name].(string); is && json.Unmarshal([]byte(said), &facts) == nil {
				one[name] = facts
			}
		}
		rows = append(rows, string(modelstest.Must(json.Marshal(one))(t)))
	}
	slices.Sort(rows)
	return rows
}

// TestTheDemonstrationLeavesComesInAndIsCopied shares one demonstration among several tests, because filling it takes
// longest.
func TestTheDemonstrationLeavesComesInAndIsCopied(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		h := open(t, f)
		for _, step := range []struct {
			name string
			test func(t *testing.T, h *house)
		}{
			{"comes in as it went out", comesInAsItWentOut}, {"all events come in", allEventsComeIn},
			{"comes in beside its original", comesInBesideItsOriginal}, {"a copy is as its original", copyIsAsItsOriginal},
		} {
			t.Run(step.name, func(t *testing.T) { step.test(t, h.in(t)) })
		}
	})
}

// allOf archives a whole organization.
func allOf(t *testing.T, db *models.Store, organizationID string) []byte {
	t.Helper()
	taken := modelstest.Must(archive.TakeAll(t.Context(), db, db.Organization(organizationID, modelstest.Tester)))(t)
	defer taken.Close()
	var out bytes.Buffer
	modelstest.Fine(t, taken.WriteTo(t.Context(), &out))
	return out.Bytes()
}

// allEventsComeIn moves the demonstration's organization to an empty Lectern on the other engine; archives of each
// event are the same there.
func allEventsComeIn(t *testing.T, h *house) {
	whole := allOf(t, h.Store, h.event.OrganizationID)
	was := unpack(t, whole)
	for table := range archive.Archived() {
		if was["data/"+table+".jsonl"] == "" {
			t.Errorf("nothing is proven of %s, which has no rows", table)
		}
	}
	var events []*models.Event
	modelstest.Fine(t, h.Read(t.Context()).Order("created_at, id").Find(&events).Error)
	if len(events) < 2 || strings.Count(was["data/events.jsonl"], "\n") != len(events) {
		t.Fatalf("%d events, %s", len(events), was["data/events.jsonl"])
	}
	left := make([]map[string]string, len(events)) // as each leaves by itself
	for i, e := range events {
		left[i] = unpack(t, take(t, h.programme(e)))
		for name, part := range left[i] {
			for row := range strings.Lines(part) {
				if strings.HasPrefix(name, "data/") && !strings.Contains(was[name], row) {
					t.Errorf("all of it lacks a row of %s: %s", name, row)
				}
			}
		}
	}
	modelstest.Want(t, "people", strings.Count(was["data/contacts.jsonl"], "\n"), len(h.rows("contacts", "1 = 1")))
	db := empty(t, h.OtherEngine(), h.Fixture)
	modelstest.Answers(bring(t, db, whole, archive.Arrival{Slug: "other"}))(t, "another slug for several", store.Invalid)
	arrived := modelstest.Must(bring(t, db, whole, archive.Arrival{}))(t)
	if len(arrived.Events) != len(events) || arrived.Event != nil || arrived.Renamed > 0 || arrived.Known > 0 {
		t.Errorf("%+v", arrived)
	}
	organization := arrived.Events[0].OrganizationID
	wentAsItCame(t, was, unpack(t, allOf(t, db, organization)), h.event.OrganizationID, organization)
	for i := range events {
		wentAsItCame(t, left[i], unpack(t, take(t, db.Programme(arrived.Events[i], modelstest.Tester))),
			h.event.OrganizationID, organization)
	}
	modelstest.WantSound(t, &modelstest.Fixture{Store: db})
	if _, err := bring(t, db, whole, archive.Arrival{}); store.KindOf(err) != store.Invalid ||
		!strings.Contains(err.Error(), "taken by another event") {
		t.Errorf("once more: %v", err)
	}
}

// wentAsItCame compares the parts of two archives, without what differs from server to server.
func wentAsItCame(t *testing.T, was, is map[string]string, from, to string) {
	t.Helper()
	for name, part := range was {
		switch {
		case strings.HasPrefix(name, "files/"):
			modelstest.Want(t, name+" has other bytes", is[name], part)
		case !strings.HasPrefix(name, "data/"):
		case name == "data/event_roles.jsonl":
			modelstest.Want(t, "an archive gives rights", is[name], "")
		case name == "data/users.jsonl":
			staffAreNamed(t, was, is)
		default:
			if a, b := records(t, strings.ReplaceAll(part, from, to)), records(t, is[name]); !slices.Equal(a, b) {
				t.Errorf("%s was\n%s\nand is\n%s, %d and %d rows", name, modelstest.FirstOther(a, b),
					modelstest.FirstOther(b, a), len(a), len(b))
			}
		}
	}
}

// staffAreNamed checks that an archive names the staff who did something, and not those who only had a right.
func staffAreNamed(t *testing.T, was, is map[string]string) {
	t.Helper()
	people := records(t, is["data/users.jsonl"])
	for _, row := range records(t, was["data/users.jsonl"]) {
		id, did := anID.FindString(row), false
		for _, name := range []string{"reviews", "review_assignments", "saved_views", "segments", "contact_notes"} {
			did = did || strings.Contains(was["data/"+name+".jsonl"], id)
		}
		if did && !slices.Contains(people, row) {
			t.Errorf("who did something is not there: %s", row)
		}
	}
}

// comesInAsItWentOut moves one event to an empty Lectern on the other engine. Within one engine,
// comesInBesideItsOriginal does the same.
func comesInAsItWentOut(t *testing.T, h *house) {
	whole := take(t, h.programme(h.event))
	was := unpack(t, whole)
	t.Logf("%d bytes, %d files", len(whole), len(was))
	db := empty(t, h.OtherEngine(), h.Fixture)
	arrived := modelstest.Must(bring(t, db, whole, archive.Arrival{}))(t)
	if arrived.Event.ID != h.event.ID || arrived.Renamed > 0 || arrived.Known > 0 || arrived.People == 0 {
		t.Errorf("%+v", arrived)
	}
	p := db.Programme(arrived.Event, modelstest.Tester)
	is := unpack(t, take(t, p))
	wentAsItCame(t, was, is, h.event.OrganizationID, arrived.Event.OrganizationID)
	modelstest.WantSound(t, &modelstest.Fixture{Store: db})
	staffMayDoNothing(t, h, db, arrived)
}

// TestNoSecretLeaves looks for words that name secrets among the columns of an archive.
func TestNoSecretLeaves(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`hash|secret|token|password|sealed|totp|recovery`)
	for table := range archive.Archived() {
		for _, column := range archive.Leaving(table) {
			if secret.MatchString(column) {
				t.Errorf("%s.%s leaves", table, column)
			}
		}
	}
}

func TestTheDocumentNamesEachPart(t *testing.T) {
	t.Parallel()
	said := string(modelstest.Must(os.ReadFile("../../docs/moving-events.md"))(t))
	for table := range archive.Archived() {
		if !strings.Contains(said, "`"+table+"`") {
			t.Errorf("docs/moving-events.md does not say what data/%s.jsonl has", table)
		}
	}
}

func TestSheetsSayWhatIDsAreCalled(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, _ := tides(t, f)
		p := s.programme(s.event)
		all := modelstest.First(p.SearchSessions(t.Context(), models.SessionSearch{}))(t)
		modelstest.Must(p.UpdateSession(t.Context(), all[0].ID,
			models.SessionChange{Title: new("=Tides"), SessionInput: models.SessionInput{TrackID: store.Some(s.track.ID)}}))(t)
		whole := take(t, p)
		sheet := unpack(t, whole)["sheets/sessions.csv"]
		if !strings.Contains(sheet, ",track_id,track,room_id,room,") || !strings.Contains(sheet, s.track.ID+",Systems,") ||
			!strings.Contains(sheet, ",'=Tides,") {
			t.Error(sheet)
		}
		if people := unpack(t, whole)["sheets/participants.csv"]; !strings.Contains(people, ",S-1 =Tides,") ||
			!strings.Contains(people, ",Ana,speaker") {
			t.Error(people)
		}
	})
}

// Somebody typed an address here without proving it. Once an archive brings the person of that address, the stranger
// keeps neither password nor login.
func TestWhoComesInByAnArchiveIsClaimedByNobody(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		first := take(t, f.Programme())
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(f.Programme()).AddPerson(ctx,
			modelstest.Values("first_name", "Known", "email", "known@example.org"))))
		second, db := take(t, f.Programme()), empty(t, f.Dialect(), f)
		event := modelstest.Must(bring(t, db, first, archive.Arrival{}))(t).Event
		mallory := modelstest.Must(db.Programme(event, modelstest.Tester).CreateContact(ctx,
			models.NewContact{FirstName: "Mallory"}))(t)
		var token string
		modelstest.Fine(t, db.Write(ctx, func(tx *store.Tx) error {
			a, err := call.NewAccount(tx, mallory, "known@example.org", "a hash")
			if err != nil {
				return err
			}
			token, _, err = call.MakeLogin(tx, a, call.Browser{})
			return err
		}))
		modelstest.Must(call.LoginBy(ctx, db, token))(t)
		modelstest.Must(bring(t, db, second, archive.Arrival{Name: "Again", Slug: "again"}))(t)
		known := modelstest.Must(models.ContactByEmail(db.Read(ctx), event.OrganizationID, "known@example.org"))(t)
		if known == nil || known.ID == mallory.ID {
			t.Fatal("nobody else has the address that the archive has")
		}
		modelstest.Answers(call.LoginBy(ctx, db, token))(t, "the login of who typed the address", store.Unauthorized)
		var good int64
		modelstest.Fine(t, db.Read(ctx).Table("speaker_accounts").Where("password_hash <> ''").Count(&good).Error)
		modelstest.Want(t, "the password of who typed the address is good still", good, 0)
	})
}

// PostgreSQL plans the check of a foreign key once in a connection. One that was planned for a table with some rows
// looks through all of it for each row that comes.
func TestTheRowsOfALargeArchiveAreCheckedByIndexes(t *testing.T) {
	t.Parallel()
	there, here := modelstest.Open(t, "postgres"), modelstest.Open(t, "postgres")
	ctx := t.Context()
	modelstest.Fine(t, seed.Fill(ctx, there.Programme(), 1100, 600))
	whole := take(t, there.Programme())
	tag := modelstest.RowOf(t, here.Programme(), models.Tags, "Few").ID
	for i := range 40 { // a plan stays once it was made some times
		s := modelstest.Must(here.Programme().CreateSession(ctx, models.NewSession{Title: fmt.Sprint("Few ", i),
			SessionInput: models.SessionInput{TagIDs: &[]string{tag}}}))(t)
		here.Speaker(t, here.Event, s.ID, models.NewContact{FirstName: "Few"})
	}
	scans := map[string]int{}
	modelstest.Must(bring(t, here.Store, whole, archive.Arrival{Slug: "large",
		Within: func(tx *store.Tx, _ *archive.Arrived) error {
			var rows []struct {
				Relname    string
				SeqTupRead int
			}
			err := tx.Raw("SELECT relname, seq_tup_read FROM pg_stat_xact_user_tables WHERE seq_tup_read > 0").Scan(&rows).Error
			for _, r := range rows {
				scans[r.Relname] = r.SeqTupRead
			}
			return err
		}}))(t)
	for _, table := range []string{"sessions", "contacts", "event_contacts"} {
		if scans[table] > 20_000 { // a few looks at all rows
			t.Errorf("%d rows of %s were looked at one after the other", scans[table], table)
		}
	}
}

// structless are the tables that only SQL touches.
var structless = []string{"brought_bytes", "change_numbers", "changes", "changing_contacts", "folding",
	"goose_db_version",
	"sessions_search", "stranger_mails"}

func TestStructsAndSchemasAgree(t *testing.T) {
	structs := maps.Clone(archive.Structs())
	for _, rows := range []map[string]any{apikey.Rows, archives.Rows, moves.Rows} {
		maps.Copy(structs, rows)
	}
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.WantColumns(t, f, structs)
		for table := range modelstest.Columns(t, f) {
			modelstest.Want(t, table+" has no struct", structs[table] == nil, slices.Contains(structless, table))
		}
	})
}
