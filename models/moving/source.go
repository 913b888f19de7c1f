// Package moving brings a conference here from another system, and brings again what changed there since.
package moving

import (
	"context"
	"time"

	"lectern/models/arrival"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/frab"
)

// Source is a conference in another system. It hands its rows out some at a time, so that nobody holds all of them.
// Keys name rows for good: they begin with the prefix of the frame, and the same row has the same key next time.
type Source interface {
	// Frame is what all else refers to.
	Frame(ctx context.Context) (*Frame, error)
	People(ctx context.Context, take func([]Person) error) error
	Submissions(ctx context.Context, take func([]Submission) error) error
	// Reviews may answer a NotGiven, which ends nothing else.
	Reviews(ctx context.Context, take func([]Review) error) error
	// Photo is the file behind the address of a photo.
	Photo(ctx context.Context, address string) ([]byte, error)
}

// Count is how many rows a conference has elsewhere.
type Count struct {
	Labels      int `json:"labels"` // tracks, formats, rooms and tags
	Questions   int `json:"questions"`
	Breaks      int `json:"breaks"`
	People      int `json:"people"`
	Submissions int `json:"submissions"`
	Reviews     int `json:"reviews"` // -1 when they may not be read
}

// NotGiven is why the other system does not give something, in a sentence.
type NotGiven string

func (n NotGiven) Error() string { return string(n) }

// Frame is a conference without what people handed in.
type Frame struct {
	System       string // the name of the other system, such as pretalx
	Prefix       string // of all keys
	Name         string
	Starts, Ends string // days, such as 2027-05-20; "" is none
	Labels       []arrival.Label
	Questions    []Question
	Breaks       []frab.Break   // rooms by the keys of their labels
	Skipped      []frab.Skipped // what cannot come, as the source knows already
	IsPart       bool           // of what is there: what does not come is not gone
	Still        []string       // keys of submissions that are there, although they cannot come
}

// Question is one that the form asks.
type Question struct {
	Key         string
	AskedOf     cfp.AskedOf
	Type        field.Type
	Label, Help string
	Options     []string
	IsRequired  bool
	IsRetired   bool         // asked no more: its answers are kept, and staff may ask it again
	SeenBy      cfp.Audience // "" is the usual one
}

// Answer is what somebody said to a question: one value, or several of a choice of several. A yes or no is field.Yes or
// field.No.
type Answer struct {
	Question string // the key
	Values   []string
}

// Person is somebody who handed something in or speaks.
type Person struct {
	arrival.Person
	Photo     string // an address, "" without
	Available []Span // none is always
	Answers   []Answer
	Note      string // of staff
}

// Span is a time from one moment until another.
type Span struct{ From, Until time.Time }

// Submission is what was handed in, with when it is held. Its answers are those of the form in place of the session's.
type Submission struct {
	arrival.Session
	Answers     []Answer
	IsConfirmed bool // by those who speak
}

// Review is what one reviewer thinks of one submission.
type Review struct {
	Key, Submission string
	Email, Name     string // of the reviewer
	Comment         string
	Scores          []Score
}

// Score is what a review gives for one criterion.
type Score struct {
	Criterion string // the key
	Name      string
	Weight    float64 // 0 does not count
	Value     float64
	Label     string
}
