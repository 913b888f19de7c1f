package api

import (
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// AddressOf is where a request comes from. What trusted proxies forwarded is
// read from its end, for as long as it is a trusted proxy's word: the caller may
// have written the rest.
func AddressOf(c *fiber.Ctx) string {
	address, known := netip.AddrFromSlice(c.Context().RemoteIP())
	if !known {
		return ""
	}
	address = address.Unmap()
	var hops []string
	for _, line := range c.Request().Header.PeekAll(fiber.HeaderXForwardedFor) {
		hops = append(hops, strings.Split(string(line), ",")...)
	}
	for trusted := c.App().Config().TrustedProxies; len(hops) > 0 && isOneOf(trusted, address); hops = hops[:len(hops)-1] {
		before, err := parseHop(hops[len(hops)-1])
		if err != nil {
			break
		}
		address = before
	}
	return address.String()
}

// parseHop reads an address, to which some proxies add the port.
func parseHop(s string) (netip.Addr, error) {
	s = strings.TrimSpace(s)
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		s = withPort.Addr().String()
	}
	address, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return address.WithZone("").Unmap(), err
}

func isOneOf(networks []string, address netip.Addr) bool {
	for _, network := range networks {
		if prefix, err := netip.ParsePrefix(network); err == nil && prefix.Contains(address) {
			return true
		}
		if one, err := netip.ParseAddr(network); err == nil && one.Unmap() == address {
			return true
		}
	}
	return false
}
