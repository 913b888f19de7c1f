// Package files keeps the bytes of files under random keys, and makes photos fit to be shown. The database has the
// names of files, whose they are and who may read them.
package files

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
)

// Storage is where bytes are kept. The content of a key never changes. An error that is neither ErrMissing nor a fault of
// ours is a *Fault.
type Storage interface {
	// Put keeps content under a key that was never used. Once it returns, the bytes outlast a power cut; when it fails,
	// nothing can be opened under the key.
	Put(ctx context.Context, key string, content io.ReadSeeker) error
	// Open reads from the beginning. It answers ErrMissing when there is nothing under the key.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// Delete removes what is under a key, also what an interrupted Put left. A key without content is no error.
	Delete(ctx context.Context, key string) error
	// Each calls f with every key and its size in bytes, in any order.
	Each(ctx context.Context, f func(key string, size int64) error) error
	// Check reports an error unless files can be stored there now.
	Check(ctx context.Context) error
	// String says where it is, without secrets.
	String() string
}

// ErrMissing is returned when there is nothing under a key.
var ErrMissing = errors.New("the file's bytes are not in the file store")

// Fault is a file store that cannot serve at the moment. The request can be repeated.
type Fault struct {
	Message string // for people
	Cause   error
}

func (f *Fault) Error() string { return f.Message + " " + f.Cause.Error() }

func (f *Fault) Unwrap() error { return f.Cause }

// Reader returns a reader that fails once ctx ends, even where the underlying one knows no context.
func Reader(ctx context.Context, from io.Reader) io.Reader { return reader{ctx, from} }

type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// Writer returns a writer that fails once ctx ends.
func Writer(ctx context.Context, to io.Writer) io.Writer { return writer{ctx, to} }

type writer struct {
	ctx context.Context
	to  io.Writer
}

func (w writer) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.to.Write(p)
}

// keyLength is the length of a key: 26 characters of a-z and 2-7, 130 random bits.
const keyLength = 26

// NewKey returns a new random key.
func NewKey() string { return strings.ToLower(rand.Text()) }

// IsKey reports whether s has the form of a key, so that nothing else becomes a file name.
func IsKey(s string) bool {
	return len(s) == keyLength && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz234567") == ""
}
