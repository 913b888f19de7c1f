package tasks_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/models/tasks"
)

// stage is an event with accepted sessions, and one elsewhere that could leak.
type stage struct {
	*modelstest.Fixture
	tasks         *tasks.Tasks
	talk, web     string // a format, a track
	tides, ebb    *models.Session
	ada, bo, cyd  string // Ada and Bo are on Tides, a talk of the web; Cyd moderates Ebb
	elsewhere     *models.Session
	strangerThere string
}

func accepted(t *testing.T, p *models.Programme, title string, in models.SessionInput, abstract bool) *models.Session {
	t.Helper()
	in.Status = new(models.Accepted)
	return modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: abstract, SessionInput: in}))(t)
}

func newStage(t *testing.T, f *modelstest.Fixture) *stage {
	p := f.Programme()
	s := &stage{Fixture: f, tasks: tasks.Of(p)}
	s.talk = modelstest.RowOf(t, p, models.Formats, "Talk").ID
	s.web = modelstest.RowOf(t, p, models.Tracks, "Web").ID
	s.tides = accepted(t, p, "Tides", models.SessionInput{FormatID: store.Some(s.talk), TrackID: store.Some(s.web)}, true)
	s.ebb = accepted(t, p, "Ebb", models.SessionInput{}, false)
	s.elsewhere = accepted(t, f.Elsewhere(), "Leak", models.SessionInput{}, true)
	s.ada = f.Speaker(t, f.Event, s.tides.ID, models.NewContact{FirstName: "Ada", LastName: "Marker", Email: "ada@x.org"})
	s.bo = f.Speaker(t, f.Event, s.tides.ID, models.NewContact{FirstName: "Bo", Email: "bo@x.org"})
	s.cyd = modelstest.Contact(t, p, "Cyd", "cyd@x.org").ID
	f.Join(t, f.Event, s.ebb.ID, s.cyd, models.Moderator)
	s.strangerThere = f.Speaker(t, f.Other, s.elsewhere.ID, models.NewContact{FirstName: "Leak", Email: "leak@x.org"})
	return s
}

// place returns the place of a contact whose address is proven.
func (s *stage) place(contactID string) *tasks.SpeakerTasks {
	a := &call.Account{OrganizationID: s.Event.OrganizationID, ContactID: contactID, Name: "Somebody",
		ConfirmedAt: new(store.At(s.Clock.Now()))}
	return tasks.ForSpeaker(call.PlaceOf(s.Store, &call.Login{Account: a}, store.By{Door: "call"}), s.Event)
}

func (s *stage) define(t *testing.T, c tasks.Change) *tasks.Task {
	t.Helper()
	return modelstest.Must(s.tasks.Create(t.Context(), c))(t)
}

// wantOwners checks who has a task, by name.
func (s *stage) wantOwners(t *testing.T, what string, of *tasks.Task, want string) {
	t.Helper()
	b := modelstest.Must(s.tasks.Board(t.Context()))(t)
	names := store.Map(b.Only(tasks.Wanted{TaskID: of.ID}),
		func(d *tasks.Deliverable) string { return strings.Fields(b.Owner(d))[0] })
	modelstest.Want(t, what+": who has "+of.Title, strings.Join(names, " "), want)
}

var slides = tasks.Change{Title: new("Slides"), Kind: new(tasks.File), AskedOf: new(tasks.OfSession),
	FileKinds: &[]call.FileKind{"pdf"}, IsPublic: new(true)}

func pdf(text string) models.Upload {
	return models.Upload{Name: "tides.pdf", Content: []byte("%PDF-1.7 " + text)}
}

func TestWhoHasATaskIsWhoFitsNow(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		all := s.define(t, tasks.Change{Title: new("Bio"), Kind: new(tasks.Tick)})
		speakers := s.define(t, tasks.Change{Title: new("Shirt"), Filters: &tasks.Filters{Roles: []models.Role{models.Speaking}}})
		web := s.define(t, tasks.Change{Title: new("Web"), Filters: &tasks.Filters{Tracks: []string{s.web}, Formats: []string{s.talk}}})
		sessions := s.define(t, slides)
		waiting := s.define(t, tasks.Change{Title: new("Wait"), Filters: &tasks.Filters{Statuses: []models.Status{models.Pending}}})
		modelstest.Must(tasks.Of(f.Elsewhere()).Create(ctx, tasks.Change{Title: new("Leak")}))(t)
		s.wantOwners(t, "all", all, "Ada Bo Cyd")
		s.wantOwners(t, "a role", speakers, "Ada Bo")
		s.wantOwners(t, "a track and a format", web, "Ada Bo")
		s.wantOwners(t, "sessions", sessions, "Ebb Tides")
		s.wantOwners(t, "a status", waiting, "")

		queued := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Queued", IsAbstract: true}))(t)
		dee := f.Speaker(t, f.Event, queued.ID, models.NewContact{FirstName: "Dee"})
		modelstest.SetStatus(t, f.Programme(), queued.ID, models.AcceptQueue)
		s.wantOwners(t, "a decision that waits", waiting, "Dee")
		s.wantOwners(t, "a decision that waits", all, "Ada Bo Cyd")
		f.Join(t, f.Event, s.ebb.ID, dee, models.Speaking)
		s.wantOwners(t, "who joined later", all, "Ada Bo Cyd Dee")

		composed := modelstest.Must(f.Programme().Compose(ctx, []string{s.tides.ID}, ""))(t)
		s.wantOwners(t, "what was composed has it once", sessions, "Ebb Tides")
		modelstest.Want(t, "tasks of Ada", len(modelstest.Must(s.place(s.ada).All(ctx))(t)), 4)
		modelstest.Answers(s.place(s.ada).One(ctx, sessions.ID, composed.ID))(t, "the session, not its source", store.NotFound)

		no := call.PlaceOf(s.Store, &call.Login{Account: &call.Account{OrganizationID: f.Event.OrganizationID, ContactID: s.bo}}, store.By{Door: "call"})
		modelstest.Fine(t, no.AnswerParticipation(ctx, f.Event, s.tides.ID, call.NotComing, ""))
		modelstest.Fine(t, no.AnswerParticipation(ctx, f.Event, s.tides.ID, call.NotComing, ""))
		if mine := modelstest.Must(s.place(s.bo).All(ctx))(t); slices.ContainsFunc(mine, func(m *tasks.SpeakerTask) bool { return m.SessionID != nil }) {
			t.Error("who does not come has a task of the session")
		}
	})
}

// TestAPlaceAsksForAllItsTasksAtOnce counts statements: every page of a place tells how many tasks are open.
func TestAPlaceAsksForAllItsTasksAtOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := newStage(t, f)
		ask := func() (mine []*tasks.SpeakerTask, statements int) {
			statements = len(f.Statement.During(func() { mine = modelstest.Must(s.place(s.ada).All(t.Context()))(t) }))
			return mine, statements
		}
		if mine, n := ask(); len(mine) != 0 || n != 1 {
			t.Errorf("%d tasks of an event without any in %d statements", len(mine), n)
		}
		s.define(t, slides)
		_, one := ask()
		due := func(days int) **store.Time { return new(new(store.At(s.Clock.Now().AddDate(0, 0, days)))) }
		s.define(t, tasks.Change{Title: new("Bio"), DueAt: due(9)})
		s.define(t, tasks.Change{Title: new("Shirt"), DueAt: due(2)})
		s.define(t, tasks.Change{Title: new("Abroad"), Filters: &tasks.Filters{Roles: []models.Role{models.Moderator}}})
		mine, n := ask()
		titles := store.Map(mine, func(m *tasks.SpeakerTask) string { return m.Task.Title + " " + m.Title })
		if n != one || strings.Join(titles, ",") != "Shirt ,Bio ,Slides Tides" {
			t.Errorf("%q in %d statements, one task in %d", titles, n, one)
		}
	})
}

func TestATaskIsOfItsEventAndItsFieldsAreChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		theirs := modelstest.RowOf(t, f.Elsewhere(), models.Tracks, "Web").ID
		for what, c := range map[string]tasks.Change{
			"title": {Title: new(" ")}, "kind": {Title: new("x"), Kind: new(tasks.Kind("forged"))},
			"asked_of":   {Title: new("x"), AskedOf: new(tasks.Whose("forged"))},
			"tracks":     {Title: new("x"), Filters: &tasks.Filters{Tracks: []string{theirs}}},
			"formats":    {Title: new("x"), Filters: &tasks.Filters{Formats: []string{s.web}}},
			"roles":      {Title: new("x"), Filters: &tasks.Filters{Roles: []models.Role{"forged"}}},
			"statuses":   {Title: new("x"), Filters: &tasks.Filters{Statuses: []models.Status{models.AcceptQueue}}},
			"file_kinds": {Title: new("x"), Kind: new(tasks.File), FileKinds: &[]call.FileKind{"forged"}},
			"max_bytes":  {Title: new("x"), Kind: new(tasks.File), MaxBytes: new(new(1))},
			"is_public":  {Title: new("x"), Kind: new(tasks.File), IsPublic: new(true)},
			"part":       {Title: new("x"), Kind: new(tasks.Form)},
		} {
			_, err := s.tasks.Create(ctx, c)
			if e := store.AsError(err); err == nil || e.Kind != store.Invalid || len(e.Fields) != 1 || e.Fields[0].Field != what {
				t.Errorf("%s: %v", what, err)
			}
		}
		one, other := s.define(t, slides), tasks.Of(f.Elsewhere())
		modelstest.Answers(other.Task(ctx, one.ID))(t, "read by another event", store.NotFound)
		modelstest.Answers(other.Save(ctx, one.ID, tasks.Change{Title: new("Mine")}))(t, "saved by another", store.NotFound)
		modelstest.WantKind(t, "deleted by another", other.Delete(ctx, one.ID, nil), store.NotFound)
		saved := modelstest.Must(s.tasks.Save(ctx, one.ID, tasks.Change{Title: new("Deck"), UpdatedAt: &one.UpdatedAt}))(t)
		late := tasks.Change{Title: new("Late"), UpdatedAt: &one.UpdatedAt}
		modelstest.Answers(s.tasks.Save(ctx, one.ID, late))(t, "an old token", store.Stale)
		if saved.Title != "Deck" || saved.Kind != tasks.File || !saved.IsPublic {
			t.Errorf("%+v", saved)
		}
		modelstest.WantKind(t, "deleted late", s.tasks.Delete(ctx, one.ID, &one.UpdatedAt), store.Stale)
		second := s.define(t, tasks.Change{Title: new("Second")})
		modelstest.Fine(t, s.tasks.Move(ctx, second.ID, 0))
		if all := modelstest.Must(s.tasks.All(ctx))(t); len(all) != 2 || all[0].ID != second.ID {
			t.Errorf("%+v", all)
		}
		modelstest.Fine(t, s.tasks.Delete(ctx, one.ID, &saved.UpdatedAt))
		if told := modelstest.Emitted(t, f); slices.ContainsFunc(told, func(e outbox.Emission) bool { return strings.Contains(string(e.Type), "task") }) {
			t.Errorf("%+v", told)
		}
	})
}

func TestASpeakerHandsInAndStaffCheck(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck, ada, bo := s.define(t, slides), s.place(s.ada), s.place(s.bo)
		at := s.tides.ID
		modelstest.WantKind(t, "approved before anything came", s.tasks.Decide(ctx, deck.ID, at, tasks.Approve, "", nil), store.Invalid)
		for what, u := range map[string]models.Upload{"empty": {Name: "a.pdf"}, "too large": {Name: "a.pdf", Content: bytes.Repeat([]byte("%PDF-"), 5<<20)},
			"another kind": {Name: "a.png", Content: []byte("\x89PNG\r\n")}, "no PDF": {Name: "a.pdf", Content: []byte("PK\x03\x04")}} {
			modelstest.WantKind(t, what, ada.Upload(ctx, deck.ID, at, u), store.Invalid)
		}
		modelstest.WantKind(t, "a tick", ada.Tick(ctx, deck.ID, at, true), store.Invalid)
		modelstest.WantKind(t, "a link", ada.Link(ctx, deck.ID, at, "https://x.org"), store.Invalid)
		modelstest.Fine(t, ada.Upload(ctx, deck.ID, at, pdf("one")))
		modelstest.Fine(t, bo.Upload(ctx, deck.ID, at, pdf("two")))
		sheet := modelstest.Must(ada.One(ctx, deck.ID, at))(t)
		if len(sheet.Versions) != 2 || sheet.Latest().Number != 2 || sheet.Latest().Author != "Bo" || sheet.Versions[1].Author != "Ada Marker" ||
			sheet.State != tasks.Done || sheet.By != "Bo" || sheet.Owner != "Tides" || len(sheet.People) != 2 {
			t.Errorf("%+v %+v", sheet, sheet.Versions)
		}
		first := sheet.Versions[1]
		file := modelstest.Must(bo.File(ctx, deck.ID, at, first.ID))(t)
		if file.Name != "tides.pdf" || file.Purpose != models.DeliverableFile {
			t.Errorf("%+v", file)
		}
		for who, pl := range map[string]*tasks.SpeakerTasks{"not on it": s.place(s.cyd), "of another event": s.place(s.strangerThere)} {
			modelstest.Answers(pl.One(ctx, deck.ID, at))(t, who, store.NotFound)
			modelstest.Answers(pl.File(ctx, deck.ID, at, first.ID))(t, who, store.NotFound)
			modelstest.WantKind(t, who, pl.Upload(ctx, deck.ID, at, pdf("x")), store.NotFound)
			modelstest.WantKind(t, who, pl.Comment(ctx, deck.ID, at, "x"), store.NotFound)
		}
		modelstest.Answers(tasks.Of(f.Elsewhere()).One(ctx, deck.ID, at))(t, "staff of another event", store.NotFound)
		modelstest.Answers(tasks.Of(f.Elsewhere()).File(ctx, deck.ID, at, first.ID))(t, "staff elsewhere", store.NotFound)

		modelstest.Fine(t, ada.Comment(ctx, deck.ID, at, "Which ratio?"))
		if b := modelstest.Must(s.tasks.Board(ctx))(t); b.Count(tasks.Asked, "") != 1 || b.Count(tasks.ToCheck, deck.ID) != 1 {
			t.Errorf("%d asked, %d to check", b.Count(tasks.Asked, ""), b.Count(tasks.ToCheck, ""))
		}
		modelstest.WantKind(t, "changes without words", s.tasks.Decide(ctx, deck.ID, at, tasks.Ask, " ", nil), store.Invalid)
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, tasks.Ask, "Sixteen to nine, please", nil))
		letters := mails(t, f)
		if len(letters) != 3 || !strings.Contains(letters["ada@x.org"], "Slides") || !strings.Contains(letters["ada@x.org"], "Sixteen to nine") {
			t.Errorf("%q", letters)
		}
		modelstest.Fine(t, ada.Upload(ctx, deck.ID, at, pdf("three")))
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, tasks.Approve, "", nil))
		modelstest.WantKind(t, "after it was approved", ada.Upload(ctx, deck.ID, at, pdf("four")), store.Invalid)
		now := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t)
		if now.State != tasks.Approved || now.By != modelstest.Tester.ActorName || len(now.Versions) != 3 || len(now.Comments) != 2 ||
			now.Comments[0].IsOfStaff() || !now.Comments[1].IsOfStaff() {
			t.Errorf("%+v", now)
		}
		said := ""
		for _, line := range modelstest.Must(f.Programme().Activity(ctx, at))(t) {
			said += line.Action + " "
		}
		if strings.Count(said, "handed_in") != 3 || strings.Count(said, "task") != 2 {
			t.Errorf("%s", said)
		}
	})
}

// mails returns the last queued text to each address, and under "" how many there are.
func mails(t *testing.T, f *modelstest.Fixture) map[string]string {
	t.Helper()
	rows := modelstest.First(letters.Of(f.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
		letters.Choice{Kind: models.LetterCall}, store.Page{Size: 100}))(t)
	slices.SortStableFunc(rows, func(a, b *models.LetterRow) int { return strings.Compare(a.ID, b.ID) })
	out := map[string]string{"": fmt.Sprint(len(rows))}
	for _, row := range rows {
		out[row.Email] = row.Subject + "\n" + row.Body
	}
	return out
}

func TestRemindersNameWhatIsMissingAndStopWhenItIsDone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		due := store.At(f.Clock.Now().Add(10 * 24 * time.Hour))
		deck := slides
		deck.DueAt = new(&due)
		of := s.define(t, deck)
		bio := s.define(t, tasks.Change{Title: new("Bio")})
		modelstest.Fine(t, s.place(s.bo).Tick(ctx, bio.ID, s.bo, true))
		modelstest.Answers(s.tasks.Remind(ctx, tasks.Wanted{Show: tasks.Missing}, 2))(t, "another number", store.Stale)
		modelstest.Want(t, "people written to", modelstest.Must(s.tasks.Remind(ctx, tasks.Wanted{Show: tasks.Missing}, 3))(t), 3)
		letters := mails(t, f)
		local := due.In(f.Event.Location())
		if ada := letters["ada@x.org"]; !strings.Contains(ada, "Slides (Tides)") || !strings.Contains(ada, "– Bio") ||
			!strings.Contains(ada, local.Format("2 January 2006")) || !strings.Contains(ada, local.Format("15:04")) ||
			!strings.Contains(ada, models.PlaceLinkHere) {
			t.Errorf("%s", ada)
		}
		if strings.Contains(letters["bo@x.org"], "Bio") || letters[""] != "3" {
			t.Errorf("%q", letters)
		}
		modelstest.Want(t, "people written to twice",
			modelstest.Must(s.tasks.Remind(ctx, tasks.Wanted{Show: tasks.Missing}, 0))(t), 0)
		tell := func(after time.Duration, want string) {
			t.Helper()
			f.Clock.Move(after)
			for range 2 {
				modelstest.Fine(t, tasks.SendReminders(ctx, f.Store))
			}
			modelstest.Want(t, "letters", mails(t, f)[""], want)
		}
		tell(2*24*time.Hour, "3")           // eight days before
		tell(24*time.Hour+time.Minute, "6") // seven: Ada, Bo and Cyd
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, of.ID, s.tides.ID, pdf("x")))
		tell(6*24*time.Hour, "7") // a day before: Cyd alone
		modelstest.Fine(t, s.tasks.Extend(ctx, of.ID, s.ebb.ID, new(store.At(f.Clock.Now().Add(30*24*time.Hour)))))
		tell(2*24*time.Hour, "7") // it was extended
		modelstest.Fine(t, s.tasks.Decide(ctx, of.ID, s.ebb.ID, tasks.Waive, "A panel has none", nil))
		tell(29*24*time.Hour, "7")
	})
}

func TestFilesOfTasksFollowTheirPeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		own := s.define(t, tasks.Change{Title: new("Passport"), Kind: new(tasks.File)})
		deck := s.define(t, slides)
		named := models.Upload{Name: "ada-marker.pdf", Content: []byte("%PDF-ada")}
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, own.ID, s.ada, named))
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, named))
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, s.tides.ID, "marker of Ada"))
		modelstest.Fine(t, s.place(s.bo).Upload(ctx, own.ID, s.bo, pdf("bo")))
		modelstest.Fine(t, s.place(s.bo).Comment(ctx, own.ID, s.bo, "of Bo"))

		data, _, err := people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester)).PersonalData(ctx, s.ada)
		if err != nil || len(data.Tasks) != 2 || data.Tasks[0].HandedIn[0].File != "ada-marker.pdf" || data.Tasks[1].Session != "A-1" ||
			len(data.Tasks[1].Said) != 1 || !data.Tasks[1].Said[0].IsTheir {
			t.Errorf("%+v %v", data.Tasks, err)
		}
		modelstest.Merged(t, f, s.ada, s.bo)
		sheet := modelstest.Must(s.tasks.One(ctx, own.ID, s.ada))(t)
		if len(sheet.Versions) != 2 || sheet.Latest().Author != "Ada Marker" || len(sheet.Comments) != 1 || sheet.State != tasks.Done {
			t.Errorf("%+v", sheet)
		}
		held := sheet.Latest().File.Key
		modelstest.Fine(t, people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester)).Erase(ctx, s.ada))
		after := modelstest.Must(s.tasks.One(ctx, deck.ID, s.tides.ID))(t)
		if len(after.Versions) != 1 || after.Latest().File.Name != "file.pdf" || after.Latest().Author != "Erased person" || len(after.Comments) != 0 {
			t.Errorf("%+v %+v", after, after.Latest().File)
		}
		modelstest.Answers(s.tasks.One(ctx, own.ID, s.ada))(t, "what was theirs alone", store.NotFound)
		f.Clock.Move(models.LeftoverAge + time.Hour)
		for more := true; more; {
			more = modelstest.Must(f.SweepFiles(ctx, 50))(t)
		}
		if _, err := f.Options.Files.Open(context.Background(), held); err == nil {
			t.Error("the bytes are there still")
		}
	})
}
