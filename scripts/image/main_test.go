package main

import (
	"archive/tar"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// TestAnImageIsWhatRuntimesLoad reads one back, as an OCI layout and by the list that older versions of docker read.
func TestAnImageIsWhatRuntimesLoad(t *testing.T) {
	t.Parallel()
	program := bytes.Repeat([]byte("program"), 10_000)
	binary := filepath.Join(t.TempDir(), "lectern")
	fine(t, os.WriteFile(binary, program, 0o755))
	var files [2][]byte
	for i := range files {
		file := filepath.Join(t.TempDir(), "image.tar")
		fine(t, write(binary, "arm64", "1.0", time.Unix(1_700_000_000, 0).UTC(), file))
		files[i] = must(os.ReadFile(file))(t)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("the same binary gives other bytes")
	}
	dir := t.TempDir()
	for name, content := range unpack(t, bytes.NewReader(files[0])) {
		path := filepath.Join(dir, name)
		fine(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fine(t, os.WriteFile(path, content.bytes, 0o600))
	}
	index := must(layout.ImageIndexFromPath(dir))(t)
	fine(t, validate.Index(index))
	manifest := must(index.IndexManifest())(t)
	if len(manifest.Manifests) != 1 || manifest.Manifests[0].Platform.String() != "linux/arm64" ||
		manifest.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "lectern:1.0" {
		t.Fatalf("%+v", manifest)
	}
	image := must(index.Image(manifest.Manifests[0].Digest))(t)
	config := must(image.ConfigFile())(t)
	if c := config.Config; c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/lectern"}) ||
		!slices.Equal(c.Cmd, []string{"serve"}) || !slices.Contains(c.Env, "LECTERN_DATA_DIR=/data") ||
		c.Labels["org.opencontainers.image.version"] != "1.0" || config.Architecture != "arm64" || config.OS != "linux" {
		t.Errorf("%+v", config)
	}
	layers := must(image.Layers())(t)
	content := unpack(t, must(layers[0].Uncompressed())(t))
	if one := content["lectern"]; len(layers) != 1 || !bytes.Equal(one.bytes, program) || one.mode != 0o755 || one.owner != 0 {
		t.Error("the program is not in it as it was")
	}
	if data, tmp := content["data/"], content["tmp/"]; data.owner != nobody || data.mode != 0o700 || tmp.mode != 0o1777 {
		t.Errorf("%+v %+v", data, tmp)
	}
	if roots := x509.NewCertPool(); !roots.AppendCertsFromPEM(content["etc/ssl/certs/ca-certificates.crt"].bytes) {
		t.Error("there are no certificates in it")
	}
	var list []struct {
		Config           string
		RepoTags, Layers []string
	}
	fine(t, json.Unmarshal(must(os.ReadFile(filepath.Join(dir, "manifest.json")))(t), &list))
	for _, path := range append(list[0].Layers, list[0].Config) {
		must(os.Stat(filepath.Join(dir, path)))(t)
	}
	if len(list) != 1 || list[0].RepoTags[0] != "lectern:1.0" || len(list[0].Layers) != 1 {
		t.Errorf("%+v", list)
	}
}

type entry struct {
	bytes []byte
	mode  int64
	owner int
}

func unpack(t *testing.T, from io.Reader) map[string]entry {
	t.Helper()
	all := map[string]entry{}
	for r := tar.NewReader(from); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		fine(t, err)
		all[head.Name] = entry{must(io.ReadAll(r))(t), head.Mode, head.Uid}
	}
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		fine(t, err)
		return v
	}
}
