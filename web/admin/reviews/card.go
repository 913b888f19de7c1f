package reviews

import (
	"net/http"
	"strconv"
	"strings"

	"lectern/models/reviews"
	"lectern/models/store"
	pages "lectern/views/pages/reviews"
	"lectern/web/admin/visit"
)

var emptyCriterion = pages.CardRow{Kind: string(reviews.Number), Low: "1", High: "5", Weight: "1"}

// cardForm shows the criteria, with a row for one more.
func cardForm(v *visit.Visit, r *reviews.Round) error {
	var rows []pages.CardRow
	for _, c := range r.Card {
		rows = append(rows, pages.CardRow{ID: c.ID, Name: c.Name, Kind: string(c.Kind), Low: visit.WholeText(c.Low),
			High:   visit.WholeText(c.High),
			Weight: visit.WholeText(c.Weight), Choices: strings.Join(c.Choices, "\n")})
	}
	return scorecardPage(v, http.StatusOK, r, roomFor(rows, len(rows)+1))
}

// roomFor adds empty rows until there are n, or as many as a scorecard may have.
func roomFor(rows []pages.CardRow, n int) []pages.CardRow {
	for len(rows) < min(n, reviews.MaxCriteria) {
		rows = append(rows, emptyCriterion)
	}
	return rows
}

func scorecardPage(v *visit.Visit, status int, r *reviews.Round, rows []pages.CardRow) error {
	for i := range rows {
		rows[i].At = strconv.Itoa(i + 1)
	}
	return visit.Show(v, status, "Scorecard", pages.Scorecard, pages.ScorecardPage{Base: v.At("/rounds/" + r.ID),
		Round: r.Name, Rows: rows})
}

// isLeftOut tells whether a row is dropped: its name was cleared, or it was never begun.
func isLeftOut(row pages.CardRow) bool {
	begun := row
	begun.ID = ""
	return row.Name == "" && (row.ID != "" || begun == emptyCriterion)
}

// changeCard saves the criteria, or shows the form with one more row.
func changeCard(v *visit.Visit, r *reviews.Round) error {
	var rows []pages.CardRow
	shown := 0
	for i := 1; i <= reviews.MaxCriteria; i++ {
		at := "_" + strconv.Itoa(i)
		row := pages.CardRow{ID: v.Value("id" + at), Name: v.Value("name" + at), Kind: v.Value("kind" + at), Low: v.Value("low" + at),
			High: v.Value("high" + at), Weight: v.Value("weight" + at), Choices: v.FormValue("choices" + at)}
		if row.Kind != "" {
			shown++
		}
		if row.Choices = strings.TrimSpace(row.Choices); row.Kind != "" && !isLeftOut(row) {
			rows = append(rows, row)
		}
	}
	if v.Value("do") == "more" {
		return scorecardPage(v, http.StatusOK, r, roomFor(rows, shown+1))
	}
	card, err := cardOf(rows, r.Card)
	if err == nil {
		err = v.Rounds().SetCard(v.UserContext(), r.ID, card)
	}
	return v.DoneOrAgain(err, v.At("/rounds/"+r.ID), "The scorecard is saved.",
		func(status int) error { return scorecardPage(v, status, r, roomFor(rows, len(rows)+1)) })
}

// cardOf reads the rows of the form; existing criteria keep their ids.
func cardOf(rows []pages.CardRow, was reviews.Card) (card reviews.Card, err error) {
	var f store.Faults
	for i, row := range rows {
		at := "_" + strconv.Itoa(i+1)
		c := &reviews.Criterion{Name: row.Name, Kind: reviews.Kind(row.Kind)}
		for _, one := range was {
			if one.ID == row.ID {
				c.ID = one.ID
			}
		}
		read := func(name, text string) *int {
			n, err := visit.WholeNumber(name+at, text)
			f.Add(err)
			return n
		}
		if c.Kind == reviews.Number {
			c.Low, c.High, c.Weight = read("low", row.Low), read("high", row.High), read("weight", row.Weight)
		}
		for line := range strings.Lines(row.Choices) {
			if line = strings.TrimSpace(line); line != "" {
				c.Choices = append(c.Choices, line)
			}
		}
		card = append(card, c)
	}
	return card, f.Err()
}
