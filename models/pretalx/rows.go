package pretalx

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"
)

// text is a text in one language or in several.
type text struct {
	one string
	in  map[string]string
}

func (t *text) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		return json.Unmarshal(b, &t.in)
	}
	var one *string
	err := json.Unmarshal(b, &one)
	if one != nil {
		t.one = *one
	}
	return err
}

// of returns the text in a language, else in the first that has one.
func (t text) of(locale string) string {
	if t.in == nil {
		return t.one
	}
	if t.in[locale] != "" {
		return t.in[locale]
	}
	for _, other := range slices.Sorted(maps.Keys(t.in)) {
		if t.in[other] != "" {
			return t.in[other]
		}
	}
	return ""
}

type event struct {
	Name     text
	Slug     string
	DateFrom string `json:"date_from"`
	DateTo   string `json:"date_to"`
	Locale   string
}

// label is a track, a room, a type or a tag.
type label struct {
	ID              int
	Name            text
	Tag             string
	Color           string
	Capacity        *int
	DefaultDuration *int `json:"default_duration"`
}

type question struct {
	ID       int
	Question text
	HelpText text `json:"help_text"`
	Variant  string
	Target   string
	Required string `json:"question_required"`
	Options  []struct {
		ID     int
		Answer text
	}
	IsVisibleToReviewers bool `json:"is_visible_to_reviewers"`
}

type answer struct {
	Question   int
	Answer     string
	AnswerFile *string `json:"answer_file"`
	Options    []int
}

type span struct{ Start, End time.Time }

type speaker struct {
	Code           string
	Name           *string
	Email          string
	Biography      *string
	AvatarURL      *string `json:"avatar_url"`
	Availabilities []span
	Answers        []answer
	InternalNotes  *string `json:"internal_notes"`
}

type submission struct {
	Code           string
	Title          string
	Speakers       []string
	SubmissionType *int `json:"submission_type"`
	Track          *int
	Tags           []int
	State          string
	PendingState   *string `json:"pending_state"`
	Abstract       *string
	Description    *string
	Duration       *int
	ContentLocale  *string `json:"content_locale"`
	DoNotRecord    *bool   `json:"do_not_record"`
	IsFeatured     bool    `json:"is_featured"`
	Notes          *string
	InternalNotes  *string `json:"internal_notes"`
	Answers        []answer
}

type schedule struct{ ID int }

type slot struct {
	ID          int
	Room        *int
	Start, End  *time.Time
	Submission  *string
	Description *text
}

type review struct {
	ID         int
	Submission string
	Text       *string
	User       *struct{ Code, Name, Email string }
	Scores     []struct {
		Value    json.Number
		Label    *string
		Category struct {
			ID            int
			Name          text
			Weight        json.Number
			IsIndependent bool `json:"is_independent"`
		}
	}
	Answers []answer
}

// before compares slots by time, then by room.
func (s slot) before(other slot) int {
	room := func(s slot) int {
		if s.Room == nil {
			return 0
		}
		return *s.Room
	}
	return cmp.Or(s.Start.Compare(*other.Start), cmp.Compare(room(s), room(other)), cmp.Compare(s.ID, other.ID))
}

// markdown renders texts as pretalx does: with tables, strikethrough, links and hard line breaks.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(render.WithHardWraps(), render.WithUnsafe()))

// html returns a text of pretalx as HTML; sanitizing it is up to whoever stores it. If it is not valid Markdown, it
// returns the text.
func html(text string) string {
	var out bytes.Buffer
	if err := markdown.Convert([]byte(text), &out); err != nil {
		return text
	}
	return out.String()
}
