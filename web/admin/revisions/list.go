package revisions

import (
	"net/http"
	"slices"
	"strings"

	"lectern/models/revisions"
	"lectern/models/store"
	pages "lectern/views/pages/revisions"
	"lectern/web/admin/visit"
)

// title is the name of the list.
const title = "Revisions"

func desk(v *visit.Visit) *revisions.Desk { return revisions.Of(v.Programme) }

func listRevisions(v *visit.Visit) error { return listPage(v, http.StatusOK, nil, "") }

// listPage shows the list; ticked and words are what a refused form held.
func listPage(v *visit.Visit, status int, ticked []string, words string) error {
	l, base := v.PlainListing("page"), v.At("/revisions")
	all, found, err := desk(v).All(v.UserContext(), store.Page{Number: l.Page(), Size: visit.RowsAPage})
	if err != nil {
		return err
	}
	if len(all) == 0 && found.TotalResults > 0 {
		return v.SeeInstead(base)
	}
	p := pages.Page{Action: base, Words: words, Asks: v.Event.AsksApproval, Settings: v.At("/settings"),
		Pages: visit.PagesOf(base, l, found, "revisions")}
	for _, w := range all {
		row := view(v, w)
		row.Ticked = slices.Contains(ticked, w.ID)
		p.Rows = append(p.Rows, row)
	}
	return visit.Show(v, status, title, pages.Revisions, p)
}

// decideSome accepts or refuses the ticked revisions one by one; those that were changed or decided meanwhile stay as
// they are.
func decideSome(v *visit.Visit) error {
	ids, words := v.Values("id"), v.Value("words")
	verdict := revisions.Verdict(v.Value("do"))
	seen := map[string]string{}
	for _, both := range v.Values("seen") {
		id, token, _ := strings.Cut(both, " ")
		seen[id] = token
	}
	if len(ids) == 0 {
		return v.SeeWarning(v.At("/revisions"), "Tick what you want to decide first.")
	}
	done, left := int64(0), int64(0)
	for _, id := range ids {
		_, err := desk(v).Decide(v.UserContext(), id, seen[id], verdict, words)
		switch kind := store.KindOf(err); {
		case err == nil:
			done++
		case kind == store.Stale, kind == store.NotFound:
			left++
		case kind == store.Invalid && done == 0:
			return v.Again(err, func(status int) error { return listPage(v, status, ids, words) })
		default:
			return err
		}
	}
	text := ""
	if done > 0 {
		text = visit.Counted(done, "change is ", "changes are ") + deeds[verdict] + "."
	}
	if left > 0 {
		text += " " + visit.Counted(left, "change", "changes") + " stayed, made anew, taken back or decided meanwhile. Look again."
		return v.SeeWarning(v.At("/revisions"), strings.TrimSpace(text))
	}
	return v.See(v.At("/revisions"), text)
}

// deeds are the verdicts in the past tense.
var deeds = map[revisions.Verdict]string{revisions.Accept: "accepted", revisions.Refuse: "refused"}
