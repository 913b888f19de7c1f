package people

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// strengths are the badges for how likely two contacts are one person.
var strengths = map[people.Strength]struct{ words, look string }{
	people.VeryLikely: {"Very likely", "accepted"}, people.Likely: {"Likely", "pending"},
	people.Possibly: {"Possibly", "draft"},
}

var reasonWords = map[people.Reason]string{people.SameName: "name", people.SameNameAndCompany: "name and company",
	people.SameEmail: "e-mail address but for dots, case and what follows a plus", people.SamePhone: "phone number"}

// why words the reasons of a suggestion.
func why(s *people.Suggestion) string {
	return "Same " + strings.Join(store.Map(s.Reasons, func(r people.Reason) string { return reasonWords[r] }), ", same ") + "."
}

// pairAddress returns the address at which two people are compared.
func pairAddress(stays, goes string) string {
	return visit.ContactsPath + "/" + stays + "/merge/" + goes
}

func lookalike(x *people.Lookalike) pages.PairPerson {
	return pages.PairPerson{Name: x.FullName, Byline: visit.JoinWords(", ", x.JobTitle, x.CompanyName), Email: x.Email,
		Page: visit.ContactsPath + "/" + x.ID}
}

// listPairs shows the people who look alike, page by page.
func listPairs(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	l := v.PlainListing("page")
	l.Kind = "speakers"
	found, err := people.In(v.Directory()).Suggestions(v.UserContext())
	if err != nil {
		return err
	}
	asked := store.Page{Number: l.Page(), Size: visit.RowsAPage}
	if err := asked.Clean(); err != nil {
		return err
	}
	pagination := asked.Of(int64(len(found.Pairs)))
	if asked.Offset() > 0 && asked.Offset() >= len(found.Pairs) { // beyond the last page
		return v.SeeInstead(pairsPath)
	}
	p := pages.PairsPage{Base: pairsPath, Contacts: visit.ContactsPath, Pages: visit.PagesOf(pairsPath, l, pagination,
		"pairs"),
		Total: visit.Counted(pagination.TotalResults, "pair", "pairs"), Ticked: v.Query("ticked") == "all",
		TickAll: pairsPath + l.With("ticked", "all")}
	for _, crowd := range found.Crowds {
		p.Crowds = append(p.Crowds, visit.Number(int64(crowd.People))+" people have the same "+reasonWords[crowd.Reason]+" as “"+crowd.Name+
			"”: the oldest of them is shown with some of the others at a time.")
	}
	p.Crowds = p.Crowds[:min(len(p.Crowds), 5)]
	for _, s := range found.Pairs[asked.Offset():min(asked.Offset()+asked.Size, len(found.Pairs))] {
		p.Pairs = append(p.Pairs, pages.PairRow{Value: s.First.ID + ":" + s.Second.ID, First: lookalike(s.First),
			Second: lookalike(s.Second), Strength: strengths[s.Strength].words, Look: strengths[s.Strength].look, Why: why(s),
			URL: pairAddress(s.First.ID, s.Second.ID)})
	}
	return visit.Show(v, http.StatusOK, "Pairs that look alike", pages.Pairs, p)
}

// afterPair returns the address of the suggestion after a pair, or of the list after the last.
func afterPair(v *visit.Visit, one, other string) (string, error) {
	found, err := people.In(v.Directory()).Suggestions(v.UserContext())
	if err != nil {
		return "", err
	}
	is := func(s *people.Suggestion) bool {
		return s.First.ID == one && s.Second.ID == other || s.First.ID == other && s.Second.ID == one
	}
	if at := slices.IndexFunc(found.Pairs, is); at >= 0 && at+1 < len(found.Pairs) {
		return pairAddress(found.Pairs[at+1].First.ID, found.Pairs[at+1].Second.ID), nil
	}
	return pairsPath, nil
}

// nextPair leads to the suggestion after this one.
func nextPair(v *visit.Visit) error {
	next, err := afterPair(v, v.Query("stays"), v.Query("goes"))
	if err != nil {
		return err
	}
	return v.SeeInstead(next)
}

// mergePairs merges the ticked pairs, after confirmation.
func mergePairs(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	ticked := v.Values("pair")
	if len(ticked) == 0 {
		return v.SeeWarning(pairsPath, "Nothing was merged: no pair was ticked.")
	}
	if len(ticked) > people.MaxMergePairs {
		return store.Invalidf("pair", "is more than %d pairs", people.MaxMergePairs)
	}
	var pairs []people.MergePair
	for _, text := range ticked {
		parts := strings.Split(text, ":")
		if len(parts) < 2 {
			return page.OldForm
		}
		pair := people.MergePair{SurvivorID: parts[0], RemovedID: parts[1]}
		if len(parts) > 2 {
			pair.Version = parts[2]
		}
		pairs = append(pairs, pair)
	}
	if v.Value("confirm") != "yes" {
		return askMergePairs(v, pairs)
	}
	done, err := people.In(v.Directory()).Merge(v.UserContext(), pairs)
	if err != nil {
		return err
	}
	return tellMerged(v, done)
}

func askMergePairs(v *visit.Visit, pairs []people.MergePair) error {
	p := layouts.ConfirmPage{Action: pairsPath, Cancel: pairsPath, Verb: "Merge " +
		visit.Counted(int64(len(pairs)), "pair", "pairs"),
		Text: "The first of each pair stays and keeps its values; where it has none, the other's are taken. Sessions, notes, tags " +
			"and addresses move. Whoever reads mail at the address that stays may come in to their place; compare two by themselves to " +
			"let in another one of their addresses too.",
		Last: "This cannot be undone. All values of who goes stay in the activity, and webhooks are told contact.merged."}
	gone := 0
	for _, pair := range pairs {
		c, err := people.In(v.Directory()).Compare(v.UserContext(), pair)
		if kind := store.KindOf(err); kind == store.NotFound || kind == store.Invalid {
			gone++
			continue
		}
		if err != nil {
			return err
		}
		p.Hidden = append(p.Hidden, components.Hidden{Name: "pair", Value: pair.SurvivorID + ":" + pair.RemovedID + ":" + c.Version})
		p.Titles = append(p.Titles, addressed(c.Survivor)+" ← "+addressed(c.Removed)+mergeOutcome(c))
	}
	if gone > 0 {
		p.Points = []string{visit.Counted(int64(gone), "pair is", "pairs are") + " not there any more and left out."}
	}
	if len(p.Hidden) == 0 {
		return v.SeeWarning(pairsPath, "Nothing was merged: these people are not there any more.")
	}
	return v.Ask("Merge "+visit.Counted(int64(len(p.Hidden)), "pair", "pairs")+"?", p)
}

// addressed names a person with what tells them from others of the same name.
func addressed(x *models.Person) string {
	return x.FullName + " (" + cmp.Or(x.Email, visit.JoinWords(", ", x.JobTitle, x.CompanyName), "no e-mail") + ")"
}

// mergeOutcome says which values of the survivor win over the other's, which sign-ins end, and what moves.
func mergeOutcome(c *people.Comparison) string {
	var lost []string
	for _, f := range c.Fields {
		if f.Open() && f.Name != "email" {
			lost = append(lost, strings.ToLower(f.Label))
		}
	}
	text := ""
	if len(lost) > 0 {
		text = ": keeps " + strings.Join(lost, ", ")
	}
	if ends := endedWays(c); len(ends) > 0 {
		text += "; sign-ins by " + strings.Join(ends, ", ") + " end"
	}
	if n := c.Moves.Sessions; n > 0 {
		text += "; " + visit.Counted(int64(n), "session moves", "sessions move")
	}
	if n := len(c.Moves.Doubled); n > 0 {
		text += "; " + visit.Counted(int64(n), "seat is", "seats are") + " doubled and becomes one"
	}
	return text
}

// endedWays returns the addresses that no longer open the place after this merge.
func endedWays(c *people.Comparison) (emails []string) {
	own := cmp.Or(c.Survivor.Email, c.Removed.Email)
	for _, w := range c.Ways {
		if w.Email != own && (w.HasPlace || w.IsClaimed) {
			emails = append(emails, w.Email)
		}
	}
	return emails
}

// tellMerged says what became of a batch of merges.
func tellMerged(v *visit.Visit, done []*people.MergeOutcome) error {
	merged, left := 0, []string{}
	for _, o := range done {
		if o.Reason == "" {
			merged++
		} else {
			left = append(left, "“"+o.RemovedName+"”: "+o.Reason)
		}
	}
	text := visit.Counted(int64(merged), "pair is", "pairs are") + " merged."
	if len(left) > 0 {
		return v.SeeWarning(pairsPath, text+" Left out: "+strings.Join(left[:min(3, len(left))], " "))
	}
	return v.See(pairsPath, text)
}

// dismissPair records that two contacts are different people, and leads to the next pair.
func dismissPair(v *visit.Visit) error {
	stays, goes := v.Value("stays"), v.Value("goes")
	next, err := afterPair(v, stays, goes)
	if err != nil {
		return err
	}
	return v.Done(people.In(v.Directory()).DismissPair(v.UserContext(), stays, goes), next,
		"These two are not suggested again. They stand among those told apart.")
}

func listDismissed(v *visit.Visit) error {
	v.Section = visit.ContactsPath
	rows, err := people.In(v.Directory()).DismissedPairs(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.DismissedPage{Base: pairsPath}
	for _, row := range rows {
		p.Pairs = append(p.Pairs, pages.DismissedRow{First: pages.PairPerson{Name: row.FirstName, Email: row.FirstEmail},
			Second: pages.PairPerson{Name: row.SecondName, Email: row.SecondEmail}, FirstID: row.FirstID, SecondID: row.SecondID,
			When: page.When(&row.CreatedAt, v.Zone()) + ", " + row.ByName})
	}
	return visit.Show(v, http.StatusOK, "Told apart", pages.Dismissed, p)
}

func bringBackPair(v *visit.Visit) error {
	return v.Done(people.In(v.Directory()).BringBackPair(v.UserContext(), v.Value("stays"), v.Value("goes")),
		pairsPath+"/dismissed", "These two are suggested again.")
}
