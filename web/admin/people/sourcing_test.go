package people_test

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/web/admin/admintest"
	room "lectern/web/admin/people"
	"lectern/web/admin/visit"
)

// stagesByName returns the organization's stages.
func stagesByName(d *admintest.Desk) map[string]*people.Stage {
	d.T.Helper()
	named := map[string]*people.Stage{}
	for _, s := range modelstest.Must(people.In(d.Programme().Directory()).Stages(context.Background()))(d.T) {
		named[s.Name] = s
	}
	return named
}

// onBoard makes somebody with a card on a stage of an event.
func onBoard(d *admintest.Desk, at *models.Programme, stage string, pairs ...string) string {
	d.T.Helper()
	id := d.Person(at, pairs...)
	modelstest.Must(people.Of(at).AddCards(context.Background(), []string{id}, stagesByName(d)[stage].ID))(d.T)
	return id
}

// cardsShown returns the names on a page's cards, in their order.
func cardsShown(page string) (names []string) {
	for _, m := range regexp.MustCompile(`class="person-name"[^>]*>([^<]*)<`).FindAllStringSubmatch(page, -1) {
		names = append(names, strings.TrimSpace(m[1]))
	}
	return names
}

func TestABoardShowsItsEventAloneAndOffersWhatOneMayDo(t *testing.T) {
	d := admintest.Open(t)
	ada := onBoard(d, d.Programme(), "In talks", "first_name", "Ada <b>", "company_name", "Quay", "job_title", "Keeper")
	onBoard(d, d.Elsewhere(), "Idea", "first_name", "Quiet")
	modelstest.Must(people.Of(d.Programme()).AddContactNote(t.Context(), ada, "Asks for <i>a map</i>."))(t)
	modelstest.Must(people.Of(d.Elsewhere()).PutAtEvent(t.Context(), ada))(t)
	modelstest.Must(people.Of(d.Elsewhere()).AddContactNote(t.Context(), ada, "Quiet note"))(t)

	reader := d.As(staff.Viewer)
	for _, path := range []string{"/sourcing", "/sourcing/" + ada} {
		page := reader.Get(d.At(path), 200)
		admintest.Wants(t, page, "Ada &lt;b&gt;", "Keeper, Quay", "In talks")
		admintest.Wants(t, d.As(staff.Organizer).Get(d.At(path), 200), "Asks for &lt;i&gt;a map&lt;/i&gt;.")
		admintest.Lacks(t, admintest.Body(page), "Quiet", "Asks for", "Add people", "Add note", `name="to"`, "data-move-to",
			"Stages</a>", "<b>")
	}
	reader.Get(d.At("/sourcing/add"), 403)
	owner := d.As(staff.Owner)
	admintest.Wants(t, owner.Get(d.At("/sourcing"), 200), "Add people", `name="to"`, "data-move-to", "Stages",
		"1 person: 1 on the way, 0 won, 0 lost.")
	d.Browser().Leads(d.At("/sourcing"))
	owner.Get("/admin/events/"+d.Other.ID+"/sourcing/"+ada, 404) // at it, without a card
	admintest.Wants(t, owner.Get("/admin/events/"+d.Other.ID+"/sourcing", 200), "Quiet")
	admintest.Lacks(t, admintest.Body(owner.Page), "Ada")
	for query, want := range map[string]string{"?q=quay": "Ada", "?q=zeppelin": "", "?company=quay": "Ada", "?job=captain": "",
		"?status=invited": "", "?status=nonsense": "Ada", "?stage=nonsense": "Ada"} {
		if got := strings.Join(cardsShown(owner.Get(d.At("/sourcing"+query), 200)), " "); !strings.HasPrefix(got, want) ||
			(want == "") != (got == "") {
			t.Errorf("%s shows %q", query, got)
		}
	}
	owner.Get(d.At("/sourcing?stage="+ada), 404) // no stage
	admintest.Lacks(t, owner.Get(d.At("/speakers/"+ada), 200), "Place on the board")
	admintest.Wants(t, owner.Page, `href="`+d.At("/sourcing/"+ada)+`"`)
}

func TestABoardOfManyCardsIsBounded(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		onBoard(d, d.Programme(), "Idea", "first_name", "First")
		b := d.As(staff.Organizer)
		cost := func() int { return len(d.Statement.During(func() { b.Get(d.At("/sourcing"), 200) })) }
		cost()
		few := cost()
		for _, stage := range []string{"Idea", "Contacted", "Won"} {
			cards := room.CardsAStage + 1 // more than are shown
			if stage == "Idea" {
				cards = 119 // and more than a page of the stage alone
			}
			for n := range cards {
				onBoard(d, d.Programme(), stage, "first_name", fmt.Sprintf("%s %03d", stage, n), "company_name", "Quay",
					"job_title", "Keeper")
			}
		}
		modelstest.Want(t, "one card costs", cost(), few)
		page := b.Page
		modelstest.Want(t, "shows", len(cardsShown(page)), 3*room.CardsAStage)
		if len(page) > 250_000 {
			t.Errorf("has %d bytes", len(page))
		}
		idea := d.At("/sourcing?stage=" + stagesByName(d)["Idea"].ID)
		admintest.Wants(t, page, "222 people: 171 on the way, 51 won, 0 lost.", `href="`+idea+`"`, "All 120 in ")
		modelstest.Want(t, "a stage alone shows", len(cardsShown(b.Get(idea, 200))), visit.RowsAPage)
		admintest.Wants(t, b.Page, "1 to 50 of 120")
		admintest.Wants(t, b.Page, `name="to" value="`+stagesByName(d)["Lost"].ID) // also where other stages are not shown
		if rest := cardsShown(b.Get(idea+"&page=3", 200)); len(rest) != 20 || rest[19] != "First" {
			t.Errorf("the last page shows %v", rest)
		}
		admintest.Wants(t, b.Leads(idea+"&page=99"), "page=3")
	})
}

func TestACardIsMovedAndTakenBackUnlessSomebodyMovedItSince(t *testing.T) {
	d := admintest.Open(t)
	ada := onBoard(d, d.Programme(), "Idea", "first_name", "Ada", "company_name", "Quay")
	bob := onBoard(d, d.Programme(), "Idea", "first_name", "Bob", "company_name", "Quay")
	stages, b := stagesByName(d), d.As(staff.Organizer)
	b.Get(d.At("/sourcing?company=quay"), 200)
	location, _ := b.Post(d.At("/sourcing/move"), url.Values{"contact": {ada}, "to": {stages["Won"].ID},
		"query": {"company=quay"}}, 303)
	modelstest.Want(t, "leads to", location, d.At("/sourcing?company=quay#card-"+ada))
	admintest.Wants(t, b.Follow(location, ""), "Ada is in Won now. You can invite them", "Undo", `aria-label="Invite Ada"`)
	undo := admintest.UndoOf(b.Page)
	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/move"), undo, 303)), "Ada is in Idea now.")
	modelstest.Want(t, "taken back to", strings.Join(cardsShown(b.Page), " "), "Bob Ada")
	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/move"), undo, 303)),
		"Somebody else moved this card meanwhile, so it stays where it is.")

	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/move"), url.Values{"contact": {ada},
		"to": {stages["Idea"].ID}}, 303)), "Ada has another place in Idea.")
	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/move"), url.Values{"contact": {ada}, "to": {stages["Lost"].ID},
		"back": {"card"}}, 303)), "Ada is in Lost now.", "Add note")
	b.Post(d.At("/sourcing/move"), url.Values{"contact": {ada}, "to": {"nonsense"}}, 422)
	modelstest.Fine(t, people.Of(d.Programme()).RemoveCard(t.Context(), bob))
	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/move"), url.Values{"contact": {bob}, "to": {stages["Won"].ID}},
		303)), "nothing was moved")
	b.Get(d.At("/sourcing/"+bob), 404)

	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/"+ada+"/invite"), nil, 303)),
		"Nobody was invited: This person is on the stage Lost, which is not won.")
	admintest.Wants(t, b.Answer(d.At("/sourcing/"+ada+"/notes"), url.Values{"note": {" "}}, 422), "must not be empty")
	modelstest.Must(people.Of(d.Programme()).MoveCard(t.Context(), ada, people.CardTarget{StageID: stages["Won"].ID}))(t)
	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/"+ada+"/invite"), url.Values{"back": {"card"}}, 303)),
		"Ada is invited. No letter was sent.")
	admintest.Wants(t, b.Undo(b.Page), "Undone.", `<option value="" selected>No status`)
	// Or by a letter, which is begun and not sent.
	admintest.Wants(t, b.Get(d.At("/sourcing/"+ada), 200), "Invite by a letter…")
	page := b.Follow(b.Post(d.At("/sourcing/"+ada+"/invite"), url.Values{"back": {"card"}, "letter": {"1"}}, 303))
	admintest.Wants(t, page, "Ada is invited. This is the letter to them, which is not sent yet.", "Letter to 1 person",
		"Would you speak at {{event}}?")
}

func TestPeopleArePlacedFromListsByWhoMay(t *testing.T) {
	d := admintest.Open(t)
	here := d.Person(d.Programme(), "first_name", "Here")
	there := d.Person(d.Elsewhere(), "first_name", "There")
	idea := stagesByName(d)["Idea"].ID
	owner := d.As(staff.Owner)
	admintest.Wants(t, owner.Get(d.At("/speakers?who=all"), 200), "Place on the board")
	admintest.Wants(t, owner.Follow(owner.Post(d.At("/sourcing/place"), url.Values{"stage": {idea}}, 303)),
		"Nobody was ticked")
	admintest.Wants(t, owner.Follow(owner.Post(d.At("/sourcing/place"), url.Values{"stage": {idea}, "id": {here},
		"back": {"person"}}, 303)), "Here is on the board now, in Idea.", "for less than a minute")
	owner.Post(d.At("/sourcing/place"), url.Values{"stage": {"nonsense"}, "id": {here}}, 422)
	admintest.Wants(t, owner.Get("/admin/contacts", 200), "Board of", "Stage", "Select There")
	admintest.Wants(t, owner.Follow(owner.Post("/admin/contacts/place", url.Values{"event": {d.Event.ID}, "stage": {idea},
		"id": {here, there}}, 303)), "There is on the board now, in Idea. 1 was there already.")
	admintest.Wants(t, owner.Follow(owner.Post("/admin/contacts/place", url.Values{"event": {d.Event.ID}, "stage": {idea},
		"id": {here, there}}, 303)), "They are on the board already.")

	secret := d.Person(d.Elsewhere(), "first_name", "Secret")
	only := d.Hire("only here", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer,
		d.Other.ID: staff.Viewer})
	stranger := d.Hire("of no event but this", staff.Viewer, false, map[string]staff.Role{d.Event.ID: staff.Organizer})
	b := d.SignedIn(stranger.Email).On("/admin/contacts")
	admintest.Wants(t, b.Follow(b.Post("/admin/contacts/place", url.Values{"event": {d.Event.ID}, "stage": {idea},
		"id": {secret}}, 303)), "Nobody was ticked") // whom they do not see is not there
	b.Post("/admin/contacts/place", url.Values{"event": {d.Other.ID}, "stage": {idea}, "id": {here}}, 404)
	b = d.SignedIn(only.Email).On("/admin/contacts")
	b.Post("/admin/contacts/place", nil, 404)
	b.Post("/admin/contacts/place", url.Values{"event": {d.Other.ID}, "stage": {idea}, "id": {here}}, 403)
	reader := d.As(staff.Viewer)
	admintest.Lacks(t, reader.Get("/admin/contacts", 200), "Place on the board", "Select There")
}

func TestNobodyIsPlacedOfMoreThanFit(t *testing.T) {
	d := admintest.Open(t)
	for i := range people.MaxPlaced + 1 {
		d.Person(d.Programme(), "first_name", "Ada", "last_name", fmt.Sprintf("No%03d", i))
	}
	idea, b := stagesByName(d)["Idea"].ID, d.As(staff.Owner)
	for _, path := range []string{d.At("/sourcing/place"), "/admin/contacts/place"} {
		b.Get(d.At("/sourcing"), 200)
		form := url.Values{"event": {d.Event.ID}, "stage": {idea}, "scope": {"all"}, "query": {"q=Ada&who=all"}}
		admintest.Wants(t, b.Follow(b.Post(path, form, 303)),
			"101 people are too many to place at once, so nobody was placed.")
		modelstest.WantAll(t, path+" placed", cardsShown(b.Get(d.At("/sourcing"), 200)), nil)
		form["query"] = []string{"q=No007&who=all"}
		admintest.Wants(t, b.Follow(b.Post(path, form, 303)), "Ada No007 is on the board")
		id := regexp.MustCompile(`data-card="([^"]+)"`).FindStringSubmatch(b.Get(d.At("/sourcing"), 200))[1]
		modelstest.Fine(t, people.Of(d.Programme()).RemoveCard(t.Context(), id))
	}
}

func TestSomebodyNewOnTheBoardIsAskedForWhatIsWrong(t *testing.T) {
	d := admintest.Open(t)
	ada := onBoard(d, d.Programme(), "Contacted", "first_name", "Ada", "email", "ada@example.org")
	b := d.As(staff.Organizer)
	idea := stagesByName(d)["Idea"].ID
	admintest.Wants(t, b.Get(d.At("/sourcing/add?q=ada"), 200), "1 person matches.", "In Contacted",
		d.At("/sourcing/"+ada))
	admintest.Wants(t, b.Get(d.At("/sourcing/add?q=x"), 200), "Type two letters or more.")
	admintest.Wants(t, b.Get(d.At("/sourcing/add?q=zeppelin"), 200), "Nobody matches “zeppelin”.")
	_, page := b.Post(d.At("/sourcing/add"), url.Values{"new_name": {" "}, "new_email": {"typed"}, "stage": {idea}}, 422)
	admintest.Wants(t, page, "must be an address such as ana@example.org", `value="typed"`)
	_, page = b.Post(d.At("/sourcing/add"), url.Values{"new_name": {" "}, "stage": {idea}}, 422)
	admintest.Wants(t, page, "Name must not be empty.")
	admintest.Wants(t, b.Follow(b.Post(d.At("/sourcing/add"), url.Values{"new_name": {"Adah"},
		"new_email": {"ADA@example.org"}, "stage": {idea}}, 303)),
		"ADA@example.org belongs to Ada, who is on the board now. Nothing of theirs was changed.")
	b.Get(d.At("/sourcing/add"), 200)
	form := url.Values{"new_name": {"Li Na"}, "stage": {idea}}
	b.Post(d.At("/sourcing/add"), form, 303)
	b.Post(d.At("/sourcing/add"), form, 303) // sent twice
	modelstest.Want(t, "on the board are", strings.Join(cardsShown(b.Get(d.At("/sourcing"), 200)), ", "), "Li Na, Ada")
}

func TestStagesAreEditedBesideOthersAndRemovedWithAPlaceForTheirCards(t *testing.T) {
	d := admintest.Open(t)
	onBoard(d, d.Programme(), "Idea", "first_name", "Ada")
	stages, b := stagesByName(d), d.As(staff.Organizer)
	idea := "/admin/contacts/stages/" + stages["Idea"].ID
	b.Get("/admin/contacts/stages", 200)
	_, page := b.Post("/admin/contacts/stages", url.Values{"name": {"won"}, "kind": {"open"}}, 422)
	admintest.Wants(t, page, "Name is what another stage is called.", `value="won"`)
	form := admintest.Fields(b.Get(idea, 200))
	modelstest.Must(people.In(d.Programme().Directory()).ChangeStage(t.Context(), stages["Idea"].ID,
		people.StageInput{Name: "Theirs", Kind: people.StageOpen}, nil))(t)
	admintest.Fill(form, "name", "Mine", "kind", "open")
	admintest.Wants(t, b.Answer(idea, form, 409), "changed Name", "Mine", "Theirs")
	admintest.Wants(t, b.Follow(b.Send(idea, 303, "name", "Wish", "kind", "open")), "“Wish” is saved.")
	admintest.Wants(t, b.Get(idea+"/delete", 200), "1 card of all events stand on it.")
	_, page = b.Post(idea+"/delete", url.Values{"into": {"nonsense"}}, 422)
	admintest.Wants(t, page, "must be another stage, as 1 cards stand here")
	admintest.Wants(t, b.Follow(b.Post(idea+"/delete", url.Values{"into": {stages["Won"].ID}}, 303)),
		"1 card went where you said.")
	_, page = b.Post("/admin/contacts/stages/"+stages["Won"].ID+"/delete", url.Values{"into": {stages["Lost"].ID}}, 422)
	admintest.Wants(t, page, "must leave a stage that is won")
	b.Get(idea, 404)
	admintest.Wants(t, b.Get(d.At("/activity"), 200), "moved on the sourcing board", "placed on the sourcing board")
}
