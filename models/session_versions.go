package models

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/outbox"

	"lectern/models/store"
)

// Text is a session's title and description.
type Text struct{ Title, Description string }

// Text returns the session's text.
func (s *Session) Text() Text { return Text{s.Title, s.Description} }

// CleanText normalises a text. It answers Invalid by title and description.
func CleanText(t *Text) error {
	c := SessionChange{Title: &t.Title, SessionInput: SessionInput{Description: &t.Description}}
	err := c.clean(MetadataSet{})
	t.Title, t.Description = *c.Title, *c.Description
	return err
}

// with returns the text with one side of an activity's fields applied.
func (t Text) with(facts map[string]any) Text {
	if title, ok := facts["title"].(string); ok {
		t.Title = title
	}
	if description, ok := facts["description"].(string); ok {
		t.Description = description
	}
	return t
}

// Version is a session's text from some moment on.
type Version struct {
	ID     string // of the activity that recorded it, or FirstVersion
	At     store.Time
	Actor  string // "" for an import
	Door   string
	Text   Text
	Before *Text // the text until then; nil for the first version
}

// textOf filters facts to title and description.
func textOf(facts map[string]any) map[string]any {
	text := map[string]any{}
	for _, field := range []string{"title", "description"} {
		if value, changed := facts[field]; changed {
			text[field] = value
		}
	}
	return text
}

// FirstVersion is the id of a session's first text if an import created it, because imports record nothing per session.
const FirstVersion = "first"

// MaxVersions limits the versions of a session that are read; the latest are.
const MaxVersions = 100

// textLines selects activity that may change a session's text. Quotes within users' text are escaped there, so only
// field names match. SQLite ignores case here too, so reading the lines sorts out wrong matches.
const textLines = `(CAST(after AS text) LIKE '%"title":%' OR CAST(after AS text) LIKE '%"description":%')`

func (p *Programme) linesOf(ctx context.Context, sessionID string) *gorm.DB {
	return p.Read(ctx).Model(&store.Activity{}).
		Where("event_id = ? AND subject_id = ? AND subject = 'session'", p.event.ID, sessionID)
}

// VersionCount returns how many versions a session's text has had: one more than its changes.
func (p *Programme) VersionCount(ctx context.Context, sessionID string) (int, error) {
	var changes int64
	err := p.linesOf(ctx, sessionID).Where("action = 'updated' AND " + textLines).Count(&changes).Error
	return int(changes) + 1, err
}

// Versions returns what the session's title and description were, the latest first, at most MaxVersions. They are
// computed from the activity, which has both sides of each change: the present text is taken back change by change.
func (p *Programme) Versions(ctx context.Context, s *Session) ([]*Version, error) {
	var lines []*store.Activity
	err := p.linesOf(ctx, s.ID).Where("action IN ('created', 'composed') OR " + textLines).
		Order("created_at DESC, id DESC").Limit(MaxVersions).Find(&lines).Error
	if err != nil {
		return nil, err
	}
	var versions []*Version
	text := s.Text()
	for _, line := range lines {
		was, is := store.ReadFacts(line.Before), store.ReadFacts(line.After)
		text = text.with(is) // changes nothing, unless the session was changed after it was read
		version := &Version{ID: line.ID, At: line.CreatedAt, Actor: line.ActorName, Door: line.Door, Text: text}
		switch before := text.with(was); {
		case begins(line, s):
			return append(versions, version), nil
		case before != text:
			version.Before, text = &before, before
			versions = append(versions, version)
		}
	}
	if len(lines) < MaxVersions {
		versions = append(versions, &Version{ID: FirstVersion, At: s.CreatedAt, Door: "import", Text: text})
	}
	return versions, nil
}

// begins reports whether an activity records the creation of the session.
func begins(line *store.Activity, s *Session) bool {
	return line.Action == "created" || line.Action == "composed" && line.CreatedAt.Equal(s.CreatedAt.Time)
}

// Version returns a version of the session by its id. It answers NotFound, also for one that is older than MaxVersions.
func (p *Programme) Version(ctx context.Context, s *Session, id string) (*Version, error) {
	versions, err := p.Versions(ctx, s)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(versions, func(v *Version) bool { return v.ID == id })
	if at < 0 {
		return nil, store.NoSuch("version")
	}
	return versions[at], nil
}

// emission returns the type to emit, "" for none. For a deleted session only the deletion itself is emitted.
func (a action) emission(c change, differs bool) outbox.EmissionType {
	switch {
	case a.noEmission:
		return ""
	case a.emits != "":
		return a.emits
	case !differs || c.after.DeletedAt != nil:
		return ""
	case c.after.IsPublic && !c.before.IsPublic:
		return outbox.SessionPublished
	}
	return outbox.SessionUpdated
}

// recording collects the activity and the emissions of a commit.
type recording struct {
	lines []*store.Activity
	facts []outbox.NewEmission
}

func (t *recording) write(tx *store.Tx) error {
	if err := store.InsertInto(tx, store.Activity{}.TableName(), t.lines); err != nil {
		return err
	}
	return outbox.EmitAll(tx, t.facts)
}

// recordChange adds the activity and the emission of a change to t.
func (p *Programme) recordChange(tx *store.Tx, t *recording, a action, c sessionDifference) error {
	s, was, is := c.after, c.was, c.is
	if a.noRecord {
		return nil
	}
	if a.quiet {
		was, is = textOf(was), textOf(is)
	}
	var lines []store.Change
	if len(is) > 0 {
		lines = append(lines, store.Change{Subject: "session", ID: s.ID, Action: "updated", Before: was, After: is})
	}
	if a.name == creating.name {
		lines = append(lines, store.Change{Subject: "session", ID: s.ID, Action: a.name, After: shown(s.Facts())})
	} else if a.name != "" {
		lines = append(lines, store.Change{Subject: "session", ID: s.ID, Action: a.name, After: a.details})
	}
	for _, line := range lines {
		row, err := p.activityLine(line, tx.Now)
		if err != nil {
			return err
		}
		t.lines = append(t.lines, row)
	}
	if a.quiet {
		return nil
	}
	if kind := a.emission(c.change, len(shown(is)) > 0); kind != "" {
		t.facts = append(t.facts, p.fact(kind, s.ID, s))
	}
	if c.before != nil && s.IsAbstract && s.Status != c.before.Status && s.Status.IsDecision() {
		t.facts = append(t.facts, p.fact(outbox.DecisionCommitted, s.ID, decision{s, c.before.Status}))
	}
	return nil
}
