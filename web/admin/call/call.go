package call

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/call"
	"lectern/web/admin/visit"
)

// theCall returns the event's call.
func theCall(v *visit.Visit) *call.Call { return call.Of(v.Programme) }

// callForm reads the form of the event's call.
func callForm(v *visit.Visit) (*call.Form, error) {
	v.Section = v.At("/call")
	return theCall(v).Form(v.UserContext())
}

// OfCall wraps a handler that needs the call's form; without a form, it leads to the page that begins one.
func OfCall(handle func(*visit.Visit, *call.Form) error) visit.Handler {
	return func(v *visit.Visit) error {
		f, err := callForm(v)
		switch {
		case store.KindOf(err) == store.NotFound && v.Reads():
			return v.See(v.At("/call"), "")
		case err != nil:
			return err
		}
		return handle(v, f)
	}
}

// callHead returns what all pages of the call have.
func callHead(v *visit.Visit, f *call.Form, here string) (h pages.Top, err error) {
	v.Section = v.At("/call")
	if h.Shell, err = v.Shell("Call for papers"); err != nil {
		return h, err
	}
	h.Base, h.MayChange, h.Public = v.At("/call"), v.May(staff.Organizer), "/events/"+v.Event.Slug+"/call"
	h.Says = visit.WindowSays(v) + " " + visit.Counted(int64(len(f.Questions())), "question", "questions") + "."
	h.Shell.Scripts = []string{"/static/vendor/sortable/Sortable.min.js"}
	for _, tab := range []struct{ path, name string }{
		{"", "Form"}, {"/window", "When it is open"}, {"/texts", "Texts and limits"}, {"/codes", "Access codes"}, {"/preview", "Preview"},
	} {
		if tab.path != "/codes" || h.MayChange {
			h.Tabs = append(h.Tabs, components.Tab{Name: tab.name, URL: h.Base + tab.path, Current: tab.path == here})
		}
	}
	return h, nil
}

func showCall(v *visit.Visit) error { return callPage(v, http.StatusOK, "") }

// callPage shows the form or, where there is none, how to begin one. title is that of a new part that was refused.
func callPage(v *visit.Visit, status int, title string) error {
	f, err := callForm(v)
	if store.KindOf(err) == store.NotFound {
		return emptyCall(v)
	}
	if err != nil {
		return err
	}
	h, err := callHead(v, f, "")
	if err != nil {
		return err
	}
	p := pages.Page{Top: h, NewPart: title, Full: len(f.Parts) >= call.MostParts}
	for _, part := range f.Parts {
		shown := pages.FormPart{ID: part.ID, Title: part.Title, Help: part.Help}
		for _, q := range part.Questions {
			only, _ := f.When(q, nil)
			shown.Rows = append(shown.Rows, pages.Row{ID: q.ID, Label: q.Label, Facts: questionFacts(f, q), Only: only,
				Broken: f.Broken(q), Fixed: q.Standard == call.Title})
		}
		p.Parts = append(p.Parts, shown)
	}
	for _, q := range f.Lacking() {
		p.Lacking = append(p.Lacking, pages.Lacking{Standard: string(q.Standard), Label: q.Label,
			About: standardWords[q.Standard]})
	}
	for _, q := range f.Removed {
		if q.Standard == "" {
			p.Removed = append(p.Removed, pages.Removed{ID: q.ID, Label: q.Label, Key: q.Key})
		}
	}
	if p.Copies, err = copiesForms(v); err != nil {
		return err
	}
	return v.Render(status, pages.Call(p))
}

// standardWords say where the answers to standard questions go.
var standardWords = map[call.StandardField]string{
	call.Description: "The description of the submission", call.Track: "One of the event’s tracks",
	call.Format: "One of the event’s formats", call.Level: "One of the event’s levels",
	call.Biography: "The biography in the speaker’s profile",
}

// questionFacts describes a question in its row: "Long text", "up to 300 words", "optional".
func questionFacts(f *call.Form, q *call.Question) []string {
	facts := []string{q.Type.Label()}
	if words, known := standardWords[q.Standard]; known {
		facts[0] = words
	}
	switch {
	case q.Type.HasOptions():
		facts = append(facts, visit.Counted(int64(len(f.Offered(q))), "choice", "choices"))
	case q.MaxWords != nil:
		facts = append(facts, "up to "+visit.Counted(int64(*q.MaxWords), "word", "words"))
	case q.MaxLength != nil:
		facts = append(facts, "up to "+visit.Counted(int64(*q.MaxLength), "character", "characters"))
	case q.Type == field.File:
		facts = append(facts, q.TakenWords())
	}
	facts = append(facts, map[call.Need]string{call.Optional: "optional", call.Required: "required",
		call.Later: "required once accepted"}[q.Required])
	switch {
	case q.AskedOf == call.OfSpeaker && q.IsOpen:
		return append(facts, "asked of each speaker", "read by who sees the speakers")
	case q.AskedOf == call.OfSpeaker:
		return append(facts, "asked of each speaker")
	}
	switch q.SeenBy {
	case call.OpenRounds:
		facts = append(facts, "not for blind reviews")
	case call.StaffOnly:
		facts = append(facts, "not for reviewers")
	}
	return facts
}

func emptyCall(v *visit.Visit) error {
	copies, err := copiesForms(v)
	if err != nil {
		return err
	}
	return visit.Show(v, http.StatusOK, "Call for papers", pages.Empty,
		pages.EmptyPage{Base: v.At("/call"), Copies: copies, MayChange: v.May(staff.Organizer)})
}

// copiesForms tells whether this user can copy another event's form.
func copiesForms(v *visit.Visit) (bool, error) {
	if !v.May(staff.Organizer) {
		return false, nil
	}
	events, err := formEvents(v)
	return len(events) > 0, err
}

func startCall(v *visit.Visit) error {
	return v.Done(theCall(v).Start(v.UserContext()), v.At("/call"),
		"The form is there. Change what it asks, then say when it opens.")
}

func askStandard(v *visit.Visit, f *call.Form) error {
	q, err := theCall(v).Ask(v.UserContext(), call.StandardField(v.Value("standard")), f.Parts[len(f.Parts)-1].ID)
	if err != nil {
		return err
	}
	return v.See(v.At("/call#question-"+q.ID), "“"+visit.Cut(q.Label)+"” is asked now.")
}

func addCallPart(v *visit.Visit) error {
	in := call.PartInput{Title: v.Value("title")}
	_, err := visit.Made(v, func(ctx context.Context) (*call.Part, error) { return theCall(v).AddPart(ctx, in) },
		func(p *call.Part) string { return v.At("/call#part-" + p.ID) })
	return v.DoneOrAgain(err, v.At("/call"), "The part “"+visit.Cut(in.Title)+"” is there. Add questions to it, or drag some there.",
		func(status int) error { return callPage(v, status, in.Title) })
}

// moved returns the position that a form asks for, from 0 and below of.
func moved(v *visit.Visit, of int) (int, error) {
	to, err := visit.WholeNumber("position", cmp.Or(v.Value("step"), v.Value("position")))
	if err == nil && to == nil {
		err = &store.Error{Kind: store.Invalid, Message: "Say to which position."}
	}
	if err != nil {
		return 0, err
	}
	return min(max(*to, 1), max(of, 1)) - 1, nil
}

func moveCallPart(v *visit.Visit, p *partAt) error {
	from := slices.Index(p.form.Parts, p.Part)
	to, err := moved(v, len(p.form.Parts))
	if err == nil {
		err = theCall(v).MovePart(v.UserContext(), p.ID, to)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return callPage(v, status, "") })
	}
	return seeMoved(v, "parts/"+p.ID, "part-"+p.ID, p.Title, from, to, len(p.form.Parts))
}

// seeMoved leads back to the form with the new position of something, and a way to undo that.
func seeMoved(v *visit.Visit, path, anchor, name string, from, to, of int, undo ...components.Hidden) error {
	address := v.At("/call#" + anchor)
	text := "“" + visit.Cut(name) + "” is number " + strconv.Itoa(to+1) + " of " + strconv.Itoa(of) + " now."
	if v.Value("undo") != "" {
		return v.See(address, text)
	}
	return v.SeeUndo(address, text, v.At("/call/"+path+"/move"), append(undo,
		components.Hidden{Name: "position", Value: strconv.Itoa(from + 1)}, components.Hidden{Name: "undo", Value: "yes"})...)
}

// dayWords formats a calendar day for people; anything else stays as it is.
func dayWords(day string) string {
	if t, err := time.Parse(time.DateOnly, strings.TrimSpace(day)); err == nil {
		return t.Format("2 January 2006")
	}
	return day
}
