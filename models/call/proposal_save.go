package call

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

// Saving holds the answers to be saved.
type Saving struct {
	Values Values // as typed; a question that is missing here keeps its answer
	Token  string // the proposal's token as it was read; "" forces the write
}

var errStaleProposal = store.Outdated("This proposal was changed elsewhere since you opened it, in another tab or by " +
	"somebody who speaks along.")

// Save stores the answers of a proposal. Answers that break a rule stay as they were and are returned as faults; all
// others are stored. A submission must stay complete: if a required answer is missing or one becomes too long, Save
// answers Invalid, by the keys, and stores nothing. It answers NotFound; Stale when the token is outdated; a refusal
// (IsRefused) once nothing may be written; and TooMany, by the key of the longest text, beyond the hour's limit of
// changes to submissions from an unproven address.
//
// Saving a draft emits and records nothing. A change of a submission emits session.updated. For staff neither required
// answers nor limits of choices count, and each of their changes emits session.updated.
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

// edit changes the session of a proposal once it is locked, and returns the proposal after the change; with quietly, as
// a draft. It runs within the transaction in ctx, if any. It answers Stale if the draft was submitted meanwhile, and
// TooMany as Save does.
func (pl *Place) edit(ctx context.Context, event *models.Event, form *Form, id string, quietly bool,
	decide func(*store.Tx, *Proposal) (models.SessionChange, error)) (*Proposal, error) {
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (p *Proposal, err error) {
		ctx := tx.Within(ctx)
		s, err := pl.At(event).EditSession(ctx, id, models.SessionEdit{Draft: quietly, Names: true,
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

// isDraft reports whether a proposal is not submitted yet. It reads without a lock.
func (pl *Place) isDraft(ctx context.Context, event *models.Event, id string) (bool, error) {
	if !store.IsID(id) {
		return false, errNoProposal
	}
	var status []models.Status
	err := pl.read(ctx).Model(&models.Session{}).Where("event_id = ? AND id = ?", event.ID, id).Pluck("status",
		&status).Error
	return len(status) > 0 && status[0] == models.Draft, err
}

// quietly reports whether a change emits and records nothing, as people's changes of their drafts do.
func (pl *Place) quietly(ctx context.Context, event *models.Event, id string) (bool, error) {
	if pl.isLent {
		return false, nil
	}
	return pl.isDraft(ctx, event, id)
}

// accept returns the values that may be stored. Answers that break a rule stay as they were and are returned as faults.
// Unless staff save, it answers Invalid for a submission that would not stay complete.
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

// IsElsewhere reports whether a question's answer cannot be changed here, because it is the text of the session that
// the proposal shares, or a text that staff approved as that of a part.
func (p *Proposal) IsElsewhere(q *Question) bool {
	return (p.CompositionStatus.IsReadOnly || p.isApprovedPart()) && (q.Standard == Title || q.Standard == Description)
}

// broken returns the faults of answers that the stored answers do not have.
func (p *Proposal) broken(v Values) []Fault {
	before := p.Form.Unfinished(p.Values)
	return slices.DeleteFunc(p.Form.Unfinished(v), func(f Fault) bool {
		return slices.ContainsFunc(before, func(was Fault) bool { return was.Key == f.Key })
	})
}

// invalid returns the error of faults, by the keys of their questions.
func invalid(wrong []Fault) error {
	field := func(f Fault) store.FieldError { return store.FieldError{Field: f.Key, Message: f.Message} }
	return store.Faults(store.Map(wrong, field)).Err()
}

// change returns the change of the session with these answers.
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
	for standard, to := range map[StandardField]*store.Optional[string]{
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

// saveAbout stores a typed biography in the profile of the place's owner, before the proposal is locked, and returns it
// if it was stored.
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
	if err != nil || !p.Rights(pl.store.Now()).Answer { // Save answers with the refusal
		return nil, err
	}
	if err := p.takesAbout(q, typed, in.Token); err != nil {
		return nil, err
	}
	_, err = pl.changeSelf(ctx, pl.directory(), people.Change{
		Values: map[string]string{"about": AsHTML(typed)}, NoActivity: !p.IsSubmitted() && !pl.isLent})
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
	if err == nil && in.Token != "" { // the token covered the previous biography
		p.About, err = pl.about(ctx, nil)
		in.Token = p.Token()
	}
	return map[string]string{string(Biography): typed}, err
}

// takesAbout answers Stale for a biography if the proposal changed since it was read, and Invalid if a submission would
// not stay complete.
func (p *Proposal) takesAbout(q *Question, typed, token string) error {
	if token != "" && token != p.Token() {
		return errStaleProposal
	}
	if wrong := q.lacks(typed); p.IsSubmitted() && !p.byStaff && len(wrong) > 0 {
		return invalid(wrong)
	}
	return nil
}

// lacks returns the fault of a value that a submission cannot have, if any.
func (q *Question) lacks(value string) []Fault {
	if value == "" && q.Required == Required {
		return []Fault{q.missing()}
	}
	if fault, long := q.tooLong(value); long {
		return []Fault{fault}
	}
	return nil
}
