package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// foldedAtOnce is the number of rows folded in one transaction.
const foldedAtOnce = 200

// foldingTables are the tables that a migration can ask to be folded anew. Each function folds the next rows after an
// id and returns the last one's id, or "" if there are none.
var foldingTables = map[string]func(tx *store.Tx, after string) (string, error){
	"contacts": foldContacts, "metadata": foldMetadata, "sessions": foldSessions,
}

// Migrate brings the schema and the rows' search texts up to date and returns the versions it applied. It continues
// where an interrupted migration ended. Others may write meanwhile.
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	versions, err := s.Store.Migrate(ctx)
	for folded := false; err == nil && !folded; {
		folded, err = s.foldStep(ctx)
	}
	return versions, err
}

// Folded reports whether every migration's folding is done.
func (s *Store) Folded(ctx context.Context) (bool, error) {
	var left int64
	err := s.Read(ctx).Table("folding").Count(&left).Error
	return left == 0, err
}

// foldStep folds the next rows anew and reports whether none were left.
func (s *Store) foldStep(ctx context.Context) (folded bool, err error) {
	err = s.Write(ctx, func(tx *store.Tx) error {
		var table struct{ Name, Done string }
		found := tx.Lock().Table("folding").Order("name").Limit(1).Scan(&table)
		if folded = found.RowsAffected == 0; found.Error != nil || folded {
			return found.Error
		}
		last, err := foldingTables[table.Name](tx, table.Done)
		switch {
		case err != nil:
			return err
		case last == "":
			return tx.Exec("DELETE FROM folding WHERE name = ?", table.Name).Error
		}
		return tx.Exec("UPDATE folding SET done = ? WHERE name = ?", last, table.Name).Error
	})
	return folded, err
}

// foldingRows selects the next rows to be folded, and locks them.
func foldingRows(tx *store.Tx, after string) *gorm.DB {
	return tx.Lock().Where("id > ?", after).Order("id").Limit(foldedAtOnce)
}

func foldContacts(tx *store.Tx, after string) (last string, err error) {
	var rows []*Contact
	if err := foldingRows(tx, after).Find(&rows).Error; err != nil {
		return "", err
	}
	for _, row := range rows {
		was := *row
		if row.Index(); *row == was {
			continue
		}
		if err := tx.Model(row).Select("search", "company_key", "job_key").UpdateColumns(row).Error; err != nil {
			return "", err
		}
	}
	return lastOf(rows, func(row *Contact) string { return row.ID }), nil
}

func foldMetadata(tx *store.Tx, after string) (last string, err error) {
	var rows []*Metadata
	if err := foldingRows(tx, after).Find(&rows).Error; err != nil {
		return "", err
	}
	for _, row := range rows {
		if err := tx.Model(row).UpdateColumn("name_key", store.Searchable(row.Name)).Error; err != nil {
			return "", err
		}
	}
	return lastOf(rows, func(row *Metadata) string { return row.ID }), nil
}

func foldSessions(tx *store.Tx, after string) (last string, err error) {
	var rows []*Session
	if err := foldingRows(tx, after).Select(append([]string{"search"}, readColumns...)).Find(&rows).Error; err != nil {
		return "", err
	}
	return lastOf(rows, func(row *Session) string { return row.ID }), reindex(tx, rows)
}

// lastOf returns the id of the last row, "" for none.
func lastOf[T any](rows []T, id func(T) string) string {
	if len(rows) == 0 {
		return ""
	}
	return id(rows[len(rows)-1])
}
