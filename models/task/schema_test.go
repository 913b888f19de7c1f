package task_test

import (
	"testing"

	"lectern/models/modelstest"
	"lectern/models/task"
)

func TestStructsAndSchemasAgree(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { modelstest.WantColumns(t, f, task.Rows) })
}
