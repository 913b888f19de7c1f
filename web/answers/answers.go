// Package answers takes the form of a call for papers from a browser, whoever fills it in: somebody at their place, or
// staff in their stead. The form is that of a proposal, or of what is asked of each speaker.
package answers

import (
	"maps"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/cfp"
	"lectern/web/page"
)

// Sheet is what is filled in: a *cfp.Proposal or *cfp.OwnAnswers.
type Sheet interface {
	Answered() *cfp.Filled
	Token() string
	IsElsewhere(q *cfp.Question) bool
}

// Writer keeps what was sent of one sheet, as the operations of cfp.Place and cfp.Call do.
type Writer[S Sheet] interface {
	Read() (S, error)
	Save(cfp.Saving) (S, []cfp.Fault, error)
	AttachFile(key string, u models.Upload) (S, error)
	RemoveFile(key string) (S, error)
}

// Form is one that was sent.
type Form[S Sheet] struct {
	visit  *page.Visit
	writer Writer[S]
	Sent   cfp.Values
}

// Of is the form that was sent of a sheet.
func Of[S Sheet](v *page.Visit, w Writer[S], of S) *Form[S] {
	return &Form[S]{v, w, of.Answered().Form.Read(func(name string) []string {
		values := v.Values(name)
		if len(values) == 0 && len(v.Values(components.FirstPrefix+name)) > 0 { // it stood in the form, with nothing chosen
			return []string{""}
		}
		return values
	})}
}

// State is what a form shows beside what is kept.
type State struct {
	Values  cfp.Values
	Faults  []cfp.Fault
	NotKept int // so many of the faults, the first, are of what was sent and is not kept
	Lost    []pages.LostAnswer
}

// First are the values of a sheet as its form is opened, which it sends along.
func First(s Sheet) (first []components.Hidden) {
	p := s.Answered()
	for _, q := range p.Form.Questions() {
		if q.Type != field.File {
			first = append(first, components.Hidden{Name: components.FirstPrefix + q.Field(), Value: p.Values[q.Key]})
		}
	}
	return first
}

// Save keeps what was sent. What came too late is kept too where nobody changed an answer meanwhile: somebody
// joined, or
// the same was typed. It answers as the writer does.
func (f *Form[S]) Save() (none S, faults []cfp.Fault, err error) {
	saved, faults, err := f.writer.Save(cfp.Saving{Values: f.Sent, Token: f.visit.Value("updated_at")})
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
	return f.writer.Save(cfp.Saving{Values: f.Sent, Token: now.Token()})
}

// Saved is the state of the form once it was kept but for the faults.
func (f *Form[S]) Saved(sheet S, faults []cfp.Fault) State {
	saved := sheet.Answered()
	s := State{Faults: faults, NotKept: len(faults), Lost: f.lost(saved.Form), Values: maps.Clone(saved.Values)}
	for _, fault := range faults {
		s.Values[fault.Key] = f.Sent[fault.Key]
	}
	return s
}

// Refused is the state of a form of which nothing was kept.
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

// lost is what was typed for questions that were taken out of the form meanwhile.
func (f *Form[S]) lost(form *cfp.Form) (lost []pages.LostAnswer) {
	for _, q := range form.Removed {
		text := strings.TrimSpace(strings.Join(f.visit.Values(q.Field()), ", "))
		if text != "" && plain(text) != plain(f.visit.FirstValue(q.Field())) {
			lost = append(lost, pages.LostAnswer{Label: q.Label, Text: text})
		}
	}
	return lost
}

// plain is a text as it is compared: a browser sends \r\n.
func plain(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// Edited are the fields of a form that came too late, to be settled.
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

// clash tells whether an answer was changed meanwhile to what was not sent.
func clash(fields []page.Edited) bool {
	return slices.ContainsFunc(fields, func(f page.Edited) bool { return f.Mine != f.Theirs && f.Was != f.Theirs })
}
