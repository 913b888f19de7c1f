package models_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestTheTokenGrowsWithEveryWriteThoughTheClockStands(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		last := s.UpdatedAt
		grew := func(name string, s *models.Session, err error) {
			t.Helper()
			if err != nil || !s.UpdatedAt.After(last.Time) {
				t.Fatalf("%s: %v after %v, %v", name, s.UpdatedAt, last, err)
			}
			kept := modelstest.Must(p.Session(t.Context(), s.ID))(t)
			if !kept.UpdatedAt.Equal(s.UpdatedAt.Time) {
				t.Fatalf("%s: %v is kept as %v", name, s.UpdatedAt, kept.UpdatedAt)
			}
			last = s.UpdatedAt
		}
		for i := range 5 {
			s, err := p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new(fmt.Sprint(i)), UpdatedAt: &last})
			grew("update", s, err)
		}
		f.Clock.Move(-1e9)
		s, err := p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("back in time")})
		grew("update with a clock set back", s, err)
		s, err = p.DeleteSession(t.Context(), s.ID)
		grew("delete", s, err)
		s, err = p.RestoreSession(t.Context(), s.ID)
		grew("restore", s, err)
	})
}

// evil is HTML that must not reach a page, and what of it may.
const evil = `<p onclick="x()">Hi <b>all</b></p><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>` +
	`<iframe src="//evil"></iframe><style>*{}</style><svg/onload=alert(1)><math><mi//xlink:href="data:x,<script>alert(1)</script>">`

func wantClean(t *testing.T, door, html string) {
	t.Helper()
	for _, bad := range []string{"<script", "onclick", "onerror", "onload", "javascript:", "<iframe", "<style",
		"<svg", "<math"} {
		modelstest.Holds(t, !strings.Contains(strings.ToLower(html), bad), "%s keeps %s: %s", door, bad, html)
	}
	modelstest.Holds(t, strings.Contains(html, "<b>all</b>"), "%s lost what is allowed: %s", door, html)
}

func TestHTMLIsSanitisedAtEveryDoor(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: evil[:100], IsAbstract: true,
			SessionInput: models.SessionInput{Description: new(evil)}}))(t)
		wantClean(t, "create", s.Description)
		modelstest.Want(t, "the title", s.Title, evil[:100])
		s = modelstest.Update(t, p, s.ID, models.SessionInput{Description: new("x")})
		s = modelstest.Update(t, p, s.ID, models.SessionInput{Description: new(evil)})
		wantClean(t, "update", s.Description)
		wantClean(t, "compose", modelstest.Must(p.Compose(t.Context(), []string{s.ID}, ""))(t).Description)

		at := f.Clock.Now()
		modelstest.Must(arrival.Of(p).Import(t.Context(), &frab.Schedule{Events: []frab.Event{{
			Key: "1", ID: "1", Title: "Imported", Abstract: evil, Description: evil, Start: at, End: at, Room: "R",
			Persons: []frab.Person{{ID: "1", Name: "Ada", Biography: evil}},
		}}}, arrival.Options{}))(t)
		rows, _, err := p.SearchSessions(t.Context(), models.SessionSearch{Filter: models.SessionFilter{Text: "imported"}})
		if err != nil || len(rows) != 1 || len(rows[0].Participants) != 1 {
			t.Fatalf("%v, %v", rows, err)
		}
		wantClean(t, "import", rows[0].Description)
		wantClean(t, "import of a person", rows[0].Participants[0].About)
	})
}

func TestASanitisedDescriptionStaysAsItIs(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		for _, html := range []string{evil, "a & b", "1 < 2 > 0", `"quotes" 'single'`, "&amp;lt;", "<p>open", "</p>",
			"<b><i>x</b></i>", "<a href='https://example.org?a=1&b=2'>x</a>", "\u00a0 space", "line\r\nend", strings.Repeat("&",
				9_000), "<!-- c -->x", "<![CDATA[x]]>"} {
			s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "T",
				SessionInput: models.SessionInput{Description: &html}}))(t)
			again, err := p.UpdateSession(t.Context(), s.ID,
				models.SessionChange{SessionInput: models.SessionInput{Description: new(s.Description)}})
			modelstest.Holds(t, err == nil && again.UpdatedAt.Equal(s.UpdatedAt.Time),
				"%.40q is kept as %.80q and changes to %.80q when it is sent back: %v", html, s.Description, again.Description, err)
		}
	})
}

func TestWhatAReadShowsFitsIntoAnUpdate(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		for _, html := range []string{strings.Repeat("&", 50_000), strings.Repeat("&", 15_000), strings.Repeat(`"`, 12_000),
			strings.Repeat("<p>x", 10_000)} {
			s, err := p.CreateSession(t.Context(), models.NewSession{Title: "T",
				SessionInput: models.SessionInput{Description: &html}})
			if store.KindOf(err) == store.Invalid {
				continue
			}
			if _, err := p.UpdateSession(t.Context(), s.ID,
				models.SessionChange{SessionInput: models.SessionInput{Description: &s.Description}}); err != nil {
				t.Errorf("a description of %d characters cannot be sent back: %v", len(s.Description), err)
			}
		}
	})
}

func TestWhatFailsWithinOnceLeavesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		key := modelstest.First(apikey.Of(f.Programme()).Create(t.Context(), apikey.New{Name: "k", Scopes: apikey.Scopes}))(t)
		p, once := f.Programme(), modelstest.Must(models.OnceByKey(key.ID, "k", "r"))(t)
		boom := errors.New("boom")
		if _, _, err := f.Once(t.Context(), once, func(ctx context.Context) (string, error) {
			s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Lost"}))(t)
			modelstest.Answers(p.Session(ctx, s.ID))(t, "the operation does not see its own row", 0)
			return "", boom
		}); !errors.Is(err, boom) {
			t.Fatal(err)
		}
		if got := modelstest.Emitted(t, f); len(got) > 0 || f.Committed.Load() > 0 {
			t.Errorf("emitted %v", got)
		}
		if kept, err := f.Answered(t.Context(), once); kept != nil || err != nil {
			t.Errorf("kept %v, %v", kept, err)
		}
		for range 2 {
			kept, _, err := f.Once(t.Context(), once, func(ctx context.Context) (string, error) {
				s, err := p.CreateSession(ctx, models.NewSession{Title: "Kept"})
				return s.FriendlyID, err
			})
			if err != nil || kept.Answer != "S-1" {
				t.Fatalf("%v, %v", kept, err)
			}
		}
		if got := modelstest.Emitted(t, f); len(got) != 1 || f.Committed.Load() != 1 {
			t.Errorf("emitted %v, woken %d times", got, f.Committed.Load())
		}
		for _, bad := range []string{"", " ", "a\x00", "\xff", strings.Repeat("k", 256)} {
			modelstest.Answers(models.OnceByKey(key.ID, bad, "r"))(t, fmt.Sprintf("the key %.10q answers", bad), store.Invalid)
		}
	})
}

func TestActivityTellsWhoChangedWhatFromWhatToWhat(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Old"}))(t)
		for range 2 { // the second changes nothing
			modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("New")}))(t)
		}
		f.Clock.Move(1e9)
		modelstest.Must(p.DeleteSession(t.Context(), s.ID))(t)
		lines := modelstest.Must(p.Activity(t.Context(), s.ID))(t)
		if len(lines) != 3 || lines[0].Action != "deleted" || lines[1].Action != "updated" || lines[2].Action != "created" {
			t.Fatalf("%+v", lines)
		}
		var before, after map[string]any
		json.Unmarshal([]byte(lines[1].Before), &before)
		json.Unmarshal([]byte(lines[1].After), &after)
		modelstest.Holds(t, len(before) == 1 && before["title"] == "Old" && len(after) == 1 && after["title"] == "New",
			"from %v to %v", before, after)
		by := lines[1]
		modelstest.Holds(t, by.Door == "api" && by.ActorID == "key" && by.ActorName == "Test key" &&
			by.RequestID == "request", "by %+v", by)
		modelstest.Want(t, "the other event sees", len(modelstest.Must(f.Elsewhere().Activity(t.Context(), s.ID))(t)), 0)
	})
}

func TestEveryFieldOfASessionIsInTheTable(t *testing.T) {
	t.Parallel()
	s := &models.Session{}
	in := reflect.ValueOf(s).Elem()
	for i := range in.NumField() {
		at := in.Field(i).Addr()
		declared := func(f *models.SessionField) bool {
			return f.At != nil && reflect.ValueOf(f.At(s)).Pointer() == at.Pointer() && reflect.TypeOf(f.At(s)) == at.Type()
		}
		if !slices.ContainsFunc(models.SessionFields, declared) {
			t.Errorf("%s is not in the table SessionFields", in.Type().Field(i).Name)
		}
	}
	c := &models.SessionChange{}
	given := []any{&c.PublishOverride} // belongs to no field
	for _, f := range models.SessionFields {
		if f.Input != nil {
			given = append(given, f.Input(c))
		}
	}
	for _, of := range []reflect.Value{reflect.ValueOf(c).Elem(), reflect.ValueOf(&c.SessionInput).Elem()} {
		for i := range of.NumField() {
			field := of.Field(i).Addr()
			is := func(to any) bool { return reflect.ValueOf(to).Pointer() == field.Pointer() }
			if !of.Type().Field(i).Anonymous && !slices.ContainsFunc(given, is) {
				t.Errorf("what a change says of %s is not in the table SessionFields", of.Type().Field(i).Name)
			}
		}
	}
	for _, f := range models.SessionFields {
		modelstest.Want(t, "there is but one "+f.Name, models.Field(f.Name), f)
	}
}
