package moving

import (
	"testing"

	. "lectern/e2e/drive"
)

func TestMain(m *testing.M) { Main(m) }
