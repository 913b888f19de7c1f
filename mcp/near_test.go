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
		d.row(models.Tracks, "Systems")
		other := modelstest.RowOf(t, d.Elsewhere(), models.Rooms, "Cafeteria")
		d.session("In the hall", models.SessionInput{RoomID: store.Some(hall), StartsAt: d.at(15, 9, 0)})
		anywhere := d.session("Anywhere")
		d.session("In the café", models.SessionInput{RoomID: store.Some(cafe), StartsAt: d.at(15, 10, 0)})
		for room, want := range map[string]string{"great hall": "In the hall", "CAFE MOLLER": "In the café"} {
			modelstest.Want(t, room, d.titles("search_schedule", object{"room": room}), want)
			free := d.tool("find_free_slots", object{"day": "2027-05-15", "room": room, "from": "12:00", "until": "13:00"})
			modelstest.Want(t, "free slots", len(rows(t, free)), 1)
		}
		for room, want := range map[string]any{"great hall": "Great Hall", "CAFE MOLLER": "Café Møller"} {
			placed := d.tool("schedule_session", object{"session_id": anywhere.ID, "room": room})
			modelstest.Want(t, room, placed["room"], want)
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
			d.wantHint(c.tool, c.arguments, 400, c.hint)
		}
		blind := d.as(d.mint(apikey.ReadSessions)) // without read:metadata
		_, hint := blind.refused("search_schedule", object{"event_id": d.Event.ID, "room": "Graet Hall"}, 400)
		modelstest.Want(t, "it is told names", strings.Contains(hint, "Great"), false)
		for i := range 12 {
			d.row(models.Rooms, fmt.Sprint("Booth ", i))
		}
		many := d.hint("search_schedule", object{"room": "Loft"}, 400)
		modelstest.Want(t, "they end so: "+many, strings.HasSuffix(many, `, "Booth 7" and 4 more.`), true)
	})
}

func TestWhoMistypesANameIsAskedWhomTheyMean(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		first := d.session("First", models.SessionInput{StartsAt: d.at(15, 9, 0)})
		second := d.session("Second", models.SessionInput{StartsAt: d.at(15, 10, 0)})
		ada := d.Speaker(t, d.Event, first.ID,
			models.NewContact{FirstName: "Ada", LastName: "Möller", Email: "a@example.org"})
		also := d.Speaker(t, d.Event, second.ID,
			models.NewContact{FirstName: "Ada", LastName: "Möller", Email: "b@example.org"})
		d.Speaker(t, d.Event, second.ID, models.NewContact{FirstName: "Bob", LastName: "Kowalski", Email: "c@example.org"})
		there := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "There"}))(t)
		d.Speaker(t, d.Other, there.ID, models.NewContact{FirstName: "Carol", LastName: "Kowalsky", Email: "d@example.org"})

		modelstest.Want(t, "both", d.titles("search_schedule", object{"speaker": "moller"}), "First Second")
		people := " 2 people: Ada Möller (" + ada + ") and Ada Möller (" + also +
			"). Pass an id as speaker for one of them alone."
		d.wantNote("search_schedule", object{"speaker": "moller"}, "On this page speaker means"+people)
		d.wantNote("search_schedule", object{"text": "ada möller"}, "On this page text means"+people)
		for _, given := range []object{{"text": "Möller"}, {}} { // a word that may be any, and none
			d.wantNote("search_schedule", given, "On this page Ada Möller is"+people)
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
			has(t, d.tool("search_speakers", object{"query": name})["note"], "Did you mean Bob Kowalski (")
		}
		blind := d.as(d.mint(apikey.ReadSessions, apikey.ReadEvents)) // without read:contacts
		for _, got := range []object{d.tool("search_schedule", object{"speaker": "Zbigniew"}),
			d.tool("search_schedule", object{"speaker": "kowalski", "day": "2027-05-20"}),
			blind.tool("search_schedule", object{"speaker": "Kovalski"})} {
			modelstest.Want(t, "somebody is named", strings.Contains(fmt.Sprint(got), "Did you mean"), false)
		}
	})
}

func TestATextThatNothingHasIsToldWhatIsCalledNearlySo(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		a := d.abstract("Queues that forget nothing")
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
		s := d.abstract("Tides")
		for i, name := range []string{"Carolina Alvarez", "Natalia Lindgren", "Na Li", "Li Na", "Li Na"} {
			first, last, _ := strings.Cut(name, " ")
			d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: first, LastName: last,
				Email: fmt.Sprint(i, "@example.org")})
		}
		for _, c := range []struct {
			arguments object
			want      string
		}{
			{object{"query": "li  NÀ"}, "Li Na Li Na Carolina Alvarez Na Li Natalia Lindgren"},
			{object{"query": "li na", "limit": 2, "page": 2}, "Carolina Alvarez Na Li"},
			{object{"query": "na"}, "Carolina Alvarez Li Na Li Na Na Li Natalia Lindgren"},
			{nil, "Carolina Alvarez Li Na Li Na Na Li Natalia Lindgren"},
		} {
			modelstest.Want(t, fmt.Sprint(c.arguments), d.column("search_speakers", c.arguments, "name"), c.want)
		}
		note := fmt.Sprint(d.tool("list_submissions", object{"text": "Li Na"})["note"])
		if !strings.HasPrefix(note, "On this page text means 2 people: Li Na (") ||
			!strings.HasSuffix(note, "). get_speaker tells the submissions of one of them alone.") {
			t.Error(note)
		}
		for query, other := range map[string]bool{"李娜": true, "Lindgern": false} {
			note := fmt.Sprint(d.tool("search_speakers", object{"query": query})["note"])
			modelstest.Want(t, query, strings.Contains(note, "another script"), other)
		}
	})
}
