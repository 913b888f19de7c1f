package admin

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// startMailing begins a letter to people, of whom those count who are in a directory, and leads to its page.
func (v *visit) startMailing(at *models.Programme, among *models.Directory, people []string, back, template string) error {
	m, err := at.StartMailing(v.UserContext(), among, people)
	if store.KindOf(err) == store.Invalid {
		text := "Nobody was ticked, so there is nobody to write to."
		if len(people) > 0 {
			text = components.Sentence(page.FaultsOf(err)[0])
		}
		v.KeepNotice("warn", text)
		return v.See(back, "")
	}
	if err != nil {
		return err
	}
	address := "/admin/events/" + at.Event().ID + "/letters/mailings/" + m.ID
	if template != "" {
		address += "?template=" + template
	}
	return v.lead(address)
}

// write adds to a bar what begins a letter to who is ticked: of the event, or from the organization's directory of one
// that is chosen, at which this person may.
func (r *roster) write(bar *pages.BulkBar) error {
	verb := pages.BulkVerb{Do: "write", Name: "Write a letter", Icon: "mail", Action: r.base + "/write"}
	if r.event != nil {
		bar.Verbs = append(bar.Verbs, verb, pages.BulkVerb{Do: "place", Name: "Invite to their place", Icon: "link",
			Action: verb.Action + "?template=" + models.PlaceText})
		return nil
	}
	events, err := r.mayWriteFor()
	if err != nil || len(events) == 0 {
		return err
	}
	place := pages.BulkVerb{Do: "place", Name: "Invite to their place", Icon: "link",
		Action: verb.Action + "?template=" + models.PlaceText}
	bar.Menus = append(bar.Menus, pages.BulkMenu{Name: "Write…", Parts: []pages.BulkPart{{Verb: verb,
		Fields: []pages.FilterField{{Name: "letter_of", Label: "Letter of", Options: r.eventChoices(events)}}}, {Verb: place}}})
	return nil
}

// mayWriteFor are the events of which this person may write letters.
func (v *visit) mayWriteFor() ([]*models.Event, error) {
	events, err := v.events()
	return slices.DeleteFunc(slices.Clone(events), func(e *models.Event) bool { return !v.user.RoleAt(e.ID).Covers(staff.Organizer) }), err
}

// eventChoices are events to choose from: the one that was looked at last first.
func (v *visit) eventChoices(events []*models.Event) []components.Option {
	return choices(events, func(e *models.Event) (string, string) { return e.ID, e.Name }, v.lastEvent(events).ID)
}

// speakersVerb adds to the bar of a list of sessions what begins a letter to their people.
func (v *visit) speakersVerb(bar *pages.BulkBar, kind string) {
	if kind == "trash" {
		return
	}
	parts := []pages.BulkPart{
		{Verb: pages.BulkVerb{Do: "write", Name: "Write to their people", Action: v.at("/" + kind + "/write")}},
		{Verb: pages.BulkVerb{Do: "place", Name: "Invite them to their place",
			Action: v.at("/"+kind+"/write") + "?template=" + models.PlaceText}}}
	if n := len(bar.Menus); n > 0 && bar.Menus[n-1].Name == more {
		bar.Menus[n-1].Parts = append(parts, bar.Menus[n-1].Parts...)
		return
	}
	bar.Menus = append(bar.Menus, pages.BulkMenu{Name: more, Parts: parts})
}

// starter is the text of ours that a letter begins with, where a button asks for one; "" for none.
func (v *visit) starter() string {
	if v.Query("template") == models.PlaceText {
		return models.PlaceText
	}
	return ""
}

// addressees are the ids of those who are ticked in a list, or of all who pass it. One more than a letter may be to is
// enough to refuse it.
func (r *roster) addressees() (ids []string, err error) {
	if r.Value("scope") != "all" {
		return r.Values("id"), nil
	}
	n, err := r.directory.Count(r.UserContext(), r.filter())
	if err != nil || n > models.MaxMailing {
		return make([]string, models.MaxMailing+1), err
	}
	return ids, r.directory.Each(r.UserContext(), r.filter(), models.ByName, func(people []*models.Person) error {
		for _, x := range people {
			ids = append(ids, x.ID)
		}
		return nil
	})
}

// writeToPeople begins a letter to those of an event who are ticked, or to somebody whose page it is.
func writeToPeople(v *visit) error {
	r, err := v.postedRoster()
	if err != nil {
		return err
	}
	people, err := r.addressees()
	if err != nil {
		return err
	}
	back := r.at(r.l)
	if v.Value("back") == "person" && len(people) == 1 && store.IsID(people[0]) {
		back = v.at("/speakers/" + people[0])
	}
	return v.startMailing(v.programme, r.directory, people, back, cmp.Or(v.Value("template"), v.starter()))
}

// writeToContacts begins a letter of an event to people of the organization's directory.
func writeToContacts(v *visit) error {
	at, err := v.organizedAt("letter_of")
	if err != nil {
		return err
	}
	r, err := v.postedRoster()
	if err != nil {
		return err
	}
	people, err := r.addressees()
	if err != nil {
		return err
	}
	return v.startMailing(at, r.directory, people, r.at(r.l), v.starter())
}

// organizedAt is the programme of the page's event, or else of the one that a field names, at which this person
// organizes.
func (v *visit) organizedAt(field string) (*models.Programme, error) {
	if v.event != nil {
		return v.programme, nil
	}
	event, role, err := v.store.EventFor(v.UserContext(), v.user, v.Value(field))
	if err != nil {
		return nil, err
	}
	if !role.Covers(staff.Organizer) {
		return nil, &forbidden{staff.Organizer}
	}
	return v.programmeOf(event), nil
}

// writeToSpeakers begins a letter to the people on sessions that are ticked in a list, or on all of it.
func writeToSpeakers(v *visit, kind string) error {
	posted := v.posted(kind)
	seen := posted.view()
	l, err := v.validListing(posted)
	if err != nil {
		return err
	}
	ids, q := v.Values("id"), (*models.SessionSearch)(nil)
	if v.Value("scope") == "all" {
		if l.view() != seen { // what is left of the listing has more rows than were looked at
			v.KeepNotice("warn", "The list was narrowed by a filter that is not there any more. Look at it as it is now, then select again.")
			return v.See(v.listAt(l), "")
		}
		ids, q = nil, new(l.search())
	}
	if len(ids) == 0 && q == nil {
		v.KeepNotice("warn", "Select at least one row first.")
		return v.See(v.listAt(l), "")
	}
	people, err := v.programme.SpeakersOf(v.UserContext(), ids, q)
	if err != nil {
		return err
	}
	if len(people) == 0 {
		v.KeepNotice("warn", "There is nobody on these sessions to write to.")
		return v.See(v.listAt(l), "")
	}
	return v.startMailing(v.programme, v.programme.Directory(), people, v.listAt(l), v.starter())
}

// askSendMailing says what happens before the letters of a mailing go out.
func askSendMailing(v *visit, m *models.MailingRow) error {
	here := v.mailingAt(m.ID)
	if m.Ready == 0 || v.options.Mail == nil {
		v.KeepNotice("warn", "There is no letter that can be sent.")
		return v.See(here, "")
	}
	n := counted(m.Ready, "letter", "letters")
	p := pages.ConfirmPage{Action: here + "/send", Cancel: here, Verb: "Send " + n, Keeps: true,
		Text:   n + " with the subject “" + v.subjectOf(m) + "”. " + waitsFirst(m.Ready),
		Hidden: []components.Hidden{{Name: "expected", Value: strconv.FormatInt(m.Ready, 10)}}}
	if v.options.MailFrom != "" {
		p.Points = append(p.Points, "From "+v.options.MailFrom+".")
	}
	if left := m.Drafts - m.Ready; left > 0 {
		p.Points = append(p.Points, counted(left, "draft stays", "drafts stay")+" here: "+number(m.NoReach)+
			" without an e-mail address, "+number(m.Missing)+" with a placeholder without a value.")
	}
	v.section = v.at("/letters")
	return v.ask("Send "+n+"?", p)
}

// waitsFirst says that what is sent can be taken back for a minute.
func waitsFirst(n int64) string {
	if n == 1 {
		return "It waits for a minute first, in which you can take it back."
	}
	return "They wait for a minute first, in which you can take all of them back."
}

func sendMailing(v *visit, m *models.MailingRow) error {
	return v.queueLetters(func(ctx context.Context, expected int64) (int64, error) {
		return v.programme.SendMailing(ctx, m.ID, expected)
	}, "?tab=outbox", "in line. Nothing leaves for a minute.")
}

func askDiscardMailing(v *visit, m *models.MailingRow) error {
	n := counted(m.Drafts, "draft", "drafts")
	p := pages.ConfirmPage{Action: v.mailingAt(m.ID) + "/discard", Cancel: v.mailingAt(m.ID), Verb: "Throw away " + n,
		Text: "Their text is gone then. It tells nobody."}
	if m.Drafts < m.People {
		p.Points = []string{"What was sent of this letter, or is on its way, stays."}
	}
	v.section = v.at("/letters")
	return v.ask("Throw away "+n+"?", p)
}

func discardMailing(v *visit, m *models.MailingRow) error {
	n, err := v.programme.DiscardMailing(v.UserContext(), m.ID)
	return v.Done(err, v.at("/letters"), counted(n, "draft is", "drafts are")+" thrown away.")
}

// listMailing shows the letters of a mailing, those that cannot be sent first.
func listMailing(v *visit, m *models.MailingRow) error {
	l := v.plainListing("q", "page")
	here := v.mailingAt(m.ID)
	rows, found, err := v.programme.MailingLetters(v.UserContext(), m.ID, l.query.Get("q"), store.Page{Number: l.page(), Size: lettersAPage})
	if err != nil {
		return err
	}
	list := here + "/letters"
	if len(rows) == 0 && found.TotalResults > 0 { // behind the last page
		return v.SeeInstead(list + "?" + l.onPage(found.TotalPages).query.Encode())
	}
	counts, err := v.programme.LetterCounts(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.LettersPage{Base: v.at("/letters"), Here: list + "?" + l.query.Encode(), Tabs: v.letterTabs(counts, models.DraftLetters),
		List: list, Of: here, OfName: counted(m.People, "person", "people"), Text: l.query.Get("q"), NoMail: v.options.Mail == nil,
		Problems: mailingProblems(m), Pages: pagesOf(list, l, found, "letters")}
	for _, row := range rows {
		p.Rows = append(p.Rows, v.letterRow(row))
	}
	v.section = p.Base
	return show(v, http.StatusOK, "Letter to "+p.OfName, pages.Letters, p)
}

// takeOutLetter takes one person out of a mailing.
func takeOutLetter(v *visit) error {
	l, err := letterOf(v)
	if err != nil {
		return err
	}
	if err := v.programme.TakeOutLetter(v.UserContext(), l.ID); err != nil {
		if store.KindOf(err) == store.Stale {
			v.KeepNotice("warn", "That is not possible any more: look at where the letter stands now.")
			return v.See(v.at("/letters/"+l.ID), "")
		}
		return err
	}
	back := v.mailingAt(*l.MailingID)
	if _, err := v.programme.Mailing(v.UserContext(), *l.MailingID); store.KindOf(err) == store.NotFound {
		back = v.at("/letters")
	}
	return v.See(back, cut(l.Name)+" gets no letter.")
}
