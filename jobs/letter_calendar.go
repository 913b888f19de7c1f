package jobs

import (
	"strings"
	"time"
	"unicode/utf8"

	"lectern/models"
)

const calendarTime = "20060102T150405Z"

// calendar is the session of a letter as an entry of a calendar (RFC 5545), "" without a time.
func calendar(letter *models.OutgoingLetter, now time.Time) string {
	if letter.StartsAt == nil || letter.EndsAt == nil || letter.Kind != models.LetterAccepted {
		return ""
	}
	escape := strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Lectern//Letters//EN", "METHOD:PUBLISH", "BEGIN:VEVENT",
		"UID:" + letter.ScheduledID + "@lectern", "DTSTAMP:" + now.UTC().Format(calendarTime),
		"DTSTART:" + letter.StartsAt.UTC().Format(calendarTime), "DTEND:" + letter.EndsAt.UTC().Format(calendarTime),
		"SUMMARY:" + escape.Replace(letter.ScheduledTitle)}
	if letter.Room != "" {
		lines = append(lines, "LOCATION:"+escape.Replace(letter.Room+", "+letter.EventName))
	}
	var out strings.Builder
	for _, line := range append(lines, "END:VEVENT", "END:VCALENDAR") {
		out.WriteString(folded(line) + "\r\n")
	}
	return out.String()
}

// folded is a line in pieces of at most 75 bytes, none of which cuts a character.
func folded(line string) string {
	var out strings.Builder
	room := 75
	for _, r := range line {
		if n := utf8.RuneLen(r); n > room {
			out.WriteString("\r\n ")
			room = 74
		}
		out.WriteRune(r)
		room -= utf8.RuneLen(r)
	}
	return out.String()
}
