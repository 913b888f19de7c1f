// Package buckettest starts a real S3-compatible server for tests: Versity's gateway over a directory, which checks
// signatures as Amazon does.
package buckettest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"lectern/e2e/child"
)

// version is that of the server. Its first use builds it with the go command into the user's cache.
const version = "v1.8.0"

// buildTime is how long the first build may take, on a slow machine and connection.
const buildTime = 8 * time.Minute

var binary = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "lectern")
	path := filepath.Join(dir, "versitygw-"+version)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	release, err := hold(filepath.Join(dir, "lock"))
	if err != nil {
		return "", err
	}
	defer release()
	if _, err := os.Stat(path); err == nil { // another package built it while we waited
		return path, nil
	}
	making, err := os.MkdirTemp(dir, "making-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(making)
	ctx, cancel := context.WithTimeout(context.Background(), buildTime)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "install", "github.com/versity/versitygw/cmd/versitygw@"+version)
	build.Dir = making // outside of our module, so that its go.mod does not apply
	build.Env = append(os.Environ(), "GOBIN="+making, "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot build the S3 server of the tests: %w\n%s", err, out)
	}
	return path, os.Rename(filepath.Join(making, "versitygw"), path)
})

// hold locks a file, so that only one package's tests build the server; release unlocks it.
func hold(file string) (release func() error, err error) {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}

const key, secret = "tester", "secret/of+the tests"

// Server is a running server. It ends with the test.
type Server struct {
	Host    string // with the port
	Dir     string // the server keeps its buckets below it
	process *exec.Cmd
	t       testing.TB
}

// Serve starts a server with an empty bucket.
func Serve(t testing.TB) *Server {
	t.Helper()
	s := &Server{Dir: t.TempDir(), Host: child.FreeAddress(t), t: t}
	s.Start()
	t.Cleanup(s.Stop)
	client := s3.New(s3.Options{BaseEndpoint: aws.String("http://" + s.Host), Region: "us-east-1", UsePathStyle: true,
		Credentials: credentials.NewStaticCredentialsProvider(key, secret, "")})
	if _, err := client.CreateBucket(context.Background(), &s3.CreateBucketInput{Bucket: aws.String("files")}); err != nil {
		t.Fatal(err)
	}
	return s
}

// Start starts the server at its address, and waits until it answers.
func (s *Server) Start() {
	s.t.Helper()
	path, err := binary()
	if err != nil {
		s.t.Fatal(err)
	}
	data, about := filepath.Join(s.Dir, "data"), filepath.Join(s.Dir, "about")
	for _, dir := range []string{data, about} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			s.t.Fatal(err)
		}
	}
	s.process = exec.Command(path, "--port", s.Host, "--access", key, "--secret", secret, "--quiet",
		"posix", "--sidecar", about, data) // not every file system supports the attributes that it would set
	s.process.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Dir}
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("tcp", s.Host); err == nil {
			conn.Close()
			return
		}
	}
	s.t.Fatal("the S3 server does not answer")
}

// Stop kills the server; its files stay.
func (s *Server) Stop() {
	if s.process != nil {
		s.process.Process.Kill()
		s.process.Wait()
		s.process = nil
	}
}

// URL is the address of its bucket, as LECTERN_FILES_URL takes it.
func (s *Server) URL() string {
	return "s3://tester:secret%2Fof%2Bthe%20tests@" + s.Host + "/files/of-lectern?insecure=1"
}
