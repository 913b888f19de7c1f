package people

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// bulk returns the bar with what can be done with ticked people. A status is set at once for a page of them, after
// confirmation for all.
func (r *roster) bulk(mayChange bool, found int64, onPage int) (*toolbar.Bulk, error) {
	if onPage == 0 || r.Event != nil && !mayChange {
		return nil, nil
	}
	bar := &toolbar.Bulk{Query: r.l.Query.Encode(), Action: r.base + "/status"}
	if r.Event != nil {
		bar.Verbs = []toolbar.BulkVerb{{Do: models.Invited, Name: "Invited", Icon: "hourglass", Key: "i"},
			{Do: models.Confirmed, Name: "Confirmed", Icon: "check", Key: "c"}}
		bar.Menus = []toolbar.BulkMenu{{Name: "Other status", Parts: []toolbar.BulkPart{{
			Fields: []toolbar.FilterField{{Name: "to", Label: "Status", Options: statusChoices()}},
			Verb:   toolbar.BulkVerb{Do: otherStatus, Name: "Change status"}}}}}
	}
	if err := r.write(bar); err != nil {
		return nil, err
	}
	if err := r.place(bar); err != nil || len(bar.Verbs)+len(bar.Menus) == 0 {
		return nil, err
	}
	if found > int64(onPage) {
		bar.All = "All " + visit.Number(found) + map[bool]string{true: " matching"}[r.isNarrowed() ||
			r.l.Query.Get("q") != ""]
	}
	return bar, nil
}

// otherStatus is the verb that takes the status from the menu.
const otherStatus = "other"

// statusChoices returns the workflow statuses as options, of which none is chosen.
func statusChoices() []components.Option {
	options := workflowOptions("x")
	options[0].Value = people.NoStatus
	return options
}

// statusToGive returns the status that a form gives people; chosen is false where the form has none.
func statusToGive(v *visit.Visit) (to string, chosen bool) {
	if to = v.Value("do"); to == otherStatus {
		to = v.Value("to")
	}
	if to == people.NoStatus {
		return "", true
	}
	return to, to != ""
}

// statusName words a status.
func statusName(status string) string {
	if status == "" {
		return "No status"
	}
	return components.StatusName(status)
}

// moveStatuses gives the ticked people another status, or undoes that.
func moveStatuses(v *visit.Visit, r *roster) error {
	if undo := v.Values("undo"); len(undo) > 0 {
		return r.moveBack(undo)
	}
	to, chosen := statusToGive(v)
	ids := v.Values("id")
	switch {
	case !chosen:
		return v.SeeWarning(r.at(r.l), "No status was chosen, so nothing was changed.")
	case v.Value("scope") == "all":
		return r.moveAll(to)
	case len(ids) == 0:
		return v.SeeWarning(r.at(r.l), "Nobody was ticked, so nothing was changed.")
	}
	moves := store.Map(ids, func(id string) people.StatusMove { return people.StatusMove{ContactID: id, To: to} })
	done, err := people.Of(v.Programme).MoveStatuses(v.UserContext(), moves, true)
	if err != nil {
		return err
	}
	if len(done) == 0 {
		return v.See(r.at(r.l), "They have that status already.")
	}
	return v.SeeUndo(r.at(r.l), statusName(to)+": "+visit.Counted(int64(len(done)), "person", "people")+".",
		r.base+"/status",
		append(undoing(done...), components.Hidden{Name: "query", Value: v.Value("query")})...)
}

// undoing returns the fields of the form that undoes moves.
func undoing(done ...people.StatusMove) (fields []components.Hidden) {
	for _, from := range append([]string{""}, models.WorkflowStatuses...) {
		if ids := packed(done, from); ids != "" {
			fields = append(fields, components.Hidden{Name: "undo", Value: done[0].To + ":" + from + ":" + ids})
		}
	}
	return fields
}

// seeStatus leads to an address and says which status a person has now; the undo leads to their page.
func seeStatus(v *visit.Visit, address, text string, done people.StatusMove) error {
	return v.SeeUndo(address, text, v.At("/speakers/status"),
		append(undoing(done), components.Hidden{Name: "back", Value: "person"})...)
}

// moveAll gives all people of the list another status, after confirmation.
func (r *roster) moveAll(to string) error {
	if r.Value("confirm") != "yes" {
		n, err := people.In(r.directory).Count(r.UserContext(), r.filter())
		if err != nil {
			return err
		}
		return r.Ask("Give "+visit.Counted(n, "person", "people")+" the status “"+statusName(to)+"”?", layouts.ConfirmPage{
			Points: []string{"It sends nothing.", "Their status before stands in the activity of each; there is no Undo for all at once."},
			Action: r.base + "/status", Verb: "Change status of " + visit.Counted(n, "person", "people"), Keeps: true,
			Cancel: r.at(r.l),
			Hidden: []components.Hidden{{Name: "query", Value: r.Value("query")}, {Name: "scope", Value: "all"},
				{Name: "do", Value: otherStatus}, {Name: "to", Value: cmp.Or(to, people.NoStatus)}}})
	}
	n, err := people.Of(r.Programme).MoveAllStatuses(r.UserContext(), r.filter(), to)
	return r.Done(err, r.at(r.l), statusName(to)+": "+visit.Counted(int64(n), "person", "people")+".")
}

// moveBack gives people their former status again, unless somebody gave them another one since.
func (r *roster) moveBack(undo []string) error {
	var moves []people.StatusMove
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
			moves = append(moves, people.StatusMove{ContactID: uuid.UUID(one).String(), From: parts[0], To: parts[1]})
		}
	}
	done, err := people.Of(r.Programme).MoveStatuses(r.UserContext(), moves, false)
	if err != nil {
		return err
	}
	back := r.at(r.l)
	if r.Value("back") == "person" && len(moves) == 1 {
		back = r.base + "/" + moves[0].ContactID
	}
	if len(done) < len(moves) {
		text := "Undone for " + visit.Number(int64(len(done))) + " of " + visit.Number(int64(len(moves))) +
			"; the others were changed by somebody since."
		if len(moves) == 1 {
			text = "Somebody changed the status since, so it stays as it is."
		}
		return r.SeeWarning(back, text)
	}
	return r.See(back, "Undone.")
}

// packed encodes the ids of the people who had a status in few characters, since the notice with the undo must fit into
// a cookie.
func packed(done []people.StatusMove, from string) string {
	var ids []byte
	for _, move := range done {
		if id, err := uuid.Parse(move.ContactID); err == nil && move.From == from {
			ids = append(ids, id[:]...)
		}
	}
	return base64.RawURLEncoding.EncodeToString(ids)
}
