package store_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestStructsOfTheGroundAndTheSchemaAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { modelstest.WantColumns(t, f, store.Rows) })
}
