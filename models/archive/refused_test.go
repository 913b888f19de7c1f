package archive_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/modelstest"
	"lectern/models/setup"
	"lectern/models/staff"
	"lectern/models/store"
)

// repacked returns an archive with other files; its manifest describes them unless told replaces the description.
func repacked(t *testing.T, was map[string]string, change func(map[string]string), told func(*archive.Manifest)) []byte {
	t.Helper()
	all := maps.Clone(was)
	change(all)
	var m archive.Manifest
	modelstest.Fine(t, json.Unmarshal([]byte(all["manifest.json"]), &m))
	m.Parts = nil
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name != "manifest.json" {
			sum := sha256.Sum256([]byte(all[name]))
			m.Parts = append(m.Parts, &archive.Part{Name: name, Bytes: int64(len(all[name])), SHA256: hex.EncodeToString(sum[:])})
		}
	}
	if told != nil {
		told(&m)
	}
	all["manifest.json"] = string(modelstest.Must(json.Marshal(m))(t))
	return packed(t, all)
}

// packed returns a ZIP of files.
func packed(t *testing.T, all map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		entry := modelstest.Must(w.Create(name))(t)
		modelstest.Must(entry.Write([]byte(all[name])))(t)
	}
	modelstest.Fine(t, w.Close())
	return out.Bytes()
}

// replaced replaces words in a part.
func replaced(name, old, with string) func(map[string]string) {
	return func(all map[string]string) { all[name] = strings.Replace(all[name], old, with, 1) }
}

func same(map[string]string) {}

// tides returns an archive of a small event with a session and a speaker.
func tides(t *testing.T, f *modelstest.Fixture) (*small, []byte) {
	t.Helper()
	s := smallEvent(t, f)
	p := s.programme(s.event)
	session := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Tides",
		SessionInput: models.SessionInput{Description: new("<p>Rise</p>")}}))(t)
	f.Speaker(t, s.event, session.ID, models.NewContact{FirstName: "Ana", Email: "ana@example.org",
		WebsiteURL: "https://ana.example"})
	return s, take(t, p)
}

func TestWhatIsNoWholeArchiveIsRefusedAndLeavesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, whole := tides(t, f)
		was, db := unpack(t, whole), modelstest.Open(t, f.Dialect())
		before := modelstest.Dump(t, db)
		again := func(change func(map[string]string)) []byte { return repacked(t, was, change, nil) }
		for want, sent := range map[string][]byte{
			"it is cut off":             whole[:len(whole)/2],
			"no archive of an event":    []byte("PK\x03\x04 not one"),
			"it has no manifest.json":   packed(t, map[string]string{"a.txt": "a"}),
			"cannot be read":            packed(t, map[string]string{"manifest.json": "{"}),
			"does not say of which":     packed(t, map[string]string{"manifest.json": `{"form": 1}`}),
			"comes from a newer":        repacked(t, was, same, func(m *archive.Manifest) { m.Form++ }),
			"Update this one first":     repacked(t, was, same, func(m *archive.Manifest) { m.Schema += 1000 }),
			"is missing":                repacked(t, was, same, func(m *archive.Manifest) { m.Parts = append(m.Parts, &archive.Part{Name: "x"}) }),
			"names a part that is none": repacked(t, was, same, func(m *archive.Manifest) { m.Parts = append(m.Parts, nil) }),
			"does not name":             repacked(t, was, same, func(m *archive.Manifest) { m.Parts = m.Parts[1:] }),
			"is not what its manifest":  repacked(t, was, same, func(m *archive.Manifest) { m.Parts[0].SHA256 = "" }),
			"has another size":          repacked(t, was, same, func(m *archive.Manifest) { m.Parts[0].Bytes++ }),
			"this Lectern does not know": again(func(all map[string]string) {
				all["../../etc/passwd"] = "root"
			}),
			"packed so tightly": again(func(all map[string]string) {
				all["data/sessions.jsonl"] = strings.Repeat(" ", 8<<20)
			}),
			"is no row of this table": again(replaced("data/sessions.jsonl", "Tides", `Ti"des`)),
			"is no column of it":      again(replaced("data/sessions.jsonl", `"title"`, `"titel"`)),
			"must be a text":          again(replaced("data/sessions.jsonl", `"title":"Tides"`, `"title":3`)),
			"must not be null":        again(replaced("data/sessions.jsonl", `"title":"Tides"`, `"title":null`)),
			"must be a moment":        again(replaced("data/sessions.jsonl", `"created_at":"`, `"created_at":"x`)),
			"an address that is none": again(replaced("data/contacts.jsonl", "https://ana.example", "javascript:alert(1)")),
			"a colour that is none":   again(replaced("data/metadata.jsonl", `"color":"#`, `"color":"red;#`)),
			"do not fit":              again(replaced("data/sessions.jsonl", `"status":"`, `"status":"lost`)),
			"must be a date":          again(replaced("data/events.jsonl", "2026-10-24", "soon")),
			"the name of a time zone": again(replaced("data/events.jsonl", "Europe/Brussels", "Mars")),
		} {
			_, err := bring(t, db.Store, sent, archive.Arrival{Slug: "tides"})
			if store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q: %v", want, err)
			}
		}
		after := modelstest.Dump(t, db)
		for table, rows := range after {
			if table != "file_leftovers" && !slices.Equal(rows, before[table]) {
				t.Errorf("%s has %d rows, then %d", table, len(before[table]), len(rows))
			}
		}
		modelstest.Answers(bring(t, db.Store, again(same), archive.Arrival{Slug: "tides"}))(t, "as it was", 0)
	})
}

func TestAnArchiveWritesToItsOwnEventAndPeopleAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, whole := tides(t, f)
		was, db := unpack(t, whole), modelstest.Open(t, f.Dialect())
		var m archive.Manifest
		modelstest.Fine(t, json.Unmarshal([]byte(was["manifest.json"]), &m))
		victim := modelstest.Contact(t, db.Programme(), "Bo", "bo@example.org")
		alias := `{"organization_id":"` + m.Organization.ID + `","contact_id":"` + victim.ID +
			`","email":"evil@example.org","email_key":"evil@example.org","opens":true,"created_at":"2026-10-24T09:30:00.000Z"}`
		for name, change := range map[string]func(map[string]string){
			"a session of another event": replaced("data/sessions.jsonl", m.Event.ID, db.Event.ID),
			"another event":              replaced("data/events.jsonl", m.Event.ID, store.NewID()),
			"a way to somebody here":     func(all map[string]string) { all["data/contact_aliases.jsonl"] = alias + "\n" },
			"a line of the server's log": replaced("data/activity.jsonl", `"subject":"session"`, `"subject":"user"`),
		} {
			before := modelstest.Dump(t, db)
			_, err := bring(t, db.Store, repacked(t, was, change, nil), archive.Arrival{Slug: "tides"})
			if store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), "not of its event") &&
				!strings.Contains(err.Error(), "log of a server") {
				t.Errorf("%s: %v", name, err)
			}
			after := modelstest.Dump(t, db)
			delete(before, "file_leftovers")
			for table := range before {
				modelstest.WantAll(t, name+": "+table+" changed", after[table], before[table])
			}
		}
		forged := replaced("data/contacts.jsonl", `"email_key":"ana@example.org"`, `"email_key":"boss@example.org"`)
		modelstest.Must(bring(t, db.Store, repacked(t, was, forged, nil), archive.Arrival{Slug: "tides"}))(t)
		var key string
		modelstest.Fine(t, db.SQL.QueryRow("SELECT email_key FROM contacts WHERE email = 'ana@example.org'").Scan(&key))
		modelstest.Want(t, "she is found by", key, "ana@example.org")
	})
}

func TestWhatComesInIsCleanedAsWhatPeopleWrite(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, whole := tides(t, f)
		bad := repacked(t, unpack(t, whole), replaced("data/sessions.jsonl", "<p>Rise</p>", "<p>Rise<script>alert(1)</script></p>"), nil)
		db := modelstest.Open(t, f.Dialect())
		arrived := modelstest.Must(bring(t, db.Store, bad, archive.Arrival{Slug: "tides"}))(t)
		p := db.Store.Programme(arrived.Event, modelstest.Tester)
		all, _, err := p.SearchSessions(t.Context(), models.SessionSearch{})
		if err != nil || len(all) != 1 || all[0].Description != "<p>Rise</p>" {
			t.Errorf("%v, %v", all, err)
		}
		lines := modelstest.Must(p.Activity(t.Context(), arrived.Event.ID))(t)
		if len(lines) == 0 || lines[0].Action != "brought in" {
			t.Errorf("the activity says %v", lines)
		}
		modelstest.Want(t, "are emitted", len(modelstest.Emitted(t, db)), 0)
	})
}

// TestPartsThatShareTheirBytesAreRefused reads archives whose directory names the same bytes many times, as bombs do,
// and one with many small files that are each within their limit.
func TestPartsThatShareTheirBytesAreRefused(t *testing.T) {
	t.Parallel()
	_, whole := tides(t, modelstest.Open(t, "sqlite")) // what is refused so early no database sees
	for name, sent := range map[string][]byte{"many small ones": crowded(t, whole, 300), "overlapping ones": overlapping(t, whole)} {
		_, err := archive.Open(bytes.NewReader(sent), int64(len(sent)), math.MaxInt64)
		if store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), "packed so tightly") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// crowded returns an archive with more files, each a megabyte that compresses to a kilobyte.
func crowded(t *testing.T, whole []byte, files int) []byte {
	t.Helper()
	one := packed(t, map[string]string{"one": strings.Repeat("x", 1<<20)})
	small := modelstest.Must(zip.NewReader(bytes.NewReader(one), int64(len(one))))(t).File[0]
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, entry := range modelstest.Must(zip.NewReader(bytes.NewReader(whole), int64(len(whole))))(t).File {
		modelstest.Fine(t, w.Copy(entry))
	}
	for range files {
		small.Name = "files/" + store.NewID()
		modelstest.Fine(t, w.Copy(small))
	}
	modelstest.Fine(t, w.Close())
	return out.Bytes()
}

// overlapping returns an archive whose directory lists its largest part many times under other names.
func overlapping(t *testing.T, whole []byte) []byte {
	t.Helper()
	directory := bytes.Index(whole, []byte("PK\x01\x02"))
	end := bytes.LastIndex(whole, []byte("PK\x05\x06"))
	entries := bytes.Split(whole[directory:end], []byte("PK\x01\x02"))[1:]
	var largest []byte
	for _, e := range entries {
		if largest == nil || binary.LittleEndian.Uint32(e[16:]) > binary.LittleEndian.Uint32(largest[16:]) {
			largest = e
		}
	}
	out := bytes.Clone(whole[:end])
	times := len(whole)/int(binary.LittleEndian.Uint32(largest[16:])) + 1
	for i := range times {
		again := bytes.Clone(largest)
		again[42] = byte('a' + i/26%26) // of its name
		again[43] = byte('a' + i%26)
		out = append(append(out, "PK\x01\x02"...), again...)
	}
	tail := bytes.Clone(whole[end:])
	n, size := uint16(len(entries)+times), uint32(len(out)-directory)
	binary.LittleEndian.PutUint16(tail[8:], n)
	binary.LittleEndian.PutUint16(tail[10:], n)
	binary.LittleEndian.PutUint32(tail[12:], size)
	return append(out, tail...)
}

// TestAllOfAnOrganizationHasNoMoreThanItsOwn reads forged archives of all events.
func TestAllOfAnOrganizationHasNoMoreThanItsOwn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, alone := tides(t, f)
		was, db := unpack(t, allOf(t, f.Store, s.event.OrganizationID)), modelstest.Open(t, f.Dialect())
		var m archive.Manifest
		modelstest.Fine(t, json.Unmarshal([]byte(was["manifest.json"]), &m))
		if m.Event != nil || len(m.Events) != 2 {
			t.Fatalf("%+v", m)
		}
		line := `{"id":"` + store.NewID() + `","organization_id":"` + m.Organization.ID + `","event_id":null,`
		segment := line + `"user_id":null,"name":"All","query":"","created_at":"2026-10-24T09:30:00.000Z","updated_at":"2026-10-24T09:30:00.000Z"}`
		server := line + `"subject":"endpoint","subject_id":"x","action":"created"}`
		pair := `{"organization_id":"` + m.Organization.ID + `","first_id":"` + store.NewID() + `","second_id":"` + store.NewID() +
			`","by_name":"x","created_at":"2026-10-24T09:30:00.000Z"}`
		added := func(name, row string) func(map[string]string) {
			return func(all map[string]string) { all[name] += row + "\n" }
		}
		slugs := func(all map[string]string) {
			all["data/events.jsonl"] = strings.NewReplacer(`"slug":"conf"`, `"slug":"a"`, `"slug":"other"`, `"slug":"b"`).
				Replace(all["data/events.jsonl"])
		}
		for want, sent := range map[string][]byte{
			"not of its event": repacked(t, unpack(t, alone), added("data/segments.jsonl", segment), nil),
			"log of a server": repacked(t, was, func(all map[string]string) {
				slugs(all)
				added("data/activity.jsonl", server)(all)
			}, nil),
			"whom it does not have": repacked(t, was, func(all map[string]string) {
				slugs(all)
				added("data/dismissed_pairs.jsonl", pair)(all)
			}, nil),
			"does not say of which": repacked(t, was, slugs, func(m *archive.Manifest) { m.Event = &archive.Named{ID: m.Events[0].ID} }),
		} {
			as := archive.Arrival{}
			if want == "not of its event" {
				as.Slug = "tides"
			}
			before := modelstest.Dump(t, db)
			_, err := bring(t, db.Store, sent, as)
			if store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q: %v", want, err)
			}
			after := modelstest.Dump(t, db)
			delete(before, "file_leftovers")
			for table := range before {
				modelstest.WantAll(t, want+": "+table+" changed", after[table], before[table])
			}
		}
		good := repacked(t, was, func(all map[string]string) {
			slugs(all)
			added("data/segments.jsonl", segment)(all)
		}, nil)
		modelstest.Want(t, "as it may be", len(modelstest.Must(bring(t, db.Store, good, archive.Arrival{}))(t).Events), 2)
	})
}

// TestAnOrganizationWithoutEventsLeavesToo archives an organization with an owner and nothing else.
func TestAnOrganizationWithoutEventsLeavesToo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		db := empty(t, f.Dialect(), f)
		owner := modelstest.Must(setup.Do(t.Context(), db, setup.Input{Organization: "Here", Owner: staff.NewUser{
			Email: "ada@example.org", Name: "Ada", Password: modelstest.SecretPhrase}}))(t)
		whole := allOf(t, db, owner.OrganizationID)
		there := empty(t, f.Dialect(), f)
		arrived, err := bring(t, there, whole, archive.Arrival{})
		if err != nil || len(arrived.Events) != 0 || arrived.Staff != 1 {
			t.Errorf("%+v, %v", arrived, err)
		}
	})
}
