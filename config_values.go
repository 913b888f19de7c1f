package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

func list(v string) []string {
	return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
}

func number(to *int, v string) error {
	n, err := strconv.Atoi(v)
	if err != nil || n < 0 {
		return fmt.Errorf("must be a whole number from 0 up, not %q", v)
	}
	*to = n
	return nil
}

func positive(to *int, v string) error {
	if err := number(to, v); err != nil || *to == 0 {
		return fmt.Errorf("must be a whole number from 1 up, not %q", v)
	}
	return nil
}

// parseDays reads a duration that may be given in days.
func parseDays(s string) (time.Duration, error) {
	if s == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if days, found := strings.CutSuffix(s, "d"); found {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(n) * 24 * time.Hour
		if n > 36500 {
			d = 0
		}
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no duration; write 90d or 12h", s)
	}
	return d, nil
}

func checkAddress(v string) error {
	if _, _, err := net.SplitHostPort(v); err != nil {
		return fmt.Errorf("must be host:port, not %q", v)
	}
	return nil
}

func checkURL(v string) error {
	if v == "" {
		return nil
	}
	if u, err := url.Parse(v); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return errors.New("must start with http:// or https://")
	}
	return nil
}

// isThisMachine tells of a host that is reached without a network.
func isThisMachine(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && address.IsLoopback())
}

// readAlong tells whether what browsers send to a base URL crosses a network
// unencrypted.
func readAlong(baseURL string) bool {
	u, err := url.Parse(baseURL)
	return err == nil && u.Scheme == "http" && !isThisMachine(u.Hostname())
}
