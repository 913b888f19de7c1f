package reviews

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/reviews"
	"lectern/views/components"
	pages "lectern/views/pages/reviews"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// roundState says whether a round is open, and until when.
func roundState(v *visit.Visit, r *models.ReviewRound) string {
	zone := v.Event.Location()
	switch now := v.Now(); {
	case r.IsEarly(now):
		return "Opens " + page.When(r.OpensAt, zone)
	case r.IsOver(now):
		return "Closed since " + page.When(r.ClosesAt, zone)
	case r.ClosesAt != nil:
		return "Open until " + page.When(r.ClosesAt, zone)
	}
	return "Open"
}

// Progress says how many reviews are done of how many.
func Progress(given, waiting int64) string {
	if given+waiting == 0 {
		return "Nothing to review yet"
	}
	return visit.Number(given) + " of " + visit.Number(given+waiting) + " reviewed"
}

// MyRounds returns the rounds that assign something to this user.
func MyRounds(v *visit.Visit) (rounds []pages.MyRound, err error) {
	queues, err := v.Rounds().Queues(v.UserContext(), v.User)
	for _, q := range queues {
		row := pages.MyRound{Name: q.Name, State: roundState(v, &q.ReviewRound), Text: Progress(q.Answered, q.Waiting()),
			Part: q.Answered, Whole: q.Assigned}
		if !q.IsEarly(v.Now()) {
			row.URL = v.At("/reviews/" + q.ID)
		}
		rounds = append(rounds, row)
	}
	return rounds, err
}

// ShowMine shows the start page of a user who sees only what rounds assign to them.
func ShowMine(v *visit.Visit, rounds []pages.MyRound) error {
	var given, whole int64
	for _, r := range rounds {
		given, whole = given+r.Part, whole+r.Whole
	}
	return visit.Show(v, http.StatusOK, "Reviews", pages.MyRounds, pages.MyRoundsPage{Text: Progress(given, whole-given),
		Rounds: rounds})
}

// showQueue shows what a round assigns to this user.
func showQueue(v *visit.Visit) error {
	v.Section = v.At("/reviews")
	q, err := v.Rounds().Queue(v.UserContext(), v.User, v.Params("round"))
	if err != nil {
		return err
	}
	entries, err := v.Rounds().Entries(v.UserContext(), v.User, q.ID)
	if err != nil {
		return err
	}
	p := pages.MyQueuePage{Rounds: v.At("/reviews"), State: roundState(v, &q.ReviewRound),
		Text: Progress(q.Answered, q.Waiting())}
	for _, e := range entries {
		facts := slices.DeleteFunc([]string{e.Track, e.Format}, func(s string) bool { return s == "" })
		row := pages.MyQueued{Label: e.FriendlyID, Title: e.Title, URL: v.At("/reviews/" + q.ID + "/" + e.SessionID),
			Facts: strings.Join(facts, ", "), Said: said(e.State, e.Points)}
		if e.State == "" {
			p.Waiting = append(p.Waiting, row)
		} else {
			p.Done = append(p.Done, row)
		}
	}
	if len(p.Waiting) > 0 && q.IsOpen(v.Now()) {
		p.NextURL = p.Waiting[0].URL
	}
	return visit.Show(v, http.StatusOK, q.Name, pages.MyQueue, p)
}

// said says what a reviewer answered about a submission in a round.
func said(state models.ReviewState, points *models.Score) string {
	switch {
	case state == models.Abstained:
		return "You have no opinion"
	case state == models.InConflict:
		return "You have a conflict of interest"
	case points != nil:
		return "You gave " + points.String()
	case state == models.Scored:
		return "You reviewed it"
	}
	return ""
}

func showSheet(v *visit.Visit) error { return sheetPage(v, http.StatusOK, nil) }

// sheetPage shows a submission that a round assigns to this user; typed is a refused answer, else nil.
func sheetPage(v *visit.Visit, status int, typed *reviews.Verdict) error {
	v.Section = v.At("/reviews")
	roundID, sessionID := v.Params("round"), v.Params("id")
	q, err := v.Rounds().Queue(v.UserContext(), v.User, roundID)
	if err != nil {
		return err
	}
	sheet, err := v.Rounds().Sheet(v.UserContext(), v.User, roundID, sessionID)
	if err != nil {
		return err
	}
	p := pages.SheetPage{Queue: v.At("/reviews/" + roundID), Round: q.Name, Action: v.At("/reviews/" + roundID + "/" +
		sessionID),
		Label: sheet.FriendlyID, Blind: sheet.Blind, Text: sheet.Description, Progress: Progress(q.Answered, q.Waiting()),
		Closed: sheet.Closed,
		Facts:  slices.DeleteFunc([]string{sheet.Track, sheet.Format, sheet.Level}, func(s string) bool { return s == "" })}
	for _, person := range sheet.People {
		row := pages.SheetPerson{Name: person.Name}
		if person.Role != string(models.Speaking) {
			row.Role = person.Role
		}
		p.People = append(p.People, row)
	}
	if p.Answers, err = sheetAnswers(v, sheet, p.Action+"/files/"); err != nil {
		return err
	}
	answers := map[string]string{}
	if sheet.Review != nil {
		answers, p.Comment, p.Said = sheet.Review.Answers, sheet.Review.Comment, said(sheet.Review.State, sheet.Review.Points)
	}
	if typed != nil {
		answers, p.Comment = typed.Answers, typed.Comment
	}
	for _, c := range q.Card {
		v.Faults.Call(c.Field(), c.Name)
		p.Criteria = append(p.Criteria, sheetCriterion(c, answers[c.ID]))
	}
	return visit.Show(v, status, sheet.Title, pages.Sheet, p)
}

// sheetAnswers returns the answers that the reviewer sees, with links to their files below the address at.
func sheetAnswers(v *visit.Visit, sheet *reviews.Sheet, at string) (shown []records.Answer, err error) {
	files, err := call.Of(v.Programme).AnswerFiles(v.UserContext(), sheet.SessionID)
	for _, a := range sheet.Answers {
		answer := records.Answer{Question: sheet.Sight.Label(a.Key), Text: sheet.Sight.Says(a)}
		if files[a.Key] != nil {
			answer.URL = at + url.PathEscape(a.Key)
		}
		shown = append(shown, answer)
	}
	return shown, err
}

// sheetFile sends the file of an answer that the reviewer sees.
func sheetFile(v *visit.Visit) error {
	sheet, err := v.Rounds().Sheet(v.UserContext(), v.User, v.Params("round"), v.Params("id"))
	if err != nil {
		return err
	}
	return v.SendAnswer(sheet.SessionID, sheet.Sight)
}

// fewSteps is how many numbers of a scale stand side by side, at most.
const fewSteps = 11

func sheetCriterion(c *reviews.Criterion, value string) pages.SheetCriterion {
	row := pages.SheetCriterion{Field: c.Field(), Name: c.Name, Kind: string(c.Kind), Value: value}
	switch {
	case c.Kind == reviews.Choice:
		row.Options = append([]components.Option{{Name: "No answer"}}, visit.Choices(c.Choices,
			func(s string) (string, string) { return s, s }, value)...)
	case c.Kind == reviews.Number && *c.High-*c.Low < fewSteps:
		for n := *c.Low; n <= *c.High; n++ {
			text := strconv.Itoa(n)
			row.Options = append(row.Options, components.Option{Value: text, Name: text, Chosen: text == value})
		}
	case c.Kind == reviews.Number:
		row.Hint = strconv.Itoa(*c.Low) + " to " + strconv.Itoa(*c.High)
	}
	return row
}

// giveVerdict saves what a reviewer says about a submission in a round.
func giveVerdict(v *visit.Visit) error {
	roundID, sessionID := v.Params("round"), v.Params("id")
	q, err := v.Rounds().Queue(v.UserContext(), v.User, roundID)
	if err != nil {
		return err
	}
	verdict := reviews.Verdict{State: models.ReviewState(v.Value("state")), Comment: v.FormValue("comment"), Answers: map[string]string{}}
	if verdict.State == "" {
		verdict.State = models.Scored
	}
	for _, c := range q.Card {
		verdict.Answers[c.ID] = v.FormValue(c.Field())
	}
	if err := v.Rounds().Give(v.UserContext(), v.User, roundID, sessionID, verdict); err != nil {
		return v.Again(err, func(status int) error { return sheetPage(v, status, &verdict) })
	}
	text, queue := "Your review is saved.", v.At("/reviews/"+roundID)
	if verdict.State != models.Scored {
		text = "That is noted, and it does not wait for you any more."
	} else if v.Value("then") != "next" {
		return v.See(queue+"/"+sessionID, text)
	}
	next, err := v.Rounds().Next(v.UserContext(), v.User, roundID, sessionID)
	if err != nil {
		return err
	}
	if next == "" {
		return v.See(queue, text+" Nothing else waits for you in this round.")
	}
	return v.See(queue+"/"+next, text)
}
