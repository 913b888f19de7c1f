package sheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dates are the layouts of unambiguous dates.
var dates = []string{"2006-1-2", "2006/1/2", "2006.1.2", "2.1.2006", "2.1.06", "2 January 2006", "2 Jan 2006",
	"2. January 2006", "January 2 2006", "Jan 2 2006", "2-Jan-2006", "2-Jan-06"}

// slashed are the layouts of dates with slashes, by whether the day comes first.
var slashed = map[bool][]string{true: {"2/1/2006", "2/1/06", "2-1-2006"}, false: {"1/2/2006", "1/2/06", "1-2-2006"}}

// clocks are the layouts of times of day.
var clocks = []string{"15:04", "15:04:05", "15.04", "15H04", "15H", "3:04PM", "3PM", "3:04:05PM"}

// halves joins AM and PM to the time, so that a time of day is one word.
var halves = strings.NewReplacer(" AM", "AM", " PM", "PM", " am", "AM", " pm", "PM", " a.m.", "AM", " p.m.", "PM")

// calendar parses the dates and times of a table.
type calendar struct {
	zone *time.Location
	// dayFirst says how dates with slashes are read; isSure that a date of the table proves it.
	dayFirst, isSure bool
}

// learn finds out from all dates of a table whether the day comes first: no month is above 12.
func (c *calendar) learn(cells []string) {
	for _, cell := range cells {
		day, _ := parted(cell)
		parts := strings.FieldsFunc(day, func(r rune) bool { return r == '/' || r == '-' })
		if len(parts) != 3 || len(parts[0]) > 2 {
			continue
		}
		first, err := strconv.Atoi(parts[0])
		second, err2 := strconv.Atoi(parts[1])
		if err == nil && err2 == nil && (first > 12) != (second > 12) {
			c.dayFirst, c.isSure = first > 12, true
		}
	}
}

// parted splits a cell into its date and its time of day, each "" if missing.
func parted(cell string) (day, clock string) {
	cell = halves.Replace(strings.Join(strings.Fields(strings.ReplaceAll(cell, ",", " ")), " "))
	if at := strings.IndexAny(cell, "T"); at == len("2006-01-02") && cell[4] == '-' {
		return cell[:at], cell[at+1:]
	}
	words := strings.Split(cell, " ")
	from := len(words)
	for i, word := range words {
		if _, is := timeOfDay(word); is {
			from = i
			break
		}
	}
	day = strings.Join(words[:from], " ")
	if before, rest, is := strings.Cut(day, " "); is && isWeekday(before) {
		day = rest
	}
	return day, strings.TrimSuffix(strings.Join(words[from:], " "), " Uhr")
}

func isWeekday(word string) bool {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if len(word) >= 2 && strings.HasPrefix(strings.ToLower(day.String()), strings.ToLower(strings.TrimRight(word, "."))) {
			return true
		}
	}
	return false
}

// date parses a date.
func (c *calendar) date(cell string) (time.Time, error) {
	if serial, err := strconv.ParseFloat(cell, 64); err == nil && isSerial(serial) {
		return day(int(serial)), nil
	}
	for _, layout := range dates {
		if at, err := time.Parse(layout, cell); err == nil {
			return at, nil
		}
	}
	var read []time.Time
	for _, first := range []bool{true, false} {
		if c.isSure && c.dayFirst != first {
			continue
		}
		for _, layout := range slashed[first] {
			if at, err := time.Parse(layout, cell); err == nil && !slices.ContainsFunc(read, at.Equal) {
				read = append(read, at)
			}
		}
	}
	switch len(read) {
	case 0:
		return time.Time{}, fmt.Errorf("“%s” is no date. Write it as 2027-05-20", cell)
	case 1:
		return read[0], nil
	}
	return time.Time{}, fmt.Errorf("“%s” may be %s or %s. Write it as 2027-05-20", cell, read[0].Format("2 January"),
		read[1].Format("2 January"))
}

// isSerial reports whether a number is a plausible date of a spreadsheet, from 1954 to 2119.
func isSerial(n float64) bool { return n >= 20_000 && n < 80_000 }

// day converts a spreadsheet's day number, which counts a 29 February 1900.
func day(serial int) time.Time {
	return time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, serial)
}

// timeOfDay parses a time of day, as the duration since midnight.
func timeOfDay(cell string) (time.Duration, bool) {
	if part, err := strconv.ParseFloat(cell, 64); err == nil && part > 0 && part < 1 {
		return time.Duration(part*24*60+0.5) * time.Minute, true
	}
	for _, layout := range clocks {
		if at, err := time.Parse(layout, strings.ToUpper(cell)); err == nil {
			return at.Sub(at.Truncate(24 * time.Hour)), true
		}
	}
	return 0, false
}

// moment parses a moment. A cell without a date is on the day on; hasDay tells whether it had one.
func (c *calendar) moment(cell string, on time.Time) (at time.Time, hasDay bool, err error) {
	if serial, err := strconv.ParseFloat(cell, 64); err == nil && isSerial(serial) {
		minutes := int((serial-float64(int(serial)))*24*60 + 0.5)
		at, err = c.at(day(int(serial)), time.Duration(minutes)*time.Minute)
		return at, true, err
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if at, err := time.Parse(layout, cell); err == nil {
			return at, true, nil
		}
	}
	date, clock := parted(cell)
	if date != "" {
		if on, err = c.date(date); err != nil {
			return at, false, err
		}
	} else if on.IsZero() {
		return at, false, fmt.Errorf("“%s” has no day", cell)
	}
	if clock == "" {
		return at, false, fmt.Errorf("“%s” has no time of day. Write it as 09:30", cell)
	}
	sinceMidnight, is := timeOfDay(clock)
	if !is {
		return at, false, fmt.Errorf("“%s” is no time of day. Write it as 09:30", clock)
	}
	at, err = c.at(on, sinceMidnight)
	return at, date != "", err
}

// at returns a time of day on the event's clock, or an error for one that a change of clocks skips.
func (c *calendar) at(on time.Time, sinceMidnight time.Duration) (time.Time, error) {
	minutes := int(sinceMidnight / time.Minute)
	at := time.Date(on.Year(), on.Month(), on.Day(), minutes/60, minutes%60, 0, 0, c.zone)
	if at.Hour() != minutes/60%24 || at.Minute() != minutes%60 {
		return at, fmt.Errorf("%02d:%02d is not there on %s, when the clocks go forward", minutes/60, minutes%60,
			on.Format("2 January 2006"))
	}
	return at, nil
}

// hourly replaces the separators behind hours by h.
var hourly = strings.NewReplacer("hours", "h", "hour", "h", "std", "h", ":", "h")

// minutesIn parses a length: 45, 45 min, 1:30, 1h30, 00:45:00.
func minutesIn(cell string) (int, error) {
	text := strings.ToLower(strings.ReplaceAll(cell, " ", ""))
	for _, unit := range []string{"minutes", "minuten", "minutos", "mins", "min", "m", "'"} {
		if short, is := strings.CutSuffix(text, unit); is && !strings.Contains(short, "h") {
			text = short
			break
		}
	}
	if n, err := strconv.Atoi(strings.TrimSuffix(text, ".0")); err == nil && n >= 0 && n <= 24*60 { // 0 means none
		return n, nil
	}
	if hours, rest, is := strings.Cut(hourly.Replace(text), "h"); is {
		rest, _, _ = strings.Cut(strings.Trim(rest, "min"), "h") // drops seconds
		h, err := strconv.Atoi(hours)
		m := 0
		if rest != "" && err == nil {
			m, err = strconv.Atoi(rest)
		}
		if n := 60*h + m; err == nil && n > 0 && n <= 24*60 {
			return n, nil
		}
	}
	return 0, fmt.Errorf("“%s” is no length in minutes", cell)
}
