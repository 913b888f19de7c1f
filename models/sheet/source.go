package sheet

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/store"
)

// Frame returns what the rows refer to, with the rows that cannot come.
func (s *Sheet) Frame(context.Context) (*moving.Frame, error) { return &s.frame, nil }

// People passes on the people of the sessions, each once.
func (s *Sheet) People(_ context.Context, take func([]moving.Person) error) error {
	for some := range slices.Chunk(s.people, stepRows) {
		all := store.Map(some, func(p *moving.Person) moving.Person { return *p })
		if err := take(all); err != nil {
			return err
		}
	}
	return nil
}

// Submissions passes on the sessions.
func (s *Sheet) Submissions(_ context.Context, take func([]moving.Submission) error) error {
	for some := range slices.Chunk(s.sessions, stepRows) {
		all := store.Map(some, s.submission)
		if err := take(all); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sheet) submission(one *session) (out moving.Submission) {
	out.Key, out.Title, out.Status, out.People = one.key, store.OneLine(one.cells["title"]), one.status, one.people
	out.Description = moving.Paragraphs(one.cells["description"])
	for _, label := range []struct {
		family models.Family
		name   string
		key    *string
	}{{models.Tracks, "track", &out.Track}, {models.Formats, "format", &out.Format},
		{models.Levels, "level", &out.Level}} {
		if name := store.OneLine(one.cells[label.name]); name != "" {
			*label.key = s.label(label.family, name)
		}
	}
	for _, tag := range several(one.cells["tags"]) {
		out.Tags = append(out.Tags, s.label(models.Tags, tag))
	}
	if !one.start.IsZero() {
		slot := arrival.Slot{Start: store.At(one.start.UTC())}
		if !one.end.IsZero() {
			slot.End = store.At(one.end.UTC())
		}
		if name := store.OneLine(one.cells["room"]); name != "" {
			slot.Room = s.label(models.Rooms, name)
		}
		out.Slots = []arrival.Slot{slot}
	}
	for i, text := range one.kept {
		if text != "" {
			out.Answers = append(out.Answers, moving.Answer{Question: s.frame.Questions[i].Key, Values: []string{text}})
		}
	}
	return out
}

// Reviews passes on nothing.
func (s *Sheet) Reviews(context.Context, func([]moving.Review) error) error { return nil }

// Photo returns no content: a table has only its address, which the contact keeps.
func (s *Sheet) Photo(context.Context, string) ([]byte, error) {
	return nil, moving.NotGiven("a table has no files")
}

var _ moving.Source = &Sheet{}

// faults are what is wrong with the rows of a table, and what is needed to write those rows out again.
type faults struct {
	reasons map[int][]string // by row number
	groups  map[string][]int // rows with the same id or, without one, the same title
	groupOf map[int]string
	firsts  map[string]int // the row in which each person, track and so on first occurs, by key
}

func newFaults() faults {
	return faults{map[int][]string{}, map[string][]int{}, map[int]string{}, map[string]int{}}
}

// take groups a row with those of the same id or title: they are one session, or are distinguished by their order.
func (f *faults) take(r row) {
	group := "id/" + store.Fold(r.cells["key"])
	if group == "id/" {
		group = "title/" + store.Fold(store.OneLine(r.cells["title"]))
	}
	f.groups[group] = append(f.groups[group], r.number)
	f.groupOf[r.number] = group
}

// add records a fault of a row.
func (f *faults) add(number int, reason string) {
	f.reasons[number] = append(f.reasons[number], reason)
}

// WriteFaults writes the rows that cannot come, each with its faults, as a table that can be brought once it is
// corrected. Other rows of the same session or title come along: without them a corrected row would get another key.
// later are rows that were refused, by key, after the table was read.
func (s *Sheet) WriteFaults(out io.Writer, later []frab.Skipped) error {
	for _, skipped := range later {
		key := s.frame.Prefix + strings.TrimPrefix(skipped.ID, s.frame.Prefix)
		if number, is := s.faults.firsts[key]; is {
			s.faults.add(number, skipped.Title+" "+skipped.Reason)
		} else if one := s.byKey[key]; one != nil {
			s.faults.add(one.number, skipped.Reason)
		}
	}
	given := map[int][]string{}
	for _, number := range slices.Sorted(maps.Keys(s.faults.reasons)) {
		reasons := s.faults.reasons[number]
		for i, reason := range reasons {
			reasons[i] = strings.TrimSuffix(reason, ".") + "."
		}
		given[number] = reasons
		group := s.faults.groupOf[number]
		if group == "title/" {
			continue
		}
		for _, other := range s.faults.groups[group] {
			if given[other] == nil {
				given[other] = s.faults.reasons[other]
			}
		}
	}
	return s.file.WriteFaulty(out, given)
}
