package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// unmarshal reads JSON with the standard library, which is strict. Whole numbers may be written 21.0. Its errors name the
// field, but no Go types.
func unmarshal(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	misfit, isMisfit := errors.AsType[*json.UnmarshalTypeError](err)
	if isMisfit && strings.HasPrefix(misfit.Value, "number ") {
		err = json.Unmarshal(wholeNumbers(b), v)
		misfit, isMisfit = errors.AsType[*json.UnmarshalTypeError](err)
	}
	if err == nil {
		return nil
	}
	why := strings.TrimPrefix(err.Error(), "json: ")
	if isMisfit {
		where := cmp.Or(misfit.Field, "what stands here")
		why = where + " must not be of type " + strings.Replace(misfit.Value, "bool", "boolean", 1)
		if strings.HasPrefix(misfit.Value, "number ") { // the digits follow
			why = where + " must be a smaller number"
		}
	}
	return fmt.Errorf("is not valid JSON of the expected form (%s)", why)
}

// stringOrNumber finds the strings and the numbers of JSON.
var stringOrNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][-+.0-9eE]*`)

// wholeNumbers returns b with whole numbers that have a fraction or an exponent, as in 21.0, written without it, the
// only form that encoding/json reads into an integer.
func wholeNumbers(b []byte) []byte {
	return stringOrNumber.ReplaceAllFunc(b, func(token []byte) []byte {
		if whole, found := wholeNumber(token); found {
			return whole
		}
		return token
	})
}

// wholeNumber writes a number without its fraction and exponent, if it has one and is whole; beyond 2⁵³ the result
// might be another number.
func wholeNumber(number []byte) (whole []byte, found bool) {
	if number[0] == '"' || !bytes.ContainsAny(number, ".eE") || !json.Valid(number) {
		return nil, false
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return nil, false
	}
	return strconv.AppendInt(nil, int64(f), 10), true
}
