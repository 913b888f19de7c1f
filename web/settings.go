package web

import (
	"net/http"
	"time"

	"lectern/models"
	"lectern/views/components"
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
		Opens: local(e.CFPOpensAt, zone), Closes: local(e.CFPClosesAt, zone),
	}
	values.OpensWhich, values.ClosesWhich = which(e.CFPOpensAt, zone), which(e.CFPClosesAt, zone)
	return values
}

// which says whether a moment is the first or the second of those that show the
// same time; "" when there is no other.
func which(t *models.Time, zone *time.Location) string {
	if t == nil {
		return ""
	}
	found, err := moments("", local(t, zone), zone)
	if err != nil || len(found) < 2 {
		return ""
	}
	if t.Before(found[1].Time) {
		return "1"
	}
	return "2"
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

// twice are the two moments of a time that the clocks show twice.
func twice(wall, chosen string, zone *time.Location) []components.Option {
	found, err := moments("", wall, zone)
	if err != nil || len(found) < 2 {
		return nil
	}
	return []components.Option{
		{Name: "Choose one", Chosen: chosen == ""},
		{Value: "1", Name: "The first, " + found[0].In(zone).Format("15:04 MST"), Chosen: chosen == "1"},
		{Value: "2", Name: "The second, " + found[1].In(zone).Format("15:04 MST"), Chosen: chosen == "2"},
	}
}

func (v *visit) settingsForm(was string) pages.SettingsValues {
	read := func(name string) string { return v.value(was + name) }
	return pages.SettingsValues{
		Name: read("name"), Slug: read("slug"), Zone: zoneNamed(read("timezone")), StartsOn: read("starts_on"), EndsOn: read("ends_on"),
		Opens: read("cfp_opens_at"), Closes: read("cfp_closes_at"), OpensWhich: read("cfp_opens_at_which"), ClosesWhich: read("cfp_closes_at_which"),
	}
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
	if c.CFPOpensAt, err = cfpMoment("cfp_opens_at", in.Opens, in.OpensWhich, p.Was.Opens, p.Was.OpensWhich, zone); err != nil {
		return c, err
	}
	c.CFPClosesAt, err = cfpMoment("cfp_closes_at", in.Closes, in.ClosesWhich, p.Was.Closes, p.Was.ClosesWhich, zone)
	return c, err
}

func cfpMoment(field, wall, which, was, wasWhich string, zone *time.Location) (o models.Optional[models.Time], err error) {
	if wall == was && which == wasWhich {
		return o, nil
	}
	o.Set = true
	if wall == "" {
		return o, nil
	}
	at, err := moment(field, wall, which, zone)
	o.Value = &at
	return o, err
}

func (v *visit) settingsConflict(p pages.SettingsPage) error {
	theirs := settingsOf(v.event)
	was, mine := p.Was, p.Values
	clock := func(wall string) string { return wallTime(wall, v.event.Location()) }
	c, err := v.conflict(v.event.ID, v.event.UpdatedAt, []edited{
		{"name", "Name", was.Name, mine.Name, theirs.Name, nil},
		{"slug", "Short name", was.Slug, mine.Slug, theirs.Slug, nil},
		{"timezone", "Time zone", was.Zone, mine.Zone, theirs.Zone, nil},
		{"starts_on", "First day", was.StartsOn, mine.StartsOn, theirs.StartsOn, nil},
		{"ends_on", "Last day", was.EndsOn, mine.EndsOn, theirs.EndsOn, nil},
		{"cfp_opens_at", "Call for papers opens", was.Opens, mine.Opens, theirs.Opens, clock},
		{"cfp_closes_at", "Call for papers closes", was.Closes, mine.Closes, theirs.Closes, clock},
	})
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"cfp_opens_at_which": mine.OpensWhich, "was_cfp_opens_at_which": theirs.OpensWhich,
		"cfp_closes_at_which": mine.ClosesWhich, "was_cfp_closes_at_which": theirs.ClosesWhich,
	} {
		c.Kept = append(c.Kept, components.Fault{Field: name, Message: value})
	}
	c.Action, c.Discard = v.at("/settings"), v.at("/settings")
	p.Conflict = c
	return v.settingsPage(http.StatusConflict, p)
}
