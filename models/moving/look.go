package moving

import (
	"context"
	"errors"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/frab"
	"lectern/models/store"
)

// Preview is what a move would bring, given what is here now.
type Preview struct {
	From      string           `json:"from"`
	Starts    string           `json:"starts"` // days; "" where nothing tells them
	Ends      string           `json:"ends"`
	Labels    arrival.Foreseen `json:"labels"`
	Questions arrival.Foreseen `json:"questions"`
	People    arrival.Foreseen `json:"people"`
	Sessions  arrival.Foreseen `json:"sessions"`
	Placed    int              `json:"placed"` // sessions with a time
	Breaks    arrival.Foreseen `json:"breaks"`
	Reviews   arrival.Foreseen `json:"reviews"`
	Skipped   []frab.Skipped   `json:"skipped"`
}

// Look reads a whole conference as Into does, writes nothing, and returns what would be new, what matches something
// here, and what cannot come and why. tell, unless nil, is called with the progress.
func Look(ctx context.Context, p *models.Programme, source Source, tell func(Preview)) (*Preview, error) {
	frame, err := source.Frame(ctx)
	if err != nil {
		return nil, err
	}
	l := &looker{source: source, frame: frame, foresight: arrival.Of(p).Foresee(), arrival: arrival.Of(p).Begin(),
		progress: tell}
	l.preview = Preview{From: frame.Name, Starts: frame.Starts, Ends: frame.Ends}
	l.foresight.Skipped = append(l.foresight.Skipped, frame.Skipped...)
	for _, part := range []func(context.Context) error{
		func(ctx context.Context) error { return l.foresight.SeeLabels(ctx, frame.Labels) },
		func(ctx context.Context) error { return l.questions(ctx, call.Of(p)) },
		l.people, l.submissions,
		func(ctx context.Context) error { return l.foresight.SeeBreaks(ctx, frame.Breaks) },
		l.reviews,
	} {
		if err := part(ctx); err != nil {
			return nil, err
		}
		l.reportProgress()
	}
	return &l.preview, nil
}

// LookAt is Look for a schedule, which comes by Arrivals.Import.
func LookAt(ctx context.Context, p *models.Programme, schedule *frab.Schedule) (*Preview, error) {
	f := arrival.Of(p).Foresee()
	if err := f.Schedule(ctx, schedule); err != nil {
		return nil, err
	}
	preview := &Preview{From: schedule.Title, Starts: schedule.Start, Ends: schedule.End}
	preview.fill(f)
	return preview, nil
}

func (p *Preview) fill(f *arrival.Foresight) {
	p.Labels, p.People, p.Sessions, p.Placed, p.Breaks, p.Skipped = f.Labels, f.People, f.Sessions, f.Placed, f.Breaks,
		f.Skipped
}

// looker is one Look in progress.
type looker struct {
	source    Source
	frame     *Frame
	foresight *arrival.Foresight
	arrival   *arrival.Arrival
	preview   Preview
	progress  func(Preview)
}

func (l *looker) reportProgress() {
	l.preview.fill(l.foresight)
	if l.progress != nil {
		l.progress(l.preview)
	}
}

func (l *looker) questions(ctx context.Context, call *call.Call) error {
	if len(l.frame.Questions) == 0 {
		return nil
	}
	form, err := call.Form(ctx)
	if err != nil && store.KindOf(err) != store.NotFound { // there is no call yet
		return err
	}
	keys := store.Map(l.frame.Questions, func(q Question) string { return q.Key })
	known, err := l.arrival.Known(ctx, arrival.Questions, keys)
	for i := range l.frame.Questions {
		q := &l.frame.Questions[i]
		isHere := known[q.Key].RecordID != "" || form != nil && q.in(form, "") != nil
		l.preview.Questions.Count(isHere)
	}
	return err
}

func (l *looker) people(ctx context.Context) error {
	return l.source.People(ctx, func(some []Person) error {
		defer l.reportProgress()
		return l.foresight.SeePeople(ctx, store.Map(some, func(x Person) arrival.Person { return x.Person }))
	})
}

func (l *looker) submissions(ctx context.Context) error {
	return l.source.Submissions(ctx, func(some []Submission) error {
		defer l.reportProgress()
		return l.foresight.SeeSessions(ctx, store.Map(some, func(s Submission) arrival.Session { return s.Session }))
	})
}

func (l *looker) reviews(ctx context.Context) error {
	err := l.source.Reviews(ctx, func(some []Review) error {
		keys := store.Map(some, func(r Review) string { return r.Key })
		known, err := l.arrival.Known(ctx, arrival.Reviews, keys)
		for _, key := range keys {
			l.preview.Reviews.Count(known[key].RecordID != "")
		}
		l.reportProgress()
		return err
	})
	var not NotGiven
	if errors.As(err, &not) {
		l.foresight.Skipped = append(l.foresight.Skipped, frab.Skipped{ID: "reviews", Title: "Reviews", Reason: not.Error()})
		return nil
	}
	return err
}
