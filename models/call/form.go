// Package call is the call for papers on top of the programme: its form, the proposals, and the place where people who
// speak find all that is theirs.
package call

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Call is the handle of the staff's operations on the call of one event.
type Call struct{ p *models.Programme }

// Of returns the handle of a programme's call.
func Of(p *models.Programme) *Call { return &Call{p} }

// Settings are the texts and limits of a call. Its window is part of the event.
type Settings struct {
	EventID      string  `gorm:"primaryKey"`
	Heading      string  // of the page; "" uses the default
	Welcome      string  // sanitised HTML
	Success      string  // sanitised HTML, shown and mailed after a submission
	Agreement    string  // what people agree to when they submit; "" for nothing
	QuestionsTo  string  // an address that speakers may write to; "" for none
	AnswersOn    *string // the day by which people hear, such as 2027-03-29
	MaxProposals *int    // limit for one person; nil for any number
	MaxTotal     *int    // limit for the call; nil for any number
	MaxSpeakers  int     // limit for one proposal
	CreatedAt    store.Time
	UpdatedAt    store.Time // the token of the form; each change of a part or a question raises it too
}

// TableName returns the name of the table of settings.
func (Settings) TableName() string { return "calls" }

// Part is a section of the form.
type Part struct {
	ID, EventID string
	Title, Help string
	Position    int
	Questions   []*Question `gorm:"-"` // in their order
}

// TableName returns the name of the table of parts.
func (Part) TableName() string { return "call_parts" }

// Form is the form of a call: its settings and parts in order, and the questions that were removed but may have
// answers.
type Form struct {
	Settings
	Parts   []*Part
	Removed []*Question
	Rows    []*models.Metadata // the event's tracks, formats and levels, each family in its order
	whole   *Form              // for a form that Of returned, the complete form
}

// Code lets somebody in whom the window or the limits would keep out.
type Code struct {
	ID, EventID string
	Code        string
	Note        string
	MaxUses     *int        // submissions; nil for any number
	ExpiresAt   *store.Time // nil for never
	CreatedAt   store.Time
	UpdatedAt   store.Time
}

// TableName returns the name of the table of codes.
func (Code) TableName() string { return "call_codes" }

var errNoCall = store.Missing("This event has no call for papers yet.")

// families are the families of metadata whose rows a form offers.
var families = []models.Family{models.Tracks, models.Formats, models.Levels}

// FormOf returns the questions that an event's form asks of the proposal, for whoever fills it in. It answers NotFound
// if the event has no call.
func FormOf(ctx context.Context, s *models.Store, event *models.Event) (*Form, error) {
	f, err := Of(s.Programme(event, store.By{})).Form(ctx)
	if err != nil {
		return nil, err
	}
	return f.Of(OfProposal), nil
}

// Of returns the form with only what it asks of the proposal, or of each speaker.
func (f *Form) Of(of AskedOf) *Form {
	if f.whole != nil {
		f = f.whole
	}
	narrow, other := *f, func(q *Question) bool { return q.AskedOf != of }
	narrow.whole = f
	narrow.Parts, narrow.Removed = nil, slices.DeleteFunc(slices.Clone(f.Removed), other)
	for _, part := range f.Parts {
		some := *part
		some.Questions = slices.DeleteFunc(slices.Clone(part.Questions), other)
		if len(some.Questions) > 0 || len(part.Questions) == 0 && of == OfProposal {
			narrow.Parts = append(narrow.Parts, &some)
		}
	}
	return &narrow
}

// Form returns the call's complete form. It answers NotFound if the event has no call yet.
func (c *Call) Form(ctx context.Context) (*Form, error) {
	f, err := loadForm(c.p.Read(ctx), c.p.Event().ID)
	if err != nil {
		return nil, err
	}
	for _, family := range families {
		rows, err := c.p.Family(ctx, family)
		if err != nil {
			return nil, err
		}
		f.Rows = append(f.Rows, rows...)
	}
	return f, nil
}

// loadForm reads a form without the rows that it offers.
func loadForm(db *gorm.DB, eventID string) (*Form, error) {
	settings, err := store.One[Settings](db.Where("event_id = ?", eventID), errNoCall)
	if err != nil {
		return nil, err
	}
	f := &Form{Settings: *settings}
	if err := db.Where("event_id = ?", eventID).Order("position, id").Find(&f.Parts).Error; err != nil {
		return nil, err
	}
	var questions []*Question
	if err := db.Where("event_id = ?", eventID).Order("position, id").Find(&questions).Error; err != nil {
		return nil, err
	}
	for _, q := range questions {
		if part := f.Part(q.PartID); part != nil {
			part.Questions = append(part.Questions, q)
		} else {
			f.Removed = append(f.Removed, q)
		}
	}
	slices.SortStableFunc(f.Removed, func(a, b *Question) int { return -a.RemovedAt.Compare(b.RemovedAt.Time) })
	return f, nil
}

// Part returns the part with an id, or nil.
func (f *Form) Part(id *string) *Part {
	if id == nil {
		return nil
	}
	if i := slices.IndexFunc(f.Parts, func(p *Part) bool { return p.ID == *id }); i >= 0 {
		return f.Parts[i]
	}
	return nil
}

// row returns a row that the form can offer, nil if it is gone.
func (f *Form) row(id string) *models.Metadata {
	if i := slices.IndexFunc(f.Rows, func(m *models.Metadata) bool { return m.ID == id }); i >= 0 {
		return f.Rows[i]
	}
	return nil
}

// Offer is a choice of a question as the form shows it.
type Offer struct {
	Value, Name, Note string
	Minutes           int    // of a format; 0 if it has no length
	Color             string // of a track
	Limit             int    // how many proposals may choose it; 0 for any number
}

// Family returns the family whose rows the question offers; "" for other questions.
func (q *Question) Family() models.Family {
	return map[StandardField]models.Family{Track: models.Tracks, Format: models.Formats, Level: models.Levels}[q.Standard]
}

// Offered returns the choices of a question in their order. A question for tracks, formats or levels that names none
// offers all of the event; rows that are gone are not offered.
func (f *Form) Offered(q *Question) (offers []Offer) {
	family := q.Family()
	if family == "" {
		for _, o := range q.Options {
			offers = append(offers, Offer{Value: o.Value, Name: o.Value, Note: o.Note, Limit: o.Limit})
		}
		return offers
	}
	chosen := store.ByKey(q.Options, func(o Choice) string { return o.Value })
	for _, row := range f.Rows {
		o, is := chosen[row.ID]
		if row.Family != family || (!is && len(q.Options) > 0) {
			continue
		}
		offer := Offer{Value: row.ID, Name: row.Name, Note: o.Note, Limit: o.Limit}
		if row.DefaultMinutes != nil {
			offer.Minutes = *row.DefaultMinutes
		}
		if row.Color != nil {
			offer.Color = *row.Color
		}
		offers = append(offers, offer)
	}
	return offers
}
