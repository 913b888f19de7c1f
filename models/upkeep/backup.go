package upkeep

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	switch isOurs, err := hasTable(ctx, db, "goose_db_version"); {
	case err != nil:
		return nil, fmt.Errorf("this is no SQLite database, or it is damaged: %w", err)
	case !isOurs:
		return nil, errors.New("this is no database of Lectern")
	}
	if signed, err := hasTable(ctx, db, backupTable); err != nil || !signed {
		return &Backup{}, errors.Join(err, db.Close())
	}
	b := &Backup{}
	err = db.QueryRowContext(ctx, "SELECT schema_version, secret_key, taken_at FROM "+backupTable).
		Scan(&b.Schema, &b.SecretKey, &b.TakenAt)
	if err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, "DROP TABLE "+backupTable)
	return b, errors.Join(err, db.Close())
}

// filesTable exists only in copies: the bytes of all files, in pieces.
const filesTable = "lectern_backup_files"

// pieceSize is how many bytes of a file are in memory at once.
const pieceSize = 1 << 20

// packFiles puts the bytes of the files that a copy refers to into the copy. Files that are missing in the file store
// or damaged are only counted, lest one lost photo prevent all copies.
func (b *Backup) packFiles(ctx context.Context, db *sql.DB, place files.Storage) error {
	sums, err := filesNamed(ctx, db)
	if err != nil || len(sums) == 0 {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, "CREATE TABLE "+filesTable+
		" (key text NOT NULL, piece integer NOT NULL, bytes blob NOT NULL, PRIMARY KEY (key, piece))"); err != nil {
		return err
	}
	for _, f := range sums {
		sum, err := readWhole(ctx, place, f.key, func(piece int, bytes []byte) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO "+filesTable+" VALUES (?, ?, ?)", f.key, piece, bytes)
			return err
		})
		switch {
		case errors.Is(err, files.ErrMissing), err == nil && sum != f.sum:
			b.FilesWrong++
		case err != nil:
			return fmt.Errorf("cannot copy the files: %w", err)
		default:
			b.Files++
		}
	}
	return tx.Commit()
}

// fileNamed is the key and checksum of a file, as its row has them.
type fileNamed struct{ key, sum string }

// filesNamed returns the files of a database, whose schema may be too old to have any.
func filesNamed(ctx context.Context, db *sql.DB) (all []fileNamed, err error) {
	if there, err := hasTable(ctx, db, "files"); err != nil || !there {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, "SELECT key, sha256 FROM files ORDER BY key")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var f fileNamed
		if err := rows.Scan(&f.key, &f.sum); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, rows.Err()
}

func hasTable(ctx context.Context, db *sql.DB, name string) (there bool, err error) {
	err = db.QueryRowContext(ctx, "SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = ?", name).Scan(&there)
	return there, err
}

// readWhole passes a file to take in pieces, at least one, and returns its SHA-256.
func readWhole(ctx context.Context, place files.Storage, key string, take func(int, []byte) error) (string, error) {
	there, err := place.Open(ctx, key)
	if err != nil {
		return "", err
	}
	defer there.Close()
	sum, bytes := sha256.New(), make([]byte, pieceSize)
	for piece := 0; ; piece++ {
		n, err := io.ReadFull(there, bytes)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return "", err
		}
		if n > 0 || piece == 0 {
			sum.Write(bytes[:n])
			if err := take(piece, bytes[:n]); err != nil {
				return "", err
			}
		}
		if err != nil {
			return hex.EncodeToString(sum.Sum(nil)), nil
		}
	}
}

// UnpackFiles puts the bytes of the files in a copy into the file store, where they are missing, and removes them from
// the copy. It returns how many there are.
func UnpackFiles(ctx context.Context, file string, place files.Storage) (int, error) {
	db, err := store.OpenCopy(file)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	if there, err := hasTable(ctx, db, filesTable); err != nil || !there {
		return 0, err
	}
	sums, err := filesNamed(ctx, db)
	if err != nil {
		return 0, err
	}
	part, err := os.CreateTemp(filepath.Dir(file), ".unpacking-*")
	if err != nil {
		return 0, err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	unpacked := 0
	for _, f := range sums {
		sum, err := unpackOne(ctx, db, part, f.key)
		if err == nil && sum == f.sum { // the copy has it, undamaged
			unpacked++
			err = putBack(ctx, place, f, part)
		}
		if err != nil {
			return 0, fmt.Errorf("cannot put the files back: %w", err)
		}
	}
	_, err = db.ExecContext(ctx, "DROP TABLE "+filesTable)
	if err == nil {
		_, err = db.ExecContext(ctx, "VACUUM") // shrinks the database to its former size
	}
	return unpacked, errors.Join(err, db.Close())
}

// unpackOne writes the pieces of a file into part, from its beginning, and returns their SHA-256.
func unpackOne(ctx context.Context, db *sql.DB, part *os.File, key string) (string, error) {
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if err := part.Truncate(0); err != nil {
		return "", err
	}
	rows, err := db.QueryContext(ctx, "SELECT bytes FROM "+filesTable+" WHERE key = ? ORDER BY piece", key)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	sum := sha256.New()
	for rows.Next() {
		var bytes []byte
		if err := rows.Scan(&bytes); err != nil {
			return "", err
		}
		sum.Write(bytes)
		if _, err := part.Write(bytes); err != nil {
			return "", err
		}
	}
	_, err = part.Seek(0, io.SeekStart)
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(rows.Err(), err)
}

// putBack stores a file unless it is there undamaged; it replaces a damaged one.
func putBack(ctx context.Context, place files.Storage, f fileNamed, content io.ReadSeeker) error {
	sum, err := readWhole(ctx, place, f.key, func(int, []byte) error { return nil })
	switch {
	case err == nil && sum == f.sum:
		return nil
	case err == nil:
		err = place.Delete(ctx, f.key)
	case errors.Is(err, files.ErrMissing):
		err = nil
	}
	if err != nil {
		return err
	}
	return place.Put(ctx, f.key, content)
}
