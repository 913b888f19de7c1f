package admin

import (
	"context"
	"net/http"

	"lectern/models"
	"lectern/views/pages"
)

func (w *Web) eventRoutes() []route {
	return []route{
		{"GET", "/admin/events/new", owner, newEventForm},
		{"POST", "/admin/events/new", owner, newEvent},
	}
}

func newEventForm(v *visit) error {
	p := pages.NewEventPage{Starter: true}
	return v.newEventPage(http.StatusOK, p)
}

func (v *visit) newEventPage(status int, p pages.NewEventPage) error {
	p.Page, p.Zones = v.page("New event"), zones
	return v.render(status, pages.NewEvent(p))
}

func newEvent(v *visit) error {
	p := pages.NewEventPage{
		Name: v.value("name"), Slug: v.value("slug"), Zone: zoneNamed(v.value("timezone")),
		StartsOn: v.value("starts_on"), EndsOn: v.value("ends_on"), Starter: v.value("starter") != "",
	}
	var e *models.Event
	err := v.once(func(ctx context.Context) (_ string, err error) {
		e, err = v.w.store.AddEvent(ctx, v.team(), models.NewEvent{
			Name: p.Name, Slug: p.Slug, Timezone: p.Zone, StartsOn: optional(p.StartsOn), EndsOn: optional(p.EndsOn),
		})
		if err == nil && p.Starter {
			err = v.starterRows(ctx, e)
		}
		if err != nil {
			return "", err
		}
		return "/admin/events/" + e.ID, nil
	})
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.newEventPage(http.StatusUnprocessableEntity, p)
	}
	return v.see("/admin/events/"+e.ID, "“"+cut(p.Name)+"” is created.")
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// starterRows are what an event may begin with, so that its forms are not empty.
func (v *visit) starterRows(ctx context.Context, e *models.Event) error {
	programme := v.w.store.Programme(e, v.by())
	add := func(family models.Family, rows ...models.NewMetadata) error {
		for _, row := range rows {
			if _, err := programme.CreateMetadata(ctx, family, row); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(models.Tracks, models.NewMetadata{Name: "Main"}, models.NewMetadata{Name: "Practice"}, models.NewMetadata{Name: "Community"}); err != nil {
		return err
	}
	if err := add(models.Rooms, models.NewMetadata{Name: "Great hall", Capacity: new(300)}, models.NewMetadata{Name: "Small hall", Capacity: new(80)}); err != nil {
		return err
	}
	return add(models.Formats, models.NewMetadata{Name: "Talk", DefaultMinutes: new(30)}, models.NewMetadata{Name: "Workshop", DefaultMinutes: new(90)}, models.NewMetadata{Name: "Lightning talk", DefaultMinutes: new(5)})
}
