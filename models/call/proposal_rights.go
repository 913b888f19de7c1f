package call

import (
	"errors"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Rights say what somebody may do with a proposal now.
type Rights struct {
	Answer   bool // change any answer
	Owed     bool // answer what an accepted proposal still owes, and nothing else
	Submit   bool
	Invite   bool // invite co-speakers, and take invitations back
	Withdraw bool
	Undo     bool   // undo the withdrawal
	Why      string // why Answer is false, in a sentence
}

// Writes reports whether any answer may be changed.
func (r Rights) Writes() bool { return r.Answer || r.Owed }

// withdrawable are the statuses in which a proposal can be withdrawn.
var withdrawable = []models.Status{models.Pending, models.AcceptQueue, models.DeclineQueue, models.Accepted}

// Rights returns what the place's owner may do now. Staff who fill in for them may answer despite the window, a lock or
// a decision.
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
	at := p.Standing.WithdrawnAt // nothing may have happened to it since
	r.Undo = mine && p.Status == models.Withdrawn && at != nil && at.Equal(p.UpdatedAt.Time)
	return r
}

// isApprovedPart reports whether staff approved the proposal's text as a part of a session. Staff may still change it.
func (p *Proposal) isApprovedPart() bool {
	return p.Standing.IsApproved && p.Event.AsksApproval && !p.byStaff
}

// why returns why answers may not be changed, "" if they may.
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

// refused returns the refusal to somebody who may not do something now, with the reason as a sentence; see IsRefused.
func refused(why string) error {
	return &store.Error{Kind: store.Invalid, Message: why, Fields: []store.FieldError{{Field: "call", Message: why}}}
}

// IsRefused reports whether an error says why somebody may not write now, whatever they write.
func IsRefused(err error) bool {
	e, found := errors.AsType[*store.Error](err)
	return found && e.Kind == store.Invalid && slices.ContainsFunc(e.Fields,
		func(f store.FieldError) bool { return f.Field == "call" })
}

// owes reports whether the form has questions that are answered once a proposal is accepted.
func (f *Form) owes() bool {
	return slices.ContainsFunc(f.Questions(), func(q *Question) bool { return q.Required == Later })
}

// Phase says whether a call takes submissions at a moment.
type Phase string

// In a full call no more can be submitted; submissions may still be edited.
const (
	NoCall Phase = "none"
	NotYet Phase = "not yet"
	IsOpen Phase = "open"
	IsFull Phase = "full"
	Closed Phase = "closed"
)

// Window says from when until when a call takes proposals, and how many, for everybody or for one person. It is open at
// the moment it opens, and closed at the moment it closes.
type Window struct {
	Opens, Closes *store.Time
	Until         *store.Time // an extension for one person or proposal; nil for none
	Invited       bool        // by a valid code
	Taken         int64       // number of submissions
	Most          *int        // limit of submissions; nil for any number
}

// Phase returns the phase of the call at a moment.
func (w Window) Phase(now store.Time) Phase {
	switch {
	case w.Invited:
		return IsOpen
	case !w.isLonger(now) && w.Opens == nil && w.Closes == nil:
		return NoCall
	case !w.isLonger(now) && w.Opens != nil && now.Before(w.Opens.Time):
		return NotYet
	case !w.isLonger(now) && w.Closes != nil && !now.Before(w.Closes.Time):
		return Closed
	case w.Most != nil && w.Taken >= int64(*w.Most):
		return IsFull
	}
	return IsOpen
}

// isLonger reports whether an extension lets somebody write at this moment.
func (w Window) isLonger(now store.Time) bool { return w.Until != nil && now.Before(w.Until.Time) }

// End returns when the call ends for the person of the window; nil if no end is known.
func (w Window) End() *store.Time {
	if w.Invited && w.Until == nil {
		return nil
	}
	return later(w.Closes, w.Until)
}

// later returns the later of two moments, of which either may be nil.
func later(a, b *store.Time) *store.Time {
	if a == nil || b != nil && b.After(a.Time) {
		return b
	}
	return a
}

// DaysLeft returns the days until a moment as people count them: nights, in the event's zone.
func DaysLeft(now, end store.Time, event *models.Event) int {
	zone := event.Location()
	day := func(t time.Time) time.Time {
		t = t.In(zone)
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
	}
	return int(day(end.Time).Sub(day(now.Time)).Hours() / 24)
}
