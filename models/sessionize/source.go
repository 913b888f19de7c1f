package sessionize

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/fetch"
	"lectern/models/field"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/store"
)

const (
	prefix   = "sessionize/"
	stepRows = 100
)

func key(kind string, id any) string { return fmt.Sprint(prefix, kind, "/", id) }

// families maps words in the title of a category of sessions to our families. Items of other categories become tags.
var families = []struct {
	models.Family
	words []string
}{{models.Tracks, []string{"track", "topic", "stream", "theme"}}, {models.Formats, []string{"format", "type"}},
	{models.Levels, []string{"level", "difficulty"}}}

func (c *category) family() models.Family {
	for _, f := range families {
		for _, word := range f.words {
			if strings.Contains(strings.ToLower(c.Title), word) {
				return f.Family
			}
		}
	}
	return models.Tags
}

// facts are properties of a session without a field here; they become answers to questions that nobody is asked.
var facts = []moving.Question{{Key: "live", Label: "Live stream"}, {Key: "recording", Label: "Recording"}}

// Frame returns what sessions refer to, and the breaks of the agenda.
func (c *Conference) Frame(context.Context) (*moving.Frame, error) {
	f := &moving.Frame{System: "Sessionize", Prefix: prefix, Name: "Sessionize"}
	for _, r := range c.Rooms {
		f.Labels = append(f.Labels, arrival.Label{Key: key("room", r.ID), Family: models.Rooms,
			NewMetadata: models.NewMetadata{Name: store.OneLine(r.Name)}})
	}
	for _, category := range c.Categories {
		for _, item := range category.Items {
			if category.Type != "speaker" {
				f.Labels = append(f.Labels, arrival.Label{Key: key("item", item.ID), Family: category.family(),
					NewMetadata: models.NewMetadata{Name: store.OneLine(item.Name)}})
			}
		}
	}
	for _, fact := range facts {
		fact.Key, fact.AskedOf, fact.Type, fact.IsRetired = key("fact", fact.Key), call.OfProposal, field.URL, true
		f.Questions = append(f.Questions, fact)
	}
	for _, q := range c.Questions {
		f.Questions = append(f.Questions, c.asked(q))
	}
	for i := range c.Sessions {
		s := &c.Sessions[i]
		start, end, err := c.span(s)
		if err != nil {
			f.Skipped = append(f.Skipped, frab.Skipped{ID: string(s.ID), Title: s.Title, Reason: err.Error()})
			continue
		}
		if start.IsZero() {
			continue
		}
		day := start.In(c.zone).Format(time.DateOnly)
		if f.Starts == "" || day < f.Starts {
			f.Starts = day
		}
		f.Ends = max(f.Ends, day)
		if s.IsServiceSession {
			f.Breaks = append(f.Breaks, pause(s, start, end))
		}
	}
	return f, nil
}

// asked converts a question; it is one for speakers if one of them answers it.
func (c *Conference) asked(q question) moving.Question {
	out := moving.Question{Key: key("question", q.ID), AskedOf: call.OfProposal, Type: field.LongText,
		Label: store.OneLine(q.Question)}
	switch q.QuestionType {
	case "Short_Text":
		out.Type = field.Text
	case "Web_Address":
		out.Type = field.URL
	}
	if slices.ContainsFunc(c.Speakers, func(s speaker) bool {
		return slices.ContainsFunc(s.QuestionAnswers, func(a answer) bool { return a.QuestionID == q.ID })
	}) {
		out.AskedOf = call.OfSpeaker
	}
	return out
}

// pause converts what Sessionize calls a service session, such as lunch or registration, to a break.
func pause(s *session, start, end time.Time) frab.Break {
	b := frab.Break{Key: key("break", s.ID), Kind: string(models.Pause), Title: store.OneLine(s.Title), Start: start.UTC(),
		End: end.UTC(), AllRooms: s.RoomID == nil || s.IsPlenumSession}
	if !b.AllRooms {
		b.Room = key("room", *s.RoomID)
	}
	return b
}

// span returns when a session takes place; zero times if unknown.
func (c *Conference) span(s *session) (start, end time.Time, err error) {
	if s.StartsAt == "" || s.EndsAt == "" {
		return start, end, nil
	}
	if start, err = c.moment(s.StartsAt); err == nil {
		end, err = c.moment(s.EndsAt)
	}
	if err == nil && end.Before(start) {
		err = fmt.Errorf("it ends before it starts")
	}
	return start, end, err
}

func (c *Conference) moment(text string) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	at, err := time.ParseInLocation("2006-01-02T15:04:05", text, c.zone)
	if err != nil || at.Format("2006-01-02T15:04:05") != text { // some days lack an hour
		return at, fmt.Errorf("“%s” is no time on the event's clock", text)
	}
	return at, nil
}

// People passes on the speakers. Sessionize gives no e-mail addresses.
func (c *Conference) People(_ context.Context, take func([]moving.Person) error) error {
	for some := range slices.Chunk(c.Speakers, stepRows) {
		people := make([]moving.Person, len(some))
		for i, s := range some {
			p := &people[i]
			p.Key = key("speaker", s.ID)
			p.FirstName, p.LastName = store.OneLine(s.FirstName), store.OneLine(s.LastName)
			p.JobTitle, p.About, p.Photo = store.OneLine(s.TagLine), moving.Paragraphs(s.Bio), s.ProfilePicture
			for _, link := range s.Links {
				switch {
				case !strings.HasPrefix(link.URL, "https://") && !strings.HasPrefix(link.URL, "http://"):
				case link.LinkType == "LinkedIn":
					p.LinkedinURL = link.URL
				case p.WebsiteURL == "" && (link.LinkType == "Company_Website" || link.LinkType == "Blog"):
					p.WebsiteURL = link.URL
				}
			}
			p.Answers = answers(s.QuestionAnswers)
		}
		if err := take(people); err != nil {
			return err
		}
	}
	return nil
}

func answers(some []answer) (out []moving.Answer) {
	for _, a := range some {
		if text := strings.TrimSpace(a.AnswerValue); text != "" {
			out = append(out, moving.Answer{Question: key("question", a.QuestionID), Values: []string{text}})
		}
	}
	slices.SortFunc(out, func(a, b moving.Answer) int { return strings.Compare(a.Question, b.Question) })
	return out
}

// statuses maps Sessionize's statuses to ours. What its public data contain is accepted.
var statuses = map[string]models.Status{"": models.Accepted, "accepted": models.Accepted, "nominated": models.Pending,
	"waitlisted": models.Pending, "accept_queue": models.AcceptQueue, "decline_queue": models.DeclineQueue,
	"declined": models.Declined, "canceled": models.Withdrawn}

// Submissions passes on the sessions that are not breaks.
func (c *Conference) Submissions(_ context.Context, take func([]moving.Submission) error) error {
	families := map[int]models.Family{}
	for _, category := range c.Categories {
		for _, item := range category.Items {
			families[item.ID] = category.family()
		}
	}
	for some := range slices.Chunk(c.Sessions, stepRows) {
		var out []moving.Submission
		for i := range some {
			if !some[i].IsServiceSession {
				out = append(out, c.submission(&some[i], families))
			}
		}
		if len(out) == 0 {
			continue
		}
		if err := take(out); err != nil {
			return err
		}
	}
	return nil
}

func (c *Conference) submission(s *session, families map[int]models.Family) (out moving.Submission) {
	out.Key, out.Title, out.Description = key("session", s.ID), store.OneLine(s.Title), moving.Paragraphs(s.Description)
	out.IsConfirmed, out.Status = s.IsConfirmed, models.Pending
	if status, is := statuses[strings.ToLower(s.Status)]; is {
		out.Status = status
	}
	for _, item := range s.CategoryItems {
		switch label := key("item", item); {
		case families[item] == models.Tracks && out.Track == "":
			out.Track = label
		case families[item] == models.Formats && out.Format == "":
			out.Format = label
		case families[item] == models.Levels && out.Level == "":
			out.Level = label
		case families[item] == models.Tags:
			out.Tags = append(out.Tags, label)
		}
	}
	for _, id := range s.Speakers {
		out.People = append(out.People, key("speaker", id))
	}
	out.Answers = answers(s.QuestionAnswers)
	for i, link := range []string{s.LiveURL, s.RecordingURL} {
		if link != "" {
			out.Answers = append(out.Answers, moving.Answer{Question: key("fact", facts[i].Key), Values: []string{link}})
		}
	}
	out.Slots = c.slots(s)
	return out
}

// slots returns the time and room of a session, none if unknown.
func (c *Conference) slots(s *session) []arrival.Slot {
	start, end, err := c.span(s)
	if err != nil || start.IsZero() {
		return nil
	}
	slot := arrival.Slot{Start: store.At(start.UTC()), End: store.At(end.UTC())}
	if s.RoomID != nil {
		slot.Room = key("room", *s.RoomID)
	}
	return []arrival.Slot{slot}
}

// Reviews passes on nothing: Sessionize does not give them.
func (c *Conference) Reviews(context.Context, func([]moving.Review) error) error { return nil }

// Photo returns the content of a person's picture.
func (c *Conference) Photo(ctx context.Context, address string) ([]byte, error) {
	if c.fetch == nil {
		return nil, moving.NotGiven("photos are not fetched for a file")
	}
	body, err := c.fetch.Photo(ctx, address, maxPhoto)
	if fault, is := errors.AsType[*fetch.Fault](err); is {
		return nil, moving.NotGiven(fault.Reason)
	}
	return body, err
}

var _ moving.Source = &Conference{}
