package task

// Row are the deliverables of a session or a person by the tasks of a table, nil of those that it does not have.
type Row []*Deliverable

// First is one of them, which says whose the row is.
func (r Row) First() *Deliverable {
	for _, d := range r {
		if d != nil {
			return d
		}
	}
	return nil
}

// Table are the tasks that are of each person, or of each session, and a row for each of these that has any of some
// deliverables of such a task, by name. One task alone, "" for all, is the only column.
func (b *Board) Table(some []*Deliverable, of Whose, taskID string) (columns []*Task, rows []Row) {
	wanted := map[string]bool{}
	for _, d := range some {
		if d.Task.AskedOf == of {
			wanted[d.OwnerID()] = true
		}
	}
	var places []int
	for i, t := range b.Tasks {
		if t.AskedOf == of && (taskID == "" || t.ID == taskID) {
			columns, places = append(columns, t), append(places, i)
		}
	}
	for _, o := range b.owners[of] {
		if !wanted[o.ID] {
			continue
		}
		row := make(Row, len(places))
		for i, place := range places {
			if d := o.has[place]; d != nil && d.isHad {
				row[i] = d
			}
		}
		rows = append(rows, row)
	}
	return columns, rows
}
