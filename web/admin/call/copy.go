package call

import (
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/call"
	pub "lectern/views/pages/call/public"
	"lectern/web/admin/visit"
)

// formEvents returns the other events that have a form and that this user may see.
func formEvents(v *visit.Visit) ([]*models.Event, error) {
	events, err := theCall(v).Forms(v.UserContext())
	return slices.DeleteFunc(events, func(e *models.Event) bool { return !v.User.RoleAt(e.ID).Covers(staff.Viewer) }), err
}

func copyCallForm(v *visit.Visit) error { return copyCallPage(v, http.StatusOK) }

func copyCallPage(v *visit.Visit, status int) error {
	v.Section = v.At("/call")
	events, err := formEvents(v)
	if err != nil {
		return err
	}
	_, err = theCall(v).Form(v.UserContext())
	if err != nil && store.KindOf(err) != store.NotFound {
		return err
	}
	p := pages.CopyPage{Base: v.At("/call"), Replaces: err == nil}
	p.Events = visit.Choices(events, func(e *models.Event) (string, string) { return e.ID, e.Name }, v.Value("from"))
	return visit.Show(v, status, "Copy a form", pages.Copy, p)
}

func copyCall(v *visit.Visit) error {
	events, err := formEvents(v)
	from, err := visit.OneOf(events, err, v.Value("from"), func(e *models.Event) string { return e.ID },
		"There is no such event with a form that you can copy.")
	if err != nil {
		return err
	}
	copied, err := theCall(v).CopyForm(v.UserContext(), v.Store.Programme(from, v.By()))
	if err != nil {
		return v.Again(err, func(status int) error { return copyCallPage(v, status) })
	}
	text := visit.Counted(int64(copied.Questions), "question is", "questions are") + " here now, from " +
		visit.Cut(from.Name) + "."
	if len(copied.Unmatched) > 0 {
		return v.SeeWarning(v.At("/call"), text+" This event does not have "+visit.Enumerated(copied.Unmatched)+
			"; look at the questions that named what is missing.")
	}
	return v.See(v.At("/call"), text)
}

func previewCall(v *visit.Visit, f *call.Form) error {
	h, err := callHead(v, f, "/preview")
	if err != nil {
		return err
	}
	heading := f.Heading
	if heading == "" {
		heading = "Speak at " + v.Event.Name
	}
	return v.Render(http.StatusOK, pages.Preview(pages.PreviewPage{Top: h, Heading: heading,
		Welcome: f.Welcome,
		Success: f.Success, Agreement: f.Agreement, Parts: pub.Parts(f.Of(call.OfProposal), nil, nil, nil),
		Speakers: pub.Parts(f.Of(call.OfSpeaker), nil, nil, nil)}))
}
