package store

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// LastSeen keeps in memory when rows of a table were last seen, until Keep writes it: a read never waits for a write.
type LastSeen struct {
	Table, Column string
	mu            sync.Mutex
	at            map[string]Time // by the row's id
}

// SeenSize is how many rows are kept at most; further ones are dropped until the next writing.
const SeenSize = 10_000

// Note records that id was seen now, to the minute, unless before is less than a minute ago.
func (s *LastSeen) Note(id string, before *Time, now Time) {
	if before != nil && now.Sub(before.Time) < time.Minute {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil {
		s.at = map[string]Time{}
	}
	if _, there := s.at[id]; there || len(s.at) < SeenSize {
		s.at[id] = At(now.Truncate(time.Minute))
	}
}

// Keep writes what was noted since the last time, where it is later than the value in the row. What could not be
// written is kept for the next time.
func (s *LastSeen) Keep(ctx context.Context, ground *Store) error {
	s.mu.Lock()
	at := s.at
	s.at = nil
	s.mu.Unlock()
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(at)), 500) {
		err := ground.Write(ctx, func(tx *Tx) error {
			for _, id := range ids {
				if err := tx.Exec("UPDATE "+s.Table+" SET "+s.Column+" = ? WHERE id = ? AND ("+s.Column+" IS NULL OR "+
					s.Column+" < ?)", at[id], id, at[id]).Error; err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			maps.Copy(at, s.at) // noted since, and therefore later
			s.at = at
			return err
		}
	}
	return nil
}
