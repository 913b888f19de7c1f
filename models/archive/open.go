package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"lectern/models/files"
	"lectern/models/store"
)

// Archive is an opened archive. Its manifest was checked as far as that is possible without unpacking.
type Archive struct {
	Manifest Manifest
	entries  map[string]*zip.File
}

const (
	maxManifest = 32 << 20 // bytes, enough for 150,000 files
	maxLine     = 16 << 20 // bytes of a row; the largest real ones are proposals with all their answers
	// maxDocument is how many bytes of JSON are decoded into a struct, which may take thirty times as many.
	maxDocument = 4 << 20
	// sparsely is the minimum of a manifest's bytes for each thing that it names, after the first sparse things.
	sparse, sparsely = 1000, 16
	// tightest is the highest compression ratio of rows that is accepted. More means that the file was made to fill a
	// disk.
	tightest = 200
	// loose is how many bytes may have any compression ratio.
	loose = 1 << 20
)

// damaged returns the refusal of a part that cannot be read, or the error of ctx if that ended.
func damaged(ctx context.Context, part string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return refused("The archive is damaged: %q cannot be read: %v.", part, err)
}

func refused(format string, values ...any) error {
	return &store.Error{Kind: store.Invalid, Message: fmt.Sprintf(format, values...)}
}

// Open reads what an archive contains. It answers Invalid, in words for people, for a file that is no archive, is
// truncated, comes from a newer Lectern, or does not match its manifest. schema is that of this database.
func Open(r io.ReaderAt, size, schema int64) (*Archive, error) {
	packed, err := zip.NewReader(r, size)
	if err != nil {
		return nil, refused("This is no archive of an event, or it is cut off: %v.", err)
	}
	a := &Archive{entries: map[string]*zip.File{}}
	var small, large uint64
	for _, entry := range packed.File {
		if a.entries[entry.Name] != nil {
			return nil, refused("The archive has %q twice.", entry.Name)
		}
		a.entries[entry.Name] = entry
		// Sums of sizes that entries claim, capped against overflow.
		small += min(entry.CompressedSize64, math.MaxUint64-small)
		large += min(entry.UncompressedSize64, math.MaxUint64-large)
	}
	if small > uint64(size) || large/tightest > small+loose {
		return nil, refused("The archive is packed so tightly that no Lectern wrote it.")
	}
	if err := a.readManifest(); err != nil {
		return nil, err
	}
	switch m := a.Manifest; {
	case m.Form > Form || m.Schema > schema:
		return nil, refused("The archive comes from a newer Lectern. Update this one first.")
	case m.Form < 1 || !store.IsID(m.Organization.ID) || m.Event != nil && !store.IsID(m.Event.ID) ||
		slices.ContainsFunc(m.Events, func(e Named) bool { return !store.IsID(e.ID) || m.Event != nil }):
		return nil, refused("This is no archive of an event: its manifest does not say of which one.")
	}
	return a, a.checkParts()
}

func (a *Archive) readManifest() error {
	entry := a.entries[manifestName]
	if entry == nil {
		return refused("This is no archive of an event: it has no %s.", manifestName)
	}
	content, err := entry.Open()
	if err != nil {
		return refused("The archive is damaged: %v.", err)
	}
	defer content.Close()
	said, err := io.ReadAll(io.LimitReader(content, maxManifest+1))
	switch {
	case err == nil && len(said) > maxManifest:
		err = fmt.Errorf("it has more than %d MB", maxManifest>>20)
	case err == nil && bytes.Count(said, []byte(",")) > sparse+len(said)/sparsely:
		err = errors.New("it names more than any Lectern has") // and would take many times as much memory
	case err == nil:
		err = json.Unmarshal(said, &a.Manifest)
	}
	if err == nil && slices.Contains(a.Manifest.Parts, nil) {
		err = errors.New("it names a part that is none")
	}
	if err != nil {
		return refused("The archive is damaged: its %s cannot be read: %v.", manifestName, err)
	}
	return nil
}

// checkParts compares the files of an archive with its manifest.
func (a *Archive) checkParts() error {
	listed := map[string]bool{manifestName: true}
	for _, part := range a.Manifest.Parts {
		entry := a.entries[part.Name]
		switch {
		case entry == nil:
			return refused("The archive is not whole: %q is missing.", part.Name)
		case listed[part.Name]:
			return refused("The manifest names %q twice.", part.Name)
		case !isPart(part.Name):
			return refused("The archive has %q, which this Lectern does not know.", part.Name)
		case part.Bytes != int64(entry.UncompressedSize64):
			return refused("The archive was changed: %q has another size than its manifest says.", part.Name)
		case part.Bytes > loose && part.Bytes/tightest > int64(entry.CompressedSize64):
			return refused("%q is packed so tightly that no Lectern wrote it.", part.Name)
		}
		listed[part.Name] = true
	}
	for name := range a.entries {
		if !listed[name] {
			return refused("The archive was changed: its manifest does not name %q.", name)
		}
	}
	for _, t := range tables {
		if a.entries[t.data()] == nil && slices.Contains([]string{"events", "event_counters"}, t.name) {
			return refused("The archive is not whole: %q is missing.", t.data())
		}
	}
	return nil
}

// data returns the name of the part with the rows of the table.
func (t *table) data() string { return dataFolder + t.name + ".jsonl" }

// sheet returns the name of the part for spreadsheets.
func (t *table) sheet() string { return sheetFolder + t.name + ".csv" }

// isPart reports whether a part may have this name. No name is ever used for a file on disk.
func isPart(name string) bool {
	if id, is := strings.CutPrefix(name, filesFolder); is {
		return store.IsID(id)
	}
	return name == readmeName ||
		slices.ContainsFunc(tables, func(t *table) bool { return name == t.data() || name == t.sheet() })
}

// Verify reads the whole archive and answers Invalid for a part that does not match the manifest.
func (a *Archive) Verify(ctx context.Context) error {
	for _, part := range a.Manifest.Parts {
		content, err := a.entries[part.Name].Open()
		if err != nil {
			return damaged(ctx, part.Name, err)
		}
		sum := sha256.New()
		n, err := io.Copy(sum, files.Reader(ctx, io.LimitReader(content, part.Bytes+1)))
		content.Close()
		if err != nil {
			return damaged(ctx, part.Name, err)
		}
		if n != part.Bytes || hex.EncodeToString(sum.Sum(nil)) != part.SHA256 {
			return refused("The archive was changed: %q is not what its manifest says.", part.Name)
		}
	}
	return nil
}
