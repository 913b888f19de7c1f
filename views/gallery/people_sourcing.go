package gallery

import (
	"lectern/models"
	"lectern/models/people"
	"lectern/views/layouts"
	peoplepages "lectern/views/pages/people"
	"lectern/views/records"
)

// boardColumns returns stages of each kind with cards of each kind.
func boardColumns(w words) []peoplepages.BoardColumn {
	return []peoplepages.BoardColumn{
		{ID: "s1", Name: w.label, Count: "120", Kind: people.StageOpen, All: here, Cards: []peoplepages.BoardCard{
			{ID: "p1", Name: w.person, Byline: w.label + ", " + w.place, URL: here, Since: "12 days", Note: w.title, Photo: "/static/icon.svg"},
			{ID: "p2", Name: "Plum", URL: here, Since: "less than a minute"}}},
		{ID: "s2", Name: "Contacted", Count: "0", Kind: people.StageOpen},
		{ID: "s3", Name: "Won", Count: "2", Kind: people.StageWon, Cards: []peoplepages.BoardCard{
			{ID: "p3", Name: "Li Na", Byline: "Slow Queue", URL: here, Since: "2 days", Invite: true},
			{ID: "p4", Name: "Wei Zhang", Byline: "Northern Grid", URL: here, Since: "1 day", Status: models.Invited, Note: "Yes!"}}},
		{ID: "s4", Name: "Lost", Count: "1", Kind: people.StageLost, Cards: []peoplepages.BoardCard{
			{ID: "p5", Name: "Bruno Silva", URL: here, Since: "24 days", Status: models.StatusDeclined}}},
	}
}

func (s *shelf) sourcing() {
	targets := []peoplepages.CardStage{{ID: "s1", Name: "Idea", Kind: people.StageOpen}, {ID: "s3", Name: "Won",
		Kind: people.StageWon}}
	alone := boardColumns(plain)[:1]
	alone[0].All = ""
	bar := contactBar(plain)
	bar.Columns, bar.Orders, bar.CSV, bar.AllCSV, bar.Found, bar.Total = nil, nil, "", "", "", ""
	of(s, "Board", "Sourcing", peoplepages.Board).
		worded(func(w words) peoplepages.BoardPage {
			return peoplepages.BoardPage{Base: here, Stages: here, MayChange: true, Count: 123, Bar: bar, Columns: boardColumns(w),
				Targets: targets, Sentence: "123 people: 120 on the way, 2 won, 1 lost."}
		}).
		is("one stage", peoplepages.BoardPage{Base: here, MayChange: true, Count: 120, Bar: bar, Columns: alone,
			Targets: targets, Only: &pager}).
		is("empty", peoplepages.BoardPage{Base: here, MayChange: true})
	card := func(w words) peoplepages.CardPage {
		return peoplepages.CardPage{Shell: in(w.person), Board: here, Person: here, Email: w.email, Stage: w.label, MayChange: true,
			Card: peoplepages.BoardCard{ID: "p1", Name: w.person, Byline: w.label + ", " + w.place, Since: "12 days", Invite: true,
				Status: models.Prospect},
			Stages: []peoplepages.CardStage{{ID: "s1", Name: "Idea", Kind: people.StageOpen}, {ID: "s2", Name: w.label,
				Kind: people.StageWon, Here: true}, {ID: "s3", Name: w.place, Kind: people.StageLost}},
			Notes: []peoplepages.PersonNote{{Who: w.person, When: "yesterday", Text: w.text}},
			Moves: []peoplepages.CardStep{{From: "Idea", To: w.label, When: "Thu 20 May 2027, 09:30 WEST", Who: w.person},
				{To: "Idea", When: "Mon 3 May 2027, 09:30 WEST", Who: w.person, Lasted: "for 17 days"}}}
	}
	seen := card(plain)
	seen.MayChange, seen.Card.Invite, seen.Notes, seen.Email = false, false, nil, ""
	of(s, "Card", "", peoplepages.Card).worded(card, "note", "must not be empty").is("of a viewer", seen)
	of(s, "Add to the board", "Add people to the board", peoplepages.CardAdd).
		worded(func(w words) peoplepages.CardAddPage {
			return peoplepages.CardAddPage{Board: here, Text: "a", Stages: option("Idea", w.label), New: peoplepages.NewCard{Name: w.person},
				Found: peoplepages.CardFinds{FoundPeople: found(w, ""), On: map[string]string{"p2": w.label}}}
		}, "new_email", "must be an address such as ana@example.org").
		is("nobody matches", peoplepages.CardAddPage{Board: here, Text: "zeppelin", Stages: option("Idea"),
			Found: peoplepages.CardFinds{FoundPeople: records.FoundPeople{Text: "zeppelin"}}})
	s.stages()
}

// stages adds the settings of the boards.
func (s *shelf) stages() {
	kinds := option("Open", "Won: they said yes")
	rows := func(w words) []peoplepages.StageRow {
		return []peoplepages.StageRow{{ID: "s1", Name: w.label, Kind: people.StageOpen, Cards: "1,204"},
			{ID: "s2", Name: "Won", Kind: people.StageWon, Cards: "0"}, {ID: "s3", Name: "Lost", Kind: people.StageLost,
				Cards: "2"}}
	}
	of(s, "Stages", "Stages of sourcing", peoplepages.Stages).
		worded(func(w words) peoplepages.StagesPage {
			return peoplepages.StagesPage{Base: here, Rows: rows(w), Kinds: kinds}
		}).
		is("full", peoplepages.StagesPage{Base: here, Rows: rows(plain), Full: true}).
		is("faults", peoplepages.StagesPage{Base: here, Rows: rows(plain), Kinds: kinds, Name: "Won"}, "name", "is what another stage is called")
	of(s, "Stage", "Stage Idea", peoplepages.Stage).
		is("open", peoplepages.StagePage{Action: here, Cancel: here, Edit: edit("name", "Idea"), Kinds: kinds}).
		is("conflict", peoplepages.StagePage{Edit: clashing})
	confirm := layouts.ConfirmPage{Action: here, Cancel: here, Verb: "Remove the stage"}
	of(s, "Remove a stage", "Remove the stage “Idea”?", peoplepages.RemoveStage).
		is("with cards", peoplepages.RemoveStagePage{ConfirmPage: confirm, Cards: "12 cards", Others: option("Contacted", "Won")})
}
