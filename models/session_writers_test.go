package models_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// writers are the functions that may write rows of a type: the one by which every operation commits, and those that
// refresh many derived values at once.
var writers = map[string][]string{
	"Session": {
		"insert", "update", // of commit alone
		"reindex",      // names of contacts
		"replace",      // metadata that is deleted
		"Rescore",      // reviews
		"answerFiles",  // erasing, which tells nobody
		"dropSessions", // what an import made alone, when it is taken back
	},
	"Contact": {
		"InsertContacts", "UpdateContact", "updateContacts", "foldContacts",
		"moveRest",                  // who was merged into another
		"TakeBack",                  // likewise of imports
		"Forget",                    // who began with an address that nobody proved
		"carryOver", "insertStaged", // of imports, which tell of them by the means of all others
	},
}

func TestRowsAreWrittenInOnePlace(t *testing.T) {
	t.Parallel()
	files := token.NewFileSet()
	paths, _ := filepath.Glob("*.go")
	for _, room := range []string{"people", "arrival", "agenda", "desk", "letter", "metadata",
		"apikey", "decision", "public", "seed", "setup"} {
		above, _ := filepath.Glob(room + "/*.go")
		paths = append(paths, above...)
	}
	found := map[string][]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			f, ok := declared.(*ast.FuncDecl)
			for row := range writers {
				if ok && writes(f, row) {
					found[row] = append(found[row], f.Name.Name)
				}
			}
		}
	}
	for row, want := range writers {
		if got := slices.Sorted(slices.Values(found[row])); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("a %s is written by %v, not by %v alone; an operation commits what it changes", row, got, want)
		}
	}
}

// writes reports whether a function writes rows of a type: by SQL, by a chain of gorm that begins with the type, or by
// passing gorm a variable of it.
func writes(f *ast.FuncDecl, row string) (found bool) {
	statement := regexp.MustCompile(`(?i)\b(UPDATE|INSERT INTO|DELETE FROM) ` + strings.ToLower(row) + `s\b`)
	verbs := []string{"Create", "CreateInBatches", "Save", "Update", "Updates", "UpdateColumn", "UpdateColumns", "Delete"}
	variables := variablesOf(f, row)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || statement.MatchString(n.Value)
		case *ast.CallExpr:
			method, ok := n.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains(verbs, method.Sel.Name) {
				return true
			}
			ast.Inspect(n, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					found = found || names(n.Type, row)
				case *ast.CallExpr: // a row given to gorm, of which no field is taken
					for _, argument := range n.Args {
						if pointed, ok := argument.(*ast.UnaryExpr); ok {
							argument = pointed.X
						}
						given, ok := argument.(*ast.Ident)
						found = found || ok && variables[given.Name]
					}
				}
				return true
			})
		}
		return true
	})
	return found
}

// variablesOf returns the names of a function's variables that hold rows of a type.
func variablesOf(f *ast.FuncDecl, row string) map[string]bool {
	variables := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, name := range n.Names {
				variables[name.Name] = variables[name.Name] || names(n.Type, row)
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				variables[name.Name] = variables[name.Name] || names(n.Type, row)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if name, ok := to.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) {
					variables[name.Name] = variables[name.Name] || made(n.Rhs[i], row, variables)
				}
			}
		case *ast.RangeStmt:
			if name, ok := n.Value.(*ast.Ident); ok && made(n.X, row, variables) {
				variables[name.Name] = true
			}
			if call, ok := n.X.(*ast.CallExpr); ok && n.Value == nil && len(call.Args) > 0 && made(call.Args[0], row, variables) {
				if name, ok := n.Key.(*ast.Ident); ok { // of an iterator over rows
					variables[name.Name] = true
				}
			}
		}
		return true
	})
	return variables
}

// made reports whether an expression is a row, or rows, of a type.
func made(e ast.Expr, row string, variables map[string]bool) bool {
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return made(e.X, row, variables)
	case *ast.Ident:
		return variables[e.Name]
	case *ast.CompositeLit:
		return names(e.Type, row)
	case *ast.CallExpr: // make([]*Session, …), new(*before)
		built, _ := e.Fun.(*ast.Ident)
		return built != nil && (built.Name == "new" || built.Name == "make") &&
			(names(e.Args[0], row) || made(e.Args[0], row, variables))
	case *ast.StarExpr:
		return made(e.X, row, variables)
	case *ast.SelectorExpr: // c.after
		return row == "Session" && (e.Sel.Name == "after" || e.Sel.Name == "before")
	}
	return false
}

// names reports whether an expression is a type, a pointer to it or a slice of it.
func names(e ast.Expr, row string) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == row
	case *ast.SelectorExpr: // in a package on top
		of, _ := e.X.(*ast.Ident)
		return of != nil && of.Name == "models" && e.Sel.Name == row
	case *ast.StarExpr:
		return names(e.X, row)
	case *ast.ArrayType:
		return names(e.Elt, row)
	case *ast.Ellipsis:
		return names(e.Elt, row)
	}
	return false
}
