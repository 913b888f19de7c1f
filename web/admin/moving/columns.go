package moving

import (
	"io"
	"net/http"
	"strconv"

	"lectern/models/moves"
	"lectern/models/sheet"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/moving"
	"lectern/web/admin/visit"
)

func columnsForm(v *visit.Visit, m *moves.Move) error { return columnsPage(v, http.StatusOK, m, nil) }

// columnsPage asks what each column holds; chosen is a refused form's choice.
func columnsPage(v *visit.Visit, status int, m *moves.Move, chosen []string) error {
	here := v.At("/moves/" + m.ID)
	if len(m.Choices.Headings) == 0 {
		return v.See(here, "")
	}
	columns, rows, err := movesHere(v).Columns(v.UserContext(), m)
	if store.KindOf(err) == store.Invalid { // the file is no longer stored
		return refusedOr(v, err, v.At("/moves"))
	}
	if err != nil {
		return err
	}
	p := pages.ColumnsPage{Base: v.At("/moves"), Here: here, About: m.FileName,
		Verb: "Look at " + visit.Counted(int64(rows), "row", "rows")}
	for at, c := range columns {
		if len(chosen) == len(columns) {
			c.IsSure, c.Holds = c.IsSure && c.Holds == chosen[at], chosen[at]
		}
		x := pages.Column{Field: "columns[" + strconv.Itoa(at) + "]", Name: c.Name, Samples: c.Samples, Sure: "Guessed"}
		for _, f := range sheet.Fields() {
			x.Options = append(x.Options, components.Option{Value: f.Name, Name: f.Label, Chosen: f.Name == c.Holds})
		}
		switch {
		case c.IsSure:
			x.Sure, x.Look = "Sure", "good"
		case c.Holds == sheet.Kept:
			x.Sure = "Comes as an answer"
		case c.Holds == "":
			x.Sure = "Left out"
		default:
			x.Sure = "Chosen"
		}
		p.Columns = append(p.Columns, x)
	}
	return visit.Show(v, status, "What is in which column?", pages.Columns, p)
}

// faults sends the rows that cannot come, for correction.
func faults(v *visit.Visit, m *moves.Move) error {
	err := v.SendWritten(v.Event.Slug+"-rows-to-correct.csv", visit.CSVType, func(out io.Writer) error {
		return movesHere(v).WriteFaults(v.UserContext(), m, out)
	})
	if store.KindOf(err) == store.Invalid { // the file is no longer stored
		return refusedOr(v, err, v.At("/moves/"+m.ID))
	}
	return err
}

func chooseColumns(v *visit.Visit, m *moves.Move) error {
	held := v.Values("column")
	_, err := movesHere(v).Choose(v.UserContext(), m.ID, held)
	if store.KindOf(err) == store.Invalid {
		return v.Again(err, func(status int) error { return columnsPage(v, status, m, held) })
	}
	return refusedOr(v, err, v.At("/moves/"+m.ID))
}
