package status

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/outbox"
	"lectern/models/status"
	"lectern/models/store"
	pages "lectern/views/pages/status"
)

// Each thing that can be wrong is said, with what to do about it; what is well says nothing of the kind.
func TestTheStatusSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	t.Parallel()
	now := store.At(time.Date(2027, time.May, 20, 9, 0, 0, 0, time.UTC))
	before := func(d time.Duration) *store.Time { return new(store.At(now.Add(-d))) }
	said := func(facts []string, faults []pages.Fault) []pages.Fault {
		if len(facts) == 0 {
			t.Error("a part without facts")
		}
		return faults
	}
	database := func(d status.Database) []pages.Fault { return said(ofDatabase(d)) }
	mail := func(c models.LetterCondition) []pages.Fault { return said(ofMail(now)(c)) }
	webhooks := func(b outbox.Backlog) []pages.Fault { return said(ofWebhooks(false)(b)) }
	jobs := func(all ...status.Job) []pages.Fault { return said(ofJobs(now)(all)) }
	versions := func(has int64, all ...store.Process) []pages.Fault {
		return said(ofVersions("1.0", status.Database{Facts: store.Facts{Has: has, Knows: 98}})(all))
	}
	tight, wide := &files.Space{Free: 1<<30 - 1, All: 1 << 40}, &files.Space{Free: 1 << 30, All: 1 << 40}
	one := []store.Process{{Name: "a 1", Version: "1.0"}}
	for _, c := range []struct {
		name   string
		faults []pages.Fault
		want   string // what it says and what to do, in part; "" where all is well
	}{
		{"connections free",
			database(status.Database{Dialect: "postgres", Pool: sql.DBStats{MaxOpenConnections: 4, InUse: 3}}), ""},

		{"none free", database(status.Database{Dialect: "postgres", Pool: sql.DBStats{MaxOpenConnections: 4, InUse: 4}}),
			"All connections to the database are in use|raise LECTERN_DATABASE_CONNECTIONS"},

		{"none free of SQLite", database(status.Database{Dialect: "sqlite", Pool: sql.DBStats{MaxOpenConnections: 4, InUse: 4}}),
			"All connections to the database are in use|the disk is too slow"},
		{"room", said(ofDisk(status.Disk{Room: wide, Database: wide})), ""},
		{"no room", said(ofDisk(status.Disk{Room: tight, Database: tight})),
			"Little room is left for files and database: 1.1 GB.|Make room"},
		{"no room for one", said(ofDisk(status.Disk{Elsewhere: true, Database: tight})),
			"Little room is left for the database"},
		{"mail goes", mail(models.LetterCondition{LastSent: &now, Waiting: 3, Overdue: 4 * time.Minute}), ""},
		{"mail is tried again", mail(models.LetterCondition{Waiting: 1, PutOff: "451 greylisted"}), ""},
		{"mail waits", mail(models.LetterCondition{Waiting: 3, Overdue: 5 * time.Minute, PutOff: "451 busy"}),
			"Letters wait, the first for 5 minutes. The reason: “451 busy”.|LECTERN_SMTP_URL"},
		{"nobody answers", mail(models.LetterCondition{Waiting: 3, PutOff: "connection refused"}),
			"Letters could not leave.|LECTERN_SMTP_URL"},
		{"letters are lost", mail(models.LetterCondition{Lost: 2, Reason: "550 no such user"}),
			"2 letters of the last day may not have arrived. The latest: “550 no such user”.|correct the address"},
		{"many are", mail(models.LetterCondition{Lost: models.LettersCountedUpTo + 1}), "More than 1,000 letters"},
		{"deliveries go", webhooks(outbox.Backlog{Endpoints: 2}), ""},

		{"a receiver is behind", webhooks(outbox.Backlog{Behind: []outbox.EndpointQueue{{Host: "hooks.example", Waits: time.Hour}}}),
			"hooks.example has not taken what waits for it, for 1 hour.|See what it answers."},

		{"a secret is lost", webhooks(outbox.Backlog{Behind: []outbox.EndpointQueue{{Host: "hooks.example", NeedsSecret: true}}}),
			"its secret was lost with the secret key.|Give it another one."},
		{"deliveries reach nobody", webhooks(outbox.Backlog{DeliveryState: outbox.DeliveryState{Failed: 1}}),
			"1 delivery of the last hour reached nobody.|See what the receiver answers."},

		{"deliveries do not move", webhooks(outbox.Backlog{DeliveryState: outbox.DeliveryState{Waiting: 1, Oldest: time.Hour, Idle: time.Hour}}),
			"Deliveries do not move: the oldest waits for 1 hour|restarting it loses nothing"},
		{"work goes on",
			jobs(status.Job{Kind: "moves", Open: 1, Oldest: before(29 * time.Minute)}, status.Job{Kind: "batches"}), ""},
		{"a batch hangs", jobs(status.Job{Kind: "batches", Open: 1, Oldest: before(30 * time.Minute)}),
			"A change of many records has not ended for 30 minutes.|restart the process"},
		{"an import hangs", jobs(status.Job{Kind: "imports", Open: 1, Oldest: before(time.Hour)}),
			"import of people has not ended|from Contacts"},
		{"a move hangs", jobs(status.Job{Kind: "moves", Open: 1, Oldest: before(time.Hour)}),
			"move from another system has not ended"},
		{"an archive hangs", jobs(status.Job{Kind: "archives", Open: 1, Oldest: before(time.Hour)}),
			"full export has not ended"},
		{"one version", versions(98, one...), ""},
		{"two versions", versions(98, one[0], store.Process{Name: "b 2", Version: "1.1"}),
			"Several versions run at once: 1.0 and 1.1.|stop the processes of the older one"},
		{"a newer schema", versions(99, one...),
			"A newer Lectern has changed the database: its schema is 99|Restart this process"},
		{"somebody delivers", said(ofProcesses("postgres", status.Answer[string]{Is: "a 1"})(one)), ""},
		{"nobody delivers", said(ofProcesses("postgres", status.Answer[string]{})(one)),
			"No process delivers at the moment.|the logs of the processes"},
		{"nobody knows who delivers",
			said(ofProcesses("postgres", status.Answer[string]{Err: context.DeadlineExceeded})(one)), ""},
	} {
		var all []string
		for _, f := range c.faults {
			all = append(all, f.Says+" "+f.Do)
		}
		text := strings.Join(all, "\n")
		if c.want == "" && text != "" {
			t.Errorf("%s: it says %s", c.name, text)
		}
		for part := range strings.SplitSeq(c.want, "|") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: it says %q, not %q", c.name, text, part)
			}
		}
	}
}
