package admin

import (
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// setStatus changes the status alone: at once, or after asking when it is a
// decision on a submission.
func setStatus(v *visit) error {
	token, err := models.ParseTime(v.value("updated_at"))
	if err != nil {
		return errOldForm
	}
	s, err := v.liveSession()
	if err != nil {
		return err
	}
	to := models.Status(v.value("status"))
	if decides(s, to) && v.value("confirm") == "" && token.Equal(s.UpdatedAt.Time) {
		return v.confirmDecision(s, to, "/status", false)
	}
	c := models.SessionChange{UpdatedAt: &token, SessionInput: models.SessionInput{Status: &to}}
	now, err := v.programme.UpdateSession(v.ctx(), s.ID, c)
	if models.KindOf(err) == models.Stale {
		return v.statusConflict(to)
	}
	if models.KindOf(err) == models.Invalid {
		v.keepNotice("bad", components.Sentence(components.Fault{Message: err.Error()}))
		return v.see(v.at("/sessions/"+s.ID)+v.listingQuery(), "")
	}
	if err != nil {
		return err
	}
	text := "The status is " + components.StatusName(string(now.Status)) + " now."
	if now.IsPublic && now.Status != models.Accepted {
		text += " It is still public."
	}
	return v.changed(now, s, text)
}

// decides tells of a change of status that others are told of.
func decides(s *models.Session, to models.Status) bool {
	return s.IsAbstract && to.IsDecision() && to != s.Status
}

// confirmDecision asks before a decision is committed by the form at path, which
// is sent again as it was, or, from the editor, gone back to.
func (v *visit) confirmDecision(s *models.Session, to models.Status, path string, editor bool) error {
	verb := decisionVerbs[to] + s.FriendlyID
	shell, err := v.shell(verb + "?")
	if err != nil {
		return err
	}
	at, query := v.at("/sessions/"+s.ID), v.listingQuery()
	p := pages.ConfirmPage{
		Shell: shell, Action: at + path + query, Cancel: at + query, Verb: verb,
		Hidden: v.sent("confirm"), Asks: true, Again: editor,
		Text: "This commits the decision on “" + s.Title + "”. Letters are not sent by it.",
		Points: []string{
			"Webhook endpoints are told of the decision",
			"It is " + strings.ToLower(components.StatusName(string(s.Status))) + " now",
		},
	}
	return v.show(pages.Confirm(p))
}

var decisionVerbs = map[models.Status]string{models.Accepted: "Accept ", models.Declined: "Decline "}

func (v *visit) statusConflict(mine models.Status) error {
	s, err := v.liveSession()
	if err != nil {
		return err
	}
	c, err := v.conflict(s.ID, s.UpdatedAt, []edited{{
		name: "status", label: "Status", show: components.StatusName,
		was: v.value("was_status"), mine: string(mine), theirs: string(s.Status),
	}})
	if err != nil {
		return err
	}
	c.Action, c.Discard = v.at("/sessions/"+s.ID+"/status")+v.listingQuery(), v.at("/sessions/"+s.ID)+v.listingQuery()
	shell, err := v.shell(s.Title)
	if err != nil {
		return err
	}
	return v.render(http.StatusConflict, pages.Clashing(pages.ClashPage{Shell: shell, Conflict: *c}))
}

// changed leads to a record that was changed from what it was, and offers to put
// back what nobody outside was told of: status, track and tags.
func (v *visit) changed(now, was *models.Session, text string) error {
	base, query := v.at("/sessions/"+now.ID), v.listingQuery()
	fields := []components.Fault{{Field: "updated_at", Message: now.UpdatedAt.String()}}
	zone := v.event.Location()
	before, after := formOf(was, zone), formOf(now, zone)
	small := 0
	for _, field := range editedFields() {
		name := field.Name
		if before.values[name] == after.values[name] {
			continue
		}
		if !slices.Contains(puttable, name) {
			return v.see(base+query, text)
		}
		small++
		fields = append(fields, components.Fault{Field: name, Message: before.values[name]})
	}
	if small == 0 || decides(was, now.Status) || decides(now, was.Status) {
		return v.see(base+query, text)
	}
	return v.seeUndo(base+query, text, base+"/put-back"+query, fields...)
}

// puttable are the fields that an undo puts back.
var puttable = []string{"status", "track_id", "tag_ids"}

// putBack undoes a change of a record, unless somebody changed it since.
func putBack(v *visit) error {
	token, err := models.ParseTime(v.value("updated_at"))
	if err != nil {
		return errOldForm
	}
	c := models.SessionChange{UpdatedAt: &token}
	for _, name := range puttable {
		if v.Request().PostArgs().Has(name) {
			if err := setField(&c, models.Field(name), v.value(name), v.event.Location()); err != nil {
				return err
			}
		}
	}
	id := v.Params("id")
	_, err = v.programme.UpdateSession(v.ctx(), id, c)
	switch models.KindOf(err) {
	case models.Stale:
		v.keepNotice("warn", "Somebody changed this since, so nothing was undone.")
	case models.Invalid:
		v.keepNotice("warn", "What it was is not there any more, so nothing was undone.")
	default:
		if err != nil {
			return err
		}
		v.keepNotice("good", "Undone.")
	}
	return v.see(v.at("/sessions/"+id)+v.listingQuery(), "")
}
