package agenda

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/agenda"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// breakNames name the kinds of breaks.
var breakNames = map[models.BreakKind]string{models.Pause: "Break", models.Blocker: "Blocked room"}

// breakFields are the fields of the form of a break, named as in the models.
func breakFields(v *visit.Visit, b *models.Break) []page.Edited {
	zone := v.Event.Location()
	return []page.Edited{
		{Name: "kind", Label: "Kind", Theirs: string(b.Kind),
			Show: func(kind string) string { return breakNames[models.BreakKind(kind)] }},
		{Name: "title", Label: "Title", Theirs: b.Title},
		{Name: "room_id", Label: "Room", Theirs: visit.ValueOr(b.RoomID, ""), Show: func(id string) string {
			rooms, _ := v.FamilyOptions(models.Rooms)
			return cmp.Or(visit.OptionName(rooms, id), "All rooms")
		}},
		page.EditedMoment("starts_at", "Starts", &b.StartsAt, zone), page.EditedMoment("ends_at", "Ends", &b.EndsAt, zone),
		{Name: "is_plenary", Label: "Plenary", Theirs: strconv.FormatBool(b.IsPlenary),
			Show: func(is string) string { return map[bool]string{true: "Yes", false: "No"}[is == "true"] }}}
}

// breakChange turns the form into a change. It answers Invalid for a time that does not exist or that comes twice.
func breakChange(e *page.Edit, zone *time.Location) (models.BreakChange, error) {
	var faults store.Faults
	read := func(name string) *store.Time {
		at, err := page.SentClock(name, e.Of(name), zone)
		if faults.Add(err); err != nil || at.Value == nil {
			return new(store.Time) // zero, which the rules refuse
		}
		return at.Value
	}
	c := models.BreakChange{Kind: new(models.BreakKind(e.Of("kind"))), Title: new(e.Of("title")), StartsAt: read("starts_at"),
		EndsAt: read("ends_at"), RoomID: store.Optional[string]{Set: true, Value: visit.Optional(e.Of("room_id"))},
		IsPlenary: new(e.Of("is_plenary") == "true"), UpdatedAt: e.Token}
	return c, faults.Err()
}

// agendaOn returns the address of the agenda on the day of a moment.
func agendaOn(v *visit.Visit, at store.Time) string {
	return v.At("/agenda?" + url.Values{"day": {at.In(v.Event.Location()).Format(time.DateOnly)}}.Encode())
}

// agendaBreak reads the break of the path.
func agendaBreak(v *visit.Visit) (*models.Break, error) {
	return v.Programme.Break(v.UserContext(), v.Params("break"))
}

// newBreakForm shows a form with the day, time and room of the address.
func newBreakForm(v *visit.Visit) error {
	day := v.Query("day")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		day = visit.ValueOr(v.Event.StartsOn, v.Options.Now().In(v.Event.Location()).Format(time.DateOnly))
	}
	start, err := time.Parse("15:04", v.Query("start"))
	if err != nil {
		start = time.Date(0, 1, 1, 12, 0, 0, 0, time.UTC)
	}
	begins, _ := time.Parse("2006-01-02 15:04", day+" "+start.Format("15:04"))
	wall := func(at time.Time) string { return at.Format("2006-01-02T15:04") }
	e := page.Opened(store.Time{}, breakFields(v, &models.Break{Kind: models.Pause, RoomID: new(v.Query("room"))}))
	e.Set("starts_at", wall(begins))
	e.Set("ends_at", wall(begins.Add(time.Hour)))
	return breakPage(v, http.StatusOK, nil, e)
}

// breakPage shows the form of a break, nil for a new one.
func breakPage(v *visit.Visit, status int, b *models.Break, e *page.Edit) error {
	zone := v.Event.Location()
	rooms, err := v.FamilyOptions(models.Rooms, e.Of("room_id"))
	if err != nil {
		return err
	}
	p := pages.BreakPage{Action: v.At("/agenda/breaks/new"), Back: v.At("/agenda"), Edit: e.Shown(), Zone: v.Event.Timezone,
		Kinds: visit.Choices(models.BreakKinds, func(k models.BreakKind) (string, string) { return string(k), breakNames[k] },
			e.Of("kind")),
		Rooms:       append([]components.Option{{Name: "All rooms", Chosen: e.Of("room_id") == ""}}, rooms...),
		StartsTwice: page.Twice(e.Of("starts_at"), zone), EndsTwice: page.Twice(e.Of("ends_at"), zone),
		MayChange: v.May(staff.Organizer)}
	title := "New break"
	if b != nil {
		title = b.Title
		p.Action, p.Back = v.At("/agenda/breaks/"+b.ID), agendaOn(v, b.StartsAt)
		p.CanCopy, p.Exists = b.RoomID != nil && len(rooms) > 1, true
	}
	return visit.Show(v, status, title, pages.Break, p)
}

func addBreak(v *visit.Visit) error {
	e := v.Sent(store.Time{}, breakFields(v, &models.Break{}))
	c, err := breakChange(e, v.Event.Location())
	var b *models.Break
	if err == nil {
		b, err = visit.Made(v, func(ctx context.Context) (*models.Break, error) {
			return agenda.Of(v.Programme).AddBreak(ctx, models.NewBreak{Kind: *c.Kind, Title: *c.Title, StartsAt: *c.StartsAt,
				EndsAt: *c.EndsAt, RoomID: c.RoomID.Value, IsPlenary: *c.IsPlenary})
		}, func(b *models.Break) string { return agendaOn(v, b.StartsAt) })
	}
	if err != nil {
		return v.Again(err, func(status int) error { return breakPage(v, status, nil, e) })
	}
	return v.See(agendaOn(v, b.StartsAt), "“"+visit.Cut(b.Title)+"” is in the agenda.")
}

func showBreak(v *visit.Visit, b *models.Break) error {
	return breakPage(v, http.StatusOK, b, page.Opened(b.UpdatedAt, breakFields(v, b)))
}

func changeBreak(v *visit.Visit, b *models.Break) error {
	e := v.Sent(b.UpdatedAt, breakFields(v, b))
	c, err := breakChange(e, v.Event.Location())
	if err == nil {
		var now *models.Break
		if now, err = agenda.Of(v.Programme).UpdateBreak(v.UserContext(), b.ID, c); err == nil {
			return v.See(agendaOn(v, now.StartsAt), "“"+visit.Cut(now.Title)+"” is saved.")
		}
	}
	return v.Unsaved(err, e, b.ID, v.At("/agenda/breaks/"+b.ID), func(status int) error { return breakPage(v, status, b, e) })
}

func deleteBreak(v *visit.Visit, b *models.Break) error {
	if _, err := agenda.Of(v.Programme).DeleteBreak(v.UserContext(), b.ID); err != nil {
		return err
	}
	return v.SeeUndo(agendaOn(v, b.StartsAt), "“"+visit.Cut(b.Title)+"” is out of the agenda.",
		v.At("/agenda/breaks/"+b.ID+"/restore"))
}

func restoreBreak(v *visit.Visit) error {
	b, err := agenda.Of(v.Programme).RestoreBreak(v.UserContext(), v.Params("break"))
	if err != nil {
		return err
	}
	return v.See(agendaOn(v, b.StartsAt), "“"+visit.Cut(b.Title)+"” is back in the agenda.")
}

func copyBreak(v *visit.Visit, b *models.Break) error {
	copies, left, err := agenda.Of(v.Programme).CopyBreak(v.UserContext(), b.ID)
	if err != nil {
		return err
	}
	text := "“" + visit.Cut(b.Title) + "” is in " + visit.Counted(int64(len(copies)), "other room", "other rooms") +
		" too."
	if len(copies) == 0 {
		text = "“" + visit.Cut(b.Title) + "” was not copied."
	}
	if left > 0 {
		text += " " + visit.Counted(int64(left), "room has", "rooms have") + " a break at that time already."
	}
	return v.See(agendaOn(v, b.StartsAt), text)
}
