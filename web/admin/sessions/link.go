package sessions

import (
	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// detach gives a session and its one submission separate texts; linking them again undoes that.
func detach(v *visit.Visit, s *models.Session) error {
	here := v.At("/sessions/"+s.ID) + lists.PlaceQuery(v)
	_, err := v.Programme.Detach(v.UserContext(), s.ID)
	if store.KindOf(err) == store.Invalid {
		return v.SeeWarning(here, s.FriendlyID+" shares its text with no submission any more.")
	}
	if err != nil {
		return err
	}
	source, err := onlySource(v, s)
	if err != nil || source == nil {
		return v.Done(err, here, "Detached.")
	}
	return v.SeeUndo(here, "Detached: "+s.FriendlyID+" and "+source.FriendlyID+" have a text of their own each from now on.",
		v.At("/sessions/"+s.ID+"/link")+lists.PlaceQuery(v), components.Hidden{Name: "abstract",
			Value: source.UpdatedAt.String()})
}

// onlySource returns the one submission that a session is made of; nil where there are several, or none.
func onlySource(v *visit.Visit, s *models.Session) (*models.Session, error) {
	sources, err := v.Programme.Sources(v.UserContext(), s.ID)
	if err != nil || len(sources) != 1 || s.CompositionStatus.SourceCount != 1 {
		return nil, err
	}
	return sources[0], nil
}

// askLinkAgain shows what a submission's text would lose if the session's replaced it.
func askLinkAgain(v *visit.Visit, s *models.Session) error {
	here := v.At("/sessions/" + s.ID)
	source, err := onlySource(v, s)
	if err != nil {
		return err
	}
	if source == nil || s.CompositionStatus.IsLinked {
		return v.SeeWarning(here+lists.PlaceQuery(v),
			"There is nothing to link: "+s.FriendlyID+" is linked already, or not made of exactly one submission.")
	}
	p := pages.RelinkPage{
		Session: records.Record{Label: s.FriendlyID, Name: s.FriendlyID + " " + s.Title, URL: here},
		Source: records.Record{Label: source.FriendlyID, Name: source.FriendlyID + " " + source.Title,
			URL: v.At("/sessions/" + source.ID)},
		Action: here + "/link" + lists.PlaceQuery(v), Cancel: here + lists.PlaceQuery(v), Token: source.UpdatedAt.String(),
	}
	if source.Title != s.Title {
		p.TitleWords = page.Difference(source.Title, s.Title)
	}
	if source.Description != s.Description {
		p.Words = page.Difference(source.Description, s.Description)
	}
	v.Section = v.At("/sessions")
	return visit.Show(v, 200, "Link "+s.FriendlyID+" and "+source.FriendlyID+" again", pages.LinkAgain, p)
}

func linkAgain(v *visit.Visit, s *models.Session) error {
	here := v.At("/sessions/" + s.ID)
	token, err := store.ParseTime(v.Value("abstract"))
	if err != nil {
		return page.OldForm
	}
	_, err = v.Programme.LinkAgain(v.UserContext(), s.ID, &token)
	switch store.KindOf(err) {
	case store.Stale: // the text that would be lost has changed
		return v.SeeWarning(here+"/link"+lists.PlaceQuery(v),
			"The submission was changed since you looked, so nothing was linked. Look at its text once more.")
	case store.Invalid:
		return v.SeeWarning(here+lists.PlaceQuery(v),
			"There is nothing to link: "+s.FriendlyID+" is linked already, or not made of exactly one submission.")
	}
	return v.Done(err, here+lists.PlaceQuery(v), "Linked: the text of "+s.FriendlyID+" is that of its submission too.")
}
