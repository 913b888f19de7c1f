package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// What keeps the code readable, of files that are not generated. Tests may be
// long, but not wide.
const (
	mostLines  = 300 // of a file
	mostInOne  = 60  // lines of a function
	mostPaths  = 15  // through a function: McCabe's number, https://www.mccabe.com/pdf/mccabe-nist235r.pdf
	mostFiles  = 70  // of a package, without tests
	wide       = 120 // characters of a line, a tab is one
	mostWideOf = 8   // wide lines of a thousand
)

func TestFilesAndFunctionsStayShort(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard", "*.go", "*.templ").Output()
	if err != nil {
		t.Skip("this is no checkout of git:", err)
	}
	lines, wides, files := map[string]int{}, map[string]int{}, map[string]int{}
	tooMuch := func(name, what string, n, most int) {
		if n > most {
			t.Errorf("%s has %d %s; at most %d", name, n, what, most)
		}
	}
	for name := range strings.Lines(string(out)) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(name)
		if err != nil || bytes.HasPrefix(text, []byte("// Code generated")) {
			continue
		}
		kind, test := "code", strings.HasSuffix(name, "_test.go")
		if test {
			kind = "tests"
		}
		n := bytes.Count(text, []byte("\n"))
		lines[kind] += n
		for line := range bytes.Lines(text) {
			if utf8.RuneCount(bytes.TrimRight(line, "\n")) > wide {
				wides[kind]++
			}
		}
		if test {
			continue
		}
		files[filepath.Dir(name)]++
		tooMuch(name, "lines", n, mostLines)
		if strings.HasSuffix(name, ".go") {
			eachFunction(t, name, text, func(function string, lines, paths int) {
				tooMuch(name+" "+function, "lines", lines, mostInOne)
				tooMuch(name+" "+function, "paths", paths, mostPaths)
			})
		}
	}
	for kind, n := range lines {
		if wides[kind]*1000 > mostWideOf*n {
			t.Errorf("%d of %d lines of %s are wider than %d characters; at most %d of a thousand",
				wides[kind], n, kind, wide, mostWideOf)
		}
	}
	for folder, n := range files {
		if n > mostFiles {
			t.Errorf("%s has %d files; at most %d: what stands on top of the rest is a room of its own", folder, n, mostFiles)
		}
	}
}

// eachFunction calls f with the lines and the paths of each function of a file.
func eachFunction(t *testing.T, name string, text []byte, f func(function string, lines, paths int)) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, 0)
	if err != nil {
		t.Error(err)
		return
	}
	for _, declared := range file.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		paths := 1
		ast.Inspect(function, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
				paths++
			case *ast.CaseClause:
				if n.List != nil {
					paths++
				}
			case *ast.CommClause:
				if n.Comm != nil {
					paths++
				}
			case *ast.BinaryExpr:
				if n.Op == token.LAND || n.Op == token.LOR {
					paths++
				}
			}
			return true
		})
		f(function.Name.Name, set.Position(function.End()).Line-set.Position(function.Pos()).Line+1, paths)
	}
}
