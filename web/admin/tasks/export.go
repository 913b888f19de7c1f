package tasks

import (
	"io"

	"lectern/models/csv"
	"lectern/models/tasks"
	"lectern/web/admin/visit"
)

// exportAtOnce is how many deliverables of an export are read together.
const exportAtOnce = 500

// exportBoard answers with all pages of the list as CSV.
func exportBoard(v *visit.Visit) error {
	b, l, err := board(v)
	if err != nil {
		return err
	}
	name := v.Event.Slug + "-deliverables-" + v.Now().UTC().Format("2006-01-02") + ".csv"
	return v.SendWritten(name, visit.CSVType, func(out io.Writer) error {
		return writeBoard(v, b, b.Only(l.wanted), csv.NewWriter(out))
	})
}

func writeBoard(v *visit.Visit, b *tasks.Board, some []*tasks.Deliverable, w *csv.Writer) error {
	w.Write([]string{"Task", "Session", "Title", "People", "State", "Required", "Due (" + v.Event.Timezone + ")", "Late",
		"Version", "File or link", "Waits for an answer", "Reason or changes"})
	yes := map[bool]string{true: "yes", false: "no"}
	for len(some) > 0 {
		part := some[:min(exportAtOnce, len(some))]
		some = some[len(part):]
		shown, err := rows(v, b, part)
		if err != nil {
			return err
		}
		for i, d := range part {
			row, due, people := shown[i], "", shown[i].Owner
			if at := d.Due(); at != nil {
				due = at.In(v.Zone()).Format("2006-01-02 15:04")
			}
			ofSession := ""
			if d.SessionID != nil {
				ofSession, people = row.Owner, row.People
			}
			if err := w.Write([]string{row.Task, row.Label, ofSession, people, row.Badge.Name, yes[d.Task.IsRequired], due,
				yes[row.IsLate], row.Version, row.File, yes[row.Asked], d.Words}); err != nil {
				return err
			}
		}
	}
	return w.Flush()
}
