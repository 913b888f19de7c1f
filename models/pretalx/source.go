package pretalx

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/fetch"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/store"
)

// key returns the permanent key of a row. It does not contain the server, which may move while a conference is
// prepared.
func (c *Client) key(kind string, id any) string { return fmt.Sprint(c.event, "/", kind, "/", id) }

// Frame reads the event, its labels and questions, and the breaks of the schedule in progress, which the organizers see
// in their editor.
func (c *Client) Frame(ctx context.Context) (*moving.Frame, error) {
	var e event
	if err := c.one(ctx, "event", "", &e); err != nil {
		return nil, err
	}
	c.locale = e.Locale
	f := &moving.Frame{System: "pretalx", Prefix: c.event + "/", Name: e.Name.of(c.locale), Starts: e.DateFrom,
		Ends: e.DateTo}
	for _, read := range []func(context.Context, *moving.Frame) error{c.readLabels, c.readQuestions, c.readSlots} {
		if err := read(ctx, f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (c *Client) readLabels(ctx context.Context, f *moving.Frame) error {
	for _, of := range []struct {
		path, kind string
		models.Family
	}{{"tracks/", "track", models.Tracks}, {"submission-types/", "type", models.Formats}, {"rooms/", "room", models.Rooms},
		{"tags/", "tag", models.Tags}} {
		err := each(ctx, c, of.path[:len(of.path)-1], of.path, nil, func(some []label) error {
			for _, l := range some {
				n := models.NewMetadata{Name: store.OneLine(l.Name.of(c.locale) + l.Tag)}
				switch of.Family {
				case models.Tracks:
					if len(l.Color) == 7 {
						n.Color = &l.Color
					}
				case models.Rooms:
					n.Capacity = l.Capacity
				case models.Formats:
					n.DefaultMinutes = minutes(l.DefaultDuration)
				}
				f.Labels = append(f.Labels, arrival.Label{Key: c.key(of.kind, l.ID), Family: of.Family, NewMetadata: n})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// minutes returns a duration if a format can have it, else nil.
func minutes(n *int) *int {
	if n == nil || *n < 1 || *n > store.MaxMinutes {
		return nil
	}
	return n
}

// readSlots keeps the slots of submissions, and adds breaks to the frame. A break has no lasting key there, so its key
// is its number among those of its name in its room.
func (c *Client) readSlots(ctx context.Context, f *moving.Frame) error {
	var wip schedule
	if err := c.one(ctx, "schedule", "schedules/wip/", &wip); err != nil {
		return err
	}
	c.slots = map[string][]slot{}
	var breaks []slot
	query := url.Values{"schedule": {strconv.Itoa(wip.ID)}}
	err := each(ctx, c, "slots", "slots/", query, func(some []slot) error {
		for _, s := range some {
			switch {
			case s.Start == nil || s.End == nil || s.Room == nil:
			case s.Submission != nil:
				c.slots[*s.Submission] = append(c.slots[*s.Submission], s)
			default:
				breaks = append(breaks, s)
			}
		}
		return nil
	})
	slices.SortFunc(breaks, slot.before)
	seen := map[string]int{}
	for _, s := range breaks {
		title := "Break"
		if s.Description != nil && s.Description.of(c.locale) != "" {
			title = store.OneLine(s.Description.of(c.locale))
		}
		key := c.key("break", fmt.Sprint(*s.Room, "/", title))
		if seen[key]++; seen[key] > 1 {
			key += fmt.Sprint("#", seen[key])
		}
		f.Breaks = append(f.Breaks, frab.Break{Key: key, Kind: string(models.Pause), Title: title,
			Room: c.key("room", *s.Room), Start: s.Start.UTC(), End: s.End.UTC()})
	}
	return err
}

// People reads speakers with their answers.
func (c *Client) People(ctx context.Context, take func([]moving.Person) error) error {
	query := url.Values{"expand": {"answers"}}
	return each(ctx, c, "speakers", "speakers/", query, func(some []speaker) error {
		all := make([]moving.Person, len(some))
		for i, s := range some {
			x := &all[i]
			x.Key = c.key("speaker", s.Code)
			x.FirstName, x.LastName = models.SplitName(store.OneLine(store.ValueOf(s.Name)))
			if x.FirstName == "" {
				x.FirstName = s.Code
			}
			x.Email, x.About = s.Email, html(store.ValueOf(s.Biography))
			x.Photo, x.Note, x.Answers = store.ValueOf(s.AvatarURL), store.ValueOf(s.InternalNotes), c.answers(s.Answers)
			for _, a := range s.Availabilities {
				x.Available = append(x.Available, moving.Span{From: a.Start, Until: a.End})
			}
		}
		return take(all)
	})
}

// Submissions reads submissions with their answers. The API does not give drafts, which only their authors see.
func (c *Client) Submissions(ctx context.Context, take func([]moving.Submission) error) error {
	query := url.Values{"expand": {"answers"}}
	return each(ctx, c, "submissions", "submissions/", query, func(some []submission) error {
		all := make([]moving.Submission, len(some))
		for i := range some {
			c.submission(&some[i], &all[i])
		}
		return take(all)
	})
}

func (c *Client) submission(s *submission, to *moving.Submission) {
	to.Key, to.Title, to.IsConfirmed = c.key("submission", s.Code), s.Title, s.State == "confirmed"
	to.Description = html(strings.TrimSpace(store.ValueOf(s.Abstract) + "\n\n" + store.ValueOf(s.Description)))
	to.Status = statusOf(s.State, store.ValueOf(s.PendingState))
	if s.Track != nil {
		to.Track = c.key("track", *s.Track)
	}
	if s.SubmissionType != nil {
		to.Format = c.key("type", *s.SubmissionType)
	}
	for _, id := range s.Tags {
		to.Tags = append(to.Tags, c.key("tag", id))
	}
	for _, code := range s.Speakers {
		to.People = append(to.People, c.key("speaker", code))
	}
	to.Answers = append(c.facts(s), c.answers(s.Answers)...)
	slots := slices.SortedFunc(slices.Values(c.slots[s.Code]), slot.before)
	for _, at := range slots {
		to.Slots = append(to.Slots, arrival.Slot{Start: store.At(at.Start.UTC()), End: store.At(at.End.UTC()),
			Room: c.key("room", *at.Room)})
	}
}

// statusOf returns our status for a state. Decisions that submitters were not told of yet are queued.
func statusOf(state, pending string) models.Status {
	switch state {
	case "accepted", "confirmed":
		return models.Accepted
	case "rejected":
		return models.Declined
	case "canceled", "withdrawn":
		return models.Withdrawn
	case "draft":
		return models.Draft
	}
	switch pending {
	case "accepted", "confirmed":
		return models.AcceptQueue
	case "rejected":
		return models.DeclineQueue
	}
	return models.Pending
}

// Reviews reads reviews with their scores.
func (c *Client) Reviews(ctx context.Context, take func([]moving.Review) error) error {
	query := url.Values{"expand": {"user,scores.category"}}
	err := each(ctx, c, "reviews", "reviews/", query, func(some []review) error {
		all := make([]moving.Review, len(some))
		for i := range some {
			c.review(&some[i], &all[i])
		}
		return take(all)
	})
	if isForbidden(err) {
		return moving.NotGiven(err.(*fetch.Fault).Reason)
	}
	return err
}

func (c *Client) review(r *review, to *moving.Review) {
	to.Key, to.Submission = c.key("review", r.ID), c.key("submission", r.Submission)
	to.Comment = strings.TrimSpace(store.ValueOf(r.Text))
	if r.User != nil {
		to.Email, to.Name = r.User.Email, r.User.Name
	}
	for _, a := range r.Answers {
		if values := c.values(a); len(values) > 0 {
			to.Comment += "\n" + c.questions[a.Question].Question.of(c.locale) + ": " + strings.Join(values, ", ")
		}
	}
	to.Comment = strings.TrimSpace(to.Comment)
	for _, s := range r.Scores {
		value, _ := s.Value.Float64()
		weight, _ := s.Category.Weight.Float64()
		if s.Category.IsIndependent {
			weight = 0
		}
		to.Scores = append(to.Scores, moving.Score{Criterion: c.key("category", s.Category.ID),
			Name: store.OneLine(s.Category.Name.of(c.locale)), Weight: weight, Value: value, Label: store.ValueOf(s.Label)})
	}
}

var _ moving.Source = &Client{}
