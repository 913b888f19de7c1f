package sessions

import (
	"net/http"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// versionsAPage is how many versions a page compares with the one before them.
const versionsAPage = 10

// listVersions shows the versions of a record's title and description, with what each change did.
func listVersions(v *visit.Visit, s *models.Session) error {
	versions, err := v.Programme.Versions(v.UserContext(), s)
	if err != nil {
		return err
	}
	v.Section = v.At("/" + lists.KindOf(s))
	l := v.PlainListing("page")
	found := store.Page{Number: l.Page(), Size: versionsAPage}.Of(int64(len(versions)))
	base := v.At("/sessions/" + s.ID)
	if found.CurrentPage > found.TotalPages {
		return v.SeeInstead(base + "/versions")
	}
	from := (found.CurrentPage - 1) * versionsAPage
	until := min(from+versionsAPage, len(versions))
	p := pages.VersionsPage{
		Record: records.Record{Name: s.FriendlyID + " " + s.Title, URL: base}, Token: s.UpdatedAt.String(),
		Newest: versions[0].ID, Pages: visit.PagesOf(base+"/versions", l, found, "versions"),
		Older: until == len(versions) && len(versions) == models.MaxVersions,
	}
	if p.Shared, err = sharesText(v, s); err != nil {
		return err
	}
	switch {
	case s.CompositionStatus.IsReadOnly:
		target := s.CompositionStatus.Target
		p.Elsewhere = records.Record{Name: target.FriendlyID + " " + target.Title,
			URL: v.At("/sessions/" + target.ID + "/versions")}
	case v.May(staff.Organizer):
		p.Action = base + "/versions"
	}
	p.Versions = store.Map(versions[from:until], func(of *models.Version) pages.Version { return versionRow(v, of) })
	return visit.Show(v, http.StatusOK, "Versions of the text", pages.Versions, p)
}

// versionRow puts a version into words.
func versionRow(v *visit.Visit, version *models.Version) pages.Version {
	out := pages.Version{ID: version.ID, When: page.When(&version.At, v.Event.Location()),
		Who: records.Doer(version.Actor, version.Door)}
	if version.Before == nil {
		out.First = &pages.FirstText{Title: version.Text.Title, Description: version.Text.Description}
		out.Did = "wrote it first"
		return out
	}
	was, is := version.Before, version.Text
	var changed []string
	if was.Title != is.Title {
		changed = append(changed, "the title")
		out.Title = page.Difference(was.Title, is.Title)
	}
	if was.Description != is.Description {
		changed = append(changed, "the description")
		out.Text = page.Difference(was.Description, is.Description)
		if out.Marked = !page.Differs(out.Text); out.Marked {
			out.Text = nil
		}
	}
	out.Did = "changed " + visit.Enumerated(changed)
	return out
}

// restoreVersion gives a record the title and description of a version, as an ordinary edit.
func restoreVersion(v *visit.Visit, s *models.Session) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	version, err := v.Programme.Version(v.UserContext(), s, v.Value("version"))
	if err != nil {
		return err
	}
	c := models.SessionChange{Title: &version.Text.Title, UpdatedAt: &token}
	c.Description = &version.Text.Description
	now, err := v.Programme.UpdateSession(v.UserContext(), s.ID, c)
	switch store.KindOf(err) {
	case store.Stale:
		return versionConflict(v, s, version)
	case store.Invalid: // the text is another record's by now
		return v.SeeRefusal(v.At("/sessions/"+s.ID+"/versions"), components.Sentence(components.Fault{Message: err.Error()}))
	}
	if err != nil {
		return err
	}
	also, err := alsoChanged(v, now, s)
	if err != nil {
		return err
	}
	return v.See(v.At("/sessions/"+s.ID),
		"Title and description are again those of "+page.When(&version.At, v.Event.Location())+"."+also)
}

// versionConflict shows the editor with the restored text, beside what somebody else saved since the page of versions
// was opened; that page sends the version that was newest then.
func versionConflict(v *visit.Visit, s *models.Session, version *models.Version) error {
	seen, err := v.Programme.Version(v.UserContext(), s, v.Value("newest"))
	if err != nil {
		return page.OldForm
	}
	rest, _, err := besideForm(v, s)
	if err != nil {
		return err
	}
	was := formOf(rest, v.Event.Location())
	was.values["title"], was.values["description"] = seen.Text.Title, seen.Text.Description
	mine := formOf(rest, v.Event.Location())
	mine.values["title"], mine.values["description"] = version.Text.Title, version.Text.Description
	return sessionConflict(v, mine, was)
}
