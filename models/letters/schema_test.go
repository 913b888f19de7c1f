package letters_test

import (
	"testing"

	"lectern/models/letters"
	"lectern/models/modelstest"
)

func TestStructsAndSchemasAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { modelstest.WantColumns(t, f, letters.Rows) })
}
