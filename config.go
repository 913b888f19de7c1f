package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"lectern/jobs"
	"lectern/mcp"
	"lectern/models/store"
)

// Config is all that can be set from outside. It is read once, here, and nothing
// changes it afterwards.
type Config struct {
	Addr        string
	BaseURL     string
	DatabaseURL string
	DataDir     string
	// DatabaseConnections are those to PostgreSQL at most.
	DatabaseConnections int
	Reads               int
	Writes              int
	Connections         int // open at once, 0 is any number
	// ConnectionsPerAddress are those open at once from one address.
	ConnectionsPerAddress int
	MetricsAddr           string
	TrustedProxies        []string
	LogFormat             string
	SecretKey             []byte // as given; findSecretKey knows where else one is
	QuickSQLite           bool   // a power cut may take back what was acknowledged
	AllowNets             []netip.Prefix
	Retention             time.Duration
	Managed               jobs.ManagedOptions
	MCP                   toolConfig
	Mail                  *jobs.MailServer // nil when there is none
	MailFrom              string
	Design                bool // serve the gallery of the views
}

// toolConfig is what the tool interface has of its own.
type toolConfig struct {
	API                string // where the REST API is; empty is this process
	FallbackKey        string
	ListText, FullText int
}

// setting is one variable LECTERN_NAME and the flag that overrides it.
type setting struct {
	name, value, help string // value is the default
	take              func(*Config, string) error
}

var settings = []setting{
	{"ADDR", "127.0.0.1:8080", "address to listen on", func(c *Config, v string) error {
		c.Addr = v
		return checkAddress(v)
	}},
	{"BASE_URL", "", "public address without a trailing slash (default http:// and the address listened on)",
		func(c *Config, v string) error {
			c.BaseURL = strings.TrimRight(v, "/")
			return checkURL(v)
		}},
	{"DATABASE_URL", "", "sqlite:///path/file.db or postgres://… (default lectern.db in the data directory)",
		func(c *Config, v string) error {
			c.DatabaseURL = v
			scheme, _, found := strings.Cut(v, "://")
			if v != "" && (!found || !slices.Contains([]string{"sqlite", "postgres", "postgresql"}, scheme)) {
				return errors.New("must start with sqlite:// or postgres://")
			}
			return nil
		}},
	{"SQLITE_SYNC", "full", "full, or normal: quicker writes on SQLite, the last of which a power cut may take back",
		func(c *Config, v string) error {
			c.QuickSQLite = v == "normal"
			if v != "full" && v != "normal" {
				return errors.New("must be full or normal")
			}
			return nil
		}},
	{"DATA_DIR", "data", "directory of the embedded database and the secret key", func(c *Config, v string) error {
		c.DataDir = v
		return nil
	}},
	{"DATABASE_CONNECTIONS", strconv.Itoa(store.DatabaseConnections), "connections to PostgreSQL at most",
		func(c *Config, v string) error {
			return positive(&c.DatabaseConnections, v)
		}},
	{"RATE_READS", "60000", "reads a minute and key, 0 is off",
		func(c *Config, v string) error { return number(&c.Reads, v) }},
	{"RATE_WRITES", "12000", "writes a minute and key, 0 is off",
		func(c *Config, v string) error { return number(&c.Writes, v) }},
	{"CONNECTIONS", "4096", "connections open at once, 0 is any number",
		func(c *Config, v string) error { return number(&c.Connections, v) }},
	{"CONNECTIONS_PER_ADDRESS", "512",
		"connections open at once from one address that is no trusted proxy's, 0 is any number",
		func(c *Config, v string) error {
			return number(&c.ConnectionsPerAddress, v)
		}},
	{"METRICS_ADDR", "", "address to serve Prometheus metrics on, off when empty", func(c *Config, v string) error {
		c.MetricsAddr = v
		if v == "" {
			return nil
		}
		return checkAddress(v)
	}},
	{"TRUSTED_PROXIES", "", "addresses or networks, separated by commas, whose X-Forwarded-For is believed",
		func(c *Config, v string) error {
			for _, proxy := range list(v) {
				_, errNet := netip.ParsePrefix(proxy)
				_, errAddr := netip.ParseAddr(proxy)
				if errNet != nil && errAddr != nil {
					return fmt.Errorf("%q is neither an address nor a network", proxy)
				}
				c.TrustedProxies = append(c.TrustedProxies, proxy)
			}
			return nil
		}},
	{"LOG_FORMAT", "text", "text or json", func(c *Config, v string) error {
		c.LogFormat = v
		if v != "text" && v != "json" {
			return errors.New("must be text or json")
		}
		return nil
	}},
	{"SECRET_KEY", "", "32 bytes in base64 that seal webhook secrets (default: made on first use, in the data directory)",
		func(c *Config, v string) error {
			if v == "" {
				return nil
			}
			key, err := base64.StdEncoding.DecodeString(v)
			if err != nil || len(key) != store.SecretKeySize {
				return errors.New("must be 32 bytes in base64")
			}
			c.SecretKey = key
			return nil
		}},
	{"WEBHOOK_ALLOW_NETS", "", "networks, separated by commas, that webhooks may reach although they are private",
		func(c *Config, v string) error {
			for _, network := range list(v) {
				prefix, err := netip.ParsePrefix(network)
				if err != nil {
					return fmt.Errorf("%q is no network such as 10.1.0.0/16", network)
				}
				c.AllowNets = append(c.AllowNets, prefix)
			}
			return nil
		}},
	{"DELIVERY_RETENTION", "30d", "how long the delivery log is kept, 0 is for good",
		func(c *Config, v string) (err error) {
			if v == "0" {
				return nil
			}
			c.Retention, err = parseDays(v)
			return err
		}},
	{"MANAGED_URL", "", "address of a managed delivery service", func(c *Config, v string) error {
		c.Managed.URL = strings.TrimRight(v, "/")
		return checkURL(v)
	}},
	{"MANAGED_APP_ID", "", "app id at the managed delivery service", func(c *Config, v string) error {
		c.Managed.AppID = v
		return nil
	}},
	{"MANAGED_TOKEN", "", "token of the managed delivery service; with the app id it takes the place of the endpoints",
		func(c *Config, v string) error {
			c.Managed.Token = v
			return nil
		}},
	{"SMTP_URL", "",
		"mail server, smtp://user:password@host:587 or smtps://user:password@host:465; without one, links are shown instead",
		func(c *Config, v string) (err error) {
			if v != "" {
				c.Mail, err = parseMailServer(v)
			}
			return err
		}},
	{"MAIL_FROM", "", "address that letters come from, such as Lectern <programme@example.org>",
		func(c *Config, v string) error {
			c.MailFrom = v
			return cleanSender(v)
		}},
	{"DESIGN", "", "1 serves /design, a page of every part and state of the admin, for development",
		func(c *Config, v string) error {
			c.Design = v == "1"
			return nil
		}},
	{"MCP_API_URL", "", "address of the Lectern whose REST API the tools use (default: this one, in process)",
		func(c *Config, v string) error {
			c.MCP.API = strings.TrimRight(v, "/")
			return checkURL(v)
		}},
	{"MCP_FALLBACK_KEY", "", "API key for agents that send none; give it reading scopes alone",
		func(c *Config, v string) error {
			c.MCP.FallbackKey = v
			return nil
		}},
	{"MCP_LIST_TEXT", strconv.Itoa(mcp.DefaultListText), "characters of a description in a tool's list",
		func(c *Config, v string) error { return positive(&c.MCP.ListText, v) }},
	{"MCP_FULL_TEXT", strconv.Itoa(mcp.DefaultFullText), "characters of a description in get_submission",
		func(c *Config, v string) error { return positive(&c.MCP.FullText, v) }},
}

func (s setting) flag() string { return strings.ToLower(strings.ReplaceAll(s.name, "_", "-")) }

// secret settings have no flag: a command line can be read by others.
func (s setting) secret() bool {
	return s.name == "SECRET_KEY" || s.name == "MANAGED_TOKEN" || s.name == "MCP_FALLBACK_KEY" || s.name == "SMTP_URL"
}

// defineFlags adds a flag for each setting.
func defineFlags(flags *pflag.FlagSet) {
	for _, s := range settings {
		if !s.secret() {
			flags.String(s.flag(), s.value, s.help+" [LECTERN_"+s.name+"]")
		}
	}
}

// loadConfig takes each setting from its flag, else its variable, else its
// default, and reports all faults at once.
func loadConfig(flags *pflag.FlagSet) (*Config, error) {
	c := &Config{}
	var faults []error
	for _, s := range settings {
		value, source := s.value, "LECTERN_"+s.name
		if v, set := os.LookupEnv("LECTERN_" + s.name); set && v != "" {
			value = v
		}
		if f := flags.Lookup(s.flag()); f != nil && f.Changed {
			value, source = f.Value.String(), "--"+s.flag()
		}
		if err := s.take(c, value); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", source, err))
		}
	}
	if c.Managed.Enabled() && c.Managed.URL == "" {
		faults = append(faults, errors.New("LECTERN_MANAGED_URL: is needed with a managed token and app id"))
	}
	if c.Mail != nil && c.MailFrom == "" {
		faults = append(faults, errors.New("LECTERN_MAIL_FROM: is needed with a mail server"))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	if c.BaseURL == "" {
		c.BaseURL = "http://" + c.Addr
	}
	if c.DatabaseURL == "" {
		path, err := filepath.Abs(filepath.Join(c.DataDir, "lectern.db"))
		if err != nil {
			return nil, err
		}
		c.DatabaseURL = "sqlite://" + path
	}
	return c, nil
}
