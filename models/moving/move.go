package moving

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/reviews"
)

// Report is what a move did. Skipped lists what could not come, and why.
type Report struct {
	arrival.Summary
	Questions arrival.Counts `json:"questions"`
	Answers   int            `json:"people_with_new_answers"`
	Photos    int            `json:"photos"`
	Reviews   arrival.Counts `json:"reviews"`
	Gone      []arrival.Gone `json:"gone_there,omitempty"` // rows deleted there that are still here
	From      string         `json:"from"`
}

// Move is one move in progress.
type Move struct {
	source   Source
	p        *models.Programme
	arrival  *arrival.Arrival
	call     *call.Call
	rounds   *reviews.Rounds
	frame    *Frame
	asked    map[string]*call.Question // by the keys of the source
	report   Report
	progress func(Report)
}

// Into moves a conference into an event, in small steps, so that others can work meanwhile. If it ends early, running
// it again resumes it: nothing comes twice. Run again later, it brings what changed there; see arrival.Arrival for what
// becomes of changes that staff made here. It emits nothing. tell, unless nil, is called with the progress. With an
// error, the report contains what came until then; it is nil if nothing was read.
func Into(ctx context.Context, p *models.Programme, source Source, tell func(Report)) (*Report, error) {
	m := &Move{source: source, p: p, arrival: arrival.Of(p).Begin(), call: call.Of(p), rounds: reviews.Of(p),
		asked: map[string]*call.Question{}, progress: tell}
	var err error
	if m.frame, err = source.Frame(ctx); err != nil {
		return nil, err
	}
	m.report.From = m.frame.Name
	m.arrival.Still(m.frame.Still)
	for _, s := range m.frame.Skipped {
		m.arrival.Skip(s.ID, s.Title, s.Reason)
	}
	for _, part := range []func(context.Context) error{m.labels, m.questions, m.people, m.submissions, m.breaks, m.reviews,
		m.end} {
		if err := part(ctx); err != nil {
			return &m.report, err
		}
		m.reportProgress()
	}
	return &m.report, nil
}

// reportProgress reports the progress.
func (m *Move) reportProgress() {
	m.report.Summary = m.arrival.Summary()
	if m.progress != nil {
		m.progress(m.report)
	}
}

func (m *Move) labels(ctx context.Context) error { return m.arrival.Labels(ctx, m.frame.Labels) }

func (m *Move) breaks(ctx context.Context) error { return m.arrival.Breaks(ctx, m.frame.Breaks) }

func (m *Move) end(ctx context.Context) (err error) {
	if !m.frame.IsPart {
		if m.report.Gone, err = m.arrival.Gone(ctx, m.frame.Prefix); err != nil {
			return err
		}
	}
	return m.arrival.Dates(ctx, m.frame.Starts, m.frame.Ends)
}

// skip reports something that cannot come; its key is shown without the prefix.
func (m *Move) skip(key, title, reason string) {
	m.arrival.Skip(strings.TrimPrefix(key, m.frame.Prefix), title, reason)
}

// submissions brings the submissions.
func (m *Move) submissions(ctx context.Context) error {
	return m.source.Submissions(ctx, func(some []Submission) error {
		all := make([]arrival.Session, len(some))
		for i, s := range some {
			all[i] = s.Session
			all[i].Answers = append(all[i].Answers, m.inWords(s.Answers)...)
		}
		if err := m.arrival.Sessions(ctx, all); err != nil {
			return err
		}
		m.reportProgress()
		return m.confirm(ctx, some)
	})
}

// confirm records that speakers confirmed there, unless they answered here.
func (m *Move) confirm(ctx context.Context, some []Submission) error {
	var keys []string
	for _, s := range some {
		if s.IsConfirmed {
			keys = append(keys, s.Key)
		}
	}
	ids, err := m.arrival.Submissions(ctx, keys)
	if err != nil || len(ids) == 0 {
		return err
	}
	return m.call.KeepComing(ctx, slices.Sorted(maps.Values(ids)))
}

// fault returns the reason of an error that concerns only one row, or else the error.
func fault(err error) (reason string, _ error) {
	if errors.Is(err, models.ErrShared) { // the report must not reveal whom the organization knows
		return "it cannot be changed by this move", nil
	}
	var not NotGiven
	if errors.As(err, &not) || isOfTheRow(err) {
		return err.Error(), nil
	}
	return "", err
}

// CountAllRuns corrects the counts of a resumed move: what earlier runs made counts as created.
func (r *Report) CountAllRuns(made map[string]int) {
	r.Summary.CountAllRuns(made)
	r.Questions.CountAllRuns(made[string(arrival.Questions)])
	r.Reviews.CountAllRuns(made[string(arrival.Reviews)])
}

// Away returns when somebody is away on the days of a conference, given when they are available, as Absences in their
// stored form. It returns "" for somebody who is always available, or never within those days.
func Away(available []Span, starts, ends string, zone *time.Location) string {
	first, err := time.ParseInLocation(time.DateOnly, starts, zone)
	last, err2 := time.ParseInLocation(time.DateOnly, ends, zone)
	if len(available) == 0 || err != nil || err2 != nil {
		return ""
	}
	var lines []string
	available = sorted(available)
	// The other system may claim that a conference lasts for ever, so look at no more days than there may be lines.
	for n := range models.MaxAbsences {
		day := first.AddDate(0, 0, n)
		if day.After(last) || len(lines) >= models.MaxAbsences {
			break
		}
		from, end := day, day.AddDate(0, 0, 1)
		for _, s := range available {
			if !s.Until.After(from) || !s.From.Before(end) {
				continue
			}
			lines = append(lines, absence(day, from, s.From)...)
			from = s.Until
		}
		lines = append(lines, absence(day, from, end)...)
	}
	return strings.Join(lines, "\n")
}

func sorted(spans []Span) []Span {
	return slices.SortedFunc(slices.Values(spans), func(a, b Span) int {
		return cmp.Or(a.From.Compare(b.From), a.Until.Compare(b.Until))
	})
}

// absence returns the line of an absence on a day, clipped to the day; none if nothing is left.
func absence(day, from, until time.Time) []string {
	from, until = from.In(day.Location()), until.In(day.Location())
	a := models.Absence{Day: day.Format(time.DateOnly), From: from.Format("15:04"), Until: until.Format("15:04")}
	if !from.After(day) {
		a.From = "00:00"
	}
	if !until.Before(day.AddDate(0, 0, 1)) {
		a.Until = "24:00"
	}
	if !until.After(from) || a.From >= a.Until {
		return nil
	}
	return []string{a.String()}
}
