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

	"lectern/models/files"
	"lectern/models/store"
)

// filesTable is in a copy alone: the bytes of all files, piece by piece.
const filesTable = "lectern_backup_files"

// pieceSize bounds what of a file is in memory at once.
const pieceSize = 1 << 20

// packFiles puts the bytes of the files that a copy names into the copy. What is not in the file store, or not as
// it was kept, is counted, lest one lost photo stand in the way of all copies.
func (b *Backup) packFiles(ctx context.Context, db *sql.DB, place files.Place) error {
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

// fileNamed is a file as its row knows it.
type fileNamed struct{ key, sum string }

// filesNamed are those of a database, which may be older than files.
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

// readWhole hands a file on piece by piece, at least one, and returns its SHA-256.
func readWhole(ctx context.Context, place files.Place, key string, take func(int, []byte) error) (string, error) {
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

// UnpackFiles puts the bytes of the files in a copy into the file store, where they are not there yet, and takes
// them out of the copy. It returns how many there are.
func UnpackFiles(ctx context.Context, file string, place files.Place) (int, error) {
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
		if err == nil && sum == f.sum { // it is in the copy, whole
			unpacked++
			err = putBack(ctx, place, f, part)
		}
		if err != nil {
			return 0, fmt.Errorf("cannot put the files back: %w", err)
		}
	}
	_, err = db.ExecContext(ctx, "DROP TABLE "+filesTable)
	if err == nil {
		_, err = db.ExecContext(ctx, "VACUUM") // the database is as small as it was
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

// putBack keeps a file unless it is there as it was; what is there otherwise gives way.
func putBack(ctx context.Context, place files.Place, f fileNamed, content io.ReadSeeker) error {
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
