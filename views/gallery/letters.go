package gallery

import (
	"lectern/views/components"
	"lectern/views/pages/letters"
)

// letters adds the letters of an event, one letter, and the templates.
func (s *shelf) letters() {
	tabs := func(current string) []components.Tab {
		all := []components.Tab{{Name: "Drafts", URL: here, Count: "31"}, {Name: "Outbox", URL: here, Count: "29"},
			{Name: "Failed", URL: here, Count: "2"}, {Name: "Unknown", URL: here, Count: "1"},
			{Name: "Sent", URL: here, Count: "118"}, {Name: "Templates", URL: here}}
		for i := range all {
			all[i].Current = all[i].Name == current
		}
		return all
	}
	row := func(w words, state, why, tone, action string) letters.Row {
		r := letters.Row{URL: here, Name: w.person, Email: w.email, Look: "accepted", Icon: "check", Kind: "Accepted",
			Title: w.title, SessionURL: here, State: state, Why: why, Tone: tone}
		if action != "" {
			r.Action, r.ActionName = here, action
		}
		return r
	}
	letterPager := components.Pages{From: "1", To: "2", Total: "31", What: "letters", Next: here}
	of(s, "Letters", "Letters", letters.Letters).
		worded(func(w words) letters.Page {
			edited := row(w, "Draft", "", "", "")
			edited.Note, edited.Look, edited.Icon, edited.Kind = "Edited by hand", "declined", "x", "Declined"
			return letters.Page{Base: here, Here: here, Tab: "drafts", Tabs: tabs("Drafts"), Ready: "29 letters", Send: here,
				Kinds: []components.Tab{{Name: "All decisions", URL: here, Count: "31", Current: true},
					{Name: "Acceptances", URL: here, Count: "23"}, {Name: "Refusals", URL: here, Count: "8"}},
				Outdated: "12 drafts were made", Pages: letterPager,
				Problems: []string{"1 draft has a placeholder without a value."},
				Unwritten: []letters.UnwrittenRow{{Name: w.person, Title: w.title, Label: "A-53", URL: here},
					{Name: "佐藤 健", Email: w.email, Title: w.title, Label: "A-54", URL: here}},
				Rows: []letters.Row{row(w, "Cannot be sent", "Nothing to put for company", "warn", ""), edited}}
		}).
		is("held", letters.Page{Base: here, Here: here, Tab: "outbox", Tabs: tabs("Outbox"), Pages: letterPager,
			Progress: &letters.Progress{Clock: "0:47", Left: "47", Whole: "60", Held: "29 letters go out",
				To: "From programme@tideline.example."},
			Rows: []letters.Row{row(plain, "Waiting", "", "", "Hold back")}}).
		is("paused", letters.Page{Base: here, Here: here, Tab: "outbox", Tabs: tabs("Outbox"), Pages: letterPager,
			Progress: &letters.Progress{Text: "12 letters are paused", Paused: "12 letters"},
			Rows:     []letters.Row{row(plain, "Paused", "", "warn", "Hold back")}}).
		is("failed", letters.Page{Base: here, Here: here, Tab: "failed", Tabs: tabs("Failed"), Retries: "2 letters", Retry: "2",
			Pages: letterPager, Rows: []letters.Row{
				row(plain, "Refused, 550 5.1.1", "The address does not exist", "bad", "Retry"),
				row(long, "Refused, 452 4.2.2", "The mailbox is full. Tried 4 times", "bad", "Retry")}}).
		is("none", letters.Page{Base: here, Here: here, Tab: "drafts", Tabs: tabs("Drafts")})
	s.lettersToPeople(tabs, letterPager, row(plain, "Waits for the mail server", "", "warn", "Hold back"))
	s.oneLetter()
	s.letterTemplate(tabs("Templates"))
	s.mailing()
}

func (s *shelf) lettersToPeople(tabs func(string) []components.Tab, pager components.Pages, waits letters.Row) {
	of(s, "Letters", "Letters", letters.Letters).is("to people", letters.Page{Base: here, Here: here, Tab: "drafts", Write: here,
		Tabs: tabs("Drafts"), Mailings: []letters.MailingLine{
			{URL: here, Subject: long.title, To: "12 people", By: long.person, State: "10 letters can be sent.",
				Problem: "2 people have no e-mail address, so no letter can reach them."},
			{URL: here, Subject: "Not written yet", To: "1 person", By: plain.person}}}).
		is("barred", letters.Page{Base: here, Here: here, Tab: "outbox", Tabs: tabs("Outbox"), Pages: pager,
			Barred:   "No letter can be sent: 535: the mail server does not take our name and password. They wait, and go out by themselves once who runs this server has mended LECTERN_SMTP_URL.",
			Progress: &letters.Progress{Text: "29 letters are going out", Running: true},
			Rows:     []letters.Row{waits}})
}

// mailing adds a free letter to some people.
func (s *shelf) mailing() {
	letter := func(w words) letters.MailingPage {
		return letters.MailingPage{Shell: in("Letter to 12 people"), Base: here, Here: here, From: "Tideline <programme@tideline.example>",
			To: "12 people", Drafts: "12 letters", Ready: "10 letters", CanWrite: true, Written: true, Version: 2, At: "4",
			Draft:        letters.Draft{Subject: "{{event}}: your journey", Body: "Dear {{first_name}},\n\n" + w.text},
			Texts:        []components.Tab{{Name: "Travel and hotel", URL: here}, {Name: "Invitation to speak", URL: here, Current: true}},
			Problems:     []string{"2 people have no e-mail address, so no letter can reach them."},
			Placeholders: []letters.PlaceholderRow{{Name: "first_name", Meaning: "The first name", Sample: w.person}, {Name: "company", Meaning: "Where they work"}},
			Letter: letters.MailingLetter{URL: here, Name: w.person, Email: w.email, Subject: "Tideline 2027: your journey",
				Body: "Dear " + w.person + ",\n\n" + w.text, Place: "4 of 12", Previous: here, Next: here, CanEdit: true}}
	}
	fresh := letter(plain)
	fresh.Written, fresh.Ready, fresh.Draft, fresh.Version = false, "", letters.Draft{}, 0
	fresh.Letter.Subject, fresh.Letter.Body, fresh.Letter.CanEdit, fresh.Letter.Previous = "", "", false, ""
	fresh.Letter.Email, fresh.Letter.State, fresh.Letter.Why, fresh.Letter.Tone = "", "Cannot be sent", "No e-mail address", "warn"
	gone := letter(plain)
	gone.CanWrite, gone.Ready, gone.Gone, gone.Problems = false, "", "11 sent, 1 did not arrive, or nobody knows", nil
	gone.Letter.State, gone.Letter.Tone, gone.Letter.Why, gone.Letter.CanEdit = "Sent", "good", "22 Nov 2026, 10:00", false
	of(s, "Letter to people", "", letters.Mailing).worded(letter).is("not written", fresh).is("sent", gone).
		is("refused", letter(plain), "body", "has {{travel_desk}}, which is no placeholder here. Take it out, or pick one from the list.")
}

func (s *shelf) oneLetter() {
	letter := func(w words) letters.LetterPage {
		return letters.LetterPage{Shell: in("Letter to " + w.person), Base: here, Here: here, Back: here, BackName: "Letters",
			From: "Tideline <programme@tideline.example>", Name: w.person, Email: w.email, Look: "accepted", Icon: "check",
			Kind: "Accepted", State: "Draft", Label: "A-112", About: w.title, SessionURL: here, PersonURL: here,
			Subject: "Tideline 2027: yes to “" + w.title + "”", Body: "Dear " + w.person + ",\n\n" + w.text, Place: "4 of 29",
			Previous: here, Next: here, Draft: letters.Draft{Subject: w.title, Body: w.text}, CanEdit: true, CanSend: true,
			Placeholders: []letters.PlaceholderRow{{Name: "first_name", Meaning: "The first name"}},
			CanTell:      true, CanRewrite: true, SendName: "Send this letter"}
	}
	sent := letter(plain)
	sent.State, sent.Tone, sent.Why, sent.Place = "Sent", "good", "22 Nov 2026, 10:00", ""
	sent.CanEdit, sent.CanSend, sent.CanTell, sent.CanRewrite = false, false, false, false
	nowhere := letter(plain)
	nowhere.Email, nowhere.CanSend, nowhere.State, nowhere.Tone = "", false, "Cannot be sent", "warn"
	nowhere.Notes = []string{"There is no e-mail address, so this letter cannot be sent."}
	of(s, "Letter", "", letters.Letter).worded(letter).is("sent", sent).is("no address", nowhere).
		is("refused", letter(plain), "body", "has {{travel_desk}}, which is no placeholder here. Take it out, or pick one from the list.")
}

func (s *shelf) letterTemplate(tabs []components.Tab) {
	template := func(w words) letters.TemplatePage {
		return letters.TemplatePage{Base: here, Here: here, Tabs: tabs, Version: 2, Outdated: "12 drafts were made",
			Kinds:   []components.Tab{{Name: "Accepted", URL: here, Current: true}, {Name: "Declined", URL: here}},
			Draft:   letters.Draft{Subject: "{{event}}: yes to “{{session_title}}”", Body: "Dear {{first_name}},\n\n" + w.text},
			Preview: letters.Draft{Subject: "Tideline 2027: yes to “" + w.title + "”", Body: "Dear " + w.person + ",\n\n" + w.text},
			Placeholders: []letters.PlaceholderRow{{Name: "first_name", Meaning: "The first name", Sample: w.person},
				{Name: "session_title", Meaning: "The title of what they sent in", Sample: w.title},
				{Name: "company", Meaning: "Where they work"}}, PreviewFor: w.person, By: "Last changed by Dana Demo, 22 Nov 2026, 10:00"}
	}
	free := template(plain)
	free.IsFree, free.Mails, free.Delete, free.Draft.Name, free.PreviewFor = true, true, here, "Travel and hotel", ""
	free.Kinds = append(free.Kinds, components.Tab{Name: "Travel and hotel", URL: here}, components.Tab{Name: "New template", URL: here})
	of(s, "Letter template", "Letters", letters.Template).worded(template).is("of free letters", free).
		is("refused", template(plain), "body", "has {{travel_desk}}, which is no placeholder here. Take it out, or pick one from the list.")
}
