package call

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// Proposal is a submission as somebody sees it who speaks on it, or began it.
type Proposal struct {
	*models.Session
	Filled
	Event     *models.Event
	Asked     []*CoSpeaker // invited co-speakers, in the order of their invitations
	About     string       // the biography of the place's owner, HTML
	Standing  Standing
	ContactID string // the place's owner
	byStaff   bool   // staff fill it in for its people
}

// Standing is what the call stores about a submission, and the rights of one person on it.
type Standing struct {
	BeganBy         string // a contact's id; "" for a proposal that staff made
	SubmittedAt     *store.Time
	LockedAt        *store.Time
	OpenUntil       *store.Time // an extension for this proposal
	Extended        *store.Time // an extension for this person
	CodeIsGood      bool        // the code with which it was begun is valid
	CodeID          *string
	WithdrawnFrom   models.Status
	WithdrawnReason string
	WithdrawnAt     *store.Time
	About           *string // a biography that waits for staff
	IsApproved      bool    // it is part of a session whose content staff approved
	Window          Window  `gorm:"-"` // without the number of submissions, which is counted only on submitting
}

// IsSubmitted reports whether the proposal is no draft.
func (p *Proposal) IsSubmitted() bool { return p.Status != models.Draft }

// IsMine reports whether the place's owner began it. A proposal that staff made belongs to all who are on it.
func (p *Proposal) IsMine() bool {
	return p.Standing.BeganBy == p.ContactID || p.Standing.BeganBy == ""
}

// Token returns the token of the answers, which changes with each of them, also with the biography.
func (p *Proposal) Token() string { return tokenOf(p.Session, p.Form, p.About) }

// tokenOf returns the session's token, with a hash of the biography if the form asks for it.
func tokenOf(s *models.Session, f *Form, about string) string {
	token := s.UpdatedAt.String()
	if f.Question(string(Biography)) != nil {
		token += "." + store.HashKey(about)[:16]
	}
	return token
}

var errNoProposal = store.Missing("There is no such proposal.")

// Proposal returns a proposal that the place's owner began or is on. It answers NotFound for any other, and for a
// deleted one.
func (pl *Place) Proposal(ctx context.Context, event *models.Event, id string) (*Proposal, error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, err
	}
	return pl.proposal(ctx, event, form, id)
}

func (pl *Place) proposal(ctx context.Context, event *models.Event, form *Form, id string) (*Proposal, error) {
	standing, err := pl.standing(ctx, event, id)
	if err != nil {
		return nil, err
	}
	s, err := pl.At(event).Session(ctx, id)
	if err != nil {
		return nil, err
	}
	return pl.assemble(ctx, event, form, s, standing)
}

// assemble makes a proposal of a session and a standing, and reads the rest.
func (pl *Place) assemble(ctx context.Context, event *models.Event, form *Form, s *models.Session,
	standing *Standing) (*Proposal, error) {
	p := &Proposal{Session: s, Event: event, Filled: Filled{Form: form}, Standing: *standing, ContactID: pl.contactID,
		byStaff: pl.isLent}
	var err error
	if p.Files, err = filesOf(pl.read(ctx), form, event.ID, s.ID); err != nil {
		return nil, err
	}
	if err = pl.read(ctx).Where("event_id = ? AND session_id = ?", event.ID, s.ID).Order("created_at, id").
		Find(&p.Asked).Error; err != nil {
		return nil, err
	}
	if standing.About != nil {
		p.About = *standing.About
	} else if p.About, err = pl.about(ctx, s); err != nil {
		return nil, err
	}
	p.Values = form.ValuesOf(s, p.About, p.Files)
	return p, nil
}

// about returns the biography of the place's owner, which a session has if they are on it. Otherwise it returns the one
// that waits for staff, if any, because its author counts it as theirs.
func (pl *Place) about(ctx context.Context, s *models.Session) (about string, err error) {
	if s != nil {
		if i := slices.IndexFunc(s.Participants, func(x *models.Participant) bool { return x.ContactID == pl.contactID }); i >= 0 {
			return s.Participants[i].About, nil
		}
	}
	waiting, values := pl.aboutWaiting()
	err = pl.read(ctx).Model(&models.Contact{}).Where("organization_id = ? AND id = ?", pl.organizationID, pl.contactID).
		Select("coalesce("+waiting+", about)", values...).Scan(&about).Error
	return about, err
}

// standing returns the standing of a live submission of the event that the place's owner began or is on, or of any for
// staff. It answers NotFound.
func (pl *Place) standing(ctx context.Context, event *models.Event, id string) (*Standing, error) {
	if !store.IsID(id) {
		return nil, errNoProposal
	}
	now := pl.store.Now()
	waiting, values := pl.aboutWaiting()
	standing, err := store.One[Standing](pl.read(ctx).Table("sessions s").
		Joins("LEFT JOIN proposals p ON p.session_id = s.id").
		Joins("LEFT JOIN call_extensions e ON e.event_id = s.event_id AND e.contact_id = ?", pl.contactID).
		Joins("LEFT JOIN call_codes c ON c.event_id = s.event_id AND c.id = p.code_id").
		Select("p.contact_id AS began_by, p.code_id, p.submitted_at, p.locked_at, p.open_until, "+
			"p.withdrawn_from, p.withdrawn_reason, p.withdrawn_at, e.until AS extended, "+waiting+" AS about, "+
			"coalesce((SELECT t.content_state FROM sessions t WHERE t.event_id = s.event_id AND t.id = s.composed_into "+
			"AND t.deleted_at IS NULL), '') = 'approved' AS is_approved, "+
			"c.id IS NOT NULL AND (c.expires_at IS NULL OR c.expires_at > ?) AS code_is_good", append(values, now)...).
		Where("s.event_id = ? AND s.id = ? AND s.is_abstract AND s.deleted_at IS NULL", event.ID, id).
		Where("(? OR p.contact_id = ? OR EXISTS (SELECT 1 FROM participants x WHERE x.session_id = s.id AND x.contact_id = ?))",
			pl.isLent, pl.contactID, pl.contactID), errNoProposal)
	if err != nil {
		return nil, err
	}
	standing.Window = Dates(event)
	standing.Window.Until, standing.Window.Invited = later(standing.OpenUntil, standing.Extended), standing.CodeIsGood
	return standing, nil
}

// Dates returns the window of an event's call by its dates alone.
func Dates(event *models.Event) Window {
	return Window{Opens: event.CFPOpensAt, Closes: event.CFPClosesAt}
}

// WindowOf returns the window of an event's call for everybody, with the number of its submissions if there is a limit.
func WindowOf(ctx context.Context, s *models.Store, event *models.Event, form *Form) (Window, error) {
	w := Dates(event)
	if w.Most = form.MaxTotal; w.Most == nil {
		return w, nil
	}
	intake, err := s.Programme(event, store.By{}).Intake(ctx)
	if err != nil {
		return w, err
	}
	for _, status := range taking {
		w.Taken += intake.Statuses[status]
	}
	return w, nil
}

// taking are the statuses in which a submission counts towards the limits.
var taking = []models.Status{models.Pending, models.AcceptQueue, models.Accepted, models.DeclineQueue, models.Declined}

// filesOf is answerFiles for a form, which may ask for no files.
func filesOf(db *gorm.DB, form *Form, eventID, sessionID string) (map[string]*models.File, error) {
	if !slices.ContainsFunc(append(form.Questions(), form.Removed...),
		func(q *Question) bool { return q.Type == field.File }) {
		return map[string]*models.File{}, nil
	}
	return answerFiles(db, eventID, sessionID)
}

// answerFiles returns the files that answer questions of a submission, by key.
func answerFiles(db *gorm.DB, eventID, sessionID string) (map[string]*models.File, error) {
	files := map[string]*models.File{}
	var rows []struct {
		Of string
		models.File
	}
	err := db.Table("proposal_files x").Joins("JOIN files f ON f.id = x.file_id").Select("x.key AS of, f.*").
		Where("x.event_id = ? AND x.session_id = ?", eventID, sessionID).Find(&rows).Error
	for _, row := range rows {
		files[row.Of] = &row.File
	}
	return files, err
}

// InWords returns a value of a question in words; of a file, its name.
func (f *Form) InWords(q *Question, value string, file *models.File) string {
	switch {
	case file != nil:
		return file.Name
	case q.Family() != "":
		return f.nameOf(q.Key, value)
	case q.Standard != "":
		return value
	case q.Type == field.Date:
		return field.DateInWords(value)
	}
	return q.answerOf(value)
}

// Others returns the people on the proposal besides the place's owner, in order.
func (p *Proposal) Others() []*models.Participant {
	return slices.DeleteFunc(slices.Clone(p.Participants), func(x *models.Participant) bool { return x.ContactID == p.ContactID })
}

// Clock returns a moment by the event's clock in words: "1 March 2027, 23:59 Berlin".
func Clock(t store.Time, event *models.Event) string {
	return t.In(event.Location()).Format("2 January 2006, 15:04 ") + City(event.Timezone)
}

// City returns the city of a time zone: "New York" for America/New_York.
func City(zone string) string {
	return strings.ReplaceAll(zone[strings.LastIndex(zone, "/")+1:], "_", " ")
}
