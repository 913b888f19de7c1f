package admin

import (
	"context"
	"net/http"

	"lectern/models"
	"lectern/views/pages"
	"lectern/web/page"
)

func newEventForm(v *visit) error {
	return v.newEventPage(http.StatusOK, pages.NewEventPage{Starter: true})
}

func (v *visit) newEventPage(status int, p pages.NewEventPage) error {
	events, err := v.store.EventsFor(v.UserContext(), v.user)
	if err != nil {
		return err
	}
	p.Page, p.Zones, p.First = v.Page("New event"), page.Zones, len(events) == 0
	return v.Render(status, pages.NewEvent(p))
}

func newEvent(v *visit) error {
	p := pages.NewEventPage{
		Name: v.Value("name"), Slug: v.Value("slug"), Zone: page.ZoneNamed(v.Value("timezone")),
		StartsOn: v.Value("starts_on"), EndsOn: v.Value("ends_on"), Starter: v.Value("starter") != "",
	}
	var e *models.Event
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		e, err = v.store.AddEvent(ctx, v.team(), models.NewEvent{
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
		return v.Again(err, func(status int) error { return v.newEventPage(status, p) })
	}
	return v.See("/admin/events/"+e.ID, "“"+cut(p.Name)+"” is created.")
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// starterRows are what an event may begin with, so that its forms are not empty.
func (v *visit) starterRows(ctx context.Context, e *models.Event) error {
	programme := v.store.Programme(e, v.by())
	for _, family := range []struct {
		models.Family
		rows []models.NewMetadata
	}{
		{models.Tracks, []models.NewMetadata{{Name: "Main"}, {Name: "Practice"}, {Name: "Community"}}},
		{models.Rooms, []models.NewMetadata{{Name: "Great hall", Capacity: new(300)}, {Name: "Small hall", Capacity: new(80)}}},
		{models.Formats, []models.NewMetadata{{Name: "Talk", DefaultMinutes: new(30)},
			{Name: "Workshop", DefaultMinutes: new(90)}, {Name: "Lightning talk", DefaultMinutes: new(5)}}},
	} {
		for _, row := range family.rows {
			if _, err := programme.CreateMetadata(ctx, family.Family, row); err != nil {
				return err
			}
		}
	}
	return nil
}
