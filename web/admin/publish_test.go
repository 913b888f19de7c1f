package admin

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/staff"
	"lectern/models/store"
)

// ofOne is an accepted session of an accepted submission, whose one speaker was told or not.
func (d *desk) ofOne(title string, told bool) *models.Session {
	d.t.Helper()
	p, ctx := d.Programme(), d.t.Context()
	a := d.session(models.NewSession{Title: title, IsAbstract: true})
	d.Speaker(d.t, d.Event, a.ID, models.NewContact{FirstName: "Nomvula", LastName: title, Email: store.NewID() +
		"@x.org"})
	modelstest.Must(p.UpdateSession(ctx, a.ID, models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(d.t)
	if told {
		if err := p.MarkTold(ctx, a.ID, "", "By telephone"); err != nil {
			d.t.Fatal(err)
		}
	}
	return modelstest.Must(p.Compose(ctx, []string{a.ID}, ""))(d.t)
}

// inRoom gives a session a room and a time on 20 May, with a description.
func (d *desk) inRoom(s *models.Session, room string, hour int) {
	d.t.Helper()
	at := func(minute int) store.Optional[store.Time] {
		return store.Some(modelstest.Must(store.ParseTime(fmt.Sprintf("2027-05-20T%02d:%02d:00Z", hour, minute)))(d.t))
	}
	modelstest.Must(d.Programme().UpdateSession(d.t.Context(), s.ID,
		models.SessionChange{SessionInput: models.SessionInput{
			RoomID: store.Some(room), StartsAt: at(0), EndsAt: at(40), Description: new("<p>Words</p>")}}))(d.t)
}

// publishedNow are the titles of what session.published was emitted of since it was last asked; other kinds as they
// are.
func (d *desk) publishedNow() (titles []string) {
	d.t.Helper()
	for _, e := range modelstest.Emitted(d.t, d.Fixture) {
		if e.Type != outbox.SessionPublished {
			titles = append(titles, string(e.Type))
			continue
		}
		titles = append(titles, modelstest.Must(d.Programme().Session(d.t.Context(), e.ResourceID))(d.t).Title)
	}
	slices.Sort(titles)
	return titles
}

func (d *desk) isPublic(id string) bool {
	d.t.Helper()
	return modelstest.Must(d.Programme().Session(d.t.Context(), id))(d.t).IsPublic
}

func TestThePublishPageSaysWhatIsHeldAndPublishesWhatIsTicked(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	hall := d.room("Hall")
	placed, clash := d.ofOne("Placed", true), d.ofOne("Clash", true)
	d.inRoom(placed, hall, 9)
	d.inRoom(clash, hall, 9)
	d.ofOne("Nowhere", true)
	held := d.ofOne("Held", false)
	d.session(models.NewSession{Title: "Alone"})
	modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Leak"}))(t)
	b := d.as(staff.Organizer)
	d.publishedNow()
	page := b.get(d.at("/publish"), 200)
	wants(t, page, "Publish 2 sessions", "<code>session.published</code> events, once each", "Letter not sent",
		"Nobody to write to",
		"Not placed yet", "Room taken twice", "Hall has two sessions", "S-3 has no description")
	lacks(t, page, "Leak")
	if strings.Index(page, `id="held"`) > strings.Index(page, `id="ready"`) {
		t.Error("ready comes before held")
	}
	letter := regexp.MustCompile(`/letters/[0-9a-f-]{36}`).FindString(page)
	wants(t, b.get(d.at(letter), 200), "Held")
	b.get(d.at("/publish"), 200)
	form := fields(b.page)
	if got := form["n"]; !slices.Equal(got, []string{strconv.Itoa(placed.Number), strconv.Itoa(clash.Number)}) {
		t.Fatalf("ticked are %v", got)
	}
	form["n"] = []string{strconv.Itoa(clash.Number), "3"}
	_, counted := b.post(d.at("/publish/count"), form, 200)
	wants(t, counted, "Publish 2 sessions")
	form["n"] = form["n"][1:]
	_, counted = b.post(d.at("/publish/count"), form, 200)
	wants(t, counted, "Publish 1 session<")
	form["n"] = nil
	_, none := b.post(d.at("/publish"), form, 422)
	wants(t, none, "Tick at least one session to publish")
	form["n"] = []string{strconv.Itoa(clash.Number), strconv.Itoa(held.Number)} // the last one was never offered
	done := b.follow(b.post(d.at("/publish"), form, 303))
	wants(t, done, "1 of 2 done", "Public now", "The decision letter of this session has not been sent, so it stays unpublished.", "Back to publish")
	lacks(t, done, "publish_override", ">Undo<")
	if got := d.publishedNow(); !slices.Equal(got, []string{"Clash"}) {
		t.Errorf("emitted %v", got)
	}
	b.follow(b.post(d.at("/publish"), form, 303)) // sent again
	if got := d.publishedNow(); len(got) != 0 {
		t.Errorf("emitted %v", got)
	}
	wants(t, b.get(d.at("/publish"), 200), "Publish 1 session<", "Already public")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), clash.ID, models.SessionChange{Title: new("Clashes")}))(t)
	wants(t, b.get(d.at("/publish"), 200), "1 changed since and updates by itself.", "changed today, ")
}

func TestWhatIsHeldIsPublishedWithOneReason(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	var numbers []string
	first := ""
	for i := range publishFirst + 3 {
		s := d.session(models.NewSession{Title: fmt.Sprint("Talk ", i)})
		first, numbers = s.ID, append(numbers, strconv.Itoa(s.Number))
	}
	b := d.as(staff.Organizer)
	page := b.get(d.at("/publish"), 200)
	wants(t, page, "All 23 held", "Show all 23", "Nothing is ticked")
	lacks(t, page, "Talk 20<")
	lots := fields(page)
	lots["held"] = numbers[:1]
	_, page = b.post(d.at("/publish/count?show=held-alone"), lots, 200)
	wants(t, page, "Talk 22<", `value="`+numbers[0]+`" id="held-`+numbers[0]+`" checked`)
	lots = fields(page)
	lots["held"] = append(lots["held"], numbers[22])
	_, page = b.post(d.at("/publish/count"), lots, 200)
	lots = fields(page)
	lots.Del("only")
	_, asks := b.post(d.at("/publish/anyway"), lots, 200)
	wants(t, asks, "Publish 2 sessions anyway", "Talk 22") // who is not shown is still chosen
	b.get(d.at("/publish"), 200)
	form := fields(b.page)
	form.Del("only")
	_, none := b.post(d.at("/publish/anyway"), form, 422)
	wants(t, none, "Tick at least one session that is held")
	b.get(d.at("/publish"), 200)
	form["held"] = numbers[:2]
	_, asks = b.post(d.at("/publish/anyway"), form, 200)
	wants(t, asks, "Publish 2 sessions anyway", "Nobody to write to: 2")
	form.Set("all_held", "yes")
	_, asks = b.post(d.at("/publish/anyway"), form, 200)
	wants(t, asks, "Publish 23 sessions anyway", "23 session.published events, once each", "Nobody to write to: 23",
		"and 13 more")
	question := fields(asks)
	question.Set("confirm", "yes")
	for _, reason := range []string{"", " \n ", strings.Repeat("x", models.MaxReason+1)} {
		question.Set("reason", reason)
		_, again := b.post(d.at("/publish/anyway"), question, 422)
		wants(t, again, "Publish 23 sessions anyway", `aria-invalid="true"`)
	}
	d.publishedNow()
	question.Set("reason", "Imported <schedule>")
	question.Set("_token", fields(b.page).Get("_token"))
	wants(t, b.follow(b.post(d.at("/publish/anyway"), question, 303)), "23 of 23 done",
		"Reason: Imported &lt;schedule&gt;")
	if got := d.publishedNow(); len(got) != 23 {
		t.Errorf("emitted %v", got)
	}
	wants(t, b.get(d.at("/sessions/"+first), 200), "Imported &lt;schedule&gt;", "published it anyway")
}

func TestOneSessionIsPublishedAndUnpublishedOnItsPage(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ready, held := d.ofOne("Ready", true), d.ofOne("Held", false)
	foreign := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Foreign"}))(t)
	b := d.as(staff.Organizer)
	d.publishedNow()
	at := func(s *models.Session, path string) string { return d.at("/sessions/" + s.ID + path) }
	wants(t, b.get(at(ready, ""), 200), "Publish…")
	page := b.get(at(ready, "/publish"), 200)
	wants(t, page, "Publish "+ready.FriendlyID+"?", "1 session.published event, once.", "has no room and no time yet")
	lacks(t, page, "Why anyway")
	question := fields(page)
	wants(t, b.follow(b.post(at(ready, "/publish"), question, 303)), "is public now.", "Unpublish")
	page = b.get(at(held, "/publish"), 200)
	wants(t, page, "anyway?", "Letter not sent", "Open the letter", "Why anyway")
	form := fields(page)
	_, again := b.post(at(held, "/publish"), form, 422)
	wants(t, again, "Why anyway", "Error:")
	form.Set("reason", "She knows")
	old := url.Values{"updated_at": {"2020-01-01T00:00:00.000Z"}, "reason": {"R"}}
	wants(t, b.follow(b.post(at(held, "/publish"), old, 303)), "nothing was published")
	wants(t, b.follow(b.post(at(held, "/publish"), form, 303)), "is public now.")
	if got := d.publishedNow(); !slices.Equal(got, []string{"Held", "Ready"}) {
		t.Errorf("emitted %v", got)
	}
	wants(t, b.follow(b.post(at(held, "/unpublish"), nil, 303)), "is not public any more. Nothing was sent.")
	wants(t, b.follow(b.post(at(held, "/unpublish"), nil, 303)), "was not public.")
	if got := d.publishedNow(); len(got) != 0 || d.isPublic(held.ID) {
		t.Errorf("emitted %v", got)
	}
	b.post(at(foreign, "/publish"), form, 404)
	b.post(at(foreign, "/unpublish"), nil, 404)
	reviewer := d.as(staff.Reviewer)
	lacks(t, reviewer.get(at(held, ""), 200), "Publish…", d.at("/publish"))
	reviewer.get(d.at("/publish"), 403)
	reviewer.post(at(held, "/publish"), form, 403)
}

func TestAListPublishesWhatIsReadyAndUnpublishes(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ready, held := d.ofOne("Ready", true), d.ofOne("Held", false)
	b := d.as(staff.Organizer)
	d.publishedNow()
	ask := func(do string, ids ...string) url.Values {
		form := fields(b.get(d.at("/sessions"), 200))
		form["id"], form["do"] = ids, []string{do}
		return form
	}
	b.post(d.at("/sessions/bulk"), ask("publish", held.ID), 422)
	_, page := b.post(d.at("/sessions/bulk"), ask("publish", ready.ID, held.ID), 200)
	wants(t, page, "Publish 1 session?", "1 session.published event, once each", "1 held and left out",
		"Letter not sent: 1")
	question := fields(page)
	question.Set("confirm", "yes")
	address, _ := b.post(d.at("/sessions/bulk"), question, 303)
	d.work()
	wants(t, b.get(address, 200), "1 of 2 done", "has not been sent, so it stays unpublished.")
	if got := d.publishedNow(); !slices.Equal(got, []string{"Ready"}) {
		t.Errorf("emitted %v", got)
	}
	_, page = b.post(d.at("/sessions/bulk"), ask("unpublish", ready.ID, held.ID), 200)
	wants(t, page, "Unpublish 2 sessions?", "1 of them public now", "Nothing is sent")
	question = fields(page)
	question.Set("confirm", "yes")
	address, _ = b.post(d.at("/sessions/bulk"), question, 303)
	d.work()
	wants(t, b.get(address, 200), "2 of 2 done", "Not public any more", "Was so already")
	if got := d.publishedNow(); len(got) != 0 || d.isPublic(ready.ID) {
		t.Errorf("emitted %v", got)
	}
}

func TestNumbersAreWrittenAsRanges(t *testing.T) {
	t.Parallel()
	for text, numbers := range map[string][]int{"": nil, "7": {7}, "1-3,8,10-11": {1, 2, 3, 8, 10, 11}} {
		if got := formatNumbers(numbers); got != text {
			t.Errorf("%v are %q", numbers, got)
		}
		if got := parseNumbers(text); !slices.Equal(got, numbers) {
			t.Errorf("%q is %v", text, got)
		}
	}
	for _, text := range []string{"x", "0", "-1", "3-1", "1-999999999", "1-", ","} {
		if got := parseNumbers(text); len(got) > 1 {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestATurnedPageOfTheReadyForgetsNoChoice(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	var numbers []string
	for i := range publishLots + 5 {
		s := d.ofOne(fmt.Sprintf("Talk %03d", i), true)
		numbers = append(numbers, strconv.Itoa(s.Number))
	}
	d.publishedNow()
	b := d.as(staff.Organizer)
	page := b.get(d.at("/publish"), 200)
	wants(t, page, "Show all 105", `formaction="`+d.at("/publish/count?show=ready&amp;page=1#ready")+`"`, "Nothing is ticked")
	form := fields(page)
	form["n"] = numbers[:3]
	_, page = b.post(d.at("/publish/count?show=ready&page=1"), form, 200)
	wants(t, page, "1 to 100 of 105", "Publish 3 sessions<", ">Next</button>")
	form = fields(page)
	form["n"] = form["n"][1:] // the first is unticked again
	_, page = b.post(d.at("/publish/count?show=ready&page=2"), form, 200)
	wants(t, page, "101 to 105 of 105", "Publish 2 sessions<", ">Previous</button>", "Talk 104<")
	lacks(t, page, "Talk 001<")
	form = fields(page)
	form["n"] = append(form["n"], numbers[104])
	_, page = b.post(d.at("/publish/count?show=ready&page=1"), form, 200)
	wants(t, page, "Publish 3 sessions<", `id="n-`+numbers[1]+`" checked`)
	lacks(t, page, `id="n-`+numbers[0]+`" checked`)
	b.follow(b.post(d.at("/publish"), fields(page), 303))
	if got := d.publishedNow(); !slices.Equal(got, []string{"Talk 001", "Talk 002", "Talk 104"}) {
		t.Errorf("published %v", got)
	}
}

func TestWhatIsHeldStandsInGroupsWithOneActionEach(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.ofOne("Unsent", false)
	panel, supper := d.session(models.NewSession{Title: "Panel"}), d.session(models.NewSession{Title: "Supper"})
	late := d.ofOne("Undecided", true)
	pending := d.session(models.NewSession{Title: "Part", IsAbstract: true})
	modelstest.Must(d.Programme().Compose(t.Context(), []string{pending.ID}, late.ID))(t)
	b := d.as(staff.Organizer)
	d.publishedNow()
	page := b.get(d.at("/publish"), 200)
	wants(t, page, `id="held-unsent"`, `href="`+d.at("/letters?tab=drafts")+`">Send the letters`, `id="held-undecided"`,
		`href="`+d.at("/decisions")+`">Go to the decisions`, "Nobody to write to <span class=\"count\">2</span>",
		"Publish those 2 anyway…")
	lacks(t, page, `id="held-failed"`, `id="held-content"`)
	alone := page[strings.Index(page, `id="held-alone"`):strings.Index(page, `class="publish-bulk"`)]
	wants(t, alone, "Panel", "Supper")
	lacks(t, alone, "Unsent", "Undecided")
	form := fields(page)
	form.Del("only")
	form.Set("numbers", formatNumbers([]int{panel.Number, supper.Number}))
	_, asks := b.post(d.at("/publish/anyway"), form, 200)
	wants(t, asks, "Publish 2 sessions anyway", "Nobody to write to: 2")
	question := fields(asks)
	question.Set("confirm", "yes")
	question.Set("reason", "No letters")
	wants(t, b.follow(b.post(d.at("/publish/anyway"), question, 303)), "2 of 2 done")
	if got := d.publishedNow(); !slices.Equal(got, []string{"Panel", "Supper"}) {
		t.Errorf("published %v", got)
	}
}
