package api

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/changes"
	"lectern/models/store"
	"lectern/web/request"
)

type listChangesInput struct {
	InEvent
	Since string         `query:"since" maxLength:"200" doc:"The last cursor, or now; all is told without"`
	Kinds []changes.Kind `query:"kinds" doc:"Of these kinds alone; of all that the key may read without"`
	Limit int            `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"Changes in one answer"`
	Wait  int            `query:"wait" minimum:"0" maximum:"30" doc:"Seconds to wait for a change while there is none. 16 requests of a key may wait at once; one more is answered 429"`
}

// Changes are the next changes, and where to go on.
type Changes struct {
	Results []Change       `json:"results" nullable:"false"`
	Cursor  string         `json:"cursor" doc:"Send it as since with the next request"`
	More    bool           `json:"more" doc:"true = there are more already"`
	Kinds   []changes.Kind `json:"kinds" nullable:"false" doc:"What is told; begin anew where that changes"`
}

// Change is a row that is another one since, as it is now.
type Change struct {
	Kind      changes.Kind          `json:"kind" doc:"Which of the fields below has the row"`
	ID        string                `json:"id"`
	Subject   string                `json:"subject" enum:"event,track,room,tag,format,level,break,contact,session" doc:"The kind in the words of webhooks: a speaker is a contact"`
	Action    string                `json:"action" enum:"changed,deleted" doc:"The same as deleted in a word"`
	IsDeleted bool                  `json:"deleted" doc:"true = it is no more; a session has its row even so"`
	ChangedAt *store.Time           `json:"changed_at" doc:"When that was committed, by the database's clock; null of what changed before Lectern kept it"`
	Data      any                   `json:"data" doc:"The row as its own address answers it, the same as under its kind; null where deleted"`
	Event     *models.Event         `json:"event,omitempty"`
	Track     *TrackRow             `json:"track,omitempty"`
	Room      *RoomRow              `json:"room,omitempty"`
	Tag       *TagRow               `json:"tag,omitempty"`
	Format    *FormatRow            `json:"format,omitempty"`
	Level     *LevelRow             `json:"level,omitempty"`
	Break     *BreakRow             `json:"break,omitempty"`
	Speaker   *models.SpeakerRecord `json:"speaker,omitempty"`
	Session   *models.Session       `json:"session,omitempty"`
}

// kindSchema is how changes.Kind reads.
type kindSchema struct{}

func (kindSchema) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, kind := range changes.Kinds {
		s.Enum = append(s.Enum, string(kind))
	}
	return s
}

// readBy are the scopes that read the kinds of changes.
var readBy = map[changes.Kind]apikey.Scope{
	changes.Event: apikey.ReadEvents, changes.Track: apikey.ReadMetadata, changes.Room: apikey.ReadMetadata,
	changes.Tag: apikey.ReadMetadata, changes.Format: apikey.ReadMetadata, changes.Level: apikey.ReadMetadata,
	changes.Break: apikey.ReadSessions, changes.Speaker: apikey.ReadContacts, changes.Session: apikey.ReadSessions,
}

const (
	// maxWait is how many seconds a request waits at most.
	maxWait = 30
	// changesLook is how often a request that waits looks for changes.
	changesLook = 500 * time.Millisecond
	// maxWaiting is how many requests of one key wait at once. One more is refused: a client that was answered with
	// nothing would ask again at once.
	maxWaiting = 16
)

// waiting counts the requests that wait, by their keys.
type waiting struct {
	mu sync.Mutex
	of map[string]int
}

// begin tells whether one more of a key may wait.
func (w *waiting) begin(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of[key] >= maxWaiting {
		return false
	}
	w.of[key]++
	return true
}

func (w *waiting) end(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of[key]--; w.of[key] == 0 {
		delete(w.of, key)
	}
}

// listChanges answers with what there is, or waits for it as long as the client asked.
func (a *API) listChanges(ctx context.Context, who *caller, in *listChangesInput) (*Changes, error) {
	kinds, err := who.kindsOf(ctx, in.Kinds)
	if err != nil {
		return nil, err
	}
	feed := changes.Of(who.Programme)
	var since changes.Cursor
	if in.Since == "now" {
		since, err = feed.Now(ctx)
	} else {
		since, err = changes.ParseCursor(in.Since)
	}
	if err != nil {
		return nil, err
	}
	page, err := feed.Since(ctx, since, kinds, in.Limit)
	if err == nil && len(page.Changes) == 0 && in.Wait > 0 {
		if !a.waiting.begin(who.key.ID) {
			return nil, tooSoon(request.ID(ctx), fmt.Sprint(maxWaiting, " requests of this key wait for changes already."),
				request.RetryAfter)
		}
		defer a.waiting.end(who.key.ID)
		page, err = await(ctx, feed, page, kinds, in)
	}
	return changesOf(page, kinds), err
}

// await looks for changes behind a page until there are some, or the time that the client asked for is over.
func await(ctx context.Context, feed *changes.Feed, page *changes.Page, kinds []changes.Kind,
	in *listChangesInput) (_ *changes.Page, err error) {
	over := time.NewTimer(time.Duration(in.Wait) * time.Second)
	defer over.Stop()
	look := time.NewTicker(changesLook)
	defer look.Stop()
	for err == nil && len(page.Changes) == 0 {
		select {
		case <-over.C:
			return page, nil
		case <-request.Ending(ctx):
			return page, nil
		case <-look.C:
			page, err = feed.Since(ctx, page.Cursor, kinds, in.Limit)
		}
	}
	return page, err
}

// kindsOf are those that were asked for, all that the key may read where there are none. It answers Forbidden.
func (c *caller) kindsOf(ctx context.Context, asked []changes.Kind) (kinds []changes.Kind, err error) {
	for _, kind := range changes.Kinds {
		switch scope := readBy[kind]; {
		case c.key.Has(scope) && (len(asked) == 0 || slices.Contains(asked, kind)):
			kinds = append(kinds, kind)
		case slices.Contains(asked, kind):
			return nil, c.lacks(ctx, scope)
		}
	}
	if len(kinds) == 0 {
		return nil, c.lacks(ctx, apikey.ReadSessions)
	}
	return kinds, nil
}

func changesOf(page *changes.Page, kinds []changes.Kind) *Changes {
	if page == nil {
		return nil
	}
	out := &Changes{Cursor: page.Cursor.String(), More: page.IsMore, Kinds: kinds,
		Results: make([]Change, len(page.Changes))}
	for i, c := range page.Changes {
		to := &out.Results[i]
		*to = Change{Kind: c.Kind, ID: c.ID, Subject: subjectOf(c.Kind), Action: "changed", IsDeleted: c.IsDeleted,
			ChangedAt: c.At, Event: c.Event, Speaker: c.Speaker, Session: c.Session}
		if c.Break != nil {
			to.Break = new(breakRow(c.Break))
		}
		if c.Metadata != nil {
			to.show(c.Metadata)
		}
		if c.IsDeleted {
			to.Action = "deleted"
		} else {
			to.Data = to.row()
		}
	}
	return out
}

// row is what stands under the kind.
func (c *Change) row() any {
	return map[changes.Kind]any{
		changes.Event: c.Event, changes.Track: c.Track, changes.Room: c.Room, changes.Tag: c.Tag, changes.Format: c.Format,
		changes.Level: c.Level, changes.Break: c.Break, changes.Speaker: c.Speaker, changes.Session: c.Session,
	}[c.Kind]
}

// subjectOf is what webhooks call a kind.
func subjectOf(kind changes.Kind) string {
	if kind == changes.Speaker {
		return "contact"
	}
	return string(kind)
}

func (c *Change) show(m *models.Metadata) {
	switch m.Family {
	case models.Tracks:
		c.Track = new(trackRow(m))
	case models.Rooms:
		c.Room = new(roomRow(m))
	case models.Tags:
		c.Tag = new(tagRow(m))
	case models.Formats:
		c.Format = new(formatRow(m))
	case models.Levels:
		c.Level = new(levelRow(m))
	}
}
