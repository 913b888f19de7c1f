package staff_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestStructsOfStaffAndTheSchemaAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { modelstest.WantColumns(t, f, staff.Rows) })
}
