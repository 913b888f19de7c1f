package models

import (
	"lectern/models/outbox"
	"lectern/models/store"
)

// emission is the type to emit, "" for none. For a deleted session only the deletion itself is emitted.
func (a action) emission(c change, differs bool) outbox.EmissionType {
	switch {
	case a.mute:
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

// telling gathers what is told of the rows of a commit.
type telling struct {
	lines []*store.Activity
	facts []outbox.Told
}

func (t *telling) write(tx *store.Tx) error {
	if err := store.InsertInto(tx, store.Activity{}.TableName(), t.lines); err != nil {
		return err
	}
	return outbox.EmitAll(tx, t.facts)
}

// tell gathers what is recorded and emitted of a change.
func (p *Programme) tell(tx *store.Tx, t *telling, a action, c change, was, is map[string]any) error {
	s := c.after
	if a.untold {
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
	if kind := a.emission(c, len(shown(is)) > 0); kind != "" {
		t.facts = append(t.facts, p.fact(kind, s.ID, s))
	}
	if c.before != nil && s.IsAbstract && s.Status != c.before.Status && s.Status.IsDecision() {
		t.facts = append(t.facts, p.fact(outbox.DecisionCommitted, s.ID, decision{s, c.before.Status}))
	}
	return nil
}
