package gallery

import (
	"strconv"

	"lectern/models"
	"lectern/models/letters"
	"lectern/views/layouts"
	"lectern/views/pages/agenda"
)

// published adds the page that publishes, the questions before it, and the versions of the agenda.
func (s *shelf) published() {
	of(s, "Publish", "Publish the programme", agenda.Publish).worded(publishDesk).
		but("all public", publishDesk(plain), func(p *agenda.PublishPage) {
			p.Numbers, p.Verb, p.Held, p.Warnings, p.Out = publishNumbers("0", "0", "22", "0"), "", agenda.PublishHeld{},
				agenda.PublishWarnings{Count: "0"}, ""
			p.Ready = agenda.PublishPart{Title: "Ready", Count: "0", Says: "Accepted, and their people know."}
			p.Public.Ways = agenda.PublishWays{}
		}).
		is("first use", agenda.PublishPage{Base: here, Sessions: here, Nothing: true}).
		but("nothing ticked", publishDesk(plain), func(p *agenda.PublishPage) {
			p.Verb = ""
			for i := range p.Ready.Rows {
				p.Ready.Rows[i].Ticked = false
			}
		}, "", "Tick at least one session to publish")
	ask := func(holds []agenda.PublishRow, verb string) agenda.PublishAskPage {
		return agenda.PublishAskPage{Holds: holds, NeedsReason: true, ConfirmPage: layouts.ConfirmPage{Shell: in(verb + "?"),
			Action: here,
			Cancel: here, Keeps: true, Verb: verb,
			Text:   "Something holds them from the public. Everyone can read what is published at once.",
			Points: []string{"674 session.published events, once each. No letter is sent by this.", "Nobody to write to: 674"}}}
	}
	many := ask(nil, "Publish 674 sessions anyway")
	many.Titles, many.More = []string{"S-1  " + plain.title, "S-2  " + rightToLeft.title}, "and 672 more"
	of(s, "Publish anyway", "", agenda.PublishAsk).is("many", many).
		is("one", ask(heldRows(long)[:2], "Publish S-9 anyway")).
		is("refused", many, "reason", "must not be empty")
	s.released()
}

func heldRows(w words) (rows []agenda.PublishRow) {
	for i, h := range []agenda.PublishRow{
		{Why: "Letter failed", Icon: "circle-x", Tone: "bad", Detail: "Refused, 550: The address does not exist (" +
			w.person + ")",
			Remedy: "Correct the address", RemedyURL: here},
		{Why: "Letter not sent", Icon: "mail", Tone: "warn", Detail: "Drafted Thu 12 November, 14:07, not sent off",
			Remedy:    "Open the letter",
			RemedyURL: here, Besides: "And its content is not approved."},
		{Why: "Letter not drafted", Icon: "file-pen", Tone: "warn", Detail: "Nobody began one to its people",
			Remedy: "Draft the letter", RemedyURL: here},
		{Why: "Letter unknown", Icon: "circle-question", Tone: "warn", Detail: "The mail server never answered",
			Remedy: "Ask " + w.person + ", or send again", RemedyURL: here},
		{Why: "Nobody to write to", Icon: "users", Tone: "warn", Detail: "No submission is behind it, so no letter can be"},
	} {
		h.Number, h.URL, h.Title, h.Meta = strconv.Itoa(40+i), here, w.title, "S-"+strconv.Itoa(40+i)+" · "+w.person
		rows = append(rows, h)
	}
	return rows
}

// heldGroups returns a group of each kind.
func heldGroups(w words) agenda.PublishHeld {
	p := agenda.PublishHeld{PublishPart: agenda.PublishPart{Title: "Held", Count: "27",
		Says: "Each group says why, and what mends it.", All: "40-66"}, AllName: "All 27 held"}
	for _, row := range heldRows(w) {
		g := agenda.PublishGroup{Name: "held-" + row.Number, Icon: row.Icon, Tone: row.Tone, Action: "Go to the letters",
			ActionURL: here, PublishPart: agenda.PublishPart{Title: row.Why, Count: "1", Rows: []agenda.PublishRow{row},
				Says: "Nobody knows whether it arrived. Ask them, or send it again."}}
		if row.RemedyURL == "" {
			g.Tone, g.All, g.Count, g.Action = "quiet", "44-66", "23", "Publish those 23 anyway…"
			g.Says, g.Ways = "No submission is behind them. One reason is enough for all.",
				agenda.PublishWays{All: "Show all 23", AllURL: here}
		}
		p.Groups = append(p.Groups, g)
	}
	return p
}

func publishDesk(w words) agenda.PublishPage {
	ready := func(n, warning string, ticked bool) agenda.PublishRow {
		return agenda.PublishRow{Number: n, URL: here, Title: w.title, Meta: "S-" + n + " · " + w.person, Ticked: ticked,
			Track: w.label,
			Color: models.TrackColors[0], When: "Thu 20, 9:40", Room: w.place, Warning: warning, WarnURL: here}
	}
	line := func(changed string, off bool) agenda.PublishRow {
		return agenda.PublishRow{Number: "1", URL: here, Title: w.title, Changed: changed, Off: off}
	}
	return agenda.PublishPage{Base: here, Sessions: here, Verb: "Publish 61 sessions", Events: "61",
		Numbers: publishNumbers("61", "5", "22", "3"),
		Version: agenda.PublishVersion{Text: "Version 3, “" + w.label + "”", Changes: "released Thu 12 Nov 2026, 10:00",
			URL: here, Name: "What changed since"},
		Held: heldGroups(w),
		Ready: agenda.PublishPart{Title: "Ready", Count: "61", Says: "Accepted, and their people know.", Rest: "10-60",
			Rows: []agenda.PublishRow{ready("8", "Room too small", true), ready("31", "", true), ready("5",
				"Not placed yet and 1 more", false)},
			Ways: agenda.PublishWays{All: "Show all 61", AllURL: here}},
		Warnings: agenda.PublishWarnings{Count: "3", Lines: []agenda.PublishWarning{{Text: w.person +
			" is in two rooms, 9:50 to 10:10", URL: here},
			{Text: w.place + " holds 40, S-8 expects 90", URL: here}, {Text: "S-31 has no description", URL: here}}},
		Public: agenda.PublishPart{Title: "Already public", Count: "22", Says: "1 changed since and updates by itself.",
			Rows: []agenda.PublishRow{line("changed today, 9:40", false), line("withdrawn, and still public", true), line("",
				false)},
			Ways: agenda.PublishWays{Shown: "101 to 200 of 220", Previous: here, Next: here}},
		Out: "3 sessions more are not accepted, so not part of the programme."}
}

func publishNumbers(ready, held, public, warnings string) []agenda.PublishNumber {
	return []agenda.PublishNumber{{Number: ready, Text: "ready"}, {Number: held, Text: "held"}, {Number: public,
		Text: "already public"},
		{Number: warnings, Text: "warnings"}}
}

func (s *shelf) released() {
	parts := func(w words) []agenda.ChangePart {
		row := agenda.ChangeRow{Title: w.title, URL: here, Meta: "S-8 · " + w.person, Was: "Thu 20 May, 09:40 to 10:20, " +
			w.place,
			Is: "Thu 20 May, 11:40 to 12:20, " + w.label}
		gone, fresh, renamed := row, row, row
		gone.Is, fresh.Was, renamed.Was, renamed.Renamed = "", "", "", w.title
		return []agenda.ChangePart{{Title: "Cancelled", Count: "1", Rows: []agenda.ChangeRow{gone}},
			{Title: "Moved", Count: "120", Rows: []agenda.ChangeRow{row}, More: "and 119 more"},
			{Title: "New", Count: "1", Rows: []agenda.ChangeRow{fresh}}, {Title: "New titles", Count: "1",
				Rows: []agenda.ChangeRow{renamed}}}
	}
	draft := func(w words) agenda.VersionDraft {
		return agenda.VersionDraft{Name: w.label, Note: w.text, Letters: true, Subject: letters.ChangesText.Subject,
			Body: letters.ChangesText.Body}
	}
	page := func(w words) agenda.VersionsPage {
		return agenda.VersionsPage{Base: here, Publish: here, Parts: parts(w), Verb: "Release version 4", Seen: "1",
			Version: draft(w),
			People:  "14 people",
			Versions: []agenda.VersionDone{{Number: "3", Name: w.label, Note: w.text, URL: here, When: "Thu 12 Nov 2026, 10:00",
				By: w.person}}}
	}
	of(s, "Versions of the agenda", "Versions of the agenda", agenda.Versions).worded(page).
		is("first", agenda.VersionsPage{Base: here, Publish: here,
			Nothing: "No session is public and has a time. Publish the programme first."}).
		is("refused", page(plain), "name", "must not be empty", "body", "has {{nobody}}, which is no placeholder here.")
	one := func(w words) agenda.VersionPage {
		return agenda.VersionPage{Shell: in("Version 3: " + w.label), Base: here, List: here, Lead: "Released by " +
			w.person + ", Thu 12 Nov 2026, 10:00.",
			Note: w.text, Parts: parts(w), People: "14 people", Version: draft(w)}
	}
	written := one(plain)
	written.Letters = here
	of(s, "Version of the agenda", "", agenda.Version).worded(one).is("with letters", written)
}
