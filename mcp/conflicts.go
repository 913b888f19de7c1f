package mcp

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// conflict is a collision in the REST API's form.
type conflict struct {
	Kind    string    `json:"kind"`
	ID      string    `json:"id"` // of the room, person, plenary session or break
	Name    string    `json:"name"`
	From    string    `json:"from"`
	Until   string    `json:"until"`
	Session collider  `json:"session"`
	With    *collider `json:"with"`
}

type collider struct {
	ID         string  `json:"id"`
	FriendlyID string  `json:"friendly_id"`
	Title      string  `json:"title"`
	StartsAt   *string `json:"starts_at"`
	EndsAt     *string `json:"ends_at"`
	Room       *string `json:"room"`
}

// shortTitle is how many characters of a title appear in a sentence.
const shortTitle = 60

// conflicts reads a list of collisions, and returns a sentence for each and their total number. whole names the session
// and the day too, for the conflicts of the whole event.
func (c *call) conflicts(ctx context.Context, a *arguments, path, timezone string, whole bool) ([]string, int, error) {
	var found list[conflict]
	if err := c.get(ctx, a, readSessions, path, &found); err != nil {
		return nil, 0, err
	}
	zone, err := time.LoadLocation(timezone)
	if err != nil {
		zone = time.UTC
	}
	said := make([]string, len(found.Results))
	for i, x := range found.Results {
		said[i] = x.sentence(zone)
		if whole {
			said[i] = x.Session.words(zone) + ": " + said[i] + ", on " + date(&x.From, zone)
		}
	}
	return said, found.Pagination.TotalResults, nil
}

// sentence describes a conflict, such as: Great Hall also has S-12 “Logs” 10:30–11:20.
func (x *conflict) sentence(zone *time.Location) string {
	name, during := bound(x.Name, shortTitle, "cut"), clock(&x.From, zone)+"–"+clock(&x.Until, zone)
	switch {
	case x.Kind == "away":
		return name + " is away"
	case x.Kind == "seats":
		return name + " has fewer seats than are expected"
	case x.With == nil: // a plenary break
		return "nothing may be beside the break “" + name + "” " + during
	case x.Kind == "plenary" && x.ID == x.With.ID:
		return "nothing may be beside " + x.With.words(zone)
	case x.Kind == "plenary":
		return "nothing may be beside it, and at the same time is " + x.With.words(zone)
	case x.Kind == "person":
		return name + " is also in " + x.With.words(zone)
	}
	return name + " also has " + x.With.words(zone)
}

// fewParties is how many conflicts a row of a list shows at most, and pageOfParties how many all rows of a page show
// together, beyond one each, so that a page of 25 rows stays below 3,000 tokens.
const fewParties, pageOfParties = 3, 25

// pagesOfConflicts is how many pages of an event's conflicts are read to find those of some sessions.
const pagesOfConflicts = 5

// parties returns, for the label of each session with conflicts of a kind, who and which other sessions are in them.
// isAll is false if there were more pages of conflicts than are read.
func (c *call) parties(ctx context.Context, a *arguments, kind string) (told map[string][]string, isAll bool, err error) {
	told, isAll = map[string][]string{}, true
	for number, last := 1, 1; number <= last; number++ {
		var page list[conflict]
		if err := c.get(ctx, a, readSessions, fmt.Sprintf("/conflicts?pageSize=100&page=%d", number), &page); err != nil {
			return nil, false, err
		}
		for _, x := range page.Results {
			if x.Kind == kind {
				told[x.Session.FriendlyID] = append(told[x.Session.FriendlyID], x.party(x.With))
			}
			if x.Kind == kind && x.With != nil {
				told[x.With.FriendlyID] = append(told[x.With.FriendlyID], x.party(&x.Session))
			}
		}
		last, isAll = min(page.Pagination.TotalPages, pagesOfConflicts), page.Pagination.TotalPages <= pagesOfConflicts
	}
	return told, isAll, nil
}

// party returns what a row does not show of a conflict: the person who is away or taken twice, what is plenary, and the
// other session.
func (x *conflict) party(other *collider) string {
	name := bound(x.Name, shortTitle, "cut")
	switch {
	case x.Kind == "away":
		return name + " is away"
	case other == nil:
		return name
	case x.Kind == "person":
		return name + ": " + other.FriendlyID
	}
	return other.FriendlyID
}

// sayParties adds to rows of sessions the people and sessions they conflict with, if the search is for conflicts of a
// kind.
func (c *call) sayParties(ctx context.Context, a *arguments, out *list[foundRow]) {
	kind := a.text("needs")
	if !slices.Contains(conflictNeeds, kind) || len(out.Results) == 0 {
		return
	}
	told, isAll, err := c.parties(ctx, a, kind)
	if err != nil {
		out.say("With what they are in conflict could not be read now; get_submission tells it of each.")
		return
	}
	most := min(fewParties, max(1, pageOfParties/len(out.Results)))
	for i := range out.Results {
		all := told[out.Results[i].FriendlyID]
		out.Results[i].Conflicts = andMore(all[:min(len(all), most)], len(all))
	}
	if !isAll {
		out.say("There are too many conflicts to tell them all here; get_submission tells those of a session.")
	}
}

func (s *collider) words(zone *time.Location) string {
	words := s.FriendlyID + " “" + bound(s.Title, shortTitle, "cut") + "” " + clock(s.StartsAt, zone)
	if s.EndsAt != nil {
		words += "–" + clock(s.EndsAt, zone)
	}
	return words
}
