package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// clients are the installed clients: a folder and the node that runs them.
type clients struct{ *Installed }

// nodeClients installs the clients of e2e/node once, into a folder that is kept
// for the next run. It needs npm and its registry, so only `make e2e` asks for it.
func nodeClients(t *testing.T) *clients {
	t.Helper()
	if os.Getenv("LECTERN_NODE_E2E") != "1" {
		t.Skip("LECTERN_NODE_E2E=1, which make e2e sets where npm is, tries real clients of node")
	}
	c, err := install()
	if errors.Is(err, ErrNoNode) {
		t.Skip(err)
	}
	return &clients{modelstest.Must(c, err)(t)}
}

var install = sync.OnceValues(func() (*Installed, error) {
	c, err := InstallNode("../node")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"abstracts.mjs", "sdk.mjs"} {
		content, err := os.ReadFile(filepath.Join("../node", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(c.Dir, name), content, 0o644)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
})

// run runs a script of the clients with an environment of its own and returns
// what it printed.
func (c *clients) run(t *testing.T, env []string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	return c.Run(t, c.Dir, env, args...)
}

func TestTheOfficialClientUsesAllTools(t *testing.T) {
	t.Parallel()
	c := nodeClients(t)
	h := newHarbour(t, NewSite(t, ""))
	out, stderr, err := c.run(t, []string{"LECTERN_KEY=" + h.key, "LECTERN_READER=" + h.reader}, "sdk.mjs",
		h.Site.Base+"/mcp")
	if err != nil || !strings.HasSuffix(out, "all tools were used\n") {
		t.Fatalf("%v: %s%s", err, out, stderr)
	}
	t.Log(out)
	wantSecret(h.Server, t, h.key, h.reader)
}

func TestTheInspectorUsesTools(t *testing.T) {
	t.Parallel()
	c := nodeClients(t)
	h := newHarbour(t, NewSite(t, ""))
	inspect := func(key string, args ...string) (v map[string]any, failed bool) {
		args = append([]string{"node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
			"--cli", h.Site.Base + "/mcp", "--transport", "http", "--header", "x-access-token: " + key, "--method"}, args...)
		out, stderr, err := c.run(t, nil, args...)
		if json.Unmarshal([]byte(out), &v) != nil {
			t.Fatalf("%v: %v: %s%s", args, err, out, stderr)
		}
		return v, err != nil
	}
	// strict fails on schemas that some models' providers do not take.
	listed, failed := inspect(h.key, "tools/list", "--strict")
	if tools := listed["tools"].([]any); failed || len(tools) != 16 {
		t.Errorf("%d tools (%v)", len(tools), failed)
	}
	found, failed := inspect(h.key, "tools/call", "--tool-name", "list_submissions", "--tool-arg",
		`status=["accept_queue"]`, "limit=1")
	if answer := fmt.Sprint(found); failed || !strings.Contains(answer, `"totalResults":2`) ||
		strings.Count(answer, `"title"`) != 1 {
		t.Errorf("the accept queue: %v", answer)
	}
	refused, failed := inspect(h.key, "tools/call", "--tool-name", "get_submission", "--tool-arg", "submission_id=A-99")
	if answer := fmt.Sprint(refused); !failed || !strings.Contains(answer, "list_submissions") {
		t.Errorf("a submission that is not there: %v", answer)
	}
	if own, failed := inspect(h.reader, "tools/list"); failed || strings.Contains(fmt.Sprint(own), "capture_abstract") {
		t.Errorf("a reader is listed what it cannot use: %v", own)
	}
}

// scenarios are those of the official suite that ask for what this server has.
// docs/mcp.md says why each of the others is left out.
var scenarios = []string{"server-initialize", "ping", "tools-list", "resources-list", "prompts-list",
	"dns-rebinding-protection"}

func TestTheOfficialSuiteFindsNoFault(t *testing.T) {
	t.Parallel()
	c := nodeClients(t)
	s := NewSite(t, "")
	s.Conference()
	s.Serve("serve")
	const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
	passed := regexp.MustCompile(`Passed: (\d+)/(\d+), 0 failed, 0 warnings`)
	for _, scenario := range scenarios {
		out, stderr, err := c.run(t, nil, suite, "server", "--url", s.Base+"/mcp", "--scenario", scenario)
		if found := passed.FindStringSubmatch(out); err != nil || found == nil || found[1] != found[2] || found[1] == "0" {
			t.Errorf("%s: %v: %s%s", scenario, err, out, stderr)
		}
	}

	list, stderr, err := c.run(t, nil, suite, "list")
	servers, _, isCut := strings.Cut(list, "Client scenarios")
	if err != nil || !isCut {
		t.Fatalf("the list of scenarios: %v: %s%s", err, list, stderr)
	}
	page := modelstest.Must(os.ReadFile("../../docs/mcp.md"))(t)
	for _, m := range regexp.MustCompile(`(?m)^  - (\S+)`).FindAllStringSubmatch(servers, -1) {
		if !slices.Contains(scenarios, m[1]) && !bytes.Contains(page, []byte("`"+m[1]+"`")) {
			t.Errorf("docs/mcp.md does not say why %s is left out", m[1])
		}
	}
}

func TestTheLockFilesNameNoRegistry(t *testing.T) {
	for _, dir := range []string{"../node", "../clients/typescript"} {
		b := modelstest.Must(os.ReadFile(filepath.Join(dir, "package-lock.json")))(t)
		if bytes.Contains(b, []byte(`"resolved"`)) || bytes.Contains(b, []byte("registry.")) {
			t.Errorf("%s/package-lock.json holds addresses; .npmrc there tells npm to omit them", dir)
		}
	}
}
