package call

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

// press does what the pressed button is for, after everything was saved.
func (v *visit) press(p *call.Proposal, s formState) error {
	next, err := v.pressed(p, &s)
	if err != nil {
		return err
	}
	if len(s.Faults) > 0 || len(s.Lost) > 0 || s.invite.Fault != "" {
		if p, err = v.proposal(); err != nil {
			return err
		}
		status := http.StatusUnprocessableEntity
		if len(s.Faults) == 0 && s.invite.Fault == "" {
			status = http.StatusOK
		}
		return v.formPage(status, p, s)
	}
	return v.SeeInstead(next)
}

// pressed does it, and returns the address to go on to.
func (v *visit) pressed(p *call.Proposal, s *formState) (next string, err error) {
	edit, done := v.at(p, "edit"), v.Value("do")
	if v.Value("remind") != "" || v.Value("remove") != "" || done == "invite" {
		v.TellAt("people")
	}
	switch {
	case v.Value("remind") != "":
		_, err = v.place.RemindCoSpeaker(v.ctx(), v.event, p.ID, v.Value("remind"))
		return edit + "#people", v.leaveNotice(err, v.T("people.sentagain"))
	case v.Value("remove") != "":
		_, err = v.place.RemoveCoSpeaker(v.ctx(), v.event, p.ID, v.Value("remove"))
		return edit + "#people", v.leaveNotice(err, v.T("people.gone"))
	case done == "invite":
		return edit + "#people", v.invite(p, s)
	case done == "mail":
		return edit, v.mailAgain()
	case done == "check" && s.NotKept > 0:
		s.Faults = append(s.Faults, slices.DeleteFunc(p.Unfinished(), func(f call.Fault) bool {
			return slices.ContainsFunc(s.Faults, func(other call.Fault) bool { return other.Key == f.Key })
		})...)
	case done == "check" && len(p.Unfinished()) > 0:
		return edit + "?check=1", nil
	case done == "own":
		return v.ownOf(p), nil
	case done == "check":
		return v.at(p, "check"), nil
	case done == "done":
		v.KeepNotice("good", v.T("write.changessaved"))
		return v.at(p), nil
	}
	v.KeepNotice("good", v.T("write.issaved"))
	return edit, nil
}

// leaveNotice leaves a notice that something was done, or why not.
func (v *visit) leaveNotice(err error, done string) error {
	switch kind := store.KindOf(err); {
	case err == nil:
		v.KeepNotice("good", done)
	case kind == store.NotFound, kind == store.TooMany, call.IsRefused(err):
		v.KeepNotice("warn", v.say(err.Error()))
	default:
		return err
	}
	return nil
}

// invite invites a co-speaker.
func (v *visit) invite(p *call.Proposal, s *formState) error {
	a := call.Asking{Name: v.Value("invite_name"), Email: v.Value("invite_email"),
		Role: models.Role(v.Value("invite_role"))}
	asked, err := v.place.InviteCoSpeaker(v.ctx(), v.event, p.ID, a)
	if err == nil {
		if v.place.Account().IsConfirmed() {
			v.KeepNotice("good", v.T("people.goes", "Address", asked.Email))
		} else {
			v.KeepNotice("warn", v.T("people.goesonce", "Address", asked.Email))
		}
		return nil
	}
	if store.KindOf(err) != store.TooMany && store.KindOf(err) != store.Invalid {
		return err
	}
	s.invite = pages.PeopleView{Name: a.Name, Email: a.Email, Role: string(a.Role), Fault: err.Error(), Sentence: err.Error()}
	if faults := page.FaultsOf(err); store.KindOf(err) == store.Invalid && !call.IsRefused(err) {
		s.invite.Fault = faults[0].Message
		faults[0].Label = map[string]string{"email": v.T("form.quoted", "Text", a.Email),
			"name": v.T("people.thename")}[faults[0].Field]
		s.invite.Sentence = components.SentenceIn(v.ctx(), faults[0])
	}
	return nil
}

// mailAgain mails the link to their place once more.
func (v *visit) mailAgain() error {
	token, err := v.place.WayBack(v.ctx(), v.event)
	if err == nil && token == "" {
		return v.leaveNotice(nil, v.T("write.mailslate"))
	}
	if err == nil {
		v.mailWayBack(v.place.Account(), token)
	}
	return v.leaveNotice(err, v.T("write.mailagain"))
}

// clashes returns the choice between what the speaker typed into the form at an address and what is stored now. The
// text said tells what was changed: the fields, or otherwise where these are the same.
func (v *visit) clashes(token string, fields []page.Edited, at, said, otherwise string) *components.Conflict {
	c, changed := page.Clashes(token, fields)
	c.Who = v.T(said, "What", cmp.Or(strings.Join(changed, ", "), otherwise))
	c.Action, c.Discard = at, at
	return c
}

// conflictPage has the speaker choose.
func (v *visit) conflictPage(c *components.Conflict) error {
	return v.Render(http.StatusConflict, pages.Conflicting(pages.ConflictPage{Public: v.sheet(v.T("write.versions")),
		Conflict: *c}))
}

// autosave saves what is being typed, for the form's script, and answers how far the proposal is.
func autosave(v *visit, p *call.Proposal) error {
	saved, faults, err := v.sent(p).Save()
	answer := func(status int, problem string) error {
		return v.Status(status).JSON(map[string]string{"problem": problem})
	}
	switch kind := store.KindOf(err); {
	case kind == store.Stale:
		return answer(http.StatusConflict, v.T("write.othertab"))
	case kind == store.Invalid:
		return answer(http.StatusUnprocessableEntity, err.Error())
	case err != nil:
		return err
	}
	parts, wrong := map[string]string{}, map[string]string{}
	for _, part := range pages.Parts(saved.Form, saved.Values, nil, saved.Files) {
		parts[part.ID] = part.State(v.Language)
	}
	clock := v.TimeOf(v.w.store.Now().In(v.zone()))
	said := v.T("write.savedat", "Clock", clock)
	for _, fault := range faults {
		if q := saved.Form.Question(fault.Key); q != nil {
			wrong[q.Field()] = pages.FaultSentence(v.ctx(), fault)
		}
	}
	if len(wrong) > 0 {
		said = v.N("write.notkept", len(wrong)) + ": " + strings.Join(slices.Sorted(maps.Values(wrong)), "; ")
	}
	return v.JSON(map[string]any{"saved": clock, "said": said, "updated_at": saved.Token(), "parts": parts, "wrong": wrong})
}
