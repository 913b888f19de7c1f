//go:build !unix

package main

import "net"

// hungUp cannot be told here; a request then runs to its end.
func hungUp(net.Conn) bool { return false }
