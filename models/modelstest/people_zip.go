package modelstest

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// Unzip returns the files of an archive, by name.
func Unzip(t *testing.T, content []byte) map[string]string {
	t.Helper()
	archive := Must(zip.NewReader(bytes.NewReader(content), int64(len(content))))(t)
	out := map[string]string{}
	for _, file := range archive.File {
		r := Must(file.Open())(t)
		out[file.Name] = string(Must(io.ReadAll(r))(t))
	}
	return out
}
