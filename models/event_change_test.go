package models_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestEventSettingsChange(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, at := f.Programme(), store.At(f.Clock.Now())
		later := store.At(at.Add(24 * time.Hour))
		first := f.Programme().Event()
		e := modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{Name: new(" Conf 2027 "), Slug: new("conf-2027"),
			Timezone: new("Asia/Kathmandu"), UpdatedAt: &first.UpdatedAt, StartsOn: store.Some("2027-05-20"),
			EndsOn: store.Some("2027-05-20"), CFPOpensAt: store.Some(at), CFPClosesAt: store.Some(later)}))(t)
		kept := f.Programme().Event()
		for _, e := range []*models.Event{e, kept} {
			if e.Name != "Conf 2027" || e.Slug != "conf-2027" || e.Timezone != "Asia/Kathmandu" || *e.StartsOn != "2027-05-20" ||
				*e.EndsOn != "2027-05-20" || !e.CFPOpensAt.Equal(at.Time) || !e.CFPClosesAt.Equal(later.Time) ||
				!e.UpdatedAt.After(first.UpdatedAt.Time) {
				t.Errorf("%+v", e)
			}
		}
		if shown, _ := json.Marshal(kept); strings.Contains(string(shown), "2027-05") ||
			strings.Contains(string(shown), "cfp") {
			t.Errorf("the settings are shown: %s", shown)
		}
		lines, err := p.Activity(t.Context(), f.Event.ID)
		if err != nil || len(lines) != 1 || lines[0].Subject != "event" || !strings.Contains(lines[0].After, "Kathmandu") ||
			!strings.Contains(lines[0].Before, "Brussels") {
			t.Errorf("%+v, %v", lines, err)
		}
		// What is not named stays, what is null goes, and what changes nothing writes nothing.
		if e, err = p.UpdateEvent(t.Context(), models.EventChange{CFPOpensAt: store.Null[store.Time](),
			EndsOn: store.Null[string]()}); err != nil {
			t.Fatal(err)
		}
		if e.CFPOpensAt != nil || e.EndsOn != nil || e.StartsOn == nil || e.CFPClosesAt == nil || e.Name != "Conf 2027" {
			t.Errorf("%+v", e)
		}
		again, err := p.UpdateEvent(t.Context(), models.EventChange{Slug: new("conf-2027"), UpdatedAt: &e.UpdatedAt})
		if err != nil || !again.UpdatedAt.Equal(e.UpdatedAt.Time) {
			t.Errorf("%+v, %v", again, err)
		}
		if other := f.Elsewhere().Event(); other.Name != "Another" || other.StartsOn != nil {
			t.Errorf("the other event became %+v", other)
		}
	})
}

func TestEventSettingsAreChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, at := f.Programme(), store.At(f.Clock.Now())
		old := f.Programme().Event().UpdatedAt
		modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{StartsOn: store.Some("2027-05-20"),
			CFPClosesAt: store.Some(at)}))(t)
		before := f.Programme().Event()
		for _, c := range []struct {
			field  string
			change models.EventChange
		}{
			{"name", models.EventChange{Name: new(" ")}},
			{"name", models.EventChange{Name: new(strings.Repeat("x", 256))}},
			{"slug", models.EventChange{Slug: new("Conf")}},
			{"slug", models.EventChange{Slug: new("")}},
			{"slug", models.EventChange{Slug: new(store.NewID())}},
			{"slug", models.EventChange{Slug: &f.Other.Slug}},
			{"timezone", models.EventChange{Timezone: new("Local")}},
			{"timezone", models.EventChange{Timezone: new("")}},
			{"timezone", models.EventChange{Timezone: new("Mars/Olympus")}},
			{"timezone", models.EventChange{Timezone: new("../etc/passwd")}},
			{"starts_on", models.EventChange{StartsOn: store.Some("2027-02-29")}},
			{"starts_on", models.EventChange{StartsOn: store.Some("")}},
			{"ends_on", models.EventChange{EndsOn: store.Some("20.05.2027")}},
			{"ends_on", models.EventChange{EndsOn: store.Some("2027-05-19")}},
			{"cfp_closes_at", models.EventChange{CFPOpensAt: store.Some(at)}},
			{"updated_at", models.EventChange{Name: new("New"), UpdatedAt: &old}},
		} {
			_, err := p.UpdateEvent(t.Context(), c.change)
			e, ok := err.(*store.Error)
			if !ok || len(e.Fields) != 1 || e.Fields[0].Field != c.field ||
				(e.Kind == store.Stale) != (c.field == "updated_at") {
				t.Errorf("%s %+v: %v", c.field, c.change, err)
			}
		}
		if after := f.Programme().Event(); after.Name != before.Name || !after.UpdatedAt.Equal(before.UpdatedAt.Time) {
			t.Errorf("something was kept: %+v", after)
		}
		for field, n := range map[string]models.NewEvent{
			"starts_on": {Name: "E", Slug: "e", Timezone: "UTC", StartsOn: new("soon")},
			"ends_on":   {Name: "E", Slug: "e", Timezone: "UTC", StartsOn: new("2027-05-20"), EndsOn: new("2027-05-19")},
		} {
			_, err := f.CreateEvent(t.Context(), n)
			if e, ok := err.(*store.Error); !ok || e.Fields[0].Field != field {
				t.Errorf("%s: %v", field, err)
			}
		}
		e, err := f.CreateEvent(t.Context(), models.NewEvent{Name: "E", Slug: "e", Timezone: "UTC",
			StartsOn: new("2027-05-20"), EndsOn: new("2027-05-22")})
		if err != nil || *e.StartsOn != "2027-05-20" || *e.EndsOn != "2027-05-22" {
			t.Errorf("%+v, %v", e, err)
		}
	})
}
