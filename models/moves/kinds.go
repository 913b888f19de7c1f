package moves

import (
	"bytes"
	"context"
	"io"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/calendar"
	"lectern/models/fetch"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/pretalx"
	"lectern/models/sessionize"
	"lectern/models/sheet"
	"lectern/models/store"
)

// Kind is a kind of source for conferences. It comes by an address or by a file; a kind with both needs one of them.
type Kind struct {
	Name     string
	Label    string // as people call it
	About    string
	Address  string // label of the address, "" for a kind without one
	HasToken bool   // and the name of the event there
	Files    string // extensions of its file, "" for a kind without one
	IsTable  bool   // staff choose what its columns hold
	IsWhole  bool   // a schedule, from which submissions can be made too
	IsEvent  bool   // an archive that becomes an event of its own: only owners bring it
	open     func(context.Context, *opening) (conference, error)
}

const archiveKind = "archive"

// Kinds are all kinds, in the order in which they are offered.
var Kinds = []*Kind{
	{Name: "pretalx", Label: "pretalx", HasToken: true, open: openPretalx,
		About: "Everything: submissions in each state, speakers with photos, questions and answers, reviews, and the " +
			"schedule.",
		Address: "Any address of the event there, such as https://pretalx.com/harbour2027"},
	{Name: "sessionize", Label: "Sessionize", Files: ".xlsx,.csv,.json", open: openSessionize,
		About:   "The programme by its API, or a spreadsheet that you export there, which also has addresses of mail.",
		Address: "An endpoint with JSON, as “API / Embed” there names it"},
	{Name: "sheet", Label: "A sheet of sessions", Files: ".xlsx,.csv", IsTable: true, open: openSheet,
		About: "A row for each session, or for each of its speakers, with any columns."},
	{Name: "schedule", Label: "A schedule file", Files: ".xml,.json", IsWhole: true, open: openSchedule,
		About:   "XML or JSON of frab, pentabarf, pretalx and others.",
		Address: "Where the schedule is published, such as https://example.org/schedule.xml"},
	{Name: "calendar", Label: "A calendar", Files: ".ics", open: openCalendar,
		About:   "Titles, times, rooms and tracks of an iCalendar file. It does not tell who speaks.",
		Address: "Where the calendar is published, such as https://example.org/programme.ics"},
	{Name: archiveKind, Label: "An archive of an event", Files: ".zip", IsEvent: true, open: openArchive,
		About: "All of an event, or of all events, of this or another Lectern. Each becomes an event of its own, and changes " +
			"nothing of this one."},
}

// KindOf returns the kind with this name, nil for none.
func KindOf(name string) *Kind {
	for _, k := range Kinds {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// opening is what is needed to open a conference.
type opening struct {
	p       *models.Programme
	move    *Move
	worker  *worker
	token   string
	fetch   *fetch.Client
	content []byte // of the file; nil without one, and for an archive
}

// conference is an opened conference.
type conference interface {
	look(context.Context, *models.Programme, func(*StoredPreview)) (*StoredPreview, error)
	bring(context.Context, *models.Programme, func(*StoredReport)) (*StoredReport, error)
}

// source is a conference that is read row by row.
type source struct{ moving.Source }

func (s source) look(ctx context.Context, p *models.Programme, tell func(*StoredPreview)) (*StoredPreview, error) {
	preview, err := moving.Look(ctx, p, s.Source, func(so moving.Preview) { tell(storedPreview(so)) })
	if err != nil {
		return nil, err
	}
	return storedPreview(*preview), nil
}

func (s source) bring(ctx context.Context, p *models.Programme, tell func(*StoredReport)) (*StoredReport, error) {
	report, err := moving.Into(ctx, p, s.Source, func(so moving.Report) { tell(storedReport(so)) })
	if err != nil {
		return nil, err
	}
	return storedReport(*report), nil
}

// schedule is a schedule, which comes as a whole.
type schedule struct {
	*frab.Schedule
	asSubmissions bool
}

func (s schedule) look(ctx context.Context, p *models.Programme, _ func(*StoredPreview)) (*StoredPreview, error) {
	preview, err := moving.LookAt(ctx, p, s.Schedule)
	if err != nil {
		return nil, err
	}
	return storedPreview(*preview), nil
}

func (s schedule) bring(ctx context.Context, p *models.Programme, tell func(*StoredReport)) (*StoredReport, error) {
	report := func(summary arrival.Summary) *StoredReport {
		return storedReport(moving.Report{Summary: summary, From: s.Title})
	}
	options := arrival.Options{AsSubmissions: s.asSubmissions,
		Tell: func(summary arrival.Summary) { tell(report(summary)) }}
	summary, err := arrival.Of(p).Import(ctx, s.Schedule, options)
	if err != nil {
		return nil, err
	}
	return report(*summary), nil
}

func openPretalx(_ context.Context, o *opening) (conference, error) {
	c, err := pretalx.New(o.move.Address, pretalx.Options{Fetch: o.fetch, Token: o.token, Event: o.move.EventThere})
	return source{c}, err
}

func openSessionize(ctx context.Context, o *opening) (conference, error) {
	zone := o.p.Event().Location()
	if o.content != nil {
		c, err := sessionize.Read(bytes.NewReader(o.content), o.fetch, zone)
		return source{c}, err
	}
	address, err := sessionize.Address(o.move.Address)
	if err != nil {
		return nil, err
	}
	c, err := sessionize.Fetch(ctx, o.fetch, address, zone)
	return source{c}, err
}

func openSheet(_ context.Context, o *opening) (conference, error) {
	table, err := sheet.Open(bytes.NewReader(o.content))
	if err != nil {
		return nil, err
	}
	if len(o.move.Choices.Held) != len(table.Columns) {
		return nil, store.Invalidf("columns", "are others than the file has")
	}
	rows, err := sheet.Read(table, o.move.Choices.As, o.move.Choices.Held, o.p.Event().Location())
	return source{rows}, err
}

// maxDocument is how many bytes a fetched document may have.
const maxDocument = 64 << 20

// document returns the content of the file, or of the address.
func (o *opening) document(ctx context.Context, what string) (io.Reader, error) {
	if o.content != nil {
		return bytes.NewReader(o.content), nil
	}
	content, err := o.fetch.Get(ctx, fetch.Ask{What: what, Address: o.move.Address, Limit: maxDocument})
	return bytes.NewReader(content), err
}

func openSchedule(ctx context.Context, o *opening) (conference, error) {
	document, err := o.document(ctx, "the schedule")
	if err != nil {
		return nil, err
	}
	read, err := frab.Parse(document, o.p.Event().Location())
	return schedule{read, o.move.Choices.AsSubmissions}, err
}

func openCalendar(ctx context.Context, o *opening) (conference, error) {
	document, err := o.document(ctx, "the calendar")
	if err != nil {
		return nil, err
	}
	read, err := calendar.Read(document, o.p.Event().Location())
	return source{read}, err
}
