package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
	"lectern/models/upkeep"
)

// opening says what a command needs of the database.
type opening struct {
	committed func() // called after a commit with emissions; may be nil
	seals     bool   // the command seals or opens secrets, so the key must fit
	acceptKey bool   // accept a key that does not fit, and give up what it does not open
	exists    bool   // an SQLite database must be there already
	lock      *upkeep.Lock
}

// open connects to the database of c and migrates it. It also returns the key that seals its secrets. If it refuses, it
// has written nothing.
func open(ctx context.Context, c *Config, o opening) (*models.Store, []byte, error) {
	key := &secretKey{value: c.SecretKey}
	if database, embedded := c.sqliteFile(); o.exists && embedded {
		if _, err := os.Stat(database); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("there is no database at %s; say with LECTERN_DATA_DIR or --data-dir where it is", database)
		}
	}
	if o.seals {
		var err error
		if key, err = c.findSecretKey(); err != nil {
			return nil, nil, err
		}
	}
	if err := c.makeRoom(); err != nil {
		return nil, nil, err
	}
	store, err := models.Open(ctx, c.DatabaseURL, c.storeOptions(key.value, o.committed))
	if err != nil {
		return nil, nil, err
	}
	if err := ready(ctx, c, store, key, o); err != nil {
		store.Close()
		return nil, nil, err
	}
	return store, key.value, nil
}

// databaseTime is how long serve waits for a database that does not answer yet.
const databaseTime = time.Minute

// openWaiting is open, but waits for a database that does not answer yet, as when both are started together.
func openWaiting(ctx context.Context, c *Config, o opening) (*models.Store, []byte, error) {
	for start := time.Now(); ; {
		db, key, err := open(ctx, c, o)
		if store.KindOf(err) != store.Unavailable || time.Since(start) > databaseTime {
			return db, key, err
		}
		slog.Warn("waiting for the database", "for", databaseTime.String(), "error", err.Error())
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func (c *Config) storeOptions(key []byte, committed func()) store.Options {
	var log *slog.Logger
	if c.SecurityLog != nil {
		log = slog.New(slog.NewMultiHandler(slog.Default().Handler(), c.SecurityLog.Handler()))
	}
	return store.Options{
		Log: log, BaseURL: c.BaseURL, SecretKey: key, Connections: c.DatabaseConnections, QuickSQLite: c.QuickSQLite,
		Committed: committed, Files: c.filePlace(), HasMail: c.Mail != nil, Version: versionText(),
	}
}

// filePlace returns where the bytes of files are kept.
func (c *Config) filePlace() files.Storage {
	if c.Files != nil {
		return c.Files
	}
	return files.NewDisk(filepath.Join(c.DataDir, "files"))
}

// checkFiles logs when no file can be stored; the server starts all the same.
func (c *Config) checkFiles(ctx context.Context) {
	place := c.filePlace()
	if disk, is := place.(*files.Disk); is {
		if err := disk.Tidy(); err != nil {
			slog.Warn("what a killed process left of uploads was not removed", "files", place.String(), "error", err.Error())
		}
	}
	if err := place.Check(ctx); err != nil && ctx.Err() == nil {
		slog.Warn("files cannot be kept; everything else works", "files", place.String(), "error", err.Error())
	}
}

// makeRoom creates the data directory for an SQLite database.
func (c *Config) makeRoom() error {
	if _, embedded := c.sqliteFile(); !embedded {
		return nil
	}
	return c.makeDataDir()
}

func (c *Config) makeDataDir() error {
	if err := os.MkdirAll(c.DataDir, 0o700); err != nil {
		return fmt.Errorf("cannot make the data directory: %w", err)
	}
	return nil
}

// ready checks the secret key before anything is changed, then migrates the schema.
func ready(ctx context.Context, c *Config, store *models.Store, key *secretKey, o opening) error {
	if o.seals {
		_, lost, err := upkeep.SealedSecrets(ctx, store)
		if err != nil {
			return err
		}
		if len(lost) > 0 && !o.acceptKey {
			return lostKey(key, lost)
		}
	}
	if _, err := bringUpToDate(ctx, c, store, o.lock); err != nil || !o.seals {
		return err
	}
	if key.missing() {
		err := errors.Join(c.makeDataDir(), key.keep())
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("another process made %s at the same moment; run the command again", key.file)
		}
		if err != nil {
			return fmt.Errorf("cannot keep a new secret key: %w", err)
		}
	}
	lost, err := upkeep.GiveUpLostSecrets(ctx, store)
	tellLost(lost)
	return err
}

// migrateWait is how long a command waits for another process that migrates.
const migrateWait = 2 * time.Second

// bringUpToDate migrates and returns the versions it applied. If lock is nil, it locks an SQLite database meanwhile, so
// that no schema changes under a running server.
func bringUpToDate(ctx context.Context, c *Config, store *models.Store, lock *upkeep.Lock) ([]int64, error) {
	for end := time.Now().Add(migrateWait); lock == nil; {
		has, knows, err := store.Schema(ctx)
		if err != nil {
			return nil, err
		}
		if has == knows {
			if folded, err := store.Folded(ctx); err != nil || folded {
				return nil, err
			}
		}
		mine, err := lockDatabase(c, "migrate")
		if err == nil {
			defer mine.Release()
			break
		}
		if h := new(upkeep.Holder); !errors.As(err, &h) {
			return nil, err
		} else if time.Now().After(end) {
			return nil, fmt.Errorf("%s, with schema %d, and this program would change it to %d: "+
				"stop that process first, or use the program it runs", h.Says(), has, knows)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return store.Migrate(ctx)
}

// sqliteFile returns the file of an SQLite database, with symbolic links resolved.
func (c *Config) sqliteFile() (path string, embedded bool) {
	path, embedded = strings.CutPrefix(c.DatabaseURL, "sqlite://")
	if !embedded {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, true
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path)), true
	}
	return path, true
}

// lockDatabase takes the lock beside the SQLite database of c for a command, or answers the *upkeep.Holder at once.
// PostgreSQL has none.
func lockDatabase(c *Config, does string) (*upkeep.Lock, error) {
	database, embedded := c.sqliteFile()
	if !embedded {
		return &upkeep.Lock{}, nil
	}
	return upkeep.LockDatabase(database, does)
}

func migrateCommand() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring the database's schema up to date", Args: cobra.NoArgs, RunE: configured(migrate),
	}
}

func migrate(cmd *cobra.Command, c *Config, _ []string) error {
	if err := c.makeRoom(); err != nil {
		return err
	}
	store, err := models.Open(cmd.Context(), c.DatabaseURL, c.storeOptions(c.SecretKey, nil))
	if err != nil {
		return err
	}
	defer store.Close()
	applied, err := bringUpToDate(cmd.Context(), c, store, nil)
	if err != nil {
		return err
	}
	if applied == nil {
		applied = []int64{}
	}
	return printJSON(cmd, map[string]any{"applied": applied})
}
