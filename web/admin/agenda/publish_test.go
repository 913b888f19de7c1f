package agenda_test

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
	"lectern/web/admin/admintest"
	"lectern/web/admin/agenda"
)

// ofOne makes an accepted session of an accepted submission, whose one speaker was told or not.
func ofOne(d *admintest.Desk, title string, told bool) *models.Session {
	d.T.Helper()
	p, ctx := d.Programme(), d.T.Context()
	a := d.Session(models.NewSession{Title: title, IsAbstract: true})
	d.Speaker(d.T, d.Event, a.ID, models.NewContact{FirstName: "Nomvula", LastName: title, Email: store.NewID() +
		"@x.org"})
	modelstest.SetStatus(d.T, p, a.ID, models.Accepted)
	if told {
		modelstest.Fine(d.T, p.MarkTold(ctx, a.ID, "", "By telephone"))
	}
	return modelstest.Must(p.Compose(ctx, []string{a.ID}, ""))(d.T)
}

// inRoom gives a session a room and a time on 20 May, with a description.
func inRoom(d *admintest.Desk, s *models.Session, room string, hour int) {
	d.T.Helper()
	at := func(minute int) store.Optional[store.Time] {
		return store.Some(modelstest.Must(store.ParseTime(fmt.Sprintf("2027-05-20T%02d:%02d:00Z", hour, minute)))(d.T))
	}
	modelstest.Must(d.Programme().UpdateSession(d.T.Context(), s.ID,
		models.SessionChange{SessionInput: models.SessionInput{
			RoomID: store.Some(room), StartsAt: at(0), EndsAt: at(40), Description: new("<p>Words</p>")}}))(d.T)
}

// publishedNow returns the sorted titles of the sessions for which session.published was emitted since the last call;
// an emission of another kind appears by its type.
func publishedNow(d *admintest.Desk) (titles []string) {
	d.T.Helper()
	for _, e := range modelstest.Emitted(d.T, d.Fixture) {
		if e.Type != outbox.SessionPublished {
			titles = append(titles, string(e.Type))
			continue
		}
		titles = append(titles, d.Read(e.ResourceID).Title)
	}
	slices.Sort(titles)
	return titles
}

func TestThePublishPageSaysWhatIsHeldAndPublishesWhatIsTicked(t *testing.T) {
	d := admintest.Open(t)
	hall := d.Room("Hall")
	placed, clash := ofOne(d, "Placed", true), ofOne(d, "Clash", true)
	inRoom(d, placed, hall, 9)
	inRoom(d, clash, hall, 9)
	ofOne(d, "Nowhere", true)
	held := ofOne(d, "Held", false)
	d.Session(models.NewSession{Title: "Alone"})
	d.Foreign(models.NewSession{Title: "Leak"})
	b := d.As(staff.Organizer)
	publishedNow(d)
	page := b.Get(d.At("/publish"), 200)
	admintest.Wants(t, page, "Publish 2 sessions", "<code>session.published</code> events, once each", "Letter not sent",
		"Nobody to write to", "Not placed yet", "Room taken twice", "Hall has two sessions", "S-3 has no description")
	admintest.Lacks(t, page, "Leak")
	if strings.Index(page, `id="held"`) > strings.Index(page, `id="ready"`) {
		t.Error("ready comes before held")
	}
	letter := regexp.MustCompile(`/letters/[0-9a-f-]{36}`).FindString(page)
	admintest.Wants(t, b.Get(d.At(letter), 200), "Held")
	b.Get(d.At("/publish"), 200)
	form := admintest.Fields(b.Page)
	if got := form["n"]; !slices.Equal(got, []string{strconv.Itoa(placed.Number), strconv.Itoa(clash.Number)}) {
		t.Fatalf("ticked are %v", got)
	}
	form["n"] = []string{strconv.Itoa(clash.Number), "3"}
	admintest.Wants(t, b.Answer(d.At("/publish/count"), form, 200), "Publish 2 sessions")
	form["n"] = form["n"][1:]
	admintest.Wants(t, b.Answer(d.At("/publish/count"), form, 200), "Publish 1 session<")
	form["n"] = nil
	admintest.Wants(t, b.Answer(d.At("/publish"), form, 422), "Tick at least one session to publish")
	form["n"] = []string{strconv.Itoa(clash.Number), strconv.Itoa(held.Number)} // the last one was never offered
	admintest.Wants(t, b.Follow(b.Post(d.At("/publish"), form, 303)), "1 of 2 done", "Public now",
		"Its decision letter has not been sent, so it stays unpublished.", "Back to publish")
	admintest.Lacks(t, b.Text, "publish_override", ">Undo<")
	modelstest.WantAll(t, "emitted", publishedNow(d), []string{"Clash"})
	b.Follow(b.Post(d.At("/publish"), form, 303)) // sent again
	modelstest.WantAll(t, "emitted", publishedNow(d), nil)
	admintest.Wants(t, b.Get(d.At("/publish"), 200), "Publish 1 session<", "Already public")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), clash.ID, models.SessionChange{Title: new("Clashes")}))(t)
	admintest.Wants(t, b.Get(d.At("/publish"), 200), "1 changed since and updates by itself.", "changed today, ")
}

func TestWhatIsHeldIsPublishedWithOneReason(t *testing.T) {
	d := admintest.Open(t)
	var numbers []string
	first := ""
	for i := range agenda.PublishFirst + 3 {
		s := d.Session(models.NewSession{Title: fmt.Sprint("Talk ", i)})
		first, numbers = s.ID, append(numbers, strconv.Itoa(s.Number))
	}
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/publish"), 200), "All 23 held", "Show all 23", "Nothing is ticked")
	admintest.Lacks(t, b.Text, "Talk 20<")
	lots := admintest.Fields(b.Text)
	lots["held"] = numbers[:1]
	_, page := b.Post(d.At("/publish/count?show=held-alone"), lots, 200)
	admintest.Wants(t, page, "Talk 22<", `value="`+numbers[0]+`" id="held-`+numbers[0]+`" checked`)
	lots = admintest.Fields(page)
	lots["held"] = append(lots["held"], numbers[22])
	_, page = b.Post(d.At("/publish/count"), lots, 200)
	lots = admintest.Fields(page)
	lots.Del("only")
	admintest.Wants(t, b.Answer(d.At("/publish/anyway"), lots, 200), "Publish 2 sessions anyway", "Talk 22") // who is not shown is still chosen
	b.Get(d.At("/publish"), 200)
	form := admintest.Fields(b.Page)
	form.Del("only")
	admintest.Wants(t, b.Answer(d.At("/publish/anyway"), form, 422), "Tick at least one session that is held")
	b.Get(d.At("/publish"), 200)
	form["held"] = numbers[:2]
	admintest.Wants(t, b.Answer(d.At("/publish/anyway"), form, 200), "Publish 2 sessions anyway", "Nobody to write to: 2")
	form.Set("all_held", "yes")
	admintest.Wants(t, b.Answer(d.At("/publish/anyway"), form, 200), "Publish 23 sessions anyway",
		"23 session.published events, once each", "Nobody to write to: 23", "and 13 more")
	question := admintest.Fill(admintest.Fields(b.Text), "confirm", "yes")
	for _, reason := range []string{"", " \n ", strings.Repeat("x", models.MaxReason+1)} {
		question.Set("reason", reason)
		_, again := b.Post(d.At("/publish/anyway"), question, 422)
		admintest.Wants(t, again, "Publish 23 sessions anyway", `aria-invalid="true"`)
	}
	publishedNow(d)
	admintest.Fill(question, "reason", "Imported <schedule>", "_token", admintest.Fields(b.Page).Get("_token"))
	admintest.Wants(t, b.Follow(b.Post(d.At("/publish/anyway"), question, 303)), "23 of 23 done",
		"Reason: Imported &lt;schedule&gt;")
	modelstest.Want(t, "emitted", len(publishedNow(d)), 23)
	admintest.Wants(t, b.Get(d.At("/sessions/"+first), 200), "Imported &lt;schedule&gt;", "published it anyway")
}

func TestOneSessionIsPublishedAndUnpublishedOnItsPage(t *testing.T) {
	d := admintest.Open(t)
	ready, held := ofOne(d, "Ready", true), ofOne(d, "Held", false)
	b := d.As(staff.Organizer)
	publishedNow(d)
	at := func(s *models.Session, path string) string { return d.At("/sessions/" + s.ID + path) }
	admintest.Wants(t, b.Get(at(ready, ""), 200), "Publish…")
	admintest.Wants(t, b.Get(at(ready, "/publish"), 200), "Publish "+ready.FriendlyID+"?",
		"1 session.published event, once.", "has no room and no time yet")
	admintest.Lacks(t, b.Text, "Why anyway")
	question := admintest.Fields(b.Text)
	admintest.Wants(t, b.Follow(b.Post(at(ready, "/publish"), question, 303)), "is public now.", "Unpublish")
	admintest.Wants(t, b.Get(at(held, "/publish"), 200), "anyway?", "Letter not sent", "Open the letter", "Why anyway")
	form := admintest.Fields(b.Text)
	admintest.Wants(t, b.Answer(at(held, "/publish"), form, 422), "Why anyway", "Error:")
	form.Set("reason", "She knows")
	old := url.Values{"updated_at": {"2020-01-01T00:00:00.000Z"}, "reason": {"R"}}
	admintest.Wants(t, b.Follow(b.Post(at(held, "/publish"), old, 303)), "nothing was published")
	admintest.Wants(t, b.Follow(b.Post(at(held, "/publish"), form, 303)), "is public now.")
	modelstest.WantAll(t, "emitted", publishedNow(d), []string{"Held", "Ready"})
	admintest.Wants(t, b.Follow(b.Post(at(held, "/unpublish"), nil, 303)), "is not public any more. Nothing was sent.")
	admintest.Wants(t, b.Follow(b.Post(at(held, "/unpublish"), nil, 303)), "was not public.")
	if got := publishedNow(d); len(got) != 0 || d.Read(held.ID).IsPublic {
		t.Errorf("emitted %v", got)
	}
	reviewer := d.As(staff.Reviewer)
	admintest.Lacks(t, reviewer.Get(at(held, ""), 200), "Publish…", d.At("/publish"))
	reviewer.Get(d.At("/publish"), 403)
	reviewer.Post(at(held, "/publish"), form, 403)
}

func TestAListPublishesWhatIsReadyAndUnpublishes(t *testing.T) {
	d := admintest.Open(t)
	ready, held := ofOne(d, "Ready", true), ofOne(d, "Held", false)
	b := d.As(staff.Organizer)
	publishedNow(d)
	ask := func(do string, ids ...string) url.Values {
		form := admintest.Fields(b.Get(d.At("/sessions"), 200))
		form["id"], form["do"] = ids, []string{do}
		return form
	}
	b.Post(d.At("/sessions/bulk"), ask("publish", held.ID), 422)
	admintest.Wants(t, b.Answer(d.At("/sessions/bulk"), ask("publish", ready.ID, held.ID), 200), "Publish 1 session?",
		"1 session.published event, once each", "1 held and left out", "Letter not sent: 1")
	question := admintest.Fill(admintest.Fields(b.Text), "confirm", "yes")
	address, _ := b.Post(d.At("/sessions/bulk"), question, 303)
	d.Work()
	admintest.Wants(t, b.Get(address, 200), "1 of 2 done", "has not been sent, so it stays unpublished.")
	modelstest.WantAll(t, "emitted", publishedNow(d), []string{"Ready"})
	_, page := b.Post(d.At("/sessions/bulk"), ask("unpublish", ready.ID, held.ID), 200)
	admintest.Wants(t, page, "Unpublish 2 sessions?", "1 of them public now", "Nothing is sent")
	question = admintest.Fill(admintest.Fields(page), "confirm", "yes")
	address, _ = b.Post(d.At("/sessions/bulk"), question, 303)
	d.Work()
	admintest.Wants(t, b.Get(address, 200), "2 of 2 done", "Not public any more", "Was so already")
	if got := publishedNow(d); len(got) != 0 || d.Read(ready.ID).IsPublic {
		t.Errorf("emitted %v", got)
	}
}

func TestNumbersAreWrittenAsRanges(t *testing.T) {
	t.Parallel()
	for text, numbers := range map[string][]int{"": nil, "7": {7}, "1-3,8,10-11": {1, 2, 3, 8, 10, 11}} {
		modelstest.Want(t, fmt.Sprint(numbers, " are"), agenda.FormatNumbers(numbers), text)
		modelstest.WantAll(t, text+" is", agenda.ParseNumbers(text), numbers)
	}
	for _, text := range []string{"x", "0", "-1", "3-1", "1-999999999", "1-", ","} {
		if got := agenda.ParseNumbers(text); len(got) > 1 {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestATurnedPageOfTheReadyForgetsNoChoice(t *testing.T) {
	d := admintest.Open(t)
	var numbers []string
	for i := range agenda.PublishLots + 5 {
		s := ofOne(d, fmt.Sprintf("Talk %03d", i), true)
		numbers = append(numbers, strconv.Itoa(s.Number))
	}
	publishedNow(d)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/publish"), 200), "Show all 105",
		`formaction="`+d.At("/publish/count?show=ready&amp;page=1#ready")+`"`, "Nothing is ticked")
	form := admintest.Fields(b.Text)
	form["n"] = numbers[:3]
	_, page := b.Post(d.At("/publish/count?show=ready&page=1"), form, 200)
	admintest.Wants(t, page, "1 to 100 of 105", "Publish 3 sessions<", ">Next</button>")
	form = admintest.Fields(page)
	form["n"] = form["n"][1:] // the first is unticked again
	_, page = b.Post(d.At("/publish/count?show=ready&page=2"), form, 200)
	admintest.Wants(t, page, "101 to 105 of 105", "Publish 2 sessions<", ">Previous</button>", "Talk 104<")
	admintest.Lacks(t, page, "Talk 001<")
	form = admintest.Fields(page)
	form["n"] = append(form["n"], numbers[104])
	_, page = b.Post(d.At("/publish/count?show=ready&page=1"), form, 200)
	admintest.Wants(t, page, "Publish 3 sessions<", `id="n-`+numbers[1]+`" checked`)
	admintest.Lacks(t, page, `id="n-`+numbers[0]+`" checked`)
	b.Follow(b.Post(d.At("/publish"), admintest.Fields(page), 303))
	modelstest.WantAll(t, "published", publishedNow(d), []string{"Talk 001", "Talk 002", "Talk 104"})
}

func TestWhatIsHeldStandsInGroupsWithOneActionEach(t *testing.T) {
	d := admintest.Open(t)
	ofOne(d, "Unsent", false)
	bounced := ofOne(d, "Bounced", false)
	d.SetLetter(t, d.Event, modelstest.Must(d.Programme().Sources(t.Context(), bounced.ID))(t)[0].ID, models.LetterFailed)
	panel, supper := d.Session(models.NewSession{Title: "Panel"}), d.Session(models.NewSession{Title: "Supper"})
	late := ofOne(d, "Undecided", true)
	pending := d.Session(models.NewSession{Title: "Part", IsAbstract: true})
	modelstest.Must(d.Programme().Compose(t.Context(), []string{pending.ID}, late.ID))(t)
	b := d.As(staff.Organizer)
	publishedNow(d)
	page := b.Get(d.At("/publish"), 200)
	admintest.Wants(t, page, `id="held-unsent"`, `href="`+d.At("/letters?tab=drafts")+`">Send the letters`,
		`id="held-undecided"`, `href="`+d.At("/decisions")+`">Go to the decisions`,
		"Nobody to write to <span class=\"count\">2</span>", "Publish those 2 anyway…")
	admintest.Lacks(t, page, `id="held-content"`)
	failed := admintest.Between(page, `id="held-failed"`, `id="held-un`)
	admintest.Wants(t, failed, "Bounced", `href="`+d.At("/letters?tab=failed")+`">Go to the failed letters`)
	admintest.Lacks(t, failed, "Unsent", "Undecided", "Panel", "Supper")
	alone := page[strings.Index(page, `id="held-alone"`):strings.Index(page, `class="publish-bulk"`)]
	admintest.Wants(t, alone, "Panel", "Supper")
	admintest.Lacks(t, alone, "Unsent", "Undecided", "Bounced")
	form := admintest.Fields(page)
	form.Del("only")
	form.Set("numbers", agenda.FormatNumbers([]int{panel.Number, supper.Number}))
	admintest.Wants(t, b.Answer(d.At("/publish/anyway"), form, 200), "Publish 2 sessions anyway", "Nobody to write to: 2")
	question := admintest.Fill(admintest.Fields(b.Text), "confirm", "yes", "reason", "No letters")
	admintest.Wants(t, b.Follow(b.Post(d.At("/publish/anyway"), question, 303)), "2 of 2 done")
	modelstest.WantAll(t, "published", publishedNow(d), []string{"Panel", "Supper"})
}
