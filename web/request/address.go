package request

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// Proxies are the networks whose X-Forwarded-For is trusted.
type Proxies []netip.Prefix

// ParseProxies reads addresses and networks, and skips what is neither.
func ParseProxies(texts []string) Proxies {
	var all Proxies
	for _, text := range texts {
		if network, err := netip.ParsePrefix(text); err == nil {
			all = append(all, network.Masked())
		} else if address, err := netip.ParseAddr(text); err == nil {
			address = address.Unmap()
			all = append(all, netip.PrefixFrom(address, address.BitLen()))
		}
	}
	return all
}

// Has tells whether an address is a trusted proxy's.
func (p Proxies) Has(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// maxHops is how many proxies of an X-Forwarded-For are read, at most.
const maxHops = 32

// AddressOf returns the client's address, "" where there is none. It reads X-Forwarded-For from its end and stops
// at the first address that is no trusted proxy's: the caller may have written what stands before.
func (p Proxies) AddressOf(c *fiber.Ctx) string {
	if address := p.addressOf(c); address.IsValid() {
		return address.String()
	}
	return ""
}

// NetworkOf returns the network by which rate limits count a request.
func (p Proxies) NetworkOf(c *fiber.Ctx) string { return Network(p.addressOf(c)).String() }

// Network returns the address itself, or the /64 of an IPv6 address: a caller has as many addresses in it as they
// like.
func Network(address netip.Addr) netip.Prefix {
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	network, _ := address.WithZone("").Prefix(bits)
	return network
}

// addressOf returns an invalid address for a call in process that no connection caused.
func (p Proxies) addressOf(c *fiber.Ctx) netip.Addr {
	address, known := netip.AddrFromSlice(c.Context().RemoteIP())
	address = address.Unmap()
	if !known || !p.Has(address) {
		return address
	}
	lines := c.Request().Header.PeekAll(fiber.HeaderXForwardedFor)
	rest := bytes.Join(lines, []byte(","))
	for range maxHops {
		at := bytes.LastIndexByte(rest, ',')
		before, err := parseHop(string(rest[at+1:]))
		if err != nil {
			break
		}
		address = before
		if at < 0 || !p.Has(address) {
			break
		}
		rest = rest[:at]
	}
	return address
}

// parseHop reads an address of X-Forwarded-For, to which some proxies add the port.
func parseHop(s string) (netip.Addr, error) {
	s = strings.TrimSpace(s)
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		s = withPort.Addr().String()
	}
	address, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return address.WithZone("").Unmap(), err
}
