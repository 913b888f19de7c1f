package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const knownPeople = 10_000 // people in the directory before the import

// measurePeople imports a file of people, then the same people with other values, beside clients that read and write,
// and measures the pages of a large directory.
func (t *target) measurePeople(dir string) {
	b := t.signIn()
	fmt.Printf("%-34s %10s %9s %14s %14s %9s\n", fmt.Sprintf("%s, %d people", t.dialect, *imported), "s", "MB",
		"others wait ms", map[string]string{"postgres": "same person ms", "sqlite": "a search ms"}[t.dialect], "told 503")
	first, second := peopleFile(dir, "Ltd"), peopleFile(dir, "GmbH")
	b.measureImport("check of new people", first, "--check")
	b.measureImport("import of new people", first)
	b.measureImport("check of known people", second, "--check", "--policy", "overwrite")
	b.measureImport("import of changed people", second, "--policy", "overwrite")

	fmt.Printf("%-34s %10s %9s %9s\n", t.dialect, "per s", "p50 ms", "p99 ms")
	b.measure([]measuredPage{
		{name: "page: directory", path: "/admin/contacts"},
		{name: "page: directory, two words", path: "/admin/contacts?q=eva+lovelace77"},
		{name: "page: people of the event", path: "/admin/events/" + t.event + "/speakers?who=all"},
	})
	began := time.Now()
	b.ask("GET", "/admin/contacts/pairs", "")
	fmt.Printf("%-34s %10.2f s\n", "pairs among all people", time.Since(began).Seconds())
}

// peopleFile writes a file of people; every two of them have the same name.
func peopleFile(dir, company string) string {
	var out strings.Builder
	out.WriteString("First name,Last name,Email,Company,Job title,Phone,Dietary\n")
	firsts := []string{"Ada", "Bruno", "Eva", "Jürgen", "Kenji", "Leïla", "Noor"}
	for i := range *imported {
		fmt.Fprintf(&out, "%s,Lovelace%d,%s,Company %d %s,Engineer %d,+49 30 %d,vegan\n",
			firsts[i/2%len(firsts)], i/2, addressOf(i), i%700, company, i%50, 1_000_000+i)
	}
	path := filepath.Join(dir, company+".csv")
	check(os.WriteFile(path, []byte(out.String()), 0o600))
	return path
}

// addressOf returns the e-mail address of the i-th person of the file.
func addressOf(i int) string { return fmt.Sprintf("person%d@example%d.org", i, i%90) }

// measureImport runs the command beside other clients, and prints the longest wait of each: one creates sessions;
// on PostgreSQL another adds notes to a person of the file, on SQLite another searches.
func (t *browser) measureImport(name, file string, args ...string) {
	over := make(chan struct{})
	var waits []chan time.Duration
	for _, do := range t.others() {
		wait := make(chan time.Duration, 1)
		go func() { wait <- longest(over, do) }()
		waits = append(waits, wait)
	}
	cmd := exec.Command(t.binary, append([]string{"contacts", "import", file, "--event", "bench"}, args...)...)
	cmd.Env, cmd.Stderr = t.env, os.Stderr
	began := time.Now()
	check(cmd.Run())
	took := time.Since(began)
	close(over)
	fmt.Printf("%-34s %10.2f %9d", name, took.Seconds(), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss/1024)
	for _, wait := range waits {
		fmt.Printf(" %14d", (<-wait).Milliseconds())
	}
	if t.refused != nil {
		fmt.Printf(" %9d", t.refused.Swap(0))
	}
	fmt.Println()
}

func (t *browser) others() []func() {
	t.refused = new(atomic.Int32)
	create := func() { t.send("POST", "/sessions/create", `{"title": "Beside", "is_abstract": true}`) }
	if strings.HasPrefix(t.database, "sqlite") {
		return []func(){create, func() { t.send("POST", "/sessions/search", `{"pageSize": 25}`) }}
	}
	token, person := t.token(t.ask("GET", "/admin/contacts/new", "")), ""
	return []func(){
		create,
		func() {
			if person == "" {
				person = personOf(t.database, addressOf(*imported/2))
			}
			if person != "" {
				t.ask("POST", "/admin/events/"+t.event+"/speakers/"+person+"/notes", "_token="+token+"&note=Called")
			}
		},
	}
}

// personOf returns the id of a person, "" if there is none.
func personOf(database, email string) (id string) {
	conn := connect(database)
	defer conn.Close(context.Background())
	err := conn.QueryRow(context.Background(), "SELECT id FROM contacts WHERE email_key = $1", email).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		check(err)
	}
	return id
}

// longest calls do until over is closed, and returns the longest call.
func longest(over chan struct{}, do func()) (most time.Duration) {
	for {
		select {
		case <-over:
			return most
		default:
			began := time.Now()
			do()
			most = max(most, time.Since(began))
			time.Sleep(100 * time.Millisecond) // as on the last day of a call
		}
	}
}
