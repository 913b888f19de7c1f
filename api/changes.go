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
	Since string         `query:"since" maxLength:"200" doc:"The last cursor, or now; without it all is told"`
	Kinds []changes.Kind `query:"kinds" doc:"Of these kinds alone; without it, of all that the key may read"`
	Limit int            `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"Changes in one answer"`
	Wait  int            `query:"wait" minimum:"0" maximum:"30" doc:"Seconds to wait for a change while there is none. 16 requests of a key may wait at once; one more is answered 429"`
}

// Changes are the next changes, and the cursor to continue from.
type Changes struct {
	Results []Change       `json:"results" nullable:"false"`
	Cursor  string         `json:"cursor" doc:"Send it as since with the next request"`
	More    bool           `json:"more" doc:"true = more changes are there already"`
	Kinds   []changes.Kind `json:"kinds" nullable:"false" doc:"The kinds that are told; where they are others than before, begin anew without since"`
}

// Change is a row that has changed since a cursor, as it is now.
type Change struct {
	Kind      changes.Kind          `json:"kind" doc:"Which of the fields below has the row"`
	ID        string                `json:"id"`
	Subject   string                `json:"subject" enum:"event,track,room,tag,format,level,break,contact,session" doc:"The kind in the words of webhooks: a speaker is a contact"`
	Action    string                `json:"action" enum:"changed,deleted" doc:"What the field deleted says, in a word"`
	IsDeleted bool                  `json:"deleted" doc:"true = the row is gone; that of a session is told even so. A speaker is gone when on no live session any more"`
	ChangedAt *store.Time           `json:"changed_at" doc:"When that was committed, by the database's clock; null for what changed before Lectern kept it"`
	Data      any                   `json:"data" doc:"The row as its own address answers it, as the field that kind names has it too; null where it is deleted"`
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

// kindSchema is the schema of changes.Kind.
type kindSchema struct{}

func (kindSchema) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, kind := range changes.Kinds {
		s.Enum = append(s.Enum, string(kind))
	}
	return s
}

// readBy maps each kind of change to the scope that reads it.
var readBy = map[changes.Kind]apikey.Scope{
	changes.Event: apikey.ReadEvents, changes.Track: apikey.ReadMetadata, changes.Room: apikey.ReadMetadata,
	changes.Tag: apikey.ReadMetadata, changes.Format: apikey.ReadMetadata, changes.Level: apikey.ReadMetadata,
	changes.Break: apikey.ReadSessions, changes.Speaker: apikey.ReadContacts, changes.Session: apikey.ReadSessions,
}

const (
	// maxWait is how long a request may wait for changes, in seconds.
	maxWait = 30
	// changesLook is how often a waiting request looks for changes.
	changesLook = 500 * time.Millisecond
	// maxWaiting is how many requests of one key may wait at once. Further ones are refused: a client that got an empty
	// answer would ask again at once.
	maxWaiting = 16
)

// waiting counts the waiting requests of each key.
type waiting struct {
	mu sync.Mutex
	of map[string]int
}

// begin reports whether another request of a key may wait, and counts it.
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

// listChanges returns the changes there are, or waits for some as long as the client asked.
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

// await looks for changes after a page until there are some, or until the time that the client asked for is over.
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

// kindsOf returns the requested kinds, or all that the key may read if none are requested. It answers Forbidden.
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

// row returns the row in the field of its kind.
func (c *Change) row() any {
	return map[changes.Kind]any{
		changes.Event: c.Event, changes.Track: c.Track, changes.Room: c.Room, changes.Tag: c.Tag, changes.Format: c.Format,
		changes.Level: c.Level, changes.Break: c.Break, changes.Speaker: c.Speaker, changes.Session: c.Session,
	}[c.Kind]
}

// subjectOf returns the name of a kind in webhooks.
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
