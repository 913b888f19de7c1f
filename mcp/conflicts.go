package mcp

import (
	"context"
	"time"
)

// conflict is a collision as the REST API tells it.
type conflict struct {
	Kind    string    `json:"kind"`
	Name    string    `json:"name"`
	From    *string   `json:"from"`
	Until   *string   `json:"until"`
	Session collider  `json:"session"`
	With    *collider `json:"with"`
}

type collider struct {
	FriendlyID string  `json:"friendly_id"`
	Title      string  `json:"title"`
	StartsAt   *string `json:"starts_at"`
	EndsAt     *string `json:"ends_at"`
	Room       *string `json:"room"`
}

// shortTitle is how many characters of a title a sentence has.
const shortTitle = 60

// conflicts reads a list of collisions and tells each in a sentence.
func (c *call) conflicts(ctx context.Context, path, timezone string) ([]string, error) {
	var found list[conflict]
	if err := c.get(ctx, readSessions, path, &found); err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(timezone)
	if err != nil {
		zone = time.UTC
	}
	said := make([]string, len(found.Results))
	for i, x := range found.Results {
		said[i] = x.sentence(zone)
	}
	return said, nil
}

// sentence is such as: S-3 “Tides” 10:00–10:50: Great Hall also has S-12 “Logs” 10:30–11:20, on 2027-05-28.
func (x *conflict) sentence(zone *time.Location) string {
	during := clock(x.From, zone) + "–" + clock(x.Until, zone)
	what := ""
	switch {
	case x.Kind == "away":
		what = x.Name + " is away " + during
	case x.Kind == "seats":
		what = x.Name + " has fewer seats than are expected"
	case x.With == nil: // a plenary break
		what = "nothing may be beside the break “" + bound(x.Name, shortTitle, "cut") + "” " + during
	case x.Kind == "plenary":
		what = "nothing may be beside one of it and " + x.With.words(zone)
	case x.Kind == "person":
		what = x.Name + " is also in " + x.With.words(zone)
	default:
		what = x.Name + " also has " + x.With.words(zone)
	}
	return x.Session.words(zone) + ": " + what + ", on " + (*local(x.From, zone))[:len(time.DateOnly)]
}

func (s *collider) words(zone *time.Location) string {
	words := s.FriendlyID + " “" + bound(s.Title, shortTitle, "cut") + "” " + clock(s.StartsAt, zone)
	if s.EndsAt != nil {
		words += "–" + clock(s.EndsAt, zone)
	}
	return words
}
