package sessions

import (
	"cmp"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// callPartOf returns what a record's page shows of the call for papers; nil where there is nothing to show or to do.
func callPartOf(v *visit.Visit, s *models.Session, r *call.Record) *pages.CallPart {
	if s.DeletedAt != nil || !s.IsAbstract && len(r.Participations) == 0 {
		return nil
	}
	organizes := v.May(staff.Organizer)
	p := &pages.CallPart{Base: v.At("/sessions/" + s.ID), Token: s.UpdatedAt.String(), Stands: callStands(v, s, r),
		Facts: callFacts(v, s, r, organizes), MayChange: organizes && s.IsAbstract, IsDraft: s.Status == models.Draft,
		IsLocked: r.LockedAt != nil, IsOpen: isAhead(v, r.OpenUntil), Zone: page.City(v.Event.Timezone),
		CanTakeUp: s.Status == models.Withdrawn && r.WithdrawnFrom != ""}
	p.People = store.Map(s.Participants, func(x *models.Participant) pages.CallPerson {
		return callPerson(v, x, s, r, organizes)
	})
	for _, x := range r.Asked {
		asked := pages.CallAsked{Name: cmp.Or(x.Name, "Somebody"), Role: components.StatusName(string(x.Role)),
			State: map[string]string{call.Invited: "has not answered", call.Joined: "joined", call.Refused: "said no"}[x.State]}
		if organizes {
			asked.Email = x.Email
		}
		p.Asked = append(p.Asked, asked)
	}
	if p.Stands == "" && len(p.Facts)+len(p.Asked)+len(r.Participations) == 0 && !p.MayChange {
		return nil
	}
	return p
}

func isAhead(v *visit.Visit, t *store.Time) bool { return t != nil && t.After(v.Options.Now()) }

// callStands says who began a submission, and when it was submitted.
func callStands(v *visit.Visit, s *models.Session, r *call.Record) string {
	by := cmp.Or(r.BeganByName, "somebody who is gone")
	zone := v.Event.Location()
	switch {
	case r.BeganBy == "" && s.Status == models.Draft:
		return "A draft of the staff's, not submitted."
	case r.BeganBy == "":
		return ""
	case s.Status == models.Draft:
		return "Draft of " + by + ", begun " + page.When(r.BeganAt, zone) + ", not submitted."
	case r.SubmittedAt == nil:
		return "Begun by " + by + ", " + page.When(r.BeganAt, zone) + "."
	}
	return "Submitted by " + by + ", " + page.When(r.SubmittedAt, zone) + "."
}

func callFacts(v *visit.Visit, s *models.Session, r *call.Record, organizes bool) (facts []pages.Fact) {
	zone := v.Event.Location()
	add := func(is bool, name, text string) {
		if is {
			facts = append(facts, pages.Fact{Name: name, Text: text})
		}
	}
	add(r.Code != "" && organizes, "Access code", visit.JoinWords(": ", r.Code, r.CodeNote))
	add(r.LockedAt != nil, "Locked", "Since "+page.When(r.LockedAt, zone)+", its people cannot change it")
	add(isAhead(v, r.OpenUntil), "Open", "For its people until "+page.When(r.OpenUntil, zone))
	if r.WithdrawnFrom != "" && s.Status == models.Withdrawn {
		add(true, "Withdrawn", page.When(r.WithdrawnAt, zone)+", when it was "+
			strings.ToLower(components.StatusName(string(r.WithdrawnFrom))))
		add(r.WithdrawnReason != "" && organizes, "Reason", r.WithdrawnReason)
	}
	return facts
}

// comes holds the badges of whether somebody comes: look, icon and words.
var comes = map[string][3]string{"yes": {"accepted", "check", "Comes"}, "no": {"declined", "x", "Cannot come"},
	"": {"draft", "circle-question", "No answer yet"}}

func callPerson(v *visit.Visit, x *models.Participant, s *models.Session, r *call.Record,
	organizes bool) pages.CallPerson {
	row := pages.CallPerson{ID: x.ContactID, Name: x.FullName, Place: map[call.Access]string{
		call.ByAddress: "Has a place here.", call.ByTyping: "Has a place here; their address is not confirmed yet.",
		"": "Was not at their place yet."}[r.Access[x.ContactID]]}
	look, isAsked := comes[""], s.Status == models.Accepted
	if answer := r.Participations[x.ContactID]; answer != nil {
		look, isAsked = comes[answer.Answer], true
		if organizes {
			row.Reason = answer.Reason
		}
	}
	if isAsked {
		row.Look, row.Icon, row.Comes = look[0], look[1], look[2]
	}
	if until, is := r.Extended[x.ContactID]; is && isAhead(v, &until) {
		row.Extended = page.When(&until, v.Event.Location())
	}
	return row
}
