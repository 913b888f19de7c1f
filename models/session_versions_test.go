package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// versionsOf returns the versions of a session in short, each with its predecessor.
func versionsOf(t *testing.T, f *modelstest.Fixture, id string) (said []string) {
	t.Helper()
	p := f.Programme()
	s := modelstest.Must(p.Session(t.Context(), id))(t)
	versions := modelstest.Must(p.Versions(t.Context(), s))(t)
	for _, v := range versions {
		line := fmt.Sprintf("%s (%s): %s|%s", v.Actor, v.Door, v.Text.Title, v.Text.Description)
		if v.Before != nil {
			line += " was " + v.Before.Title + "|" + v.Before.Description
		}
		said = append(said, line)
		again := modelstest.Must(p.Version(t.Context(), s, v.ID))(t)
		modelstest.Want(t, "read by its id", again.Text, v.Text)
	}
	modelstest.Want(t, "versions are counted, and there are", modelstest.Must(p.VersionCount(t.Context(), id))(t),
		len(versions))
	return said
}

func wantVersions(t *testing.T, f *modelstest.Fixture, id string, want ...string) {
	t.Helper()
	modelstest.Want(t, "versions", strings.Join(versionsOf(t, f, id), "\n"), strings.Join(want, "\n"))
}

func TestVersionsTellWhoChangedTheTextWhen(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		made := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Tides", IsAbstract: true,
			SessionInput: models.SessionInput{Description: new("<p>One</p>")}}))(t)
		f.Clock.Move(time.Minute)
		change := func(p *models.Programme, c models.SessionChange) {
			t.Helper()
			modelstest.Must(p.UpdateSession(t.Context(), made.ID, c))(t)
			f.Clock.Move(time.Minute)
		}
		dana := f.Store.Programme(f.Event, store.By{Door: "admin", ActorID: "1", ActorName: "Dana"})
		change(dana, models.SessionChange{Title: new("Neap tides")})
		// What stands in other fields looks like none of the text.
		change(f.Programme(), models.SessionChange{SessionInput: models.SessionInput{Status: new(models.AcceptQueue),
			CustomFields: &models.AnswersInput{{Key: "title", Value: `"title": "description":`}}}})
		change(f.Programme(), models.SessionChange{SessionInput: models.SessionInput{Description: new("<p>Two</p>")}})
		change(dana, models.SessionChange{Title: new("Tides"),
			SessionInput: models.SessionInput{Description: new(""), Status: new(models.Pending)}})
		wantVersions(t, f, made.ID,
			"Dana (admin): Tides| was Neap tides|<p>Two</p>",
			"Test key (api): Neap tides|<p>Two</p> was Neap tides|<p>One</p>",
			"Dana (admin): Neap tides|<p>One</p> was Tides|<p>One</p>",
			"Test key (api): Tides|<p>One</p>")

		s := modelstest.Must(f.Programme().Session(t.Context(), made.ID))(t)
		versions := modelstest.Must(f.Programme().Versions(t.Context(), s))(t)
		modelstest.Holds(t, versions[3].At.Equal(made.CreatedAt.Time) && versions[0].At.After(versions[1].At.Time),
			"they are of %v and %v", versions[3].At, versions[0].At)
		if statements := f.Statement.During(func() { f.Programme().Versions(t.Context(), s) }); len(statements) > 2 {
			t.Errorf("they take %d statements, one beside the event's:\n%s", len(statements), statements)
		}
		modelstest.Answers(f.Programme().Version(t.Context(), s, f.Event.ID))(t, "an unknown version", store.NotFound)

		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret"}))(t)
		got := modelstest.Must(f.Programme().Versions(t.Context(), other))(t)
		modelstest.Holds(t, len(got) == 1 && got[0].Actor == "", "of another event's session, it tells %+v", got[0])
	})
}

func TestAnImportLeavesTheVersionsThatItWritesOver(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		importer := f.Store.Programme(f.Event, store.By{Door: "import", ActorName: "command line"})
		submissions := arrival.Options{AsSubmissions: true}
		modelstest.Must(arrival.Of(importer).Import(t.Context(), modelstest.TwoTalks(t, "First", "&lt;p&gt;Hi&lt;/p&gt;"),
			submissions))(t)
		rows := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{IsAbstract: new(false)})
		id := rows["First"].ID
		wantVersions(t, f, id, " (import): First|<p>Hi</p>")
		f.Clock.Move(time.Minute)
		modelstest.Must(f.Programme().UpdateSession(t.Context(), id, models.SessionChange{Title: new("Ours")}))(t)
		f.Clock.Move(time.Minute)
		modelstest.Emitted(t, f)
		modelstest.Must(arrival.Of(importer).Import(t.Context(), modelstest.TwoTalks(t, "First", "&lt;p&gt;Ho&lt;/p&gt;"),
			submissions))(t)
		want := []string{
			"command line (import): First|<p>Ho</p> was Ours|<p>Hi</p>", "Test key (api): Ours|<p>Hi</p> was First|<p>Hi</p>",
			" (import): First|<p>Hi</p>"}
		wantVersions(t, f, id, want...)
		sources := modelstest.Must(f.Programme().Sources(t.Context(), id))(t)
		wantVersions(t, f, sources[0].ID, want...)
		modelstest.WantAll(t, "the import emitted", modelstest.EmittedTypes(t, f), nil)
		wantVersions(t, f, rows["Second"].ID, " (import): Second|")
	})
}

func TestAComposedSessionBeginsWithWhoComposedIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		abstract := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "A", IsAbstract: true}))(t)
		f.Clock.Move(time.Minute)
		s := modelstest.Must(p.Compose(t.Context(), []string{abstract.ID}, ""))(t)
		f.Clock.Move(time.Minute)
		modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("B")}))(t)
		f.Clock.Move(time.Minute)
		more := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "More", IsAbstract: true}))(t)
		modelstest.Must(p.Compose(t.Context(), []string{more.ID}, s.ID))(t)
		want := []string{"Test key (api): B| was A|", "Test key (api): A|"}
		wantVersions(t, f, s.ID, want...)
		wantVersions(t, f, abstract.ID, want...) // it shared the text
	})
}

func TestOnlyTheLatestVersionsAreRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "0"}))(t)
		for i := range models.MaxVersions + 5 {
			s = modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new(fmt.Sprint(i + 1))}))(t)
		}
		versions := modelstest.Must(p.Versions(t.Context(), s))(t)
		oldest := versions[len(versions)-1]
		modelstest.Holds(t, len(versions) == models.MaxVersions && oldest.Before != nil && oldest.Before.Title == "5",
			"%d versions, the oldest is %+v", len(versions), oldest)
	})
}
