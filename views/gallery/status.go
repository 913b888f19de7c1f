package gallery

import "lectern/views/pages/status"

// status adds the status of an installation, with nothing wrong and with everything wrong.
func (s *shelf) status() {
	quiet := []status.Part{
		{ID: "database", Name: "Database", Facts: []string{"PostgreSQL 17.6", "41 MB", "1 of 20 connections in use"}},
		{ID: "disk", Name: "Files and disk", Facts: []string{"212 files, 1.4 GB", "41 GB of 80 GB free for files"}},
		{ID: "mail", Name: "Mail", Facts: []string{"Last sent 4 minutes ago", "Nothing waits"}},
		{ID: "processes", Name: "Processes", Facts: []string{"lectern-a/812, 6 connections, delivers",
			"lectern-b/7, 4 connections"}}}
	of(s, "Status", "Status", status.Status).
		is("right", status.Page{At: "08:30 UTC", Parts: quiet}).
		worded(func(w words) status.Page {
			return status.Page{At: "08:30 UTC", Parts: []status.Part{quiet[0],
				{ID: "mail", Name: "Mail", Facts: []string{"Last sent 3 hours ago", "More than 1,000 wait"}, Faults: []status.Fault{
					{Says: "Letters wait, the first for 12 minutes. The reason: “" + w.title + "”.",
						Do: "Check the mail server and LECTERN_SMTP_URL. Letters go by themselves once it takes them."}}},
				{ID: "deliveries", Name: "Webhook deliveries", Facts: []string{"2 endpoints are on", "212 wait"}, Faults: []status.Fault{
					{Says: w.label + " has not taken what waits for it, for 5 minutes.", Do: "See what it answers.",
						Action: "Open the log", URL: here},
					{Says: "3 deliveries of the last hour reached nobody.", Do: "See what the receiver answers.",
						Action: "Open the log", URL: here}}},
				{ID: "jobs", Name: "Work behind the pages", Faults: []status.Fault{{Says: "This could not be told just now.",
					Do: "Reload the page; if it stays so, the log of the process says why."}}}}}
		})
}
