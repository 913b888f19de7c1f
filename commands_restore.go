package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lectern/models/changes"
	"lectern/models/files"
	"lectern/models/store"
	"lectern/models/upkeep"
)

func restoreCommand() *cobra.Command {
	var force bool
	cmd := &cobra.Command{Use: "restore FILE|-",
		Short: "Put a copy that backup made in the place of the SQLite database", Args: cobra.ExactArgs(1),
		RunE: configured(func(cmd *cobra.Command, c *Config, args []string) error {
			return restore(cmd, c, args[0], force)
		})}
	cmd.Flags().BoolVar(&force, "force", false, "move a database that is there aside")
	return cmd
}

// restored is the output of restore.
type restored struct {
	Database   string `json:"database"`
	MovedAside string `json:"moved_aside,omitempty"` // the previous database's new path
	Wrong      int    `json:"wrong"`                 // faults that verify finds in the restored database
	*upkeep.Backup
}

func restore(cmd *cobra.Command, c *Config, from string, force bool) error {
	database, embedded := c.sqliteFile()
	if !embedded {
		return restoreAdvice(c, from)
	}
	lock, err := lockDatabase(c, "restore")
	if err != nil {
		return err
	}
	defer lock.Release()
	if len(filesOf(database)) > 0 && !force {
		return fmt.Errorf("there is a database at %s already; --force moves it aside", database)
	}
	part, remove, err := partOf(database)
	if err != nil {
		return err
	}
	defer remove()
	if err := fetch(cmd, from, part); err != nil {
		return err
	}
	ctx, done := cmd.Context(), restored{Database: database}
	if done.Backup, err = upkeep.Unsign(ctx, part); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if done.Files, err = upkeep.UnpackFiles(ctx, part, c.filePlace()); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	say := func(format string, args ...any) { fmt.Fprintf(cmd.ErrOrStderr(), "lectern: "+format+"\n", args...) }
	if done.Wrong, err = look(ctx, c, part, done.SecretKey, say); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if done.MovedAside, err = replace(ctx, part, database); err != nil {
		return err
	}
	return printJSON(cmd, done)
}

// filesOf returns the existing files of an SQLite database.
func filesOf(database string) (files []string) {
	for _, end := range sqliteFiles {
		if _, err := os.Lstat(database + end); err == nil {
			files = append(files, database+end)
		}
	}
	return files
}

func fetch(cmd *cobra.Command, from, part string) error {
	if from == "-" {
		return copyFile(part, cmd.InOrStdin())
	}
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	return copyFile(part, io.Reader(file))
}

// look migrates a copy and verifies it before it replaces the database. It refuses a damaged copy; other faults, and a
// secret key that does not fit, it reports through say.
func look(ctx context.Context, c *Config, part, fingerprint string, say func(string, ...any)) (wrong int, err error) {
	key, err := c.findSecretKey()
	if err != nil {
		return 0, err
	}
	at := &Config{DatabaseURL: "sqlite://" + part, DataDir: c.DataDir, SecretKey: c.SecretKey, Files: c.Files}
	store, err := openAsItIs(ctx, at)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	if _, err := store.Migrate(ctx); err != nil {
		return 0, err
	}
	if err := changes.Restored(ctx, store); err != nil {
		return 0, err
	}
	v, err := upkeep.Verify(ctx, store)
	if err != nil {
		return 0, err
	}
	for _, check := range v.Checks {
		if check.Wrong > 0 && slices.Contains([]string{"integrity", "foreign keys"}, check.Name) {
			return 0, fmt.Errorf("the copy is damaged, so the database was left as it is: %s",
				strings.Join(check.Findings, "; "))
		}
		for _, finding := range check.Findings {
			say("%s: %s", check.Name, finding)
		}
	}
	_, lost, err := upkeep.SealedSecrets(ctx, store)
	if err != nil {
		return 0, err
	}
	if len(lost) > 0 {
		sayKey(key, fingerprint, say)
	}
	return v.Wrong, store.Close()
}

// sayKey reports which key a copy needs and where to put it.
func sayKey(key *secretKey, fingerprint string, say func(string, ...any)) {
	needs := "the key with the fingerprint " + fingerprint
	has := "another one is at " + key.from + " (fingerprint " + upkeep.KeyFingerprint(key.value) + ")"
	if fingerprint == "" {
		needs = "another secret key"
	}
	if key.missing() {
		has = "there is none at " + key.from
	}
	say(
		"the secrets in this copy need %s, and %s. Put it there, or into LECTERN_SECRET_KEY, before you start the server; "+
			"if it is lost for good, start with lectern serve --accept-new-secret-key", needs, has)
}

// replace puts a database in the place of another one, which it moves aside. At each moment one of the two is there.
func replace(ctx context.Context, part, database string) (aside string, err error) {
	if files := filesOf(part); len(files) != 1 {
		return "", fmt.Errorf("the copy did not become one file: %s", strings.Join(files, ", "))
	}
	if err := syncFile(part); err != nil {
		return "", err
	}
	if there := filesOf(database); len(there) > 0 {
		aside = database + ".before-" + time.Now().UTC().Format("20060102T150405Z")
		if there[0] == database {
			release, err := store.HaveAlone(ctx, database)
			if store.KindOf(err) == store.Unavailable {
				return "", fmt.Errorf("another command has %s open: wait until it has ended", database)
			}
			if err == nil {
				defer release()
			}
		}
		// What cannot be read is kept with its log: SQLite would apply a log that stayed to the new database.
		for _, file := range slices.Backward(filesOf(database)) {
			to := aside + strings.TrimPrefix(file, database)
			if err := keepAside(file, to); err != nil {
				return "", err
			}
		}
	}
	if err := os.Rename(part, database); err != nil {
		return "", err
	}
	return aside, files.SyncDir(filepath.Dir(database))
}

// keepAside gives a file another name. The database itself also keeps its own, until the new one takes it.
func keepAside(file, to string) error {
	if strings.HasSuffix(file, "-wal") || strings.HasSuffix(file, "-shm") {
		return os.Rename(file, to)
	}
	if err := os.Link(file, to); err != nil {
		return os.Rename(file, to) // not every file system has hard links
	}
	return nil
}
