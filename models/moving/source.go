// Package moving brings a conference here from another system, and later brings again what changed there.
package moving

import (
	"context"
	"strings"
	"time"

	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/frab"
)

// Source is a conference in another system. It passes its rows on in chunks, so that nobody holds all of them. Keys
// identify rows for good: they begin with the prefix of the frame, and the same row has the same key next time.
type Source interface {
	// Frame returns what everything else refers to.
	Frame(ctx context.Context) (*Frame, error)
	People(ctx context.Context, take func([]Person) error) error
	Submissions(ctx context.Context, take func([]Submission) error) error
	// Reviews may return a NotGiven, which ends nothing else.
	Reviews(ctx context.Context, take func([]Review) error) error
	// Photo returns the content of a photo's address.
	Photo(ctx context.Context, address string) ([]byte, error)
}

// Count is how many rows a conference has in the other system.
type Count struct {
	Labels      int `json:"labels"` // tracks, formats, rooms and tags
	Questions   int `json:"questions"`
	Breaks      int `json:"breaks"`
	People      int `json:"people"`
	Submissions int `json:"submissions"`
	Reviews     int `json:"reviews"` // -1 when they may not be read
}

// NotGiven says, in a sentence, why the other system does not give something.
type NotGiven string

func (n NotGiven) Error() string { return string(n) }

// Frame is a conference without its submissions, people and reviews.
type Frame struct {
	System       string // the name of the other system, such as pretalx
	Prefix       string // of all keys
	Name         string
	Starts, Ends string // days, such as 2027-05-20; "" if unknown
	Labels       []arrival.Label
	Questions    []Question
	Breaks       []frab.Break   // their Room is the key of a label
	Skipped      []frab.Skipped // what the source already knows cannot come
	IsPart       bool           // the source is incomplete: what does not come is not gone
	Still        []string       // keys of submissions that exist there but cannot come
}

// Question is a question of the other form.
type Question struct {
	Key         string
	AskedOf     call.AskedOf
	Type        field.Type
	Label, Help string
	Options     []string
	IsRequired  bool
	IsRetired   bool          // no longer asked: its answers come, and staff may ask it again
	SeenBy      call.Audience // "" for the usual audience
}

// Answer is an answer to a question: one value, or several for a choice of several. A yes or no is field.Yes or
// field.No.
type Answer struct {
	Question string // its key
	Values   []string
}

// Person is somebody who submitted something or speaks.
type Person struct {
	arrival.Person
	Photo     string // an address, "" for none
	Available []Span // none means always
	Answers   []Answer
	Note      string // written by staff
}

// Span is a time from one moment until another.
type Span struct{ From, Until time.Time }

// Submission is a submission with its slots. Its Answers belong to the form, and replace those of the Session.
type Submission struct {
	arrival.Session
	Answers     []Answer
	IsConfirmed bool // by its speakers
}

// Review is one reviewer's review of a submission.
type Review struct {
	Key, Submission string
	Email, Name     string // of the reviewer
	Comment         string
	Scores          []Score
}

// Score is the score of a review for one criterion.
type Score struct {
	Criterion string // its key
	Name      string
	Weight    float64 // 0 if it does not count
	Value     float64
	Label     string
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// Paragraphs returns plain text as HTML, and HTML unchanged. Sanitizing it is up to whoever stores it.
func Paragraphs(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") {
		return text
	}
	var out strings.Builder
	for _, part := range strings.Split(text, "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			out.WriteString("<p>" + strings.ReplaceAll(escape.Replace(part), "\n", "<br>") + "</p>")
		}
	}
	return out.String()
}
