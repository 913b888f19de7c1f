package models

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models/store"
)

// Absences are when somebody is away from an event, as the text of their availability says. People write that text
// for people: what is not understood in all its words is left to them.
type Absences struct {
	Away   []Span   // in the order of time, none of which meet
	Unread []string // the parts that were not understood
}

// Absences reads an availability: parts, each on a line or after a comma, semicolon or full stop, of days and times of
// the event's place, such as "Away Friday", "Not before noon on the first day", "20 May from 14:00 to 18:00". Where
// the parts say when somebody is there ("Friday after 11:00, and all of Saturday"), they are away for the rest of the
// event, unless a part was not understood.
func (e *Event) Absences(text string) Absences {
	var a Absences
	var here []Span
	says := false // when they are there
	c := calendar{event: e, zone: e.Location(), days: e.Dates()}
	for _, line := range c.lines(text) {
		isAway := false
		for _, part := range line {
			said, ok := c.read(part.words, isAway)
			isAway = said.isAway
			spans := c.spans(said)
			switch {
			case !ok || len(spans) == 0:
				a.Unread = append(a.Unread, part.text)
			case said.isAway:
				a.Away = append(a.Away, spans...)
			default:
				says, here = true, append(here, spans...)
			}
		}
	}
	if whole, dated := e.whole(); says && dated && len(a.Unread) == 0 {
		a.Away = append(a.Away, without(whole, united(here))...)
	}
	a.Away = united(a.Away)
	return a
}

// availabilityPart is what is read at once.
type availabilityPart struct {
	text  string
	words []string
}

// lines are the parts of a text, together where they share a verb. What follows a comma and has neither a verb nor a day
// belongs to what is before it: "Friday, 9 to 12".
func (c *calendar) lines(text string) (lines [][]availabilityPart) {
	sentences := strings.FieldsFunc(strings.ReplaceAll(text+"\n", ". ", "\n"), func(r rune) bool {
		return r == '\n' || r == ';'
	})
	for _, sentence := range sentences {
		var parts []availabilityPart
		for part := range strings.SplitSeq(sentence, ",") {
			part = strings.Trim(part, " \t\r.")
			words := availabilityWords(part)
			switch n := len(parts); {
			case part == "":
			case n > 0 && !c.opens(words):
				parts[n-1] = availabilityPart{parts[n-1].text + ", " + part, append(parts[n-1].words, words...)}
			default:
				parts = append(parts, availabilityPart{part, words})
			}
		}
		if len(parts) > 0 {
			lines = append(lines, parts)
		}
	}
	return lines
}

// availabilityWords are those of a part, with a dash that stands between two of them as one of its own.
func availabilityWords(part string) (words []string) {
	part = strings.NewReplacer("–", "-", "—", "-", "’", "'", "(", " ", ")", " ").Replace(strings.ToLower(part))
	for _, word := range strings.Fields(part) {
		if _, err := time.Parse(time.DateOnly, word); err == nil {
			words = append(words, word)
			continue
		}
		for i, half := range strings.Split(word, "-") {
			if i > 0 {
				words = append(words, "-")
			}
			if half != "" {
				words = append(words, half)
			}
		}
	}
	return words
}

// whole is the event from its first to its last day.
func (e *Event) whole() (Span, bool) {
	days := e.Dates()
	if len(days) == 0 {
		return Span{}, false
	}
	zone := e.Location()
	return Span{midnight(days[0], 0, zone), midnight(days[len(days)-1], 1, zone)}, true
}

// midnight is when a day of a place begins that comes some days after a date.
func midnight(date string, after int, zone *time.Location) store.Time {
	day, _ := time.Parse(time.DateOnly, date) // it is one of an event's dates
	day = day.AddDate(0, 0, after)
	return startOfDay(day.Year(), day.Month(), day.Day(), zone)
}

// united are the same spans in the order of time, with those as one that have a time or an end in common.
func united(spans []Span) (all []Span) {
	slices.SortFunc(spans, func(a, b Span) int { return a.From.Compare(b.From.Time) })
	for _, s := range spans {
		if n := len(all); n > 0 && !s.From.After(all[n-1].Until.Time) {
			if s.Until.After(all[n-1].Until.Time) {
				all[n-1].Until = s.Until
			}
			continue
		}
		all = append(all, s)
	}
	return all
}

// without is what is left of a span beside others, which are in the order of time.
func without(whole Span, others []Span) (left []Span) {
	for _, s := range others {
		if whole.From.Before(s.From.Time) {
			left = append(left, Span{whole.From, s.From})
		}
		if s.Until.After(whole.From.Time) {
			whole.From = s.Until
		}
	}
	if whole.From.Before(whole.Until.Time) {
		left = append(left, whole)
	}
	return left
}

var clockPattern = regexp.MustCompile(`^(\d{1,2})(?:[:.h](\d{2}))?(am|pm|h)?$`)

// clock is the time of a day that a word names, "" for none: 9, 9:30, 9.30, 9h30, 9am, noon.
func (c *calendar) clock(at int) string {
	word := c.words[at]
	switch word {
	case "noon", "midday":
		return "12:00"
	case "midnight":
		return "24:00"
	}
	found := clockPattern.FindStringSubmatch(word)
	if found == nil {
		return ""
	}
	hour, _ := strconv.Atoi(found[1])
	switch {
	case found[3] == "pm" && hour < 12:
		hour += 12
	case found[3] == "am" && hour == 12:
		hour = 0
	}
	if found[2] == "" {
		found[2] = "00"
	}
	clock := strconv.Itoa(100 + hour)[1:] + ":" + found[2]
	if clock > "24:00" || found[2] > "59" {
		return ""
	}
	return clock
}
