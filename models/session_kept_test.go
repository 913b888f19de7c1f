package models_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// asShown is a search for all sessions as the API shows them, deleted ones too.
var asShown = models.SessionSearch{Page: store.Page{Size: store.MaxPageSize}, Spared: models.Spared{Columns: models.Untold},
	Filter: models.SessionFilter{IncludeDeleted: true}}

// shownBy is what a process shows of all sessions.
func shownBy(t *testing.T, f *modelstest.Fixture) (said string) {
	t.Helper()
	rows, _, err := modelstest.Must(f.Programme().Anew(t.Context()))(t).SearchKept(t.Context(), asShown)
	modelstest.Fine(t, err)
	for _, row := range rows {
		said += string(row.JSON) + "\n"
		var is bytes.Buffer
		encoder := json.NewEncoder(&is)
		modelstest.Fine(t, encoder.Encode(row.Session))
		if is.String() != string(row.JSON)+"\n" {
			t.Errorf("%s is kept of %s", row.JSON, is.String())
		}
	}
	return said
}
