package desk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/desk"
	"lectern/web/admin/visit"
)

// actionsOf returns the actions that a function writes into the activity, and the kinds of records that it names, or
// "call" if it names none.
func actionsOf(f *ast.FuncDecl) (subjects, actions []string) {
	text := func(e ast.Expr) string {
		literal, is := e.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING {
			return ""
		}
		value, _ := strconv.Unquote(literal.Value)
		return value
	}
	add := func(to *[]string, value string) {
		if value != "" {
			*to = append(*to, value)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if key, is := n.Key.(*ast.Ident); is && key.Name == "Action" {
				add(&actions, text(n.Value))
			} else if is && key.Name == "Subject" {
				add(&subjects, text(n.Value))
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if name, is := to.(*ast.Ident); is && name.Name == "action" && i < len(n.Rhs) {
					add(&actions, text(n.Rhs[i]))
				}
			}
		case *ast.CallExpr:
			called, is := n.Fun.(*ast.SelectorExpr)
			if !is || !slices.Contains([]string{"note", "insert", "changeCode"}, called.Sel.Name) {
				break
			}
			for _, argument := range n.Args {
				add(&actions, text(argument))
			}
			if called.Sel.Name == "note" {
				subjects = append(subjects, "session")
			}
		}
		return true
	})
	if len(subjects) == 0 {
		subjects = []string{"call"}
	}
	return subjects, actions
}

// TestEachActionOfTheCallHasWords walks what the call for papers writes into the activity: no line may say the name of
// an action that is no word of people.
func TestEachActionOfTheCallHasWords(t *testing.T) {
	t.Parallel()
	plain, found := regexp.MustCompile(`^[a-z]+ed$`), map[string]bool{}
	for _, name := range modelstest.Must(filepath.Glob("../../../models/call/*.go"))(t) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, d := range modelstest.Must(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t).Decls {
			f, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			subjects, actions := actionsOf(f)
			for _, action := range actions {
				for _, subject := range subjects {
					found[subject+" "+action] = true
					e := &store.ActivityEntry{Subject: subject, Action: action, SubjectName: "x"}
					if verb, _, _ := strings.Cut(desk.Did(e), " "); desk.ActivityVerbs[subject+" "+action]+desk.ActivityVerbs[action]+visit.ComesTo(e) == "" &&
						!plain.MatchString(verb) {
						t.Errorf("the activity says %q of %s", desk.Did(e), subject)
					}
					if subject == "contact" && visit.PersonVerbs[action] == "" {
						t.Errorf("a person's page has no words for %q", action)
					}
					if subject == "session" && visit.PartVerbs[action]+visit.ComesTo(e) == "" {
						t.Errorf("a record's page has no words for %q", action)
					}
				}
			}
		}
	}
	for _, want := range []string{"session participation", "contact link made", "session submitted", "call question_added",
		"contact closed", "session closed", "call code_ended"} {
		if !found[want] {
			t.Errorf("%q was not found", want)
		}
	}
}

func TestWhetherSomebodyComesIsToldInWords(t *testing.T) {
	admintest.OnOne(t, func(t *testing.T, dialect string) {
		d := admintest.OpenOn(t, dialect, visit.Options{})
		c := modelstest.OpenCall(t, d.Fixture)
		pl, s := c.Begin(t, d.Fixture, "Ada Love", "Tides")
		modelstest.SetStatus(t, d.Programme(), s.ID, models.Accepted)
		modelstest.Fine(t, pl.AnswerParticipation(t.Context(), c.Event, s.ID, call.Coming, ""))
		modelstest.Fine(t, pl.AnswerParticipation(t.Context(), c.Event, s.ID, call.NotComing, "A wedding"))
		olga, rea := d.As(staff.Organizer), d.As(staff.Viewer)
		record := d.At("/sessions/" + s.ID)
		admintest.Wants(t, olga.Get(record, 200), "said that they come to it", "said that they cannot come to it",
			"A wedding")
		admintest.Wants(t, olga.Get(d.At("/activity"), 200), "said that they cannot come to", "A wedding")
		for _, page := range []string{rea.Get(record, 200), rea.Get(d.At("/activity"), 200)} {
			admintest.Wants(t, page, "said that they cannot come to")
			admintest.Lacks(t, page, "A wedding", "participation")
		}
	})
}
