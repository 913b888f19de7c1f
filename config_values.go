package main

import (
	"golang.org/x/net/http/httpguts"

	"encoding/base64"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/jobs"
	"lectern/models/files"
	"lectern/models/files/bucket"
	"lectern/models/store"
)

// The functions below return how a setting's text is parsed into its field.

func text(to *string) func(string) error { return func(v string) error { *to = v; return nil } }

func parsed[T any](to *T, parse func(string) (T, error)) func(string) error {
	return func(v string) (err error) {
		*to, err = parse(v)
		return err
	}
}

// optional is parsed for a setting that may be empty.
func optional[T any](to *T, parse func(string) (T, error)) func(string) error {
	return func(v string) error {
		if v == "" {
			return nil
		}
		return parsed(to, parse)(v)
	}
}

// each parses values separated by commas or spaces.
func each[T any](to *[]T, parse func(string) (T, error)) func(string) error {
	return func(v string) error {
		for _, item := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' }) {
			one, err := parse(item)
			if err != nil {
				return err
			}
			*to = append(*to, one)
		}
		return nil
	}
}

// choice accepts one of two words and sets to if it is the second.
func choice(to *bool, first, second string) func(string) error {
	return func(v string) error {
		if *to = v == second; v != first && v != second {
			return fmt.Errorf("must be %s or %s", first, second)
		}
		return nil
	}
}

func number(to *int, least int) func(string) error {
	return func(v string) (err error) {
		if *to, err = strconv.Atoi(v); err != nil || *to < least {
			return fmt.Errorf("must be a whole number from %d up, not %q", least, v)
		}
		return nil
	}
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

func parseAddress(v string) (string, error) {
	if _, _, err := net.SplitHostPort(v); err != nil {
		return "", fmt.Errorf("must be host:port, not %q", v)
	}
	return v, nil
}

func parseURL(v string) (string, error) {
	if u, err := url.Parse(v); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", errors.New("must start with http:// or https://")
	}
	return strings.TrimRight(v, "/"), nil
}

func parseDatabase(v string) (string, error) {
	scheme, _, found := strings.Cut(v, "://")
	if !found || !slices.Contains([]string{"sqlite", "postgres", "postgresql"}, scheme) {
		return "", errors.New("must start with sqlite:// or postgres://")
	}
	return v, nil
}

// parseFiles parses the place where files are kept. Its errors repeat nothing that may be secret.
func parseFiles(v string) (files.Storage, error) {
	switch scheme, _, _ := strings.Cut(v, "://"); scheme {
	case "file":
		return files.ParseDisk(v)
	case "s3":
		at, err := bucket.ParseAddress(v)
		if err != nil {
			return nil, err
		}
		return bucket.New(at), nil
	}
	return nil, errors.New("must start with file:// or s3://")
}

func parseProxy(v string) (string, error) {
	_, errNet := netip.ParsePrefix(v)
	_, errAddr := netip.ParseAddr(v)
	if errNet != nil && errAddr != nil {
		return "", fmt.Errorf("%q is neither an address nor a network", v)
	}
	return v, nil
}

func parseNetwork(v string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(v)
	if err != nil {
		err = fmt.Errorf("%q is no network such as 10.1.0.0/16", v)
	}
	return prefix, err
}

func parseSecretKey(v string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(v)
	if err != nil || len(key) != store.SecretKeySize {
		return nil, errors.New("must be 32 bytes in base64")
	}
	return key, nil
}

func parseRetention(v string) (time.Duration, error) {
	if v == "0" {
		return 0, nil
	}
	return parseDays(v)
}

// isThisMachine reports whether a host is reached without a network.
func isThisMachine(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && address.IsLoopback())
}

// readAlong reports whether requests to a base URL cross a network unencrypted.
func readAlong(baseURL string) bool {
	u, err := url.Parse(baseURL)
	return err == nil && u.Scheme == "http" && !isThisMachine(u.Hostname())
}

// parseMailServer parses smtp://user:password@host:587, which must offer STARTTLS unless it is on this machine, or
// smtps://user:password@host:465.
func parseMailServer(v string) (*jobs.MailServer, error) {
	u, err := url.Parse(v)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") ||
		(u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		// The error of Parse contains the password.
		return nil, errors.New("must be smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	s := &jobs.MailServer{Host: u.Hostname(), Port: 587, User: u.User.Username(), Encrypted: u.Scheme == "smtps"}
	s.Password, _ = u.User.Password()
	if s.Encrypted {
		s.Port = 465
	}
	if port := u.Port(); port != "" {
		if s.Port, err = strconv.Atoi(port); err != nil || s.Port < 1 || s.Port > 65535 {
			return nil, errors.New("has a port that is none")
		}
	}
	s.Open = !s.Encrypted && isThisMachine(s.Host)
	return s, nil
}

// parseSender parses the address that letters are sent from.
func parseSender(v string) (string, error) {
	if _, err := netmail.ParseAddress(v); err != nil {
		return "", errors.New("must be an address such as Lectern <programme@example.org>")
	}
	return v, nil
}

// parseHeaders parses name=value pairs, separated by commas, in the format of OTEL_EXPORTER_OTLP_HEADERS.
func parseHeaders(v string) (map[string]string, error) {
	headers := map[string]string{}
	for item := range strings.SplitSeq(v, ",") {
		name, value, found := strings.Cut(strings.TrimSpace(item), "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !found || err != nil || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("must be headers such as authorization=Bearer abc, separated by commas")
		}
		headers[name] = value
	}
	return headers, nil
}

func parseShare(v string) (float64, error) {
	share, err := strconv.ParseFloat(v, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, errors.New("must be a number from 0 to 1")
	}
	return share, nil
}
