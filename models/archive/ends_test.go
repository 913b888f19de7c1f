package archive_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// ended is the content of an archive that cancels its reader after so many bytes, and counts the bytes that are read
// afterwards.
type ended struct {
	*bytes.Reader
	after        int64
	end          func()
	read, beyond int64
}

func (e *ended) ReadAt(p []byte, off int64) (int, error) {
	if e.read > e.after {
		e.beyond += int64(len(p))
	}
	n, err := e.Reader.ReadAt(p, off)
	if e.read += int64(n); e.read > e.after {
		e.end()
	}
	return n, err
}

// noise returns text that hardly compresses.
func noise(size int) string {
	raw := make([]byte, size/2)
	rand.Read(raw)
	return hex.EncodeToString(raw)
}

// large makes an archive with a large row and a large file.
func large(t *testing.T, f *modelstest.Fixture) []byte {
	t.Helper()
	_, whole := tides(t, f)
	return repacked(t, unpack(t, whole), func(all map[string]string) {
		with(all, noise(1<<20))
		replaced("data/activity.jsonl", `"after":"{`, `"after":"{\"noise\":\"`+noise(1<<20)+`\",`)(all)
	}, nil)
}

// with adds a file to an archive.
func with(all map[string]string, file string) {
	sum, id := sha256.Sum256([]byte(file)), store.NewID()
	all["files/"+id] = file
	all["data/files.jsonl"] += fmt.Sprintf(`{"id":%q,"organization_id":%q,"purpose":"own_field","key":%q,"name":"a.pdf",`+
		`"media_type":"application/pdf","size":%d,"sha256":%q,"width":null,"height":null,"uploaded_by":"",`+
		`"uploaded_by_name":"","unused_since":null,"created_at":"2026-10-24T09:30:00.000Z"}`+"\n",
		id, store.NewID(), files.NewKey(), len(file), hex.EncodeToString(sum[:]))
}

// TestReadingAnArchiveEndsWithWhoeverWantsIt cancels the reader at four places of the archive, also within parts.
func TestReadingAnArchiveEndsWithWhoeverWantsIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		whole := large(t, f)
		as := archive.Arrival{Slug: "tides"}
		for what, read := range map[string]func(context.Context, *archive.Archive, *models.Store) error{
			"checking": func(ctx context.Context, a *archive.Archive, _ *models.Store) error { return a.Verify(ctx) },
			"looking": func(ctx context.Context, a *archive.Archive, s *models.Store) error {
				return modelstest.ErrorOf(a.Look(ctx, s, as))
			},
			"bringing": func(ctx context.Context, a *archive.Archive, s *models.Store) error {
				return modelstest.ErrorOf(a.Import(ctx, s, modelstest.Tester, as))
			},
		} {
			until := func(db *modelstest.Fixture, after int64) (*ended, error) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				from := &ended{Reader: bytes.NewReader(whole), after: math.MaxInt64, end: cancel}
				a := modelstest.Must(archive.Open(from, int64(len(whole)), math.MaxInt64))(t)
				from.after, from.read = after, 0
				return from, read(ctx, a, db.Store)
			}
			all := modelstest.Must(until(modelstest.Open(t, f.Dialect()), math.MaxInt64))(t)
			db := modelstest.Open(t, f.Dialect())
			for fifth := range int64(4) {
				from, err := until(db, all.read/5*(fifth+1))
				if err == nil || store.KindOf(err) == store.Invalid || from.beyond > 128<<10 {
					t.Errorf("%s, ended after %d fifths: %d bytes more, %v", what, fifth+1, from.beyond, err)
				}
			}
		}
	})
}

// TestWritingAnArchiveEndsWithWhoeverWantsIt likewise.
func TestWritingAnArchiveEndsWithWhoeverWantsIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		whole := large(t, f)
		arrived := modelstest.Must(bring(t, f.Store, whole, archive.Arrival{Slug: "again"}))(t)
		taken := modelstest.Must(archive.Take(t.Context(), f.Store.Programme(arrived.Event, modelstest.Tester)))(t)
		defer taken.Close()
		for after := range int64(3) {
			ctx, cancel := context.WithCancel(t.Context())
			to := &writing{after: after << 19, end: cancel}
			if err := taken.WriteTo(ctx, to); err != context.Canceled || to.beyond > 0 {
				t.Errorf("ended after %d halves of an MB: %d bytes more, %v", after, to.beyond, err)
			}
			cancel()
		}
	})
}

type writing struct {
	after, written, beyond int64
	end                    func()
}

func (w *writing) Write(p []byte) (int, error) {
	if w.written > w.after {
		w.beyond += int64(len(p))
	}
	if w.written += int64(len(p)); w.written > w.after {
		w.end()
	}
	return len(p), nil
}

// TestRowsThatAreLargeTakeLittleMemory reads a crafted archive with as many large rows as compression can hide.
func TestRowsThatAreLargeTakeLittleMemory(t *testing.T) {
	f := modelstest.Open(t, "sqlite") // the rows are read before any database sees them
	_, whole := tides(t, f)
	was := unpack(t, whole)
	rows := func(n, size int) []byte {
		return repacked(t, was, func(all map[string]string) {
			line, _, _ := strings.Cut(all["data/activity.jsonl"], "\n")
			long := strings.Repeat(noise(1<<14), size>>14)
			line = strings.Replace(line, `"after":"{`, `"after":"{\"noise\":\"`+long+`\",`, 1) + "\n"
			all["data/activity.jsonl"] = strings.Repeat(line, n)
		}, nil)
	}
	look := func(sent []byte) error {
		a := modelstest.Must(archive.Open(bytes.NewReader(sent), int64(len(sent)), math.MaxInt64))(t)
		return modelstest.ErrorOf(a.Look(t.Context(), f.Store, archive.Arrival{Slug: "tides"}))
	}
	sent := rows(12, 4<<20)
	most := peak(func() { modelstest.Fine(t, look(sent)) })
	if most > 36<<20 {
		t.Errorf("48 MB of rows took %d MB", most>>20)
	}
	if err := look(rows(1, 17<<20)); store.KindOf(err) != store.Invalid ||
		!strings.Contains(err.Error(), `Line 1 of "data/activity.jsonl" has more than 16 MB`) {
		t.Error(err)
	}
}

// TestWritingAnArchiveTakesLittleMemory writes an event with 32 MB of rows and a file of 8 MB.
func TestWritingAnArchiveTakesLittleMemory(t *testing.T) {
	for _, dialect := range modelstest.Engines() { // nothing runs beside
		t.Run(dialect, func(t *testing.T) {
			f := modelstest.Open(t, dialect)
			small, _ := tides(t, f)
			p := small.programme(small.event)
			long := strings.Repeat(noise(1<<12), 16)
			modelstest.Fine(t, p.Write(t.Context(), func(tx *store.Tx) error {
				for range 512 {
					line := store.Change{Subject: "event", ID: small.event.ID, Action: "updated", After: map[string]any{"noise": long}}
					if err := p.Record(tx, line); err != nil {
						return err
					}
				}
				return nil
			}))
			file := modelstest.Must(f.Store.StoreBytes(t.Context(), modelstest.Tester, "a.jpg",
				strings.NewReader(noise(8<<20))))(t)
			file.Purpose = models.PhotoFile
			modelstest.Fine(t, p.Write(t.Context(), func(tx *store.Tx) error {
				if err := models.KeepFile(tx, small.event.OrganizationID, file); err != nil {
					return err
				}
				return tx.Exec("UPDATE contacts SET photo_key = ?", file.Key).Error
			}))
			var taken *archive.Taken
			taking := half(func() { taken = modelstest.Must(archive.Take(t.Context(), p))(t) })
			defer taken.Close()
			writing := half(func() { modelstest.Fine(t, taken.WriteTo(t.Context(), io.Discard)) })
			if taken.Bytes() < 8<<20 || taking > 12<<20 || writing > 4<<20 {
				t.Errorf("32 MB of rows and a file in %d MB held %d KB, then %d KB", taken.Bytes()>>20, taking>>10, writing>>10)
			}
		})
	}
}

func TestAManifestThatNamesMillionsIsRefused(t *testing.T) {
	for want, said := range map[string]string{
		"names more than":     strings.Repeat("{},", 10<<20),
		"has more than 32 MB": `{"name":"` + strings.Repeat("x", 33<<20) + `"},`,
	} {
		sent := packed(t, map[string]string{"manifest.json": `{"form":1,"parts":[` + said + `{}]}`})
		var err error
		most := peak(func() { _, err = archive.Open(bytes.NewReader(sent), int64(len(sent)), math.MaxInt64) })
		if store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), want) || most > 150<<20 {
			t.Errorf("%d KB took %d MB: %v", len(sent)>>10, most>>20, err)
		}
	}
}

// peak returns by how much the heap grows at most while a function runs.
func peak(do func()) uint64 {
	grown := growth(do)
	return grown[len(grown)-1]
}

// half returns by how much the heap grows for at least half of the time. What is allocated during a collection counts
// as held, which is much when the cores are busy.
func half(do func()) uint64 {
	grown := growth(do)
	return grown[len(grown)/2]
}

// growth returns samples of the heap's growth while a function runs, sorted.
func growth(do func()) (grown []uint64) {
	before, over := held(), make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			time.Sleep(20 * time.Millisecond)
			grown = append(grown, max(held(), before)-before)
			select {
			case <-over:
				return
			default:
			}
		}
	}()
	do()
	close(over)
	<-ended
	slices.Sort(grown)
	return grown
}

// held returns how many bytes a collection finds in use. What is allocated after it does not count.
func held() uint64 {
	runtime.GC()
	found := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(found)
	return found[0].Value.Uint64()
}

// TestAnArchiveWithoutTheRowOfItsEventIsRefused also looks at such an archive without importing it.
func TestAnArchiveWithoutTheRowOfItsEventIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		_, whole := tides(t, f)
		sent := repacked(t, unpack(t, whole), func(all map[string]string) { all["data/events.jsonl"] = "" }, nil)
		a := modelstest.Must(archive.Open(bytes.NewReader(sent), int64(len(sent)), math.MaxInt64))(t)
		db := modelstest.Open(t, f.Dialect())
		modelstest.Answers(a.Look(t.Context(), db.Store, archive.Arrival{Slug: "tides"}))(t, "looking", store.Invalid)
		_, err := a.Import(t.Context(), db.Store, modelstest.Tester, archive.Arrival{Slug: "tides"})
		if err == nil {
			t.Error("it came in")
		}
	})
}
