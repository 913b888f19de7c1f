package demo

import (
	"context"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/people"
)

// ownFields are the organization's own fields of people.
var ownFields = []people.OwnFieldInput{
	{Label: "Pronouns", Type: field.Text},
	{Label: "Speaks", Type: field.Choices,
		Options: []string{"English", "Portuguese", "French", "German", "Hebrew", "Ukrainian"}},
	{Label: "T-shirt", Type: field.Choice, Options: []string{"XS", "S", "M", "L", "XL"}},
	{Label: "Would mentor", Type: field.YesNo, Help: "Takes a first-time speaker by the hand."},
	{Label: "Known since", Type: field.Date},
}

// welcomed is what is known of a person: status, travel, and own fields by label.
type welcomed struct {
	number int // index in crew
	status string
	part   map[string]string // fields at the event; day1 stands for the first day, day0 for the day before
	own    map[string]string
	note   string
}

var welcome = []welcomed{
	{0, models.Confirmed, map[string]string{"arrival_details": "Lives in Lisbon"},
		map[string]string{"Pronouns": "she, her", "Speaks": "Portuguese; English", "T-shirt": "M", "Would mentor": "yes",
			"Known since": "2022-03-01"}, ""},
	{1, models.Confirmed, map[string]string{"arrival": "day0T22:40:00Z", "departure": "day2T18:00:00Z",
		"hotel": "Pensão do Cais, three nights", "away": "day1 00:00-12:00",
		"availability": "Slow before noon on the other days."}, map[string]string{"T-shirt": "S"}, "Lands late; the night porter knows."},
	{2, models.Invited, nil, map[string]string{"T-shirt": "L"}, ""},
	{8, models.Confirmed, map[string]string{"arrival": "day0T13:20:00Z", "hotel": "Pensão do Cais",
		"dietary": "No shellfish"},
		map[string]string{"Would mentor": "yes", "Known since": "2024-06-11"}, ""},
	{9, models.Confirmed, nil, map[string]string{"Speaks": "English", "Would mentor": "no"}, ""},
	{10, models.Invited, nil, nil, ""},
	{13, models.Confirmed, map[string]string{"arrival": "day0T13:20:00Z", "arrival_details": "TP 282 from Maputo", "departure": "day2T17:30:00Z",
		"hotel":   "Pensão do Cais, two nights paid by us, two by her",
		"dietary": "No shellfish", "access": "Step-free stage. Hears better on the left.",
		"away": "day1 18:00-24:00; day2 09:00-11:00", "availability": "Best in the afternoon."},
		map[string]string{"Pronouns": "she, her", "Speaks": "English", "T-shirt": "M", "Would mentor": "yes",
			"Known since": "2023-02-17"},
		"Brings her own adding machine, 9 kg. Customs papers are with the travel desk."},
	{20, models.StatusWithdrawn, nil, nil, "Wrote that the boat comes first this year."},
	{24, models.Confirmed, nil, map[string]string{"Would mentor": "yes"}, ""},
	{27, models.Invited, nil, nil, ""},
	{46, models.StatusDeclined, nil, nil, ""},
	{51, models.Prospect, nil, nil, ""},
}

// welcomePeople has the staff define own fields, note how people travel, and save segments.
func (s *story) welcomePeople(e *edition) {
	keys := map[string]string{}
	s.at(s.daysAgo(57, 9, 0), "defining fields of people", func(ctx context.Context) error {
		d := s.db.Directory(s.staff.Owner.OrganizationID, as(s.staff.Owner))
		for _, in := range ownFields {
			f, err := people.In(d).AddOwnField(ctx, in)
			if err != nil {
				return err
			}
			keys[f.Label] = f.Key
		}
		return nil
	})
	for i, w := range welcome {
		s.at(s.daysAgo(4, 10, 5*i), "welcoming "+nameOf(w.number), func(ctx context.Context) error {
			p, id := e.by(s.staff.Beatriz), s.people[nameOf(w.number)]
			days := p.Event().Dates()
			first, err := time.Parse(time.DateOnly, days[0])
			if err != nil {
				return err
			}
			dated := strings.NewReplacer("day0", first.AddDate(0, 0, -1).Format(time.DateOnly), "day1", days[0], "day2", days[1])
			c := people.Change{Values: map[string]string{"workflow_status": w.status}}
			for name, value := range w.part {
				c.Values[name] = dated.Replace(value)
			}
			for label, value := range w.own {
				c.Values[keys[label]] = value
			}
			if _, err := people.In(p.Directory()).Update(ctx, id, c); err != nil || w.note == "" {
				return err
			}
			_, err = people.Of(p).AddContactNote(ctx, id, w.note)
			return err
		})
	}
	s.at(s.daysAgo(3, 16, 0), "keeping segments", func(ctx context.Context) error {
		keeper := people.Keeper{UserID: s.staff.Beatriz.ID, Team: true}
		all := s.db.Directory(s.staff.Owner.OrganizationID, as(s.staff.Beatriz))
		mentors := "own_" + keys["Would mentor"]
		for _, kept := range []struct {
			list *models.Directory
			in   people.SegmentInput
		}{
			{e.by(s.staff.Beatriz).Directory(), people.SegmentInput{Name: "Confirmed, travel missing", IsShared: true,
				Query: "who=all&status=confirmed&missing=travel&columns=workflow_status,sessions,travel,email"}},
			{e.by(s.staff.Beatriz).Directory(), people.SegmentInput{Name: "Mentors", IsShared: true,
				Query: "who=all&" + mentors + "=is:yes"}},
			{all, people.SegmentInput{Name: "Came before", IsShared: true, Query: "returning=speakers"}},
			{all, people.SegmentInput{Name: "No e-mail", IsShared: true, Query: "missing=email"}},
		} {
			if _, err := people.In(kept.list).AddSegment(ctx, keeper, kept.in); err != nil {
				return err
			}
		}
		return nil
	})
}
