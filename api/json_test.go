package api

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzWholeNumbers: what is JSON means the same afterwards, and nothing else
// becomes JSON.
func FuzzWholeNumbers(f *testing.F) {
	for _, seed := range []string{`{"a": 21.0, "b": [2.1e1, -0.0, 1e400, 1.5, "1.0\"2.0"]}`, `1.`, `01.0`, `-`, `"`, `"\`,
		`[1.0,]`, `9007199254740993.0`, `1.0e`, `{"1.0":1.0}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		kept := string(b)
		out := wholeNumbers(b)
		if string(b) != kept {
			t.Fatalf("%q was written over", kept)
		}
		var before, after any
		errBefore, errAfter := json.Unmarshal(b, &before), json.Unmarshal(out, &after)
		if (errBefore == nil) != (errAfter == nil) || !reflect.DeepEqual(before, after) {
			t.Errorf("%q becomes %q: %v %v", b, out, errBefore, errAfter)
		}
	})
}
