package revisions

import (
	"net/http"

	"lectern/models/revisions"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/revisions"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// theRevision reads the revision of the path.
func theRevision(v *visit.Visit) (*revisions.Waiting, error) {
	v.Section = v.At("/revisions")
	return desk(v).One(v.UserContext(), v.Params("revision"))
}

func showRevision(v *visit.Visit, w *revisions.Waiting) error {
	return onePage(v, http.StatusOK, w, "")
}

// onePage shows a revision; words are those of a refused form.
func onePage(v *visit.Visit, status int, w *revisions.Waiting, words string) error {
	p := pages.OnePage{Row: view(v, w), Base: v.At("/revisions"), Words: words}
	next, err := desk(v).Next(v.UserContext(), w.Revision)
	if err != nil {
		return err
	}
	if next != "" {
		p.Next = p.Base + "/" + next
	}
	return visit.Show(v, status, "Revision of "+w.Name(), pages.One, p)
}

// decideOne accepts or refuses a revision, unless it changed since the user saw it, and leads to the next one.
func decideOne(v *visit.Visit, w *revisions.Waiting) error {
	verdict, words := revisions.Verdict(v.Value("do")), v.Value("words")
	next, err := desk(v).Next(v.UserContext(), w.Revision)
	if err != nil {
		return err
	}
	_, err = desk(v).Decide(v.UserContext(), w.ID, v.Value("seen"), verdict, words)
	switch store.KindOf(err) {
	case store.Stale:
		now, missing := theRevision(v)
		if missing != nil {
			return missing
		}
		v.WarnNow(err.Error())
		return onePage(v, http.StatusConflict, now, words)
	case store.Invalid:
		return v.Again(err, func(status int) error { return onePage(v, status, w, words) })
	}
	if err != nil {
		return err
	}
	to := v.At("/revisions")
	if next != "" {
		to += "/" + next
	}
	return v.See(to, "The change of “"+visit.Cut(w.Name())+"” is "+deeds[verdict]+". "+w.Author+" gets a mail.")
}

// sendPhoto sends the photo of a revision.
func sendPhoto(v *visit.Visit) error {
	f, err := desk(v).Photo(v.UserContext(), v.Params("revision"))
	if err != nil {
		return err
	}
	return page.SendFile(v.UserContext(), v.Ctx, v.Store, f, "inline")
}

// view returns a revision as its page and its row show it.
func view(v *visit.Visit, w *revisions.Waiting) pages.Revision {
	r := pages.Revision{ID: w.ID, URL: v.At("/revisions/" + w.ID), Seen: w.Token(), Name: w.Name(), Author: w.Author,
		AuthorURL: v.At("/speakers/" + w.AuthorID), When: page.When(&w.UpdatedAt, v.Zone())}
	if w.Session != nil {
		r.Label, r.OwnerURL = w.Session.FriendlyID, v.At("/sessions/"+w.Session.ID)
		r.Parts = parts("Title", w.Session.Title, w.Title, "Description", w.Session.Description, w.Description)
		return r
	}
	r.OwnerURL = v.At("/speakers/" + w.Person.ID)
	r.Parts = parts("Biography", w.Person.About, w.About)
	switch {
	case w.PhotoID != nil:
		r.Photo, r.PhotoWas = r.URL+"/photo", w.Person.PhotoPath()
	case w.DropsPhoto:
		r.PhotoWas = w.Person.PhotoPath()
	}
	return r
}

// parts returns the differences of texts, given in threes: a name, the present text, and a pointer to the new one, nil
// for unchanged.
func parts(all ...any) (out []pages.Part) {
	for i := 0; i < len(all); i += 3 {
		name, was, is := all[i].(string), all[i+1].(string), all[i+2].(*string)
		if is == nil {
			continue
		}
		part := pages.Part{Name: name, Difference: page.Difference(was, *is)}
		if part.Marked = !page.Differs(part.Difference); part.Marked {
			part.Difference = []components.Passage{}
		}
		out = append(out, part)
	}
	return out
}
