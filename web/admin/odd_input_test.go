package admin_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/apikey"
	"lectern/models/call"
	"lectern/models/decisions"
	"lectern/models/desk"
	"lectern/models/embed"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/people"
	"lectern/models/reviews"
	"lectern/models/revisions"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/web/admin/admintest"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
)

// records makes one record of each kind that an address may name, and returns their ids by the parameter's name.
func records(d *admintest.Desk, p *models.Programme, owner *staff.User) map[string]string {
	d.T.Helper()
	ctx := d.T.Context()
	s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Quiet plan", IsAbstract: true}))(d.T)
	person := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Quiet"}))(d.T)
	stage := modelstest.Must(people.In(p.Directory()).Stages(ctx))(d.T)[0]
	modelstest.Must(people.Of(p).AddCards(ctx, []string{person.ID}, stage.ID))(d.T)
	other := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Quiet", LastName: "Other"}))(d.T)
	file := modelstest.Must(people.Of(p).UploadContacts(ctx, models.Upload{Name: "Quiet.csv",
		Content: []byte("Name,Email\nQuiet,quiet@example.org\n")}))(d.T)
	row := modelstest.RowOf(d.T, p, models.Tracks, "Quiet "+store.NewID())
	key := modelstest.First(apikey.Of(p).Create(ctx, apikey.New{Name: "Quiet key", Scopes: apikey.Scopes}))(d.T)
	move := modelstest.Must(moves.Of(p).Begin(ctx, moves.Asked{Kind: "schedule", Address: "https://quiet.example"}))(d.T)
	batch := modelstest.Must(p.StartBatch(ctx, []string{s.ID}, nil, models.BatchChange{Status: new(models.Accepted)}))(d.T)
	embedded := modelstest.Must(embed.Of(p).Create(ctx, embed.Change{Name: new("Quiet embed"),
		Kind: new(embed.Agenda)}))(d.T)
	view := modelstest.Must(desk.Of(p).SaveView(ctx, owner.ID, desk.NewSavedView{Page: "submissions", Name: "Quiet " +
		store.NewID()}))(d.T)
	segment := modelstest.Must(people.In(p.Directory()).AddSegment(ctx, people.Keeper{UserID: owner.ID, Team: true},
		people.SegmentInput{Name: "Quiet " + store.NewID(), Query: "q=quiet", IsShared: true}))(d.T)
	field := modelstest.Must(people.In(d.Directory(owner.OrganizationID, modelstest.Tester)).AddOwnField(ctx,
		people.OwnFieldInput{Label: "Quiet " + store.NewID(), Type: "text"}))(d.T)
	endpoint := modelstest.First(d.Outbox.Webhooks(d.Organization(owner.OrganizationID,
		modelstest.Tester)).CreateEndpoint(ctx, "https://quiet.example"))(d.T)
	written := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Quiet", Email: store.NewID() +
		"@example.org"}))(d.T)
	decided := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Quiet " + store.NewID(), IsAbstract: true,
		People:       []models.Participation{{ContactID: written.ID, Role: models.Speaking}},
		SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(d.T)
	rows, _, err := letters.Of(p).LettersIn(ctx, letters.DraftLetters,
		letters.Choice{Text: decided.FriendlyID}, store.Page{})
	if err != nil || len(rows) == 0 {
		d.T.Fatalf("%d letters, %v", len(rows), err)
	}
	commit := modelstest.Must(decisions.Of(p).Open(ctx, []string{decided.ID}, nil))(d.T)
	mailing := modelstest.Must(letters.Of(p).StartMailing(ctx, p.Directory(), []string{written.ID}))(d.T)
	email := store.NewID() + "@example.org"
	user := modelstest.Must(d.Staff.CreateUser(ctx, staff.NewUser{Email: email, Name: "Quiet one", Role: staff.Viewer,
		Password: admintest.Password}))(d.T)
	token := modelstest.Must(d.Team(ctx, owner).Invite(ctx,
		staff.Invitation{Email: store.NewID() + "@example.org", Role: staff.Viewer, Everywhere: true}))(d.T)
	invitation := modelstest.Must(d.Staff.InvitationBy(ctx, token))(d.T)
	rounds := reviews.Of(p)
	round := modelstest.Must(rounds.Create(ctx, reviews.Settings{Name: "Quiet round"}))(d.T)
	modelstest.Fine(d.T, rounds.AddReviewers(ctx, round.ID, []string{owner.ID}))
	modelstest.Fine(d.T, rounds.AssignTo(ctx, round.ID, s.ID, []string{owner.ID}))
	modelstest.RowOf(d.T, p, models.Rooms, "Quiet room")
	modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Quiet and unplaced"}))(d.T)
	placing := modelstest.Must(agenda.Of(p).SuggestPlaces(ctx, models.PlacingRules{Days: []string{"2027-05-20"},
		From: "09:00", Until: "18:00", Step: 5, Minutes: 30}))(d.T)
	noon := time.Date(2027, time.May, 20, 12, 0, 0, 0, time.UTC)
	pause := modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{Kind: models.Pause, Title: "Quiet break",
		StartsAt: store.At(noon), EndsAt: store.At(noon.Add(time.Hour))}))(d.T)
	cfp := call.Of(p)
	modelstest.Fine(d.T, cfp.Start(ctx))
	part := modelstest.Must(cfp.AddPart(ctx, call.PartInput{Title: "Quiet part"}))(d.T)
	question := modelstest.Must(cfp.AddQuestion(ctx, part.ID, call.QuestionInput{Label: "Quiet question " + store.NewID(),
		Type: "file", Required: call.Optional, SeenBy: call.Reviewers}))(d.T)
	modelstest.Must(cfp.AttachFile(ctx, s.ID, question.Key, models.Upload{Name: "quiet.pdf",
		Content: []byte("%PDF-1.7 Quiet")}))(d.T)
	tasked := modelstest.Must(tasks.Of(p).Create(ctx, tasks.Change{Title: new("Quiet task"), Kind: new(tasks.Link)}))(d.T)
	modelstest.Fine(d.T, tasks.Of(p).Link(ctx, tasked.ID, written.ID, "https://quiet.example/slides"))
	modelstest.Fine(d.T, tasks.Of(p).Comment(ctx, tasked.ID, written.ID, "Quiet words"))
	code := modelstest.Must(cfp.MakeCode(ctx, call.CodeInput{}))(d.T)
	return map[string]string{
		":revision": revised(d, p, written.ID), ":task": tasked.ID, ":owner": written.ID, ":part": part.ID,
		":question": question.ID, ":code": code.ID, ":version": release(d, p), ":placing": placing.ID,
		":break": pause.ID, ":round": round.ID, ":event": p.Event().ID, ":id": s.ID, ":family": "tracks", ":row": row.ID,
		":embed": embedded.ID, ":api_key": key.ID, ":key": question.Key, ":batch": batch.ID,
		":view": view.ID, ":contact": person.ID, ":other": other.ID, ":import": file.ID, ":move": move.ID, ":stage": stage.ID,
		":segment": segment.ID, ":letter": rows[0].ID, ":commit": commit.ID, ":mailing": mailing.ID, ":field": field.Key,
		":endpoint": endpoint.ID, ":user": user.ID, ":invitation": invitation.ID, ":token": token,
	}
}

// revised makes a change of an approved text, which waits, and returns its id.
func revised(d *admintest.Desk, p *models.Programme, contactID string) string {
	d.T.Helper()
	ctx := d.T.Context()
	asking := modelstest.Must(p.UpdateEvent(ctx, models.EventChange{AsksApproval: new(true)}))(d.T)
	s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Quiet and approved",
		People: []models.Participation{{ContactID: contactID, Role: models.Speaking}}}))(d.T)
	modelstest.Must(p.UpdateSession(ctx, s.ID, models.SessionChange{ContentState: new(models.ContentApproved)}))(d.T)
	a := &call.Account{OrganizationID: asking.OrganizationID, ContactID: contactID, ConfirmedAt: new(store.At(d.Clock.Now()))}
	place := call.PlaceOf(d.Store, &call.Login{Account: a}, store.By{Door: "call"})
	modelstest.Must(place.SaveText(ctx, asking, s.ID, models.Text{Title: "Quiet change"}, ""))(d.T)
	return modelstest.Must(revisions.Of(p).OfSession(ctx, s.ID))(d.T).ID
}

// release releases a version of the agenda with one more session, and returns its id.
func release(d *admintest.Desk, p *models.Programme) string {
	d.T.Helper()
	ctx := d.T.Context()
	s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Quiet talk", SessionInput: models.SessionInput{
		StartsAt: store.Some(store.At(d.Clock.Now()))}}))(d.T)
	modelstest.First(p.Publish(ctx, s.ID, models.Publishing{Reason: "Quiet"}))(d.T)
	return modelstest.Must(letters.Of(p).ReleaseAgenda(ctx, agenda.Release{Name: "Quiet version"}))(d.T).ID
}

// inputs returns the names of all fields and parameters that handlers read.
func inputs(t *testing.T) []string {
	t.Helper()
	names := lists.Names()
	for _, f := range lists.EditedFields() {
		names = append(names, f.Name)
	}
	for _, file := range slices.Concat(modelstest.Must(filepath.Glob("*.go"))(t),
		modelstest.Must(filepath.Glob("*/*.go"))(t)) {
		source := modelstest.Must(os.ReadFile(file))(t)
		for _, m := range regexp.MustCompile(`\b(?:[vV]alue\(|Values\(|FirstValue\(|FormValue\(|Query\(|given\(|bulkField\{)"([a-z_]+)"[),]`).
			FindAllSubmatch(source, -1) {
			names = append(names, string(m[1]))
		}
	}
	slices.Sort(names)
	return slices.Compact(slices.DeleteFunc(names, func(name string) bool { return name == "_token" }))
}

// TestNoInputBreaksAPage sends every route what no form of ours sends, and has one of it in turn for its ids.
func TestNoInputBreaksAPage(t *testing.T) {
	t.Parallel()
	names := inputs(t)
	if !slices.Contains(names, "email") || !slices.Contains(names, "reassign") || len(names) < 40 {
		t.Fatalf("the names are %v", names)
	}
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := admintest.OpenOn(t, dialect, visit.Options{SetupCode: "abcd"})
			c := d.Hire("an owner", staff.Owner, true, nil)
			owner := d.Member("an owner")
			long := strings.Repeat("long ", 210) // than a name, a title, a reason and a help may be
			values := []string{long, "99999999999999999999", "<script>alert(1)</script>"}
			if dialect == "postgres" { // no text, which it alone refuses: we do so before
				values = []string{"x\x00y", "\xff\xfe"}
			}
			broken, inTurn := len(values), dialect == "sqlite" // PostgreSQL is given both of its own at each address
			if inTurn {                                        // no ids: these are words like any other, and TestIdsOfAnotherEventOpenNothing tries some
				values = append(values, store.NewID(), "2027-05-20T09:00")
			}
			for n, odd := range values {
				ids := records(d, d.Programme(), owner)
				fields, short := url.Values{}, url.Values{}
				for _, name := range names {
					fields[name] = []string{odd, odd[:min(len(odd), 40)] + "2"}
					short.Set(name, odd[:min(len(odd), 40)])
				}
				asked := short.Encode()
				typed := map[bool][]byte{true: []byte(fields.Encode()), false: []byte(asked)} // long texts where something is known
				for i, r := range d.Routes() {
					d.Clock.Move(20 * time.Minute) // wrong passwords are forgotten
					address := func(value func(name string) string) string {
						return admintest.Parameter.ReplaceAllStringFunc(r.Path, value)
					}
					known := address(func(name string) string { return ids[name] })
					unknown := address(func(name string) string {
						if name == ":event" || name == ":family" {
							return ids[name]
						}
						return strings.NewReplacer("/", "%2f", " ", "%20", "\x00", "%00", "?", "%3f").Replace(odd[:min(len(odd), 300)])
					})
					for _, path := range []string{known, unknown} {
						if path != known && (known == r.Path || strings.Contains(path, "//") || inTurn && n != i%broken) {
							continue
						}
						query := ""
						if r.Method == "GET" {
							query = "?" + asked
						}
						send := func(kind string, body []byte) {
							t.Helper()
							status, _, page := c.Try(r.Method, "/", func(request *http.Request) {
								request.RequestURI = path + query
								if r.Method != "GET" {
									request.Header.Set("Content-Type", kind)
									request.Body, request.ContentLength = readCloser(body), int64(len(body))
								}
							})
							if status >= 500 || status < 200 || strings.Contains(page, "<script>alert") {
								t.Errorf("%s %s with %.40q: %d\n%.2000s", r.Method, r.Path, odd, status, page)
							}
						}
						if r.Method == "GET" {
							send("", nil)
							continue
						}
						send("application/x-www-form-urlencoded", typed[path == known])
						if odd[0] != 'x' || path != known {
							continue
						}
						var body bytes.Buffer
						form := multipart.NewWriter(&body)
						for name, values := range fields {
							form.WriteField(name, values[0])
						}
						form.Close()
						send(form.FormDataContentType(), body.Bytes())
					}
				}
			}
		})
	}
}

func readCloser(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
