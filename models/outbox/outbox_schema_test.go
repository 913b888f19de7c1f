package outbox_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/outbox"
)

func TestStructsOfTheOutboxAndTheSchemaAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { modelstest.WantColumns(t, f, outbox.Rows) })
}
