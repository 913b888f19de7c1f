package models

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// seen keeps, in memory, when keys were last used, logins last seen and who was
// refused, until KeepSeen writes it down: a read never waits for a write.
type seen struct {
	mu     sync.Mutex
	keys   map[string]Time // by the key's id
	logins map[string]Time
	access []*Activity
}

// seenSize is how many keys, and how many logins, are kept at most; beyond it
// nothing new is, until the next writing.
const seenSize = 10_000

// note keeps that id was seen now, to the minute, if before is an earlier one.
func (s *seen) note(of *map[string]Time, id string, before *Time, now Time) {
	if before != nil && now.Sub(before.Time) < time.Minute {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if *of == nil {
		*of = map[string]Time{}
	}
	if _, there := (*of)[id]; there || len(*of) < seenSize {
		(*of)[id] = At(now.Truncate(time.Minute))
	}
}

// keep keeps a line of activity, if there is room.
func (s *seen) keep(line *Activity) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.access) < seenSize {
		s.access = append(s.access, line)
	}
}

// KeepSeen writes down when keys were last used and from where, logins last seen
// and who was refused, as noted since the last time. What could not be written is
// kept for the next.
func (s *Store) KeepSeen(ctx context.Context) error {
	if err := s.keepKeyUses(ctx); err != nil {
		return err
	}
	s.seen.mu.Lock()
	keys, logins, access := s.seen.keys, s.seen.logins, s.seen.access
	s.seen.keys, s.seen.logins, s.seen.access = nil, nil, nil
	s.seen.mu.Unlock()
	err := s.keepSeen(ctx, "api_keys", "last_used_at", keys)
	if err == nil {
		keys = nil
		err = s.keepSeen(ctx, "logins", "last_seen_at", logins)
	}
	if err == nil {
		logins = nil
		err = s.keepAccess(ctx, access)
	}
	if err != nil {
		s.seen.mu.Lock()
		defer s.seen.mu.Unlock()
		s.seen.keys, s.seen.logins = later(keys, s.seen.keys), later(logins, s.seen.logins)
		s.seen.access = append(access, s.seen.access...)
	}
	return err
}

// keepSeen writes instants that are later than what stands in column.
func (s *Store) keepSeen(ctx context.Context, table, column string, at map[string]Time) error {
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(at)), 500) {
		err := s.write(ctx, func(tx *Tx) error {
			for _, id := range ids {
				if err := tx.Exec("UPDATE "+table+" SET "+column+" = ? WHERE id = ? AND ("+column+" IS NULL OR "+column+" < ?)",
					at[id], id, at[id]).Error; err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// later is what either of two knows, the later instant where both do.
func later(a, b map[string]Time) map[string]Time {
	out := maps.Clone(a)
	for id, at := range b {
		if out == nil {
			out = map[string]Time{}
		}
		if cmp.Compare(out[id].UnixMilli(), at.UnixMilli()) < 0 {
			out[id] = at
		}
	}
	return out
}

// keepAccess writes lines of activity. One of nobody known belongs to the
// organization of this installation, and to none before there is one.
func (s *Store) keepAccess(ctx context.Context, lines []*Activity) error {
	if len(lines) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *Tx) error {
		var here []string
		err := tx.Model(&Organization{}).Order("created_at, id").Limit(1).Pluck("id", &here).Error
		if err != nil || len(here) == 0 {
			return err
		}
		for _, line := range lines {
			line.OrganizationID = cmp.Or(line.OrganizationID, here[0])
		}
		return tx.CreateInBatches(lines, 100).Error
	})
}
