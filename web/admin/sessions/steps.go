package sessions

import (
	"lectern/models"
	"lectern/models/staff"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// steps says in a sentence where a record stands, and returns the next steps that the user may take.
func steps(v *visit.Visit, s *models.Session, composed []records.Record) (stands string, steps []pages.Step) {
	switch {
	case s.DeletedAt != nil:
		return "In the Trash since " + page.When(s.DeletedAt, v.Event.Location()) + ".", nil
	case s.IsAbstract:
		stands, steps = decisionSteps(s.Status, composed)
		if s.Status == models.Accepted && len(composed) == 0 {
			steps = []pages.Step{{Name: "Compose into session", Icon: "list", Key: "c", URL: lists.ComposeAt(v, s.ID),
				Primary: true}}
		}
		if s.Status.IsDecision() {
			steps = append(steps, pages.Step{Name: "Undo the decision…", Icon: "undo-2", Key: "u",
				URL: v.At("/sessions/"+s.ID+"/undo-decision") + lists.PlaceQuery(v)})
		}
	default:
		stands, steps = placeSteps(s)
		steps = append(steps, publishSteps(v, s, len(steps) == 0)...)
	}
	if !v.May(staff.Organizer) {
		steps = nil
	}
	return stands, steps
}

var backToPending = pages.Step{Name: "Back to pending", Icon: "undo-2", Key: "p", Status: models.Pending}

// decisionSteps returns the steps to a submission's decision. Moves between queues are done at once and can be undone;
// decisions, whose names end in "…", ask for confirmation.
func decisionSteps(status models.Status, composed []records.Record) (string, []pages.Step) {
	switch status {
	case models.Draft:
		return "Not handed in yet, so nobody reviews it.", []pages.Step{
			{Name: "To pending", Icon: "hourglass", Key: "p", Status: models.Pending, Primary: true},
		}
	case models.Pending:
		return "Waits for a decision. Speakers see “Pending” until one is committed.", []pages.Step{
			{Name: "To accept queue", Icon: "clock", Key: "a", Status: models.AcceptQueue, Primary: true},
			{Name: "To decline queue", Icon: "clock", Key: "d", Status: models.DeclineQueue},
		}
	case models.AcceptQueue:
		return "Will be accepted. Speakers see “Pending” until that is committed.", []pages.Step{
			{Name: "Accept…", Icon: "check", Key: "a", Status: models.Accepted, Primary: true}, backToPending,
		}
	case models.DeclineQueue:
		return "Will be declined. Speakers see “Pending” until that is committed.", []pages.Step{
			{Name: "Decline…", Icon: "x", Key: "d", Status: models.Declined, Primary: true}, backToPending,
		}
	case models.Accepted:
		if len(composed) == 0 {
			return "In no session yet.", nil
		}
		if composed[0].InTrash {
			return "In the session " + composed[0].Label + ", which is in the Trash.", nil
		}
		return "In the session " + composed[0].Label + ".", nil
	case models.Declined:
		return "It is not part of the programme.", nil
	default:
		return "Its speakers took it back.", []pages.Step{backToPending}
	}
}

// publishSteps returns the step that publishes or unpublishes a programme session.
func publishSteps(v *visit.Visit, s *models.Session, primary bool) []pages.Step {
	base := v.At("/sessions/" + s.ID)
	switch {
	case s.IsPublic:
		return []pages.Step{{Name: "Unpublish", Icon: "undo-2", URL: base + "/unpublish" + lists.PlaceQuery(v), Posts: true}}
	case s.Status == models.Accepted:
		return []pages.Step{{Name: "Publish…", Icon: "globe", URL: base + "/publish" + lists.PlaceQuery(v), Primary: primary}}
	}
	return nil
}

// placeSteps returns the step that sets a programme session's room and time.
func placeSteps(s *models.Session) (string, []pages.Step) {
	place := func(name, field string) []pages.Step {
		return []pages.Step{{Name: name, Icon: "clock", Key: "t", Primary: true,
			URL: "#" + field}}
	}
	public := "Not published yet."
	if s.IsPublic {
		public = "Published."
	}
	_, takes := s.Slot()
	switch {
	case s.Status == models.Declined || s.Status == models.Withdrawn:
		if s.IsPublic {
			public = "It is still public."
		}
		return "Not part of the programme, so it takes no room and no time. " + public, []pages.Step{
			{Name: "Back to accepted", Icon: "undo-2", Key: "a", Status: models.Accepted},
		}
	case !takes && s.RoomID == nil:
		return "Not placed yet. " + public, place("Give it a room and a time", "starts_at")
	case !takes:
		return "It has a room and no time yet. " + public, place("Give it a time", "starts_at")
	case s.RoomID == nil:
		return "It has a time and no room yet. " + public, place("Give it a room", "room_id")
	}
	return "Placed. " + public, nil
}
