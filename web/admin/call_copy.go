package admin

import (
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
	pub "lectern/views/pages/cfp"
)

// formEvents are the other events with a form that this user may see.
func (v *visit) formEvents() ([]*models.Event, error) {
	events, err := v.theCall().Forms(v.UserContext())
	return slices.DeleteFunc(events, func(e *models.Event) bool { return !v.user.RoleAt(e.ID).Covers(staff.Viewer) }), err
}

func copyCallForm(v *visit) error { return v.copyCallPage(http.StatusOK) }

func (v *visit) copyCallPage(status int) error {
	v.section = v.at("/call")
	events, err := v.formEvents()
	if err != nil {
		return err
	}
	_, err = v.theCall().Form(v.UserContext())
	if err != nil && store.KindOf(err) != store.NotFound {
		return err
	}
	p := pages.CallCopyPage{Base: v.at("/call"), Replaces: err == nil}
	p.Events = choices(events, func(e *models.Event) (string, string) { return e.ID, e.Name }, v.Value("from"))
	return show(v, status, "Copy a form", pages.CallCopy, p)
}

func copyCall(v *visit) error {
	events, err := v.formEvents()
	from, err := oneOf(events, err, v.Value("from"), func(e *models.Event) string { return e.ID },
		"There is no such event with a form that you can copy.")
	if err != nil {
		return err
	}
	copied, err := v.theCall().CopyForm(v.UserContext(), v.store.Programme(from, v.by()))
	if err != nil {
		return v.Again(err, v.copyCallPage)
	}
	text := counted(int64(copied.Questions), "question is", "questions are") + " here now, from " + cut(from.Name) + "."
	if len(copied.Unmatched) > 0 {
		v.KeepNotice("warn", text+" This event does not have "+enumerated(copied.Unmatched)+
			"; look at the questions that named what is missing.")
		return v.See(v.at("/call"), "")
	}
	return v.See(v.at("/call"), text)
}

func previewCall(v *visit, f *cfp.Form) error {
	h, err := v.callHead(f, "/preview", "Call for papers")
	if err != nil {
		return err
	}
	heading := f.Heading
	if heading == "" {
		heading = "Speak at " + v.event.Name
	}
	return v.Render(http.StatusOK, pages.CallPreview(pages.CallPreviewPage{CallHead: h, Heading: heading,
		Welcome: f.Welcome,
		Success: f.Success, Agreement: f.Agreement, Parts: pub.Parts(f.Of(cfp.OfProposal), nil, nil, nil),
		Speakers: pub.Parts(f.Of(cfp.OfSpeaker), nil, nil, nil)}))
}
