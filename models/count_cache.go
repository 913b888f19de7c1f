package models

import (
	"context"
	"encoding/json"
	"sync"

	"gorm.io/gorm"
)

// countCache keeps exact counts, the dearest part of a search, for as long as
// the event's sessions stay as they are: the event's row carries a version that
// each transaction on its sessions counts up, and it is read with every key.
type countCache struct {
	mu     sync.Mutex
	counts map[countKey]int64
}

type countKey struct {
	eventID string
	version int64
	filter  string
}

const countCacheSize = 8192

func (c *countCache) get(key countKey) (int64, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, known := c.counts[key]
	return n, known
}

func (c *countCache) put(key countKey, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil || len(c.counts) >= countCacheSize {
		c.counts = make(map[countKey]int64)
	}
	c.counts[key] = n
}

// count returns how many sessions pass the filter.
func (p *Programme) count(ctx context.Context, filtered *gorm.DB, filter *SessionFilter) (int64, error) {
	text, err := json.Marshal(filter)
	if err != nil {
		return 0, err
	}
	key := countKey{p.event.ID, p.event.SessionsVersion, string(text)}
	inside := ctx.Value(txKey{}) != nil // what a transaction sees is nobody else's
	if n, known := p.store.counts.get(key); known && !inside {
		return n, nil
	}
	var n int64
	if err := filtered.Count(&n).Error; err != nil {
		return 0, err
	}
	if !inside {
		p.store.counts.put(key, n)
	}
	return n, nil
}
