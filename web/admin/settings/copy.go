package settings

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/archive"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
)

// original reads the event to copy.
func original(v *visit.Visit) (*models.Event, error) {
	e, _, err := v.Store.EventFor(v.UserContext(), v.User, v.Params("original"))
	return e, err
}

func copyEventForm(v *visit.Visit, e *models.Event) error {
	p := pages.CopyEventPage{Name: e.Name, Slug: e.Slug}
	if e.StartsOn != nil {
		if first, err := time.Parse(time.DateOnly, *e.StartsOn); err == nil {
			year, next := strconv.Itoa(first.Year()), first.AddDate(0, 0, 52*7) // the same day of the week
			p.StartsOn = next.Format(time.DateOnly)
			p.Name = strings.ReplaceAll(e.Name, year, strconv.Itoa(first.Year()+1))
			p.Slug = strings.ReplaceAll(e.Slug, year, strconv.Itoa(first.Year()+1))
		}
	}
	if p.Slug == e.Slug {
		p.Slug = ""
	}
	return copyEventPage(v, e, http.StatusOK, p)
}

func copyEventPage(v *visit.Visit, e *models.Event, status int, p pages.CopyEventPage) error {
	p.Page, p.Action, p.Of, p.HasDays = v.Page("Copy an event"), eventCopies+e.ID, e.Name, e.StartsOn != nil
	return v.Render(status, pages.CopyEvent(p))
}

func copyEvent(v *visit.Visit, from *models.Event) error {
	p := pages.CopyEventPage{Name: v.Value("name"), Slug: v.Value("slug"), StartsOn: v.Value("starts_on")}
	whole, err := archive.Prepare(v.UserContext(), v.Store.Programme(from, v.By()))
	if err != nil {
		return err
	}
	e, err := visit.Made(v, func(ctx context.Context) (*models.Event, error) {
		c := archive.Copy{Name: p.Name, Slug: p.Slug, StartsOn: visit.Optional(p.StartsOn)}
		return whole.Copy(ctx, c, func(ctx context.Context, n models.NewEvent) (*models.Event, error) {
			return v.Store.AddEvent(ctx, v.Store.Staff.Team(v.Tenant()), n)
		})
	}, eventAt)
	if err != nil {
		return v.Again(err, func(status int) error { return copyEventPage(v, from, status, p) })
	}
	return v.See(eventAt(e), "“"+visit.Cut(p.Name)+"” is created, as a copy of “"+visit.Cut(from.Name)+"”.")
}
