package admin

import (
	"net/http"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

func settingsForm(v *visit) error {
	values := settingsOf(v.event)
	return v.settingsPage(http.StatusOK, pages.SettingsPage{Values: values, Was: values,
		UpdatedAt: v.event.UpdatedAt.String()})
}

// settingsOf are an event's settings as the form holds them.
func settingsOf(e *models.Event) pages.SettingsValues {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return pages.SettingsValues{
		Name: e.Name, Slug: e.Slug, Zone: e.Timezone, StartsOn: text(e.StartsOn), EndsOn: text(e.EndsOn),
		AsksApproval: map[bool]string{true: "yes"}[e.AsksApproval],
	}
}

func (v *visit) settingsPage(status int, p pages.SettingsPage) error {
	p.Action, p.Zones = v.at("/settings"), page.Zones
	zone, err := time.LoadLocation(p.Values.Zone)
	if err != nil || p.Values.Zone == "" || p.Values.Zone == "Local" {
		zone = v.event.Location()
	}
	p.ZoneNow = v.options.Now().In(zone).Format("15:04 MST")
	p.Window, p.Call = v.windowSays(), v.at("/call/window")
	return show(v, status, "Settings", pages.Settings, p)
}

func (v *visit) settingsForm(was string) pages.SettingsValues {
	read := func(name string) string { return v.Value(was + name) }
	return pages.SettingsValues{
		Name: read("name"), Slug: read("slug"), Zone: page.ZoneNamed(read("timezone")), StartsOn: read("starts_on"),
		EndsOn: read("ends_on"), AsksApproval: read("asks_approval"),
	}
}

func changeSettings(v *visit) error {
	p := pages.SettingsPage{Values: v.settingsForm(""), Was: v.settingsForm(components.FirstPrefix),
		UpdatedAt: v.Value("updated_at")}
	_, err := v.programme.UpdateEvent(v.UserContext(), v.settingsChange(p))
	switch {
	case err == nil:
		notice := "The settings are saved."
		if p.Values.Zone != p.Was.Zone {
			notice = "The settings are saved. All times are shown in " + p.Values.Zone + " now."
		}
		return v.See(v.at("/settings"), notice)
	case store.KindOf(err) == store.Stale:
		return v.settingsConflict(p)
	}
	return v.Again(err, func(status int) error { return v.settingsPage(status, p) })
}

// settingsChange reads the form.
func (v *visit) settingsChange(p pages.SettingsPage) models.EventChange {
	token, _ := store.ParseTime(p.UpdatedAt) // none is as good as an old one
	in := p.Values
	return models.EventChange{
		Name: &in.Name, Slug: &in.Slug, Timezone: &in.Zone, AsksApproval: new(in.AsksApproval == "yes"), UpdatedAt: &token,
		StartsOn: store.Optional[string]{Set: true, Value: optional(in.StartsOn)},
		EndsOn:   store.Optional[string]{Set: true, Value: optional(in.EndsOn)},
	}
}

// tickWord says a tick.
func tickWord(value string) string { return map[bool]string{true: "Yes", false: "No"}[value == "yes"] }

func (v *visit) settingsConflict(p pages.SettingsPage) error {
	theirs := settingsOf(v.event)
	was, mine := p.Was, p.Values
	c, err := v.conflict(v.event.ID, v.event.UpdatedAt, []page.Edited{
		{Name: "name", Label: "Name", Was: was.Name, Mine: mine.Name, Theirs: theirs.Name},
		{Name: "slug", Label: "Short name", Was: was.Slug, Mine: mine.Slug, Theirs: theirs.Slug},
		{Name: "timezone", Label: "Time zone", Was: was.Zone, Mine: mine.Zone, Theirs: theirs.Zone},
		{Name: "starts_on", Label: "First day", Was: was.StartsOn, Mine: mine.StartsOn, Theirs: theirs.StartsOn},
		{Name: "ends_on", Label: "Last day", Was: was.EndsOn, Mine: mine.EndsOn, Theirs: theirs.EndsOn},
		{Name: "asks_approval", Label: "Ask for approved content", Was: was.AsksApproval, Mine: mine.AsksApproval,
			Theirs: theirs.AsksApproval, Show: tickWord},
	})
	if err != nil {
		return err
	}
	c.Action, c.Discard = v.at("/settings"), v.at("/settings")
	p.Conflict = c
	return v.settingsPage(http.StatusConflict, p)
}
