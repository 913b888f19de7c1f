package archive

import (
	"regexp"
	"time"

	"lectern/models/store"
)

// shift moves dates and times by whole days, at the same time of the event's clock. A nil shift, for an event without
// known days, clears them.
type shift struct {
	days int
	zone *time.Location
}

// shiftOf returns the shift from one first day to another.
func shiftOf(from, to *string, zone *time.Location) (*shift, error) {
	if from == nil || to == nil {
		return nil, nil
	}
	was, err := time.Parse(time.DateOnly, *from)
	if err != nil {
		return nil, err
	}
	is, err := time.Parse(time.DateOnly, *to)
	if err != nil {
		return nil, store.Invalidf("starts_on", "must be a date such as 2027-05-20")
	}
	return &shift{int((is.Unix() - was.Unix()) / (24 * 60 * 60)), zone}, nil
}

var errFar = store.Invalidf("starts_on", "is too far away")

// date returns a shifted date.
func (s *shift) date(on string) (string, error) {
	day, err := time.Parse(time.DateOnly, on)
	if err != nil {
		return "", err
	}
	if day = day.AddDate(0, 0, s.days); day.Year() < 1 || day.Year() > 9999 {
		return "", errFar
	}
	return day.Format(time.DateOnly), nil
}

// moment returns a shifted moment at the same time of day: the first one of an hour that comes twice, and for one that
// the clocks skip, as much later.
func (s *shift) moment(at store.Time) store.Time {
	wall := at.In(s.zone).AddDate(0, 0, s.days)
	if found := store.Moments(wall, s.zone); len(found) > 0 {
		return store.At(found[0].Add(time.Duration(wall.Nanosecond())))
	}
	return store.At(wall)
}

// row shifts the dates and moments of a row. If a change of clocks would reorder its moments, they move by multiples of
// 24 hours.
func (s *shift) row(columns []column, moved []string, one row) error {
	var was, is []store.Time
	var places []int
	for _, name := range moved {
		i := at(columns, name)
		value, said := one[i].(string)
		switch {
		case !said:
		case s == nil:
			one[i] = nil
		case columns[i].kind == moment:
			var at store.Time
			if err := at.Scan(value); err != nil {
				return err
			}
			was, is, places = append(was, at), append(is, s.moment(at)), append(places, i)
		default:
			day, err := s.date(value)
			if err != nil {
				return err
			}
			one[i] = day
		}
	}
	for i, to := range is {
		if i > 0 && was[i].After(was[i-1].Time) && !to.After(is[i-1].Time) {
			is[i-1], is[i] = s.exactly(was[i-1]), s.exactly(was[i])
		}
	}
	for i, place := range places {
		if y := is[i].Year(); y < 1 || y > 9999 {
			return errFar
		}
		one[place] = is[i].String()
	}
	return nil
}

func (s *shift) exactly(at store.Time) store.Time {
	return store.At(at.UTC().AddDate(0, 0, s.days))
}

var aDate = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`)

// words shifts the dates in a text, such as those of a saved filter; a nil shift leaves them.
func (s *shift) words(said string) string {
	if s == nil {
		return said
	}
	return aDate.ReplaceAllStringFunc(said, func(on string) string {
		if day, err := s.date(on); err == nil {
			return day
		}
		return on
	})
}
