// Package answers reads the form of a call for papers from a browser, filled in by a speaker at their place or by
// staff on their behalf. The form is that of a proposal, or of what each speaker is asked.
package answers

import (
	"maps"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call/public"
	"lectern/web/page"
)

// Sheet is the record that a form fills in: a *call.Proposal or *call.OwnAnswers.
type Sheet interface {
	Answered() *call.Filled
	Token() string
	IsElsewhere(q *call.Question) bool
}

// Writer reads and saves one sheet, as the operations of call.Place and call.Call do.
type Writer[S Sheet] interface {
	Read() (S, error)
	Save(call.Saving) (S, []call.Fault, error)
	AttachFile(key string, u models.Upload) (S, error)
	RemoveFile(key string) (S, error)
}

// Form is a form that was sent, with its values.
type Form[S Sheet] struct {
	visit  *page.Visit
	writer Writer[S]
	Sent   call.Values
}

// Of reads the form that was sent for a sheet.
func Of[S Sheet](v *page.Visit, w Writer[S], of S) *Form[S] {
	return &Form[S]{v, w, of.Answered().Form.Read(func(name string) []string {
		values := v.Values(name)
		if len(values) == 0 && len(v.Values(components.FirstPrefix+name)) > 0 { // the question stood there with nothing chosen
			return []string{""}
		}
		return values
	})}
}

// State is what a form shows besides the stored answers.
type State struct {
	Values  call.Values
	Faults  []call.Fault
	NotKept int // how many of the first faults concern values that were sent but not stored
	Lost    []pages.LostAnswer
}

// First returns the sheet's present values as hidden fields, which the form sends along to detect later changes.
func First(s Sheet) (first []components.Hidden) {
	p := s.Answered()
	for _, q := range p.Form.Questions() {
		if q.Type != field.File {
			first = append(first, components.Hidden{Name: components.FirstPrefix + q.Field(), Value: p.Values[q.Key]})
		}
	}
	return first
}

// Save stores what was sent. A stale form is stored too where its answers clash with nobody's: somebody joined
// meanwhile, or typed the same. It returns the writer's errors.
func (f *Form[S]) Save() (none S, faults []call.Fault, err error) {
	saved, faults, err := f.writer.Save(call.Saving{Values: f.Sent, Token: f.visit.Value("updated_at")})
	if store.KindOf(err) != store.Stale {
		return saved, faults, err
	}
	now, missing := f.writer.Read()
	if missing != nil {
		return none, nil, missing
	}
	if clash(f.Edited(now)) {
		return none, nil, err
	}
	return f.writer.Save(call.Saving{Values: f.Sent, Token: now.Token()})
}

// Saved returns the state of a form that was stored except for the answers with faults.
func (f *Form[S]) Saved(sheet S, faults []call.Fault) State {
	saved := sheet.Answered()
	s := State{Faults: faults, NotKept: len(faults), Lost: f.lost(saved.Form), Values: maps.Clone(saved.Values)}
	for _, fault := range faults {
		s.Values[fault.Key] = f.Sent[fault.Key]
	}
	return s
}

// Refused returns the state of a form of which nothing was stored.
func (f *Form[S]) Refused(sheet S, err error) State {
	p := sheet.Answered()
	s := State{Faults: p.Form.Faults(err), Lost: f.lost(p.Form), Values: maps.Clone(p.Values)}
	s.NotKept = len(s.Faults)
	for _, q := range p.Form.Questions() {
		if value, isSent := f.Sent[q.Key]; isSent {
			s.Values[q.Key] = value
		}
	}
	return s
}

// lost returns what was typed for questions that staff removed from the form meanwhile.
func (f *Form[S]) lost(form *call.Form) (lost []pages.LostAnswer) {
	for _, q := range form.Removed {
		text := strings.TrimSpace(strings.Join(f.visit.Values(q.Field()), ", "))
		if text != "" && plain(text) != plain(f.visit.FirstValue(q.Field())) {
			lost = append(lost, pages.LostAnswer{Label: q.Label, Text: text})
		}
	}
	return lost
}

// plain returns a text as it is compared: browsers send \r
// .
func plain(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// Edited returns the fields of a stale form, to be settled with page.Settle.
func (f *Form[S]) Edited(sheet S) (fields []page.Edited) {
	p := sheet.Answered()
	for _, q := range p.Form.Questions() {
		if _, isSent := f.Sent[q.Key]; !isSent || sheet.IsElsewhere(q) {
			continue
		}
		fields = append(fields, page.Edited{Name: q.Field(), Label: q.Label, Was: plain(f.visit.FirstValue(q.Field())),
			Mine: plain(f.Sent[q.Key]), Theirs: plain(p.Values[q.Key]),
			Show: func(value string) string { return p.Form.InWords(q, value, nil) }})
	}
	return fields
}

// clash tells whether somebody else changed an answer meanwhile to something other than what was sent.
func clash(fields []page.Edited) bool {
	return slices.ContainsFunc(fields, func(f page.Edited) bool { return f.Mine != f.Theirs && f.Was != f.Theirs })
}
