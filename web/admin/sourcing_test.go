package admin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
)

// stagesByName are the organization's.
func (d *desk) stagesByName() map[string]*people.Stage {
	d.t.Helper()
	named := map[string]*people.Stage{}
	for _, s := range modelstest.Must(people.In(d.Programme().Directory()).Stages(context.Background()))(d.t) {
		named[s.Name] = s
	}
	return named
}

// onBoard makes somebody with a card on a stage of an event.
func (d *desk) onBoard(at *models.Programme, stage string, pairs ...string) string {
	d.t.Helper()
	id := d.person(at, pairs...)
	modelstest.Must(people.Of(at).Place(context.Background(), []string{id}, d.stagesByName()[stage].ID))(d.t)
	return id
}

// cardsShown are the names on a page's cards, in their order.
func cardsShown(page string) (names []string) {
	for _, m := range regexp.MustCompile(`class="person-name"[^>]*>([^<]*)<`).FindAllStringSubmatch(page, -1) {
		names = append(names, strings.TrimSpace(m[1]))
	}
	return names
}

func TestABoardShowsItsEventAloneAndOffersWhatOneMayDo(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.onBoard(d.Programme(), "In talks", "first_name", "Ada <b>", "company_name", "Quay", "job_title", "Keeper")
	d.onBoard(d.Elsewhere(), "Idea", "first_name", "Quiet")
	modelstest.Must(people.Of(d.Programme()).AddContactNote(t.Context(), ada, "Asks for <i>a map</i>."))(t)
	modelstest.Must(people.Of(d.Elsewhere()).PutAtEvent(t.Context(), ada))(t)
	modelstest.Must(people.Of(d.Elsewhere()).AddContactNote(t.Context(), ada, "Quiet note"))(t)

	reader := d.as(staff.Viewer)
	for _, path := range []string{"/sourcing", "/sourcing/" + ada} {
		page := reader.get(d.at(path), 200)
		wants(t, page, "Ada &lt;b&gt;", "Keeper, Quay", "In talks")
		wants(t, d.as(staff.Organizer).get(d.at(path), 200), "Asks for &lt;i&gt;a map&lt;/i&gt;.")
		lacks(t, body(page), "Quiet", "Asks for", "Add people", "Add note", `name="to"`, "data-move-to", "Stages</a>", "<b>")
	}
	reader.get(d.at("/sourcing/add"), 403)
	owner := d.as(staff.Owner)
	wants(t, owner.get(d.at("/sourcing"), 200), "Add people", `name="to"`, "data-move-to", "Stages", "1 person: 1 on the way, 0 won, 0 lost.")
	d.browser().leads(d.at("/sourcing"))
	owner.get("/admin/events/"+d.Other.ID+"/sourcing/"+ada, 404) // at it, without a card
	wants(t, owner.get("/admin/events/"+d.Other.ID+"/sourcing", 200), "Quiet")
	lacks(t, body(owner.page), "Ada")
	for query, want := range map[string]string{"?q=quay": "Ada", "?q=zeppelin": "", "?company=quay": "Ada", "?job=captain": "",
		"?status=invited": "", "?status=nonsense": "Ada", "?stage=nonsense": "Ada"} {
		if got := strings.Join(cardsShown(owner.get(d.at("/sourcing"+query), 200)), " "); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%s shows %q", query, got)
		}
	}
	owner.get(d.at("/sourcing?stage="+ada), 404) // no stage
	lacks(t, owner.get(d.at("/speakers/"+ada), 200), "Place on the board")
	wants(t, owner.page, `href="`+d.at("/sourcing/"+ada)+`"`)
}

func TestABoardOfManyCardsIsBounded(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := openOn(t, dialect, Options{})
			d.onBoard(d.Programme(), "Idea", "first_name", "First")
			b := d.as(staff.Organizer)
			cost := func() int { return len(d.Statement.During(func() { b.get(d.at("/sourcing"), 200) })) }
			cost()
			few := cost()
			for _, stage := range []string{"Idea", "Contacted", "Won"} {
				for n := range 119 {
					d.onBoard(d.Programme(), stage, "first_name", fmt.Sprintf("%s %03d", stage, n), "company_name", "Quay", "job_title", "Keeper")
				}
			}
			if many := cost(); many != few {
				t.Errorf("one card costs %d statements, 358 cost %d", few, many)
			}
			page := b.page
			if n := len(cardsShown(page)); n != 3*cardsAStage {
				t.Errorf("shows %d cards", n)
			}
			if len(page) > 250_000 {
				t.Errorf("has %d bytes", len(page))
			}
			idea := d.at("/sourcing?stage=" + d.stagesByName()["Idea"].ID)
			wants(t, page, "358 people: 239 on the way, 119 won, 0 lost.", `href="`+idea+`"`, "All 120 in ")
			if n := len(cardsShown(b.get(idea, 200))); n != rowsAPage {
				t.Errorf("a stage alone shows %d cards", n)
			}
			wants(t, b.page, "1 to 50 of 120")
			wants(t, b.page, `name="to" value="`+d.stagesByName()["Lost"].ID) // also where other stages are not shown
			if rest := cardsShown(b.get(idea+"&page=3", 200)); len(rest) != 20 || rest[19] != "First" {
				t.Errorf("the last page shows %v", rest)
			}
			if to := b.leads(idea + "&page=99"); !strings.Contains(to, "page=3") {
				t.Errorf("behind the last page leads to %s", to)
			}
		})
	}
}

func TestACardIsMovedAndTakenBackUnlessSomebodyMovedItSince(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.onBoard(d.Programme(), "Idea", "first_name", "Ada", "company_name", "Quay")
	bob := d.onBoard(d.Programme(), "Idea", "first_name", "Bob", "company_name", "Quay")
	stages, b := d.stagesByName(), d.as(staff.Organizer)
	b.get(d.at("/sourcing?company=quay"), 200)
	location, _ := b.post(d.at("/sourcing/move"), url.Values{"contact": {ada}, "to": {stages["Won"].ID},
		"query": {"company=quay"}}, 303)
	if location != d.at("/sourcing?company=quay#card-"+ada) {
		t.Errorf("leads to %s", location)
	}
	wants(t, b.follow(location, ""), "Ada is in Won now. You can invite them", "Undo", `aria-label="Invite Ada"`)
	form := regexp.MustCompile(`(?s)<form class="undo".*?</form>`).FindString(b.page)
	undo := fields(form)
	wants(t, b.follow(b.post(d.at("/sourcing/move"), undo, 303)), "Ada is in Idea now.")
	if got := cardsShown(b.page); strings.Join(got, " ") != "Bob Ada" {
		t.Errorf("taken back to %v", got)
	}
	wants(t, b.follow(b.post(d.at("/sourcing/move"), undo, 303)), "Somebody else moved this card meanwhile, so it stays where it is.")

	wants(t, b.follow(b.post(d.at("/sourcing/move"), url.Values{"contact": {ada}, "to": {stages["Idea"].ID}}, 303)),
		"Ada has another place in Idea.")
	wants(t, b.follow(b.post(d.at("/sourcing/move"), url.Values{"contact": {ada}, "to": {stages["Lost"].ID}, "back": {"card"}}, 303)),
		"Ada is in Lost now.", "Add note")
	b.post(d.at("/sourcing/move"), url.Values{"contact": {ada}, "to": {"nonsense"}}, 422)
	modelstest.Fine(t, people.Of(d.Programme()).RemoveCard(t.Context(), bob))
	wants(t, b.follow(b.post(d.at("/sourcing/move"), url.Values{"contact": {bob}, "to": {stages["Won"].ID}}, 303)), "nothing was moved")
	b.get(d.at("/sourcing/"+bob), 404)

	wants(t, b.follow(b.post(d.at("/sourcing/"+ada+"/invite"), nil, 303)), "Nobody was invited: This person is on the stage Lost, which is not won.")
	_, page := b.post(d.at("/sourcing/"+ada+"/notes"), url.Values{"note": {" "}}, 422)
	wants(t, page, "must not be empty")
	modelstest.Must(people.Of(d.Programme()).MoveCard(t.Context(), ada, people.CardTarget{StageID: stages["Won"].ID}))(t)
	wants(t, b.follow(b.post(d.at("/sourcing/"+ada+"/invite"), url.Values{"back": {"card"}}, 303)), "Ada is invited. No letter was sent.")
	undo = fields(regexp.MustCompile(`(?s)<form class="undo".*?</form>`).FindString(b.page))
	wants(t, b.follow(b.post(d.at("/speakers/status"), undo, 303)), "Undone.", `<option value="" selected>No status`)
	// Or by a letter, which is begun and not sent.
	wants(t, b.get(d.at("/sourcing/"+ada), 200), "Invite by a letter…")
	page = b.follow(b.post(d.at("/sourcing/"+ada+"/invite"), url.Values{"back": {"card"}, "letter": {"1"}}, 303))
	wants(t, page, "Ada is invited. This is the letter to them, which is not sent yet.", "Letter to 1 person", "Would you speak at {{event}}?")
}

func TestPeopleArePlacedFromListsByWhoMay(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	here := d.person(d.Programme(), "first_name", "Here")
	there := d.person(d.Elsewhere(), "first_name", "There")
	idea := d.stagesByName()["Idea"].ID
	owner := d.as(staff.Owner)
	wants(t, owner.get(d.at("/speakers?who=all"), 200), "Place on the board")
	wants(t, owner.follow(owner.post(d.at("/sourcing/place"), url.Values{"stage": {idea}}, 303)), "Nobody was ticked")
	wants(t, owner.follow(owner.post(d.at("/sourcing/place"), url.Values{"stage": {idea}, "id": {here}, "back": {"person"}}, 303)),
		"Here is on the board now, in Idea.", "for less than a minute")
	owner.post(d.at("/sourcing/place"), url.Values{"stage": {"nonsense"}, "id": {here}}, 422)
	wants(t, owner.get("/admin/contacts", 200), "Board of", "Stage", "Select There")
	wants(t, owner.follow(owner.post("/admin/contacts/place", url.Values{"event": {d.Event.ID}, "stage": {idea},
		"id": {here, there}}, 303)), "There is on the board now, in Idea. 1 was there already.")
	wants(t, owner.follow(owner.post("/admin/contacts/place", url.Values{"event": {d.Event.ID}, "stage": {idea},
		"id": {here, there}}, 303)), "They are on the board already.")

	secret := d.person(d.Elsewhere(), "first_name", "Secret")
	only := d.hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer, d.Other.ID: staff.Viewer})
	place := func(c *caller, form url.Values, want int) {
		t.Helper()
		status, _, _ := c.try("POST", "/admin/contacts/place?"+form.Encode(), func(r *http.Request) {
			r.Body = http.NoBody
		})
		if status != want {
			t.Errorf("%v as %s: %d", form, c.name, status)
		}
	}
	place(only, nil, 404)
	stranger := d.hire("of no event but this", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	b := d.browser()
	b.signIn(stranger.email)
	b.get("/admin/contacts", 200)
	wants(t, b.follow(b.post("/admin/contacts/place", url.Values{"event": {d.Event.ID}, "stage": {idea}, "id": {secret}}, 303)),
		"Nobody was ticked") // whom they do not see is not there
	b.post("/admin/contacts/place", url.Values{"event": {d.Other.ID}, "stage": {idea}, "id": {here}}, 404)
	b = d.browser()
	b.signIn(only.email)
	b.get("/admin/contacts", 200)
	b.post("/admin/contacts/place", url.Values{"event": {d.Other.ID}, "stage": {idea}, "id": {here}}, 403)
	reader := d.as(staff.Viewer)
	lacks(t, reader.get("/admin/contacts", 200), "Place on the board", "Select There")
}

func TestNobodyIsPlacedOfMoreThanFit(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	for i := range people.MaxPlaced + 1 {
		d.person(d.Programme(), "first_name", "Ada", "last_name", fmt.Sprintf("No%03d", i))
	}
	idea, b := d.stagesByName()["Idea"].ID, d.as(staff.Owner)
	for _, path := range []string{d.at("/sourcing/place"), "/admin/contacts/place"} {
		b.get(d.at("/sourcing"), 200)
		form := url.Values{"event": {d.Event.ID}, "stage": {idea}, "scope": {"all"}, "query": {"q=Ada&who=all"}}
		wants(t, b.follow(b.post(path, form, 303)), "101 people are too many to place at once, so nobody was placed.")
		if got := cardsShown(b.get(d.at("/sourcing"), 200)); len(got) != 0 {
			t.Errorf("%s placed %v", path, got)
		}
		form["query"] = []string{"q=No007&who=all"}
		wants(t, b.follow(b.post(path, form, 303)), "Ada No007 is on the board")
		id := regexp.MustCompile(`data-card="([^"]+)"`).FindStringSubmatch(b.get(d.at("/sourcing"), 200))[1]
		modelstest.Fine(t, people.Of(d.Programme()).RemoveCard(t.Context(), id))
	}
}

func TestSomebodyNewOnTheBoardIsAskedForWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ada := d.onBoard(d.Programme(), "Contacted", "first_name", "Ada", "email", "ada@example.org")
	b := d.as(staff.Organizer)
	idea := d.stagesByName()["Idea"].ID
	wants(t, b.get(d.at("/sourcing/add?q=ada"), 200), "1 person matches.", "In Contacted", d.at("/sourcing/"+ada))
	wants(t, b.get(d.at("/sourcing/add?q=x"), 200), "Type two letters or more.")
	wants(t, b.get(d.at("/sourcing/add?q=zeppelin"), 200), "Nobody matches “zeppelin”.")
	_, page := b.post(d.at("/sourcing/add"), url.Values{"new_name": {" "}, "new_email": {"typed"}, "stage": {idea}}, 422)
	wants(t, page, "must be an address such as ana@example.org", `value="typed"`)
	_, page = b.post(d.at("/sourcing/add"), url.Values{"new_name": {" "}, "stage": {idea}}, 422)
	wants(t, page, "Name must not be empty.")
	wants(t, b.follow(b.post(d.at("/sourcing/add"), url.Values{"new_name": {"Adah"}, "new_email": {"ADA@example.org"}, "stage": {idea}},
		303)), "ADA@example.org belongs to Ada, who is on the board now. Nothing of theirs was changed.")
	b.get(d.at("/sourcing/add"), 200)
	form := url.Values{"new_name": {"Li Na"}, "stage": {idea}, "_token": {tokenPattern.FindStringSubmatch(b.page)[1]}}
	b.post(d.at("/sourcing/add"), form, 303)
	b.post(d.at("/sourcing/add"), form, 303) // sent twice
	if got := cardsShown(b.get(d.at("/sourcing"), 200)); strings.Join(got, ", ") != "Li Na, Ada" {
		t.Errorf("on the board are %v", got)
	}
}

func TestStagesAreEditedBesideOthersAndRemovedWithAPlaceForTheirCards(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.onBoard(d.Programme(), "Idea", "first_name", "Ada")
	stages, b := d.stagesByName(), d.as(staff.Organizer)
	idea := "/admin/contacts/stages/" + stages["Idea"].ID
	b.get("/admin/contacts/stages", 200)
	_, page := b.post("/admin/contacts/stages", url.Values{"name": {"won"}, "kind": {"open"}}, 422)
	wants(t, page, "Name is what another stage is called.", `value="won"`)
	form := fields(b.get(idea, 200))
	modelstest.Must(people.In(d.Programme().Directory()).ChangeStage(t.Context(), stages["Idea"].ID,
		people.StageInput{Name: "Theirs", Kind: people.StageOpen}, nil))(t)
	form.Set("name", "Mine")
	form.Set("kind", "open")
	_, page = b.post(idea, form, 409)
	wants(t, page, "changed Name", "Mine", "Theirs")
	form = fields(b.get(idea, 200))
	form.Set("name", "Wish")
	form.Set("kind", "open")
	wants(t, b.follow(b.post(idea, form, 303)), "“Wish” is saved.")
	wants(t, b.get(idea+"/delete", 200), "1 card of all events stand on it.")
	_, page = b.post(idea+"/delete", url.Values{"into": {"nonsense"}}, 422)
	wants(t, page, "must be another stage, as 1 cards stand here")
	wants(t, b.follow(b.post(idea+"/delete", url.Values{"into": {stages["Won"].ID}}, 303)), "1 card went where you said.")
	_, page = b.post("/admin/contacts/stages/"+stages["Won"].ID+"/delete", url.Values{"into": {stages["Lost"].ID}}, 422)
	wants(t, page, "must leave a stage that is won")
	b.get(idea, 404)
	wants(t, b.get(d.at("/activity"), 200), "moved on the sourcing board", "placed on the sourcing board")
}
