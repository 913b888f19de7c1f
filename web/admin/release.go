package admin

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/pages"
	"lectern/web/page"
)

// changesShown are how many changes of a kind a page has.
const changesShown = 100

func (v *visit) versionAt(id string) string { return v.at("/publish/versions/" + id) }

// releasedVersion is the version of the address.
func releasedVersion(v *visit) (*models.AgendaVersion, error) {
	return v.programme.ReleasedVersion(v.UserContext(), v.Params("version"))
}

// pendingVersion is what the page of what is published says of versions.
func (v *visit) pendingVersion() (pages.PublishVersion, error) {
	versions, err := v.programme.AgendaVersions(v.UserContext())
	p := pages.PublishVersion{URL: v.at("/publish/versions"), Name: "Release a version…",
		Text: "No version of the agenda is released yet."}
	if len(versions) > 0 {
		last := versions[0]
		p.Text = "Version " + number(int64(last.Number)) + ", “" + last.Name + "”"
		p.Changes, p.Name = "released "+page.When(&last.CreatedAt, v.event.Location()), "What changed since"
	}
	return p, err
}

// listAgendaVersions shows what changed since the agenda was released last, and all versions.
func listAgendaVersions(v *visit) error {
	draft := pages.VersionDraft{Letters: false, Subject: models.ChangesText.Subject, Body: models.ChangesText.Body}
	return v.versionsPage(http.StatusOK, draft)
}

func (v *visit) versionsPage(status int, draft pages.VersionDraft) error {
	last, changes, err := v.programme.PendingChanges(v.UserContext())
	if err != nil {
		return err
	}
	versions, err := v.programme.AgendaVersions(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.AgendaVersionsPage{Base: v.at("/publish/versions"), Publish: v.at("/publish"),
		Public: "/events/" + v.event.Slug + "/changes", Parts: v.changeParts(changes),
		Seen: models.Fingerprint(changes), Version: draft, Verb: "Release version 1",
		Lead: "A released agenda is kept under a name, so that everybody can be told what changed. " +
			"Pages and feeds always show it as it is now."}
	switch {
	case last == nil && len(changes) == 0:
		p.Nothing = "No session is public and has a time. Publish the programme first."
	case last != nil && len(changes) == 0:
		p.Nothing = "Nothing changed since version " + number(int64(last.Number)) + ", “" + last.Name + "”."
	case last != nil:
		p.Verb = "Release version " + number(int64(last.Number+1))
	}
	if n := len(models.Concerned(changes)); n > 0 {
		p.People = counted(int64(n), "person", "people")
	}
	for _, x := range versions {
		p.Versions = append(p.Versions, pages.VersionDone{Number: number(int64(x.Number)), Name: x.Name, Note: x.Note,
			URL: v.versionAt(x.ID), When: page.When(&x.CreatedAt, v.event.Location()), By: x.ByName})
	}
	v.section = v.at("/publish")
	return show(v, status, "Versions of the agenda", pages.AgendaVersions, p)
}

// changeHeads are the kinds of changes in their order.
var changeHeads = []struct {
	title string
	is    func(models.AgendaChange) bool
}{
	{"Cancelled", models.AgendaChange.IsCancelled},
	{"Moved", models.AgendaChange.IsMoved},
	{"New", models.AgendaChange.IsNew},
	{"New titles", func(c models.AgendaChange) bool { return c.IsRenamed() && !c.IsMoved() }},
}

func (v *visit) changeParts(changes []models.AgendaChange) (parts []pages.ChangePart) {
	zone := v.event.Location()
	for _, head := range changeHeads {
		part, n := pages.ChangePart{Title: head.title}, 0
		for _, c := range changes {
			if !head.is(c) {
				continue
			}
			if n++; n <= changesShown {
				part.Rows = append(part.Rows, v.changeRow(c, zone))
			}
		}
		if n > 0 {
			part.Count, part.More = number(int64(n)), andMore(int64(n), len(part.Rows))
			parts = append(parts, part)
		}
	}
	return parts
}

func (v *visit) changeRow(c models.AgendaChange, zone *time.Location) pages.ChangeRow {
	now := c.Now()
	row := pages.ChangeRow{Title: now.Title, URL: v.at("/sessions/" + now.SessionID)}
	names := []string{now.FriendlyID}
	for _, x := range now.People {
		names = append(names, x.Name)
	}
	row.Meta = strings.Join(names, " · ")
	if c.IsRenamed() {
		row.Renamed = c.Was.Title
	}
	if c.IsCancelled() || c.IsMoved() {
		row.Was = c.Was.Where(zone)
	}
	if c.Is != nil {
		row.Is = c.Is.Where(zone)
	}
	return row
}

// versionDraft is what a form says of a version and its letters.
func (v *visit) versionDraft() pages.VersionDraft {
	return pages.VersionDraft{Name: v.Value("name"), Note: v.FormValue("note"), Letters: v.Value("letters") != "",
		Subject: v.Value("subject"), Body: v.FormValue("body")}
}

// releaseAgenda keeps the public agenda as a version. Sent again it leads to the same.
func releaseAgenda(v *visit) error {
	draft := v.versionDraft()
	r := models.Release{Name: draft.Name, Note: draft.Note, Seen: v.Value("seen")}
	if draft.Letters {
		r.Subject, r.Body = draft.Subject, draft.Body
	}
	var version *models.AgendaVersion
	err := v.OnceAsSent(func(ctx context.Context) (_ string, err error) {
		if version, err = v.programme.ReleaseAgenda(ctx, r); err != nil {
			return "", err
		}
		return v.versionAt(version.ID), nil
	})
	var before *page.SentBefore
	switch {
	case errors.As(err, &before):
		return v.See(before.Address, "")
	case store.KindOf(err) == store.Stale:
		v.TellNow(err.Error(), nil, nil)
		return v.versionsPage(http.StatusConflict, draft)
	case err != nil:
		return v.Again(err, func(status int) error { return v.versionsPage(status, draft) })
	}
	text := "Version " + number(int64(version.Number)) + " is released. Nothing was sent."
	if draft.Letters {
		text = "Version " + number(int64(version.Number)) + " is released, and its letters are drafted. Nothing was sent."
	}
	return v.See(v.versionAt(version.ID), text)
}

func showAgendaVersion(v *visit, version *models.AgendaVersion) error {
	return v.versionPage(http.StatusOK, version, pages.VersionDraft{Subject: models.ChangesText.Subject,
		Body: models.ChangesText.Body})
}

func (v *visit) versionPage(status int, version *models.AgendaVersion, draft pages.VersionDraft) error {
	_, changes, err := v.programme.VersionChanges(v.UserContext(), version.ID)
	if err != nil {
		return err
	}
	m, err := v.programme.MailingOf(v.UserContext(), version.ID)
	if err != nil {
		return err
	}
	p := pages.AgendaVersionPage{Base: v.versionAt(version.ID), List: v.at("/publish/versions"), Note: version.Note,
		Version: draft,
		Parts:   v.changeParts(changes), Lead: "Released by " + version.ByName + ", " + page.When(&version.CreatedAt,
			v.event.Location()) + "."}
	if version.Number > 1 {
		p.Lead += " What changed since version " + number(int64(version.Number-1)) + "."
	}
	if m != nil {
		p.Letters = v.mailingAt(m.ID)
	} else if n := len(models.Concerned(changes)); n > 0 {
		p.People = counted(int64(n), "person", "people")
	}
	v.section = v.at("/publish")
	return show(v, status, "Version "+number(int64(version.Number))+": "+version.Name, pages.AgendaVersion, p)
}

// draftChangeLetters drafts letters about a version to the people concerned.
func draftChangeLetters(v *visit, version *models.AgendaVersion) error {
	draft := v.versionDraft()
	m, err := v.programme.DraftChangeLetters(v.UserContext(), version.ID, draft.Subject, draft.Body)
	if err != nil {
		if done, _ := v.programme.MailingOf(v.UserContext(), version.ID); done != nil { // by somebody else, or by this form before
			return v.See(v.mailingAt(done.ID), "")
		}
		return v.Again(err, func(status int) error { return v.versionPage(status, version, draft) })
	}
	return v.See(v.mailingAt(m.ID), "The letters are drafted. Nothing is sent yet.")
}
