package gallery

import (
	"fmt"
	"go/ast"
	"go/token"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"lectern/views/layouts"
	catalogue "lectern/views/words"
)

// english maps the English texts that a language translates differently to their ids; messages with placeholders or
// plural forms are left out.
func english(t *testing.T, l *catalogue.Language) map[string]string {
	t.Helper()
	said := map[string]string{}
	names, err := filepath.Glob("../words/*.en.toml")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	for _, name := range names {
		var in map[string]map[string]any
		if _, err := toml.DecodeFile(name, &in); err != nil {
			t.Fatal(err)
		}
		for group, messages := range in {
			for key, message := range messages {
				id, text := group+"."+key, strings.TrimSpace(fmt.Sprint(message))
				if _, is := message.(string); is && !strings.Contains(text, "{{") && l.T(id) != text {
					said[text] = id
				}
			}
		}
	}
	return said
}

var (
	tag       = regexp.MustCompile(`<[^>]*>`)
	attribute = regexp.MustCompile(`(?:aria-label|placeholder|data-[a-z]+)="([^"]*)"`)
)

func TestThePagesOfTheCallAndThePlaceHaveNoEnglishLeft(t *testing.T) {
	t.Parallel()
	for _, l := range catalogue.All()[1:] {
		t.Run(l.Tag, func(t *testing.T) { hasNoEnglishLeft(t, l) })
	}
}

func hasNoEnglishLeft(t *testing.T, l *catalogue.Language) {
	said := english(t, l)
	for _, file := range parse(t, "*.go") { // what the examples themselves say
		ast.Inspect(file, func(n ast.Node) bool {
			if s, is := n.(*ast.BasicLit); is && s.Kind == token.STRING {
				if text, err := strconv.Unquote(s.Value); err == nil {
					delete(said, text)
				}
			}
			return true
		})
	}
	var s shelf
	s.proposals()
	s.place()
	s.tasks()
	for _, e := range s.examples {
		var out strings.Builder
		if err := e.Show(layouts.Page{}).Render(catalogue.With(t.Context(), l), &out); err != nil {
			t.Fatal(err)
		}
		texts := tag.Split(out.String(), -1)
		for _, found := range attribute.FindAllStringSubmatch(out.String(), -1) {
			texts = append(texts, found[1])
		}
		for _, text := range texts {
			if id := said[strings.TrimSpace(html.UnescapeString(text))]; id != "" {
				t.Errorf("%s says %s in English: %q", e.Path(), id, text)
			}
		}
		if !strings.Contains(out.String(), `<html lang="`+l.Tag+`"`) || !strings.Contains(out.String(), l.T("frame.by")) {
			t.Errorf("%s is not in %s", e.Path(), l.Name)
		}
	}
	if len(said) < 200 {
		t.Errorf("only %d messages were looked for", len(said))
	}
}

// written finds what a page of templ writes that no expression says, and spoken a label in it that is no expression.
var (
	written = regexp.MustCompile(`templruntime\.WriteString\(templ_7745c5c3_Buffer, \d+, ("(?:[^"\\]|\\.)*")\)`)
	spoken  = regexp.MustCompile(`(?:aria-label|placeholder|title|alt)="([^"]*)"`)
	latin   = regexp.MustCompile(`[A-Za-z]`)
	phrase  = regexp.MustCompile(`^[A-Z][a-z]{2,}|[a-z]{2,} |[a-z]{2,}: ?$`)
)

// TestNoWordStandsInThePagesOfEverybodyThemselves goes through what templates of the public programme, of the call and
// of the place write by themselves, and through the strings that they write as expressions.
func TestNoWordStandsInThePagesOfEverybodyThemselves(t *testing.T) {
	t.Parallel()
	names := []string{"../layouts/public_templ.go", "../layouts/site_templ.go", "../layouts/problem_templ.go"}
	for _, room := range []string{"call/public", "site"} {
		found, err := filepath.Glob("../pages/" + room + "/*_templ.go")
		if err != nil || len(found) == 0 {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var page strings.Builder
		for _, found := range written.FindAllStringSubmatch(string(source), -1) {
			text, err := strconv.Unquote(found[1])
			if err != nil {
				t.Fatal(name, err)
			}
			page.WriteString(text)
		}
		texts := tag.Split(page.String(), -1)
		for _, found := range spoken.FindAllStringSubmatch(page.String(), -1) {
			texts = append(texts, found[1])
		}
		for _, text := range texts {
			if latin.MatchString(text) {
				t.Errorf("%s says %q, which no catalogue knows", name, strings.TrimSpace(text))
			}
		}
		for _, text := range expressed(t, name) {
			if phrase.MatchString(text) {
				t.Errorf("%s says %q, which no catalogue knows", name, text)
			}
		}
	}
}

// expressed returns the strings in the expressions of a template, except the arguments of functions.
func expressed(t *testing.T, name string) (all []string) {
	t.Helper()
	strings := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				all = append(all, text)
			}
		}
		return true
	}
	ast.Inspect(parse(t, name)[0], func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is {
			if f, is := call.Fun.(*ast.SelectorExpr); is && f.Sel.Name == "JoinStringErrs" {
				for _, argument := range call.Args {
					ast.Inspect(argument, strings)
				}
			}
		}
		return true
	})
	return all
}
