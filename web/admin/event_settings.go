package admin

import (
	"net/http"
	"time"

	"lectern/models"
	"lectern/views/pages"
)

func (w *Web) settingsRoutes() []route {
	return []route{
		{"GET", event + "/settings", organizer, settingsForm},
		{"POST", event + "/settings", organizer, changeSettings},
		{"GET", event + "/activity", viewer, listActivity},
	}
}

func settingsForm(v *visit) error {
	values := settingsOf(v.event)
	return v.settingsPage(http.StatusOK, pages.SettingsPage{Values: values, Was: values, UpdatedAt: v.event.UpdatedAt.String()})
}

// settingsOf are an event's settings as the form holds them.
func settingsOf(e *models.Event) pages.SettingsValues {
	zone := e.Location()
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	values := pages.SettingsValues{
		Name: e.Name, Slug: e.Slug, Zone: e.Timezone, StartsOn: text(e.StartsOn), EndsOn: text(e.EndsOn),
	}
	values.Opens, values.OpensWhich = clockOf(e.CFPOpensAt, zone)
	values.Closes, values.ClosesWhich = clockOf(e.CFPClosesAt, zone)
	return values
}

func (v *visit) settingsPage(status int, p pages.SettingsPage) error {
	shell, err := v.shell("Settings")
	if err != nil {
		return err
	}
	p.Shell, p.Action, p.Zones = shell, v.at("/settings"), zones
	zone, err := time.LoadLocation(p.Values.Zone)
	if err != nil || p.Values.Zone == "" || p.Values.Zone == "Local" {
		zone = v.event.Location()
	}
	p.ZoneNow = v.w.options.Now().In(zone).Format("15:04 MST")
	p.OpensTwice, p.ClosesTwice = twice(p.Values.Opens, p.Values.OpensWhich, zone), twice(p.Values.Closes, p.Values.ClosesWhich, zone)
	return v.render(status, pages.Settings(p))
}

func (v *visit) settingsForm(was string) pages.SettingsValues {
	read := func(name string) string { return v.value(was + name) }
	values := pages.SettingsValues{
		Name: read("name"), Slug: read("slug"), Zone: zoneNamed(read("timezone")), StartsOn: read("starts_on"), EndsOn: read("ends_on"),
	}
	values.Opens, values.OpensWhich = v.clock(was + "cfp_opens_at")
	values.Closes, values.ClosesWhich = v.clock(was + "cfp_closes_at")
	return values
}

func changeSettings(v *visit) error {
	p := pages.SettingsPage{Values: v.settingsForm(""), Was: v.settingsForm("was_"), UpdatedAt: v.value("updated_at")}
	change, err := v.settingsChange(p)
	if err == nil {
		_, err = v.programme.UpdateEvent(v.ctx(), change)
	}
	switch {
	case err == nil:
		notice := "The settings are saved."
		if p.Values.Zone != p.Was.Zone {
			notice = "The settings are saved. All times are shown in " + p.Values.Zone + " now."
		}
		return v.see(v.at("/settings"), notice)
	case models.KindOf(err) == models.Stale:
		return v.settingsConflict(p)
	}
	if err := v.refuse(err); err != nil {
		return err
	}
	return v.settingsPage(http.StatusUnprocessableEntity, p)
}

// settingsChange reads the form. The call for papers is read in the time zone of
// the form; what was not touched stays the moment it is.
func (v *visit) settingsChange(p pages.SettingsPage) (models.EventChange, error) {
	token, _ := models.ParseTime(p.UpdatedAt) // none is as good as an old one
	in := p.Values
	c := models.EventChange{
		Name: &in.Name, Slug: &in.Slug, Timezone: &in.Zone, UpdatedAt: &token,
		StartsOn: models.Optional[string]{Set: true, Value: optional(in.StartsOn)},
		EndsOn:   models.Optional[string]{Set: true, Value: optional(in.EndsOn)},
	}
	err := models.CheckTimezone(in.Zone)
	if err != nil {
		return c, err
	}
	zone, _ := time.LoadLocation(in.Zone)
	if c.CFPOpensAt, err = movedClock("cfp_opens_at", clockText(in.Opens, in.OpensWhich), clockText(p.Was.Opens, p.Was.OpensWhich), zone); err != nil {
		return c, err
	}
	c.CFPClosesAt, err = movedClock("cfp_closes_at", clockText(in.Closes, in.ClosesWhich), clockText(p.Was.Closes, p.Was.ClosesWhich), zone)
	return c, err
}

func (v *visit) settingsConflict(p pages.SettingsPage) error {
	theirs := settingsOf(v.event)
	was, mine := p.Was, p.Values
	opens := func(s pages.SettingsValues) string { return clockText(s.Opens, s.OpensWhich) }
	closes := func(s pages.SettingsValues) string { return clockText(s.Closes, s.ClosesWhich) }
	show := func(text string) string { return clockWords(text, v.event.Location()) }
	c, err := v.conflict(v.event.ID, v.event.UpdatedAt, []edited{
		{"name", "Name", was.Name, mine.Name, theirs.Name, nil},
		{"slug", "Short name", was.Slug, mine.Slug, theirs.Slug, nil},
		{"timezone", "Time zone", was.Zone, mine.Zone, theirs.Zone, nil},
		{"starts_on", "First day", was.StartsOn, mine.StartsOn, theirs.StartsOn, nil},
		{"ends_on", "Last day", was.EndsOn, mine.EndsOn, theirs.EndsOn, nil},
		{"cfp_opens_at", "Call for papers opens", opens(was), opens(mine), opens(theirs), show},
		{"cfp_closes_at", "Call for papers closes", closes(was), closes(mine), closes(theirs), show},
	})
	if err != nil {
		return err
	}
	c.Action, c.Discard = v.at("/settings"), v.at("/settings")
	p.Conflict = c
	return v.settingsPage(http.StatusConflict, p)
}
