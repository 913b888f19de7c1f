// Package status serves the page where owners see the state of the installation, and what to do where something is
// wrong.
package status

import (
	"log/slog"
	"net/http"

	"lectern/models/status"
	pages "lectern/views/pages/status"
	"lectern/web/admin/visit"
	"lectern/web/request"
)

// Routes are the addresses of the status.
var Routes = []visit.Address{visit.At(visit.StatusPath, visit.Owner, show, nil)}

func show(v *visit.Visit) error {
	s := status.Read(v.UserContext(), v.Store, v.Tenant())
	p := pages.Page{At: s.Now.Format("15:04 MST"), Parts: []pages.Part{
		partOf("database", "Database", s.Database, ofDatabase),
		partOf("disk", "Files and disk", s.Disk, ofDisk),
		mailPart(s),
		partOf("deliveries", "Webhook deliveries", s.Webhooks, ofWebhooks(v.Options.Managed)),
		partOf("jobs", "Work behind the pages", s.Jobs, ofJobs(s.Now)),
		partOf("versions", "Versions", s.Processes, ofVersions(v.Version(), s.Database.Is)),
		partOf("processes", "Processes", s.Processes, ofProcesses(s.Database.Is.Dialect, s.Leader)),
	}}
	for _, err := range []error{s.Database.Err, s.Disk.Err, s.Mail.Err, s.Webhooks.Err, s.Jobs.Err, s.Processes.Err,
		s.Leader.Err} {
		if err != nil {
			slog.Warn("the status page goes without an answer", "request_id", request.ID(v.Context()), "error", err.Error())
		}
	}
	return visit.Show(v, http.StatusOK, "Status", pages.Status, p)
}

// partOf returns the part of the page about one answer, or says that it could not be read.
func partOf[T any](id, name string, of status.Answer[T], say func(T) (facts []string, faults []pages.Fault)) pages.Part {
	p := pages.Part{ID: id, Name: name}
	if of.Err != nil {
		p.Faults = []pages.Fault{{Says: "This could not be told just now.",
			Do: "Reload the page; if it stays so, the log of the process says why."}}
		return p
	}
	p.Facts, p.Faults = say(of.Is)
	return p
}
