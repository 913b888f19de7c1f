package models

import (
	"context"
	"slices"
	"strings"

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
}

// Sight is that of a reader of this event. Answers to what the call does not ask are hidden from nobody, but those that
// tell who somebody is where no names are shown.
func (p *Programme) Sight(ctx context.Context, eyes Eyes) (*Sight, error) {
	var questions []struct{ Key, Label, SeenBy string }
	if err := p.read(ctx).Table("call_questions").Where("event_id = ?", p.event.ID).Order("key").
		Scan(&questions).Error; err != nil {
		return nil, err
	}
	sight := &Sight{labels: map[string]string{}}
	for _, q := range questions {
		key := answerKey(q.Key)
		sight.labels[key] = q.Label
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

// Shown are the answers that these eyes see, each under what its question is called.
func (s *Sight) Shown(answers Answers) Answers {
	shown := Answers{}
	for _, a := range answers {
		if !s.Hides(a.Key) {
			shown = append(shown, Answer{Key: s.Label(a.Key), Value: a.Value})
		}
	}
	return shown
}
