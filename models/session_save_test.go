package models_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

func retitled(title string) func(*store.Tx, *models.Session, []*models.Participant) (models.SessionChange, error) {
	return func(*store.Tx, *models.Session, []*models.Participant) (models.SessionChange, error) {
		return models.SessionChange{Title: &title}, nil
	}
}

func TestASessionIsEditedByWhatItIsOnceItIsHeld(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada, li := participantNamed(t, p, "Ada"), participantNamed(t, p, "Li")
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true,
			People: []models.Participation{ada}}))(t)
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)
		now := modelstest.Must(p.EditSession(ctx, s.ID, models.SessionEdit{Seat: []models.Participation{li},
			Decide: func(_ *store.Tx, s *models.Session, seated []*models.Participant) (models.SessionChange, error) {
				return models.SessionChange{Title: new("New " + s.Title), People: new(append(s.Participants, seated...))}, nil
			}}))(t)
		read := modelstest.Must(p.Session(ctx, s.ID))(t)
		if read.Title != "New T" || cast(read.Participants) != "Ada speaker, Li speaker" || cast(now.Participants) != cast(read.Participants) {
			t.Errorf("%s by %s", read.Title, cast(read.Participants))
		}
		wantEmitted(t, f, "session.updated "+s.FriendlyID)
	})
}

func TestWhatAPackageDoesWithAnEditIsTakenBackWithIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true}))(t)
		modelstest.Emitted(t, f)
		refused := errors.New("no")
		_, err := p.EditSession(ctx, s.ID, models.SessionEdit{
			Seat: []models.Participation{{New: &models.NewContact{FirstName: "Kim"}}},
			Decide: func(*store.Tx, *models.Session, []*models.Participant) (models.SessionChange, error) {
				return models.SessionChange{Title: new("New")}, refused
			}})
		if !errors.Is(err, refused) {
			t.Error(err)
		}
		_, err = p.EditSession(ctx, s.ID, models.SessionEdit{Decide: retitled("")})
		modelstest.WantKind(t, "a title of nothing", err, store.Invalid)
		_, err = f.Elsewhere().EditSession(ctx, s.ID, models.SessionEdit{Decide: retitled("Theirs")})
		modelstest.WantKind(t, "a session of another event", err, store.NotFound)
		err = p.Write(ctx, func(tx *store.Tx) error {
			_, err := p.EditSession(tx.Within(ctx), s.ID, models.SessionEdit{Decide: retitled("Within")})
			return errors.Join(err, refused)
		})
		if !errors.Is(err, refused) {
			t.Error(err)
		}
		read := modelstest.Must(p.Session(ctx, s.ID))(t)
		found, _, err := people.In(p.Directory()).Search(ctx, people.Search{})
		modelstest.Holds(t, read.Title == "T" && err == nil && len(found) == 0 && len(modelstest.Emitted(t, f)) == 0,
			"%q, %d people, %v", read.Title, len(found), err)
	})
}

func TestADraftSavesItselfWithoutAWord(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		s := modelstest.Abstract(t, p, "T", models.Draft)
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)
		now := modelstest.Must(p.EditSession(ctx, s.ID, models.SessionEdit{Draft: true, Decide: retitled("New")}))(t)
		lines := modelstest.Must(p.Activity(ctx, s.ID))(t)
		modelstest.Holds(t, len(lines) == 1 && lines[0].Action == "created", "%d lines", len(lines))
		if told := modelstest.Emitted(t, f); len(told) != 0 || !now.UpdatedAt.After(s.UpdatedAt.Time) {
			t.Errorf("%d emissions, and the token %s became %s", len(told), s.UpdatedAt, now.UpdatedAt)
		}
		modelstest.Must(p.EditSession(ctx, s.ID, models.SessionEdit{Decide: retitled("Newer")}))(t)
		if told := modelstest.Emitted(t, f); len(told) != 1 || told[0].Type != outbox.SessionUpdated {
			t.Errorf("%d emissions", len(told))
		}
	})
}

// One statement writes the fields that differ in any of the sessions; all other fields of each stay.
func TestSessionsThatAreSavedTogetherKeepWhatIsTheirOwn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		hall := room(t, p, "Hall")
		var all []models.SessionUpdate
		add := func(s *models.Session, c models.SessionChange) {
			all = append(all, models.SessionUpdate{ID: s.ID, SessionChange: c})
		}
		tag := modelstest.Must(p.CreateMetadata(ctx, models.Tags, models.NewMetadata{Name: "Tag"}))(t).ID
		at := store.Some(store.At(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)))
		full := make([]*models.Session, 5)
		for i := range full {
			full[i] = modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: fmt.Sprint("Session ", i),
				SessionInput: models.SessionInput{Description: new("<p>Text</p>"), StartsAt: at, EndsAt: at, TagIDs: &[]string{tag},
					RoomID: store.Some(hall), CustomFields: &models.AnswersInput{{Key: "k", Value: "v"}}}}))(t)
		}
		p = f.Programme()
		odd := "“Ünïcode” \u2028 <b> \\ ' \" {}"
		add(full[0], models.SessionChange{Title: new(odd)})
		add(full[1], models.SessionChange{SessionInput: models.SessionInput{RoomID: store.Null[string](), Capacity: store.Some(7)}})
		add(full[2], models.SessionChange{SessionInput: models.SessionInput{Description: new("<p>" + odd + "</p>"),
			CustomFields: &models.AnswersInput{{Key: odd, Value: odd}}}})
		add(full[3], models.SessionChange{SessionInput: models.SessionInput{TagIDs: &[]string{}, StartsAt: store.Null[store.Time](),
			EndsAt: store.Null[store.Time]()}})
		add(full[4], models.SessionChange{Title: new(full[4].Title)}) // as it is
		f.Clock.Move(time.Minute)
		told := modelstest.Must(p.UpdateSessions(ctx, all))(t)
		for i, before := range full {
			is := modelstest.Must(p.Session(ctx, before.ID))(t)
			told[i].TitleKey, told[i].Search, told[i].IsAlone = is.TitleKey, is.Search, is.IsAlone // which nobody reads
			modelstest.Holds(t, reflect.DeepEqual(is, told[i]), "session %d was told as %+v, and is %+v", i, told[i], is)
			modelstest.Want(t, fmt.Sprint("the token of session ", i, " stays"), is.UpdatedAt == before.UpdatedAt, i == 4)
			was, now := store.Changes(before.Facts(), is.Facts())
			if i == 4 && len(now) > 0 || i == 0 && (len(now) != 1 || now["title"] != odd) {
				t.Errorf("session %d was %v and is %v", i, was, now)
			}
		}
		words := models.SessionSearch{Filter: models.SessionFilter{Text: "ünïcode"}}
		modelstest.Want(t, "sessions are found by their words", len(modelstest.First(p.SearchSessions(ctx, words))(t)), 2)
	})
}

func TestCalendarsFollowSessionsThatChangeTogether(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		track := modelstest.Must(p.CreateMetadata(ctx, models.Tracks, models.NewMetadata{Name: "Track"}))(t).ID
		in := func(c models.SessionChange) (all []models.SessionChange) { return []models.SessionChange{c, c, c, c} }
		var ids []string
		for _, title := range []string{"A", "B", "C", "D"} {
			ids = append(ids, modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title}))(t).ID)
		}
		update := func(changes ...models.SessionChange) {
			t.Helper()
			all := make([]models.SessionUpdate, len(changes))
			for i, c := range changes {
				all[i] = models.SessionUpdate{ID: ids[i], SessionChange: c}
			}
			modelstest.Must(f.Programme().UpdateSessions(ctx, all))(t)
		}
		start := store.Some(store.At(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)))
		update(in(models.SessionChange{IsPublic: new(true), PublishOverride: true, SessionInput: models.SessionInput{StartsAt: start}})...)
		update(models.SessionChange{Title: new("Another A")},
			models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track)}},
			models.SessionChange{IsPublic: new(false)},
			models.SessionChange{SessionInput: models.SessionInput{Description: new("<p>Text</p>")}})
		want := "Another A at 09:00 shown 1, B at 09:00 shown 0, D at 09:00 shown 0, C at 09:00 cancelled 1"
		modelstest.Want(t, "calendars say", inCalendars(t, f.Programme()), want)
	})
}

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
	for _, room := range []string{"people", "arrival", "agenda", "desk", "letters", "metadata",
		"apikey", "decisions", "site", "seed", "setup"} {
		above, _ := filepath.Glob(room + "/*.go")
		modelstest.Holds(t, len(above) != 0, "there is no room %s", room)
		paths = append(paths, above...)
	}
	found := map[string][]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		modelstest.Fine(t, err)
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
