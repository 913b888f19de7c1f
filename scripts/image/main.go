// Command image makes a container image of a static Linux binary, as a file that docker, podman and containerd can load.
// It needs no container runtime, and the same binary gives the same bytes.
//
//	go run ./scripts/image BINARY ARCHITECTURE VERSION SECONDS FILE     SECONDS since 1970 date all files
package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// nobody is the user that the program runs as, with the id of distroless images, so that their volumes can be reused.
const nobody = 65532

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: image BINARY ARCHITECTURE VERSION SECONDS FILE")
		os.Exit(2)
	}
	seconds, err := strconv.ParseInt(os.Args[4], 10, 64)
	if err == nil {
		err = write(os.Args[1], os.Args[2], os.Args[3], time.Unix(seconds, 0).UTC(), os.Args[5])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// write makes the image of a binary and writes it to a file.
func write(binary, arch, version string, date time.Time, file string) error {
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	image, err := imageOf(program, arch, version, date)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lectern-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := lay(image, "lectern:"+version, arch, dir); err != nil {
		return err
	}
	return pack(dir, date, file)
}

// imageOf returns an image of one layer, with the program and the files that it needs. It has its own time zones.
func imageOf(program []byte, arch, version string, date time.Time) (v1.Image, error) {
	content, err := layerOf(program, date)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image, err := mutate.Append(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON),
		mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: date}, CreatedBy: "make release"}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	user := strconv.Itoa(nobody)
	config.OS, config.Architecture, config.Created = "linux", arch, v1.Time{Time: date}
	config.Config = v1.Config{
		User: user + ":" + user, Entrypoint: []string{"/lectern"}, Cmd: []string{"serve"}, WorkingDir: "/data",
		Env:          []string{"LECTERN_ADDR=0.0.0.0:8080", "LECTERN_DATA_DIR=/data"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Volumes: map[string]struct{}{"/data": {}},
		Labels: map[string]string{"org.opencontainers.image.title": "Lectern", "org.opencontainers.image.version": version},
	}
	return mutate.ConfigFile(image, config)
}

// layerOf returns a tar with the program, a data folder that a volume replaces, a folder for temporary files, the user
// and the certificates.
func layerOf(program []byte, date time.Time) ([]byte, error) {
	var out bytes.Buffer
	to := tar.NewWriter(&out)
	for _, one := range []struct {
		name    string
		mode    int64
		owner   int
		content []byte
	}{
		{"data/", 0o700, nobody, nil}, {"tmp/", 0o1777, 0, nil}, {"etc/", 0o755, 0, nil},
		{"etc/passwd", 0o644, 0, fmt.Appendf(nil, "lectern:x:%d:%d::/data:/sbin/nologin\n", nobody, nobody)},
		{"etc/ssl/", 0o755, 0, nil}, {"etc/ssl/certs/", 0o755, 0, nil},
		{"etc/ssl/certs/ca-certificates.crt", 0o644, 0, certificates()},
		{"etc/group", 0o644, 0, fmt.Appendf(nil, "lectern:x:%d:\n", nobody)},
		{"lectern", 0o755, 0, program},
	} {
		head := &tar.Header{Name: one.name, Mode: one.mode, Uid: one.owner, Gid: one.owner, Size: int64(len(one.content)),
			ModTime: date, Typeflag: tar.TypeReg}
		if one.content == nil {
			head.Typeflag = tar.TypeDir
		}
		if err := to.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := to.Write(one.content); err != nil {
			return nil, err
		}
	}
	err := to.Close()
	return out.Bytes(), err
}

// certificates returns the authorities that Mozilla trusts without constraints, as PEM.
func certificates() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate})
		}
	}
	return out.Bytes()
}

// lay writes an OCI layout into a folder, with the manifest.json by which older versions of docker find the image.
func lay(image v1.Image, name, arch, dir string) error {
	at, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	if err := at.AppendImage(image, layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": name}),
		layout.WithPlatform(v1.Platform{OS: "linux", Architecture: arch})); err != nil {
		return err
	}
	config, err := image.ConfigName()
	if err != nil {
		return err
	}
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	list := []map[string]any{{"Config": blob(config), "RepoTags": []string{name}, "Layers": []string{}}}
	for _, layer := range layers {
		digest, err := layer.Digest()
		if err != nil {
			return err
		}
		list[0]["Layers"] = append(list[0]["Layers"].([]string), blob(digest))
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "manifest.json"), text, 0o644)
}

func blob(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }

// pack writes the files of a folder into a tar, by name.
func pack(dir string, date time.Time, file string) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if closed := out.Close(); err == nil {
			err = closed
		}
	}()
	to := tar.NewWriter(out)
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if err := to.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(content)), ModTime: date}); err != nil {
			return err
		}
		_, err = to.Write(content)
		return err
	})
	if err != nil {
		return err
	}
	return to.Close()
}
