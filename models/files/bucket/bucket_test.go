package bucket

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models/files"
	"lectern/models/files/bucket/buckettest"
	"lectern/models/modelstest"
)

func at(t *testing.T, address string) *Bucket {
	t.Helper()
	a := modelstest.Must(ParseAddress(address))(t)
	return New(a)
}

func read(place files.Storage, key string) (string, error) {
	there, err := place.Open(context.Background(), key)
	if err != nil {
		return "", err
	}
	defer there.Close()
	b, err := io.ReadAll(there)
	return string(b), err
}

func isFault(err error, words string) bool {
	fault, found := errors.AsType[*files.Fault](err)
	return found && strings.Contains(fault.Message, words)
}

func TestABucketKeepsWhatItIsGiven(t *testing.T) {
	t.Parallel()
	server := buckettest.Serve(t)
	b, ctx := at(t, server.URL()), t.Context()
	modelstest.Fine(t, b.Check(ctx))
	contents := map[string]string{}
	for _, content := range []string{"", "a photo", strings.Repeat("large", 1<<20)} {
		key := files.NewKey()
		contents[key] = content
		modelstest.Fine(t, b.Put(ctx, key, strings.NewReader(content)))
		if got := modelstest.Must(read(b, key))(t); got != content {
			t.Errorf("%d bytes come back as %d", len(content), len(got))
		}
	}
	elsewhere := at(t, strings.Replace(server.URL(), "of-lectern", "of-others", 1))
	foreign := files.NewKey()
	modelstest.Fine(t, elsewhere.Put(ctx, foreign, strings.NewReader("foreign")))
	seen := 0
	err := b.Each(ctx, func(key string, size int64) error {
		if content, ours := contents[key]; !ours || size != int64(len(content)) {
			t.Errorf("%s has %d bytes", key, size)
		}
		seen++
		return nil
	})
	if err != nil || seen != len(contents) {
		t.Errorf("%d of %d: %v", seen, len(contents), err)
	}
	for key := range contents {
		for range 2 { // the second time there is nothing
			modelstest.Fine(t, b.Delete(ctx, key))
		}
		if _, err := b.Open(ctx, key); !errors.Is(err, files.ErrMissing) {
			t.Errorf("after its end: %v", err)
		}
	}
	modelstest.Want(t, "what others keep in the bucket", modelstest.Must(read(elsewhere, foreign))(t), "foreign")
	for _, key := range []string{"", "../../etc/passwd", "UPPER", strings.Repeat("a", 27)} {
		if err := b.Put(ctx, key, bytes.NewReader(nil)); err == nil {
			t.Errorf("%q is taken as a key", key)
		}
	}
}

func TestABucketThatCannotServeIsNoFaultOfOurs(t *testing.T) {
	t.Parallel()
	server := buckettest.Serve(t)
	b, ctx, key := at(t, server.URL()), t.Context(), files.NewKey()
	modelstest.Fine(t, b.Put(ctx, key, strings.NewReader("kept")))
	for name, address := range map[string]string{
		"another secret": strings.Replace(server.URL(), "secret", "hush", 1),
		"another key":    strings.Replace(server.URL(), "tester", "nobody", 1),
		"no bucket":      strings.Replace(server.URL(), "/files/", "/nothing/", 1),
	} {
		err := at(t, address).Check(ctx)
		if !isFault(err, "refuses") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", name, err)
		}
	}
	server.Stop()
	_, err := b.Open(ctx, key)
	if !isFault(err, "does not answer") {
		t.Errorf("a server that is away: %v", err)
	}
	if err := b.Put(ctx, files.NewKey(), strings.NewReader("x")); !isFault(err, "does not answer") {
		t.Errorf("a put meanwhile: %v", err)
	}
	server.Start()
	modelstest.Want(t, "afterwards", modelstest.Must(read(b, key))(t), "kept")
}

// TestABucketThatNeverAnswersIsGivenUp connects to a server that accepts and says nothing.
func TestABucketThatNeverAnswersIsGivenUp(t *testing.T) {
	t.Parallel()
	silent := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer silent.Close()
	b := at(t, "s3://key:secret@"+silent.Addr().String()+"/files?insecure=1")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := b.Check(ctx); !isFault(err, "does not answer") {
		t.Errorf("%v", err)
	}
	if attemptTime <= 0 || callTime < attemptTime {
		t.Error("a call has no end of its own")
	}
}

// TestABodyHasTimeForEachPiece: a slow reader gets the whole body, and a body that stops coming is given up.
func TestABodyHasTimeForEachPiece(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	defer close(stop)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "6")
		io.WriteString(w, "abc")
		w.(http.Flusher).Flush()
		if strings.HasSuffix(r.URL.Path, strings.Repeat("b", 26)) {
			<-stop
			return
		}
		io.WriteString(w, "def")
	}))
	defer server.CloseClientConnections()
	b := at(t, "s3://key:secret@"+strings.TrimPrefix(server.URL, "http://")+"/files?insecure=1")
	b.pause = time.Second
	modelstest.Want(t, "the whole of a body has an end", b.reader.Timeout, 0)
	there := modelstest.Must(b.Open(t.Context(), strings.Repeat("a", 26)))(t)
	piece := make([]byte, 3)
	modelstest.Must(io.ReadFull(there, piece))(t)
	time.Sleep(b.pause + b.pause/2) // as long as somebody slow takes
	if rest, err := io.ReadAll(there); err != nil || string(piece)+string(rest) != "abcdef" {
		t.Errorf("%q %v", rest, err)
	}
	there.Close()
	if got, err := read(b, strings.Repeat("b", 26)); !isFault(err, "does not answer") || got != "abc" {
		t.Errorf("%q %v", got, err)
	}
}

// TestABodyThatIsSentHasTimeForEachPiece: a slow line takes the whole body, and one that takes no more is given up.
func TestABodyThatIsSentHasTimeForEachPiece(t *testing.T) {
	t.Parallel()
	const size = 24 << 20 // more than stands in the buffers on the way
	stop := make(chan struct{})
	defer close(stop)
	var came atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for piece := make([]byte, 1<<20); ; time.Sleep(100 * time.Millisecond) {
			n, err := io.ReadFull(r.Body, piece)
			if came.Add(int64(n)); err != nil {
				return
			}
			if strings.HasSuffix(r.URL.Path, strings.Repeat("b", 26)) {
				<-stop
				return
			}
		}
	}))
	server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		c.(*net.TCPConn).SetReadBuffer(64 << 10)
		return ctx
	}
	server.Start()
	defer server.CloseClientConnections()
	b := at(t, "s3://key:secret@"+strings.TrimPrefix(server.URL, "http://")+"/files?insecure=1")
	if b.stall = 2 * time.Second; b.writer.Timeout != 0 {
		t.Error("the whole of a body has an end")
	}
	content := func() io.ReadSeeker { return bytes.NewReader(make([]byte, size)) }
	began := time.Now()
	err := b.Put(t.Context(), strings.Repeat("a", 26), content())
	if took := time.Since(began); err != nil || came.Load() != size || took < b.stall {
		t.Errorf("%d bytes came in %s: %v", came.Load(), took, err)
	}
	began = time.Now()
	err = b.Put(t.Context(), strings.Repeat("b", 26), content())
	if took := time.Since(began); !isFault(err, "does not answer") || took > modelstest.Patience {
		t.Errorf("it was given up after %s: %v", took, err)
	}
	b.stall = modelstest.Patience
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond) // whoever wants it ends earlier
	defer cancel()
	began = time.Now()
	if err := b.Put(ctx, strings.Repeat("b", 26), content()); err == nil || time.Since(began) > b.stall/2 {
		t.Errorf("it outlasts who wants it by %s: %v", time.Since(began), err)
	}
}

func TestAnAddressIsReadAndTellsNoSecret(t *testing.T) {
	t.Parallel()
	a, err := ParseAddress("s3://KEY:a%2Fb%2Bc@s3.example.org:9000/files/a/b?region=eu-west-1&insecure=1")
	want := Address{Host: "s3.example.org:9000", Region: "eu-west-1", Bucket: "files", Prefix: "a/b/", Key: "KEY",
		Secret: "a/b+c", Insecure: true}
	if err != nil || a != want {
		t.Errorf("%+v %v", a, err)
	}
	if said := New(a).String(); strings.Contains(said, "KEY") || strings.Contains(said, "b+c") {
		t.Errorf("it calls itself %s", said)
	}
	for _, wrong := range []string{"", "hush", "s3://host/bucket", "s3://key:hush@host", "s3://key:hush@host/",
		"s3://:hush@host/b", "https://key:hush@host/b", "s3://key:hush@host/b?secure=0", "s3://key:hu%zzsh@host/b"} {
		if _, err := ParseAddress(wrong); err == nil || strings.Contains(err.Error(), "hu") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
