package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
)

// notOfPlaces are the constants that are neither a deadline, nor a limit, nor a lifetime of somebody's place: of the
// form of the call, of what staff do with codes and tasks, and of how it is done.
var notOfPlaces = []string{
	"call.MostParts", "call.keyLength", "call.maxAgreement", "call.maxHelp", "call.maxNote", "call.maxWelcome",
	"call.mostCode", "call.mostEach", "call.mostInAll", "call.mostLimit", "call.mostQuestions", "call.mostSpeakers",
	"call.mostUses", "call.mostWords", "call.openAttempts", "call.lettersShown", "call.mostSteps",
	"call.speakersAtFirst", "call.day", "call.megabyte", "tasks.day", "tasks.longestName", "tasks.maxInstructions",
	"tasks.mostTasks", "tasks.mostValues", "tasks.remindedAtOnce", "models.filesSweptAtOnce", "files.photoSide",
	"files.photoQuality", "files.photosAtOnce", "signin.passwordMemory", "signin.hashesAtOnce",
	"signin.TokenLength", "jobs.pruneAtOnce",
}

// TestEveryLimitOfThePlacesStandsInTheDocument holds the tables of docs/security.md, of places and of identity providers,
// against the constants themselves.
func TestEveryLimitOfThePlacesStandsInTheDocument(t *testing.T) {
	t.Parallel()
	text := modelstest.Must(os.ReadFile("docs/security.md"))(t)
	said := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| [^|]+ \\| ([^|]+) \\| `([a-zA-Z.]+)` \\|$").FindAllStringSubmatch(string(text), -1) {
		said[m[2]] = m[1]
	}
	are := limitsOf(t, "models/call/*.go", "models/signin/*.go", "models/passkey/*.go", "models/staff/passkey*.go",
		"models/letter_mail.go", "models/file.go", "models/files/photo.go", "models/tasks/*.go", "jobs/sweep.go",
		"models/identity/*.go", "models/staff/provider_visit.go")
	for _, name := range slices.Sorted(maps.Keys(are)) {
		if said[name] == "" {
			t.Errorf("%s (%s) stands nowhere in the table of docs/security.md", name, are[name])
		} else if said[name] != are[name] {
			t.Errorf("%s is %s, and the table says %s", name, are[name], said[name])
		}
		delete(said, name)
	}
	if len(said) > 0 || len(are) < 15 {
		t.Errorf("the table has %v, which are no constants; %d are", said, len(are))
	}
}

// limitsOf are the constants of some files that are numbers or durations, in the words of the table.
func limitsOf(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	var files []string
	for _, pattern := range patterns {
		some, _ := filepath.Glob(pattern)
		if files = append(files, some...); len(some) == 0 {
			t.Errorf("there is no %s", pattern)
		}
	}
	found := map[string]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file := modelstest.Must(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		for _, d := range file.Decls {
			if d, is := d.(*ast.GenDecl); is && d.Tok == token.CONST {
				addLimits(found, file.Name.Name, d)
			}
		}
	}
	return found
}

func addLimits(found map[string]string, pkg string, d *ast.GenDecl) {
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		for i, value := range spec.Values {
			name := pkg + "." + spec.Names[i].Name
			if n, isTime := numberOf(value); n.Kind() == constant.Int && !slices.Contains(notOfPlaces, name) {
				number, _ := constant.Int64Val(n)
				found[name] = limitWords(number, isTime)
			}
		}
	}
}

var clock = map[string]time.Duration{"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour}

// numberOf is what an expression comes to, unknown for what is no number.
func numberOf(of ast.Expr) (n constant.Value, isTime bool) {
	switch of := of.(type) {
	case *ast.BasicLit:
		if of.Kind == token.INT {
			return constant.MakeFromLiteral(of.Value, token.INT, 0), false
		}
	case *ast.SelectorExpr:
		if unit := clock[of.Sel.Name]; unit > 0 {
			return constant.MakeInt64(int64(unit)), true
		}
	case *ast.BinaryExpr:
		a, timeA := numberOf(of.X)
		b, timeB := numberOf(of.Y)
		switch {
		case a.Kind() != constant.Int || b.Kind() != constant.Int:
		case of.Op == token.MUL:
			return constant.BinaryOp(a, of.Op, b), timeA || timeB
		case of.Op == token.SHL:
			bits, _ := constant.Uint64Val(b)
			return constant.Shift(a, of.Op, uint(bits)), false
		}
	}
	return constant.MakeUnknown(), false
}

func limitWords(n int64, isTime bool) string {
	if !isTime && n > 0 && n%(1<<20) == 0 {
		return fmt.Sprint(n>>20, " MB")
	}
	if !isTime {
		return fmt.Sprint(n)
	}
	for _, of := range []struct {
		unit time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if many := n / int64(of.unit); many > 0 && n%int64(of.unit) == 0 {
			if many > 1 {
				of.name += "s"
			}
			return fmt.Sprint(many, " ", of.name)
		}
	}
	return time.Duration(n).String()
}
