package lists

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/admin/visit"
)

// askOfDecision asks before records are decided, on every list, since the form may hold ids of another one.
func askOfDecision(c models.BatchChange, what string, found, _ int64) layouts.ConfirmPage {
	if c.Status == nil || !c.Status.IsDecision() {
		return layouts.ConfirmPage{}
	}
	it := map[bool]string{true: "It is ", false: "They are "}[found == 1]
	return layouts.ConfirmPage{
		Keeps: true, Verb: DecisionVerbs[*c.Status] + what,
		Text:   it + strings.ToLower(components.StatusName(string(*c.Status))) + " then. " + NoLetter,
		Points: []string{WebhooksHear, "Letters of an earlier decision that have not gone out never will; sessions made of them stay as they are."},
	}
}

// NoLetter and WebhooksHear say whom a decision reaches.
const (
	NoLetter     = "No letter goes out yet: one to each speaker is drafted, and goes when you send it. Their place shows the decision at once."
	WebhooksHear = "Other services hear of it at once if a webhook is set up for that."
)

// speakersNamed is how many people a question names.
const speakersNamed = 5

// SpeakersOf names the people on records, in order: "Speakers: Ada Byron, Li Na and 3 more." all tells whether rows are
// all records concerned; if not, it does not count the others. It returns "" for nobody.
func SpeakersOf(rows []*models.Session, all bool) string {
	var ids, names []string
	for _, s := range rows {
		for _, person := range s.Participants {
			if !slices.Contains(ids, person.ContactID) {
				ids, names = append(ids, person.ContactID), append(names, person.FullName)
			}
		}
	}
	shown := names[:min(speakersNamed, len(names))]
	text := "Speakers: " + strings.Join(shown, ", ")
	if len(names) == 1 && all {
		text = "Speaker: " + names[0]
	}
	switch more := len(names) - len(shown); {
	case len(names) == 0:
		return ""
	case !all:
		return text + " and others."
	case more > 0:
		return text + " and " + visit.Number(int64(more)) + " more."
	}
	return text + "."
}

func askOfDeletion(_ models.BatchChange, what string, found, public int64) layouts.ConfirmPage {
	q := layouts.ConfirmPage{
		Verb: "Delete " + what,
		Text: "They leave every list and the API, and wait in the Trash until somebody restores them.",
	}
	if found == 1 {
		q.Text = "It leaves every list and the API, and waits in the Trash until somebody restores it."
	}
	if public > 0 {
		are := map[bool]string{true: "is", false: "are"}[public == 1]
		q.Points = append(q.Points, visit.Number(public)+" of them "+are+" public now")
	}
	q.Points = append(q.Points, WebhooksHear)
	return q
}

func confirmBulk(v *visit.Visit, l List, asks verb, c models.BatchChange, form formOnList) error {
	q := l.Search()
	if !form.all {
		q = models.SessionSearch{
			Filter: models.SessionFilter{IDs: form.ticked}, Sort: q.Sort, Ascending: q.Ascending,
		}
	}
	q.Page = store.Page{Number: 1, Size: visit.TitlesShown}
	rows, found, err := v.Programme.SearchSessions(v.UserContext(), q)
	if err != nil {
		return err
	}
	if found.TotalResults == 0 {
		return &store.Error{Kind: store.NotFound, Message: "None of these records is there any more."}
	}
	public := q
	public.Filter.IsPublic, public.Page.Size = new(true), 1
	_, published, err := v.Programme.SearchSessions(v.UserContext(), public)
	if err != nil {
		return err
	}
	what := visit.Counted(found.TotalResults, strings.TrimSuffix(l.Kind, "s"), l.Kind)
	p := asks.question(c, what, found.TotalResults, published.TotalResults)
	p.Action, p.Cancel, p.Hidden = v.At("/"+l.Kind+"/bulk"), At(v, l), v.FormFields("confirm")
	for _, s := range rows {
		p.Titles = append(p.Titles, s.FriendlyID+"  "+s.Title)
	}
	if named := SpeakersOf(rows, int64(len(rows)) == found.TotalResults); named != "" && p.Keeps {
		p.Points = append([]string{named}, p.Points...)
	}
	p.More = visit.AndMore(found.TotalResults, len(rows))
	if asks.numbers != nil {
		if err := asks.numbers(v, q, &p); err != nil {
			return v.Again(err, func(status int) error { return list(v, status, l, form) })
		}
	}
	return v.Ask(p.Verb+"?", p)
}

// DecisionVerbs begin the names of buttons that decide something.
var DecisionVerbs = map[models.Status]string{models.Accepted: "Accept ", models.Declined: "Decline "}
