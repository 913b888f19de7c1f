package task

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"lectern/models/files"
	"lectern/models/store"
)

// Archive is the latest files of some deliverables, to be written as a ZIP. What is in it was decided when it was made,
// so nothing of the database is held while somebody downloads it.
type Archive struct {
	tasks *Tasks
	files []archived
	Bytes int64 // of all files, before the archive's own
}

// archived is a file with its path in an archive.
type archived struct {
	path string
	held *Held
}

// Len is how many files are in the archive.
func (a *Archive) Len() int { return len(a.files) }

var errNothing = store.Invalidf("files", "are not there: nobody has handed in anything of what you chose")

// Archive gathers the latest files of what is wanted, in folders by a grouping: only those of some versions, nil for
// all. It answers Invalid when there are none.
func (t *Tasks) Archive(ctx context.Context, w Wanted, only []string, by Grouping) (*Archive, error) {
	b, err := t.Board(ctx)
	if err != nil {
		return nil, err
	}
	held, err := t.Library(ctx, b, w)
	if err != nil {
		return nil, err
	}
	if only != nil {
		held = slices.DeleteFunc(held, func(h *Held) bool { return !slices.Contains(only, h.Version.ID) })
	}
	if len(held) == 0 {
		return nil, errNothing
	}
	a := &Archive{tasks: t}
	for _, h := range held {
		a.Bytes += h.Version.File.Size
		a.files = append(a.files, archived{inPath(b.folder(h, by, t.p.Event())) + "/" + inPath(b.file(h, by, t.p.Event())), h})
	}
	slices.SortStableFunc(a.files, func(x, y archived) int { return cmp.Compare(x.path, y.path) })
	a.apart()
	return a, nil
}

// apart gives paths that several files would have a number each.
func (a *Archive) apart() {
	seen := map[string]int{}
	for i := range a.files {
		f := &a.files[i]
		key := store.Fold(f.path) // as file systems see them
		if seen[key]++; seen[key] > 1 {
			ending := path.Ext(f.path)
			f.path = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(f.path, ending), seen[key], ending)
		}
	}
}

// longestName is how many bytes a name in an archive has at most, as file systems take them.
const longestName = 180

// inPath is a text as the name of one file or folder, on every system.
func inPath(text string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, store.OneLine(text))
	ending := path.Ext(name)
	if len(name) > longestName {
		kept := strings.ToValidUTF8(name[:longestName-min(len(ending), 20)], "")
		name = kept + ending[:min(len(ending), 20)]
	}
	return cmp.Or(strings.Trim(name, ". "), "-")
}

// WriteTo writes the archive: a file at a time, each as it is read, so that memory does not grow with it. Files whose
// bytes are gone by now are named in a text at its end. What is not finished is no archive that opens.
func (a *Archive) WriteTo(ctx context.Context, to io.Writer) error {
	out := zip.NewWriter(to)
	var gone []string
	for _, f := range a.files {
		err := a.copy(ctx, out, f)
		if errors.Is(err, files.ErrMissing) {
			gone = append(gone, f.path)
		} else if err != nil {
			return err
		}
	}
	if len(gone) > 0 {
		w, err := out.Create("Missing files.txt")
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, "These were deleted while the archive was made:\n"+strings.Join(gone, "\n")+"\n"); err != nil {
			return err
		}
	}
	return out.Close()
}

// copy puts a file into the archive, as it is: slides and pictures are compressed already.
func (a *Archive) copy(ctx context.Context, out *zip.Writer, f archived) error {
	content, err := a.tasks.p.Store().OpenFile(ctx, f.held.Version.File)
	if err != nil {
		return err
	}
	defer content.Close()
	w, err := out.CreateHeader(&zip.FileHeader{Name: f.path, Method: zip.Store, Modified: f.held.Version.CreatedAt.Time})
	if err == nil {
		_, err = io.Copy(w, content)
	}
	return err
}
