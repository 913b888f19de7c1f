package tasks

import (
	"strconv"
	"strings"

	"lectern/models/store"
	"lectern/models/tasks"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// askRemind asks for confirmation, and shows whom each letter reminds of what.
func askRemind(v *visit.Visit) error {
	b, l, err := board(v)
	if err != nil {
		return err
	}
	some := b.Only(l.wanted)
	letters := b.Reminders(some)
	back := v.At("/tasks") + l.With("page")
	if len(letters) == 0 {
		return v.SeeWarning(back, nobodyToRemind(b, some))
	}
	people := visit.Counted(int64(len(letters)), "person", "people")
	p := layouts.ConfirmPage{Action: v.At("/tasks/remind"), Cancel: back, Verb: "Remind " + people, Keeps: true,
		Text: "Each gets one letter that names what is missing and when it is due, with the way to hand it in.",
		Hidden: append([]components.Hidden{{Name: "expected", Value: strconv.Itoa(len(letters))}},
			l.Hidden(narrowing...)...)}
	for _, r := range letters[:min(len(letters), visit.TitlesShown)] {
		p.Titles = append(p.Titles, r.Name+": "+strings.Join(missing(v, b, r), "; "))
	}
	p.More = visit.AndMore(int64(len(letters)), len(p.Titles))
	p.Points = reminderNotes(v, b, some)
	v.Section = v.At("/tasks")
	return v.Ask("Remind "+people+"?", p)
}

// missing returns what a letter names: "Slides of “Tides”, due 14 May 2027, 18:00".
func missing(v *visit.Visit, b *tasks.Board, r *tasks.Reminder) (all []string) {
	for _, d := range r.Missing {
		text := d.Task.Title
		if d.SessionID != nil {
			text += " of “" + b.Owner(d) + "”"
		}
		if due := d.Due(); due != nil {
			text += ", due " + v.TaskClock(*due)
		}
		all = append(all, text)
	}
	return all
}

// reminderNotes returns what else to know before people are reminded.
func reminderNotes(v *visit.Visit, b *tasks.Board, some []*tasks.Deliverable) (notes []string) {
	if names := b.Unreached(some); len(names) > 0 {
		shown := names[:min(len(names), visit.TitlesShown)]
		notes = append(notes, "No letter can reach "+visit.JoinWords(" ", strings.Join(shown, ", "),
			visit.AndMore(int64(len(names)), len(shown)))+": there is no e-mail address.")
	}
	if n := b.Quieted(some); n > 0 {
		notes = append(notes, "Of "+visit.Counted(int64(n), "deliverable", "deliverables")+
			" people were reminded within the hour, and are not again.")
	}
	if v.Options.Mail == nil {
		notes = append(notes, "There is no mail server, so the letters wait in the outbox.")
	} else if v.Options.MailFrom != "" {
		notes = append(notes, "They come from "+v.Options.MailFrom+".")
	}
	return append(notes, "Dates are by the clock of "+page.City(v.Event.Timezone)+".")
}

// nobodyToRemind says why nobody of a list can be reminded.
func nobodyToRemind(b *tasks.Board, some []*tasks.Deliverable) string {
	switch {
	case b.Quieted(some) > 0:
		return "Everybody who lacks something of this was reminded within the hour."
	case len(b.Unreached(some)) > 0:
		return "Nobody who lacks something of this has an e-mail address."
	}
	return "Nobody lacks anything of this."
}

// remind writes to as many people as the button said; the operation refuses if their number changed.
func remind(v *visit.Visit) error {
	expected, err := strconv.Atoi(v.Value("expected"))
	if err != nil {
		return page.OldForm
	}
	b, err := v.BoardOfTasks()
	if err != nil {
		return err
	}
	l, err := viewOf(v, b, v.Value)
	if err != nil {
		return err
	}
	n, err := v.TasksOf().Remind(v.UserContext(), l.wanted, expected)
	if store.KindOf(err) == store.Stale {
		return v.SeeWarning(v.At("/tasks/remind")+l.With("page"), err.Error())
	}
	return v.Done(err, v.At("/tasks")+l.With("page"),
		visit.Counted(int64(n), "person is reminded. The letter stands", "people are reminded. The letters stand")+" in the outbox.")
}
