package models

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	gojson "github.com/goccy/go-json"

	"lectern/models/store"
)

// Status is the progress of a session. Abstracts and programme sessions share one vocabulary, and any value may follow
// any other.
type Status string

const (
	Draft        Status = "draft"
	Pending      Status = "pending"
	AcceptQueue  Status = "accept_queue"
	Accepted     Status = "accepted"
	DeclineQueue Status = "decline_queue"
	Declined     Status = "declined"
	Withdrawn    Status = "withdrawn"
)

// Statuses lists all values in the order in which a submission usually passes them.
var Statuses = []Status{Draft, Pending, AcceptQueue, Accepted, DeclineQueue, Declined, Withdrawn}

// IsDecision reports whether the status is a decision that a letter announces.
func (s Status) IsDecision() bool { return s == Accepted || s == Declined }

// Session is an abstract (a submission of the call for papers) or a programme
// session, told apart by IsAbstract. The JSON is the contract's.
type Session struct {
	ID                string            `json:"id"`
	EventID           string            `json:"event_id"`
	Number            int               `json:"-"`
	FriendlyID        string            `json:"friendly_id" doc:"Short label: A-1 for abstracts, S-1 for programme sessions" example:"A-12"`
	Title             string            `json:"title"`
	TitleKey          string            `json:"-"`
	Description       string            `json:"description" doc:"Sanitised HTML, empty when none"`
	Status            Status            `json:"status" enum:"draft,pending,accept_queue,accepted,decline_queue,declined,withdrawn"`
	IsAbstract        bool              `json:"is_abstract" doc:"true = submission of the call for papers; never changes"`
	StartsAt          *store.Time       `json:"starts_at" doc:"null = unscheduled"`
	EndsAt            *store.Time       `json:"ends_at"`
	Capacity          *int              `json:"capacity"`
	IsPlenary         bool              `json:"is_plenary" doc:"true = nothing stands beside it; of programme sessions"`
	IsPublic          bool              `json:"is_public"`
	PublishedAt       *store.Time       `json:"-"` // UpdatedAt when it last became public; nil if it never did, or nobody knows
	ContentState      ContentState      `json:"-"` // always draft for abstracts, and where the event asks for no approval
	CompositionStatus CompositionStatus `json:"composition_status" gorm:"-"`
	TrackID           *string           `json:"-"`
	RoomID            *string           `json:"-"`
	FormatID          *string           `json:"-"`
	LevelID           *string           `json:"-"`
	Track             *Track            `json:"track" gorm:"-"`
	Room              *Room             `json:"room" gorm:"-"`
	Format            *Format           `json:"format" gorm:"-"`
	Level             *Level            `json:"level" gorm:"-"`
	Tags              []*Tag            `json:"tags" gorm:"-" nullable:"false"`
	Participants      []*Participant    `json:"participants" gorm:"-" nullable:"false"`
	CustomFields      Answers           `json:"custom_fields" nullable:"false"`
	ComposedInto      *string           `json:"-"`
	IsLinked          bool              `json:"-"`
	PartOrder         int               `json:"-"`           // order among its session's parts, from 1; 0 as it came in
	PartMinutes       *int              `json:"-"`           // its minutes there; nil leaves them open
	PartsMinutes      *int              `json:"-" gorm:"->"` // sum of its parts; nil unless the query selects PartsMinutes
	IsAlone           bool              `json:"-"`           // without participants
	Search            string            `json:"-"`
	Score             *Score            `json:"-" gorm:"->"` // nil before the first review
	Reviews           int               `json:"-" gorm:"->"`
	CreatedAt         store.Time        `json:"created_at"`
	UpdatedAt         store.Time        `json:"updated_at" doc:"The concurrency token of updates"`
	DeletedAt         *store.Time       `json:"deleted_at" doc:"Set by soft delete"`
	AdminURL          string            `json:"admin_url" gorm:"-"`
}

// Answer is one answer to the call-for-papers form.
type Answer struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Answers are all answers of one session, always written as an array.
type Answers []Answer

// AnswersInput is Answers read from an array of {key, value} or from an object of strings.
type AnswersInput Answers

func (a *AnswersInput) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '{' {
		return json.Unmarshal(b, (*[]Answer)(a))
	}
	var m map[string]string
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	*a = make(AnswersInput, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		*a = append(*a, Answer{key, m[key]})
	}
	return nil
}

// Value returns the answers as a JSON array.
func (a Answers) Value() (driver.Value, error) {
	if a == nil {
		return "[]", nil
	}
	b, err := json.Marshal([]Answer(a))
	return string(b), err
}

// Scan reads the answers from a JSON array.
func (a *Answers) Scan(v any) error {
	var b []byte
	switch v := v.(type) {
	case string:
		b = []byte(v)
	case []byte:
		b = v
	default:
		return fmt.Errorf("cannot read answers from %T", v)
	}
	*a = Answers{}
	if string(b) == "[]" {
		return nil
	}
	return gojson.Unmarshal(b, (*[]Answer)(a)) // faster, and enough for what Value wrote
}

// Clean checks the rules of each answer.
func (a AnswersInput) Clean() (AnswersInput, error) {
	if len(a) > store.MaxCustomFields {
		return nil, store.Invalidf("custom_fields", "has %d items; at most %d are allowed", len(a), store.MaxCustomFields)
	}
	out := make(AnswersInput, 0, len(a))
	seen := make(map[string]bool, len(a))
	for i, answer := range a {
		at := "custom_fields[" + strconv.Itoa(i) + "]"
		key, err := store.CleanName(at+".key", answer.Key, store.MaxCustomKey)
		if err != nil {
			return nil, err
		}
		value, err := store.CleanText(at+".value", answer.Value, store.MaxCustomValue)
		if err != nil {
			return nil, err
		}
		if seen[key] {
			return nil, store.Invalidf(at+".key", "is there twice")
		}
		seen[key] = true
		out = append(out, Answer{key, value})
	}
	return out, nil
}

// friendlyID returns … for abstracts and S-1 … for programme sessions.
func friendlyID(isAbstract bool, number int) string {
	if isAbstract {
		return "A-" + strconv.Itoa(number)
	}
	return "S-" + strconv.Itoa(number)
}

// CheckTimes checks the rules that the schema also has for a session's times.
func (s *Session) CheckTimes() error {
	switch {
	case s.IsPlenary && s.IsAbstract:
		return store.Invalidf("is_plenary", "must be false of an abstract")
	case s.EndsAt == nil:
		return nil
	case s.StartsAt == nil:
		return store.Invalidf("ends_at", "needs a starts_at")
	case s.EndsAt.Before(s.StartsAt.Time):
		return store.Invalidf("ends_at", "must not be before starts_at")
	}
	return nil
}

// Index updates the columns for sorting, searching and counting.
func (s *Session) Index() {
	s.TitleKey = store.Fold(s.Title)
	fields := []string{s.Title, s.FriendlyID, store.PlainText(s.Description)}
	for _, p := range s.Participants {
		fields = append(fields, p.FullName)
	}
	s.Search = store.Searchable(fields...)
	s.IsAlone = len(s.Participants) == 0
}

// PartsMinutes is the SQL column with the sum of a session's parts, for a session s without an end. A part without
// minutes counts as long as its format. It is null if no part has minutes.
const PartsMinutes = `CASE WHEN s.ends_at IS NULL THEN (SELECT CASE WHEN count(part.part_minutes) > 0 THEN
	sum(coalesce(part.part_minutes, f.default_minutes, 0)) END FROM sessions part
	LEFT JOIN metadata f ON f.event_id = part.event_id AND f.id = part.format_id
	WHERE part.composed_into = s.id AND part.event_id = s.event_id AND part.deleted_at IS NULL) END AS parts_minutes`

// defaultLength returns the length of a session without an end: the sum of its parts, else the length of its format,
// else half an hour.
func (s *Session) defaultLength() time.Duration {
	return time.Duration(s.MinutesOr(30)) * time.Minute
}

// MinutesOr returns the length by parts or format in minutes, or otherwise if neither has one.
func (s *Session) MinutesOr(otherwise int) int {
	switch {
	case s.PartsMinutes != nil:
		return *s.PartsMinutes
	case s.Format != nil && s.Format.DefaultMinutes != nil:
		return *s.Format.DefaultMinutes
	}
	return otherwise
}

// Length returns the time from start to end, or defaultLength without an end.
func (s *Session) Length() time.Duration {
	if s.StartsAt == nil || s.EndsAt == nil {
		return s.defaultLength()
	}
	return s.EndsAt.Sub(s.StartsAt.Time)
}
