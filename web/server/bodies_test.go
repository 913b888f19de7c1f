package server

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
)

func TestALargeBodyIsRefusedByItsHeadAndItsSenderSeesIt(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	address, key := doors(t, f)
	head := func(path, length string) string {
		return fmt.Sprintf(
			"POST %s HTTP/1.1\r\nHost: lectern.test\r\nx-access-token: %s\r\nContent-Type: application/json\r\n%s\r\n\r\n",
			path, key, length)
	}
	large := fmt.Sprintf("Content-Length: %d", 3*bodyLimit)
	create := "/v1/event/" + f.Event.ID + "/sessions/create"
	for _, path := range []string{create, "/mcp", "/sign-in"} {
		answer, closed := send(t, address, head(path, large))
		if !strings.HasPrefix(answer, "HTTP/1.1 413 ") || !closed {
			t.Errorf("%s by its head: %s", path, answer)
		}
	}
	for name, x := range map[string]struct {
		text string
		send func(w io.Writer)
	}{
		"of a length": {head(create, large), func(w io.Writer) { w.Write(make([]byte, 3*bodyLimit)) }},
		"chunked": {head(create, "Transfer-Encoding: chunked"), func(w io.Writer) {
			for range 3 {
				fmt.Fprintf(w, "%x\r\n%s\r\n", bodyLimit, strings.Repeat(" ", bodyLimit))
			}
			io.WriteString(w, "0\r\n\r\n")
		}},
		"chunked to the tools": {head("/mcp", "Transfer-Encoding: chunked"), func(w io.Writer) {
			for range 3 {
				fmt.Fprintf(w, "%x\r\n%s\r\n", bodyLimit, strings.Repeat(" ", bodyLimit))
			}
		}},
		"a form of many fields": {strings.Replace(head("/sign-in", fmt.Sprintf("Content-Length: %d", bodyLimit)),
			"application/json", "application/x-www-form-urlencoded", 1),
			func(w io.Writer) { io.WriteString(w, strings.Repeat("&", bodyLimit)) }},
	} {
		conn := dial(t, address)
		io.WriteString(conn, x.text)
		x.send(conn) // whole before anything is read
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || res.StatusCode != 413 {
			t.Errorf("%s: %v %v", name, res, err)
		}
	}
	whole := `{"title": "T"` + strings.Repeat(" ", bodyLimit-15) + "}"
	for _, text := range []string{
		head(create, fmt.Sprintf("Content-Length: %d", len(whole))) + whole,
		head(create, "Transfer-Encoding: chunked") + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(whole), whole),
	} {
		if answer, _ := send(t, address, text); !strings.HasPrefix(answer, "HTTP/1.1 200 ") {
			t.Errorf("of the limit itself: %.300s", answer)
		}
	}
}

// TestStrangersCannotHaveABodyRead sends a request without a key: it is refused before its body is read.
func TestStrangersCannotHaveABodyRead(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	address, _ := doors(t, f)
	for _, length := range []string{fmt.Sprintf("Content-Length: %d", bodyLimit), "Transfer-Encoding: chunked"} {
		head := "POST /v1/event/" + f.Event.ID +
			"/sessions/create HTTP/1.1\r\nHost: lectern.test\r\nx-access-token: lct_x\r\n" + length + "\r\n\r\n"
		if length[0] == 'C' {
			head += strings.Repeat(" ", smallBody)
		}
		answer, closed := send(t, address, head)
		if !strings.HasPrefix(answer, "HTTP/1.1 401 ") || !closed {
			t.Errorf("%s: %s", length, answer)
		}
	}
}

// TestWhoOnlyAnnouncesABodyTakesNoMemoryForIt holds a hundred connections that
// announce two mebibytes each.
func TestWhoOnlyAnnouncesABodyTakesNoMemoryForIt(t *testing.T) {
	address, l := listenBounded(t, newApp(&Options{}, Process{}, nil), &Options{})
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before := heap()
	const many = 100
	for range many {
		io.WriteString(dial(t, address), fmt.Sprintf("POST /sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s",
			bodyLimit, strings.Repeat("a", 2*smallBody)))
	}
	modelstest.Await(t, "all are accepted", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.open) == many
	})
	time.Sleep(100 * time.Millisecond)
	if took := heap() - before; took > many*bodyLimit/4 {
		t.Errorf("%d bodies that never came took %d bytes", many, took)
	}
}
