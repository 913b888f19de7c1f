package cfp

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/cfp"
)

// proposalOf is the proposal of the address.
func (v *visit) proposal() (*cfp.Proposal, error) {
	return v.place.Proposal(v.ctx(), v.event, v.Params("id"))
}

// at is an address below that of a proposal.
func (v *visit) at(p *cfp.Proposal, parts ...string) string {
	return v.path(append([]string{"place/proposals", p.ID}, parts...)...)
}

// proposalForm is the form of a proposal; with check it says what is still missing.
func proposalForm(v *visit) error {
	p, err := v.proposal()
	if err != nil {
		return err
	}
	if !p.Rights(v.w.store.Now()).Writes() {
		return v.SeeInstead(v.at(p, "check"))
	}
	s := formState{values: p.Values}
	if v.Query("check") != "" {
		s.faults = p.Unfinished()
	}
	return v.formPage(http.StatusOK, p, s)
}

// formState is what the form of a proposal shows beside what is kept.
type formState struct {
	values  cfp.Values
	faults  []cfp.Fault
	notKept bool // the faults are of what was sent
	lost    []pages.LostAnswer
	invite  pages.PeopleView // what was typed to invite somebody
}

func (v *visit) formPage(status int, p *cfp.Proposal, s formState) error {
	now := v.w.store.Now()
	rights := p.Rights(now)
	places, err := p.Form.PlacesOf(v.w.store.Read(v.ctx()), p.ID)
	if err != nil {
		return err
	}
	f := pages.FormPage{Public: v.sheet("Your proposal"), Action: v.at(p, "edit"), UpdatedAt: p.Token(), Faults: s.faults,
		NotKept: s.notKept, Lost: s.lost, Submitted: p.IsSubmitted(), OnlyOwed: !rights.Answer, Own: v.at(p)}
	f.Scripts = []string{pages.QuestionScript, pages.FormScript}
	f.Questions = p.Form.QuestionsTo
	if len(s.faults) > 0 {
		f.Title = "Error: " + f.Title
	}
	if !p.IsSubmitted() {
		f.SaveTo = v.at(p, "save")
	}
	if account := v.place.Account(); v.w.options.Mail != nil && !p.IsSubmitted() {
		f.Account, f.SendAgain = account.Masked(), v.at(p, "edit")
	}
	_, f.Closes, f.Days = v.clocks(p.Standing.Window)
	f.Parts = v.parts(p, s, places, !rights.Answer)
	for _, part := range f.Parts {
		for _, q := range part.Questions {
			if q.Type != "file" {
				f.First = append(f.First, components.Hidden{Name: components.FirstPrefix + q.Field(), Value: p.Values[q.Key]})
			}
		}
	}
	if !s.notKept {
		f.Saved = p.UpdatedAt.In(v.zone()).Format("15:04")
	}
	f.People = v.people(p, s.invite)
	return v.Render(status, pages.Form(f))
}

// parts are those of the form; of an accepted proposal only what it owes.
func (v *visit) parts(p *cfp.Proposal, s formState, places cfp.Places, onlyOwed bool) (shown []pages.PartView) {
	for _, part := range pages.Parts(p.Form, s.values, s.faults, p.Files) {
		var questions []pages.QuestionView
		for _, q := range part.Questions {
			if onlyOwed && q.Required != cfp.Later {
				continue
			}
			if q.File != nil {
				q.FileURL = v.at(p, "files", q.Key)
			}
			for i, offer := range p.Form.Offered(q.Question) {
				if offer.Limit > 0 && places.Left(q.Key, offer) == 0 {
					q.Choices[i].Full = true
				}
			}
			questions = append(questions, q)
		}
		if part.Questions = questions; len(questions) > 0 || !onlyOwed {
			shown = append(shown, part)
		}
	}
	return shown
}

// people are those who speak, and who was asked to.
func (v *visit) people(p *cfp.Proposal, typed pages.PeopleView) pages.PeopleView {
	rights := p.Rights(v.w.store.Now())
	typed.MayInvite = rights.Invite
	typed.Most = fmt.Sprintf("Up to %d speakers.", p.Form.MaxSpeakers)
	asked := map[string]*cfp.CoSpeaker{}
	for _, c := range p.Asked {
		if c.State == cfp.Joined {
			asked[c.ContactID] = c
		}
	}
	for _, x := range p.Participants {
		row := pages.PersonView{Name: x.FullName, About: string(x.Role)}
		if x.ContactID == p.ContactID {
			row.About = "You"
		}
		if x.About != "" {
			row.Look, row.Icon, row.State = "accepted", "check", "Profile filled"
		}
		if c := asked[x.ContactID]; c != nil {
			row.ID, row.MayRemove = c.ID, rights.Invite && x.ContactID != p.ContactID
		}
		typed.Rows = append(typed.Rows, row)
	}
	for _, c := range p.Asked {
		day := c.CreatedAt.In(v.event.Location()).Format("2 Jan")
		row := pages.PersonView{ID: c.ID, Name: nameOf(c), About: c.Email, MayRemove: rights.Invite}
		switch c.State {
		case cfp.Invited:
			row.IsWaiting, row.Look, row.Icon, row.State = true, "pending", "clock", "Invited "+day
			typed.Waiting++
		case cfp.Refused:
			row.Look, row.Icon, row.State = "declined", "x", "Said no"
		default:
			continue
		}
		typed.Rows = append(typed.Rows, row)
	}
	return typed
}

func nameOf(c *cfp.CoSpeaker) string {
	if c.Name != "" {
		return c.Name
	}
	return c.Email
}

// saveForm takes the form of a proposal. Whatever its button does besides, what was typed is saved first.
func saveForm(v *visit) error {
	p, err := v.proposal()
	if err != nil {
		return err
	}
	sent := p.Form.Read(v.Values)
	saved, faults, err := v.save(p, sent)
	if store.KindOf(err) == store.Stale {
		if p, err = v.proposal(); err != nil {
			return err
		}
		return v.conflictPage(p, v.edited(p, sent))
	}
	switch {
	case cfp.IsRefused(err):
		return v.notSaved(p, sent, err.Error())
	case store.KindOf(err) == store.Invalid:
		return v.formPage(http.StatusUnprocessableEntity, p, formState{values: sentOver(p, sent), faults: p.Form.Faults(err),
			notKept: true, lost: v.lost(p.Form)})
	case err != nil:
		return err
	}
	s := formState{faults: faults, notKept: len(faults) > 0, lost: v.lost(p.Form), values: maps.Clone(saved.Values)}
	for _, fault := range faults {
		s.values[fault.Key] = sent[fault.Key]
	}
	if saved, err = v.keepFiles(saved, &s); err != nil {
		return err
	}
	return v.press(saved, s)
}

// save keeps what was sent. What came too late is kept too where nobody changed an answer meanwhile: somebody joined, or
// the same was typed. It answers as Save does.
func (v *visit) save(p *cfp.Proposal, sent cfp.Values) (*cfp.Proposal, []cfp.Fault, error) {
	saved, faults, err := v.place.Save(v.ctx(), v.event, p.ID, cfp.Saving{Values: sent, Token: v.Value("updated_at")})
	if store.KindOf(err) != store.Stale {
		return saved, faults, err
	}
	now, missing := v.proposal()
	if missing != nil {
		return nil, nil, missing
	}
	if clash(v.edited(now, sent)) {
		return nil, nil, err
	}
	return v.place.Save(v.ctx(), v.event, p.ID, cfp.Saving{Values: sent, Token: now.Token()})
}

// sentOver are values with what was sent in their place.
func sentOver(p *cfp.Proposal, sent cfp.Values) cfp.Values {
	values := maps.Clone(p.Values)
	for _, q := range p.Form.Questions() {
		if q.Type != "file" {
			values[q.Key] = sent[q.Key]
		}
	}
	return values
}

// lost is what was typed for questions that were taken out of the form meanwhile.
func (v *visit) lost(form *cfp.Form) (lost []pages.LostAnswer) {
	for _, q := range form.Removed {
		text := strings.TrimSpace(strings.Join(v.Values(q.Field()), ", "))
		if text != "" && plain(text) != plain(v.FirstValue(q.Field())) {
			lost = append(lost, pages.LostAnswer{Label: q.Label, Text: text})
		}
	}
	return lost
}

// plain is a text as it is compared: a browser sends \r\n.
func plain(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// keepFiles takes the files that came with the form, and removes the one whose button was pressed.
func (v *visit) keepFiles(p *cfp.Proposal, s *formState) (*cfp.Proposal, error) {
	if key := v.Value("remove_file"); key != "" {
		return v.changedFile(p, s, key, func() (*cfp.Proposal, error) {
			return v.place.RemoveFile(v.ctx(), v.event, p.ID, key)
		})
	}
	for _, q := range p.Form.Questions() {
		upload, given, err := v.upload(q.Field())
		if q.Type != "file" || !given {
			continue
		}
		if err == nil {
			p, err = v.changedFile(p, s, q.Key, func() (*cfp.Proposal, error) {
				return v.place.AttachFile(v.ctx(), v.event, p.ID, q.Key, upload)
			})
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// changedFile is the proposal after its file was changed; a file that is refused is a fault of the form.
func (v *visit) changedFile(p *cfp.Proposal, s *formState, key string, change func() (*cfp.Proposal,
	error)) (*cfp.Proposal, error) {
	now, err := change()
	switch kind := store.KindOf(err); {
	case kind == store.Invalid && !cfp.IsRefused(err):
		s.faults, s.notKept = append(s.faults, p.Form.Faults(err)...), true
		return p, nil
	case kind == store.NotFound: // the question is not asked any more
		v.KeepNotice("warn", "The file was not kept: the form does not ask for it any more.")
		return p, nil
	case err != nil:
		return nil, err
	}
	if s.values[key] = ""; now.Files[key] != nil {
		s.values[key] = now.Files[key].ID
	}
	return now, nil
}

// upload is the file of a field of the form, if one was chosen.
func (v *visit) upload(field string) (u models.Upload, given bool, err error) {
	form, err := v.MultipartForm()
	if err != nil || len(form.File[field]) == 0 || form.File[field][0].Filename == "" {
		return u, false, nil
	}
	u, err = uploaded(form.File[field][0])
	return u, true, err
}
