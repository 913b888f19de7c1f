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
	// keptBytes is what all pages that are kept take at most, packed forms included.
	keptBytes = 64 << 20
	// keptFeedBytes is the same of all feeds that are kept.
	keptFeedBytes = 32 << 20
	// keptPack is how well what is kept is packed: once for all who read it.
	keptPack = 6
	// quickPack is how well is packed what is made anew for each who reads it.
	quickPack = 1
)

// state is another one once a page may say something else: what is public is another, or the time that it shows.
type state struct {
	agenda models.AgendaState
	now    int64
}

// body is what is sent: whole, and packed once it is asked for in that form.
type body struct {
	whole        []byte
	etag         string
	brotli, gzip func() []byte // nil of what does not pack
}

// packed is a body that packs, at a level.
func packed(whole []byte, level int) body {
	return body{whole: whole, etag: request.ETagOf(whole),
		brotli: sync.OnceValue(func() []byte { return fasthttp.AppendBrotliBytesLevel(nil, whole, level) }),
		gzip:   sync.OnceValue(func() []byte { return fasthttp.AppendGzipBytesLevel(nil, whole, level) })}
}

// accepted is the form of a body that a request takes, of which the answer says so, and its tag. One packet stays whole.
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

// size is how many bytes it is counted with where it is kept: its packed forms as a quarter of the whole.
func (b *body) size() int { return len(b.whole) + len(b.whole)/4 }

// answer is a page as it is sent.
type answer struct {
	body
	status int
	kind   string // html or png
}

// newAnswer is a page that packs, at a level.
func newAnswer(status int, whole []byte, level int) *answer {
	return &answer{body: packed(whole, level), status: status, kind: "html"}
}

// kept are the pages or the feeds that were asked for last, each as of one state. Who asks for one that is being made
// waits for it, so that a change has each page made once, however many read it.
type kept[V interface{ size() int }] struct {
	room int // bytes
	mu   sync.Mutex
	used int
	all  map[string]*list.Element // of *keptPage[V]
	last *list.List               // the one that was asked for last comes first
}

type keptPage[V any] struct {
	key   string
	state state
	bytes int // that it was counted with
	made  func() (V, error)
}

func newKept[V interface{ size() int }](room int) *kept[V] {
	return &kept[V]{room: room, all: map[string]*list.Element{}, last: list.New()}
}

// get is the page of a state, which makes makes unless it is kept. One that fails is not kept.
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

// settle counts a page once it is made, and drops those asked for longest ago where there is no room.
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
