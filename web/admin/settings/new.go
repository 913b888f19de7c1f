package settings

import (
	"context"
	"net/http"

	"lectern/models"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func newEventForm(v *visit.Visit) error {
	return newEventPage(v, http.StatusOK, pages.NewEventPage{Starter: true})
}

func newEventPage(v *visit.Visit, status int, p pages.NewEventPage) error {
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	if err != nil {
		return err
	}
	p.Page, p.Zones, p.First = v.Page("New event"), page.Zones, len(events) == 0
	return v.Render(status, pages.NewEvent(p))
}

func eventAt(e *models.Event) string { return "/admin/events/" + e.ID }

func newEvent(v *visit.Visit) error {
	p := pages.NewEventPage{
		Name: v.Value("name"), Slug: v.Value("slug"), Zone: page.ZoneNamed(v.Value("timezone")),
		StartsOn: v.Value("starts_on"), EndsOn: v.Value("ends_on"), Starter: v.Value("starter") != "",
	}
	e, err := visit.Made(v, func(ctx context.Context) (*models.Event, error) {
		e, err := v.Store.AddEvent(ctx, v.Store.Staff.Team(v.Tenant()), models.NewEvent{
			Name: p.Name, Slug: p.Slug, Timezone: p.Zone, StartsOn: visit.Optional(p.StartsOn), EndsOn: visit.Optional(p.EndsOn),
		})
		if err == nil && p.Starter {
			err = starterRows(v, ctx, e)
		}
		return e, err
	}, eventAt)
	if err != nil {
		return v.Again(err, func(status int) error { return newEventPage(v, status, p) })
	}
	return v.See(eventAt(e), "“"+visit.Cut(p.Name)+"” is created.")
}

// starterRows adds metadata to a new event, so that its forms are not empty.
func starterRows(v *visit.Visit, ctx context.Context, e *models.Event) error {
	programme := v.Store.Programme(e, v.By())
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
