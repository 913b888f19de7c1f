package status

import (
	"database/sql"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/outbox"
	"lectern/models/status"
	"lectern/models/store"
	pages "lectern/views/pages/status"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

const (
	// little is the free space, in bytes, below which the page asks for more.
	little = 1 << 30
	// late is how long a letter that could be sent may wait.
	late = 5 * time.Minute
	// long is how long a job may take before the page tells somebody to look.
	long = 30 * time.Minute
)

var dialects = map[string]string{"sqlite": "SQLite", "postgres": "PostgreSQL"}

func ofDatabase(d status.Database) (facts []string, faults []pages.Fault) {
	facts = []string{dialects[d.Dialect] + " " + d.Server, page.Size(d.Bytes), poolWords(d.Pool)}
	if d.Pool.MaxOpenConnections > 0 && d.Pool.InUse >= d.Pool.MaxOpenConnections {
		do := "If it stays so, the disk is too slow for what is asked of it."
		if d.Dialect == "postgres" {
			do = "If it stays so, raise LECTERN_DATABASE_CONNECTIONS, within what PostgreSQL allows."
		}
		faults = append(faults, pages.Fault{Says: "All connections to the database are in use, and requests wait for one.", Do: do})
	}
	return facts, faults
}

func poolWords(p sql.DBStats) string {
	return strconv.Itoa(p.InUse) + " of " + visit.Counted(int64(p.MaxOpenConnections), "connection", "connections") + " in use"
}

func ofDisk(d status.Disk) (facts []string, faults []pages.Fault) {
	facts = []string{visit.Counted(d.Files.Files, "file", "files") + ", " + page.Size(d.Files.Bytes)}
	if d.Elsewhere {
		facts = append(facts, "Kept in a bucket")
	}
	room := func(of *files.Space, what string) {
		if of == nil {
			return
		}
		facts = append(facts, page.Size(int64(of.Free))+" of "+page.Size(int64(of.All))+" free for "+what)
		if of.Free < little {
			faults = append(faults, pages.Fault{Says: "Little room is left for " + what + ": " + page.Size(int64(of.Free)) + ".",
				Do: "Make room on that disk or give it more. Nothing is deleted by itself; without room, changes are refused."})
		}
	}
	if d.Room != nil && d.Database != nil && *d.Room == *d.Database {
		room(d.Room, "files and database")
	} else {
		room(d.Room, "files")
		room(d.Database, "the database")
	}
	return facts, faults
}

func mailPart(s *status.Status) pages.Part {
	const id, name = "mail", "Mail"
	if !s.HasMail {
		return pages.Part{ID: id, Name: name, Facts: []string{"No mail server: links are shown instead, and letters stay drafts"}}
	}
	return partOf(id, name, s.Mail, ofMail(s.Now))
}

func ofMail(now store.Time) func(models.LetterCondition) ([]string, []pages.Fault) {
	return func(c models.LetterCondition) (facts []string, faults []pages.Fault) {
		facts = []string{"Nothing was sent yet"}
		if c.LastSent != nil {
			facts = []string{"Last sent " + visit.Ago(*c.LastSent, now.Time)}
		}
		facts = append(facts, waiting(c.Waiting, models.LettersCountedUpTo))
		// An answer without a code did not come from a mail server.
		if unreached := c.PutOff != "" && !strings.ContainsAny(c.PutOff[:1], "0123456789"); c.Overdue >= late || unreached {
			f := pages.Fault{Says: "Letters could not leave.",
				Do: "Check the mail server and LECTERN_SMTP_URL. Letters go by themselves once it takes them."}
			if c.Overdue >= late {
				f.Says = "Letters wait, the first for " + visit.Lasted(c.Overdue) + "."
			}
			if c.PutOff != "" {
				f.Says += " The reason: “" + c.PutOff + "”."
			}
			faults = append(faults, f)
		} else if c.PutOff != "" {
			facts = append(facts, "Some are tried again: "+c.PutOff)
		}
		if c.Lost > 0 {
			faults = append(faults, pages.Fault{Says: capped(c.Lost, models.LettersCountedUpTo, "letter", "letters") +
				" of the last day may not have arrived. The latest: “" + c.Reason + "”.",
				Do: "Open Letters of the event, correct the address, and send again."})
		}
		return facts, faults
	}
}

func ofWebhooks(managed bool) func(outbox.Backlog) ([]string, []pages.Fault) {
	return func(b outbox.Backlog) (facts []string, faults []pages.Fault) {
		const log = "/admin/deliveries"
		if managed {
			facts = append(facts, "A managed service delivers")
		} else {
			facts = append(facts, visit.Counted(int64(b.Endpoints), "endpoint is on", "endpoints are on"))
		}
		facts = append(facts, waiting(b.Waiting, outbox.CountedUpTo))
		if b.Oldest >= time.Minute {
			facts = append(facts, "The oldest for "+visit.Lasted(b.Oldest))
		}
		if b.Stuck() != "" {
			faults = append(faults, pages.Fault{Says: "Deliveries do not move: the oldest waits for " + visit.Lasted(b.Oldest) +
				", and none begins.", Do: "Look into the log of the process that delivers; restarting it loses nothing."})
		}
		for _, line := range b.Behind {
			f := pages.Fault{Says: line.Host + " has not taken what waits for it, for " + visit.Lasted(line.Waits) + ".",
				Do: "See what it answers.", Action: "Open the log", URL: log}
			if line.NeedsSecret {
				f = pages.Fault{Says: "Deliveries to " + line.Host + " wait: its secret was lost with the secret key.",
					Do: "Give it another one.", Action: "Open the endpoints", URL: "/admin/endpoints"}
			}
			faults = append(faults, f)
		}
		if b.Failed > 0 {
			faults = append(faults, pages.Fault{Says: capped(b.Failed, outbox.CountedUpTo, "delivery", "deliveries") +
				" of the last hour reached nobody.", Do: "See what the receiver answers.", Action: "Open the log",
				URL: log + "?result=failed"})
		}
		return facts, faults
	}
}

// work names the kinds of jobs: one, many, and what to do where one takes long.
var work = map[string][3]string{
	"batches":  {"change of many records", "changes of many records", "Open its page from the event's activity"},
	"imports":  {"import of people", "imports of people", "Open its page from Contacts"},
	"moves":    {"move from another system", "moves from other systems", "Open its page from the event’s settings"},
	"archives": {"full export", "full exports", "Open its page from the settings of the event, or from that of all events"},
}

func ofJobs(now store.Time) func([]status.Job) ([]string, []pages.Fault) {
	return func(jobs []status.Job) (facts []string, faults []pages.Fault) {
		for _, job := range jobs {
			if job.Open == 0 {
				continue
			}
			words := work[job.Kind]
			facts = append(facts, capped(job.Open, outbox.CountedUpTo, words[0], words[1]))
			if job.Oldest == nil || now.Sub(job.Oldest.Time) < long {
				continue
			}
			faults = append(faults, pages.Fault{
				Says: "A " + words[0] + " has not ended for " + visit.Lasted(now.Sub(job.Oldest.Time)) + ".",
				Do:   words[2] + "; if it shows no progress, restart the process: it goes on, and nothing is lost."})
		}
		if len(facts) == 0 {
			facts = []string{"Nothing is at work"}
		}
		return facts, faults
	}
}

func ofVersions(own string, d status.Database) func([]store.Process) ([]string, []pages.Fault) {
	return func(all []store.Process) (facts []string, faults []pages.Fault) {
		facts = []string{"Lectern " + own}
		if d.Has > 0 {
			facts = append(facts, "Schema "+strconv.FormatInt(d.Has, 10))
		}
		if d.Has > d.Knows {
			faults = append(faults, pages.Fault{Says: "A newer Lectern has changed the database: its schema is " +
				strconv.FormatInt(d.Has, 10) + ", and this program knows " + strconv.FormatInt(d.Knows, 10) + ".",
				Do: "Restart this process with the newer program."})
		}
		versions := store.Map(all, func(p store.Process) string { return p.Version })
		slices.Sort(versions)
		if versions = slices.Compact(versions); len(versions) > 1 {
			faults = append(faults, pages.Fault{Says: "Several versions run at once: " + visit.Enumerated(versions) + ".",
				Do: "That is fine while you upgrade. Afterwards stop the processes of the older one."})
		}
		return facts, faults
	}
}

func ofProcesses(dialect string, leader status.Answer[string]) func([]store.Process) ([]string, []pages.Fault) {
	return func(all []store.Process) (facts []string, faults []pages.Fault) {
		for _, one := range all {
			words := one.Name
			if len(all) > 1 {
				words += ", " + visit.Counted(int64(one.Connections), "connection", "connections")
			}
			if one.Name == leader.Is {
				words += ", delivers"
			}
			facts = append(facts, words)
		}
		if dialect == "sqlite" {
			facts = append(facts, "It holds the lock beside the database")
		} else if len(all) == 0 {
			facts = append(facts, "Not told, as the database’s address names an application of its own")
		}
		if leader.Is == "" && leader.Err == nil {
			faults = append(faults, pages.Fault{Says: "No process delivers at the moment.",
				Do: "One takes over within seconds; if none does, the logs of the processes say why."})
		}
		return facts, faults
	}
}

// capped words a number that was counted up to a limit.
func capped(n, most int64, one, many string) string {
	if n > most {
		return "More than " + visit.Counted(most, one, many)
	}
	return visit.Counted(n, one, many)
}

func waiting(n, most int64) string {
	if n == 0 {
		return "Nothing waits"
	}
	return capped(n, most, "waits", "wait")
}
