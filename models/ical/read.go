package ical

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxBytes is the maximum size of a calendar that is read.
const maxBytes = 20 << 20

// These are further limits.
const (
	maxLine       = 1 << 20 // of an unfolded line, in bytes
	maxEntries    = 50_000
	maxCategories = 100 // per entry; others are dropped
)

// Read reads a calendar. Times without a zone are in the given one. An entry whose times cannot be read has a Fault;
// components other than VEVENT are left out.
func Read(src io.Reader, zone *time.Location) (*Calendar, error) {
	file, err := io.ReadAll(io.LimitReader(src, maxBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(file) > maxBytes:
		return nil, fmt.Errorf("the calendar is larger than %d MB", maxBytes>>20)
	}
	r := reader{calendar: &Calendar{Zone: zone}, zones: map[string]*time.Location{}}
	lines := bufio.NewScanner(bytes.NewReader(unfold(bytes.ToValidUTF8(file, []byte("\uFFFD")))))
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if text := strings.TrimRight(strings.TrimPrefix(lines.Text(), "\ufeff"), "\r"); text != "" {
			if err := r.line(text); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case lines.Err() != nil:
		return nil, fmt.Errorf("a line of the calendar is longer than %d MB", maxLine>>20)
	case !r.isCalendar:
		return nil, errNoCalendar
	case len(r.within) > 0:
		return nil, errors.New("the calendar is cut short: its end is missing")
	}
	return r.calendar, nil
}

var errNoCalendar = errors.New("this is no calendar: it does not begin with BEGIN:VCALENDAR")

// unfold joins folded lines.
func unfold(file []byte) []byte {
	for _, fold := range []string{"\r\n ", "\r\n\t", "\n ", "\n\t"} {
		file = bytes.ReplaceAll(file, []byte(fold), nil)
	}
	return file
}

type reader struct {
	calendar   *Calendar
	isCalendar bool
	within     []string // the components around the current line
	props      map[string]property
	categories []string
	zones      map[string]*time.Location // by the names that the file uses
}

// property is a line of a component, without its name.
type property struct {
	params map[string]string
	value  string
}

// maxDepth is how deep components may be nested: an alarm is within an event within a calendar.
const maxDepth = 8

func (r *reader) line(text string) error {
	name, p, is := parted(text)
	switch {
	case name == "BEGIN" && strings.EqualFold(p.value, "VCALENDAR"):
		r.isCalendar = true
	case !r.isCalendar:
		return errNoCalendar
	}
	switch {
	case !is: // somebody's own idea of a line
	case name == "BEGIN":
		if len(r.within) == maxDepth {
			return errors.New("the calendar has components within components without end")
		}
		r.within = append(r.within, strings.ToUpper(p.value))
		if r.in("VEVENT") {
			r.props, r.categories = map[string]property{}, nil
		}
	case name == "END":
		if !r.in(strings.ToUpper(p.value)) {
			return fmt.Errorf("the calendar is broken: END:%.40s ends nothing", p.value)
		}
		if r.in("VEVENT") {
			if len(r.calendar.Entries) == maxEntries {
				return fmt.Errorf("the calendar has more than %d entries", maxEntries)
			}
			r.calendar.Entries = append(r.calendar.Entries, r.entry())
		}
		r.within = r.within[:len(r.within)-1]
	default:
		r.keep(name, p)
	}
	return nil
}

// keep stores a property of the calendar or of an event.
func (r *reader) keep(name string, p property) {
	switch {
	case r.in("VCALENDAR") && (name == "NAME" || name == "X-WR-CALNAME"):
		r.calendar.Name = p.text()
	case r.in("VEVENT") && name == "CATEGORIES":
		r.categories = p.addTo(r.categories)
	case r.in("VEVENT"):
		r.props[name] = p
	}
}

// in reports whether the current line is directly in a component.
func (r *reader) in(component string) bool {
	return len(r.within) > 0 && r.within[len(r.within)-1] == component
}

// parted parses a line: NAME;PARAMETER="value":value.
func parted(line string) (name string, p property, is bool) {
	quoted := false
	end := strings.IndexFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ':' && !quoted
	})
	if end <= 0 {
		return "", p, false
	}
	p.value = line[end+1:]
	name, params, _ := strings.Cut(line[:end], ";")
	for _, param := range strings.Split(params, ";") {
		if key, value, is := strings.Cut(param, "="); is {
			if p.params == nil {
				p.params = map[string]string{}
			}
			p.params[strings.ToUpper(key)] = strings.Trim(value, `"`)
		}
	}
	return strings.ToUpper(name), p, true
}

var unescape = strings.NewReplacer(`\\`, `\`, `\;`, ";", `\,`, ",", `\n`, "\n", `\N`, "\n")

func (p property) text() string { return clean(unescape.Replace(p.value)) }

// addTo appends the values of a list, separated by unescaped commas, to those there are.
func (p property) addTo(all []string) []string {
	from := 0
	for at := 0; at <= len(p.value) && len(all) < maxCategories; at++ {
		switch {
		case at == len(p.value) || p.value[at] == ',':
			if one := strings.TrimSpace((property{value: p.value[from:at]}).text()); one != "" && !slices.Contains(all, one) {
				all = append(all, one)
			}
			from = at + 1
		case p.value[at] == '\\' && at+1 < len(p.value):
			at++
		}
	}
	return all
}

// entry returns the event that ends at the current line.
func (r *reader) entry() Entry {
	text := func(name string) string { return r.props[name].text() }
	e := Entry{UID: text("UID"), Title: text("SUMMARY"), Description: text("DESCRIPTION"), Location: text("LOCATION"),
		URL: r.props["URL"].value, Categories: r.categories,
		Cancelled: strings.EqualFold(r.props["STATUS"].value, "CANCELLED"),
		Free:      strings.EqualFold(r.props["TRANSP"].value, "TRANSPARENT")}
	e.Sequence, _ = strconv.Atoi(r.props["SEQUENCE"].value)
	if _, e.Repeats = r.props["RRULE"]; !e.Repeats {
		_, e.Repeats = r.props["RDATE"]
	}
	if one := r.props["RECURRENCE-ID"].value; one != "" {
		e.UID += "/" + clean(one)
	}
	err := r.times(&e)
	if err != nil {
		e.Fault = err.Error()
	}
	return e
}

// times sets when an event begins and ends.
func (r *reader) times(e *Entry) (err error) {
	if e.Start, err = r.moment("DTSTART"); err != nil {
		return err
	}
	switch {
	case r.props["DTEND"].value != "":
		e.End, err = r.moment("DTEND")
	case r.props["DURATION"].value != "":
		var length time.Duration
		length, err = lengthOf(r.props["DURATION"].value)
		e.End = e.Start.Add(length)
	default:
		e.End = e.Start
	}
	if err == nil && e.End.Before(e.Start) {
		err = errors.New("it ends before it starts")
	}
	return err
}

func (r *reader) moment(name string) (time.Time, error) {
	p := r.props[name]
	if at, err := time.Parse(utcTime, p.value); err == nil {
		return at, nil
	}
	zone, err := r.zone(p.params["TZID"])
	if err != nil {
		return time.Time{}, err
	}
	at, err := time.ParseInLocation(localTime, p.value, zone)
	switch _, noDay := time.Parse("20060102", p.value); {
	case p.value == "":
		return at, errors.New("it has no time")
	case noDay == nil:
		return at, errors.New("it takes whole days and has no time of day")
	case err != nil:
		return at, fmt.Errorf("“%.40s” is no time", p.value)
	case at.Format(localTime) != p.value: // some days lack an hour
		return at, fmt.Errorf("%s is not there on %s, when the clocks go forward", p.value[9:11]+":"+p.value[11:13],
			at.Format("2 January 2006"))
	}
	return at, nil
}

// windowsZones maps Outlook's zone names, for zones that conferences are in, from windowsZones.xml of Unicode's CLDR
// 46.
var windowsZones = map[string]string{"GMT Standard Time": "Europe/London", "W. Europe Standard Time": "Europe/Berlin",
	"Romance Standard Time": "Europe/Paris", "Central Europe Standard Time": "Europe/Budapest",
	"Central European Standard Time": "Europe/Warsaw", "FLE Standard Time": "Europe/Kiev",
	"GTB Standard Time": "Europe/Bucharest", "Turkey Standard Time": "Europe/Istanbul",
	"Israel Standard Time": "Asia/Jerusalem", "India Standard Time": "Asia/Calcutta",
	"Singapore Standard Time": "Asia/Singapore", "China Standard Time": "Asia/Shanghai",
	"Tokyo Standard Time": "Asia/Tokyo", "Korea Standard Time": "Asia/Seoul",
	"AUS Eastern Standard Time": "Australia/Sydney", "New Zealand Standard Time": "Pacific/Auckland",
	"E. South America Standard Time": "America/Sao_Paulo", "Eastern Standard Time": "America/New_York",
	"Central Standard Time": "America/Chicago", "Mountain Standard Time": "America/Denver",
	"Pacific Standard Time": "America/Los_Angeles", "South Africa Standard Time": "Africa/Johannesburg"}

// zone returns the zone of a time, given by a name of the zone database, perhaps with a prefix, or by Outlook's name.
func (r *reader) zone(name string) (*time.Location, error) {
	if name == "" {
		return r.calendar.Zone, nil
	}
	if zone := r.zones[name]; zone != nil {
		return zone, nil
	}
	try := []string{name, windowsZones[name]}
	if parts := strings.Split(name, "/"); len(parts) > 2 {
		try = append(try, strings.Join(parts[len(parts)-2:], "/"))
	}
	for _, one := range try {
		if one == "" || one == "Local" {
			continue
		}
		if zone, err := time.LoadLocation(one); err == nil {
			r.zones[name] = zone
			return zone, nil
		}
	}
	return nil, fmt.Errorf("its time zone “%.60s” is not known here", name)
}

var lengthForm = regexp.MustCompile(`^\+?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$`)

// lengthOf parses a duration such as PT1H30M.
func lengthOf(text string) (length time.Duration, _ error) {
	parts := lengthForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("“%.40s” is no length", text)
	}
	for i, unit := range []time.Duration{7 * 24 * time.Hour, 24 * time.Hour, time.Hour, time.Minute, time.Second} {
		n, _ := strconv.Atoi(parts[i+1])
		length += time.Duration(n) * unit
	}
	return length, nil
}
