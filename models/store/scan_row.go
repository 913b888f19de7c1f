package store

import (
	"database/sql"
	"encoding/binary"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// scanAll scans the rows that PostgreSQL sent. It decodes texts, integers, booleans, times and JSON itself, which make
// up nearly all rows: pgx asks several interfaces for each value and allocates each text. All other types are left to
// pgx.
func scanAll(rows pgx.Rows, targets func() []any) error {
	defer rows.Close()
	var short texts
	for rows.Next() {
		columns, values, into := rows.FieldDescriptions(), rows.RawValues(), targets() // a failed query has no columns
		if len(values) != len(into) {
			return rows.Scan(into...) // which returns the error
		}
		for i, value := range values {
			if scanValue(&columns[i], value, into[i], &short) {
				continue
			}
			if err := rows.Conn().TypeMap().Scan(columns[i].DataTypeOID, columns[i].Format, value, into[i]); err != nil {
				return pgx.ScanArgError{ColumnIndex: i, FieldName: columns[i].Name, Err: err}
			}
		}
	}
	return rows.Err()
}

// scanValue decodes a value into the target of a pointer. It answers false for types that it does not know.
func scanValue(column *pgconn.FieldDescription, value []byte, into any, short *texts) bool {
	isBinary := column.Format == pgx.BinaryFormatCode
	switch kind := column.DataTypeOID; {
	case value == nil:
		return setNull(into)
	case kind == pgtype.TextOID:
		return setText(into, value, short)
	case kind == pgtype.JSONBOID && !isBinary:
		to, scans := into.(sql.Scanner)
		return scans && to.Scan(value) == nil // on failure pgx scans it again and returns the error
	case kind == pgtype.TimestamptzOID && isBinary:
		return set(into, value, timeOf)
	case kind == pgtype.Int4OID && isBinary:
		return set(into, value, func(b []byte) int { return int(int32(binary.BigEndian.Uint32(b))) })
	case kind == pgtype.Int8OID && isBinary:
		return set(into, value, func(b []byte) int64 { return int64(binary.BigEndian.Uint64(b)) })
	case kind == pgtype.BoolOID && isBinary:
		return set(into, value, func(b []byte) bool { return b[0] != 0 })
	}
	return false
}

func setNull(into any) bool {
	switch to := into.(type) {
	case **string:
		*to = nil
	case **Time:
		*to = nil
	case **int:
		*to = nil
	default:
		return false
	}
	return true
}

func set[T any](into any, value []byte, read func([]byte) T) bool {
	switch to := into.(type) {
	case *T:
		*to = read(value)
	case **T:
		*to = new(read(value))
	default:
		return false
	}
	return true
}

// setText also knows named string types, such as a status.
func setText(into any, value []byte, short *texts) bool {
	switch to := into.(type) {
	case *string:
		*to = short.of(value)
	case **string:
		*to = new(short.of(value))
	case sql.Scanner:
		return false
	default:
		named := reflect.ValueOf(into).Elem()
		if named.Kind() != reflect.String {
			return false
		}
		named.SetString(short.of(value))
	}
	return true
}

// epoch is the moment from which PostgreSQL counts microseconds.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func timeOf(b []byte) Time {
	return At(time.UnixMicro(epoch.UnixMicro() + int64(binary.BigEndian.Uint64(b))))
}

// texts allocates the short texts of rows together, several to a piece of memory.
type texts struct{ piece strings.Builder }

const (
	longText  = 64 // a longer text gets memory of its own, so that keeping a short one keeps little else alive
	pieceSize = 1024
)

func (t *texts) of(b []byte) string {
	if len(b) > longText {
		return string(b)
	}
	if t.piece.Cap()-t.piece.Len() < len(b) {
		t.piece = strings.Builder{}
		t.piece.Grow(pieceSize)
	}
	at := t.piece.Len()
	t.piece.Write(b)
	return t.piece.String()[at:]
}
