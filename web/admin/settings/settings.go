package settings

import (
	"net/http"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func settingsForm(v *visit.Visit) error {
	values := settingsOf(v.Event)
	return settingsPage(v, http.StatusOK, pages.Page{Values: values, Was: values,
		UpdatedAt: v.Event.UpdatedAt.String()})
}

// settingsOf returns an event's settings as the form holds them.
func settingsOf(e *models.Event) pages.Values {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return pages.Values{
		Name: e.Name, Slug: e.Slug, Zone: e.Timezone, StartsOn: text(e.StartsOn), EndsOn: text(e.EndsOn),
		AsksApproval: map[bool]string{true: "yes"}[e.AsksApproval],
	}
}

func settingsPage(v *visit.Visit, status int, p pages.Page) error {
	p.Action, p.Zones, p.Bring = v.At("/settings"), page.Zones, v.At("/moves")
	zone, err := time.LoadLocation(p.Values.Zone)
	if err != nil || p.Values.Zone == "" || p.Values.Zone == "Local" {
		zone = v.Event.Location()
	}
	p.ZoneNow = v.Options.Now().In(zone).Format("15:04 MST")
	p.Window, p.Call = visit.WindowSays(v), v.At("/call/window")
	if v.Role == staff.Owner {
		p.Copy = eventCopies + v.Event.ID
	}
	if v.User.Everywhere && v.Role.Covers(staff.Organizer) {
		p.Archive = "/admin/archives/" + v.Event.ID
	}
	return visit.Show(v, status, "Settings", pages.Settings, p)
}

func sentSettings(v *visit.Visit, was string) pages.Values {
	read := func(name string) string { return v.Value(was + name) }
	return pages.Values{
		Name: read("name"), Slug: read("slug"), Zone: page.ZoneNamed(read("timezone")), StartsOn: read("starts_on"),
		EndsOn: read("ends_on"), AsksApproval: read("asks_approval"),
	}
}

func changeSettings(v *visit.Visit) error {
	p := pages.Page{Values: sentSettings(v, ""), Was: sentSettings(v, components.FirstPrefix),
		UpdatedAt: v.Value("updated_at")}
	_, err := v.Programme.UpdateEvent(v.UserContext(), settingsChange(p))
	switch {
	case err == nil:
		notice := "The settings are saved."
		if p.Values.Zone != p.Was.Zone {
			notice = "The settings are saved. All times are shown in " + p.Values.Zone + " now."
		}
		return v.See(v.At("/settings"), notice)
	case store.KindOf(err) == store.Stale:
		return settingsConflict(v, p)
	}
	return v.Again(err, func(status int) error { return settingsPage(v, status, p) })
}

// settingsChange turns the form into a change.
func settingsChange(p pages.Page) models.EventChange {
	token, _ := store.ParseTime(p.UpdatedAt) // a missing token counts as stale
	in := p.Values
	return models.EventChange{
		Name: &in.Name, Slug: &in.Slug, Timezone: &in.Zone, AsksApproval: new(in.AsksApproval == "yes"), UpdatedAt: &token,
		StartsOn: store.Optional[string]{Set: true, Value: visit.Optional(in.StartsOn)},
		EndsOn:   store.Optional[string]{Set: true, Value: visit.Optional(in.EndsOn)},
	}
}

// tickWord words a ticked or unticked box.
func tickWord(value string) string { return map[bool]string{true: "Yes", false: "No"}[value == "yes"] }

func settingsConflict(v *visit.Visit, p pages.Page) error {
	theirs := settingsOf(v.Event)
	was, mine := p.Was, p.Values
	c, err := v.Conflict(v.Event.ID, v.Event.UpdatedAt, []page.Edited{
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
	c.Action, c.Discard = v.At("/settings"), v.At("/settings")
	p.Conflict = c
	return settingsPage(v, http.StatusConflict, p)
}
