package admin

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// moveStatuses gives those who are ticked another status, or takes that back.
func moveStatuses(v *visit) error {
	back := v.at("/speakers")
	if query, err := url.ParseQuery(v.Value("query")); err == nil && len(query) > 0 {
		back += "?" + query.Encode()
	}
	if undo := v.Values("undo"); len(undo) > 0 {
		return v.moveBack(undo, back)
	}
	var moves []models.StatusMove
	for _, id := range v.Values("person") {
		moves = append(moves, models.StatusMove{ContactID: id, To: v.Value("to")})
	}
	if len(moves) == 0 {
		v.KeepNotice("warn", "Nobody was ticked, so nothing was changed.")
		return v.See(back, "")
	}
	done, err := v.programme.MoveStatuses(v.ctx(), moves, true)
	if err != nil {
		return err
	}
	if len(done) == 0 {
		return v.See(back, "They have that status already.")
	}
	status := components.StatusName(done[0].To)
	if status == "" {
		status = "No status"
	}
	fields := []components.Hidden{{Name: "query", Value: v.Value("query")}}
	for _, from := range append([]string{""}, models.WorkflowStatuses...) {
		if ids := packed(done, from); ids != "" {
			fields = append(fields, components.Hidden{Name: "undo", Value: done[0].To + ":" + from + ":" + ids})
		}
	}
	return v.SeeUndo(back, status+": "+counted(int64(len(done)), "person", "people")+".", v.at("/speakers/status"), fields...)
}

// moveBack gives people the status that they had, unless somebody gave them another one since.
func (v *visit) moveBack(undo []string, back string) error {
	var moves []models.StatusMove
	for _, text := range undo {
		parts := strings.SplitN(text, ":", 3)
		if len(parts) < 3 {
			return page.OldForm
		}
		ids, err := base64.RawURLEncoding.DecodeString(parts[2])
		if err != nil || len(ids)%16 != 0 {
			return page.OldForm
		}
		for one := range slices.Chunk(ids, 16) {
			moves = append(moves, models.StatusMove{ContactID: uuid.UUID(one).String(), From: parts[0], To: parts[1]})
		}
	}
	done, err := v.programme.MoveStatuses(v.ctx(), moves, false)
	if err != nil {
		return err
	}
	if len(done) < len(moves) {
		v.KeepNotice("warn", "Undone for "+number(int64(len(done)))+" of "+number(int64(len(moves)))+
			"; the others were changed by somebody since.")
		return v.See(back, "")
	}
	return v.See(back, "Undone.")
}

// packed are the ids of who had a status, in few characters: the notice that offers the undo has little room.
func packed(done []models.StatusMove, from string) string {
	var ids []byte
	for _, move := range done {
		if id, err := uuid.Parse(move.ContactID); err == nil && move.From == from {
			ids = append(ids, id[:]...)
		}
	}
	return base64.RawURLEncoding.EncodeToString(ids)
}

// addNote keeps a note of somebody.
func addNote(v *visit) error {
	r, x, err := v.personOf()
	if err != nil {
		return err
	}
	text := v.Value("note")
	if _, err := v.programme.AddContactNote(v.ctx(), x.ID, text); err != nil {
		return v.Again(err, func(status int) error { return r.personPage(status, x, text) })
	}
	return v.See(r.base+"/"+x.ID+r.l.with("page", "")+"#notes", "The note is added.")
}

// askTakeOff asks before somebody is taken off the event.
func askTakeOff(v *visit) error {
	_, x, err := v.personOf()
	if err != nil {
		return err
	}
	return v.takeOffPage(x)
}

func (v *visit) takeOffPage(x *models.Person) error {
	return v.ask("Take "+x.FullName+" off "+v.event.Name+"?", pages.ConfirmPage{
		Text: "They stay a contact of the organization, and notes stay.",
		Points: []string{"Their status, tags, travel and availability at this event are deleted; the activity keeps them.",
			"It sends nothing."},
		Action: v.at("/speakers/" + x.ID + "/take-off"), Verb: "Take off the event", Cancel: v.at("/speakers/" + x.ID)})
}

func takeOff(v *visit) error {
	x, err := v.programme.TakeOffEvent(v.ctx(), v.Params("contact"))
	if store.KindOf(err) == store.Invalid {
		v.KeepNotice("bad", components.Sentence(components.Fault{Message: "They were not taken off: this person " +
			page.FaultsOf(err)[0].Message}))
		return v.Redirect(v.at("/speakers/"+v.Params("contact")), http.StatusSeeOther)
	}
	if err != nil {
		return err
	}
	return v.SeeUndo(v.at("/speakers?who=all"), cut(x.FullName)+" is not at this event any more.",
		v.at("/speakers/put-back"), components.Hidden{Name: "contact", Value: x.ID})
}

// putAtEvent puts a contact of the organization at this event.
func putAtEvent(v *visit) error {
	x, err := v.programme.PutAtEvent(v.ctx(), v.Value("contact"))
	if err != nil {
		return err
	}
	return v.See(v.at("/speakers/"+x.ID), cut(x.FullName)+" is at this event now.")
}
