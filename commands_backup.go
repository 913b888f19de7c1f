package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/upkeep"
)

func backupCommand() *cobra.Command {
	return &cobra.Command{Use: "backup FILE|-",
		Short: "Copy an SQLite database to a new file, or to standard output, beside a running server",
		Args:  cobra.ExactArgs(1), RunE: configured(backup)}
}

func verifyCommand() *cobra.Command {
	return &cobra.Command{Use: "verify",
		Short: "Look whether the database is whole and its rows agree", Args: cobra.NoArgs,
		RunE: configured(func(cmd *cobra.Command, c *Config, _ []string) error {
			store, err := openAsItIs(cmd.Context(), c)
			if err != nil {
				return err
			}
			defer store.Close()
			v, err := upkeep.Verify(cmd.Context(), store)
			if err != nil {
				return err
			}
			if err := printJSON(cmd, v); err != nil {
				return err
			}
			if v.Wrong > 0 {
				return fmt.Errorf("faults found: %d; the findings say which", v.Wrong)
			}
			return nil
		})}
}

// openAsItIs opens an existing database, with the secret key if there is one, and changes neither.
func openAsItIs(ctx context.Context, c *Config) (*models.Store, error) {
	key, err := c.findSecretKey()
	if err != nil {
		return nil, err
	}
	var value []byte
	if !key.missing() {
		value = key.value
	}
	if file, embedded := c.sqliteFile(); embedded {
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("there is no database: %w", err)
		}
	}
	return models.Open(ctx, c.DatabaseURL, c.storeOptions(value, nil))
}

// backedUp is the output of backup.
type backedUp struct {
	File  string `json:"file"`
	Bytes int64  `json:"bytes"`
	*upkeep.Backup
}

func backup(cmd *cobra.Command, c *Config, args []string) error {
	file := args[0]
	database, embedded := c.sqliteFile()
	if !embedded {
		return dumpAdvice(c, file)
	}
	beside := file
	if file == "-" {
		beside = database
	} else if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s is there already, and a backup overwrites nothing", file)
	}
	store, err := openAsItIs(cmd.Context(), c)
	if err != nil {
		return err
	}
	defer store.Close()
	part, remove, err := partOf(beside)
	if err != nil {
		return err
	}
	defer remove()
	made, err := upkeep.BackUp(cmd.Context(), store, part)
	if err != nil {
		return err
	}
	size, err := os.Stat(part)
	if err != nil {
		return err
	}
	report := cmd.OutOrStdout()
	if file == "-" {
		report = cmd.ErrOrStderr()
		copied, err := os.Open(part)
		if err != nil {
			return err
		}
		defer copied.Close()
		if _, err := copied.WriteTo(cmd.OutOrStdout()); err != nil {
			return fmt.Errorf("cannot write the copy to standard output: %w", err)
		}
	} else if err := publish(part, file); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already, and a backup overwrites nothing", file)
	} else if err != nil {
		return err
	}
	warn(cmd, made)
	return json.NewEncoder(report).Encode(backedUp{file, size.Size(), made})
}

// warn prints what a copy lacks.
func warn(cmd *cobra.Command, made *upkeep.Backup) {
	if made.FilesWrong > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "lectern: %d files are not in this copy, because they are not in the file store as "+
			"they were kept; lectern verify says which\n", made.FilesWrong)
	}
	if made.Sealed > 0 && made.SecretKey == "" {
		fmt.Fprintln(cmd.ErrOrStderr(),
			"lectern: no key at hand opens the secrets in this copy; keep the one that does, but not beside it")
	}
}

// dumpAdvice returns the error that says how PostgreSQL is backed up: by its own tool.
func dumpAdvice(c *Config, file string) error {
	into := ""
	if file != "-" {
		into = " --file=" + shellWord(file)
	}
	return fmt.Errorf(`PostgreSQL is backed up by its own tool, while Lectern runs:
  pg_dump --format=custom --no-owner%s --dbname=%s
It asks for the password, or takes it from PGPASSWORD or ~/.pgpass.
%s
%s`, into, shellWord(libpqAddress(c.DatabaseURL)), filesAdvice(c), keyAdvice(c))
}

// restoreAdvice returns the error that says how PostgreSQL is restored.
func restoreAdvice(c *Config, file string) error {
	return fmt.Errorf(`PostgreSQL is restored by its own tool, into an empty database, while no Lectern runs on it:
  pg_restore --no-owner --exit-on-error --single-transaction --dbname=%s %s
It asks for the password, or takes it from PGPASSWORD or ~/.pgpass.
Put back the copy of the files in %s first. Then: lectern verify
%s`, shellWord(libpqAddress(c.DatabaseURL)), shellWord(file), c.filePlace(), keyAdvice(c))
}

// filesAdvice says how to copy the files that a dump lacks. Bytes never change and stay for a day after their row is
// deleted (those of an answer that somebody replaces go within the hour, and verify names it), so a copy begun after
// the dump has every file that the dump names.
func filesAdvice(c *Config) string {
	return fmt.Sprintf("The dump names the files and does not hold them. Copy %s afterwards, within a day, by rsync "+
		"or by the means of its service.", c.filePlace())
}

const keepKeyApart = ": without it the copy's secrets do not open. Keep it in another place than the copy."

func keyAdvice(c *Config) string {
	key, err := c.findSecretKey()
	if err != nil || key.missing() {
		return "No secret key is at hand here. Keep the one that the servers use" + keepKeyApart
	}
	return fmt.Sprintf("Keep the secret key (fingerprint %s, %s)", upkeep.KeyFingerprint(key.value), key.from) +
		keepKeyApart
}

// libpqWords are the parameters of a database address that PostgreSQL's own tools know and that are not secret.
var libpqWords = []string{"host", "hostaddr", "port", "dbname", "user",
	"sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "connect_timeout", "target_session_attrs", "channel_binding",
	"gssencmode", "application_name", "options"}

// libpqAddress returns a database address for PostgreSQL's tools, without its password.
func libpqAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "postgres://…"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for name := range query {
		if !slices.Contains(libpqWords, name) {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// shellWord quotes a word that a shell would split or expand.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@=,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
