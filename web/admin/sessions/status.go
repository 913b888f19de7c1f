package sessions

import (
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
	"lectern/web/page"
)

// setStatus changes only the status: at once, or after confirmation where it decides a submission.
func setStatus(v *visit.Visit) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	s, err := Live(v)
	if err != nil {
		return err
	}
	to := models.Status(v.Value("status"))
	if decides(s, to) && v.Value("confirm") == "" && token.Equal(s.UpdatedAt.Time) {
		return confirmDecision(v, s, to, "/status", false)
	}
	c := models.SessionChange{UpdatedAt: &token, SessionInput: models.SessionInput{Status: &to}}
	now, err := v.Programme.UpdateSession(v.UserContext(), s.ID, c)
	if store.KindOf(err) == store.Stale {
		return statusConflict(v, to)
	}
	if store.KindOf(err) == store.Invalid {
		return v.SeeRefusal(v.At("/sessions/"+s.ID)+lists.PlaceQuery(v),
			components.Sentence(components.Fault{Message: err.Error()}))
	}
	if err != nil {
		return err
	}
	text := statusNow(now.Status)
	if now.IsPublic && now.Status != models.Accepted {
		text += " It is still public."
	}
	return changed(v, now, s, text)
}

// WhereIs words a status within a sentence: "accepted", or "in the accept queue".
func WhereIs(status models.Status) string {
	where := ""
	if status == models.AcceptQueue || status == models.DeclineQueue {
		where = "in the "
	}
	return where + strings.ToLower(components.StatusName(string(status)))
}

// statusNow says which status a record has now.
func statusNow(status models.Status) string { return "It is " + WhereIs(status) + " now." }

// decides tells whether a change of status is a decision, which others are told of.
func decides(s *models.Session, to models.Status) bool {
	return s.IsAbstract && to.IsDecision() && to != s.Status
}

// confirmDecision asks for confirmation of a decision that the form at path makes. The page sends that form again, or
// leads back to the editor.
func confirmDecision(v *visit.Visit, s *models.Session, to models.Status, path string, editor bool) error {
	verb := lists.DecisionVerbs[to] + s.FriendlyID
	p := layouts.ConfirmPage{
		Text: "“" + s.Title + "” is " + strings.ToLower(components.StatusName(string(to))) + " then. " + lists.NoLetter,
		Points: slices.DeleteFunc([]string{lists.SpeakersOf([]*models.Session{s}, true), lists.WebhooksHear,
			"Until now its status is " + components.StatusName(string(s.Status)) + "."},
			func(point string) bool { return point == "" }),
		Action: v.At("/sessions/"+s.ID+path) + lists.PlaceQuery(v), Cancel: v.At("/sessions/"+s.ID) + lists.PlaceQuery(v),
		Verb: verb, Hidden: v.FormFields("confirm"), Keeps: true, Again: editor,
	}
	return v.Ask(verb+"?", p)
}

func statusConflict(v *visit.Visit, mine models.Status) error {
	s, err := Live(v)
	if err != nil {
		return err
	}
	c, err := v.Conflict(s.ID, s.UpdatedAt, []page.Edited{{
		Name: "status", Label: "Status", Was: v.FirstValue("status"), Mine: string(mine), Theirs: string(s.Status),
		Show: components.StatusName,
	}})
	if err != nil {
		return err
	}
	c.Action, c.Discard = v.At("/sessions/"+s.ID+"/status")+lists.PlaceQuery(v),
		v.At("/sessions/"+s.ID)+lists.PlaceQuery(v)
	return visit.Show(v, http.StatusConflict, s.Title, layouts.Clashing, layouts.ClashPage{Conflict: *c})
}

// changed leads to a record after it changed from was, nil for a new one. It shows its conflicts, and offers to undo
// what putBack can: status, track, tags, room and time.
func changed(v *visit.Visit, now, was *models.Session, text string) error {
	collides, err := warn.Now(v, now, was)
	if err != nil {
		return err
	}
	return v.SeeWarnings(v.At("/sessions/"+now.ID)+lists.PlaceQuery(v), text, collides, undoOf(v, now, was))
}

// undoOf returns the undo of a record's change; nil where the change has fields that putBack does not restore.
func undoOf(v *visit.Visit, now, was *models.Session) *components.Undo {
	if was == nil || decides(was, now.Status) || decides(now, was.Status) {
		return nil
	}
	fields := []components.Hidden{{Name: "updated_at", Value: now.UpdatedAt.String()}}
	zone := v.Event.Location()
	before, after := formOf(was, zone), formOf(now, zone)
	for _, field := range lists.EditedFields() {
		name := field.Name
		if before.values[name] == after.values[name] {
			continue
		}
		if !slices.Contains(puttable, name) {
			return nil
		}
		fields = append(fields, components.Hidden{Name: name, Value: before.values[name]})
	}
	if len(fields) == 1 {
		return nil
	}
	return &components.Undo{Action: v.At("/sessions/"+now.ID) + "/put-back" + lists.PlaceQuery(v), Fields: fields}
}

// puttable are the fields that putBack restores.
var puttable = []string{"status", "track_id", "tag_ids", "room_id", "starts_at", "ends_at", "is_plenary"}

// putBack undoes a change of a record, unless somebody changed it since. It refuses decisions, which need confirmation.
func putBack(v *visit.Visit) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	c := models.SessionChange{UpdatedAt: &token}
	for _, name := range puttable {
		if v.Request().PostArgs().Has(name) {
			if err := setField(&c, models.Field(name), v.Value(name), v.Event.Location()); err != nil {
				return err
			}
		}
	}
	was, err := Live(v)
	if err != nil {
		return err
	}
	address := v.At("/sessions/"+was.ID) + lists.PlaceQuery(v)
	if c.Status != nil && decides(was, *c.Status) {
		return v.SeeWarning(address,
			"That would decide "+was.FriendlyID+", so nothing was undone. Change its status instead.")
	}
	now, err := v.Programme.UpdateSession(v.UserContext(), was.ID, c)
	switch store.KindOf(err) {
	case store.Stale:
		return v.SeeWarning(address, "Somebody changed this since, so nothing was undone.")
	case store.Invalid:
		return v.SeeWarning(address, "What it was is not there any more, so nothing was undone.")
	}
	if err != nil {
		return err
	}
	collides, err := warn.Now(v, now, was)
	if err != nil {
		return err
	}
	return v.SeeWarnings(address, "Undone.", collides, nil)
}
