package models_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestStructsOfStaffAndTheSchemaAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { wantColumns(t, f, models.StaffRows) })
}
