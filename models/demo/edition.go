package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
)

// edition is one year's conference.
type edition struct {
	*story
	event   *models.Event
	first   time.Time                           // its first day
	ids     map[models.Family]map[string]string // of metadata, by family and name
	minutes map[string]int                      // of formats
	entries map[string]*entry                   // of the call, by title
}

// by returns the programme as a member of staff acts on it.
func (e *edition) by(u *staff.User) *models.Programme {
	return e.db.Programme(e.event, as(u)).Reaching(models.Everybody)
}

// place says where and when a conference is.
type place struct {
	name, zone string // the year is added to the name: "Tideline 2027"
	day        time.Time
	days       int
}

// found has the owner make the event, with its rows of metadata.
func (e *edition) found(p place, days int, labels map[models.Family][]models.NewMetadata) {
	e.first = p.day
	last := p.day.AddDate(0, 0, p.days-1)
	e.at(e.daysAgo(days, 8, 30), "founding "+p.name, func(ctx context.Context) (err error) {
		e.event, err = e.db.AddEvent(ctx, e.team(), models.NewEvent{
			Name: fmt.Sprintf("%s %d", p.name, p.day.Year()), Timezone: p.zone,
			Slug:     fmt.Sprintf("%s-%d", strings.ToLower(strings.ReplaceAll(p.name, " ", "-")), p.day.Year()),
			StartsOn: new(p.day.Format(time.DateOnly)), EndsOn: new(last.Format(time.DateOnly)),
		})
		return err
	})
	e.ids, e.minutes = map[models.Family]map[string]string{}, map[string]int{}
	for f, family := range models.Families {
		for i, n := range labels[family] {
			e.at(e.daysAgo(days, 9, 10*f+i), "adding "+n.Name, func(ctx context.Context) error {
				row, err := e.by(e.staff.Beatriz).CreateMetadata(ctx, family, n)
				if err != nil {
					return err
				}
				if e.ids[family] == nil {
					e.ids[family] = map[string]string{}
				}
				e.ids[family][n.Name] = row.ID
				if n.DefaultMinutes != nil {
					e.minutes[n.Name] = *n.DefaultMinutes
				}
				return nil
			})
		}
	}
}

// reread reads the event again, with its counters.
func (e *edition) reread(ctx context.Context) (err error) {
	e.event, err = e.db.EventBy(ctx, e.event.ID)
	return err
}

// row returns the id of a row of metadata. A text that names an unknown one is a bug.
func (e *edition) row(family models.Family, name string) (string, error) {
	id, found := e.ids[family][name]
	if !found {
		return "", fmt.Errorf("there is no %s %q", family.Singular(), name)
	}
	return id, nil
}

// input returns an entry as input for a session.
func (e *edition) input(x *entry, answers models.AnswersInput) (n models.NewSession, err error) {
	n = models.NewSession{Title: x.title}
	n.Description = new(x.description())
	if answers != nil {
		n.CustomFields = &answers
	}
	for _, label := range []struct {
		family models.Family
		name   string
		into   *store.Optional[string]
	}{
		{models.Tracks, x.track, &n.TrackID}, {models.Formats, x.format, &n.FormatID}, {models.Levels, x.level, &n.LevelID},
	} {
		id, err := e.row(label.family, label.name)
		if err != nil {
			return n, err
		}
		*label.into = store.Some(id)
	}
	tags := []string{}
	for _, tag := range x.tags {
		id, err := e.row(models.Tags, tag)
		if err != nil {
			return n, err
		}
		tags = append(tags, id)
	}
	n.TagIDs = &tags
	return n, nil
}

// enter makes the session of an entry, with its people.
func (e *edition) enter(ctx context.Context, p *models.Programme, x *entry, n models.NewSession) (err error) {
	if x.row, err = p.CreateSession(ctx, n); err != nil || len(x.by) == 0 {
		return err
	}
	people, err := e.participations(x)
	if err != nil {
		return err
	}
	x.row, err = p.SetParticipants(ctx, x.row.ID, people)
	return err
}

func (e *edition) participations(x *entry) (people []models.Participation, err error) {
	for _, who := range x.by {
		id, found := e.people[who.name]
		if !found {
			return nil, fmt.Errorf("nobody is called %q", who.name)
		}
		people = append(people, models.Participation{ContactID: id, Role: who.role})
	}
	return people, nil
}

// slot returns when and where an entry takes place, from its text of day, time and room; found is false without one.
func (e *edition) slot(x *entry) (start, end time.Time, room string, found bool) {
	parts := strings.SplitN(x.place, " ", 3)
	if len(parts) < 3 || len(parts[0]) != 1 || parts[0][0] < '1' || parts[0][0] > '9' {
		return start, end, "", false
	}
	at, err := time.Parse("15:04", parts[1])
	if err != nil {
		return start, end, "", false
	}
	year, month, day := e.first.Date()
	start = time.Date(year, month, day+int(parts[0][0]-'1'), at.Hour(), at.Minute(), 0, 0, e.event.Location())
	return start, start.Add(time.Duration(e.minutes[x.format]) * time.Minute), parts[2], true
}

// settle places a session as its entry says.
func (e *edition) settle(ctx context.Context, p *models.Programme, x *entry, s *models.Session) error {
	start, end, room, found := e.slot(x)
	if !found {
		return nil
	}
	id, err := e.row(models.Rooms, room)
	if err != nil {
		return err
	}
	_, err = p.UpdateSession(ctx, s.ID, models.SessionChange{SessionInput: models.SessionInput{
		StartsAt: store.Some(store.At(start)), EndsAt: store.Some(store.At(end)), RoomID: store.Some(id),
	}})
	return err
}

// review has the reviewers of an entry give their reviews, from a day on.
func (e *edition) review(x *entry, from time.Time, each time.Duration) {
	for i, o := range x.opinions {
		at := from.Add(time.Duration(i) * each)
		e.at(at, o.reviewer+" reviewing "+x.title, func(ctx context.Context) error {
			reviewer := e.reviewer(o.reviewer)
			if reviewer == nil {
				return fmt.Errorf("no reviewer is called %q", o.reviewer)
			}
			return e.by(reviewer).GiveReview(ctx, reviewer, x.row.ID, o.Opinion)
		})
	}
}
