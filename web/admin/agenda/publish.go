package agenda

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/batch"
	"lectern/web/admin/visit"
)

// How many rows the page shows: of what is ready, of every other part, and of one part that was asked for.
const (
	publishFirst = 20
	linesFirst   = 8
	publishLots  = 100
)

// publishChoice is what a form of the page chose.
type publishChoice struct {
	ticked, shown map[int]bool // numbers of ready sessions
	rest          []int        // ready sessions that were chosen but not shown in the form
	held          map[int]bool // held sessions, shown or not
	allHeld       bool
}

// showPublish shows what is ready, held and public.
func showPublish(v *visit.Visit) error { return publishPage(v, http.StatusOK, nil) }

// countPublish shows the page again with what was ticked, and counts it.
func countPublish(v *visit.Visit) error {
	return publishPage(v, http.StatusOK, new(chosenToPublish(v)))
}

func chosenToPublish(v *visit.Visit) publishChoice {
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

// numbers returns the numbers of all sessions to publish.
func (c *publishChoice) numbers() []int {
	all := slices.AppendSeq(slices.Clone(c.rest), maps.Keys(c.ticked))
	slices.Sort(all)
	return slices.Compact(all)
}

// takes tells whether a ready session is chosen: by the form, or by default if it is placed.
func (c *publishChoice) takes(x *models.Publishable) bool {
	switch {
	case c == nil:
		return x.IsPlaced()
	case c.shown[x.Number]:
		return c.ticked[x.Number]
	}
	return slices.Contains(c.rest, x.Number)
}

// takesHeld tells whether a held session is chosen.
func (c *publishChoice) takesHeld(x *models.Publishable) bool { return c != nil && c.held[x.Number] }

// publishPage shows the page with the chosen rows ticked; nil ticks the default.
func publishPage(v *visit.Visit, status int, chosen *publishChoice) error {
	all, err := v.Programme.Publication(v.UserContext(), nil)
	if err != nil {
		return err
	}
	conflicts, err := agenda.Of(v.Programme).Conflicts(v.UserContext())
	if err != nil {
		return err
	}
	base := v.At("/publish")
	p := pages.PublishPage{Base: base, Sessions: v.At("/sessions"),
		Nothing: len(all.Ready)+len(all.Held)+len(all.Public)+all.Unaccepted == 0}
	if p.Version, err = pendingVersion(v); err != nil {
		return err
	}
	d := &publishDesk{Visit: v, all: all, conflicts: conflicts.Of, chosen: chosen, show: v.Query("show")}
	d.page, _ = strconv.Atoi(v.Query("page"))
	if err := d.load(); err != nil {
		return err
	}
	p.Held, p.Ready, p.Public = d.held(), d.ready(), d.public()
	warnings := d.warnings()
	p.Warnings = d.some(warnings)
	p.Numbers = []pages.PublishNumber{{Number: visit.Number(int64(len(all.Ready))), Text: "ready"},
		{Number: visit.Number(int64(len(all.Held))), Text: "held"}, {Number: visit.Number(int64(len(all.Public))),
			Text: "already public"},
		{Number: visit.Number(int64(len(warnings))), Text: map[bool]string{true: "warning",
			false: "warnings"}[len(warnings) == 1]}}
	if n := d.count(); n > 0 {
		p.Verb, p.Events = "Publish "+visit.Counted(int64(n), "session", "sessions"), visit.Number(int64(n))
	}
	if all.Unaccepted > 0 {
		p.Out = visit.Counted(int64(all.Unaccepted), "session more is not accepted", "sessions more are not accepted") +
			", so not part of the programme."
	}
	return visit.Show(v, status, "Publish the programme", pages.Publish, p)
}

// publish publishes what is ticked, as a batch whose page shows each result.
func publish(v *visit.Visit) error {
	chosen := chosenToPublish(v)
	numbers := chosen.numbers()
	if len(numbers) == 0 {
		v.Faults = components.Faults{{Field: "", Message: "Tick at least one session to publish"}}
		return publishPage(v, http.StatusUnprocessableEntity, &chosen)
	}
	return startPublishing(v, numbers, models.BatchChange{Operation: models.BatchPublish})
}

// startPublishing starts a batch, carries it out at once if it is small, and leads to its results.
func startPublishing(v *visit.Visit, numbers []int, c models.BatchChange) error {
	q := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(false), Numbers: numbers, IncludeDeleted: true}}
	b, err := batch.Start(v, nil, &q, c)
	if err != nil {
		return err
	}
	if b.Total <= visit.RowsAPage {
		_, _ = batch.Finish(v, b) // what fails is tried again in the background
	}
	return v.Lead(batch.At(v, b.ID, v.At("/publish")))
}

// heldNumbers returns the numbers of the held sessions that a form chose.
func heldNumbers(v *visit.Visit) []int {
	if n, err := strconv.Atoi(v.Value("only")); err == nil && n > 0 {
		return []int{n}
	}
	if numbers := parseNumbers(v.Value("numbers")); len(numbers) > 0 { // of a group, or of the page that asks why
		return numbers
	}
	c := chosenToPublish(v)
	if c.allHeld {
		return parseNumbers(v.Value("held_numbers"))
	}
	return slices.Sorted(maps.Keys(c.held))
}

// publishAnyway publishes held sessions, once a reason is given.
func publishAnyway(v *visit.Visit) error {
	numbers := heldNumbers(v)
	if len(numbers) == 0 {
		v.Faults = components.Faults{{Field: "", Message: "Tick at least one session that is held"}}
		return publishPage(v, http.StatusUnprocessableEntity, new(chosenToPublish(v)))
	}
	if v.Value("confirm") == "" {
		return askAnyway(v, http.StatusOK, numbers)
	}
	reason := strings.TrimSpace(v.Value("reason"))
	if reason == "" {
		v.Faults = components.Faults{{Field: "reason", Message: "must not be empty"}}
		return askAnyway(v, http.StatusUnprocessableEntity, numbers)
	}
	err := startPublishing(v, numbers, models.BatchChange{Operation: models.BatchPublish, Reason: reason})
	if err == nil {
		return nil
	}
	return v.Again(err, func(status int) error { return askAnyway(v, status, numbers) })
}

// askAnyway asks for the reason, and says what will happen.
func askAnyway(v *visit.Visit, status int, numbers []int) error {
	q := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(false), Numbers: numbers}}
	all, err := v.Programme.Publication(v.UserContext(), &q)
	if err != nil {
		return err
	}
	found := append(slices.Clone(all.Held), all.Ready...)
	if len(found) == 0 {
		return v.SeeWarning(v.At("/publish"), "None of these sessions is held any more. Look at them as they are now.")
	}
	what := visit.Counted(int64(len(found)), "session", "sessions")
	p := pages.PublishAskPage{NeedsReason: true, Reason: v.Value("reason"), ConfirmPage: layouts.ConfirmPage{
		Action: v.At("/publish/anyway"), Cancel: v.At("/publish"), Keeps: true, Posted: true, Verb: "Publish " + what +
			" anyway",
		Hidden: []components.Hidden{{Name: "numbers", Value: formatNumbers(numbers)}},
		Text: "Something holds " + map[bool]string{true: "it", false: "them"}[len(found) == 1] +
			" from the public. Everyone can read what is published at once.",
		Points: []string{visit.Counted(int64(len(found)), "session.published event", "session.published events") +
			", once each. No letter is sent by this."},
	}}
	for _, x := range found[:min(len(found), visit.TitlesShown)] {
		p.Titles = append(p.Titles, x.FriendlyID+"  "+x.Title)
	}
	p.More = visit.AndMore(int64(len(found)), len(p.Titles))
	p.Points = append(p.Points, HoldsInWords(all.Held)...)
	v.Section = v.At("/publish")
	return visit.Show(v, status, p.Verb+"?", pages.PublishAsk, p)
}

// HoldsInWords counts sessions by their foremost hold.
func HoldsInWords(held []*models.Publishable) (said []string) {
	counts := map[models.Hold]int64{}
	for _, x := range held {
		counts[x.Holds[0]]++
	}
	for _, h := range holdWords {
		if n := counts[h.hold]; n > 0 {
			said = append(said, h.text+": "+visit.Number(n))
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

// parseNumbers reads what formatNumbers wrote. It skips what is no number or range, and stops at models.MaxNumbers.
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
