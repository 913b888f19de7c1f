//go:build linux

package operating

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"lectern/e2e/child"
	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestAReleaseRunsWhereThereIsNothing builds what is released for this machine and runs it in empty folders, to which
// chroot confines it: no library, no shell, no /proc, none of Debian's files. Of its container image it runs the content
// as the user that the image names.
func TestAReleaseRunsWhereThereIsNothing(t *testing.T) {
	switch {
	case !Long():
		t.Skip("part of make e2e: a release takes a minute to build")
	case os.Getuid() != 0:
		t.Skip("chroot is root's")
	}
	system, dist := "linux/"+runtime.GOARCH, t.TempDir()
	build := exec.Command("scripts/release.sh", "9.9", system)
	build.Dir, build.Env = Root, append(os.Environ(), "DIST="+dist)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	name := "lectern-9.9-linux-" + runtime.GOARCH
	sums := string(modelstest.Must(os.ReadFile(filepath.Join(dist, "SHA256SUMS")))(t))
	deb := "lectern_9.9_" + runtime.GOARCH + ".deb"
	for _, file := range []string{name + ".tar.gz", name + "-image.tar", deb} {
		sum := sha256.Sum256(modelstest.Must(os.ReadFile(filepath.Join(dist, file)))(t))
		if !strings.Contains(sums, fmt.Sprintf("%x  %s\n", sum, file)) {
			t.Errorf("%s is not in the checksums:\n%s", file, sums)
		}
	}
	packed := bytes.NewReader(modelstest.Must(os.ReadFile(filepath.Join(dist, name+".tar.gz")))(t))
	empty := t.TempDir()
	unpackInto(t, empty, modelstest.Must(gzip.NewReader(packed))(t))
	says(t, empty, 0, "/"+name+"/lectern")
	modelstest.Must(os.Stat(filepath.Join(empty, name, "monitoring", "alerts.yml")))(t)
	installs(t, filepath.Join(dist, deb))

	image := t.TempDir()
	unpackInto(t, image, bytes.NewReader(modelstest.Must(os.ReadFile(filepath.Join(dist, name+"-image.tar")))(t)))
	var list []struct{ Layers []string }
	modelstest.Fine(t, json.Unmarshal(modelstest.Must(os.ReadFile(filepath.Join(image, "manifest.json")))(t), &list))
	root := t.TempDir()
	modelstest.Fine(t, os.Chmod(root, 0o755))
	for _, layer := range list[0].Layers {
		content := bytes.NewReader(modelstest.Must(os.ReadFile(filepath.Join(image, layer)))(t))
		unpackInto(t, root, modelstest.Must(gzip.NewReader(content))(t))
	}
	says(t, root, 65532, "/lectern")
	serves(t, root)
}

// installs unpacks a Debian package as dpkg does, and looks at what it would leave.
func installs(t *testing.T, deb string) {
	t.Helper()
	root := t.TempDir()
	if out, err := exec.Command("dpkg-deb", "--raw-extract", deb, root).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	says(t, root, 0, "/usr/bin/lectern")
	for file, mode := range map[string]os.FileMode{"usr/bin/lectern": 0o755, "lib/systemd/system/lectern.service": 0o644,
		"etc/lectern/lectern.env": 0o640, "DEBIAN/postinst": 0o755, "DEBIAN/prerm": 0o755, "DEBIAN/postrm": 0o755,
		"usr/share/doc/lectern/monitoring/dashboard.json": 0o644} {
		if info, err := os.Stat(filepath.Join(root, file)); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v %v", file, info, err)
		}
	}
	for file, want := range map[string]string{"control": "Version: 9.9\n", "conffiles": "/etc/lectern/lectern.env\n"} {
		if text := modelstest.Must(os.ReadFile(filepath.Join(root, "DEBIAN", file)))(t); !strings.Contains(string(text), want) {
			t.Errorf("%s: %s", file, text)
		}
	}
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		return
	}
	text := modelstest.Must(os.ReadFile(filepath.Join(root, "lib/systemd/system/lectern.service")))(t)
	unit := filepath.Join(t.TempDir(), "lectern.service")
	here := strings.ReplaceAll(string(text), "=/usr/bin/", "="+root+"/usr/bin/")
	modelstest.Fine(t, os.WriteFile(unit, []byte(here), 0o600))
	// What it does not understand it tells, and is content.
	if out, err := exec.Command("systemd-analyze", "verify", unit).CombinedOutput(); err != nil ||
		strings.Contains(string(out), "lectern.service") {
		t.Errorf("the unit: %v %s", err, out)
	}
}

// TestEverySystemOfAReleaseIsBuilt compiles what is released for each system that this is not.
func TestEverySystemOfAReleaseIsBuilt(t *testing.T) {
	if !Long() {
		t.Skip("part of make e2e: the program is compiled for each")
	}
	for _, system := range []string{"linux/arm64", "linux/amd64", "darwin/arm64", "windows/amd64"} {
		if system == runtime.GOOS+"/"+runtime.GOARCH {
			continue
		}
		os_, arch, _ := strings.Cut(system, "/")
		build := exec.Command("go", "build", "-o", os.DevNull, ".")
		build.Dir, build.Env = Root, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+os_, "GOARCH="+arch)
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", system, err, out)
		}
	}
}

// confined is a program whose root is a folder.
func confined(root string, user uint32, program string, args ...string) *exec.Cmd {
	cmd := child.EndsWithUs(&exec.Cmd{Path: program, Args: append([]string{program}, args...), Dir: "/", Env: []string{}})
	cmd.SysProcAttr.Chroot, cmd.SysProcAttr.Credential = root, &syscall.Credential{Uid: user, Gid: user}
	return cmd
}

func says(t *testing.T, root string, user uint32, program string) {
	t.Helper()
	out, err := confined(root, user, program, "version").CombinedOutput()
	if err != nil || string(out) != "lectern 9.9\n" {
		t.Errorf("%s: %v %s", program, err, out)
	}
}

// serves runs the content of an image as the image says, until it is ready.
func serves(t *testing.T, root string) {
	t.Helper()
	address := FreeAddress(t)
	cmd := confined(root, 65532, "/lectern", "serve")
	var log bytes.Buffer
	cmd.Env, cmd.Stderr = []string{"LECTERN_ADDR=" + address, "LECTERN_DATA_DIR=/data"}, &log
	modelstest.Fine(t, cmd.Start())
	ready := Within(Patience, func() bool {
		response, err := http.Get("http://" + address + "/readyz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	modelstest.Fine(t, cmd.Process.Signal(syscall.SIGTERM))
	if err := cmd.Wait(); err != nil || !ready {
		t.Errorf("ready %v, %v: %s", ready, err, log.String())
	}
}

// unpackInto writes what a tar has into a folder, with its modes and owners.
func unpackInto(t *testing.T, dir string, from io.Reader) {
	t.Helper()
	for r := tar.NewReader(from); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		modelstest.Fine(t, err)
		path := filepath.Join(dir, head.Name)
		if head.Typeflag == tar.TypeDir {
			modelstest.Fine(t, os.MkdirAll(path, 0o755))
		} else {
			modelstest.Fine(t, os.MkdirAll(filepath.Dir(path), 0o755))
			modelstest.Fine(t, os.WriteFile(path, modelstest.Must(io.ReadAll(r))(t), 0o600))
		}
		modelstest.Fine(t, os.Chown(path, head.Uid, head.Gid))
		modelstest.Fine(t, os.Chmod(path, head.FileInfo().Mode()))
	}
}
