package modelstest

import (
	"hash/fnv"
	"testing"
)

// OnOne runs test on one engine, which the test's name chooses, so that both have their turns over a package. It is for
// what asserts words, markup or links of pages, feeds and files whose statements another test runs on both engines. On
// both (Each) stays what asserts statements or their number, order and search, what a constraint refuses, faults of the
// database, what meets at once, who may see what where a statement decides it, migrations, and whole operations of
// models.
func OnOne(t *testing.T, test func(t *testing.T, f *Fixture)) {
	t.Helper()
	t.Parallel()
	dialect := Turn(t.Name())
	t.Run(dialect, func(t *testing.T) {
		t.Parallel()
		test(t, Open(t, dialect))
	})
}

// Turn is the engine of a test that runs on one of them: PostgreSQL under the race detector, as Engines says.
func Turn(test string) (dialect string) {
	of := Engines()
	hash := fnv.New32a()
	hash.Write([]byte(test))
	return of[hash.Sum32()%uint32(len(of))]
}
