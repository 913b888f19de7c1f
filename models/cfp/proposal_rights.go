package cfp

import (
	"errors"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Rights are what somebody may do with a proposal now.
type Rights struct {
	Answer   bool // change any answer
	Owed     bool // answer what an accepted proposal still owes, and nothing else
	Submit   bool
	Invite   bool // people to speak along, and take back
	Withdraw bool
	Undo     bool   // the withdrawal
	Why      string // Answer is false, in a sentence
}

// Writes tells whether any answer may be changed.
func (r Rights) Writes() bool { return r.Answer || r.Owed }

// withdrawable are the statuses that somebody can withdraw from.
var withdrawable = []models.Status{models.Pending, models.AcceptQueue, models.DeclineQueue, models.Accepted}

// Rights say what whose place it is may do now. Staff, in their stead, answer whatever the window, a lock or a decision
// says.
func (p *Proposal) Rights(now store.Time) Rights {
	if p.byStaff {
		return Rights{Answer: true, Submit: !p.IsSubmitted()}
	}
	mine := p.IsMine()
	r := Rights{Why: p.why(now)}
	r.Answer = r.Why == ""
	r.Owed = !r.Answer && p.Status == models.Accepted && p.Standing.LockedAt == nil && p.Form.owes()
	r.Submit = mine && r.Answer && !p.IsSubmitted()
	r.Invite = mine && r.Answer
	r.Withdraw = mine && slices.Contains(withdrawable, p.Status)
	r.Undo = mine && p.canUndo()
	return r
}

// canUndo tells of a withdrawal after which nothing happened.
func (p *Proposal) canUndo() bool {
	at := p.Standing.WithdrawnAt
	return p.Status == models.Withdrawn && at != nil && at.Equal(p.UpdatedAt.Time)
}

// isApprovedPart tells of one whose text staff approved as that of a part of a session. They themselves change it.
func (p *Proposal) isApprovedPart() bool {
	return p.Standing.IsApproved && p.Event.AsksApproval && !p.byStaff
}

// why says why answers may not be changed, "" when they may.
func (p *Proposal) why(now store.Time) string {
	switch {
	case p.Standing.LockedAt != nil:
		return "The organizers locked this proposal. Write to them if something has to change."
	case p.Status == models.Withdrawn:
		return "This proposal is withdrawn."
	case p.Status == models.Declined:
		return "The organizers have decided, so the answers stay as they are."
	case p.isApprovedPart() && !p.CompositionStatus.IsReadOnly:
		return "The organizers approved this text as a part of the programme. Write to them if something has to change."
	case p.CompositionStatus.IsReadOnly:
		return "The organizers look after the text of this proposal by now. Write to them if something has to change."
	}
	return p.Standing.Window.why(now, p.IsSubmitted(), p.Event)
}

func (w Window) why(now store.Time, isSubmitted bool, event *models.Event) string {
	switch w.Phase(now) {
	case NoCall:
		return "The call for papers is not open at present."
	case NotYet:
		return "The call for papers opens on " + Clock(*w.Opens, event) + "."
	case Closed:
		if isSubmitted {
			return "The call closed on " + Clock(*w.End(), event) + ", so the answers stay as they are."
		}
		return "The call closed on " + Clock(*w.End(), event) + ". What was not submitted is kept, read only."
	}
	return ""
}

// refused is the error of somebody who may not do something now, in a sentence.
func refused(why string) error {
	return &store.Error{Kind: store.Invalid, Message: why, Fields: []store.FieldError{{Field: "call", Message: why}}}
}

// IsRefused tells of an error that says why somebody may not write now, whatever they write.
func IsRefused(err error) bool {
	e, found := errors.AsType[*store.Error](err)
	return found && e.Kind == store.Invalid && slices.ContainsFunc(e.Fields,
		func(f store.FieldError) bool { return f.Field == "call" })
}

// owes tells of a form with questions that are answered once a proposal is accepted.
func (f *Form) owes() bool {
	return slices.ContainsFunc(f.Questions(), func(q *Question) bool { return q.Required == Later })
}
