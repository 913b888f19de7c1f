package people

import (
	"net/http"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// listBiographies shows the versions of a person's biography, and what each change did.
func listBiographies(v *visit.Visit, r *roster) error {
	x := r.person
	events, err := v.Events()
	if err != nil {
		return err
	}
	versions, err := people.In(r.directory).Biographies(v.UserContext(), &x.Contact, idsOf(events))
	if err != nil {
		return err
	}
	v.Section = r.base
	base := r.base + "/" + x.ID
	p := sessions.VersionsPage{Record: records.Record{Name: x.FullName, URL: base},
		Action: base + "/biography", Token: x.UpdatedAt.String(),
		Newest: versions[0].ID, Older: len(versions) == models.MaxVersions}
	p.Versions = store.Map(versions, func(version *models.Version) sessions.Version { return biography(r, version) })
	return visit.Show(v, http.StatusOK, "Versions of the biography", sessions.Versions, p)
}

// biography puts a version into words.
func biography(r *roster, version *models.Version) sessions.Version {
	out := sessions.Version{ID: version.ID, When: page.When(&version.At, r.Zone()), Who: records.Doer(version.Actor, version.Door)}
	if version.Before == nil {
		out.Who, out.Did = "", "The first that is known"
		out.First = &sessions.FirstText{Description: version.Text.Description}
		return out
	}
	out.Did, out.Text = "changed the biography", page.Difference(version.Before.Description, version.Text.Description)
	if out.Marked = !page.Differs(out.Text); out.Marked {
		out.Text = nil
	}
	return out
}

// restoreBiography gives a person the biography of a version, as an ordinary edit.
func restoreBiography(v *visit.Visit, r *roster) error {
	x := r.person
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	events, err := v.Events()
	if err != nil {
		return err
	}
	version, err := people.In(r.directory).Restore(v.UserContext(), &x.Contact, idsOf(events), v.Value("version"), &token)
	base := r.base + "/" + x.ID
	switch store.KindOf(err) {
	case store.Stale:
		return v.SeeWarning(base+"/biography",
			"This person was changed since you opened the page, so nothing was restored. Look again, then decide.")
	case store.Invalid:
		return v.SeeRefusal(base+"/biography", components.Sentence(components.Fault{Message: err.Error()}))
	}
	if err != nil {
		return err
	}
	return v.See(base, "The biography is again that of "+page.When(&version.At, r.Zone())+".")
}
