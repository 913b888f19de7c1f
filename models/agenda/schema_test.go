package agenda_test

import (
	"testing"

	"lectern/models/agenda"
	"lectern/models/modelstest"
)

func TestStructsAndSchemasAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { modelstest.WantColumns(t, f, agenda.Rows) })
}
