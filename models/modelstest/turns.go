package modelstest

import (
	"hash/fnv"
	"testing"
)

// OnOne runs test on one engine, chosen by the test's name, so that both engines get their share of a package. It is
// for tests of words, markup or links of pages, feeds and files whose statements another test runs on both engines.
// Tests of statements or their number, order and search, constraints, faults of the database, concurrency, permissions
// that a statement decides, migrations, and whole operations of models stay on both (Each).
func OnOne(t *testing.T, test func(t *testing.T, f *Fixture)) {
	t.Helper()
	t.Parallel()
	dialect := Turn(t.Name())
	t.Run(dialect, func(t *testing.T) {
		t.Parallel()
		test(t, Open(t, dialect))
	})
}

// Turn returns the engine of a test that runs on one of them: PostgreSQL under the race detector, as Engines says.
func Turn(test string) (dialect string) {
	of := Engines()
	hash := fnv.New32a()
	hash.Write([]byte(test))
	return of[hash.Sum32()%uint32(len(of))]
}
