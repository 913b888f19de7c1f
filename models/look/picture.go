package look

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// Kind is a picture that the public pages show of the event.
type Kind struct {
	Name    string // in addresses and of the field of forms
	purpose models.FilePurpose
	print   files.Print
	end     string // of its address
	column  string
	id      func(*Look) **string
	file    func(*Look) **models.File
}

// Logo stands beside the name of the event, and Picture on its start page.
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

// PicturePath is where logos and pictures are served: below it their keys, with the ending of what they are.
const PicturePath = "/pictures/"

// Path is where this service shows the picture of a look, "" without one.
func (k *Kind) Path(l *Look) string {
	f := *k.file(l)
	if f == nil {
		return ""
	}
	return PicturePath + f.Key + k.end
}

// SetPicture makes a JPEG, PNG or WebP file the event's logo or picture: it is read and written anew, so that nothing
// but the picture is left of the file. It answers Invalid, by the kind's name, for a file that is something else, an
// SVG too, damaged or too large (files.MaxPhotoBytes, files.MaxPhotoPixels). The one before is gone. It emits nothing.
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

// RemovePicture leaves the event without its logo or its picture, which is gone. It emits nothing.
func (l *Looks) RemovePicture(ctx context.Context, k *Kind) error {
	return l.change(ctx, func(tx *store.Tx, look *Look) error { return l.replace(tx, look, k, nil) })
}

// replace puts a file, or nil, in the place of another, which is dropped once the look refers to it no more.
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

// Shown is the file of a logo or a picture that an event has, for whoever knows its address. It answers NotFound for
// others, also for those that an event had.
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
