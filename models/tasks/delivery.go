package tasks

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Delivery is a deliverable as programs read it.
type Delivery struct {
	TaskID   string            `json:"task_id"`
	Task     string            `json:"task" doc:"The task's title"`
	Session  *DeliverySession  `json:"session" doc:"Of a task of the session, else null"`
	Contact  *DeliveryContact  `json:"contact" doc:"Of a task of each speaker, else null"`
	State    State             `json:"state" enum:"open,done,changes,approved,waived" doc:"done: handed in, to be checked; changes: staff asked for changes"`
	DueAt    *store.Time       `json:"due_at" doc:"With an extension, if there is one"`
	IsLate   bool              `json:"is_late"`
	StateAt  *store.Time       `json:"state_at" doc:"Since when; null while nothing was done"`
	Versions []DeliveryVersion `json:"versions" nullable:"false" doc:"The latest first, which counts"`
}

// DeliverySession is the session of a deliverable.
type DeliverySession struct {
	ID         string `json:"id"`
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
}

// DeliveryContact is the person of a deliverable.
type DeliveryContact struct {
	ID       string `json:"id"`
	FullName string `json:"full_name"`
}

// DeliveryVersion is a file or a link that was handed in.
type DeliveryVersion struct {
	Number    int           `json:"number"`
	CreatedAt store.Time    `json:"created_at"`
	URL       string        `json:"url" doc:"Of a link, else empty"`
	File      *DeliveryFile `json:"file" doc:"Of a file, else null"`
	chosen    bool
}

// DeliveryFile is a file that was handed in.
type DeliveryFile struct {
	Name      string     `json:"name"`
	Size      int64      `json:"size" doc:"Bytes"`
	SHA256    string     `json:"sha256"`
	URL       string     `json:"url" doc:"Where it is fetched without a key until expires_at"`
	ExpiresAt store.Time `json:"expires_at"`
}

// DeliverySearch narrows deliveries. Empty fields narrow nothing.
type DeliverySearch struct {
	TaskID, SessionID, ContactID string
	State                        State
	IsLate                       bool
}

// addressAge is how long a file's address in a Delivery is valid.
const addressAge = 10 * time.Minute

// Deliveries returns a page of the event's deliverables, in the order of the board. The addresses of files begin with
// baseURL. It answers Invalid for a page out of bounds.
func (t *Tasks) Deliveries(ctx context.Context, q DeliverySearch, page store.Page, baseURL string) ([]*Delivery,
	store.Pagination, error) {
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	b, err := t.whole(ctx, Wanted{dated: true})
	if err != nil {
		return nil, store.Pagination{}, err
	}
	found := b.Only(Wanted{TaskID: q.TaskID, SessionID: q.SessionID, ContactID: q.ContactID})
	found = slices.DeleteFunc(found, func(d *Deliverable) bool {
		return q.State != "" && d.State != q.State || q.IsLate && !d.IsLate(b.Now)
	})
	total := len(found)
	found = found[min(page.Offset(), total):min(page.Offset()+page.Size, total)]
	all := store.Map(found, b.delivery)
	return all, page.Of(int64(total)), t.fillVersions(ctx, found, all, baseURL)
}

func (b *Board) delivery(d *Deliverable) *Delivery {
	out := &Delivery{TaskID: d.TaskID, Task: d.Task.Title, State: d.State, DueAt: d.Due(), IsLate: d.IsLate(b.Now),
		Versions: []DeliveryVersion{}}
	if d.SessionID != nil {
		s := b.Sessions[*d.SessionID]
		out.Session = &DeliverySession{s.ID, s.FriendlyID, s.Title}
	} else {
		out.Contact = &DeliveryContact{*d.ContactID, b.Owner(d)}
	}
	if d.State != Open {
		out.StateAt = &d.StateAt
	}
	return out
}

// fillVersions adds to deliveries what was handed in.
func (t *Tasks) fillVersions(ctx context.Context, of []*Deliverable, all []*Delivery, baseURL string) error {
	tasks, owners := []string{}, []string{}
	for _, d := range of {
		tasks, owners = append(tasks, d.TaskID), append(owners, d.OwnerID())
	}
	var rows []struct {
		Version      `gorm:"embedded"`
		Name, SHA256 string
		Size         int64
	}
	err := t.p.Read(ctx).Table("deliverable_versions v").Joins("LEFT JOIN files f ON f.id = v.file_id").
		Select("v.*, coalesce(f.name, '') AS name, coalesce(f.sha256, '') AS sha256, coalesce(f.size, 0) AS size").
		Where("v.event_id = ? AND v.task_id IN ? AND (v.session_id IN ? OR v.contact_id IN ?)", t.p.Event().ID, tasks, owners, owners).
		Order("v.created_at, v.id").Scan(&rows).Error
	until := store.At(t.p.Now().Add(addressAge))
	for _, row := range rows {
		owner := Deliverable{SessionID: row.SessionID, ContactID: row.ContactID}
		i := slices.IndexFunc(of, func(d *Deliverable) bool { return d.TaskID == row.TaskID && d.OwnerID() == owner.OwnerID() })
		if i < 0 {
			continue
		}
		v := DeliveryVersion{Number: len(all[i].Versions) + 1, CreatedAt: row.CreatedAt, URL: row.URL, chosen: row.IsChosen}
		if row.FileID != nil {
			address, err := address(t.p.Store(), *row.FileID, until)
			if err != nil {
				return err
			}
			v.File = &DeliveryFile{Name: row.Name, Size: row.Size, SHA256: row.SHA256, URL: baseURL + address, ExpiresAt: until}
		}
		at := 0
		if len(all[i].Versions) > 0 && all[i].Versions[0].chosen {
			at = 1
		}
		all[i].Versions = slices.Insert(all[i].Versions, at, v)
	}
	return err
}

// Downloads is the path under which files have temporary addresses.
const Downloads = "/downloads/"

// downloadSeal is the owner for which the tokens are sealed, so that no other sealed value passes as one.
const downloadSeal = "download of a deliverable"

// address returns where a file can be fetched until a moment, by anybody who knows the address.
func address(s *models.Store, fileID string, until store.Time) (string, error) {
	sealed, err := s.Seal(fmt.Sprint(fileID, " ", until.UnixMilli()), downloadSeal)
	if err != nil {
		return "", err
	}
	raw, err := base64.StdEncoding.DecodeString(sealed)
	return Downloads + base64.RawURLEncoding.EncodeToString(raw), err
}

// FileAt returns the file that an address names. It answers NotFound for a forged or expired one.
func FileAt(ctx context.Context, s *models.Store, token string) (*models.File, error) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return nil, errNoFile
	}
	text, err := s.Unseal(base64.StdEncoding.EncodeToString(raw), downloadSeal)
	if err != nil {
		return nil, errNoFile
	}
	id, end, _ := strings.Cut(text, " ")
	until, err := strconv.ParseInt(end, 10, 64)
	if err != nil || s.Now().UnixMilli() > until {
		return nil, errNoFile
	}
	return store.One[models.File](s.Read(ctx).Where("id = ? AND purpose = ?", id, models.DeliverableFile), errNoFile)
}
