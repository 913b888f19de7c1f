package call_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// own saves a speaker's answers as they stand, and expects no fault.
func own(t *testing.T, pl *call.Place, c *modelstest.Called, v call.Values) *call.OwnAnswers {
	t.Helper()
	before := modelstest.Must(pl.OwnAnswers(t.Context(), c.Event))(t)
	a, faults, err := pl.SaveOwn(t.Context(), c.Event, call.Saving{Values: v, Token: before.Token()})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	return a
}

func missing(a *call.OwnAnswers) (keys string) {
	for _, fault := range a.Missing() {
		keys += fault.Key + " "
	}
	return keys
}

// TestEachSpeakerAnswersForThemselves has Ada submit with Bo, who gives other answers, while Cyd is on another
// proposal.
func TestEachSpeakerAnswersForThemselves(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		c.AskSpeakers(t, f)
		ada, s := c.Begin(t, f, "Ada", "Tides")
		bo, _ := c.Begin(t, f, "Bo", "Ebb")
		cyd := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Leak", IsAbstract: true,
			People: []models.Participation{{New: &models.NewContact{FirstName: "Cyd"}}}}))(t).Participants[0].ContactID
		f.Join(t, f.Event, s.ID, bo.ContactID(), models.Speaking)
		saved(t, ada, c, s.ID, answers(c))
		p := proposalOf(t, ada, c, s.ID)
		for _, q := range p.Form.Questions() {
			modelstest.Holds(t, q.AskedOf != call.OfSpeaker, "the form of a proposal asks %q", q.Label)
		}
		modelstest.Emitted(t, f)
		modelstest.Want(t, "submitted without it, missing is",
			fields(second(ada.Submit(ctx, c.Event, s.ID, call.Submitting{}))), "eats")
		a := own(t, ada, c, call.Values{"eats": "Else", "else": "adamark nuts"})
		if a.Values["else"] != "adamark nuts" || missing(a) != "" {
			t.Errorf("%v is kept, %s missing", a.Values, missing(a))
		}
		b := own(t, bo, c, call.Values{"eats": "Vegan", "else": "not asked"})
		modelstest.Want(t, "Bo's are", fmt.Sprint(b.Values), "map[eats:Vegan]")
		modelstest.Want(t, "emitted", emitted(t, f), "")
		modelstest.Must(ada.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t)
		both := proposalOf(t, bo, c, s.ID)
		text := fmt.Sprint(both.Values, both.CustomFields, both.Participants[0])
		modelstest.Holds(t, !strings.Contains(text, "adamark"), "Bo sees %s", text)
		modelstest.WantAll(t, "it is kept in", modelstest.TablesWith(t, f, "adamark"), []string{"speaker_answers"})
		modelstest.SetStatus(t, f.Programme(), s.ID, models.Accepted)
		f.Clock.Move(20 * 24 * time.Hour) // long after the end
		modelstest.Want(t, "Bo owes", missing(modelstest.Must(bo.OwnAnswers(ctx, c.Event))(t)), "shirt ")
		own(t, bo, c, call.Values{"shirt": "M\nS"})
		for _, who := range []string{cyd, store.NewID(), "no id", ""} {
			modelstest.Answers(call.Of(f.Programme()).OwnAnswers(ctx, who))(t, "staff read "+who, store.NotFound)
			_, _, err := call.Of(f.Programme()).SaveOwn(ctx, who, call.Saving{Values: call.Values{"eats": "Vegan"}})
			modelstest.WantKind(t, "staff fill in "+who, err, store.NotFound)
		}
		modelstest.WantKind(t, "another event", second(ada.OwnAnswers(ctx, f.Other)), store.NotFound)
	})
}

func TestAnswersOfASpeakerKeepToTheirRules(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		c.AskSpeakers(t, f)
		ada, s := c.Begin(t, f, "Ada", "Tides")
		token := modelstest.Must(ada.OwnAnswers(ctx, c.Event))(t).Token()
		a, faults, err := ada.SaveOwn(ctx, c.Event, call.Saving{Token: token, Values: call.Values{"eats": "Else",
			"else": "one two three four", "shirt": "XXL", "pass": store.NewID()}})
		modelstest.Holds(t, err == nil && len(faults) == 2 && fmt.Sprint(a.Values) == "map[eats:Else]",
			"%v kept, %v, %v", a.Values, faults, err)
		_, _, err = ada.SaveOwn(ctx, c.Event, call.Saving{Token: token, Values: call.Values{"eats": "Vegan"}})
		modelstest.WantKind(t, "another tab", err, store.Stale)
		modelstest.Want(t, "an answer to what is asked of the proposal",
			own(t, ada, c, call.Values{"help": "Money"}).Values["help"], "")
		for key, kind := range map[string]store.Kind{"slides": store.NotFound, "eats": store.NotFound,
			"gone": store.NotFound} {
			modelstest.WantKind(t, key, second(ada.AttachOwn(ctx, c.Event, key, pdf("x"))), kind)
		}
		one := modelstest.Must(ada.AttachOwn(ctx, c.Event, "pass", pdf("one")))(t)
		two := modelstest.Must(ada.AttachOwn(ctx, c.Event, "pass", pdf("two")))(t)
		modelstest.Holds(t, one.Values["pass"] != two.Values["pass"] && two.Files["pass"] != nil, "the second took no place")
		modelstest.Want(t, "another file is given", modelstest.Must(ada.OwnFile(ctx, c.Event, "pass"))(t).ID,
			two.Values["pass"])
		none := modelstest.Must(ada.RemoveOwn(ctx, c.Event, "pass"))(t)
		kept := modelstest.TablesWith(t, f, one.Files["pass"].Key)
		modelstest.Holds(t, none.Values["pass"] == "" && len(kept) <= 1, "kept in %v", kept)
		modelstest.SetStatus(t, f.Programme(), s.ID, models.Declined)
		refuses(ada.SaveOwn(ctx, c.Event, call.Saving{Values: call.Values{"eats": "Vegan"}}))(t, "who was declined")
		staff := call.Of(f.Programme())
		filled, _, err := staff.SaveOwn(ctx, ada.ContactID(), call.Saving{Values: call.Values{"eats": "Vegan"}})
		modelstest.Holds(t, err == nil && filled.Values["eats"] == "Vegan", "staff: %v, %v", filled, err)
	})
}

func TestWhoseAQuestionIsStaysOnceItIsAnswered(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		ids, cfp := c.AskSpeakers(t, f), call.Of(f.Programme())
		change := func(key string, do func(*call.QuestionInput)) error {
			form := modelstest.Must(cfp.Form(ctx))(t)
			in := call.InputOf(form.Question(key))
			do(&in)
			return second(cfp.ChangeQuestion(ctx, form.Question(key).ID, in, nil))
		}
		to := func(of call.AskedOf) func(*call.QuestionInput) {
			return func(in *call.QuestionInput) { in.AskedOf = of }
		}
		modelstest.Fine(t, change("shirt", to(call.OfProposal)))
		modelstest.Fine(t, change("shirt", to(call.OfSpeaker)))
		ada, s := c.Begin(t, f, "Ada", "Tides")
		saved(t, ada, c, s.ID, answers(c))
		own(t, ada, c, call.Values{"eats": "Else", "else": "nuts", "shirt": "S\nL"})
		for what, err := range map[string]error{
			"asked_of ":  change("eats", to(call.OfProposal)),
			"asked_of  ": change("help", to(call.OfSpeaker)),
			"asked_of":   change("format", to(call.OfSpeaker)),
			"options[0]": change("eats", func(in *call.QuestionInput) { in.Options[0].Limit = 3 }),
			"formats":    change("pass", func(in *call.QuestionInput) { in.AskedIf.Formats = []string{c.Talk} }),
			"question": change("pass", func(in *call.QuestionInput) {
				in.AskedIf = call.Condition{Question: "help", Answers: []string{"Money"}}
			}),
			"question ": change("phone", func(in *call.QuestionInput) {
				in.AskedIf = call.Condition{Question: "eats", Answers: []string{"Vegan"}}
			}),
		} {
			modelstest.Want(t, what+" is refused by", fields(err), strings.TrimSpace(what))
		}
		if q := modelstest.Must(cfp.Form(ctx))(t).Question("eats"); q.SeenBy != call.StaffOnly || q.ID != ids["eats"] {
			t.Errorf("%s see it", q.SeenBy)
		}
		modelstest.Fine(t, change("shirt", func(in *call.QuestionInput) {
			in.Options[2] = call.Choice{Value: "Large", Was: []string{"L"}}
		}))
		modelstest.Fine(t, change("eats", func(in *call.QuestionInput) { in.Type, in.Options = field.Text, nil }))
		a := modelstest.Must(ada.OwnAnswers(ctx, c.Event))(t)
		modelstest.Holds(t, a.Values["shirt"] == "S\nLarge" && a.Values["eats"] == "Else", "%v", a.Values)
		modelstest.Must(call.Of(f.Elsewhere()).CopyForm(ctx, f.Programme()))(t)
		copied := modelstest.Must(call.Of(f.Elsewhere()).Form(ctx))(t)
		if q := copied.Question("shirt"); q.AskedOf != call.OfSpeaker || q.ID == ids["shirt"] {
			t.Errorf("copied as %s", q.AskedOf)
		}
	})
}

// TestAnswersOfSpeakersAreFieldsOfThePeople looks for the answers by filters, as organizers and as viewers.
func TestAnswersOfSpeakersAreFieldsOfThePeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		ids := c.AskSpeakers(t, f)
		ada, _ := c.Begin(t, f, "Ada", "Tides")
		bo, _ := c.Begin(t, f, "Bo", "Ebb")
		own(t, ada, c, call.Values{"eats": "Else", "else": "nuts", "shirt": "S\nL"})
		own(t, bo, c, call.Values{"eats": "Vegan"})
		modelstest.Must(bo.AttachOwn(ctx, c.Event, "pass", pdf("x")))(t)
		c.Prove(t, f, ada)
		c.Prove(t, f, bo)
		zed, _ := c.Begin(t, f, "Zed", "Pills") // whom nobody proved, and no filter finds
		own(t, zed, c, call.Values{"eats": "Vegan", "shirt": "L", "else": "nuts"})
		d := f.Programme().Directory()
		find := func(d *models.Directory, key string, by people.OwnFilter) (names string) {
			by.IsAnswer = true
			people, page, err := people.In(d).Search(ctx, people.Search{Filter: people.Filter{
				Own: map[string]people.OwnFilter{ids[key]: by}}, Page: store.Page{Number: 1, Size: 50}})
			modelstest.Fine(t, err)
			for _, x := range people {
				names += x.FullName + " "
			}
			modelstest.Want(t, "people in all", page.TotalResults, int64(len(people)))
			return names
		}
		viewer := f.Programme().AsViewer().Directory()
		for _, of := range []struct {
			key  string
			by   people.OwnFilter
			want string
		}{
			{"eats", people.OwnFilter{Type: field.Choice, Any: []string{"Vegan"}}, "Bo "},
			{"shirt", people.OwnFilter{Type: field.Choices, Any: []string{"L"}}, "Ada "},
			{"else", people.OwnFilter{Type: field.Text, Words: "NUT"}, "Ada "},
			{"pass", people.OwnFilter{Type: field.File, Filled: true}, "Bo "},
		} {
			modelstest.Want(t, of.key+" finds", find(d, of.key, of.by), of.want)
			modelstest.Want(t, "who looks on finds by "+of.key, find(viewer, of.key, of.by), "")
			modelstest.Want(t, "another event finds by "+of.key, find(f.Elsewhere().Directory(), of.key, of.by), "")
		}
		labels := func(d *models.Directory) (all []string) {
			for _, field := range modelstest.Must(d.Fields(ctx))(t) {
				if field.Part == models.Answered {
					all = append(all, field.Label)
				}
			}
			return all
		}
		modelstest.WantAll(t, "labels", labels(d), []string{"What do you eat?", "What else?", "Your pass", "Shirt"})
		if x := modelstest.Must(d.Person(ctx, ada.ContactID()))(t); len(labels(viewer)) > 0 {
			t.Errorf("who looks on sees %v of %v", labels(viewer), x)
		}
		cfp := call.Of(f.Programme())
		in := call.InputOf(modelstest.Must(cfp.Form(ctx))(t).Question("shirt"))
		in.IsOpen = true
		modelstest.Must(cfp.ChangeQuestion(ctx, ids["shirt"], in, nil))(t)
		seen := modelstest.Must(d.Person(ctx, ada.ContactID()))(t)
		if fmt.Sprint(labels(viewer)) != "[Shirt]" || seen.Answers[ids["else"]] != "nuts" {
			t.Errorf("%v, %v", labels(viewer), seen.Answers)
		}
	})
}

// TestAMergeAndAnErasureTakeAnswersAlong merges Bo into Ada, who both answered, then erases her.
func TestAMergeAndAnErasureTakeAnswersAlong(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		c.AskSpeakers(t, f)
		ada, _ := c.Begin(t, f, "Ada", "Tides")
		bo, _ := c.Begin(t, f, "Bo", "Ebb")
		own(t, ada, c, call.Values{"eats": "Else", "else": "adamark"})
		own(t, bo, c, call.Values{"eats": "Vegan", "shirt": "M"})
		file := modelstest.Must(bo.AttachOwn(ctx, c.Event, "pass", models.Upload{Name: "bomark.pdf",
			Content: pdf("x").Content}))(t).Files["pass"]
		d := f.Directory(c.Event.OrganizationID, modelstest.Tester)
		modelstest.Must(people.In(d).Merge(ctx, []people.MergePair{{SurvivorID: ada.ContactID(),
			RemovedID: bo.ContactID()}}))(t)
		cfp := call.Of(f.Programme())
		a := modelstest.Must(cfp.OwnAnswers(ctx, ada.ContactID()))(t)
		modelstest.Holds(t, a.Values["eats"] == "Else" && a.Values["shirt"] == "M" && a.Values["pass"] == file.ID,
			"after the merge: %v", a.Values)
		data := modelstest.First(people.In(d).PersonalData(ctx, ada.ContactID()))(t)
		text := fmt.Sprint(data.Call.Answers)
		modelstest.Holds(t, strings.Contains(text, "adamark") && strings.Contains(text, "bomark.pdf"),
			"she is given %s", text)
		modelstest.Fine(t, people.In(d).Erase(ctx, ada.ContactID()))
		for _, mark := range []string{"adamark", "bomark", file.ID} {
			modelstest.WantAll(t, mark+" is still in", modelstest.TablesWith(t, f, mark), nil)
		}
		_, _, err := cfp.SaveOwn(ctx, ada.ContactID(), call.Saving{Values: call.Values{"eats": "Vegan"}})
		modelstest.WantKind(t, "somebody erased", err, store.NotFound)
	})
}
