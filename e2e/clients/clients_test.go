// Package clients makes clients of the REST API from its description, as people do, and has each do the eleven
// commonest jobs. docs/api.md shows the same programs.
package clients

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// programme is the schedule that the programs find: two talks, one of them with a speaker.
const programme = `<?xml version="1.0" encoding="UTF-8"?>
<schedule><conference><title>Harbour</title><time_zone_name>Europe/Lisbon</time_zone_name></conference>
<day index="1" date="2027-05-14"><room name="Great Hall">
<event id="1"><date>2027-05-14T10:00:00+01:00</date><start>10:00</start><duration>00:30</duration><title>Friday's ferries</title><track>Boats</track></event>
<event id="2"><date>2027-05-14T11:00:00+01:00</date><start>11:00</start><duration>00:45</duration><title>Queues that forget nothing</title><track>Systems</track><persons><person id="7">Ada Lovelace</person></persons></event>
</room></day></schedule>`

// said is the text that each program prints, a line for each job.
const said = `1 Harbour: may write
2 Boats, Systems in Great Hall
3 Friday's ferries, Queues that forget nothing
4 A-1, once
5 What the tide tables left out: pending, Boats, 30 minutes
6 accept_queue; later 409 ConflictError
7 404 NotFoundError, 400 ValidationError of title
8 success, success, not_found
9 Opening: Great Hall, 2027-05-14T08:00:00.000Z
10 Ada Lovelace
11 3 changes of track, room
`

// workplace is a running event and a folder for a program of one language.
type workplace struct {
	*Site
	dir, path, key, document string
}

// work copies the files of a language into a folder below one, with the description that the server has of itself.
func work(t *testing.T, language, below string) *workplace {
	t.Helper()
	w := &workplace{Site: NewSite(t, "")}
	w.Env = append(w.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w.path, w.key = w.Conference()
	w.Run("import", File(w.T, "schedule.xml", programme), "--event", "harbour")
	w.Serve("serve")
	dir := modelstest.Must(os.MkdirTemp(below, "work-"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	modelstest.Fine(t, os.CopyFS(filepath.Join(dir, language), os.DirFS(language)))
	w.dir = filepath.Join(dir, language)
	w.document = w.Base + "/v1/openapi.json"
	return w
}

func (w *workplace) env() []string { return []string{"LECTERN_URL=" + w.Base, "LECTERN_KEY=" + w.key} }

// did compares what a program printed and left with what its jobs should.
func (w *workplace) did(out, stderr string, err error) {
	w.T.Helper()
	if err != nil || out != said {
		w.T.Fatalf("%v: %s%s", err, out, stderr)
	}
	w.made()
}

// made checks what the jobs left at the event.
func (w *workplace) made() {
	w.T.Helper()
	made := w.Ok(w.key, "POST", w.path+"/sessions/search",
		`{"filters": {"is_abstract": true}, "sort": {"order": "createdAt", "sort": "asc"}}`)
	if rows := made["results"].([]any); len(rows) != 2 || rows[0].(map[string]any)["status"] != "accept_queue" ||
		rows[0].(map[string]any)["description"] != "<p>A field report.</p>" ||
		rows[1].(map[string]any)["title"] != "Pumps" {
		w.T.Errorf("the submissions are %v", rows)
	}
	if hall := w.Ok(w.key, "POST", w.path+"/sessions/search", `{"filters": {"room": "Great Hall"}}`); Total(hall) != 3 {
		w.T.Errorf("%d sessions are in the hall", Total(hall))
	}
}

func TestAGoClientDoesTheElevenJobs(t *testing.T) {
	t.Parallel()
	OnlyLong(t)
	w := work(t, "go", t.TempDir())
	run := func(args ...string) (stdout, stderr string, err error) {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		var out, errs bytes.Buffer
		cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, &out, &errs
		cmd.Env = append(append(os.Environ(), "GOFLAGS="), w.env()...)
		err = cmd.Run()
		return out.String(), errs.String(), err
	}
	for _, args := range [][]string{{"tool", "oapi-codegen", "-config", "oapi-codegen.yaml", w.document},
		{"mod", "download"}, {"vet", "."}} {
		if out, stderr, err := run(args...); err != nil || stderr != "" && args[0] == "vet" {
			t.Fatalf("go %v: %v: %s%s", args, err, out, stderr)
		}
	}
	w.did(run("run", "."))
}

func TestATypeScriptClientDoesTheElevenJobs(t *testing.T) {
	t.Parallel()
	w, node := withNode(t)
	for _, args := range [][]string{
		{"../../node_modules/openapi-typescript/bin/cli.js", w.document, "-o", "lectern.d.ts"},
		{"../../node_modules/typescript/bin/tsc"},
	} {
		if out, stderr, err := node.Run(t, w.dir, nil, args...); err != nil {
			t.Fatalf("%v: %v: %s%s", args, err, out, stderr)
		}
	}
	w.did(node.Run(t, w.dir, w.env(), "--disable-warning=ExperimentalWarning", "jobs.ts"))
}

func TestALinterFindsNothingInTheDescription(t *testing.T) {
	t.Parallel()
	w, node := withNode(t)
	out, stderr, err := node.Run(t, w.dir, []string{"REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true"},
		"../../node_modules/@redocly/cli/bin/cli.js", "lint", "--extends=recommended", w.document)
	if err != nil || strings.Contains(stderr, "warning") || !strings.Contains(out+stderr, "is valid") {
		t.Errorf("%v: %s%s", err, out, stderr)
	}
}

var installNode = sync.OnceValues(func() (*Installed, error) { return InstallNode("typescript") })

// withNode returns a workplace below the packages of typescript/package.json.
func withNode(t *testing.T) (*workplace, *Installed) {
	t.Helper()
	OnlyLong(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not here to install the generator:", err)
	}
	node, err := installNode()
	if errors.Is(err, ErrNoNode) {
		t.Skip(err)
	}
	modelstest.Fine(t, err)
	return work(t, "typescript", node.Dir), node
}

// withPython installs the packages of python/requirements.txt.
func withPython(t *testing.T) *Installed {
	t.Helper()
	OnlyLong(t)
	if err := exec.Command("python3", "-c", "from enum import StrEnum").Run(); err != nil {
		t.Skip("Python 3.11 or later is not here:", err)
	}
	return modelstest.Must(InstallPython("python"))(t)
}

func TestAPythonClientDoesTheElevenJobs(t *testing.T) {
	t.Parallel()
	python := withPython(t)
	w := work(t, "python", python.Dir)
	if out, stderr, err := python.Run(t, w.dir, nil, "-m", "openapi_python_client", "generate", "--url", w.document,
		"--meta", "none", "--output-path", "lectern", "--overwrite", "--fail-on-warning"); err != nil {
		t.Fatalf("openapi-python-client: %v: %s%s", err, out, stderr)
	}
	w.did(python.Run(t, w.dir, w.env(), "jobs.py"))
}

func TestTheRecipesDoTheElevenJobs(t *testing.T) {
	t.Parallel()
	OnlyLong(t)
	for _, tool := range []string{"curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			if out, err := exec.Command(filepath.Join(Root, "scripts/apt-install.sh"), tool).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", tool, err, out)
			}
		}
	}
	page := modelstest.Must(os.ReadFile(filepath.Join(Root, "docs/api.md")))(t)
	script := ""
	for _, m := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		script += m[1]
	}
	w := work(t, "typescript", t.TempDir())
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", script)
	cmd.Env = append(os.Environ(), "URL="+w.Base, "KEY="+w.key)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	answers := string(out)
	for _, words := range []string{`"name":"Harbour"`, `"name":"Boats"`, `"name":"Great Hall"`, "Friday's ferries",
		`"status":"accept_queue"`, "ConflictError", "NotFoundError", "ValidationError", `"failed":1`,
		`"starts_at":"2027-05-14T08:00:00.000Z"`, "Ada Lovelace", `{"kind":"room",`, `"capacity":40`} {
		if strings.Count(answers, words) == 0 {
			t.Errorf("nothing answers %s", words)
		}
	}
	w.made()
}
