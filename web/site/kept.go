package site

import (
	"container/list"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lectern/models"
	"lectern/web/request"
)

const (
	// keptBytes bounds the memory of all cached pages, compressed forms included.
	keptBytes = 64 << 20
	// keptFeedBytes does the same for all cached feeds.
	keptFeedBytes = 32 << 20
	// keptPack is the compression level of cached answers, which are compressed once for all readers.
	keptPack = 6
	// quickPack is the compression level of answers made anew for each reader.
	quickPack = 1
)

// state changes whenever a page may change: with the public agenda, or with the time that the page shows.
type state struct {
	agenda models.AgendaState
	now    int64
}

// body is what is sent: plain, or compressed once a client asks for that.
type body struct {
	whole        []byte
	etag         string
	brotli, gzip func() []byte // nil where it is not compressed
}

// packed returns a body that can be compressed, at a level.
func packed(whole []byte, level int) body {
	return body{whole: whole, etag: request.ETagOf(whole),
		brotli: sync.OnceValue(func() []byte { return fasthttp.AppendBrotliBytesLevel(nil, whole, level) }),
		gzip:   sync.OnceValue(func() []byte { return fasthttp.AppendGzipBytesLevel(nil, whole, level) })}
}

// accepted returns the form of a body that a request accepts, and its ETag, and sets the headers of the encoding. What
// fits into one packet stays plain.
func (b *body) accepted(c *fiber.Ctx) (form func() []byte, etag string) {
	c.Vary(fiber.HeaderAcceptEncoding)
	switch {
	case len(b.whole) < request.OnePacket || b.brotli == nil:
	case request.Takes(c, "br"):
		c.Set(fiber.HeaderContentEncoding, "br")
		return b.brotli, strings.TrimSuffix(b.etag, `"`) + `-br"`
	case request.Takes(c, "gzip"):
		c.Set(fiber.HeaderContentEncoding, "gzip")
		return b.gzip, strings.TrimSuffix(b.etag, `"`) + `-gz"`
	}
	return func() []byte { return b.whole }, b.etag
}

// size returns the bytes that a cached body counts: its compressed forms as a quarter of the plain one.
func (b *body) size() int { return len(b.whole) + len(b.whole)/4 }

// answer is a page as it is sent.
type answer struct {
	body
	status int
	kind   string // html or png
}

// newAnswer returns a page that can be compressed, at a level.
func newAnswer(status int, whole []byte, level int) *answer {
	return &answer{body: packed(whole, level), status: status, kind: "html"}
}

// kept is a cache of the pages or feeds that were used last, each for one state. Requests for one that is being made
// wait for it, so that each page is made once after a change, however many read it.
type kept[V interface{ size() int }] struct {
	room int // limit in bytes
	mu   sync.Mutex
	used int
	all  map[string]*list.Element // of *keptPage[V]
	last *list.List               // most recently used first
}

type keptPage[V any] struct {
	key   string
	state state
	bytes int // bytes that it was counted with
	made  func() (V, error)
}

func newKept[V interface{ size() int }](room int) *kept[V] {
	return &kept[V]{room: room, all: map[string]*list.Element{}, last: list.New()}
}

// get returns the page of a state from the cache, or has makes make it. A page that fails is not cached.
func (k *kept[V]) get(key string, of state, makes func() (V, error)) (V, error) {
	k.mu.Lock()
	if there, known := k.all[key]; known && there.Value.(*keptPage[V]).state == of {
		k.last.MoveToFront(there)
		page := there.Value.(*keptPage[V])
		k.mu.Unlock()
		return page.made()
	}
	k.drop(key)
	page := &keptPage[V]{key: key, state: of}
	page.made = sync.OnceValues(func() (V, error) {
		a, err := makes()
		k.settle(page, a, err)
		return a, err
	})
	k.all[key] = k.last.PushFront(page)
	k.mu.Unlock()
	return page.made()
}

// settle counts a page once it is made, and drops the least recently used ones where there is no room.
func (k *kept[V]) settle(page *keptPage[V], made V, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	there := k.all[page.key]
	if there == nil || there.Value.(*keptPage[V]) != page {
		return
	}
	if err != nil {
		k.drop(page.key)
		return
	}
	page.bytes = made.size() + len(page.key)
	for k.used += page.bytes; k.used > k.room && k.last.Len() > 1; {
		k.drop(k.last.Back().Value.(*keptPage[V]).key)
	}
}

func (k *kept[V]) drop(key string) {
	if there := k.all[key]; there != nil {
		k.used -= there.Value.(*keptPage[V]).bytes
		k.last.Remove(there)
		delete(k.all, key)
	}
}
