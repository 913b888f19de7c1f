package lists

import (
	"strconv"

	"lectern/models"
	"lectern/models/decisions"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func openPage(v *visit.Visit, l List, verb verb, form formOnList) error {
	if verb.composes {
		return composeSelected(v, l, form)
	}
	ids, q := form.selected(l)
	return OpenCommitOf(v, ids, q, At(v, l))
}

// OpenCommitOf opens a commit and leads to the page of what it would do, or back where it would do nothing.
func OpenCommitOf(v *visit.Visit, ids []string, q *models.SessionSearch, back string) error {
	b, err := decisions.Of(v.Programme).Open(v.UserContext(), ids, q)
	if store.KindOf(err) == store.Invalid {
		v.KeepNotice("warn", components.Sentence(page.FaultsOf(err)[0]))
		return v.Lead(back)
	}
	if err != nil {
		return err
	}
	return v.Lead(v.At("/decisions/" + b.ID))
}

// CommitAt returns the address of a page of a commit.
func CommitAt(v *visit.Visit, id string, number int) string {
	if number <= 1 {
		return v.At("/decisions/" + id)
	}
	return v.At("/decisions/"+id) + "?page=" + strconv.Itoa(number)
}
