package sheet

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/arrival"
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
