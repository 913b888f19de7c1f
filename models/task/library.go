package task

import (
	"cmp"
	"context"

	"lectern/models"
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
	var rows []struct {
		ID       string
		StartsAt *store.Time
		Room     string
	}
	err := t.p.Read(ctx).Raw(`SELECT s.id, coalesce(x.starts_at, s.starts_at) AS starts_at, coalesce(r.name, '') AS room
		FROM sessions s LEFT JOIN sessions x ON x.event_id = s.event_id AND x.id = s.composed_into AND x.deleted_at IS NULL
		LEFT JOIN metadata r ON r.id = coalesce(x.room_id, s.room_id)
		WHERE s.event_id = ? AND s.id IN (SELECT session_id FROM deliverable_versions WHERE event_id = ?)`,
		t.p.Event().ID, t.p.Event().ID).Scan(&rows).Error
	places := map[string]int{}
	for i, row := range rows {
		places[row.ID] = i
	}
	for _, h := range all {
		if i, found := places[h.OwnerID()]; found {
			h.StartsAt, h.Room = rows[i].StartsAt, rows[i].Room
		}
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
