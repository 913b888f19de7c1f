package modelstest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/store"
)

// Mirror is a client that keeps a copy of what the API shows of an event, by following its changes.
type Mirror struct {
	Limit  int // of a page; 3 when 0, so that commits are split over pages
	rows   map[string]string
	cursor changes.Cursor
}

// Follow applies all changes that there are. It keeps the cursor as text between pages, as clients do.
func (m *Mirror) Follow(ctx context.Context, p *models.Programme) error {
	if m.rows == nil {
		m.rows = map[string]string{}
	}
	for {
		since, err := changes.ParseCursor(m.cursor.String())
		if err != nil {
			return err
		}
		page, err := changes.Of(p).Since(ctx, since, changes.Kinds, max(m.Limit, 3))
		if err != nil {
			return err
		}
		for _, c := range page.Changes {
			name := string(c.Kind) + " " + c.ID
			if delete(m.rows, name); !c.IsDeleted || c.Session != nil {
				m.rows[name] = asText(*c)
			}
		}
		if m.cursor = page.Cursor; !page.IsMore {
			return nil
		}
	}
}

func asText(c changes.Change) string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // cannot happen with our own rows
	}
	return string(text)
}

// WantWhole fails the test unless the mirror has exactly what the API shows.
func (m *Mirror) WantWhole(t testing.TB, p *models.Programme) {
	t.Helper()
	p = Must(p.Anew(t.Context()))(t)
	shown := map[string]string{}
	show := func(c changes.Change) { shown[string(c.Kind)+" "+c.ID] = asText(c) }
	show(changes.Change{Kind: changes.Event, ID: p.Event().ID, Event: p.Event()})
	for i, family := range models.Families {
		for _, row := range allPages(t, func(page store.Page) ([]*models.Metadata, store.Pagination, error) {
			return p.ListMetadata(t.Context(), family, "", page)
		}) {
			show(changes.Change{Kind: []changes.Kind{changes.Track, changes.Room, changes.Tag, changes.Format,
				changes.Level}[i], ID: row.ID, Metadata: row})
		}
	}
	for _, row := range Must(p.Breaks(t.Context(), store.Time{}, store.Time{}))(t) {
		show(changes.Change{Kind: changes.Break, ID: row.ID, Break: row})
	}
	for _, row := range allPages(t, func(page store.Page) ([]*models.Speaker, store.Pagination, error) {
		return p.Speakers(t.Context(), "", page)
	}) {
		show(changes.Change{Kind: changes.Speaker, ID: row.ID, Speaker: Must(p.Speaker(t.Context(), row.ID))(t)})
	}
	for _, row := range allPages(t, func(page store.Page) ([]*models.Session, store.Pagination, error) {
		return p.SearchSessions(t.Context(), models.SessionSearch{Page: page,
			Filter: models.SessionFilter{IncludeDeleted: true}})
	}) {
		show(changes.Change{Kind: changes.Session, ID: row.ID, Session: row, IsDeleted: row.DeletedAt != nil})
	}
	names := slices.Concat(slices.Collect(maps.Keys(shown)), slices.Collect(maps.Keys(m.rows)))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if m.rows[name] != shown[name] {
			t.Fatalf("%s\nis %s\nmirrored %s", name, shown[name], m.rows[name])
		}
	}
}

// allPages returns the rows of all pages of a list.
func allPages[T any](t testing.TB, read func(store.Page) ([]T, store.Pagination, error)) (all []T) {
	t.Helper()
	for number := 1; ; number++ {
		rows, pagination, err := read(store.Page{Number: number, Size: store.MaxPageSize})
		Fine(t, err)
		if all = append(all, rows...); number >= pagination.TotalPages {
			return all
		}
	}
}
