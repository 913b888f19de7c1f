package admin

import (
	"cmp"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

func orSomebody(who string) string { return cmp.Or(who, "Somebody") }

// detach gives a session and its one submission a text of their own each; undone by linking them again.
func detach(v *visit, s *models.Session) error {
	here := v.at("/sessions/"+s.ID) + v.listingQuery()
	_, err := v.programme.Detach(v.UserContext(), s.ID)
	if store.KindOf(err) == store.Invalid {
		v.KeepNotice("warn", s.FriendlyID+" shares its text with no submission any more.")
		return v.See(here, "")
	}
	if err != nil {
		return err
	}
	source, err := v.onlySource(s)
	if err != nil || source == nil {
		return v.Done(err, here, "Detached.")
	}
	return v.SeeUndo(here, "Detached: "+s.FriendlyID+" and "+source.FriendlyID+" have a text of their own each from now on.",
		v.at("/sessions/"+s.ID+"/link")+v.listingQuery(), components.Hidden{Name: "abstract", Value: source.UpdatedAt.String()})
}

// onlySource is the submission that a session is made of; nil where there are others, or none.
func (v *visit) onlySource(s *models.Session) (*models.Session, error) {
	sources, err := v.programme.Sources(v.UserContext(), s.ID)
	if err != nil || len(sources) != 1 || s.CompositionStatus.SourceCount != 1 {
		return nil, err
	}
	return sources[0], nil
}

// askLinkAgain shows what a submission's text loses before it is the session's once more.
func askLinkAgain(v *visit, s *models.Session) error {
	here := v.at("/sessions/" + s.ID)
	source, err := v.onlySource(s)
	if err != nil {
		return err
	}
	if source == nil || s.CompositionStatus.IsLinked {
		v.KeepNotice("warn", "There is nothing to link: "+s.FriendlyID+" is linked already, or not made of exactly one submission.")
		return v.See(here+v.listingQuery(), "")
	}
	p := pages.RelinkPage{
		Session: pages.Record{Label: s.FriendlyID, Name: s.FriendlyID + " " + s.Title, URL: here},
		Source:  pages.Record{Label: source.FriendlyID, Name: source.FriendlyID + " " + source.Title, URL: v.at("/sessions/" + source.ID)},
		Action:  here + "/link" + v.listingQuery(), Cancel: here + v.listingQuery(), Token: source.UpdatedAt.String(),
	}
	if source.Title != s.Title {
		p.TitleWords = page.Difference(source.Title, s.Title)
	}
	if source.Description != s.Description {
		p.Words = page.Difference(source.Description, s.Description)
	}
	v.section = v.at("/sessions")
	return show(v, 200, "Link "+s.FriendlyID+" and "+source.FriendlyID+" again", pages.LinkAgain, p)
}

func linkAgain(v *visit, s *models.Session) error {
	here := v.at("/sessions/" + s.ID)
	token, err := store.ParseTime(v.Value("abstract"))
	if err != nil {
		return page.OldForm
	}
	_, err = v.programme.LinkAgain(v.UserContext(), s.ID, &token)
	switch store.KindOf(err) {
	case store.Stale: // the text that would be lost is another one
		v.KeepNotice("warn", "The submission was changed since you looked, so nothing was linked. Look at its text once more.")
		return v.See(here+"/link"+v.listingQuery(), "")
	case store.Invalid:
		v.KeepNotice("warn", "There is nothing to link: "+s.FriendlyID+" is linked already, or not made of exactly one submission.")
		return v.See(here+v.listingQuery(), "")
	}
	return v.Done(err, here+v.listingQuery(), "Linked: the text of "+s.FriendlyID+" is that of its submission too.")
}
