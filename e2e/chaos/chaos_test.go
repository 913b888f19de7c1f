// Package chaos breaks what the built binary stands on while people write, and
// counts what was lost: processes are killed and paused, PostgreSQL is frozen,
// restarted and replaced by its standby. LECTERN_CHAOS=1 has it do so for minutes
// (`make chaos`); without, it does a little of it. LECTERN_CHAOS_SEED repeats the
// choices of a run, though not its timing.
package chaos

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"lectern/e2e/built"
)

var (
	long   = os.Getenv("LECTERN_CHAOS") != ""
	seed   = uint64(time.Now().UnixNano() % 1e9)
	work   string // everything of this run is below it: files, and the folders that processes run in
	binary string
	ending context.Context // when time is up, or who started this presses ctrl-c
)

// The whole of it ends by itself this long before go test would cut it short: with -timeout 6m after 285 s.
const spare = 75 * time.Second

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if given, err := strconv.ParseUint(os.Getenv("LECTERN_CHAOS_SEED"), 10, 64); err == nil {
		seed = given
	}
	fmt.Println("LECTERN_CHAOS_SEED:", seed)
	var err error
	if work, err = os.MkdirTemp("", "lectern-chaos"); err != nil {
		panic(err)
	}
	if err := os.Chmod(work, 0o755); err != nil { // the user of PostgreSQL comes through
		panic(err)
	}
	leave := keepOrder(work)
	defer leave()
	asked, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var done context.CancelFunc
	flag.Parse()
	longest := flag.Lookup("test.timeout").Value.(flag.Getter).Get().(time.Duration) - spare
	ending, done = context.WithTimeoutCause(asked, longest, fmt.Errorf("not done within %v", longest))
	defer done()
	shared, err := built.Binary(ending, "../..")
	if err != nil {
		panic(err)
	}
	whole, err := os.ReadFile(shared) // which another run may build anew, while trials start theirs again and again
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(work, "lectern")
	if err := os.WriteFile(binary, whole, 0o755); err != nil {
		panic(err)
	}
	flag.Set("test.parallel", "4") // trials wait more than they work
	code := m.Run()
	printTable()
	return code
}

// keepOrder starts a process that, when this one has ended in whatever way, kills
// all that run in folders below dir, stopped ones too, and deletes dir. The
// function it returns has it do so now.
func keepOrder(dir string) func() {
	keeper := exec.Command("sh", "-c", `cat >/dev/null
		for p in /proc/[0-9]*; do
			case "$(readlink "$p/cwd")" in "$0" | "$0"/*) kill -9 "${p#/proc/}" ;; esac
		done
		rm -rf "$0"`, dir)
	keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // out of reach of ctrl-c
	pipe, err := keeper.StdinPipe()
	if err == nil {
		err = keeper.Start()
	}
	if err != nil {
		panic(err)
	}
	return func() {
		pipe.Close()
		keeper.Wait()
	}
}

// processesIn are those whose folder is dir.
func processesIn(dir string) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if at, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid)); err == nil && at == dir {
			pids = append(pids, pid)
		}
	}
	return pids
}

// trial is one way of breaking things on one database, and its line of the table.
type trial struct {
	*testing.T
	*line
	*book
	ctx    context.Context
	random *rand.Rand
	dir    string
}

// begin starts a trial that ends with the test or with the time there is.
func begin(t *testing.T, scenario, database string) *trial {
	t.Parallel()
	ctx, cancel := context.WithCancel(ending)
	t.Cleanup(cancel)
	dir, err := os.MkdirTemp(work, "trial")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := newBook()
	x := &trial{T: t, line: addLine(scenario, database, b), book: b, ctx: ctx, random: randomOf(t.Name()), dir: dir}
	t.Cleanup(func() {
		for _, fault := range b.faults() {
			t.Error(fault)
		}
	})
	return x
}

// randomOf is the source of all choices of the one who has this name.
func randomOf(name string) *rand.Rand {
	hash := fnv.New64a()
	io.WriteString(hash, name)
	return rand.New(rand.NewPCG(seed, hash.Sum64()))
}

// check ends the trial when there is an error.
func (x *trial) check(err error) {
	x.Helper()
	if err != nil {
		x.Fatal(err)
	}
}

// pause waits, and ends the trial when there is no more time.
func (x *trial) pause(d time.Duration) {
	x.Helper()
	if sleep(x.ctx, d); x.ctx.Err() != nil {
		x.Fatal("ended early: ", context.Cause(x.ctx))
	}
}

// between is a random time from least to most.
func (x *trial) between(least, most time.Duration) time.Duration {
	return least + time.Duration(x.random.Int64N(int64(most-least)))
}

// sized is what a long run and a short one differ in.
func sized[T any](inLong, inShort T) T {
	if long {
		return inLong
	}
	return inShort
}

// onlyLong leaves a trial out of the short run.
func onlyLong(t *testing.T) {
	if !long {
		t.Skip("make chaos has this")
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
