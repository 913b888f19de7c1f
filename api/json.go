package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// unmarshal reads JSON with the standard library, which is strict. Whole numbers may be written 21.0. Its errors name the
// field, but no Go types.
func unmarshal(b []byte, v any) error {
	err := json.Unmarshal(wholeNumbers(b), v)
	if err == nil {
		return nil
	}
	why := strings.TrimPrefix(err.Error(), "json: ")
	var misfit *json.UnmarshalTypeError
	if errors.As(err, &misfit) {
		where := cmp.Or(misfit.Field, "what stands here")
		why = where + " must not be of type " + strings.Replace(misfit.Value, "bool", "boolean", 1)
		if strings.HasPrefix(misfit.Value, "number ") { // the digits follow
			why = where + " must be a smaller number"
		}
	}
	return fmt.Errorf("is not valid JSON of the expected form (%s)", why)
}

// wholeNumbers returns b with whole numbers that have a fraction or an exponent, as in 21.0, written without it, the
// only form that encoding/json reads into an integer.
func wholeNumbers(b []byte) []byte {
	var out []byte
	kept := 0 // how much of b is in out
	for i := 0; i < len(b); {
		n := 1
		switch c := b[i]; {
		case c == '"':
			n = stringLength(b[i:])
		case c == '-' || c >= '0' && c <= '9':
			n = numberLength(b[i:])
			if whole, found := wholeNumber(b[i : i+n]); found {
				out = append(append(out, b[kept:i]...), whole...)
				kept = i + n
			}
		}
		i += n
	}
	if kept == 0 {
		return b
	}
	return append(out, b[kept:]...)
}

// stringLength returns the length of the string that b begins with, including its quotes.
func stringLength(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

func numberLength(b []byte) int {
	n := 0
	for n < len(b) && strings.IndexByte("+-.0123456789eE", b[n]) >= 0 {
		n++
	}
	return n
}

// wholeNumber writes a number without its fraction and exponent, if it has one and is whole; beyond 2⁵³ the result
// might be another number.
func wholeNumber(number []byte) (whole []byte, found bool) {
	if !bytes.ContainsAny(number, ".eE") || !json.Valid(number) {
		return nil, false
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return nil, false
	}
	return strconv.AppendInt(nil, int64(f), 10), true
}
