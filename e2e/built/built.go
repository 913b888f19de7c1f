// Package built makes the binary that tests drive.
package built

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Binary builds this checkout, whose folder root is, and returns where the binary lies: in the same place for all
// packages. Of those of one run of go test the first builds it; by hand each does, and Go leaves what is up to date as it
// is.
func Binary(ctx context.Context, root string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, ".cache", "e2e")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	lock, err := os.Create(filepath.Join(dir, "lock"))
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	binary, builder, run := filepath.Join(dir, "lectern"), filepath.Join(dir, "builder"), runner()
	if by, err := os.ReadFile(builder); err == nil && run != "" && string(by) == run {
		return binary, nil
	}
	// Nobody debugs it, and symbols take a third of the time of linking.
	next := binary + ".next" // another run may drive the one that is there, and building may be cut short
	out, err := exec.CommandContext(ctx, "go", "build", "-ldflags=-w", "-o", next, root).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	if err := os.Rename(next, binary); err != nil {
		return "", err
	}
	return binary, os.WriteFile(builder, []byte(run), 0o644)
}

// runner tells the go test that runs this package from any other one: by its number, and by when it began. It is ""
// where something else runs it, and elsewhere than on Linux.
func runner() string {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", os.Getppid()))
	_, after, _ := bytes.Cut(stat, []byte(" (go) "))
	fields := bytes.Fields(after)
	if len(fields) < 20 {
		return ""
	}
	return fmt.Sprintf("%d since %s", os.Getppid(), fields[19])
}
