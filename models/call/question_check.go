package call

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"lectern/models/field"
	"lectern/models/store"
)

const (
	mostQuestions = 50 // in a form; a submission stores up to 100 answers
	mostWords     = 2000
	keyLength     = 60 // of a key that is made from a label
	mostLimit     = 100_000
)

// check cleans a question and removes settings that its type does not have. It answers Invalid with each fault, by
// label, help, type, options, asked_of, required, max_length, max_words, seen_by, file_kinds, max_bytes, formats,
// tracks, question and answers.
func (f *Form) check(q *Question) error {
	var faults store.Faults
	q.Label = store.OneLine(q.Label)
	d := field.Definition{Key: q.Key, Label: q.Label, Help: q.Help, Type: q.Type}
	if q.Type.HasOptions() && q.Standard == "" {
		for _, o := range q.Options {
			d.Options = append(d.Options, o.Value)
		}
	} else if q.Type.HasOptions() {
		d.Options = []string{"rows"}
	}
	faults.Add(d.Check())
	q.Label, q.Help = d.Label, d.Help
	if slices.Contains(field.Types(), q.Type) {
		f.checkOptions(&faults, q, d.Options)
		q.checkLimits(&faults)
	}
	faults.Add(q.CheckFile())
	q.checkAskedOf(&faults)
	if q.Standard == Title {
		q.Required, q.SeenBy = Required, Reviewers
	}
	if !slices.Contains([]Need{Optional, Required, Later}, q.Required) {
		faults.Add(store.Invalidf("required", "must be no, yes or later"))
	}
	if !slices.Contains([]Audience{Reviewers, OpenRounds, StaffOnly}, q.SeenBy) {
		faults.Add(store.Invalidf("seen_by", "must be reviewers, open_rounds or staff"))
	}
	faults.Add(f.checkCondition(q))
	return faults.Err()
}

// checkAskedOf adds faults of AskedOf, and sets who may see answers of speakers: reviewers never do.
func (q *Question) checkAskedOf(faults *store.Faults) {
	switch {
	case q.AskedOf == OfProposal:
		q.IsOpen = false
		return
	case q.AskedOf != OfSpeaker:
		faults.Add(store.Invalidf("asked_of", "must be proposal or speaker"))
		return
	case q.Standard != "":
		faults.Add(store.Invalidf("asked_of", "must be the proposal: what every proposal has is asked once"))
	}
	q.SeenBy = StaffOnly
	for i, o := range q.Options {
		if o.Limit > 0 {
			faults.Add(store.Invalidf(fmt.Sprintf("options[%d]", i), "has a limit, which counts proposals; leave it empty"))
		}
	}
}

func (f *Form) checkOptions(faults *store.Faults, q *Question, texts []string) {
	if !q.Type.HasOptions() {
		q.Options = nil
		return
	}
	q.Options = slices.Clone(q.Options)
	family, length := q.Family(), 0
	for i := range q.Options {
		o, at := &q.Options[i], fmt.Sprintf("options[%d]", i)
		switch {
		case family == "":
			o.Value = texts[i]
			if other := q.beginsWith(texts, i); other != "" {
				faults.Add(store.Invalidf(at, "begins with “%s” and a comma, so it reads like that choice and another one; say it otherwise",
					other))
			}
		case f.row(o.Value) == nil || f.row(o.Value).Family != family:
			faults.Add(store.Invalidf("options", "name a %s that this event has no more", family.Singular()))
		}
		length += len([]rune(o.Value)) + len(joint)
		o.Note = store.OneLine(o.Note)
		faults.Clean(store.CleanText, at, &o.Note, store.MaxName)
		if o.Limit < 0 || o.Limit > mostLimit {
			faults.Add(store.Invalidf(at, "has a limit that is not between 1 and %d", mostLimit))
		}
	}
	if length > store.MaxCustomValue {
		faults.Add(store.Invalidf("options", "are too long: all of them together may have %d characters",
			store.MaxCustomValue))
	}
}

func (q *Question) checkLimits(faults *store.Faults) {
	if !q.Type.HasLength() {
		q.MaxLength, q.MaxWords = nil, nil
		return
	}
	if n := q.MaxLength; n != nil && (*n < 1 || *n > q.most()) {
		faults.Add(store.Invalidf("max_length", "must be between 1 and %d", q.most()))
	}
	if n := q.MaxWords; n != nil && (*n < 1 || *n > mostWords) {
		faults.Add(store.Invalidf("max_words", "must be between 1 and %d", mostWords))
	}
	if q.MaxLength != nil && q.MaxWords != nil {
		faults.Add(store.Invalidf("max_words", "must be empty where characters are limited: count one or the other"))
	}
}

// CheckFile answers Invalid, by file_kinds and max_bytes, for unknown kinds and a size out of bounds.
func (q *Question) CheckFile() error {
	if q.Type != field.File {
		q.FileKinds, q.MaxBytes = nil, nil
		return nil
	}
	var faults store.Faults
	for _, kind := range q.FileKinds {
		if !slices.ContainsFunc(FileKinds, func(k fileKind) bool { return k.FileKind == kind }) {
			faults.Add(store.Invalidf("file_kinds", "names one that there is not"))
		}
	}
	if n := q.MaxBytes; n != nil && (*n < 1<<20 || *n > MaxFileBytes) {
		faults.Add(store.Invalidf("max_bytes", "must be between 1 and %d MB", MaxFileBytes>>20))
	}
	return faults.Err()
}

// sameLabel answers Invalid, by label, if another question of the form has the same label.
func (f *Form) sameLabel(q *Question) error {
	for _, other := range f.Questions() {
		if other != q && store.Searchable(other.Label) == store.Searchable(q.Label) {
			return store.Invalidf("label", "is what another question of this form asks already; say what tells them apart")
		}
	}
	return nil
}

// keyFor returns an unused key made from a label: its words, joined.
func (f *Form) keyFor(label string) string {
	words := strings.FieldsFunc(store.Fold(label), func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsDigit(r)
	})
	letters := []rune(strings.Join(words, "_"))
	if len(letters) > keyLength {
		letters = letters[:keyLength]
		if last := strings.LastIndex(string(letters), "_"); last > 0 {
			letters = []rune(string(letters)[:last])
		}
	}
	base := string(letters)
	if base == "" {
		base = "question"
	}
	key := base
	for n := 2; f.keyTaken(key); n++ {
		key = fmt.Sprintf("%s_%d", base, n)
	}
	return key
}

// keyTaken reports whether a question has or had the key, in any case, or it is that of a standard question.
func (f *Form) keyTaken(key string) bool {
	same := func(other string) bool { return store.Fold(other) == store.Fold(key) }
	return NewStandard(StandardField(store.Fold(key))) != nil ||
		slices.ContainsFunc(append(f.Questions(), f.Removed...), func(q *Question) bool { return same(q.Key) })
}
