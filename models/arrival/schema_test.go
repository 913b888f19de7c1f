package arrival_test

import (
	"testing"

	"lectern/models/arrival"
	"lectern/models/modelstest"
)

func TestStructsAndSchemasAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { modelstest.WantColumns(t, f, arrival.Rows) })
}
