package models

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models/store"
)

// availability is what one part of a text says: on these days, or on each where none is named, between these times.
type availability struct {
	isAway      bool
	days        []string
	from, until bound
}

// bound is where a part begins or ends: at a time of each of its days, or on one day for all.
type bound struct {
	day   string // "" for each
	clock string // 14:30; "" for the beginning or the end of the day
	after bool   // the day is not part of it
}

// calendar reads words by the days of an event.
type calendar struct {
	event *Event
	zone  *time.Location
	days  []string
	words []string
}

var (
	awayWords = []string{"away", "not", "unavailable", "absent", "cannot", "can't", "isn't", "gone", "except", "no"}
	hereWords = []string{"available", "only", "free", "there", "here", "present"}
	fillWords = []string{"on", "the", "of", "all", "whole", "entire", "at", "and", "day", "days", "every", "each", "both",
		"i", "am", "is", "i'm", "daily", "o'clock"}
	fromWords  = []string{"from", "after", "since", "between", "starting"}
	untilWords = []string{"until", "till", "before", "by", "to", "-", "through"}
	partsOfDay = map[string][2]string{"morning": {"", "12:00"}, "afternoon": {"12:00", "18:00"}, "evening": {"18:00", ""}}
)

// read tells what words say, and whether all of them were understood. Without a verb they go on with the one before.
func (c *calendar) read(words []string, isAway bool) (a availability, ok bool) {
	a.isAway, c.words = isAway, words
	said, verb := false, false
	for len(c.words) > 0 {
		word := c.words[0]
		switch {
		case slices.Contains(awayWords, word):
			a.isAway, said, verb = true, true, true
			c.words = c.words[1:]
		case slices.Contains(hereWords, word):
			a.isAway, verb = said, true // "not available"
			c.words = c.words[1:]
		case c.takesDay(&a), c.takesBound(&a), c.takesPart(&a):
		case slices.Contains(fillWords, word):
			c.words = c.words[1:]
		default:
			return a, false
		}
	}
	return a, verb || len(a.days) > 0 || a.from != bound{} || a.until != bound{}
}

// opens tells whether words have a verb or a day.
func (c *calendar) opens(words []string) bool {
	for i, word := range words {
		c.words = words[i:]
		if slices.Contains(awayWords, word) || slices.Contains(hereWords, word) || len(c.day()) > 0 {
			return true
		}
	}
	return false
}

// takesDay takes one or more days, or times with a dash between them.
func (c *calendar) takesDay(a *availability) bool {
	if days := c.day(); len(days) > 0 {
		a.days = append(a.days, days...)
		return true
	}
	// 9-12, or 9:00 to 12:00: a time alone says nothing.
	if from := c.clock(0); from != "" && len(c.words) > 2 && slices.Contains(untilWords, c.words[1]) {
		if until := c.clock(2); until != "" {
			a.from.clock, a.until.clock = from, until
			c.words = c.words[3:]
			return true
		}
	}
	return false
}

// takesBound takes "after 11:00", "until Friday", "from Thursday 14:00", "to Saturday".
func (c *calendar) takesBound(a *availability) bool {
	word, kept := c.words[0], c.words
	between := word == "and" && a.from.clock != "" && a.until.clock == ""
	starts := slices.Contains(fromWords, word)
	if !starts && !between && !slices.Contains(untilWords, word) {
		return false
	}
	b := c.bound(!between)
	switch {
	case b == bound{}:
		c.words = kept
		return false
	case starts:
		a.from = b
	case b.day != "" && len(a.days) > 0 && a.from.day == "": // Thursday to Saturday
		a.from.day, a.days, a.until = a.days[len(a.days)-1], nil, b
	default:
		a.until = b
	}
	return true
}

// bound takes what follows a word such as "until": a day, where it may be one, and a time of it.
func (c *calendar) bound(daysToo bool) (b bound) {
	word := c.words[0]
	c.words = c.words[1:]
	for len(c.words) > 0 && slices.Contains([]string{"the", "at", "on"}, c.words[0]) {
		c.words = c.words[1:]
	}
	if daysToo {
		if days := c.day(); len(days) > 0 {
			b.day, b.after = days[0], slices.Contains([]string{"after", "before", "until", "till"}, word)
		}
	}
	if len(c.words) > 0 {
		if b.clock = c.clock(0); b.clock != "" {
			c.words, b.after = c.words[1:], false
		}
	}
	return b
}

// takesPart takes a part of the day.
func (c *calendar) takesPart(a *availability) bool {
	part, known := partsOfDay[strings.TrimSuffix(c.words[0], "s")]
	if known {
		a.from.clock, a.until.clock = part[0], part[1]
		c.words = c.words[1:]
	}
	return known
}

// day takes the next day if there is one, or all days of that weekday.
func (c *calendar) day() (days []string) {
	if len(c.words) == 0 {
		return nil
	}
	word := c.words[0]
	if _, err := time.Parse(time.DateOnly, word); err == nil {
		c.words = c.words[1:]
		return []string{word}
	}
	if day := c.dayOfTwo(); day != "" {
		c.words = c.words[2:]
		return []string{day}
	}
	for _, day := range c.days {
		date, _ := time.Parse(time.DateOnly, day) // as Dates made it
		if name := strings.ToLower(date.Weekday().String()); len(word) >= 3 && strings.HasPrefix(name+"s", word) {
			days = append(days, day)
		}
	}
	if len(days) > 0 {
		c.words = c.words[1:]
	}
	return days
}

// dayOfTwo is the day that the next two words name, "" for none: "first day", "day 2", "20 May", "May 20th".
func (c *calendar) dayOfTwo() string {
	count := len(c.days)
	if len(c.words) < 2 || count == 0 {
		return ""
	}
	word, next := c.words[0], c.words[1]
	number, _ := strconv.Atoi(strings.TrimRight(word, "stndrh"))
	ordinal, _ := strconv.Atoi(strings.TrimRight(next, "stndrh"))
	switch {
	case word == "first" && next == "day":
		return c.days[0]
	case word == "last" && next == "day":
		return c.days[count-1]
	case word == "day" && ordinal >= 1 && ordinal <= count:
		return c.days[ordinal-1]
	case number > 0 && month(next) != 0:
		return c.date(number, month(next))
	case ordinal > 0 && month(word) != 0:
		return c.date(ordinal, month(word))
	}
	return ""
}

// month is the one that a word names in full or by at least three letters, 0 for none.
func month(word string) time.Month {
	for m := time.January; m <= time.December; m++ {
		if len(word) >= 3 && strings.HasPrefix(strings.ToLower(m.String()), word) {
			return m
		}
	}
	return 0
}

// date is the day in the year of the event; the year may follow it.
func (c *calendar) date(day int, month time.Month) string {
	first, _ := time.Parse(time.DateOnly, c.days[0])
	date := time.Date(first.Year(), month, day, 0, 0, 0, 0, time.UTC)
	if date.Before(first) && first.Month() == time.December {
		date = date.AddDate(1, 0, 0)
	}
	if len(c.words) > 2 && c.words[2] == strconv.Itoa(date.Year()) {
		c.words = append(c.words[:2:2], c.words[3:]...)
	}
	return date.Format(time.DateOnly)
}

// spans are the times that a part is about, none where it names no day.
func (c *calendar) spans(a availability) (spans []Span) {
	if a.from.day != "" || a.until.day != "" {
		return c.through(a)
	}
	days := a.days
	if len(days) == 0 {
		days = c.days
	}
	for _, day := range days {
		span := Span{c.at(day, a.from.clock, 0), c.at(day, a.until.clock, 1)}
		if span.From.Before(span.Until.Time) {
			spans = append(spans, span)
		}
	}
	return spans
}

// through is from one day to another, with all days between them.
func (c *calendar) through(a availability) []Span {
	whole, dated := c.event.whole()
	if !dated || len(a.days) > 0 {
		return nil
	}
	if from := a.from; from.day != "" {
		whole.From = c.at(from.day, from.clock, 0)
		if from.after {
			whole.From = c.at(from.day, "", 1)
		}
	} else if from.clock != "" {
		return nil
	}
	if until := a.until; until.day != "" {
		whole.Until = c.at(until.day, until.clock, 1)
		if until.after && a.isAway { // who is away until Friday is back on Friday
			whole.Until = c.at(until.day, "", 0)
		}
	} else if until.clock != "" {
		whole.Until = c.at(a.from.day, until.clock, 0)
	}
	if !whole.From.Before(whole.Until.Time) {
		return nil
	}
	return []Span{whole}
}

// at is a time of a day, or so many midnights after its beginning.
func (c *calendar) at(day, clock string, midnights int) store.Time {
	if clock == "" {
		return midnight(day, midnights, c.zone)
	}
	if clock == "24:00" {
		return midnight(day, 1, c.zone)
	}
	moment, _ := time.ParseInLocation("2006-01-02 15:04", day+" "+clock, c.zone) // both were read before
	return store.At(moment)
}
