package public

import (
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Material is a file or a link that was handed in for a task, and that staff approved and show.
type Material struct {
	ID        string // of the version, part of its address
	Title     string // of the task, such as Slides
	URL       string // of a link, "" for a file
	FileID    string // "" for a link
	Ending    string // extension of the file's name, with its dot
	Size      int64  // of the file, in bytes
	UpdatedAt store.Time
}

// materials reads what is shown of the tasks of public sessions and their parts. It reads all of them, because a change
// of a task changes no session.
func (r *reading) materials() part {
	type row struct {
		sessionID, name string
		Material
	}
	var rows []*row
	query := r.db.Raw(`SELECT s.id, v.id, t.title, v.url, coalesce(f.id, ''), coalesce(f.name, ''), coalesce(f.size, 0), d.state_at
		FROM deliverables d JOIN tasks t ON t.id = d.task_id AND t.is_public
		JOIN sessions x ON x.event_id = d.event_id AND x.id = d.session_id AND x.deleted_at IS NULL AND x.status = 'accepted'
		JOIN sessions s ON s.event_id = x.event_id AND s.id = coalesce(x.composed_into, x.id)
		JOIN deliverable_versions v ON v.task_id = d.task_id AND v.session_id = d.session_id
			AND NOT EXISTS (SELECT 1 FROM deliverable_versions n WHERE n.task_id = v.task_id AND n.session_id = v.session_id
				AND (n.is_chosen, n.created_at, n.id) > (v.is_chosen, v.created_at, v.id))
		LEFT JOIN files f ON f.id = v.file_id
		WHERE d.event_id = ? AND d.state = 'approved' AND `+ofShown+` ORDER BY t.position, t.id, x.part_order, x.id`, r.p.Event().ID)
	targets := func() []any {
		x := &row{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.ID, &x.Title, &x.URL, &x.FileID, &x.name, &x.Size, &x.UpdatedAt}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		of := map[string][]Material{}
		for _, x := range rows {
			x.Ending = models.EndingOf(x.name)
			of[x.sessionID] = append(of[x.sessionID], x.Material)
		}
		for _, all := range [][]*Session{r.a.Sessions, r.a.Unplaced} {
			for i, s := range all {
				if !slices.Equal(s.Materials, of[s.ID]) {
					other := *s // the last agenda shares this session
					other.Materials = of[s.ID]
					all[i], r.sessions[s.ID] = &other, &other
				}
			}
		}
	}}
}
