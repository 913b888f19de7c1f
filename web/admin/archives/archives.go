// Package archives serves the pages where staff ask for an archive of an event, or of all events, see its progress, and
// download it for a day.
package archives

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"lectern/models"
	"lectern/models/archives"
	"lectern/models/files"
	"lectern/models/moves"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/archives"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const (
	ofOne = "/admin/archives/"
	ofAll = "/admin/archive"
)

// Routes are the addresses of archives.
var Routes = []visit.Address{
	visit.At(ofOne+":original", visit.AllEvents, visit.Found(event, show), visit.Found(event, ask)),
	visit.At(ofOne+":original/clear", visit.AllEvents, nil, visit.Found(event, remove)),
	visit.At(ofOne+":original/file", visit.AllEvents, visit.Found(event, send), nil),
	visit.At(ofAll, visit.Owner, visit.Found(all, show), visit.Found(all, ask)),
	visit.At(ofAll+"/clear", visit.Owner, nil, visit.Found(all, remove)),
	visit.At(ofAll+"/file", visit.Owner, visit.Found(all, send), nil),
}

// place is the archive of one event or of all, with the address of its page.
type place struct {
	*archives.Shelf
	event *models.Event // nil for all events
	here  string
}

func event(v *visit.Visit) (*place, error) {
	e, _, err := v.Store.EventFor(v.UserContext(), v.User, v.Params("original"))
	if err != nil {
		return nil, err
	}
	return &place{archives.OfEvent(v.Store, v.Tenant(), e), e, ofOne + e.ID}, nil
}

func all(v *visit.Visit) (*place, error) {
	return &place{archives.OfAll(v.Store, v.Tenant()), nil, ofAll}, nil
}

func show(v *visit.Visit, at *place) error {
	a, err := at.Latest(v.UserContext())
	if err != nil {
		return err
	}
	p, title, zone := pages.Page{Here: at.here, Verb: "Make the archive"}, "All events as a file", time.UTC
	if at.event != nil {
		zone = at.event.Location()
		title = at.event.Name + " as a file"
		p.Back, p.BackName = "/admin/events/"+at.event.ID+"/settings", "Settings"
		v.Section = p.Back
		p.About = "Sessions, people, answers, reviews, letters, agenda and files as a ZIP, for spreadsheets and for another " +
			"Lectern. It has names and addresses, and travel and other notes: keep it safe."
		if v.User.RoleAt("").Covers(staff.Owner) {
			p.Whole = ofAll
		}
	} else {
		p.Back, p.BackName = "/admin", "Start"
		p.About = "All that each event has, and everybody once, also who is at no event, as a ZIP, for spreadsheets and for " +
			"another Lectern. It has names and addresses, and travel and other notes: keep it safe."
	}
	if a != nil {
		stands(&p, a, zone, v.Now())
	}
	return visit.Show(v, http.StatusOK, title, pages.Archive, p)
}

// stands says how far an archive is.
func stands(p *pages.Page, a *archives.Archive, zone *time.Location, now store.Time) {
	asked := "Asked for by " + a.UserName + ", " + page.When(&a.CreatedAt, zone) + "."
	switch {
	case a.State == archives.Making:
		p.Running, p.Waits, p.Verb = true, "Reading the records", ""
		if a.IsInLine() {
			p.Waits = "In line"
		}
		if a.OfBytes > 0 {
			p.Waits = "Writing the archive"
			p.Done, p.All = a.Written>>10, max(1, a.OfBytes>>10)
			p.Progress = page.Size(a.Written) + " of about " + page.Size(a.OfBytes)
		}
		p.Outcome = p.Waits
	case a.State == archives.Stopped:
		p.Reason, p.Outcome, p.CanClear = a.Reason, "There is no archive. "+a.Reason, true
		p.Facts = []string{asked}
	case a.IsThere(now):
		until := a.Until()
		p.File, p.Verb, p.CanClear, p.Outcome = p.Here+"/file", "Make it anew", true, "The archive is ready"
		p.Facts = []string{"The archive is ready, " + page.Size(a.Written) + ". It is deleted on " + page.When(&until, zone) + ".", asked}
		if a.Written > moves.MaxArchive {
			p.Facts = append(p.Facts, "It is larger than the "+strconv.Itoa(moves.MaxArchive>>30)+" GB that pages take. Whoever runs the other "+
				"Lectern brings it by “lectern import archive”.")
		}
	default:
		p.Facts = []string{"The last one was made on " + page.When(a.EndedAt, zone) + ", and is deleted by now."}
	}
}

func ask(v *visit.Visit, at *place) error {
	return v.Done(at.Ask(v.UserContext()), at.here, "")
}

func remove(v *visit.Visit, at *place) error {
	err := at.Clear(v.UserContext())
	if store.KindOf(err) == store.NotFound { // somebody else removed it already
		err = nil
	}
	return v.Done(err, at.here, "It is deleted.")
}

// send streams the archive.
func send(v *visit.Visit, at *place) error {
	f, err := at.File(v.UserContext())
	if err == nil {
		err = page.SendFile(v.UserContext(), v.Ctx, v.Store, f, "attachment")
	}
	switch {
	case store.KindOf(err) == store.NotFound:
		return v.SeeRefusal(at.here, store.AsError(err).Message)
	case errors.Is(err, files.ErrMissing):
		return v.SeeRefusal(at.here, "The file store has the archive no more. Make it anew.")
	}
	return err
}
