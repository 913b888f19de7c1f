package drive

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

// Output is what a program has written so far.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *Output) Write(some []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(some)
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Has waits until the program has written text, and returns the whole output.
func (o *Output) Has(t *testing.T, text string) string {
	t.Helper()
	if !Within(Patience, func() bool { return strings.Contains(o.String(), text) }) {
		t.Fatalf("nobody writes %q:\n%s", text, o)
	}
	return o.String()
}
