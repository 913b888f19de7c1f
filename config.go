package main

import (
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
	"lectern/jobs/sendlog"
	"lectern/jobs/tracing"
	"lectern/mcp"
	"lectern/models/files"
	"lectern/models/store"
	"lectern/web/server"
)

// Config is everything that can be set from outside. It is read once, here, and nothing changes it afterwards.
type Config struct {
	server.Options
	Addr        string
	DatabaseURL string
	DataDir     string
	// DatabaseConnections is the maximum number of connections to PostgreSQL.
	DatabaseConnections int
	MetricsAddr         string
	Traces              tracing.Options // off without a URL
	LogJSON             bool
	SecurityLog         *sendlog.Sender // nil if it is not sent on
	Files               files.Storage   // as set; filePlace has the default
	SecretKey           []byte          // as set; findSecretKey looks elsewhere too
	QuickSQLite         bool            // a power cut may undo acknowledged writes
	AllowNets           []netip.Prefix
	Retention           time.Duration
	Managed             jobs.ManagedOptions
	Mail                *jobs.MailServer // nil without one
	Beside              netip.AddrPort   // the demonstration's own receiver; not a setting
}

// setting is one variable LECTERN_NAME and the flag that overrides it.
type setting struct {
	name, value, help string // value is the default
	take              func(string) error
}

// settings returns all settings, each of which is parsed into c.
func settings(c *Config) []setting {
	return []setting{
		{"ADDR", "127.0.0.1:8080", "address to listen on", parsed(&c.Addr, parseAddress)},
		{"BASE_URL", "", "public address without a trailing slash (default http:// and the address listened on)",
			optional(&c.BaseURL, parseURL)},
		{"DATABASE_URL", "", "sqlite:///path/file.db or postgres://… (default lectern.db in the data directory)",
			optional(&c.DatabaseURL, parseDatabase)},
		{"SQLITE_SYNC", "full", "full, or normal: quicker writes on SQLite, the last of which a power cut may take back",
			choice(&c.QuickSQLite, "full", "normal")},
		{"DATA_DIR", "data", "directory of the embedded database, the secret key and files", text(&c.DataDir)},
		{"FILES_URL", "", "where files are kept, file:///path or s3://key:secret@host/bucket (default: files in the data directory)",
			optional(&c.Files, parseFiles)},
		{"DATABASE_CONNECTIONS", strconv.Itoa(store.DatabaseConnections), "connections to PostgreSQL at most",
			number(&c.DatabaseConnections, 1)},
		{"RATE_READS", "60000", "reads a minute and key, 0 is off", number(&c.Reads, 0)},
		{"RATE_WRITES", "12000", "writes a minute and key, 0 is off", number(&c.Writes, 0)},
		{"CONNECTIONS", "4096", "connections open at once, 0 is any number", number(&c.Connections, 0)},
		{"CONNECTIONS_PER_ADDRESS", "512",
			"connections open at once from one address that is no trusted proxy's, 0 is any number",
			number(&c.ConnectionsPerAddress, 0)},
		{"METRICS_ADDR", "", "address to serve Prometheus metrics on, off when empty", optional(&c.MetricsAddr, parseAddress)},
		{"TRACES_URL", "", "where traces are sent by OTLP over HTTP, such as http://127.0.0.1:4318/v1/traces, off when empty",
			optional(&c.Traces.URL, parseURL)},
		{"TRACES_HEADERS", "", "headers that go along, such as authorization=Bearer abc, separated by commas",
			optional(&c.Traces.Headers, parseHeaders)},
		{"TRACES_SHARE", "1", "share of requests and jobs that are traced, from 0 to 1", parsed(&c.Traces.Share, parseShare)},
		{"TRUSTED_PROXIES", "", "addresses or networks, separated by commas, whose X-Forwarded-For is believed",
			each(&c.TrustedProxies, parseProxy)},
		{"LOG_FORMAT", "text", "text or json", choice(&c.LogJSON, "text", "json")},
		{"SECURITY_LOG", "", "where the security log is sent on to as JSON lines: stdout (of serve), " +
			"syslog+tls://host:6514, syslog+tcp://host:601, syslog+udp://host:514 or syslog+unix:///dev/log",
			optional(&c.SecurityLog, sendlog.Parse)},
		{"SECRET_KEY", "", "32 bytes in base64 that seal webhook secrets (default: made on first use, in the data directory)",
			optional(&c.SecretKey, parseSecretKey)},
		{"WEBHOOK_ALLOW_NETS", "", "networks, separated by commas, that webhooks, imports and identity providers may be in although they are private",
			each(&c.AllowNets, parseNetwork)},
		{"DELIVERY_RETENTION", "30d", "how long the delivery log is kept, 0 is for good", parsed(&c.Retention, parseRetention)},
		{"MANAGED_URL", "", "address of a managed delivery service", optional(&c.Managed.URL, parseURL)},
		{"MANAGED_APP_ID", "", "app id at the managed delivery service", text(&c.Managed.AppID)},
		{"MANAGED_TOKEN", "", "token of the managed delivery service; with the app id it takes the place of the endpoints",
			text(&c.Managed.Token)},
		{"SMTP_URL", "",
			"mail server, smtp://user:password@host:587 or smtps://user:password@host:465; without one, links are shown instead and letters stay drafts",
			optional(&c.Mail, parseMailServer)},
		{"MAIL_FROM", "", "address that letters come from, such as Lectern <programme@example.org>",
			optional(&c.MailFrom, parseSender)},
		{"DESIGN", "", "1 serves /design, a page of every part and state of the admin, for development",
			parsed(&c.Design, func(v string) (bool, error) { return v == "1", nil })},
		{"MCP_API_URL", "", "address of the Lectern whose REST API the tools use (default: this one, in process)",
			optional(&c.MCP.API, parseURL)},
		{"MCP_FALLBACK_KEY", "", "API key for agents that send none; give it reading scopes alone", text(&c.MCP.FallbackKey)},
		{"MCP_LIST_TEXT", strconv.Itoa(mcp.DefaultListText), "characters of a description in a tool's list, 200 at most",
			number(&c.MCP.ListText, 1)},
		{"MCP_FULL_TEXT", strconv.Itoa(mcp.DefaultFullText), "characters of a description in get_submission",
			number(&c.MCP.FullText, 1)},
	}
}

func (s setting) flag() string { return strings.ToLower(strings.ReplaceAll(s.name, "_", "-")) }

// secret reports whether a setting has no flag: others can read a command line.
func (s setting) secret() bool {
	return slices.Contains([]string{"SECRET_KEY", "MANAGED_TOKEN", "MCP_FALLBACK_KEY", "SMTP_URL", "FILES_URL", "TRACES_HEADERS"}, s.name)
}

// defineFlags adds a flag for each setting.
func defineFlags(flags *pflag.FlagSet) {
	for _, s := range settings(&Config{}) {
		if !s.secret() {
			flags.String(s.flag(), s.value, s.help+" [LECTERN_"+s.name+"]")
		}
	}
}

// loadConfig takes each setting from its flag, else its variable, else its default, and reports all faults at once.
func loadConfig(flags *pflag.FlagSet) (*Config, error) {
	c := &Config{}
	var faults []error
	for _, s := range settings(c) {
		value, source := s.value, "LECTERN_"+s.name
		if v, set := os.LookupEnv("LECTERN_" + s.name); set && v != "" {
			value = v
		}
		if f := flags.Lookup(s.flag()); f != nil && f.Changed {
			value, source = f.Value.String(), "--"+s.flag()
		}
		if err := s.take(value); err != nil {
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
