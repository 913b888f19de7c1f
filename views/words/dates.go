package words

import (
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Day formats a date without its year: "Saturday 3 February".
func (l *Language) Day(t time.Time) string {
	return l.T("dates.day", "Weekday", l.cldr.WeekdayWide(t.Weekday()), "Day", l.dayOfMonth(t), "Month",
		l.cldr.MonthWide(t.Month()))
}

// DayHead is Day with a capital, for a heading: "Jeudi 27 mai".
func (l *Language) DayHead(t time.Time) string {
	day := l.Day(t)
	first, size := utf8.DecodeRuneInString(day)
	return string(unicode.ToUpper(first)) + day[size:]
}

// DayName is a weekday and number with a capital, for tabs: "Saturday 3", "Jeudi 27".
func (l *Language) DayName(t time.Time) string {
	name := l.T("dates.dayname", "Weekday", l.cldr.WeekdayWide(t.Weekday()), "Day", l.dayOfMonth(t))
	return cases.Title(language.Make(l.Tag), cases.NoLower).String(name)
}

// dayOfMonth returns the number of a day; some languages write the first as an ordinal: "1er février".
func (l *Language) dayOfMonth(t time.Time) string {
	if t.Day() == 1 {
		return l.T("dates.first")
	}
	return strconv.Itoa(t.Day())
}

// Weekday returns the short name of a day of the week.
func (l *Language) Weekday(t time.Time) string { return l.cldr.WeekdayAbbreviated(t.Weekday()) }

// Date formats a day with its year: "3 February 2024".
func (l *Language) Date(t time.Time) string {
	return l.T("dates.date", "Day", l.dayOfMonth(t), "Month", l.cldr.MonthWide(t.Month()), "Year", t.Year())
}

// Days formats a range of days as briefly as possible: "3–4 February 2024".
func (l *Language) Days(from, to time.Time) string {
	month := l.cldr.MonthWide
	switch {
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return l.Date(from)
	case from.Year() != to.Year():
		return l.Date(from) + " – " + l.Date(to)
	case from.Month() != to.Month():
		return l.T("dates.months", "From", l.dayOfMonth(from), "FromMonth", month(from.Month()), "To", l.dayOfMonth(to),
			"ToMonth", month(to.Month()), "Year", to.Year())
	}
	return l.T("dates.days", "From", l.dayOfMonth(from), "To", l.dayOfMonth(to), "Month", month(to.Month()), "Year", to.Year())
}

// TimeOf formats a time of day, on 24 hours in all our languages.
func (l *Language) TimeOf(t time.Time) string { return t.Format("15:04") }

// DayOfYear formats a day without its weekday and year: "3 February".
func (l *Language) DayOfYear(t time.Time) string {
	return l.T("dates.dayofyear", "Day", l.dayOfMonth(t), "Month", l.cldr.MonthWide(t.Month()))
}

// DayShort is DayOfYear with a short month: "3 Feb".
func (l *Language) DayShort(t time.Time) string {
	return l.T("dates.dayofyear", "Day", l.dayOfMonth(t), "Month", l.cldr.MonthAbbreviated(t.Month()))
}

// DayLong formats a day with its weekday and year: "Saturday 3 February 2024".
func (l *Language) DayLong(t time.Time) string {
	return l.T("dates.long", "Day", l.Day(t), "Year", t.Year())
}
