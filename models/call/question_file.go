package call

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"lectern/models/store"
)

// FileKind is a kind of file that can answer a question.
type FileKind string

// MaxFileBytes limits a file that answers a question.
const MaxFileBytes = 20 << 20

// fileKind is a kind with its name, and what its files' names end and their bytes begin with.
type fileKind struct {
	FileKind
	Name    string
	Endings []string
	begins  []string
}

const zip = "PK\x03\x04"

// FileKinds are all kinds, in the order in which staff choose from them.
var FileKinds = []fileKind{
	{"pdf", "PDF", []string{".pdf"}, []string{"%PDF-"}},
	{"picture", "Picture (JPEG, PNG, WebP)", []string{".jpg", ".jpeg", ".png", ".webp"},
		[]string{"\xff\xd8\xff", "\x89PNG\r\n", "RIFF"}},
	{"slides", "Slides (PowerPoint, OpenDocument, Keynote)", []string{".pptx", ".odp", ".key"}, []string{zip}},
	{"document", "Document (Word, OpenDocument)", []string{".docx", ".odt"}, []string{zip}},
	{"archive", "ZIP archive", []string{".zip"}, []string{zip}},
}

// kinds returns the kinds of files that a question takes.
func (q *Question) kinds() []fileKind {
	if len(q.FileKinds) == 0 {
		return FileKinds
	}
	return slices.DeleteFunc(slices.Clone(FileKinds), func(k fileKind) bool {
		return !slices.Contains(q.FileKinds,
			k.FileKind)
	})
}

// Kinds returns the kinds of files that q takes.
func (q *Question) Kinds() (all []FileKind) {
	for _, k := range q.kinds() {
		all = append(all, k.FileKind)
	}
	return all
}

// Endings returns the endings of the names of files that answer q, each with its dot.
func (q *Question) Endings() (all []string) {
	for _, k := range q.kinds() {
		all = append(all, k.Endings...)
	}
	return all
}

// Bytes returns the largest size of a file that answers q.
func (q *Question) Bytes() int {
	if q.MaxBytes == nil {
		return MaxFileBytes
	}
	return *q.MaxBytes
}

// TakenWords returns in words which files q takes: "PDF or ZIP archive, up to 10 MB".
func (q *Question) TakenWords() string {
	names := store.Map(q.kinds(), func(k fileKind) string { return k.Name })
	last := len(names) - 1
	words := strings.Join(names[:last], ", ")
	if last > 0 {
		words += " or "
	}
	return words + names[last] + ", up to " + size(q.Bytes())
}

// Takes answers Invalid, by the question's key, for a file that cannot answer it: of another kind, by its name and its
// first bytes (16 are enough), empty or too large.
func (q *Question) Takes(name string, bytesLong int64, head []byte) error {
	ending := strings.ToLower(path.Ext(name))
	fits := func(k fileKind) bool {
		return slices.Contains(k.Endings, ending) && slices.ContainsFunc(k.begins, func(begin string) bool {
			return bytes.HasPrefix(head, []byte(begin))
		})
	}
	switch {
	case bytesLong == 0:
		return store.Invalidf(q.Key, "is an empty file. Choose another")
	case bytesLong > int64(q.Bytes()):
		return store.Invalidf(q.Key, "is larger than %s. Make it smaller and choose it again", size(q.Bytes()))
	case !slices.Contains(q.Endings(), ending):
		return store.Invalidf(q.Key, "must be one of these: %s", strings.Join(q.Endings(), " "))
	case !slices.ContainsFunc(q.kinds(), fits):
		return store.Invalidf(q.Key, "is called %s, but its content is something else. Choose another", ending)
	}
	return nil
}
