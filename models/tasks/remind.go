package tasks

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/words"
)

const (
	// quiet is how long a deliverable is not reminded of again, so that a button pressed twice writes once.
	quiet = time.Hour
	// remindedAtOnce is how many people are written to in one transaction.
	remindedAtOnce = 25
	// newAge is how old a task must be before it reminds by itself: whoever makes one may write to its people themselves.
	newAge = 24 * time.Hour
	day    = 24 * time.Hour
)

// Reminder is one letter about what a person still has to hand in.
type Reminder struct {
	ContactID string
	Name      string
	Missing   []*Deliverable // by due date
}

// Reminders returns the letters about the missing ones among some deliverables, one per person with an address, by
// name. It leaves out deliverables that were reminded of within the hour.
func (b *Board) Reminders(of []*Deliverable) (letters []*Reminder) {
	missing := make([][]*Deliverable, len(b.People)) // indexed by PersonOf.place
	for _, d := range of {
		if !d.IsMissing() || b.isQuiet(d) {
			continue
		}
		for _, p := range d.by {
			if p.HasAddress {
				missing[p.place] = append(missing[p.place], d)
			}
		}
	}
	for i, theirs := range missing {
		if len(theirs) > 0 {
			slices.SortStableFunc(theirs, func(x, y *Deliverable) int { return byDue(x.Due(), y.Due()) })
			id := b.owners[OfSpeaker][i].ID
			letters = append(letters, &Reminder{ContactID: id, Name: b.People[id].FullName, Missing: theirs})
		}
	}
	return letters
}

// Remind sends everybody who lacks a wanted deliverable one letter that lists all of theirs with dates, and returns how
// many it sent. It answers Stale unless that is the number expected, which the button showed.
func (t *Tasks) Remind(ctx context.Context, w Wanted, expected int) (int, error) {
	b, err := t.Board(ctx)
	if err != nil {
		return 0, err
	}
	letters := b.Reminders(b.Only(w))
	if len(letters) != expected {
		return 0, store.Outdated("Meanwhile another number of people lacks something. Look at how many it is, then send again.")
	}
	return t.send(ctx, b, letters, func(*Deliverable) *int { return nil })
}

// send sends letters in chunks, and notes each deliverable as reminded once the last of its people was written to; step
// returns which automatic reminder that was, nil for none. If it is interrupted, a few people may be written to twice.
func (t *Tasks) send(ctx context.Context, b *Board, letters []*Reminder, step func(*Deliverable) *int) (sent int, err error) {
	last := map[*Deliverable]*Reminder{}
	for _, r := range letters {
		for _, d := range r.Missing {
			last[d] = r
		}
	}
	for some := range slices.Chunk(letters, remindedAtOnce) {
		wrote := 0
		err := t.p.Write(ctx, func(tx *store.Tx) error {
			wrote = 0
			some, err := t.stillDue(tx, some)
			if err != nil {
				return err
			}
			for _, r := range some {
				reached, err := t.write(tx, b, r)
				if err != nil {
					return err
				}
				if reached {
					wrote++
				}
			}
			for _, r := range some {
				for _, d := range r.Missing {
					if last[d] != r {
						continue
					}
					if err := d.noteReminded(tx, step(d)); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return sent, err
		}
		sent += wrote
	}
	return sent, nil
}

// stillDue leaves out what others reminded of since the board was read. It locks the event, so that of two calls at
// once only one writes.
func (t *Tasks) stillDue(tx *store.Tx, letters []*Reminder) (due []*Reminder, err error) {
	if _, err := t.p.HoldEvent(tx); err != nil {
		return nil, err
	}
	lately, err := readDeliverables(tx.DB, keptSearch{eventID: t.p.Event().ID, condition: " AND reminded_at > @since",
		values: []any{sql.Named("since", store.At(tx.Now.Add(-quiet)))}})
	reminded := map[[2]string]bool{}
	for _, d := range lately {
		reminded[[2]string{d.TaskID, d.OwnerID()}] = true
	}
	for _, r := range letters {
		r.Missing = slices.DeleteFunc(r.Missing, func(d *Deliverable) bool { return reminded[[2]string{d.TaskID, d.OwnerID()}] })
		if len(r.Missing) > 0 {
			due = append(due, r)
		}
	}
	return due, err
}

// noteReminded stores when people were reminded of a deliverable, and which automatic reminder that was, if any.
func (d *Deliverable) noteReminded(tx *store.Tx, days *int) error {
	row := *d
	if row.RemindedAt = &tx.Now; days != nil {
		row.RemindedDays = days
	}
	changed := d.of(tx.Model(&Deliverable{})).Select("reminded_at", "reminded_days").Updates(&row)
	if changed.Error != nil || changed.RowsAffected > 0 {
		return changed.Error
	}
	row.ID, row.StateAt, row.UpdatedAt = store.NewID(), tx.Now, tx.Now
	return tx.Create(&row).Error
}

// write sends one person the list of what they still have to hand in.
func (t *Tasks) write(tx *store.Tx, b *Board, r *Reminder) (bool, error) {
	name := "taskreminder"
	if slices.ContainsFunc(r.Missing, func(d *Deliverable) bool { return d.IsLate(b.Now) }) {
		name = "tasklate"
	}
	return call.Of(t.p).Write(tx, r.ContactID, name, func(l *words.Language) []any {
		return []any{"Titles", titles(r.Missing), "Tasks", call.Lines(b.list(l, t.p.Event(), r.Missing))}
	})
}

// titles returns the titles of the deliverables' tasks, each once.
func titles(of []*Deliverable) string {
	var all []string
	for _, d := range of {
		if !slices.Contains(all, d.Task.Title) {
			all = append(all, d.Task.Title)
		}
	}
	return strings.Join(all, ", ")
}

// list returns deliverables with their sessions and dates, one per line.
func (b *Board) list(l *words.Language, event *models.Event, of []*Deliverable) string {
	var lines []string
	for _, d := range of {
		line := "– " + d.called(l, b.Owner(d))
		if due := d.Due(); due != nil {
			line += ": " + l.T("letter.taskdue", "When", call.ClockIn(l, *due, event))
		}
		if d.State == Changes {
			line += "\n  " + l.T("letter.taskasked", "Words", strings.ReplaceAll(d.Words, "\n", " "))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// remindDays are when tasks remind by themselves: days before they are due, negative for after.
var remindDays = []int{7, 1, -1, -7}

// step returns the automatic reminder, one of remindDays, that is due at now for the due date; 0 for none.
func step(now, due store.Time) int {
	found := 0
	left := due.Sub(now.Time)
	for _, days := range remindDays {
		if left <= time.Duration(days)*day {
			found = days
		}
	}
	if left < time.Duration(2*remindDays[len(remindDays)-1])*day {
		return 0 // staff write to whoever has not reacted by now
	}
	return found
}

// stepOf returns the automatic reminder that a deliverable needs now, 0 for none.
func (d *Deliverable) stepOf(now store.Time) int {
	due := d.Due()
	if due == nil || !d.Task.IsReminded || !d.IsMissing() || now.Sub(d.Task.CreatedAt.Time) < newAge ||
		d.RemindedAt != nil && now.Sub(d.RemindedAt.Time) < day {
		return 0
	}
	days := step(now, *due)
	if days == 0 || d.RemindedDays != nil && *d.RemindedDays <= days {
		return 0
	}
	return days
}

// SendReminders writes to people, at all events, about what is missing and soon or already due.
func SendReminders(ctx context.Context, s *models.Store) error {
	var events []string
	now := s.Now()
	soon, gone := now.Add(time.Duration(remindDays[0])*day), now.Add(time.Duration(2*remindDays[len(remindDays)-1])*day)
	if err := s.Read(ctx).Raw(`SELECT t.event_id FROM tasks t WHERE t.is_reminded AND t.due_at BETWEEN @gone AND @soon
			UNION SELECT d.event_id FROM deliverables d JOIN tasks t ON t.id = d.task_id
			WHERE t.is_reminded AND d.due_at BETWEEN @gone AND @soon ORDER BY 1`,
		map[string]any{"gone": store.At(gone), "soon": store.At(soon)}).Scan(&events).Error; err != nil {
		return err
	}
	for _, id := range events {
		event, err := s.EventBy(ctx, id)
		if err != nil {
			return err
		}
		if err := Of(s.Programme(event, store.By{})).remindDue(ctx); err != nil {
			return err
		}
	}
	return nil
}

// remindDue sends the automatic reminders of an event that are due now.
func (t *Tasks) remindDue(ctx context.Context) error {
	b, err := t.Board(ctx)
	if err != nil {
		return err
	}
	due := slices.DeleteFunc(slices.Clone(b.All), func(d *Deliverable) bool { return d.stepOf(b.Now) == 0 })
	_, err = t.send(ctx, b, b.Reminders(due), func(d *Deliverable) *int { return new(d.stepOf(b.Now)) })
	return err
}
