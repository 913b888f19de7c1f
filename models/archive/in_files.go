package archive

import (
	"context"
	"encoding/hex"
	"io"
	"os"
	"slices"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// bring stores the bytes of all files. Those not kept in the end are swept a day later.
func (in *arriving) bring(ctx context.Context) error {
	return in.lines(ctx, tableOf("files"), func(l *namedRow) error {
		f, err := fileOf(l)
		if err != nil {
			return err
		}
		in.files[l.get("id")] = f
		entry, was := in.entries[filesFolder+l.get("id")], f.Key
		if entry == nil {
			if !slices.Contains(in.Manifest.Missing, l.get("id")) {
				return refused("The archive is not whole: the bytes of the file %q are missing.", f.Name)
			}
			f.Key = files.NewKey()
			in.keys[was] = f.Key
			return nil
		}
		i := slices.IndexFunc(in.Manifest.Parts, func(p *Part) bool { return p.Name == entry.Name })
		if part := in.Manifest.Parts[i]; part.SHA256 != f.SHA256 || part.Bytes != f.Size {
			return refused("The archive was changed: the file %q is not what its row says.", f.Name)
		}
		content, err := entry.Open()
		if err != nil {
			return err
		}
		defer content.Close()
		err = spooled(files.Reader(ctx, content), func(content io.ReadSeeker) error { return in.s.BringAgain(ctx, f, content) })
		if f.Key != was {
			in.keys[was] = f.Key
		}
		return err
	})
}

// spooled copies a stream to a temporary file, for a reader that needs to seek.
func spooled(from io.Reader, take func(io.ReadSeeker) error) error {
	spool, err := os.CreateTemp("", "lectern-*")
	if err != nil {
		return err
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	if _, err := io.Copy(spool, from); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return take(spool)
}

// fileOf returns the row of a file. It answers Invalid for an impossible one.
func fileOf(l *namedRow) (*models.File, error) {
	f := &models.File{ID: l.get("id"), Purpose: models.FilePurpose(l.get("purpose")), Key: l.get("key"),
		Name: l.get("name"), MediaType: l.get("media_type"), SHA256: l.get("sha256"), UploadedBy: l.get("uploaded_by"),
		UploadedByName: l.get("uploaded_by_name")}
	if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != 32 || !store.IsID(f.ID) || !files.IsKey(f.Key) {
		return nil, refused("The archive has the row of a file that cannot be one: %q.", f.Name)
	}
	if size := l.number("size"); size != nil {
		f.Size = int64(*size)
	}
	f.Width, f.Height = l.number("width"), l.number("height")
	return f, f.CreatedAt.Scan(l.get("created_at"))
}
