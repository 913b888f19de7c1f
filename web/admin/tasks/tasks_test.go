package tasks_test

import (
	"html"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

// stage is an event with accepted talks and their people: Ada and Bo are on Tides, a talk of the web; Cyd is on Ebb, and
// has no address.
type stage struct {
	*admintest.Desk
	b            *admintest.Browser
	tasks        *tasks.Tasks
	web          string
	tides, ebb   *models.Session
	ada, bo, cyd string
}

func open(t *testing.T) *stage {
	t.Helper()
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Taken})
	s := &stage{Desk: d, tasks: tasks.Of(d.Programme())}
	s.web = modelstest.RowOf(t, d.Programme(), models.Tracks, "Web").ID
	accepted := func(title, track string) *models.Session {
		in := models.SessionInput{Status: new(models.Accepted)}
		if track != "" {
			in.TrackID = store.Some(track)
		}
		return d.Session(models.NewSession{Title: title, IsAbstract: true, SessionInput: in})
	}
	s.tides, s.ebb = accepted("Tides", s.web), accepted("Ebb", "")
	s.ada = d.Speaker(t, d.Event, s.tides.ID, models.NewContact{FirstName: "Ada", LastName: "Marker", Email: "ada@x.org"})
	s.bo = d.Speaker(t, d.Event, s.tides.ID, models.NewContact{FirstName: "Bo", Email: "bo@x.org"})
	s.cyd = d.Speaker(t, d.Event, s.ebb.ID, models.NewContact{FirstName: "Cyd"})
	s.b = d.As(staff.Organizer)
	return s
}

func (s *stage) define(c tasks.Change) *tasks.Task {
	s.T.Helper()
	return modelstest.Must(s.tasks.Create(s.T.Context(), c))(s.T)
}

func (s *stage) slides() *tasks.Task {
	return s.define(tasks.Change{Title: new("Slides"), Kind: new(tasks.File), AskedOf: new(tasks.OfSession),
		FileKinds: &[]call.FileKind{"pdf"}, Instructions: new("The deck.\nNo videos.")})
}

// place returns the place of a contact whose address is proven.
func (s *stage) place(contactID, name string) *tasks.SpeakerTasks {
	a := &call.Account{OrganizationID: s.Event.OrganizationID, ContactID: contactID, Name: name,
		ConfirmedAt: new(store.At(s.Clock.Now()))}
	return tasks.ForSpeaker(call.PlaceOf(s.Store, &call.Login{Account: a}, store.By{Door: "call"}), s.Event)
}

// at returns the address of a deliverable.
func (s *stage) at(t *tasks.Task, owner string) string { return s.At("/tasks/" + t.ID + "/" + owner) }

func pdf(text string) models.Upload {
	return models.Upload{Name: "tides.pdf", Content: []byte("%PDF-1.7 " + text)}
}

// do sends a form that the page has, and returns the page that it leads to.
func (s *stage) do(address, verb string, form url.Values) string {
	s.T.Helper()
	s.b.Get(address, 200)
	form.Set("seen", s.b.Hidden("seen").Get("seen"))
	return s.b.Follow(s.b.Post(address+verb, form, 303))
}

func TestATaskIsDefinedWithAPreviewOfWhoGetsIt(t *testing.T) {
	s := open(t)
	admintest.Wants(t, s.b.Get(s.At("/tasks"), 200), "No tasks yet", "New task")
	new := s.At("/tasks/new")
	admintest.Wants(t, s.b.Get(new, 200), "3 people get it.", "Ada Marker", "By the clock of the event", "Make task")
	form := url.Values{"title": {""}, "kind": {"file"}, "asked_of": {"session"}, "tracks": {s.web}, "preview": {"yes"},
		"is_required": {"yes"}, "is_reminded": {"yes"}}
	admintest.Wants(t, s.b.Answer(new, form, 200), "1 session has it, with 2 people.", "Tides")
	form.Set("roles", "chairperson")
	admintest.Wants(t, s.b.Answer(new, form, 200), "Nobody gets it now.")
	form.Del("roles")
	form.Del("preview")
	admintest.Fill(form, "due_at", "2027-05-10T18:00", "max_bytes", "50")
	form["file_kinds"] = []string{"pdf", "slides"}
	_, page := s.b.Post(new, form, 422)
	admintest.Wants(t, page, "Size at most can be at most 20 MB", `value="2027-05-10T18:00"`, `value="pdf" checked`)
	form.Set("max_bytes", "2.5")
	admintest.Wants(t, s.b.Answer(new, form, 422), "Title must not be empty.", `value="2.5"`, `value="`+s.web+`" checked`)
	form.Set("title", "Slides <i>")
	page = s.b.Follow(s.b.Post(new, form, 303))
	admintest.Wants(t, page, "“Slides &lt;i&gt;” is there.", "0 of 1", "A file · each session", "10 May 2027, 18:00")
	made := modelstest.Must(s.tasks.All(t.Context()))(t)[0]
	if made.Question().Bytes() != 5<<19 || made.Kind != tasks.File || made.AskedOf != tasks.OfSession || !made.IsRequired ||
		len(made.FileKinds) != 2 || made.Filters.Tracks[0] != s.web ||
		made.DueAt.In(s.Event.Location()).Format("15:04") != "18:00" {
		t.Errorf("it is %+v", made)
	}
	admintest.Wants(t, s.b.Get(s.At("/tasks"), 200), "Tides", "Open", "Remind 2 people…", "10 May 2027, 18:00")
}

func TestATaskIsChangedMovedAndDeleted(t *testing.T) {
	s := open(t)
	slides := s.slides()
	bio := s.define(tasks.Change{Title: new("Bio")})
	edit := s.At("/tasks/" + slides.ID + "/edit")
	page := s.b.Get(edit, 200)
	admintest.Wants(t, page, "A file · of each session", "The deck.\nNo videos.", "2 sessions have it, with 3 people.")
	admintest.Lacks(t, page, `name="kind"`)
	form := admintest.Fill(admintest.Entire(page), "title", "Deck")
	stale := maps.Clone(form)
	s.Clock.Move(time.Minute)
	admintest.Wants(t, s.b.Follow(s.b.Post(edit, form, 303)), "“Deck” is saved.")
	stale.Set("title", "Presentation")
	admintest.Wants(t, s.b.Answer(edit, stale, 409), "changed Title", "Presentation", "Deck")
	form = admintest.Fill(admintest.Entire(s.b.Get(edit, 200)), "due_at", "2027-13-40T99:00")
	admintest.Wants(t, s.b.Answer(edit, form, 422), "Due must be a date and a time")

	page = s.b.Follow(s.b.Post(s.At("/tasks/"+bio.ID+"/move"), url.Values{"step": {"1"}}, 303))
	admintest.Wants(t, page, "“Bio” is number 1 of 2 now.")
	modelstest.Want(t, "it did not move", modelstest.Must(s.tasks.All(t.Context()))(t)[0].ID, bio.ID)
	s.b.Undo(page)
	modelstest.Want(t, "it did not move back", modelstest.Must(s.tasks.All(t.Context()))(t)[1].ID, bio.ID)
	modelstest.Fine(t, s.place(s.ada, "Ada Marker").Upload(t.Context(), slides.ID, s.tides.ID, pdf("one")))
	remove := s.At("/tasks/" + slides.ID + "/delete")
	admintest.Wants(t, s.b.Get(remove, 200), "Delete the task “Deck”?", "1 session has handed in something.")
	admintest.Wants(t, s.b.Follow(s.b.Post(remove, s.b.Hidden("updated_at"), 303)), "“Deck” is deleted.")
	s.b.Get(edit, 404)
	admintest.Wants(t, s.b.Get(s.At("/activity?kind=task"), 200), "created the task ", "deleted the task ", "Deck",
		"/tasks/"+bio.ID+"/edit")
}

func TestTheBoardIsNarrowedAndExported(t *testing.T) {
	s := open(t)
	slides := s.slides()
	s.define(tasks.Change{Title: new("=Bio"), DueAt: new(new(store.At(s.Clock.Now().Add(-74 * time.Hour))))})
	modelstest.Fine(t, s.place(s.ada, "Ada Marker").Upload(t.Context(), slides.ID, s.tides.ID, pdf("one")))
	modelstest.Fine(t, s.place(s.bo, "Bo").Comment(t.Context(), slides.ID, s.tides.ID, "May it be a link?"))
	admintest.Wants(t, s.b.Get(s.At("/tasks"), 200), "<strong>5</strong>", "3 days late", "tides.pdf", "Version 1",
		"To check", "Waits for an answer", "Check one after the other")
	for _, c := range []struct{ query, wants, lacks string }{
		{"?show=late", "Cyd", "Tides"}, {"?show=check", "Tides", "Cyd"}, {"?show=asked", "Tides", "Ebb"},
		{"?show=finished", "Nothing is finished yet.", "Tides"}, {"?show=missing", "Ebb", "tides.pdf"},
		{"?task=" + slides.ID, "Ebb", "3 days late"}, {"?track=" + s.web, "Ada", "Cyd"}, {"?q=ebb", "Ebb", "Tides"},
		{"?q=zebra", "Nothing matches", "Tides"}, {"?session=" + s.tides.ID, "tides.pdf", "Ebb"},
		{"?track=nonsense&task=x&session=y&show=z", "Cyd", "Nothing matches"},
	} {
		page := s.b.Get(s.At("/tasks"+c.query), 200)
		table := admintest.Between(page, "<tbody>", "</tbody>")
		if !strings.Contains(page, c.wants) || strings.Contains(table, c.lacks) {
			t.Errorf("%s does not show %q alone:\n%s", c.query, c.wants, table)
		}
	}
	modelstest.Want(t, "behind the last page is", s.b.Leads(s.At("/tasks?page=99")), s.At("/tasks?page=1"))
	file := s.b.Get(s.At("/tasks.csv?track="+s.web), 200)
	admintest.Wants(t, file, "Task,Session,Title,People,State", "Slides,"+s.tides.FriendlyID+",Tides,\"Ada Marker, Bo\",To check",
		",Version 1,tides.pdf,yes,", "'=Bio,,,Ada Marker,Late")
	admintest.Lacks(t, file, "Cyd")
	modelstest.Want(t, "what is to check is at", s.b.Leads(s.At("/tasks/check")), s.at(slides, s.tides.ID))
	admintest.Wants(t, s.b.Get(s.At(""), 200), "deliverable of speakers is to be checked",
		"deliverables of speakers are late", "conversation about a task waits for an answer")
	admintest.Wants(t, s.b.Text, `/tasks"`)
}

func TestPeopleAreRemindedByTheNumberOnTheButton(t *testing.T) {
	s := open(t)
	s.slides()
	bio := s.define(tasks.Change{Title: new("Bio")})
	admintest.Wants(t, s.b.Get(s.At("/tasks"), 200), "Remind 2 people…")
	ask := s.At("/tasks/remind")
	admintest.Wants(t, s.b.Get(ask, 200), "Remind 2 people?", "Ada Marker: Slides of “Tides”; Bio",
		"No letter can reach Cyd", `name="expected" value="2"`)
	s.b.Post(ask, url.Values{"expected": {"x"}}, 403)
	page := s.b.Follow(s.b.Post(ask, url.Values{"expected": {"7"}}, 303))
	admintest.Wants(t, page, "Meanwhile another number of people lacks something.", "Remind 2 people?")
	s.b.Get(ask, 200)
	modelstest.Fine(t, s.place(s.ada, "Ada Marker").Tick(t.Context(), bio.ID, s.ada, true))
	narrow := url.Values{"expected": {"1"}, "task": {bio.ID}, "show": {"missing"}}
	admintest.Wants(t, s.b.Get(ask+"?task="+bio.ID+"&show=missing", 200), "Remind 1 person?", "Bo: Bio")
	page = s.b.Follow(s.b.Post(ask, narrow, 303))
	admintest.Wants(t, page, "1 person is reminded.", "Cyd")
	letters, _, err := letters.Of(s.Programme()).LettersIn(t.Context(), letters.QueuedLetters,
		letters.Choice{}, store.Page{})
	if err != nil || len(letters) != 1 || letters[0].Email != "bo@x.org" || !strings.Contains(letters[0].Shown(), "Bio") {
		t.Errorf("it was written to %+v, %v", letters, err)
	}
	admintest.Lacks(t, page, "Remind 1 person…")
	admintest.Wants(t, s.b.Follow(s.b.Leads(ask+"?task="+bio.ID), ""), "was reminded within the hour")
}

func TestWhatIsHandedInIsCheckedInAThreadOfWords(t *testing.T) {
	s := open(t)
	slides := s.slides()
	here := s.at(slides, s.tides.ID)
	page := s.b.Get(here, 200)
	admintest.Wants(t, page, "Nothing was handed in yet.", "The deck.\nNo videos.", "Ada Marker", "Upload a file in their stead",
		"PDF, up to 20 MB.")
	admintest.Lacks(t, page, `value="approve"`, "Ask for changes")
	ada := s.place(s.ada, "Ada Marker")
	modelstest.Fine(t, ada.Upload(t.Context(), slides.ID, s.tides.ID, pdf("one")))
	page = s.b.Get(here, 200)
	admintest.Wants(t, page, "Handed in by Ada Marker", `value="approve"`, "1 to check", "tides.pdf")
	sidebar := strings.Join(regexp.MustCompile(`(?s)href="`+s.At("/tasks")+`"[^>]*>.*?</a>`).FindAllString(page, -1), "")
	admintest.Wants(t, sidebar, "Tasks", ">1<")
	file := html.UnescapeString(regexp.MustCompile(`href="([^"]+/versions/[^"]+)"`).FindStringSubmatch(page)[1])
	modelstest.Want(t, "the file is", s.b.Get(file, 200), "%PDF-1.7 one")
	s.b.Get(here, 200)
	admintest.Wants(t, s.b.Answer(here+"/decide", url.Values{"verdict": {"ask"}, "words": {" "},
		"seen": s.b.Hidden("seen")["seen"]}, 422), "Words are empty. Say what is to be changed.", "open")
	page = s.do(here, "/decide", url.Values{"verdict": {"ask"}, "words": {"Larger letters, please."}})
	admintest.Wants(t, page, "Changes are asked for.", "Changes asked", "Larger letters, please.")
	modelstest.Fine(t, ada.Comment(t.Context(), slides.ID, s.tides.ID, "How large?"))
	admintest.Wants(t, s.b.Get(here, 200), "To be changed", "How large?")
	admintest.Wants(t, s.do(here, "/comment", url.Values{"text": {"24 points."}}), "Your comment is kept", "24 points.")
	admintest.Wants(t, s.b.Answer(here+"/comment", url.Values{"text": {strings.Repeat("x", 4001)}}, 422), "xxxx", "Text ")
	modelstest.Fine(t, ada.Upload(t.Context(), slides.ID, s.tides.ID, pdf("two")))
	s.b.Get(here, 200)
	seen := s.b.Hidden("seen")
	modelstest.Fine(t, ada.Upload(t.Context(), slides.ID, s.tides.ID, pdf("three")))
	seen.Set("verdict", "approve")
	_, page = s.b.Post(here+"/decide", seen, 409)
	admintest.Wants(t, page, "Meanwhile something else was handed in", "Version 3: ", `value="approve"`)
	page = s.do(here, "/decide", url.Values{"verdict": {"approve"}})
	admintest.Wants(t, page, "It is approved.", "Approved by Ada organizer", "Version 3: ")
	admintest.Lacks(t, page, "in their stead</summary>", "Upload a file")
	admintest.Wants(t, s.do(here, "/decide", url.Values{"verdict": {"reopen"}}), "It is open again.", "Opened again by")
	page = s.b.Get(s.At("/sessions/"+s.tides.ID), 200)
	admintest.Wants(t, page, "Tasks", here, "approved “Slides”", "asked for changes to “Slides”", "handed in “Slides”",
		"opened again “Slides”")
	admintest.Wants(t, s.b.Get(s.At("/activity"), 200), "asked for changes to “Slides” of", "Larger letters, please.")
	viewer := s.As(staff.Viewer)
	for _, path := range []string{"/activity", "/sessions/" + s.tides.ID} {
		page = viewer.Get(s.At(path), 200)
		admintest.Wants(t, page, "asked for changes to “Slides”")
		admintest.Lacks(t, page, "Larger letters, please.", "tides.pdf", here)
	}
	viewer.Get(here, 403)
	s.As(staff.Reviewer).Get(s.At("/tasks"), 403)
}

func TestStaffActInTheirStead(t *testing.T) {
	s := open(t)
	slides, bio := s.slides(), s.define(tasks.Change{Title: new("Bio")})
	talk := s.define(tasks.Change{Title: new("Recording"), Kind: new(tasks.Link), IsRequired: new(false)})
	here := s.at(slides, s.ebb.ID)
	s.b.Get(here, 200)
	_, page := s.b.Upload(here+"/file", "virus.exe", []byte("MZ"), "", 422)
	admintest.Wants(t, page, "File must be one of these: .pdf")
	s.b.Get(here, 200)
	_, page = s.b.Upload(here+"/file", "", nil, "", 422)
	admintest.Wants(t, page, "File is missing; choose a file")
	s.b.Get(here, 200)
	page = s.b.Follow(s.b.Upload(here+"/file", "ebb.pdf", pdf("x").Content, "", 303))
	admintest.Wants(t, page, "“ebb.pdf” is kept as the latest version.", "in their stead", "To check")

	link := s.at(talk, s.ada)
	s.b.Get(link, 200)
	admintest.Wants(t, s.b.Answer(link+"/link", url.Values{"url": {"nonsense here"}}, 422), `value="nonsense here"`)
	admintest.Wants(t, s.do(link, "/link", url.Values{"url": {"https://x.org/talk"}}), "The link is kept",
		`href="https://x.org/talk"`)

	tick := s.at(bio, s.ada)
	admintest.Wants(t, s.do(tick, "/decide", url.Values{"verdict": {"done"}}), "It is marked as done.",
		"Said to be done by Ada")
	tick = s.at(bio, s.bo)
	_, page = s.b.Post(tick+"/decide", url.Values{"verdict": {"waive"}}, 422)
	admintest.Wants(t, page, "Words are empty. Say why it is not needed.")
	admintest.Wants(t, s.b.Answer(tick+"/decide", url.Values{"verdict": {"dance"}}, 422), "It must be approve")
	admintest.Wants(t, s.do(tick, "/decide", url.Values{"verdict": {"waive"}, "words": {"Known to all."}}), "It is waived.",
		"Why it is waived", "Known to all.")
	tick = s.at(bio, s.cyd)
	page = s.do(tick, "/extend", url.Values{"due_at": {"2027-05-17T09:00"}})
	admintest.Wants(t, page, "For them it is due on 17 May 2027, 09:00.", "extended", `value="2027-05-17T09:00"`)
	admintest.Wants(t, s.b.Answer(tick+"/extend", url.Values{"due_at": {"soon"}}, 422), "must be a date and a time")
	admintest.Wants(t, s.do(tick, "/extend", url.Values{"due_at": {""}}), "It is due when it is for everybody again.")
	page = s.b.Get(s.At("/speakers/"+s.bo), 200)
	admintest.Wants(t, page, tick[:len(tick)-len(s.cyd)]+s.bo, "Waived", "Slides", "Tides", "waived “Bio”")
	admintest.Lacks(t, s.As(staff.Viewer).Get(s.At("/speakers/"+s.bo), 200), "Known to all.", `id="tasks-part"`)
	s.b.Get(s.At("/tasks/"+bio.ID+"/"+s.tides.ID), 404)
	s.b.Get(s.At("/tasks/"+store.NewID()+"/"+s.ada), 404)
}

func TestAFormAsksForASectionOfTheCall(t *testing.T) {
	s := open(t)
	admintest.Wants(t, s.b.Get(s.At("/tasks/new"), 200), "has a question that is asked")
	form := url.Values{"title": {"About you"}, "kind": {"form"}, "asked_of": {"speaker"}, "is_required": {"yes"}}
	_, page := s.b.Post(s.At("/tasks/new"), form, 422)
	admintest.Wants(t, page, "Section of the call’s form must be a section", `value="form" selected`)
	cfp := call.Of(s.Programme())
	modelstest.Fine(t, cfp.Start(t.Context()))
	part := modelstest.Must(cfp.AddPart(t.Context(), call.PartInput{Title: "Travel"}))(t)
	modelstest.Must(cfp.AddQuestion(t.Context(), part.ID, call.QuestionInput{Label: "Which train?", Type: "text",
		AskedOf: call.OfSpeaker, Required: call.Optional}))(t)
	admintest.Wants(t, s.b.Get(s.At("/tasks/new"), 200), "Travel")
	admintest.Fill(form, "part", part.ID, "asked_of", "session")
	admintest.Wants(t, s.b.Answer(s.At("/tasks/new"), form, 422), "Who does it must be each speaker")
	admintest.Fill(form, "asked_of", "speaker", "max_bytes", "nonsense of another kind")
	admintest.Wants(t, s.b.Follow(s.b.Post(s.At("/tasks/new"), form, 303)), "A form · each person", "0 of 3")
	about := modelstest.Must(s.tasks.All(t.Context()))(t)[0]
	here := s.at(about, s.ada)
	admintest.Wants(t, s.b.Get(here, 200), "What Ada Marker answered", "/speakers/"+s.ada+"/answers", "Mark as done")
	modelstest.Fine(t, s.place(s.ada, "Ada Marker").Finish(t.Context(), about.ID, s.ada))
	admintest.Wants(t, s.b.Get(here, 200), "Said to be done by Ada Marker", `value="approve"`, "Ask for changes")
	admintest.Wants(t, s.do(here, "/decide", url.Values{"verdict": {"ask"}, "words": {"Which one back?"}}),
		"Changes asked")
	admintest.Wants(t, s.do(here, "/decide", url.Values{"verdict": {"done"}}), "It is marked as done.")
}

func TestATaskNamesNothingOfAnotherEvent(t *testing.T) {
	s := open(t)
	s.b.Get(s.At("/tasks/new"), 200)
	form := url.Values{"title": {"Mine"}, "kind": {"tick"}, "asked_of": {"speaker"}, "tracks": {store.NewID()}}
	_, page := s.b.Post(s.At("/tasks/new"), form, 422)
	admintest.Wants(t, page, "Track name one that this event has no more", "Nobody can tell who gets it.")
}

func TestATaskIsGivenToPeopleThatAreLookedFor(t *testing.T) {
	s := open(t)
	s.b.Get(s.At("/tasks/new"), 200)
	page := s.b.Follow(s.b.Post(s.At("/tasks/new"), url.Values{"title": {"Visa <i>"}, "kind": {"tick"}, "asked_of": {"speaker"},
		"only_given": {"yes"}}, 303))
	admintest.Wants(t, page, "“Visa &lt;i&gt;” is there. Choose who has it.", "Nobody has it but whom you choose here.",
		"Nobody was given it by hand.")
	visa := modelstest.Must(s.tasks.All(t.Context()))(t)[0]
	here := s.At("/tasks/" + visa.ID + "/give")
	admintest.Wants(t, s.b.Get(here+"?q=a", 200), "Type two letters or more.")
	admintest.Wants(t, s.b.Get(here+"?q=zz", 200), "Nobody at this event, and no session, matches “zz”.")
	admintest.Wants(t, s.b.Get(here+"?q=ada", 200), "Give it to Ada Marker")
	admintest.Wants(t, s.b.Get(here+"?q=tides", 200), "Give it to Tides", "everybody who is on it now")
	page = s.b.Follow(s.b.Post(here, url.Values{"owner": {s.ada}}, 303))
	admintest.Wants(t, page, "“Visa &lt;i&gt;” is given to 1 person.", "Take back from Ada Marker")
	admintest.Wants(t, s.b.Get(here+"?q=ada", 200), "Has it")
	admintest.Wants(t, s.b.Get(s.At("/tasks/"+visa.ID+"/edit"), 200), "Given to 1 by now.", "1 person gets it.",
		`value="yes" checked`)
	admintest.Wants(t, s.b.Get(s.At("/speakers/"+s.ada), 200), "gave “Visa &lt;i&gt;”")
	admintest.Wants(t, s.b.Follow(s.b.Post(here, url.Values{"owner": {s.tides.ID}}, 303)), "is given to 2 people.")
	page = s.b.Follow(s.b.Post(s.at(visa, s.ada)+"/take-back", url.Values{}, 303))
	admintest.Wants(t, page, "is taken back from Ada Marker.", "Take back from Bo")
	admintest.Lacks(t, page, "Take back from Ada Marker")
	s.b.Post(here, url.Values{"owner": {"nobody"}}, 303)
	admintest.Wants(t, s.b.Get(here, 200), "Nobody would have it")
}

func TestARecordGivesATask(t *testing.T) {
	s := open(t)
	admintest.Lacks(t, s.b.Get(s.At("/sessions/"+s.tides.ID), 200), `id="tasks-part"`)
	visa := s.define(tasks.Change{Title: new("Visa"), OnlyGiven: new(true)})
	deck := s.define(tasks.Change{Title: new("Deck"), AskedOf: new(tasks.OfSession),
		Filters: &tasks.Filters{Roles: []models.Role{models.Chairperson}}})
	session, person := s.At("/sessions/"+s.tides.ID), s.At("/speakers/"+s.cyd)
	admintest.Wants(t, s.b.Get(session, 200), "Give a task", "Visa", "Deck")
	form := url.Values{"owner": {s.tides.ID}, "back": {session}, "give-task": {deck.ID}}
	page := s.b.Follow(s.b.Post(s.At("/tasks/give"), form, 303))
	admintest.Wants(t, page, "“Deck” is given to 1 session.", "/tasks/"+deck.ID+"/"+s.tides.ID)
	admintest.Wants(t, s.b.Get(person, 200), "Give a task", "Visa")
	admintest.Lacks(t, s.b.Text, "Deck")
	form = url.Values{"owner": {s.cyd}, "back": {person}, "give-task": {visa.ID}}
	page = s.b.Follow(s.b.Post(s.At("/tasks/give"), form, 303))
	admintest.Wants(t, page, "“Visa” is given to 1 person.", "/tasks/"+visa.ID+"/"+s.cyd)
	admintest.Lacks(t, page, "Give a task")
	form.Set("give-task", deck.ID)
	admintest.Wants(t, s.b.Follow(s.b.Post(s.At("/tasks/give"), form, 303)), "This is a task of each session.")
	form.Set("back", "https://elsewhere.example")
	s.b.Post(s.At("/tasks/give"), form, 403)
}
