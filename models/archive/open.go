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

// Archive is one that was opened: what its manifest says of it holds, as far as that can be seen without unpacking.
type Archive struct {
	Manifest Manifest
	entries  map[string]*zip.File
}

const (
	maxManifest = 32 << 20 // bytes: that of 150,000 files
	maxLine     = 16 << 20 // bytes of a row; the largest of a real one is that of a proposal with all its answers
	// maxDocument is how many bytes of a row a struct is read from, which may take thirty times as many.
	maxDocument = 4 << 20
	// sparsely is how many bytes of a manifest stand for one thing that it names, at least, beside some that are sparse.
	sparse, sparsely = 1000, 16
	// tightest is how many times smaller rows are packed at most. What claims more was made to fill a disk.
	tightest = 200
	// loose is how many bytes may be packed as tightly as they like.
	loose = 1 << 20
)

// damaged is the refusal of a part that cannot be read, unless it is we who read no further.
func damaged(ctx context.Context, part string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return refused("The archive is damaged: %q cannot be read: %v.", part, err)
}

func refused(format string, values ...any) error {
	return &store.Error{Kind: store.Invalid, Message: fmt.Sprintf(format, values...)}
}

// Open reads what an archive is. It answers Invalid, in words for people, for a file that is none, is cut off, comes
// from a newer Lectern, or has other parts than its manifest says. schema is that of the database it is to come into.
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
		// Sums of what an entry claims, which is at most all that there is.
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

// checkParts holds the files of an archive against its manifest.
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

// data is the part of an archive with the rows of a table.
func (t *table) data() string { return dataFolder + t.name + ".jsonl" }

// sheet is the part for spreadsheets.
func (t *table) sheet() string { return sheetFolder + t.name + ".csv" }

// isPart tells of a name that a part may have. No name ever becomes that of a file on a disk.
func isPart(name string) bool {
	if id, is := strings.CutPrefix(name, filesFolder); is {
		return store.IsID(id)
	}
	return name == readmeName ||
		slices.ContainsFunc(tables, func(t *table) bool { return name == t.data() || name == t.sheet() })
}

// Verify reads all of an archive once and answers Invalid for a part that is not as its manifest says.
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
