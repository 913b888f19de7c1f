package agenda

import (
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

// breakFields are the form's fields, named as in the models, with their labels.
var breakFields = []struct{ name, label string }{{"kind", "Kind"}, {"title", "Title"}, {"room_id", "Room"},
	{"starts_at", "Starts"}, {"ends_at", "Ends"}, {"is_plenary", "Plenary"}}

// breakForm holds the form's values by field name; a moment is a ClockText.
type breakForm map[string]string

func breakFormOf(v *visit.Visit, b *models.Break) breakForm {
	zone := v.Event.Location()
	f := breakForm{"kind": string(b.Kind), "title": b.Title, "room_id": "",
		"starts_at": page.ClockText(page.ClockOf(&b.StartsAt, zone)),
		"ends_at":   page.ClockText(page.ClockOf(&b.EndsAt, zone)), "is_plenary": strconv.FormatBool(b.IsPlenary)}
	if b.RoomID != nil {
		f["room_id"] = *b.RoomID
	}
	return f
}

// sentBreak reads the form that was sent; with a prefix, its values when it was opened.
func sentBreak(v *visit.Visit, prefix string) breakForm {
	f := breakForm{}
	for _, field := range breakFields {
		f[field.name] = v.Value(prefix + field.name)
	}
	f["starts_at"], f["ends_at"] = v.Clock(prefix+"starts_at"), v.Clock(prefix+"ends_at")
	return f
}

// change turns the form into a change. It answers Invalid for a time that does not exist or that comes twice.
func (f breakForm) change(zone *time.Location) (models.BreakChange, error) {
	var faults store.Faults
	read := func(name string) *store.Time {
		at, err := page.SentClock(name, f[name], zone)
		if faults.Add(err); err != nil || at.Value == nil {
			return new(store.Time) // zero, which the rules refuse
		}
		return at.Value
	}
	c := models.BreakChange{Kind: new(models.BreakKind(f["kind"])), Title: new(f["title"]), StartsAt: read("starts_at"),
		EndsAt: read("ends_at"), RoomID: store.Optional[string]{Set: true, Value: visit.Optional(f["room_id"])},
		IsPlenary: new(f["is_plenary"] == "true")}
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
		day = valueOr(v.Event.StartsOn, v.Options.Now().In(v.Event.Location()).Format(time.DateOnly))
	}
	start, err := time.Parse("15:04", v.Query("start"))
	if err != nil {
		start = time.Date(0, 1, 1, 12, 0, 0, 0, time.UTC)
	}
	begins, _ := time.Parse("2006-01-02 15:04", day+" "+start.Format("15:04"))
	wall := func(at time.Time) string { return at.Format("2006-01-02T15:04") }
	return breakPage(v, http.StatusOK, nil, breakForm{"kind": string(models.Pause), "room_id": v.Query("room"),
		"starts_at": wall(begins), "ends_at": wall(begins.Add(time.Hour))}, nil)
}

// breakPage shows the form of a break, nil for a new one.
func breakPage(v *visit.Visit, status int, b *models.Break, f breakForm, c *components.Conflict) error {
	zone := v.Event.Location()
	rooms, err := v.FamilyOptions(models.Rooms, f["room_id"])
	if err != nil {
		return err
	}
	p := pages.BreakPage{Action: v.At("/agenda/breaks/new"), Back: v.At("/agenda"), Values: f, Zone: v.Event.Timezone,
		Kinds: visit.Choices(models.BreakKinds, func(k models.BreakKind) (string, string) { return string(k), breakNames[k] },
			f["kind"]),
		Rooms:       append([]components.Option{{Name: "All rooms", Chosen: f["room_id"] == ""}}, rooms...),
		StartsTwice: page.Twice(f["starts_at"], zone), EndsTwice: page.Twice(f["ends_at"], zone), Conflict: c,
		MayChange: v.May(staff.Organizer)}
	title := "New break"
	if b != nil {
		title = b.Title
		p.Action, p.Back, p.UpdatedAt = v.At("/agenda/breaks/"+b.ID), agendaOn(v, b.StartsAt), b.UpdatedAt.String()
		was := breakFormOf(v, b)
		if !v.Reads() {
			was = sentBreak(v, components.FirstPrefix)
		}
		for _, field := range breakFields {
			p.First = append(p.First, components.Hidden{Name: field.name, Value: was[field.name]})
		}
		p.CanCopy, p.Exists = b.RoomID != nil && len(rooms) > 1, true
	}
	return visit.Show(v, status, title, pages.Break, p)
}

func addBreak(v *visit.Visit) error {
	f := sentBreak(v, "")
	c, err := f.change(v.Event.Location())
	var b *models.Break
	if err == nil {
		err = v.Once(func(ctx context.Context) (_ string, err error) {
			b, err = agenda.Of(v.Programme).AddBreak(ctx, models.NewBreak{Kind: *c.Kind, Title: *c.Title, StartsAt: *c.StartsAt,
				EndsAt: *c.EndsAt, RoomID: c.RoomID.Value, IsPlenary: *c.IsPlenary})
			if err != nil {
				return "", err
			}
			return agendaOn(v, b.StartsAt), nil
		})
	}
	if err != nil {
		return v.Again(err, func(status int) error { return breakPage(v, status, nil, f, nil) })
	}
	return v.See(agendaOn(v, b.StartsAt), "“"+visit.Cut(b.Title)+"” is in the agenda.")
}

func showBreak(v *visit.Visit, b *models.Break) error {
	return breakPage(v, http.StatusOK, b, breakFormOf(v, b), nil)
}

func changeBreak(v *visit.Visit, b *models.Break) error {
	f := sentBreak(v, "")
	c, err := f.change(v.Event.Location())
	if err == nil {
		token, _ := store.ParseTime(v.Value("updated_at")) // a missing token counts as stale
		c.UpdatedAt = &token
		var now *models.Break
		if now, err = agenda.Of(v.Programme).UpdateBreak(v.UserContext(), b.ID, c); err == nil {
			return v.See(agendaOn(v, now.StartsAt), "“"+visit.Cut(now.Title)+"” is saved.")
		}
	}
	if store.KindOf(err) == store.Stale {
		return breakConflict(v, b, f)
	}
	return v.Again(err, func(status int) error { return breakPage(v, status, b, f, nil) })
}

// breakConflict asks, field by field, whose value shall stay.
func breakConflict(v *visit.Visit, b *models.Break, f breakForm) error {
	rooms, err := v.Programme.Family(v.UserContext(), models.Rooms)
	if err != nil {
		return err
	}
	roomName := func(id string) string {
		for _, m := range rooms {
			if m.ID == id {
				return m.Name
			}
		}
		return "All rooms"
	}
	clock := func(text string) string { return page.ClockWords(text, v.Event.Location()) }
	words := map[string]func(string) string{"room_id": roomName, "starts_at": clock, "ends_at": clock,
		"kind":       func(kind string) string { return breakNames[models.BreakKind(kind)] },
		"is_plenary": func(is string) string { return map[bool]string{true: "Yes", false: "No"}[is == "true"] }}
	was, theirs := sentBreak(v, components.FirstPrefix), breakFormOf(v, b)
	var fields []page.Edited
	for _, field := range breakFields {
		fields = append(fields, page.Edited{Name: field.name, Label: field.label, Was: was[field.name], Mine: f[field.name],
			Theirs: theirs[field.name], Show: words[field.name]})
	}
	c, err := v.Conflict(b.ID, b.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Action, c.Discard = v.At("/agenda/breaks/"+b.ID), v.At("/agenda/breaks/"+b.ID)
	return breakPage(v, http.StatusConflict, b, f, c)
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

func valueOr(s *string, other string) string {
	if s == nil {
		return other
	}
	return *s
}
