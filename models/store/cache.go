package store

import (
	"context"
	"reflect"
	"sync"
)

// Cache keeps what was made of rows for as long as they stay as they are: each value is kept by a key and the
// state that it was made of, and found by both. When it is full it forgets all.
type Cache[K, S comparable, V any] struct {
	size int
	mu   sync.Mutex
	kept map[K]keptValue[S, V]
}

type keptValue[S, V any] struct {
	state S
	value V
}

// NewCache returns a cache of at most size values.
func NewCache[K, S comparable, V any](size int) *Cache[K, S, V] {
	return &Cache[K, S, V]{size: size, kept: map[K]keptValue[S, V]{}}
}

// Find returns what is kept of a state. Within a transaction nothing is found: what it sees is nobody else's.
func (c *Cache[K, S, V]) Find(ctx context.Context, key K, state S) (V, bool) {
	if InTransaction(ctx) {
		return *new(V), false
	}
	return c.At(key, state)
}

// At is Find for whoever read the state where they read the rest, which may be within a transaction.
func (c *Cache[K, S, V]) At(key K, state S) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept, known := c.kept[key]; known && kept.state == state {
		return kept.value, true
	}
	return *new(V), false
}

// Last is what is kept of whichever state.
func (c *Cache[K, S, V]) Last(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, known := c.kept[key]
	return kept.value, known
}

// Put keeps a value, in place of one of another state. Within a transaction it keeps nothing.
func (c *Cache[K, S, V]) Put(ctx context.Context, key K, state S, value V) {
	if InTransaction(ctx) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.kept[key]; !known && len(c.kept) >= c.size {
		clear(c.kept)
	}
	c.kept[key] = keptValue[S, V]{state, value}
}

// Get returns what is kept of a state, or else makes and keeps it; its error is returned.
func (c *Cache[K, S, V]) Get(ctx context.Context, key K, state S, makes func() (V, error)) (V, error) {
	value, known := c.Find(ctx, key, state)
	if known {
		return value, nil
	}
	value, err := makes()
	if err == nil {
		c.Put(ctx, key, state, value)
	}
	return value, err
}

// Kept is what a package on top keeps in memory beside the database: one T, made when it is first asked for.
func Kept[T any](s *Store, makes func() *T) *T {
	of := reflect.TypeFor[T]()
	kept, known := s.kept.Load(of)
	if !known {
		kept, _ = s.kept.LoadOrStore(of, makes())
	}
	return kept.(*T)
}
