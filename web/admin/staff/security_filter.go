package staff

import (
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models/csv"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/staff"
	"lectern/views/records"
	"lectern/web/admin/visit"
)

// logCSVPath is the organization's security log as CSV.
const logCSVPath = visit.SecurityPath + "/log.csv"

// asksOfLog is how the address filters the log.
type asksOfLog struct {
	l      visit.Listing
	filter store.SecurityFilter
}

// logAsked reads the address, and drops values that name no kind, person or day.
func logAsked(v *visit.Visit) asksOfLog {
	asked := asksOfLog{l: v.PlainListing("kind", "person", "from", "until", "page")}
	query := asked.l.Query
	kind := slices.IndexFunc(securityKinds, func(k securityKind) bool { return k.value == query.Get("kind") })
	if kind < 0 {
		query.Del("kind")
	} else {
		asked.filter.Events = securityKinds[kind].events
	}
	if asked.filter.Person = query.Get("person"); !store.IsID(asked.filter.Person) {
		asked.filter.Person = ""
		query.Del("person")
	}
	day := func(name string, after int) time.Time {
		at, err := time.Parse(time.DateOnly, query.Get(name))
		if err != nil {
			query.Del(name)
			return time.Time{}
		}
		return at.AddDate(0, 0, after)
	}
	asked.filter.From, asked.filter.Before = day("from", 0), day("until", 1)
	return asked
}

// exportLog answers with all of the log that matches the address, and notes that in the log.
func exportLog(v *visit.Visit) error {
	asked := logAsked(v)
	facts := map[string]any{}
	for _, name := range []string{"kind", "person", "from", "until"} {
		if value := asked.l.Query.Get(name); value != "" {
			facts[name] = value
		}
	}
	v.Store.Note(store.Incident{Event: store.LogExported, By: v.By(), OrganizationID: v.User.OrganizationID, Facts: facts})
	name := "log-" + v.Options.Now().UTC().Format(time.DateOnly) + ".csv"
	return v.SendWritten(name, visit.CSVType, func(out io.Writer) error {
		w := csv.NewWriter(out)
		w.Write([]string{"Time (UTC)", "Event", "Who", "What", "Door", "Network address", "Who (id)", "About (id)", "Request",
			"Before", "After"})
		err := v.Tenant().EachSecurityEntry(v.UserContext(), asked.filter, func(entries []*store.SecurityEntry) error {
			for _, e := range entries {
				if err := w.Write(logRow(e)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return w.Flush()
	})
}

// logRow returns a line of the log as columns.
func logRow(e *store.SecurityEntry) []string {
	line := securityLine(e)
	facts := func(of map[string]any) string {
		if len(of) == 0 {
			return ""
		}
		text, _ := json.Marshal(of) // it was read from JSON, so it can be written as such
		return string(text)
	}
	return []string{e.At.String(), string(e.Event), records.Doer(e.Actor, e.Door),
		strings.TrimSpace(line.Did + line.Name + line.Rest), e.Door, e.Address, e.ActorID, e.SubjectID, e.RequestID,
		facts(e.Before), facts(e.After)}
}

// keptFor words a number of days.
func keptFor(days int) string {
	switch {
	case days == 0:
		return "For good"
	case days == 365:
		return "1 year"
	case days%365 == 0:
		return strconv.Itoa(days/365) + " years"
	}
	return strconv.Itoa(days) + " days"
}

// logKept fills in how long the log is kept, and the choices.
func logKept(v *visit.Visit, p *pages.SecurityPage) error {
	days, err := v.Team().LogKept(v.UserContext())
	p.Kept = visit.Choices(staff.LogDays, func(d int) (string, string) { return strconv.Itoa(d), keptFor(d) },
		strconv.Itoa(days))
	return err
}

// keepLog sets how long the log is kept.
func keepLog(v *visit.Visit) error {
	days, err := strconv.Atoi(v.Value("log_days"))
	if err != nil {
		days = -1 // -1 is none of the choices
	}
	if err := v.Team().KeepLog(v.UserContext(), days); err != nil {
		return v.Again(err, func(status int) error { return securityPage(v, status) })
	}
	if days == 0 {
		return v.See(visit.SecurityPath, "The log is kept for good.")
	}
	return v.See(visit.SecurityPath, "The log is kept for "+keptFor(days)+". What is older is removed within the hour.")
}
