package task

// Row is the deliverables of one owner, by the columns of a table; nil for tasks that the owner does not have.
type Row []*Deliverable

// First returns any deliverable of the row, which tells whose row it is.
func (r Row) First() *Deliverable {
	for _, d := range r {
		if d != nil {
			return d
		}
	}
	return nil
}

// Table returns the tasks of people or those of sessions as columns, and a row by name for each owner that has one of
// the deliverables in some. With taskID, that task is the only column.
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
