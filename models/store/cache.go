package store

import (
	"context"
	"reflect"
	"sync"
)

// Cache keeps values computed from rows, each under a key and the state of the rows that it was computed from; a lookup
// has to match both. When the cache is full, it is emptied.
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

// Find returns the value kept for a state. It finds nothing within a transaction, which may see uncommitted changes.
func (c *Cache[K, S, V]) Find(ctx context.Context, key K, state S) (V, bool) {
	if InTransaction(ctx) {
		return *new(V), false
	}
	return c.At(key, state)
}

// At is Find for callers that read the state together with the rows; it also works within a transaction.
func (c *Cache[K, S, V]) At(key K, state S) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept, known := c.kept[key]; known && kept.state == state {
		return kept.value, true
	}
	return *new(V), false
}

// Last returns the value kept under the key, whatever its state.
func (c *Cache[K, S, V]) Last(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, known := c.kept[key]
	return kept.value, known
}

// Put keeps a value and replaces that of another state. Within a transaction it does nothing.
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

// Get returns the value kept for a state, or calls makes and keeps its result; an error is returned and not kept.
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

// Singleton returns the store's one T, for a package on top to keep in memory; makes creates it on first use.
func Singleton[T any](s *Store, makes func() *T) *T {
	of := reflect.TypeFor[T]()
	kept, known := s.kept.Load(of)
	if !known {
		kept, _ = s.kept.LoadOrStore(of, makes())
	}
	return kept.(*T)
}
