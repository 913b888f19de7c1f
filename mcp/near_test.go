package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestNamesOfRowsAreTakenInAnyCaseAndToldWhenMissed(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		hall, cafe := d.row(models.Rooms, "Great Hall"), d.row(models.Rooms, "Café Møller")
		d.track("Systems")
		other := modelstest.RowOf(t, d.Elsewhere(), models.Rooms, "Cafeteria")
		d.session(models.NewSession{Title: "In the hall", SessionInput: models.SessionInput{
			RoomID: store.Some(hall), StartsAt: d.at(15, 9, 0)}})
		anywhere := d.session(models.NewSession{Title: "Anywhere"})
		d.session(models.NewSession{Title: "In the café", SessionInput: models.SessionInput{
			RoomID: store.Some(cafe), StartsAt: d.at(15, 10, 0)}})
		for room, want := range map[string]string{"great hall": "In the hall", "CAFE MOLLER": "In the café"} {
			if got := rows(t, d.tool("search_schedule", object{"room": room})); len(got) != 1 || got[0]["title"] != want {
				t.Errorf("%s finds %v", room, got)
			}
			free := d.tool("find_free_slots", object{"day": "2027-05-15", "room": room, "from": "12:00", "until": "13:00"})
			modelstest.Want(t, "free slots", len(rows(t, free)), 1)
		}
		for room, want := range map[string]string{"great hall": "Great Hall", "CAFE MOLLER": "Café Møller"} {
			if got := d.tool("schedule_session", object{"session_id": anywhere.ID, "room": room}); got["room"] != want {
				t.Errorf("%s is taken for %v", room, got["room"])
			}
		}
		for _, c := range []struct {
			tool      string
			arguments object
			hint      string
		}{
			{"search_schedule", object{"room": "Graet Hall"}, `Did you mean "Great Hall"?`},
			{"find_free_slots", object{"day": "2027-05-15", "room": "hall"}, `Did you mean "Great Hall"?`},
			{"schedule_session", object{"session_id": anywhere.ID, "room": "Loft"}, `There are "Great Hall" and "Café Møller".`},
			{"search_schedule", object{"room": other.ID}, `There are "Great Hall" and "Café Møller".`},
			{"list_submissions", object{"track": "Sistems"}, `Did you mean "Systems"?`},
			{"capture_abstract", object{"title": "T", "track": "Netz"}, `There are "Systems".`},
		} {
			if _, hint := d.refused(withKey(d.key), c.tool, c.arguments, "ValidationError", 400); !strings.Contains(hint, c.hint) {
				t.Errorf("%s %v: %s", c.tool, c.arguments, hint)
			}
		}
		key := withKey(d.mint(apikey.ReadSessions))
		if _, hint := d.refused(key, "search_schedule", object{"event_id": d.Event.ID, "room": "Graet Hall"},
			"ValidationError", 400); strings.Contains(hint, "Great") {
			t.Errorf("a key without read:metadata is told %s", hint)
		}
		for i := range 12 {
			d.row(models.Rooms, fmt.Sprint("Booth ", i))
		}
		if _, hint := d.refused(withKey(d.key), "search_schedule", object{"room": "Loft"}, "ValidationError",
			400); !strings.HasSuffix(hint, `"Booth 7" and 4 more.`) {
			t.Errorf("many rooms: %s", hint)
		}
	})
}

func TestWhoMistypesANameIsAskedWhomTheyMean(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.session(models.NewSession{Title: "First", SessionInput: models.SessionInput{StartsAt: d.at(15, 9, 0)}})
		second := d.session(models.NewSession{Title: "Second", SessionInput: models.SessionInput{StartsAt: d.at(15, 10, 0)}})
		ada := d.Speaker(t, d.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Möller", Email: "a@example.org"})
		also := d.Speaker(t, d.Event, second.ID, models.NewContact{FirstName: "Ada", LastName: "Möller", Email: "b@example.org"})
		d.Speaker(t, d.Event, second.ID, models.NewContact{FirstName: "Bob", LastName: "Kowalski", Email: "c@example.org"})
		there := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "There"}))(t)
		d.Speaker(t, d.Other, there.ID, models.NewContact{FirstName: "Carol", LastName: "Kowalsky", Email: "d@example.org"})

		both := d.tool("search_schedule", object{"speaker": "moller"})
		if note := fmt.Sprint(both["note"]); len(rows(t, both)) != 2 || note != "On this page speaker means 2 people: Ada Möller ("+
			ada+") and Ada Möller ("+also+"). Pass an id as speaker for one of them alone." {
			t.Errorf("%v", both)
		}
		byText := d.tool("search_schedule", object{"text": "ada möller"})
		if note := byText["note"]; note != "On this page text means 2 people: Ada Möller ("+ada+") and Ada Möller ("+also+
			"). Pass an id as speaker for one of them alone." {
			t.Errorf("%v", byText)
		}
		for _, given := range []object{{"text": "Möller"}, {}} { // a word that may be any, and none
			if note := d.tool("search_schedule", given)["note"]; note != "On this page Ada Möller is 2 people: Ada Möller ("+ada+
				") and Ada Möller ("+also+"). Pass an id as speaker for one of them alone." {
				t.Errorf("%v: %v", given, note)
			}
		}
		for _, speaker := range []string{ada, "kowalski", "Bob"} {
			if got := d.tool("search_schedule", object{"speaker": speaker}); got["note"] != nil || len(rows(t, got)) != 1 {
				t.Errorf("%s: %v", speaker, got)
			}
		}
		for tool, arguments := range map[string]object{"search_speakers": {"query": "Bob Kowalksi"},
			"search_schedule": {"speaker": "Kovalski"}} {
			got := d.tool(tool, arguments)
			if note := fmt.Sprint(got["note"]); len(rows(t, got)) != 0 ||
				strings.Count(note, "Did you mean Bob Kowalski (") != 1 || strings.Contains(note, "Carol") {
				t.Errorf("%s %v: %s", tool, arguments, note)
			}
		}
		for _, name := range []string{"Bub Kowalksi", "Zbigniew Kowalski"} { // one word is mistyped beyond one letter, or wrong
			if note := fmt.Sprint(d.tool("search_speakers", object{"query": name})["note"]); !strings.Contains(note,
				"Did you mean Bob Kowalski (") {
				t.Errorf("%s: %s", name, note)
			}
		}
		for _, arguments := range []object{{"speaker": "Zbigniew"}, {"speaker": "kowalski", "day": "2027-05-20"}} {
			if note := fmt.Sprint(d.tool("search_schedule", arguments)["note"]); strings.Contains(note, "Did you mean") {
				t.Errorf("%v: %s", arguments, note)
			}
		}
		text, _ := d.use(withKey(d.mint(apikey.ReadSessions)), "search_schedule",
			object{"event_id": d.Event.ID, "speaker": "Kovalski"})
		if strings.Contains(text, "Did you mean") {
			t.Errorf("a key without read:contacts is told %s", text)
		}
	})
}

func TestATextThatNothingHasIsToldWhatIsCalledNearlySo(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		a := d.session(models.NewSession{Title: "Queues that forget nothing", IsAbstract: true})
		d.Speaker(t, d.Event, a.ID, models.NewContact{FirstName: "Bob", LastName: "Kowalski", Email: "b@example.org"})
		there := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Queues forget"}))(t)
		d.Speaker(t, d.Other, there.ID, models.NewContact{FirstName: "Rob", LastName: "Kowalsky", Email: "r@example.org"})
		for text, want := range map[string]string{
			"Queues which forget nothing, really": "Titles like it: A-1 “Queues that forget nothing” (pending).",
			"Bob Kowalksi":                        "Did you mean Bob Kowalski (",
			"Bread":                               "",
		} {
			for _, tool := range []string{"list_submissions", "search_schedule"} {
				got := d.tool(tool, object{"text": text})
				_, said, _ := strings.Cut(fmt.Sprint(got["note"]), "the filter text. ")
				said, _, isWhole := strings.Cut(said, "Try fewer words, or ")
				if len(rows(t, got)) != 0 || !isWhole || !strings.HasPrefix(said, want) || want == "" && said != "" ||
					strings.Contains(said, "Rob") {
					t.Errorf("%s %s: %v", tool, text, got["note"])
				}
			}
		}
	})
}

func TestWhoIsCalledJustSoComesFirst(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		s := d.session(models.NewSession{Title: "Tides", IsAbstract: true})
		for i, name := range []string{"Carolina Alvarez", "Natalia Lindgren", "Na Li", "Li Na", "Li Na"} {
			first, last, _ := strings.Cut(name, " ")
			d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: first, LastName: last,
				Email: fmt.Sprint(i, "@example.org")})
		}
		names := func(arguments object) (names []string) {
			for _, row := range rows(t, d.tool("search_speakers", arguments)) {
				names = append(names, row["name"].(string))
			}
			return names
		}
		for _, c := range []struct {
			arguments object
			want      string
		}{
			{object{"query": "li  NÀ"}, "[Li Na Li Na Carolina Alvarez Na Li Natalia Lindgren]"},
			{object{"query": "li na", "limit": 2, "page": 2}, "[Carolina Alvarez Na Li]"},
			{object{"query": "na"}, "[Carolina Alvarez Li Na Li Na Na Li Natalia Lindgren]"},
			{nil, "[Carolina Alvarez Li Na Li Na Na Li Natalia Lindgren]"},
		} {
			modelstest.Want(t, fmt.Sprint(c.arguments), fmt.Sprint(names(c.arguments)), c.want)
		}
		note := fmt.Sprint(d.tool("list_submissions", object{"text": "Li Na"})["note"])
		if !strings.HasPrefix(note, "On this page text means 2 people: Li Na (") ||
			!strings.HasSuffix(note, "get_speaker tells the submissions of one of them alone.") {
			t.Error(note)
		}
		for query, other := range map[string]bool{"李娜": true, "Lindgern": false} {
			if note := fmt.Sprint(d.tool("search_speakers", object{"query": query})["note"]); strings.Contains(note,
				"another script") != other {
				t.Errorf("%s: %s", query, note)
			}
		}
	})
}
