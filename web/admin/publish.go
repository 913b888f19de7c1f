package admin

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// The page of what is published shows the first of each part, or a page of the one that is asked for.
const (
	publishFirst = 20
	linesFirst   = 8
	publishLots  = 100
)

// publishChoice is what a form of the page says of its rows.
type publishChoice struct {
	ticked, shown map[int]bool // of those that are ready
	rest          []int        // ready ones that the form did not show
	held          map[int]bool // those that are held, shown or not
	allHeld       bool
}

// showPublish shows what is ready, held and public.
func showPublish(v *visit) error { return v.publishPage(http.StatusOK, nil) }

// countPublish shows the page with what is ticked, and how many that are.
func countPublish(v *visit) error { return v.publishPage(http.StatusOK, new(v.publishChoice())) }

func (v *visit) publishChoice() publishChoice {
	c := publishChoice{ticked: map[int]bool{}, shown: map[int]bool{}, held: map[int]bool{},
		rest:    parseNumbers(v.Value("rest")),
		allHeld: v.Value("all_held") != ""}
	for name, set := range map[string]map[int]bool{"n": c.ticked, "shown": c.shown, "held": c.held} {
		for _, text := range v.Values(name) {
			if n, err := strconv.Atoi(text); err == nil && n > 0 {
				set[n] = true
			}
		}
	}
	for _, n := range parseNumbers(v.Value("held_rest")) {
		c.held[n] = true
	}
	return c
}

// numbers are those of all sessions that are to be published.
func (c *publishChoice) numbers() []int {
	all := slices.Clone(c.rest)
	for n := range c.ticked {
		all = append(all, n)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// takes tells whether a session that is ready is chosen: as the form said, or what is placed.
func (c *publishChoice) takes(x *models.Publishable) bool {
	switch {
	case c == nil:
		return x.IsPlaced()
	case c.shown[x.Number]:
		return c.ticked[x.Number]
	}
	return slices.Contains(c.rest, x.Number)
}

// takesHeld tells whether a session that is held is chosen.
func (c *publishChoice) takesHeld(x *models.Publishable) bool { return c != nil && c.held[x.Number] }

// publishPage shows the page, with rows ticked as they were chosen or, for nil, as they should be.
func (v *visit) publishPage(status int, chosen *publishChoice) error {
	all, err := v.programme.Publication(v.UserContext(), nil)
	if err != nil {
		return err
	}
	conflicts, err := v.programme.AgendaConflicts(v.UserContext())
	if err != nil {
		return err
	}
	base := v.at("/publish")
	p := pages.PublishPage{Base: base, Here: base, Chosen: chosen != nil, Sessions: v.at("/sessions"),
		Nothing: len(all.Ready)+len(all.Held)+len(all.Public)+all.Unaccepted == 0}
	if p.Version, err = v.pendingVersion(); err != nil {
		return err
	}
	d := &publishDesk{visit: v, all: all, conflicts: conflicts.Of, chosen: chosen, show: v.Query("show")}
	d.page, _ = strconv.Atoi(v.Query("page"))
	if err := d.load(); err != nil {
		return err
	}
	p.Held, p.Ready, p.Public = d.held(), d.ready(), d.public()
	warnings := d.warnings()
	p.Warnings = d.some(warnings)
	p.Numbers = []pages.PublishNumber{{Number: number(int64(len(all.Ready))), Text: "ready"},
		{Number: number(int64(len(all.Held))), Text: "held"}, {Number: number(int64(len(all.Public))),
			Text: "already public"},
		{Number: number(int64(len(warnings))), Text: map[bool]string{true: "warning", false: "warnings"}[len(warnings) == 1]}}
	if n := d.count(); n > 0 {
		p.Verb, p.Events = "Publish "+counted(int64(n), "session", "sessions"), number(int64(n))
	}
	if all.Unaccepted > 0 {
		p.Out = counted(int64(all.Unaccepted), "session more is not accepted", "sessions more are not accepted") +
			", so not part of the programme."
	}
	return show(v, status, "Publish the programme", pages.Publish, p)
}

// publish makes public what is ticked, as a batch whose page says what became of each.
func publish(v *visit) error {
	chosen := v.publishChoice()
	numbers := chosen.numbers()
	if len(numbers) == 0 {
		v.Faults = components.Faults{{Field: "", Message: "Tick at least one session to publish"}}
		return v.publishPage(http.StatusUnprocessableEntity, &chosen)
	}
	return v.startPublishing(numbers, models.BatchChange{Operation: models.BatchPublish})
}

// startPublishing puts a change of sessions in line, makes it at once where it is small, and leads to what became of
// it.
func (v *visit) startPublishing(numbers []int, c models.BatchChange) error {
	q := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(false), Numbers: numbers, IncludeDeleted: true}}
	b, err := v.startOnce(nil, &q, c)
	if err != nil {
		return err
	}
	if b.Total <= rowsAPage {
		_, _ = v.finish(b) // what fails goes on in the background
	}
	return v.lead(v.batchAt(b.ID, v.at("/publish")))
}

// heldNumbers are those of the held sessions that a form chose.
func (v *visit) heldNumbers() []int {
	if n, err := strconv.Atoi(v.Value("only")); err == nil && n > 0 {
		return []int{n}
	}
	if numbers := parseNumbers(v.Value("numbers")); len(numbers) > 0 { // of a group, or of the question
		return numbers
	}
	c := v.publishChoice()
	if c.allHeld {
		return parseNumbers(v.Value("held_numbers"))
	}
	var all []int
	for n := range c.held {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// publishAnyway publishes what is held, once a reason was given.
func publishAnyway(v *visit) error {
	numbers := v.heldNumbers()
	if len(numbers) == 0 {
		v.Faults = components.Faults{{Field: "", Message: "Tick at least one session that is held"}}
		return v.publishPage(http.StatusUnprocessableEntity, new(v.publishChoice()))
	}
	if v.Value("confirm") == "" {
		return v.askAnyway(http.StatusOK, numbers)
	}
	reason := strings.TrimSpace(v.Value("reason"))
	if reason == "" {
		v.Faults = components.Faults{{Field: "reason", Message: "must not be empty"}}
		return v.askAnyway(http.StatusUnprocessableEntity, numbers)
	}
	err := v.startPublishing(numbers, models.BatchChange{Operation: models.BatchPublish, Reason: reason})
	if err == nil {
		return nil
	}
	return v.Again(err, func(status int) error { return v.askAnyway(status, numbers) })
}

// askAnyway asks for the reason, and says what comes of it.
func (v *visit) askAnyway(status int, numbers []int) error {
	q := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(false), Numbers: numbers}}
	all, err := v.programme.Publication(v.UserContext(), &q)
	if err != nil {
		return err
	}
	found := append(slices.Clone(all.Held), all.Ready...)
	if len(found) == 0 {
		v.KeepNotice("warn", "None of these sessions is held any more. Look at them as they are now.")
		return v.See(v.at("/publish"), "")
	}
	what := counted(int64(len(found)), "session", "sessions")
	p := pages.PublishAskPage{NeedsReason: true, Reason: v.Value("reason"), ConfirmPage: pages.ConfirmPage{
		Action: v.at("/publish/anyway"), Cancel: v.at("/publish"), Keeps: true, Posted: true, Verb: "Publish " + what +
			" anyway",
		Hidden: []components.Hidden{{Name: "numbers", Value: formatNumbers(numbers)}},
		Text: "Something holds " + map[bool]string{true: "it", false: "them"}[len(found) == 1] +
			" from the public. Everyone can read what is published at once.",
		Points: []string{counted(int64(len(found)), "session.published event", "session.published events") +
			", once each. No letter is sent by this."},
	}}
	for _, x := range found[:min(len(found), titlesShown)] {
		p.Titles = append(p.Titles, x.FriendlyID+"  "+x.Title)
	}
	p.More = andMore(int64(len(found)), len(p.Titles))
	p.Points = append(p.Points, holdsInWords(all.Held)...)
	v.section = v.at("/publish")
	return show(v, status, p.Verb+"?", pages.PublishAsk, p)
}

// holdsInWords counts sessions by what holds them.
func holdsInWords(held []*models.Publishable) (said []string) {
	counts := map[models.Hold]int64{}
	for _, x := range held {
		counts[x.Holds[0]]++
	}
	for _, h := range holdWords {
		if n := counts[h.hold]; n > 0 {
			said = append(said, h.text+": "+number(n))
		}
	}
	return said
}

// formatNumbers writes numbers as ranges: "1-3,8".
func formatNumbers(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.Itoa(numbers[i])
		if last > i {
			part += "-" + strconv.Itoa(numbers[last])
		}
		parts, i = append(parts, part), last+1
	}
	return strings.Join(parts, ",")
}

// parseNumbers reads what formatNumbers wrote; what is none is left out, and no more is read than may be chosen.
func parseNumbers(text string) (numbers []int) {
	for part := range strings.SplitSeq(text, ",") {
		from, to, _ := strings.Cut(part, "-")
		first, err1 := strconv.Atoi(from)
		last, err2 := strconv.Atoi(cmp.Or(to, from))
		if err1 != nil || err2 != nil || first < 1 || last-first >= models.MaxNumbers {
			continue
		}
		for n := first; n <= last && len(numbers) <= models.MaxNumbers; n++ {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
