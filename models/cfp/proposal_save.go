package cfp

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/people"
	"lectern/models/store"
)

// Saving is what somebody sends to be saved.
type Saving struct {
	Values Values // as typed; a question that is not among them keeps its answer
	Token  string // of the proposal as it was read; "" forces the write
}

var errStaleProposal = store.Outdated("This proposal was changed elsewhere since you opened it, in another tab or by " +
	"somebody who speaks along.")

// Save keeps the answers of a proposal. Those that break a rule stay as they were and are told of in faults; all others
// are kept. What was submitted must stay complete: an answer that it cannot do without, or one that is too long now,
// has Save answer Invalid, by the keys, and keep nothing. It answers NotFound, Stale when the token is outdated, and a
// refusal (IsRefused) once nothing may be written. It answers TooMany, by the key of the longest text, for more changes
// of what was submitted than may come in an hour from an address that nobody has proven.
//
// A draft is saved without a word: nothing is emitted and no line is kept. A change of what was submitted emits
// session.updated. Staff are bound neither by what is missing nor by how many may choose something, and each change of
// theirs emits session.updated.
func (pl *Place) Save(ctx context.Context, event *models.Event, id string, in Saving) (p *Proposal, faults []Fault,
	err error) {
	form, err := FormOf(ctx, pl.store, event)
	if err != nil {
		return nil, nil, err
	}
	err = pl.store.Write(ctx, func(tx *store.Tx) error {
		ctx := tx.Within(ctx)
		about, err := pl.saveAbout(ctx, event, form, id, &in, &faults)
		if err != nil {
			return err
		}
		quietly, err := pl.quietly(ctx, event, id)
		if err != nil {
			return err
		}
		p, err = pl.edit(ctx, event, form, id, quietly, func(tx *store.Tx, p *Proposal) (models.SessionChange, error) {
			rights := p.Rights(tx.Now)
			switch {
			case !rights.Writes():
				return models.SessionChange{}, refused(rights.Why)
			case in.Token != "" && in.Token != p.Token():
				return models.SessionChange{}, errStaleProposal
			}
			v, wrong, err := p.accept(in.Values, rights)
			if err != nil {
				return models.SessionChange{}, err
			}
			faults = append(faults, wrong...)
			return p.change(v), p.checkPlaces(tx, v)
		})
		if err != nil || quietly {
			return err
		}
		return pl.maySay(tx, event, about)
	})
	return p, faults, err
}

// edit changes the session of a proposal once it is held, and returns it as it is then; quietly that of a draft. The
// operation joins the transaction at hand. It answers Stale when the draft was submitted meanwhile, and TooMany as Save
// does.
func (pl *Place) edit(ctx context.Context, event *models.Event, form *Form, id string, quietly bool,
	decide func(*store.Tx, *Proposal) (models.SessionChange, error)) (*Proposal, error) {
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (p *Proposal, err error) {
		ctx := tx.Within(ctx)
		s, err := pl.in(event).EditSession(ctx, id, models.SessionEdit{Draft: quietly, Names: true,
			Decide: func(tx *store.Tx, s *models.Session, _ []*models.Participant) (c models.SessionChange, err error) {
				standing, err := pl.standing(ctx, event, id)
				if err != nil {
					return c, err
				}
				if p, err = pl.assemble(ctx, event, form, s, standing); err != nil {
					return c, err
				}
				if quietly && p.IsSubmitted() {
					return c, errStaleProposal
				}
				return decide(tx, p)
			}})
		if store.KindOf(err) == store.NotFound {
			return nil, errNoProposal
		}
		if err != nil {
			return nil, err
		}
		before, was := p.Session, p.Values
		p.Session, p.Values = s, form.ValuesOf(s, p.About, p.Files)
		return p, pl.mayEdit(tx, p, before, was)
	})
}

// isDraft tells of a proposal that was not submitted, before it is held.
func (pl *Place) isDraft(ctx context.Context, event *models.Event, id string) (bool, error) {
	if !store.IsID(id) {
		return false, errNoProposal
	}
	var status []models.Status
	err := pl.read(ctx).Model(&models.Session{}).Where("event_id = ? AND id = ?", event.ID, id).Pluck("status",
		&status).Error
	return len(status) > 0 && status[0] == models.Draft, err
}

// quietly tells whether a change is kept without a word: what people change of a draft of theirs.
func (pl *Place) quietly(ctx context.Context, event *models.Event, id string) (bool, error) {
	if pl.isLent {
		return false, nil
	}
	return pl.isDraft(ctx, event, id)
}

// accept takes of what somebody sent what may be kept: faults are of answers that break a rule, which stay as they
// were. It answers Invalid for what a proposal that was submitted cannot be without, but not to staff.
func (p *Proposal) accept(sent Values, rights Rights) (Values, []Fault, error) {
	typed := Values{}
	for _, q := range p.Form.Questions() {
		value, isSent := sent[q.Key]
		switch {
		case !isSent, q.Type == field.File, !rights.Answer && q.Required != Later, q.Standard == Biography, p.IsElsewhere(q):
			value = p.Values[q.Key]
		}
		typed[q.Key] = value
	}
	v, faults, err := p.Form.keepable(typed, p.Values)
	if err != nil {
		return nil, nil, err
	}
	if p.IsSubmitted() && !p.byStaff {
		if wrong := append(faults, p.broken(v)...); len(wrong) > 0 {
			return nil, nil, invalid(wrong)
		}
	}
	return v, faults, nil
}

// IsElsewhere tells of a question whose answer is the text of the session that the proposal is one with, and changed
// there, or a text that staff approved as that of a part.
func (p *Proposal) IsElsewhere(q *Question) bool {
	return (p.CompositionStatus.IsReadOnly || p.isApprovedPart()) && (q.Standard == Title || q.Standard == Description)
}

// broken are the faults that answers would have and those that are kept have not.
func (p *Proposal) broken(v Values) []Fault {
	before := p.Form.Unfinished(p.Values)
	return slices.DeleteFunc(p.Form.Unfinished(v), func(f Fault) bool {
		return slices.ContainsFunc(before, func(was Fault) bool { return was.Key == f.Key })
	})
}

// invalid is the error of faults, by the keys of their questions.
func invalid(wrong []Fault) error {
	var faults store.Faults
	for _, f := range wrong {
		faults = append(faults, store.FieldError{Field: f.Key, Message: f.Message})
	}
	return faults.Err()
}

// change is what becomes of a session with these answers.
func (p *Proposal) change(v Values) models.SessionChange {
	f := p.Form
	c := models.SessionChange{SessionInput: models.SessionInput{
		CustomFields: new(models.AnswersInput(f.Answers(v, p.Files, p.CustomFields)))}}
	if title := v[string(Title)]; title != "" {
		c.Title = &title
	}
	if f.Question(string(Description)) != nil && v[string(Description)] != p.Values[string(Description)] {
		c.Description = new(AsHTML(v[string(Description)]))
	}
	for standard, to := range map[Standard]*store.Optional[string]{
		Track: &c.TrackID, Format: &c.FormatID, Level: &c.LevelID,
	} {
		if f.Question(string(standard)) != nil {
			*to = store.Optional[string]{Set: true}
			if id := v[string(standard)]; id != "" {
				to.Value = &id
			}
		}
	}
	return c
}

// saveAbout keeps the biography that somebody typed as that of their profile, before the proposal is held, and returns
// it if it was kept.
func (pl *Place) saveAbout(ctx context.Context, event *models.Event, form *Form, id string, in *Saving,
	faults *[]Fault) (kept map[string]string, err error) {
	q := form.Question(string(Biography))
	typed, sent := in.Values[string(Biography)]
	if q == nil || !sent || pl.contactID == "" {
		return nil, nil
	}
	about, err := pl.about(ctx, nil)
	typed = strings.TrimSpace(lineBreaks.Replace(typed))
	if err != nil || typed == AsText(about) {
		return nil, err
	}
	p, err := pl.proposal(ctx, event, form, id)
	if err != nil || !p.Rights(pl.store.Now()).Answer { // Save says so
		return nil, err
	}
	if err := p.takesAbout(q, typed, in.Token); err != nil {
		return nil, err
	}
	_, err = pl.changeSelf(ctx, pl.directory(), people.Change{
		Values: map[string]string{"about": AsHTML(typed)}, Unsaid: !p.IsSubmitted() && !pl.isLent})
	if errors.Is(err, models.ErrShared) {
		*faults = append(*faults, Fault{Key: q.Key, Label: q.Label, Message: "Other events show it too. Ask for a link by " +
			"mail, open it in this browser, then change it.", Sentence: "“" + q.Label + "” is shown by other events too"})
		return nil, nil
	}
	if store.KindOf(err) == store.Invalid {
		*faults = append(*faults, Fault{Key: q.Key, Label: q.Label, Message: "Too long. Shorten it.",
			Sentence: "“" + q.Label + "” is too long"})
		return nil, nil
	}
	if err == nil && in.Token != "" { // it was that of the biography before
		p.About, err = pl.about(ctx, nil)
		in.Token = p.Token()
	}
	return map[string]string{string(Biography): typed}, err
}

// takesAbout refuses another biography when the proposal changed since it was read, or must stay complete and would
// not.
func (p *Proposal) takesAbout(q *Question, typed, token string) error {
	if token != "" && token != p.Token() {
		return errStaleProposal
	}
	if wrong := q.lacks(typed); p.IsSubmitted() && !p.byStaff && len(wrong) > 0 {
		return invalid(wrong)
	}
	return nil
}

// lacks are the faults of a value that a submission cannot have.
func (q *Question) lacks(value string) []Fault {
	if value == "" && q.Required == Required {
		return []Fault{q.missing()}
	}
	if fault, long := q.tooLong(value); long {
		return []Fault{fault}
	}
	return nil
}
