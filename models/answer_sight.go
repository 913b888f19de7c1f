package models

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"lectern/models/field"
	"lectern/models/store"
)

// Eyes are who reads answers to the call.
type Eyes int

const (
	OrganizersEyes Eyes = iota // see all
	OpenEyes                   // of who reviews, or looks on, where names are shown
	BlindEyes                  // of who reviews where no names are shown
)

// Sight is which answers somebody sees, and what their questions are called. nil sees all, under their keys.
type Sight struct {
	Blinded bool              // sees none
	hidden  []string          // keys, folded
	labels  map[string]string // by folded keys
	places  map[string]int    // in the form, from 1, by folded keys
	types   map[string]string // by folded keys
	files   map[string]int    // of blind eyes: which of the form's files it is, from 1, by folded keys
}

// Sight is that of a reader of this event. Answers to what the call does not ask are hidden from nobody, but those that
// tell who somebody is where no names are shown.
func (p *Programme) Sight(ctx context.Context, eyes Eyes) (*Sight, error) {
	var questions []struct{ Key, Label, SeenBy, Type string }
	// What was taken out of the form has no part, and stands behind the rest.
	if err := p.read(ctx).Raw(`SELECT q.key, q.label, q.seen_by, q.type FROM call_questions q
		LEFT JOIN call_parts p ON p.event_id = q.event_id AND p.id = q.part_id WHERE q.event_id = ?
		AND q.asked_of = 'proposal' ORDER BY CASE WHEN p.id IS NULL THEN 1 ELSE 0 END, p.position, q.position, q.key`, p.event.ID).
		Scan(&questions).Error; err != nil {
		return nil, err
	}
	sight := &Sight{labels: map[string]string{}, places: map[string]int{}, types: map[string]string{}, files: map[string]int{}}
	for i, q := range questions {
		key := answerKey(q.Key)
		sight.labels[key], sight.places[key], sight.types[key] = q.Label, i+1, q.Type
		if eyes == BlindEyes && q.Type == string(field.File) {
			sight.files[key] = len(sight.files) + 1
		}
		if eyes != OrganizersEyes && q.SeenBy == "staff" || eyes == BlindEyes && q.SeenBy == "open_rounds" {
			sight.hidden = append(sight.hidden, key)
		}
	}
	if eyes != BlindEyes {
		return sight, nil
	}
	var identifying []string
	err := p.read(ctx).Table("identifying_answers").Where("event_id = ?", p.event.ID).Pluck("key", &identifying).Error
	for _, key := range identifying {
		sight.hidden = append(sight.hidden, answerKey(key))
	}
	return sight, err
}

// answerKey is a key as it is told apart from others.
func answerKey(key string) string { return store.Fold(strings.TrimSpace(key)) }

// Hides tells of a question whose answer is not for these eyes.
func (s *Sight) Hides(key string) bool {
	return s != nil && (s.Blinded || slices.Contains(s.hidden, answerKey(key)))
}

// FileName is what a file that answers a question is called for these eyes: where no names are shown, neither is that of
// the file, which people call after themselves.
func (s *Sight) FileName(key, name string) string {
	if s == nil || s.files[answerKey(key)] == 0 {
		return name
	}
	return "file-" + strconv.Itoa(s.files[answerKey(key)]) + strings.ToLower(path.Ext(name))
}

// Label is what a question is called: as the call asks it, else its key.
func (s *Sight) Label(key string) string {
	if s == nil {
		return key
	}
	if label := s.labels[answerKey(key)]; label != "" {
		return label
	}
	return key
}

// Says is an answer as people write it: a date in words, all else as it is kept.
func (s *Sight) Says(a Answer) string {
	if s != nil && s.types[answerKey(a.Key)] == string(field.Date) {
		return field.DateInWords(a.Value)
	}
	return a.Value
}

// Shown are the answers that these eyes see, each under what its question is called: in the order of the form, and
// behind that those that it does not know.
func (s *Sight) Shown(answers Answers) Answers {
	shown := s.Seen(answers)
	for i, a := range shown {
		shown[i].Key = s.Label(a.Key)
	}
	return shown
}

// Seen is Shown under the keys of the questions.
func (s *Sight) Seen(answers Answers) Answers {
	seen := slices.DeleteFunc(slices.Clone(answers), func(a Answer) bool { return s.Hides(a.Key) })
	if s != nil {
		place := func(a Answer) int { return cmp.Or(s.places[answerKey(a.Key)], len(s.places)+1) }
		slices.SortStableFunc(seen, func(a, b Answer) int { return cmp.Compare(place(a), place(b)) })
		for i, a := range seen {
			if n := s.files[answerKey(a.Key)]; n > 0 {
				seen[i].Value = "File " + strconv.Itoa(n)
			}
		}
	}
	return seen
}
