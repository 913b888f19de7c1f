package upkeep

import (
	"context"
	"errors"
	"fmt"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// Backup is the description that a copy of an SQLite database carries.
type Backup struct {
	Schema int64 `json:"schema_version"`
	// SecretKey is the fingerprint of the key that opens the secrets in it; "" when unknown.
	SecretKey string     `json:"secret_key"`
	TakenAt   store.Time `json:"taken_at"`
	Files     int        `json:"files"` // whose bytes are in the copy
	// FilesWrong counts the files that were missing in the file store, or damaged.
	FilesWrong int `json:"files_missing,omitempty"`
	Sealed     int `json:"-"` // how many secrets are sealed, when it was made
}

// backupTable exists only in copies.
const backupTable = "lectern_backup"

// BackUp writes a copy of an SQLite database, as it is at one moment, with the bytes of all its files, to a new or
// empty file. Reads and writes go on meanwhile. Whatever was committed before the call is in the copy. It returns an
// error on PostgreSQL, which has pg_dump.
func BackUp(ctx context.Context, s *models.Store, file string) (*Backup, error) {
	if !s.Embedded() {
		return nil, errors.New("this is for SQLite; PostgreSQL has pg_dump")
	}
	b := &Backup{TakenAt: s.Now()}
	if err := s.CopyTo(ctx, file); err != nil {
		return nil, err
	}
	all, lost, err := SealedSecrets(ctx, s)
	if err != nil {
		return nil, err
	}
	if b.Sealed = all; len(lost) == 0 {
		b.SecretKey = KeyFingerprint(s.Options.SecretKey)
	}
	return b, b.sign(ctx, file, s.Options.Files)
}

// sign checks the copy's integrity, packs the files into it and writes its description.
func (b *Backup) sign(ctx context.Context, file string, place files.Storage) error {
	db, err := store.OpenCopy(file)
	if err != nil {
		return err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied").
		Scan(&b.Schema)
	if err != nil {
		return err
	}
	var said string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&said); err != nil || said != "ok" {
		return errors.Join(errors.New("the copy is damaged: "+said), err)
	}
	if err := b.packFiles(ctx, db, place); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "CREATE TABLE "+backupTable+
		" (schema_version integer NOT NULL, secret_key text NOT NULL, taken_at text NOT NULL)")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, "INSERT INTO "+backupTable+" VALUES (?, ?, ?)", b.Schema, b.SecretKey, b.TakenAt.String())
	return errors.Join(err, db.Close())
}

// Unsign turns a copy into a plain database again and returns its description; the zero Backup for a copy of another
// kind.
func Unsign(ctx context.Context, file string) (*Backup, error) {
	db, err := store.OpenCopy(file)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	b := &Backup{}
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = 'goose_db_version'").Scan(&b.Schema)
	if err != nil {
		return nil, fmt.Errorf("this is no SQLite database, or it is damaged: %w", err)
	}
	if b.Schema == 0 {
		return nil, errors.New("this is no database of Lectern")
	}
	var signed bool
	if err := db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_master WHERE name = ?", backupTable).
		Scan(&signed); err != nil {
		return nil, err
	}
	if !signed {
		return &Backup{}, db.Close()
	}
	err = db.QueryRowContext(ctx, "SELECT schema_version, secret_key, taken_at FROM "+backupTable).
		Scan(&b.Schema, &b.SecretKey, &b.TakenAt)
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, "DROP TABLE "+backupTable)
	return b, errors.Join(err, db.Close())
}
