package models_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// written makes a session with a text and people.
func written(t *testing.T, p *models.Programme, f *modelstest.Fixture, event *models.Event, title, description string,
	people ...string) *models.Session {
	t.Helper()
	s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: true,
		SessionInput: models.SessionInput{Description: &description}}))(t)
	for _, name := range people {
		first, last, _ := strings.Cut(name, " ")
		f.Speaker(t, event, s.ID, models.NewContact{FirstName: first, LastName: last, CompanyName: "Møller & Søn"})
	}
	return s
}

func TestWordsMatchInAnyOrderAndField(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		written(t, p, f, f.Event, "Große Häfen", "<p>Of <b>ships</b> and the tide</p>", "Jérôme Ångström", "山田 太郎")
		written(t, p, f, f.Event, "Quiet 100% a_b", `back\slash "quoted" words`, "So\u0308ren Je\u0301ro\u0302me", "김민준")
		written(t, p, f, f.Event, "山田太郎", "")
		written(t, f.Elsewhere(), f, f.Other, "Große Häfen of ships", "", "Jérôme Ångström", "山田 太郎", "김 민준")
		for text, want := range map[string]string{
			"jerome ships":             "A-1",
			"TIDE grosse angstrom HÄF": "A-1",
			"ha\u0308fen":              "A-1",
			"jerome":                   "A-1 A-2",
			"soren quiet":              "A-2",
			"jerome nobody":            "",
			`"jerome angstrom"`:        "A-1",
			`"angstrom jerome"`:        "",
			`"of ships and" haf`:       "A-1",
			`"hafen a-1"`:              "", // no phrase is in two fields
			`"tide jerome"`:            "",
			"山田太郎":                     "A-1 A-3",
			"山田 太郎":                    "A-1 A-3",
			"太郎 山田":                    "A-1 A-3",
			`"山田　太郎" ships`:            "A-1",
			"김 민준":                     "A-2",
			"100%":                     "A-2",
			"%":                        "A-2",
			"a_b":                      "A-2",
			"ships tide grosse hafen jerome angstrom of and": "A-1", // more words than are looked up
			"quoted words quiet slash jerome soren tide":     "",
			`k\s`:                       "A-2",
			`\`:                         "A-2",
			"ab ":                       "",
			`"never closed`:             "",
			`"words`:                    "A-2",
			`"`:                         "A-2",
			`""`:                        "",
			"   ":                       "A-1 A-2 A-3",
			`a' OR "1"="1`:              "",
			strings.Repeat("a ", 99):    "A-1 A-2 A-3",
			strings.Repeat("a b ", 50):  "A-2", // 100 words
			strings.Repeat("☃", 200):    "",
			strings.Repeat(`"`, 200):    "",
			"\u0301\u0302":              "A-1 A-2 A-3",
			"NEAR AND OR NOT * ^ ( a:b": "",
		} {
			modelstest.Want(t, text+" finds",
				labelsOf(t, p, models.SessionSearch{Filter: models.SessionFilter{Text: text}, Sort: models.ByFriendlyID,
					Ascending: true}), want)
		}
		for _, refused := range []string{"a\x00b", strings.Repeat("x ", 200), "\xff"} {
			modelstest.Answers(p.SearchSessions(t.Context(),
				models.SessionSearch{Filter: models.SessionFilter{Text: refused}}))(t, fmt.Sprintf("%.20q", refused), store.Invalid)
		}
	})
}

// labelsOf returns the labels of the sessions that a search finds, in its order.
func labelsOf(t *testing.T, p *models.Programme, q models.SessionSearch) string {
	t.Helper()
	q.Page.Size = 100
	rows, _, err := p.SearchSessions(t.Context(), q)
	if err != nil {
		t.Fatalf("%q: %v", q.Filter.Text, err)
	}
	found := store.Map(rows, func(s *models.Session) string { return s.FriendlyID })
	return strings.Join(found, " ")
}

func TestALabelFindsItsRecordFirst(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		for i := range 12 {
			written(t, p, f, f.Event, fmt.Sprint("Record ", i), "")
			f.Clock.Move(1e9)
		}
		written(t, p, f, f.Event, "About A-1 and a-12", "")
		for text, want := range map[string]string{
			"A-1": "A-1 A-13 A-12 A-11 A-10", "a-1": "A-1 A-13 A-12 A-11 A-10", `"A-1"`: "A-1 A-13 A-12 A-11 A-10",
			"A-12": "A-12 A-13", "A-99": "", "record A-1": "A-12 A-11 A-10 A-1", "S-1": "", "A-01": "",
		} {
			q := models.SessionSearch{Filter: models.SessionFilter{Text: text}}
			modelstest.Want(t, text+" finds", labelsOf(t, p, q), want)
			found := strings.Fields(want)
			for i, label := range found {
				id := modelstest.SessionsByTitle(t, p, models.SessionFilter{Text: label})
				for _, s := range id {
					if s.FriendlyID != label {
						continue
					}
					_, next, position, _, err := p.Neighbours(t.Context(), q, s)
					modelstest.Holds(t, err == nil && position == int64(i+1) && (next == "") == (i == len(found)-1),
						"%q: %s is at %d, %v", text, label, position, err)
				}
			}
		}
		ordered := models.SessionSearch{Filter: models.SessionFilter{Text: "A-1"}, Sort: models.ByUpdated}
		modelstest.Want(t, "in an order that was asked for", labelsOf(t, p, ordered), "A-13 A-12 A-11 A-10 A-1")
	})
}

func TestSpeakersAndMetadataAreSearchedAlike(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		written(t, p, f, f.Event, "T", "", "Jérôme Ångström", "山田 太郎", "Søren Kiær")
		written(t, f.Elsewhere(), f, f.Other, "T", "", "Jérôme Elsewhere")
		for _, name := range []string{"Café Général", "東京 ホール", "Plain"} {
			modelstest.Must(p.CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: name}))(t)
		}
		modelstest.Must(f.Elsewhere().CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Café Général"}))(t)
		for text, want := range map[string]string{
			"angstrom jerome": "Jérôme Ångström", "SOREN": "Søren Kiær", "moller kiaer": "Søren Kiær",
			"山田太郎": "山田 太郎", "太郎 山田": "山田 太郎", `"angstrom jerome"`: "", "jerome kiaer": "",
			`"`: "",
		} {
			people, page, err := p.Speakers(t.Context(), text, store.Page{})
			got := store.Map(people, func(x *models.Speaker) string { return x.FullName })
			modelstest.Holds(t, err == nil && strings.Join(got, ",") == want && page.TotalResults == int64(len(got)),
				"%q finds %q of %d, %v", text, got, page.TotalResults, err)
		}
		for text, want := range map[string]int{"general CAFE": 1, "東京ホール": 1, "plain cafe": 0, "": 3, `"cafe general"`: 1} {
			rows, _, err := f.Programme().ListMetadata(t.Context(), models.Rooms, text, store.Page{})
			modelstest.Holds(t, err == nil && len(rows) == want, "%q finds %d rooms, %v", text, len(rows), err)
		}
		found := modelstest.Must(p.Find(t.Context(), "angstrom jerome", 5, 3))(t)
		if len(found.Named) != 1 || len(found.Others) != 0 || len(found.Sessions) != 1 ||
			!slices.ContainsFunc(found.Sessions[0].Participants, func(x *models.Participant) bool {
				return x.FullName == "Jérôme Ångström"
			}) {
			t.Errorf("%+v", found)
		}
		found = modelstest.Must(p.Find(t.Context(), "jerome moller", 5, 3))(t)
		modelstest.Holds(t, len(found.Named) == 0 && len(found.Others) == 1, "%+v", found)
		found = modelstest.Must(p.Find(t.Context(), `""`, 5, 3))(t)
		modelstest.Want(t, "found", len(found.Sessions)+len(found.Named), 0)
	})
}

// Not parallel: it measures the processor's time.
func TestFoldingAndMarkingTakeTimeInProportion(t *testing.T) {
	for name, part := range map[string]string{"letters": "a", "marks": "\u0301", "words": "né ", "CJK": "山 ",
		"spaces": " "} {
		t.Run(name, func(t *testing.T) {
			words := store.SearchWords("a ne 山 zz")
			modelstest.GrowsNoFaster(t, 10_000, func(n int) {
				text := strings.Repeat(part, n)
				store.Searchable(text)
				words.Mark(text)
				words.Excerpt(text)
			})
		})
	}
}

// TestATypingErrorFindsTheSameInBothDatabases also has sessions that could leak: of another event, in the Trash, a
// draft.
func TestATypingErrorFindsTheSameInBothDatabases(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		add := func(at *models.Programme, title string) *models.Session {
			f.Clock.Move(1)
			return modelstest.Must(at.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true}))(t)
		}
		first := add(p, "Harbours of the north")
		add(p, "A harbour at night")
		add(p, "Tides")
		add(f.Elsewhere(), "Harbours elsewhere")
		modelstest.Must(p.DeleteSession(ctx, add(p, "Harbours in the Trash").ID))(t)
		f.Speaker(t, f.Event, first.ID, models.NewContact{Email: "anna@example.org", FirstName: "Anna", LastName: "Kowalska"})
		f.Speaker(t, f.Other, add(f.Elsewhere(), "Nets").ID,
			models.NewContact{Email: "ola@example.org", FirstName: "Ola", LastName: "Kowalska"})
		find := func(text string) (found []string) {
			t.Helper()
			near := modelstest.Must(p.FindNear(ctx, text, 2, 3))(t)
			for _, s := range near.Sessions {
				found = append(found, s.Title)
			}
			for _, person := range near.Named {
				found = append(found, person.FullName)
			}
			return found
		}
		for text, want := range map[string][]string{
			"harbuor": {"A harbour at night", "Harbours of the north"}, "nigth harbour": {"A harbour at night"},
			"kowalksa": {"Anna Kowalska"}, "Anna Kowalkska": {"Anna Kowalska"}, "zebra": nil, "tode": nil, "": nil,
		} {
			modelstest.WantAll(t, text+" finds", find(text), want)
		}
	})
}
