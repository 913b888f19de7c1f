package models

import (
	"encoding/json"
	"maps"
	"slices"

	"lectern/models/store"
)

// BatchFacts are the fields that an item changed, by the names of the API, as they
// were or as they are.
type BatchFacts map[string]any

// compared returns which of these fields differ between two states of a session.
func compared(before, after *Session, fields []string) (was, is BatchFacts) {
	if before == nil || after == nil {
		return BatchFacts{}, BatchFacts{}
	}
	was, is = store.Changes(before.facts(), after.facts())
	other := func(field string, _ any) bool { return !slices.Contains(fields, field) }
	maps.DeleteFunc(was, other)
	maps.DeleteFunc(is, other)
	return was, is
}

// hold tells whether a session still has all these facts.
func (f BatchFacts) hold(s *Session) bool {
	now := s.facts()
	for field, value := range f {
		if factText(value) != factText(now[field]) {
			return false
		}
	}
	return true
}

// factText is the same for facts that are the same: the order of tags is the
// event's and may have changed.
func factText(value any) string {
	text, _ := json.Marshal(value) // it came from JSON, or goes there
	var ids []string
	if json.Unmarshal(text, &ids) == nil && ids != nil {
		slices.Sort(ids)
		text, _ = json.Marshal(ids)
	}
	return string(text)
}

// change sets the facts on a session.
func (f BatchFacts) change() (c SessionChange, err error) {
	text, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(text, &c.SessionInput)
	}
	return c, err
}
