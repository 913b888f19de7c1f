package tasks

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

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// LatestFile is the latest file of a deliverable, with the time and room of its session.
type LatestFile struct {
	*Deliverable
	Version  *Version
	StartsAt *store.Time
	Room     string
}

// Library returns the latest files of the wanted deliverables of a board, in the board's order.
func (t *Tasks) Library(ctx context.Context, b *Board, w Wanted) ([]*LatestFile, error) {
	latest, err := t.latest(ctx, "")
	if err != nil {
		return nil, err
	}
	var all []*LatestFile
	for _, d := range b.Only(w) {
		if v := latest[[2]string{d.TaskID, d.OwnerID()}]; v != nil && v.File != nil {
			all = append(all, &LatestFile{Deliverable: d, Version: v})
		}
	}
	return all, t.fillPlaces(ctx, all)
}

// fillPlaces adds when and where the sessions take place: their own, or those of the session they are part of.
func (t *Tasks) fillPlaces(ctx context.Context, all []*LatestFile) error {
	type place struct {
		ID       string
		StartsAt *store.Time
		Room     string
	}
	var rows []place
	err := t.p.Read(ctx).Raw(`SELECT s.id, coalesce(x.starts_at, s.starts_at) AS starts_at, coalesce(r.name, '') AS room
		FROM sessions s LEFT JOIN sessions x ON x.event_id = s.event_id AND x.id = s.composed_into AND x.deleted_at IS NULL
		LEFT JOIN metadata r ON r.id = coalesce(x.room_id, s.room_id)
		WHERE s.event_id = ? AND s.id IN (SELECT session_id FROM deliverable_versions WHERE event_id = ?)`,
		t.p.Event().ID, t.p.Event().ID).Scan(&rows).Error
	places := store.ByKey(rows, func(r place) string { return r.ID })
	for _, h := range all {
		at := places[h.OwnerID()]
		h.StartsAt, h.Room = at.StartsAt, at.Room
	}
	return err
}

// Grouping says what the folders of an archive stand for.
type Grouping string

const (
	ByTask    Grouping = "task"
	ByDay     Grouping = "day"
	ByRoom    Grouping = "room"
	BySession Grouping = "session"
	ByPerson  Grouping = "person"
)

// Groupings are all of them, in the order of the form.
var Groupings = []Grouping{ByTask, ByDay, ByRoom, BySession, ByPerson}

// folder returns the name of a file's folder in an archive.
func (b *Board) folder(h *LatestFile, by Grouping, event *models.Event) string {
	switch by {
	case ByDay:
		if h.StartsAt == nil {
			return "Without a time"
		}
		return h.StartsAt.In(event.Location()).Format("2006-01-02")
	case ByRoom:
		return cmp.Or(h.Room, "Without a room")
	case BySession:
		if h.SessionID == nil {
			return "Of people"
		}
		return b.Sessions[*h.SessionID].FriendlyID + " " + b.Owner(h.Deliverable)
	case ByPerson:
		if names := b.Names(h.Deliverable); len(names) > 0 {
			return names[0]
		}
		return "Of nobody"
	}
	return h.Task.Title
}

// file returns a file's name in an archive: session or person, task, then its own name.
func (b *Board) file(h *LatestFile, by Grouping, event *models.Event) string {
	name := b.Owner(h.Deliverable)
	if h.SessionID != nil {
		name = b.Sessions[*h.SessionID].FriendlyID + " " + name
		if h.StartsAt != nil && (by == ByDay || by == ByRoom) {
			name = h.StartsAt.In(event.Location()).Format("0102 1504") + " " + name
		}
	}
	if by != ByTask {
		name += " - " + h.Task.Title
	}
	return name + " - " + h.Version.File.Name
}

// Archive is the latest files of some deliverables, to be written as a ZIP. Its content is fixed when it is made, so no
// transaction is open during a download.
type Archive struct {
	tasks *Tasks
	files []archived
	Bytes int64 // sum of the files' sizes
}

// archived is a file with its path in an archive.
type archived struct {
	path string
	held *LatestFile
}

// Len returns how many files are in the archive.
func (a *Archive) Len() int { return len(a.files) }

var errNothing = store.Invalidf("files", "are not there: nobody has handed in anything of what you chose")

// Archive gathers the latest files of the wanted deliverables, in folders by a grouping; only the versions with the
// given ids, nil for all. It answers Invalid when there are none.
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
		held = slices.DeleteFunc(held, func(h *LatestFile) bool { return !slices.Contains(only, h.Version.ID) })
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

// apart adds a number to paths that occur more than once.
func (a *Archive) apart() {
	seen := map[string]int{}
	for i := range a.files {
		f := &a.files[i]
		key := store.Fold(f.path) // file systems may ignore case
		if seen[key]++; seen[key] > 1 {
			ending := path.Ext(f.path)
			f.path = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(f.path, ending), seen[key], ending)
		}
	}
}

// longestName is how many bytes a name in an archive may have, so that file systems accept it.
const longestName = 180

// inPath returns a text as a name that every file system accepts.
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

// WriteTo streams the archive, file by file, so that memory does not grow with it. Files whose bytes are missing are
// listed in a text at the end. If it fails, what was written does not open as an archive.
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

// copy adds a file uncompressed: slides and pictures are compressed already.
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
