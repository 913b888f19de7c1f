// Command filled writes the demonstration's database as this version leaves it, of both kinds, for the test that the next
// version upgrades: VERSION.db.gz and VERSION.sql.gz in a folder. It needs LECTERN_TEST_POSTGRES and its pg_dump.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"lectern/models"
	"lectern/models/demo"
	"lectern/models/files"
	"lectern/models/store"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: filled VERSION FOLDER")
		os.Exit(2)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	if err := write(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(ctx context.Context, version, folder string) error {
	dir, err := os.MkdirTemp("", "lectern-filled")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "lectern.db")
	address, drop, err := database()
	if err != nil {
		return err
	}
	defer drop()
	for _, database := range []string{"sqlite://" + file, address} {
		if err := fill(ctx, dir, database); err != nil {
			return err
		}
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := pack(filepath.Join(folder, version+".db.gz"), content); err != nil {
		return err
	}
	dump, err := exec.Command("pg_dump", "--inserts", "--rows-per-insert=100", "--no-owner", "--no-comments", address).Output()
	if err != nil {
		return fmt.Errorf("pg_dump: %w", err)
	}
	return pack(filepath.Join(folder, version+".sql.gz"), restricting.ReplaceAll(dump, nil))
}

// restricting are commands of newer versions of psql, which older ones do not know.
var restricting = regexp.MustCompile(`(?m)^\\(un)?restrict .*\n`)

// database makes an empty one on the PostgreSQL of tests.
func database() (address string, drop func(), err error) {
	server := os.Getenv("LECTERN_TEST_POSTGRES")
	u, err := url.Parse(server)
	if err != nil || server == "" {
		return "", nil, fmt.Errorf("LECTERN_TEST_POSTGRES is not set; run make filled")
	}
	psql := func(statement string) error {
		out, err := exec.Command("psql", "-qd", server, "-c", statement).CombinedOutput()
		if err != nil {
			return fmt.Errorf("psql: %w: %s", err, out)
		}
		return nil
	}
	if err := psql("CREATE DATABASE lectern_filled"); err != nil {
		return "", nil, err
	}
	u.Path = "/lectern_filled"
	return u.String(), func() { psql("DROP DATABASE lectern_filled WITH (FORCE)") }, nil
}

// key is the secret key of these databases, which the test knows.
var key = bytes.Repeat([]byte("k"), 32)

func fill(ctx context.Context, dir, database string) error {
	db, err := models.Open(ctx, database, store.Options{SecretKey: key, Files: files.NewDisk(filepath.Join(dir, "files"))})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Migrate(ctx); err != nil {
		return err
	}
	_, err = demo.Fill(ctx, db, demo.Options{Password: "of a database in tests", Receiver: "https://receiver.example"})
	return err
}

func pack(file string, content []byte) error {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}
