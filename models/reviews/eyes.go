package reviews

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/staff"
	"lectern/models/store"
)

// Eyes is a kind of reader of the answers to the call.
type Eyes int

const (
	OrganizersEyes Eyes = iota // see all answers
	OpenEyes                   // reviewers and viewers where names are shown
	BlindEyes                  // reviewers where no names are shown
)

// Sight says which answers a reader sees and what their questions are called. A nil Sight shows all answers under their
// keys.
type Sight struct {
	Blinded bool              // sees no answers
	hidden  []string          // keys, folded
	labels  map[string]string // by folded keys
	places  map[string]int    // positions in the form, from 1, by folded keys
	types   map[string]string // by folded keys
	files   map[string]int    // for BlindEyes: numbers of the form's files, from 1, by folded keys
}

// Sight returns the Sight of a kind of reader at this event. Answers to questions that the call does not ask are
// shown to everybody, except that blind reviewers never see those that reveal a person.
func (r *Rounds) Sight(ctx context.Context, eyes Eyes) (*Sight, error) {
	var questions []struct{ Key, Label, SeenBy, Type string }
	// A question that was removed from the form has no part and sorts last.
	if err := r.p.Read(ctx).Raw(`SELECT q.key, q.label, q.seen_by, q.type FROM call_questions q
		LEFT JOIN call_parts p ON p.event_id = q.event_id AND p.id = q.part_id WHERE q.event_id = ?
		AND q.asked_of = 'proposal' ORDER BY CASE WHEN p.id IS NULL THEN 1 ELSE 0 END, p.position, q.position, q.key`, r.p.Event().ID).
		Scan(&questions).Error; err != nil {
		return nil, err
	}
	sight := &Sight{labels: map[string]string{}, places: map[string]int{}, types: map[string]string{},
		files: map[string]int{}}
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
	err := r.p.Read(ctx).Table("identifying_answers").Where("event_id = ?", r.p.Event().ID).Pluck("key",
		&identifying).Error
	for _, key := range identifying {
		sight.hidden = append(sight.hidden, answerKey(key))
	}
	return sight, err
}

// answerKey normalises a key for comparison.
func answerKey(key string) string { return store.Fold(strings.TrimSpace(key)) }

// Hides reports whether the answer to a question is hidden from this reader.
func (s *Sight) Hides(key string) bool {
	return s != nil && (s.Blinded || slices.Contains(s.hidden, answerKey(key)))
}

// FileName returns the name under which this reader gets a file. Blind reviewers get a neutral one, because people name
// files after themselves.
func (s *Sight) FileName(key, name string) string {
	if s == nil || s.files[answerKey(key)] == 0 {
		return name
	}
	return "file-" + strconv.Itoa(s.files[answerKey(key)]) + strings.ToLower(path.Ext(name))
}

// Label returns the question's label in the call, or its key.
func (s *Sight) Label(key string) string {
	if s == nil {
		return key
	}
	if label := s.labels[answerKey(key)]; label != "" {
		return label
	}
	return key
}

// Says formats an answer for display: dates in words, all else as stored.
func (s *Sight) Says(a models.Answer) string {
	if s != nil && s.types[answerKey(a.Key)] == string(field.Date) {
		return field.DateInWords(a.Value)
	}
	return a.Value
}

// Shown returns the answers that this reader sees, under their labels, in the order of the form; answers to unknown
// questions come last.
func (s *Sight) Shown(answers models.Answers) models.Answers {
	shown := s.Seen(answers)
	for i, a := range shown {
		shown[i].Key = s.Label(a.Key)
	}
	return shown
}

// Seen is Shown with the questions' keys in place of their labels.
func (s *Sight) Seen(answers models.Answers) models.Answers {
	seen := slices.DeleteFunc(slices.Clone(answers), func(a models.Answer) bool { return s.Hides(a.Key) })
	if s != nil {
		place := func(a models.Answer) int { return cmp.Or(s.places[answerKey(a.Key)], len(s.places)+1) }
		slices.SortStableFunc(seen, func(a, b models.Answer) int { return cmp.Compare(place(a), place(b)) })
		for i, a := range seen {
			if n := s.files[answerKey(a.Key)]; n > 0 {
				seen[i].Value = "File " + strconv.Itoa(n)
			}
		}
	}
	return seen
}

// Narrow returns a member of staff with the roles that rounds leave them: at an event where they are only a reviewer,
// and are on a round with assignments or the round of all submissions is not open, their role is RoundReviewer. All
// other reads of events use it, so nobody sees more by another way.
func Narrow(ctx context.Context, s *models.Store, u *staff.User) (*staff.User, error) {
	if !reviewsAnywhere(u) {
		return u, nil
	}
	var events []struct {
		ID       string
		Narrowed bool
	}
	now := s.Now()
	if err := s.Read(ctx).Raw(`SELECT events.id, EXISTS (SELECT 1 FROM round_reviewers
				WHERE round_reviewers.event_id = events.id AND round_reviewers.email_key = ?)
			OR EXISTS (SELECT 1 FROM review_rounds WHERE review_rounds.id = events.id
				AND (opens_at > ? OR closes_at <= ?)) AS narrowed
		FROM events WHERE organization_id = ?`, u.EmailKey, now, now, u.OrganizationID).Scan(&events).Error; err != nil {
		return nil, err
	}
	narrowed, roles := false, maps.Clone(u.Roles)
	if u.Everywhere {
		roles = map[string]staff.Role{}
	}
	for _, e := range events {
		role := u.RoleAt(e.ID)
		if role == staff.Reviewer && e.Narrowed {
			role, narrowed = staff.RoundReviewer, true
		}
		if role != "" {
			roles[e.ID] = role
		}
	}
	if !narrowed {
		return u, nil
	}
	part := *u
	part.Everywhere, part.Roles = false, roles
	return &part, nil
}

func reviewsAnywhere(u *staff.User) bool {
	if u.Everywhere {
		return u.Role == staff.Reviewer
	}
	for _, role := range u.Roles {
		if role == staff.Reviewer {
			return true
		}
	}
	return false
}
