//go:build unix

package main

import (
	"net"
	"syscall"
)

// hungUp tells whether the peer has closed the connection, without reading what
// it may have sent.
func hungUp(conn net.Conn) bool {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	err = raw.Control(func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		gone = (n == 0 && err == nil) || err == syscall.ECONNRESET
	})
	return gone || err != nil
}
