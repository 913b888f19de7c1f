package gallery

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"lectern/views/layouts"
)

func TestEveryExampleIsRendered(t *testing.T) {
	t.Parallel()
	paths := map[string]bool{}
	for _, e := range Examples() {
		if paths[e.Path()] {
			t.Errorf("two examples are %s", e.Path())
		}
		paths[e.Path()] = true
		var out strings.Builder
		if err := e.Show(layouts.Page{Assets: "1"}).Render(t.Context(), &out); err != nil {
			t.Errorf("%s: %v", e.Path(), err)
		}
		page := out.String()
		if !strings.HasSuffix(strings.TrimSpace(page), "</html>") || strings.Count(page, "<h1") != 1 {
			t.Errorf("%s is no page with one heading", e.Path())
		}
		for _, bad := range []string{" style=", "<style", "<script>", "%!"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s has %q", e.Path(), bad)
			}
		}
	}
}

// within names parts that only appear in pages with examples of their own.
var within = map[string]bool{"layouts.SiteFrame": true, "layouts.PaperFrame": true, "layouts.Manual": true,
	"layouts.Head": true, "layouts.HeadOf": true, "layouts.HeadWith": true, "settings.LookMeasured": true,
	"components.Buttons": true, "components.CountBeside": true, "components.EditForm": true, "components.Form": true,
	"components.Fact": true, "components.FreePara": true, "components.IconButton": true, "components.Lines": true,
	"components.MastheadOf": true, "components.None": true, "components.Nothing": true,
	"components.Para": true, "components.Plenary": true, "components.Section": true,
	"components.Progress": true, "components.Share": true, "components.Step": true, "components.Steps": true}

// TestEveryPageHasAnExample fails when a page or a part is added without one.
func TestEveryPageHasAnExample(t *testing.T) {
	t.Parallel()
	shown, inPages := named(t, "*.go"), map[string]bool{}
	for _, folder := range folders(t) {
		if strings.HasPrefix(folder, filepath.Join("..", "pages")) {
			maps.Copy(inPages, named(t, filepath.Join(folder, "*_templ.go")))
		}
	}
	found := 0
	for _, folder := range folders(t) {
		for _, file := range parse(t, filepath.Join(folder, "*_templ.go")) {
			for _, d := range file.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil ||
					!isComponent(f.Type.Results.List[0].Type) {
					continue
				}
				found++
				name := path.Base(folder) + "." + f.Name.Name
				isPart := folder != "../components" && folder != "../layouts" && inPages[name]
				if !shown[name] && !within[name] && !isPart {
					t.Errorf("%s is in no example: add its states to views/gallery", name)
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d pages and parts were found", found)
	}
}

// named returns the names of other packages that files use.
func named(t *testing.T, pattern string) map[string]bool {
	all := map[string]bool{}
	for _, file := range parse(t, pattern) {
		packages := map[string]string{} // by the names that this file gives them
		for _, imported := range file.Imports {
			if imported.Name != nil {
				packages[imported.Name.Name] = path.Base(strings.Trim(imported.Path.Value, `"`))
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok {
					all[cmp.Or(packages[x.Name], x.Name)+"."+s.Sel.Name] = true
				}
			}
			return true
		})
	}
	return all
}

// folders returns the paths of the folders with pages and their parts.
func folders(t *testing.T) (all []string) {
	all = []string{"../components", "../layouts", "../records", "../toolbar"}
	found, err := os.ReadDir("../pages")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range found {
		if entry.IsDir() {
			all = append(all, "../pages/"+entry.Name())
		}
	}
	return all
}

func isComponent(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Component"
}

func parse(t *testing.T, pattern string) []*ast.File {
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}
