// Lint checks packages by the rules of go vet and of staticcheck. Most of their work is parsing and type checking, which
// this does once for both.
package main

import (
	"os"

	"golang.org/x/tools/go/analysis/suite/vet"
	"honnef.co/go/tools/lintcmd"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
)

func main() {
	lint := lintcmd.NewCommand("lint")
	lint.ParseFlags(os.Args[1:])
	lint.AddBareAnalyzers(vet.Suite...)
	lint.AddAnalyzers(simple.Analyzers...)
	lint.AddAnalyzers(staticcheck.Analyzers...)
	lint.AddAnalyzers(stylecheck.Analyzers...)
	lint.AddAnalyzers(unused.Analyzer)
	lint.Run()
}
