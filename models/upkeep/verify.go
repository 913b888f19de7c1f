// Package upkeep preserves what the programme has: copies, checks, and what to do with secrets that cannot be opened
// any more.
package upkeep

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/look"
)

// Verification is the result of Verify.
type Verification struct {
	Database string   `json:"database"` // sqlite or postgres
	Schema   int64    `json:"schema_version"`
	Wrong    int      `json:"wrong"` // of all checks
	Checks   []*Check `json:"checks"`
}

// Check is one thing that must hold, and what was found.
type Check struct {
	Name     string   `json:"check"`
	Holds    string   `json:"holds"` // what is right
	Looked   int64    `json:"looked_at"`
	Wrong    int      `json:"wrong"`
	Findings []string `json:"findings,omitempty"` // at most maxFindings
	Note     string   `json:"note,omitempty"`     // what could not be checked, and why
}

const maxFindings = 20

func (c *Check) find(format string, args ...any) {
	if c.Wrong++; len(c.Findings) < maxFindings {
		c.Findings = append(c.Findings, fmt.Sprintf(format, args...))
	}
}

// verifyStep fills in a check; db is one snapshot for the whole step.
type verifyStep struct {
	name, holds string
	run         func(s *models.Store, db *gorm.DB, c *Check) error
}

// verifySteps are all checks except that of the schema, which they depend on.
var verifySteps = []verifyStep{
	{"integrity", "the database's files and indexes are whole", checkIntegrity},
	{"foreign keys", "what rows refer to is there", checkForeignKeys},
	{"secrets", "the secret key opens what is sealed", checkSecrets},
	{"sessions", "what sessions keep for searching and sorting is that of their text and people", checkSessions},
	{"contacts", "what contacts keep for searching and sorting is that of their names", checkContacts},
	{"folded", "names and addresses are folded as they are looked up", checkFolded},
	{"colours", "the colours of an event's public pages are derived from its brand and paper", checkColours},
	{"search", "the search index has the text of all sessions", checkSearch},
	{"files", "every file is in the file store, as it was kept", checkFiles},
	{"rounds", "the result of a delivery round is that of its last attempt", checkRounds},
}

// Verify checks whether the database is whole and its rows agree with each other, while others read and write. It
// changes nothing. Faults, and checks that cannot be made, are in the result; an error means that the database cannot
// be asked at all.
func Verify(ctx context.Context, s *models.Store) (*Verification, error) {
	has, knows, err := s.Schema(ctx)
	if err != nil {
		return nil, err
	}
	v := &Verification{Database: s.Dialect(), Schema: has}
	schema := &Check{Name: "schema", Holds: fmt.Sprintf("the schema is version %d, which this program knows", knows),
		Looked: 1}
	v.Checks = append(v.Checks, schema)
	switch {
	case has < knows:
		schema.find("the schema is version %d, so nothing else was looked at; lectern migrate brings it up to date", has)
	case has > knows:
		schema.find("the schema is version %d, of a newer Lectern, so nothing else was looked at; verify it with that one", has)
	default:
		for _, step := range verifySteps {
			v.Checks = append(v.Checks, check(ctx, s, step))
		}
		for _, rule := range keptRules {
			v.Checks = append(v.Checks, check(ctx, s, verifyStep{rule.name, rule.holds, rule.run}))
		}
	}
	for _, c := range v.Checks {
		v.Wrong += c.Wrong
	}
	return v, ctx.Err()
}

// check runs one step on a snapshot of its own.
func check(ctx context.Context, s *models.Store, step verifyStep) *Check {
	c := &Check{Name: step.name, Holds: step.holds}
	err := s.Snapshot(ctx, func(db *gorm.DB) error {
		if !s.Embedded() {
			for _, limit := range []string{"statement_timeout", "idle_in_transaction_session_timeout"} {
				if err := db.Exec("SET LOCAL " + limit + " = 0").Error; err != nil {
					return err
				}
			}
		}
		return step.run(s, db, c)
	})
	if err != nil {
		c.find("this could not be looked at: %v", err)
	}
	return c
}

// checkSecrets checks whether the secret key opens what is sealed.
func checkSecrets(s *models.Store, db *gorm.DB, c *Check) error {
	all, lost, err := sealedSecrets(s, db)
	c.Looked = int64(all)
	if len(lost) > 0 && len(s.Options.SecretKey) == 0 {
		c.find("there is no secret key here that opens what is sealed (%d)", all)
		return err
	}
	for _, secret := range lost {
		c.find("the %s secret of %s (%s) does not open with the secret key at hand", secret.Kind, secret.Whose, secret.ID)
	}
	return err
}

// checkColours derives the colours of all looks again and compares them.
func checkColours(_ *models.Store, db *gorm.DB, c *Check) error {
	var looks []*look.Look
	if err := db.Order("event_id").Find(&looks).Error; err != nil {
		return err
	}
	for _, l := range looks {
		if c.Looked++; l.Colours != look.Derive(l.Brand, l.Paper) {
			c.find("the colours of %s are not those of its brand and paper", l.EventID)
		}
	}
	return nil
}

// filesReadAtOnce is how many files are read in parallel, for distant file stores.
const filesReadAtOnce = 8

// checkFiles reads every file and compares its checksum.
func checkFiles(s *models.Store, db *gorm.DB, c *Check) error {
	var rows []*models.File
	if err := db.Select("id, key, name, sha256").Order("key").Find(&rows).Error; err != nil {
		return err
	}
	c.Looked = int64(len(rows))
	place, ctx := s.Options.Files, db.Statement.Context
	wrong := make([]string, len(rows))
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(filesReadAtOnce)
	for i, f := range rows {
		reading.Go(func() error {
			sum, err := readWhole(ctx, place, f.Key, func(int, []byte) error { return nil })
			switch {
			case errors.Is(err, files.ErrMissing):
				wrong[i] = "is not there"
			case err == nil && sum != f.SHA256:
				wrong[i] = "has other bytes than were kept"
			default:
				return err
			}
			return nil
		})
	}
	if err := reading.Wait(); err != nil {
		return err
	}
	for i, f := range rows {
		if wrong[i] != "" {
			c.find("the file %s (%s, key %s) %s", f.ID, f.Name, f.Key, wrong[i])
		}
	}
	return noteUnknownFiles(s, db, rows, c)
}

// noteUnknownFiles counts the files in the file store that the database does not know, as after an older copy was
// restored.
func noteUnknownFiles(s *models.Store, db *gorm.DB, rows []*models.File, c *Check) error {
	known := make(map[string]bool, len(rows))
	for _, f := range rows {
		known[f.Key] = true
	}
	var leftovers []string
	if err := db.Table("file_leftovers").Pluck("key", &leftovers).Error; err != nil {
		return err
	}
	for _, key := range leftovers {
		known[key] = true
	}
	var count, size int64
	err := s.Options.Files.Each(db.Statement.Context, func(key string, bytes int64) error {
		if !known[key] {
			count, size = count+1, size+bytes
		}
		return nil
	})
	if count > 0 {
		c.Note = fmt.Sprintf("%s has %d more files (%d bytes) that this database does not know: they are newer than it, "+
			"or another's", s.Options.Files, count, size)
	}
	return err
}
