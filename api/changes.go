package api

import (
	"context"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"lectern/models"
	"lectern/models/changes"
	"lectern/web/request"
)

type listChangesInput struct {
	InEvent
	Since string         `query:"since" maxLength:"100" doc:"The last cursor, or now; all is told without"`
	Kinds []changes.Kind `query:"kinds" doc:"Of these kinds alone; of all that the key may read without"`
	Limit int            `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"Changes in one answer"`
	Wait  int            `query:"wait" minimum:"0" maximum:"30" doc:"Seconds to wait for a change while there is none"`
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
	IsDeleted bool                  `json:"deleted" doc:"true = it is no more; a session has its row even so"`
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
var readBy = map[changes.Kind]models.Scope{
	changes.Event: models.ReadEvents, changes.Track: models.ReadMetadata, changes.Room: models.ReadMetadata,
	changes.Tag: models.ReadMetadata, changes.Format: models.ReadMetadata, changes.Level: models.ReadMetadata,
	changes.Break: models.ReadSessions, changes.Speaker: models.ReadContacts, changes.Session: models.ReadSessions,
}

// changesLook is how often a request that waits looks for changes.
const changesLook = 500 * time.Millisecond

// listChanges answers with what there is, or waits for it as long as the client asked. Each look has the time of a
// request.
func (a *API) listChanges(ctx context.Context, who *caller, in *listChangesInput) (*Changes, error) {
	kinds, err := who.kindsOf(ctx, in.Kinds)
	if err != nil {
		return nil, err
	}
	var since changes.Cursor
	if in.Since == "now" {
		since, err = changes.Of(who.Programme).Now(ctx)
	} else {
		since, err = changes.ParseCursor(in.Since)
	}
	if err != nil {
		return nil, err
	}
	over := time.NewTimer(time.Duration(in.Wait) * time.Second)
	defer over.Stop()
	look := time.NewTicker(changesLook)
	defer look.Stop()
	for {
		page, err := a.changes(ctx, who, since, kinds, in.Limit)
		if err != nil || len(page.Changes) > 0 {
			return changesOf(page, kinds), err
		}
		since = page.Cursor
		select {
		case <-look.C:
			continue
		case <-over.C:
		case <-request.Ending(ctx):
		}
		return changesOf(page, kinds), nil
	}
}

func (a *API) changes(ctx context.Context, who *caller, since changes.Cursor, kinds []changes.Kind,
	limit int) (*changes.Page, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.options.Timeout)
	defer cancel()
	return changes.Of(who.Programme).Since(ctx, since, kinds, limit)
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
		return nil, c.lacks(ctx, models.ReadSessions)
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
		*to = Change{Kind: c.Kind, ID: c.ID, IsDeleted: c.IsDeleted, Event: c.Event, Speaker: c.Speaker, Session: c.Session}
		if c.Break != nil {
			to.Break = new(breakRow(c.Break))
		}
		if c.Metadata != nil {
			to.show(c.Metadata)
		}
	}
	return out
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
