package look

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// Kind is a kind of picture that an event's public pages show.
type Kind struct {
	Name    string // in addresses, and of the form's field
	purpose models.FilePurpose
	print   files.Print
	end     string // extension in its address
	column  string
	id      func(*Look) **string
	file    func(*Look) **models.File
}

// Logo is shown beside the name of the event, and Picture on its start page.
var (
	Logo = &Kind{Name: "logo", purpose: models.LogoFile, print: files.Print{Side: 640, IsClear: true},
		end: ".png", column: "logo_id", id: func(l *Look) **string { return &l.LogoID },
		file: func(l *Look) **models.File { return &l.Logo }}
	Picture = &Kind{Name: "picture", purpose: models.PictureFile, print: files.Print{Side: 1600},
		end: ".jpg", column: "picture_id", id: func(l *Look) **string { return &l.PictureID },
		file: func(l *Look) **models.File { return &l.Picture }}
)

// Kinds are both.
var Kinds = []*Kind{Logo, Picture}

// PicturePath is the path of logos and pictures, followed by their key and extension.
const PicturePath = "/pictures/"

// Path returns the path of a look's picture, "" if it has none.
func (k *Kind) Path(l *Look) string {
	f := *k.file(l)
	if f == nil {
		return ""
	}
	return PicturePath + f.Key + k.end
}

// SetPicture makes a JPEG, PNG or WebP file the event's logo or picture, in place of the one before. The picture is
// decoded and encoded anew, so that nothing else of the file remains. It answers Invalid, by the kind's name, for other
// files such as SVG, damaged ones and too large ones (files.MaxPhotoBytes, files.MaxPhotoPixels). It emits nothing.
func (l *Looks) SetPicture(ctx context.Context, k *Kind, upload models.Upload) error {
	f, err := l.p.Store().BringPicture(ctx, l.p.By(), k.purpose, k.Name, upload, k.print)
	if err != nil {
		return err
	}
	return l.change(ctx, func(tx *store.Tx, look *Look) error {
		if err := models.KeepFile(tx, l.p.Event().OrganizationID, f); err != nil {
			return err
		}
		return l.replace(tx, look, k, f)
	})
}

// RemovePicture removes the event's logo or picture. It emits nothing.
func (l *Looks) RemovePicture(ctx context.Context, k *Kind) error {
	return l.change(ctx, func(tx *store.Tx, look *Look) error { return l.replace(tx, look, k, nil) })
}

// replace puts a file, or nil, in the place of another, which is dropped once the look no longer refers to it.
func (l *Looks) replace(tx *store.Tx, look *Look, k *Kind, f *models.File) error {
	was := *k.file(look)
	*k.id(look), *k.file(look) = nil, f
	if f != nil {
		*k.id(look) = &f.ID
	}
	if was == nil {
		return nil
	}
	tx.BeforeCommit(func() error { return models.DropFile(tx, l.p.Event().OrganizationID, was.Key) })
	return nil
}

// Shown returns the file of an event's present logo or picture, for whoever knows its address. It answers NotFound for
// any other, also for former ones.
func Shown(ctx context.Context, s *models.Store, name string) (*models.File, error) {
	missing := store.Missing("There is no such picture.")
	for _, k := range Kinds {
		if key, found := strings.CutSuffix(name, k.end); found && files.IsKey(key) {
			return store.One[models.File](s.Read(ctx).Where("key = ? AND purpose = ?", key, k.purpose).
				Where("EXISTS (SELECT 1 FROM event_looks l WHERE l."+k.column+" = files.id)"), missing)
		}
	}
	return nil, missing
}
