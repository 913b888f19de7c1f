package agenda

import (
	"context"
	"errors"
	"net/http"
	"time"

	"lectern/models/agenda"
	"lectern/models/letters"
	"lectern/models/store"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// changesShown is how many changes of each kind a page shows.
const changesShown = 100

func versionAt(v *visit.Visit, id string) string { return v.At("/publish/versions/" + id) }

// releasedVersion reads the version of the path.
func releasedVersion(v *visit.Visit) (*agenda.Version, error) {
	return agenda.Of(v.Programme).ReleasedVersion(v.UserContext(), v.Params("version"))
}

// pendingVersion returns what the page of publication says about versions.
func pendingVersion(v *visit.Visit) (pages.PublishVersion, error) {
	versions, err := agenda.Of(v.Programme).Versions(v.UserContext())
	p := pages.PublishVersion{URL: v.At("/publish/versions"), Name: "Release a version…",
		Text: "No version of the agenda is released yet."}
	if len(versions) > 0 {
		last := versions[0]
		p.Text = "Version " + visit.Number(int64(last.Number)) + ", “" + last.Name + "”"
		p.Changes, p.Name = "released "+page.When(&last.CreatedAt, v.Event.Location()), "What changed since"
	}
	return p, err
}

// newDraft are letters as they are suggested.
var newDraft = pages.VersionDraft{Subject: letters.ChangesText.Subject, Body: letters.ChangesText.Body}

// listAgendaVersions shows what changed since the last release, and all versions.
func listAgendaVersions(v *visit.Visit) error {
	return versionsPage(v, http.StatusOK, newDraft)
}

func versionsPage(v *visit.Visit, status int, draft pages.VersionDraft) error {
	last, changes, err := agenda.Of(v.Programme).PendingChanges(v.UserContext())
	if err != nil {
		return err
	}
	versions, err := agenda.Of(v.Programme).Versions(v.UserContext())
	if err != nil {
		return err
	}
	p := pages.VersionsPage{Base: v.At("/publish/versions"), Publish: v.At("/publish"),
		Public: "/events/" + v.Event.Slug + "/changes", Parts: changeParts(v, changes),
		Seen: agenda.Fingerprint(changes), Version: draft, Verb: "Release version 1"}
	switch {
	case last == nil && len(changes) == 0:
		p.Nothing = "No session is public and has a time. Publish the programme first."
	case last != nil && len(changes) == 0:
		p.Nothing = "Nothing changed since version " + visit.Number(int64(last.Number)) + ", “" + last.Name + "”."
	case last != nil:
		p.Verb = "Release version " + visit.Number(int64(last.Number+1))
	}
	p.People = visit.SomeOf(int64(len(agenda.Concerned(changes))), "person", "people")
	for _, x := range versions {
		p.Versions = append(p.Versions, pages.VersionDone{Number: visit.Number(int64(x.Number)), Name: x.Name, Note: x.Note,
			URL: versionAt(v, x.ID), When: page.When(&x.CreatedAt, v.Event.Location()), By: x.ByName})
	}
	v.Section = v.At("/publish")
	return visit.Show(v, status, "Versions of the agenda", pages.Versions, p)
}

// changeHeads are the kinds of changes, in order.
var changeHeads = []struct {
	title string
	is    func(agenda.Change) bool
}{
	{"Cancelled", agenda.Change.IsCancelled},
	{"Moved", agenda.Change.IsMoved},
	{"New", agenda.Change.IsNew},
	{"New titles", func(c agenda.Change) bool { return c.IsRenamed() && !c.IsMoved() }},
}

func changeParts(v *visit.Visit, changes []agenda.Change) (parts []pages.ChangePart) {
	zone := v.Event.Location()
	for _, head := range changeHeads {
		part, n := pages.ChangePart{Title: head.title}, 0
		for _, c := range changes {
			if !head.is(c) {
				continue
			}
			if n++; n <= changesShown {
				part.Rows = append(part.Rows, changeRow(v, c, zone))
			}
		}
		if n > 0 {
			part.Count, part.More = visit.Number(int64(n)), visit.AndMore(int64(n), len(part.Rows))
			parts = append(parts, part)
		}
	}
	return parts
}

func changeRow(v *visit.Visit, c agenda.Change, zone *time.Location) pages.ChangeRow {
	now := c.Now()
	row := pages.ChangeRow{Title: now.Title, URL: v.At("/sessions/" + now.SessionID), Meta: now.FriendlyID}
	for _, x := range now.People {
		row.Meta += " · " + x.Name
	}
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

// versionDraft reads a version and its letters from the form.
func versionDraft(v *visit.Visit) pages.VersionDraft {
	return pages.VersionDraft{Name: v.Value("name"), Note: v.FormValue("note"), Letters: v.Value("letters") != "",
		Subject: v.Value("subject"), Body: v.FormValue("body")}
}

// releaseAgenda keeps the public agenda as a version. A form sent again leads to the same version.
func releaseAgenda(v *visit.Visit) error {
	draft := versionDraft(v)
	r := agenda.Release{Name: draft.Name, Note: draft.Note, Seen: v.Value("seen")}
	if draft.Letters {
		r.Subject, r.Body = draft.Subject, draft.Body
	}
	var version *agenda.Version
	err := v.OnceAsSent(func(ctx context.Context) (_ string, err error) {
		if version, err = letters.Of(v.Programme).ReleaseAgenda(ctx, r); err != nil {
			return "", err
		}
		return versionAt(v, version.ID), nil
	})
	var before *page.SentBefore
	switch {
	case errors.As(err, &before):
		return v.See(before.Address, "")
	case store.KindOf(err) == store.Stale:
		v.TellNow(err.Error(), nil, nil)
		return versionsPage(v, http.StatusConflict, draft)
	case err != nil:
		return v.Again(err, func(status int) error { return versionsPage(v, status, draft) })
	}
	drafted := map[bool]string{true: ", and its letters are drafted"}[draft.Letters]
	return v.See(versionAt(v, version.ID), "Version "+visit.Number(int64(version.Number))+" is released"+drafted+
		". Nothing was sent.")
}

func showAgendaVersion(v *visit.Visit, version *agenda.Version) error {
	return versionPage(v, http.StatusOK, version, newDraft)
}

func versionPage(v *visit.Visit, status int, version *agenda.Version, draft pages.VersionDraft) error {
	_, changes, err := agenda.Of(v.Programme).VersionChanges(v.UserContext(), version.ID)
	if err != nil {
		return err
	}
	m, err := letters.Of(v.Programme).MailingOf(v.UserContext(), version.ID)
	if err != nil {
		return err
	}
	p := pages.VersionPage{Base: versionAt(v, version.ID), List: v.At("/publish/versions"), Note: version.Note,
		Version: draft,
		Parts:   changeParts(v, changes), Lead: "Released by " + version.ByName + ", " + page.When(&version.CreatedAt,
			v.Event.Location()) + "."}
	if version.Number > 1 {
		p.Lead += " What changed since version " + visit.Number(int64(version.Number-1)) + "."
	}
	if m != nil {
		p.Letters = visit.MailingAt(v, m.ID)
	} else {
		p.People = visit.SomeOf(int64(len(agenda.Concerned(changes))), "person", "people")
	}
	v.Section = v.At("/publish")
	return visit.Show(v, status, "Version "+visit.Number(int64(version.Number))+": "+version.Name, pages.Version, p)
}

// draftChangeLetters drafts letters about a version to everybody concerned.
func draftChangeLetters(v *visit.Visit, version *agenda.Version) error {
	draft := versionDraft(v)
	m, err := letters.Of(v.Programme).DraftChangeLetters(v.UserContext(), version.ID, draft.Subject, draft.Body)
	if err != nil {
		if done, _ := letters.Of(v.Programme).MailingOf(v.UserContext(),
			version.ID); done != nil { // somebody else, or this form before, drafted them
			return v.See(visit.MailingAt(v, done.ID), "")
		}
		return v.Again(err, func(status int) error { return versionPage(v, status, version, draft) })
	}
	return v.See(visit.MailingAt(v, m.ID), "The letters are drafted. Nothing is sent yet.")
}
