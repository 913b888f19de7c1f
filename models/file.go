package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"
	"time"

	"gorm.io/gorm"

	"lectern/models/files"
	"lectern/models/store"
)

// File describes a stored file: its name, content type, who uploaded it and when. The bytes are in the file store
// under its key and never change.
type File struct {
	ID             string
	OrganizationID string
	Purpose        FilePurpose
	Key            string // 26 random characters, which nobody can guess
	Name           string // as the uploader called it
	MediaType      string
	Size           int64  // bytes
	SHA256         string `gorm:"column:sha256"` // 64 hex digits
	Width, Height  *int   // pixels, of a picture
	UploadedBy     string // id of who acted, "" for the command line
	UploadedByName string
	UnusedSince    *store.Time // when a sweep first found that nothing refers to it
	CreatedAt      store.Time
}

// FilePurpose says what a file is for.
type FilePurpose string

const (
	PhotoFile FilePurpose = "photo"     // of a person; a contact's photo_url refers to it
	OwnFile   FilePurpose = "own_field" // the value of a field of people that the organization defines
	// AnswerFile is the answer to a question of a call for papers.
	AnswerFile FilePurpose = "answer"
	// DeliverableFile is a version of what a task asks of speakers.
	DeliverableFile FilePurpose = "deliverable"
	// LogoFile and PictureFile are shown on an event's public pages.
	LogoFile    FilePurpose = "logo"
	PictureFile FilePurpose = "picture"
)

// fileUses says which rows use the files of a purpose. Files that are unused for 30 days are swept; a purpose that is
// missing here is never swept.
var fileUses = []struct {
	purpose FilePurpose
	user    string // a query for rows that use the file
}{
	{PhotoFile, "SELECT 1 FROM contacts c WHERE c.photo_key = files.key AND c.organization_id = files.organization_id " +
		"UNION ALL SELECT 1 FROM revisions r WHERE r.photo_id = files.id"},
	{LogoFile, "SELECT 1 FROM event_looks l WHERE l.logo_id = files.id"},
	{PictureFile, "SELECT 1 FROM event_looks l WHERE l.picture_id = files.id"},
	{AnswerFile, "SELECT 1 FROM proposal_files x WHERE x.file_id = files.id " +
		"UNION ALL SELECT 1 FROM speaker_answers x WHERE x.file_id = files.id"},
	{DeliverableFile, "SELECT 1 FROM deliverable_versions x WHERE x.file_id = files.id"},
	{OwnFile, "SELECT 1 FROM contact_values v WHERE v.file_id = files.id AND v.organization_id = files.organization_id"},
}

// MaxFileBytes limits an uploaded file that is stored as it is.
const MaxFileBytes = 20 << 20

// fileLeftover is a key under which the file store may hold bytes although there is no row of the file.
type fileLeftover struct {
	Key   string     `gorm:"primaryKey"`
	Since store.Time // the bytes are deleted LeftoverAge later
}

const (
	// LeftoverAge is how long leftover bytes stay: longer than an upload takes, and than copying the files of a copied
	// database.
	LeftoverAge = 24 * time.Hour
	// replacedAge is how long the bytes of replaced photos and answers to a call stay, which strangers upload.
	replacedAge = 20 * time.Minute
	// unusedAge is how long an unused file stays, so that a merge can be undone by hand.
	unusedAge = 30 * 24 * time.Hour
	// filesSweptAtOnce bounds the duration of one step of the sweep.
	filesSweptAtOnce = 50
)

// errLate answers an upload whose bytes were swept before its row was stored.
var errLate = &store.Error{Kind: store.Unavailable, Message: "The file took too long to arrive. Send it again."}

// Upload is a file as somebody uploads it.
type Upload struct {
	Name    string // as the uploader calls it
	Content []byte
}

// anyType is the content type of a file that nobody inspected.
const anyType = "application/octet-stream"

// BringFile puts the bytes of an upload into the file store unchanged, and returns the row of a new file, which
// KeepFile stores in the transaction of whatever refers to it. It answers Invalid, by the field, for a file that is
// empty or larger than MaxFileBytes.
func (s *Store) BringFile(ctx context.Context, by store.By, purpose FilePurpose, field string, u Upload) (*File, error) {
	switch {
	case len(u.Content) == 0:
		return nil, store.Invalidf(field, "is empty")
	case len(u.Content) > MaxFileBytes:
		return nil, store.Invalidf(field, "may have up to %d MB", MaxFileBytes>>20)
	}
	f, err := s.StoreBytes(ctx, by, u.Name, bytes.NewReader(u.Content))
	if err != nil {
		return nil, err
	}
	f.Purpose, f.MediaType = purpose, anyType
	return f, nil
}

// BringPicture is BringFile for a picture, which is encoded anew as the given print. It answers Invalid, by the field,
// for a file that is no picture, damaged or too large (files.MaxPhotoBytes, files.MaxPhotoPixels).
func (s *Store) BringPicture(
	ctx context.Context, by store.By, purpose FilePurpose, field string, u Upload, as files.Print,
) (*File, error) {
	photo, err := s.darkroom.Develop(ctx, u.Content, as)
	if unfit, found := errors.AsType[files.Unfit](err); found {
		return nil, store.Invalidf(field, "%s", unfit)
	}
	if err != nil {
		return nil, err
	}
	f, err := s.StoreBytes(ctx, by, u.Name, bytes.NewReader(photo.Data))
	if err != nil {
		return nil, err
	}
	f.Purpose, f.MediaType, f.Width, f.Height = purpose, photo.MediaType, &photo.Width, &photo.Height
	return f, nil
}

// StoreBytes puts the bytes of a new file into the file store and returns its row, which KeepFile stores together with
// what refers to it. Until then the bytes count as left over, so an interrupted upload is swept.
func (s *Store) StoreBytes(ctx context.Context, by store.By, name string, content io.ReadSeeker) (*File, error) {
	f := &File{ID: store.NewID(), Key: files.NewKey(), Name: FileName(name), UploadedBy: by.ActorID,
		UploadedByName: by.ActorName}
	sum := sha256.New()
	var err error
	if f.Size, err = io.Copy(sum, files.Reader(ctx, content)); err != nil {
		return nil, err
	}
	f.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if err := s.Write(ctx, func(tx *store.Tx) error { return tx.Create(&fileLeftover{f.Key, tx.Now}).Error }); err != nil {
		return nil, err
	}
	return f, s.Options.Files.Put(ctx, f.Key, content)
}

// BringAgain is Bring for a file from another Lectern, whose row is known. The file keeps its key unless the key is
// taken here; then it gets another one.
func (s *Store) BringAgain(ctx context.Context, f *File, content io.ReadSeeker) error {
	err := s.Write(ctx, func(tx *store.Tx) error {
		for _, kept := range []any{&File{}, &fileLeftover{}} {
			var found int64
			if err := tx.Model(kept).Where("key = ?", f.Key).Count(&found).Error; err != nil {
				return err
			}
			if found > 0 {
				f.Key = files.NewKey()
			}
		}
		return tx.Create(&fileLeftover{f.Key, tx.Now}).Error
	})
	if err != nil {
		return err
	}
	return s.Options.Files.Put(ctx, f.Key, content)
}

// KeepFile stores the row of a file whose bytes were brought. It answers Unavailable if the bytes were swept meanwhile.
func KeepFile(tx *store.Tx, organizationID string, f *File) error {
	if f.OrganizationID = organizationID; f.CreatedAt.IsZero() {
		f.CreatedAt = tx.Now
	}
	if err := store.Changed(tx.Where("key = ?", f.Key).Delete(&fileLeftover{}), errLate); err != nil {
		return err
	}
	return tx.Create(f).Error
}

// FileOf returns a file of an organization by its id and purpose. It answers NotFound for any other.
func FileOf(db *gorm.DB, organizationID string, purpose FilePurpose, id string) (*File, error) {
	return store.OneByID[File](db.Where("organization_id = ? AND purpose = ?", organizationID, purpose), id,
		store.Missing("There is no such file."))
}

// DropFile deletes the row of a file, by its key, once nothing refers to it any more; its bytes are swept later.
func DropFile(tx *store.Tx, organizationID, key string) error {
	return dropFile(tx, organizationID, key, tx.Now)
}

// DropReplaced is DropFile for a photo or an answer of a call that another one replaces: its bytes go within the hour.
func DropReplaced(tx *store.Tx, organizationID, key string) error {
	return dropFile(tx, organizationID, key, store.At(tx.Now.Add(replacedAge-LeftoverAge)))
}

// LetGo marks bytes that were brought, and that no row will refer to, for the next sweep.
func LetGo(tx *store.Tx, key string) error {
	return tx.Model(&fileLeftover{}).Where("key = ?", key).
		UpdateColumn("since", store.At(tx.Now.Add(-LeftoverAge-time.Second))).Error
}

func dropFile(tx *store.Tx, organizationID, key string, since store.Time) error {
	done := tx.Where("organization_id = ? AND key = ?", organizationID, key).Delete(&File{})
	if done.Error != nil || done.RowsAffected == 0 {
		return done.Error
	}
	return tx.Create(&fileLeftover{key, since}).Error
}

// FileName returns a file's name without folders, cut to a length that can be shown; "unnamed" if nothing is left.
func FileName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	letters := []rune(strings.ToValidUTF8(name, "�"))
	name, err := store.CleanName("name", string(letters[:min(len(letters), store.MaxName)]), store.MaxName)
	if err != nil {
		return "unnamed"
	}
	return name
}

// EndingOf returns the ending of a file's name in lower case, with its dot; "" unless it is a few letters or digits.
func EndingOf(name string) string {
	ending := strings.ToLower(path.Ext(name))
	if len(ending) > 6 || strings.Trim(ending, ".abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return ending
}

// OpenFile opens a file's bytes for reading.
func (s *Store) OpenFile(ctx context.Context, f *File) (io.ReadCloser, error) {
	return s.Options.Files.Open(ctx, f.Key)
}

// SweepFiles deletes the bytes that have had no row for a day, and the files that nothing has used for 30 days, up to
// limit of each. It reports whether there may be more.
func (s *Store) SweepFiles(ctx context.Context, limit int) (more bool, err error) {
	limit = min(limit, filesSweptAtOnce)
	dropped, err := store.Make(ctx, s.Write, func(tx *store.Tx) (int, error) { return dropUnused(tx, limit) })
	if err != nil {
		return false, err
	}
	var keys []string
	err = s.Read(ctx).Model(&fileLeftover{}).Where("since < ?", store.At(s.Now().Add(-LeftoverAge))).
		Where("NOT EXISTS (SELECT 1 FROM files WHERE files.key = file_leftovers.key)").
		Order("since, key").Limit(limit).Pluck("key", &keys).Error
	for i := 0; err == nil && i < len(keys); i++ {
		if err = s.Options.Files.Delete(ctx, keys[i]); err == nil {
			err = s.Write(ctx, func(tx *store.Tx) error { return tx.Where("key = ?", keys[i]).Delete(&fileLeftover{}).Error })
		}
	}
	return dropped == limit || len(keys) == limit, err
}

// dropUnused updates which files are unused, and deletes up to limit of those that were unused for unusedAge.
func dropUnused(tx *store.Tx, limit int) (int, error) {
	for _, use := range fileUses {
		err := tx.Model(&File{}).Where("purpose = ? AND unused_since IS NULL AND NOT EXISTS ("+use.user+")", use.purpose).
			UpdateColumn("unused_since", tx.Now).Error
		if err == nil {
			err = tx.Model(&File{}).Where("purpose = ? AND unused_since IS NOT NULL AND EXISTS ("+use.user+")", use.purpose).
				UpdateColumn("unused_since", nil).Error
		}
		if err != nil {
			return 0, err
		}
	}
	var old []*File
	if err := tx.Lock().Where("unused_since < ?", store.At(tx.Now.Add(-unusedAge))).Order("unused_since, id").
		Limit(limit).Find(&old).Error; err != nil {
		return 0, err
	}
	for _, f := range old {
		if err := DropFile(tx, f.OrganizationID, f.Key); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}
