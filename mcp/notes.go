package mcp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// sayMore adds a note on the next page, or on the last one if the page is beyond it.
func (l *list[T]) sayMore() {
	switch p := l.Pagination; {
	case p.CurrentPage < p.TotalPages:
		l.say(fmt.Sprintf("Page %d of %d; page %d goes on.", p.CurrentPage, p.TotalPages, p.CurrentPage+1))
	case p.CurrentPage > p.TotalPages && p.TotalResults > 0:
		l.say(fmt.Sprintf("The last page is %d.", p.TotalPages))
	}
}

// sayHolds adds the meaning of each held_by word in the rows, once.
func (l *list[T]) sayHolds(sessions []session) {
	said := map[string]bool{}
	for _, s := range sessions {
		if s.Gate != nil && !s.IsAbstract && len(s.Gate.Reasons) == 0 && !said[""] {
			l.say("Nothing holds those without held_by; nobody has published them yet.")
			said[""] = true
		}
		for i, hold := range s.holds() {
			if !said[hold] {
				l.say("held_by " + hold + ": " + s.Gate.Reasons[i].Message)
			}
			said[hold] = true
		}
	}
}

// kindOfRow is the kind of row in a list, and the tool for the other kind.
type kindOfRow struct{ name, others string }

var (
	sessionRows    = kindOfRow{"session of the programme", "list_submissions"}
	submissionRows = kindOfRow{"submission", "search_schedule"}
)

// nothingNote explains an empty search: its filters, whether the day is the cause, and where else the words are found.
// day is "" if none is given.
func (c *call) nothingNote(ctx context.Context, a *arguments, of kindOfRow, day string) string {
	filters, onDay := a.filters(), c.noSessionOn(ctx, a, day)
	if len(filters) == 0 || len(filters) == 1 && onDay != "" {
		return onDay
	}
	words := fmt.Sprintf("No %s matches with the filter %s.", of.name, filters[0])
	if len(filters) > 1 {
		words = fmt.Sprintf("No %s matches with the filters %s together.", of.name, enumerate(filters))
	}
	switch labelled := c.labelledNote(ctx, a, a.text("text")); {
	case labelled != "":
		words += " " + labelled
	case slices.Contains(filters, "text"):
		words = strings.TrimSpace(words+" "+c.nearText(ctx, a)) + " Try fewer words, or " + of.others + "; search_speakers finds people by company or e-mail."
	case slices.Contains(filters, "speaker"):
		words += " Try " + of.others + ", or a part of the name in search_speakers, which tells each one's sessions. " +
			c.nearPeople(ctx, a, a.text("speaker"))
	}
	return strings.TrimSpace(strings.TrimSpace(words) + " " + onDay)
}

// labelledNote says what has a label that no row of a search has; "" for any other text, and if that cannot be read.
func (c *call) labelledNote(ctx context.Context, a *arguments, label string) string {
	if !labelForm.MatchString(label) {
		return ""
	}
	var s session
	err := c.get(ctx, a, readSessions, "/sessions/"+label, &s)
	if e, refused := err.(*toolError); refused && e.Status == http.StatusNotFound {
		return "Nothing here has the label " + label + "."
	}
	if err != nil {
		return ""
	}
	switch into := s.composedInto(); {
	case s.DeletedAt != nil:
		return s.FriendlyID + " is deleted; get_submission still reads it."
	case into != "":
		return s.FriendlyID + " is a submission that is composed into " + into + "."
	case s.IsAbstract:
		return s.FriendlyID + " is a submission; get_submission reads it."
	}
	return s.FriendlyID + " is a session of the programme; get_submission reads it."
}

// noFilters are the arguments of searches that exclude nothing.
var noFilters = []string{"event_id", "limit", "page", "count_by"}

// filters returns the names of the given arguments that narrow a search.
func (a *arguments) filters() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(a.values)), func(name string) bool {
		given := a.values[name]
		several, isList := given.([]any)
		text, isText := given.(string)
		return slices.Contains(noFilters, name) || given == nil || isList && len(several) == 0 ||
			isText && strings.TrimSpace(text) == ""
	})
}

// blank says which filters are given but empty.
func (a *arguments) blank() string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(a.values)), func(name string) bool {
		text, isText := a.values[name].(string)
		return slices.Contains(noFilters, name) || !isText || strings.TrimSpace(text) != ""
	})
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is empty, so it leaves nothing out."
	}
	return enumerate(names) + " are empty, so they leave nothing out."
}

// days returns the event's overview, with the sessions that start on each day; nil if it cannot be read.
func (c *call) days(ctx context.Context, a *arguments) *overview {
	var o overview
	if c.get(ctx, a, readSessions, "/overview", &o) != nil {
		return nil
	}
	return &o
}

// noSessionOn says, if no session starts on a day, on which days some do; "" otherwise.
func (c *call) noSessionOn(ctx context.Context, a *arguments, day string) string {
	if day == "" {
		return ""
	}
	return c.days(ctx, a).without(day, 0)
}

// outsideNote says, if a day is not one of the event's, which days are; "" otherwise. If staff set none, the event's
// days are those on which sessions start, not counting the number placed on this day just now.
func (c *call) outsideNote(ctx context.Context, a *arguments, day string, placed int) string {
	o := c.days(ctx, a)
	switch {
	case o == nil || len(o.Days) == 0:
	case o.StartsOn != "" && (day < o.StartsOn || day > cmp.Or(o.EndsOn, o.StartsOn)):
		return day + " is outside the event, which is " + o.dates() + "."
	case o.StartsOn == "":
		return o.without(day, placed)
	}
	return ""
}

// without says that no session starts on a day, besides the number just placed there, and on which days some do.
func (o *overview) without(day string, placed int) string {
	if o == nil {
		return ""
	}
	var days []string
	for _, d := range o.Days {
		switch {
		case d.Day == day && d.Sessions > placed:
			return ""
		case d.Day != day && d.Sessions > 0:
			days = append(days, d.Day)
		}
	}
	other := ""
	if placed > 0 {
		other = "other "
	}
	switch n := len(days); {
	case n == 0 && placed > 0: // the one just placed is the first
		return ""
	case n == 0 && o.StartsOn != "":
		return "No session has a start yet; the event is " + o.dates() + "."
	case n == 0:
		return "No session has a start yet."
	case n > maxDays:
		return fmt.Sprintf("No %ssession starts on %s; sessions start on %d days from %s to %s.", other, day, n, days[0],
			days[n-1])
	}
	return fmt.Sprintf("No %ssession starts on %s; sessions start on %s.", other, day, enumerate(days))
}

// maxDays is how many days are listed.
const maxDays = 14

// dates returns the event's dates, such as: on 2027-05-15.
func (o *overview) dates() string {
	if o.EndsOn == "" || o.EndsOn == o.StartsOn {
		return "on " + o.StartsOn
	}
	return "from " + o.StartsOn + " to " + o.EndsOn
}

// enumerate joins words with commas and "and".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
