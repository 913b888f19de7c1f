package child

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// FreeAddress is an address at which nothing listens, and which no other test gets until this one ends: another server
// that came first would answer in place of one that is about to begin. Its port is below those that the system gives to
// connections, of which one could take it before the server does.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		port := 10_000 + rand.IntN(20_000)
		ours, err := net.Listen("unix", fmt.Sprintf("@lectern-port-%d", port)) // a name without a file, which ends with us
		if err != nil {
			continue
		}
		address := fmt.Sprintf("127.0.0.1:%d", port)
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			t.Cleanup(func() { ours.Close() })
			return address
		}
		ours.Close()
	}
	t.Fatal("no port is free")
	return ""
}
