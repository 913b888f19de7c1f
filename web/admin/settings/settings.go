package settings

import (
	"net/http"
	"time"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/settings"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func settingsForm(v *visit.Visit) error {
	return settingsPage(v, http.StatusOK, page.Opened(v.Event.UpdatedAt, settingsFields(v.Event)))
}

// settingsFields are the fields of the form of an event's settings.
func settingsFields(e *models.Event) []page.Edited {
	return []page.Edited{{Name: "name", Label: "Name", Theirs: e.Name}, {Name: "slug", Label: "Short name", Theirs: e.Slug},
		{Name: "timezone", Label: "Time zone", Theirs: e.Timezone},
		{Name: "starts_on", Label: "First day", Theirs: visit.ValueOr(e.StartsOn, "")},
		{Name: "ends_on", Label: "Last day", Theirs: visit.ValueOr(e.EndsOn, "")},
		{Name: "asks_approval", Label: "Ask for approved content", Show: tickWord,
			Theirs: map[bool]string{true: "yes"}[e.AsksApproval]}}
}

func settingsPage(v *visit.Visit, status int, e *page.Edit) error {
	p := pages.Page{Edit: e.Shown(), Action: v.At("/settings"), Zones: page.Zones, Bring: v.At("/moves")}
	name := e.Of("timezone")
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		zone = v.Event.Location()
	}
	p.ZoneNow = v.Options.Now().In(zone).Format("15:04 MST")
	p.Look, p.Window, p.Call = v.At("/look"), visit.WindowSays(v), v.At("/call/window")
	if v.Role == staff.Owner {
		p.Copy = eventCopies + v.Event.ID
	}
	if v.User.Everywhere && v.Role.Covers(staff.Organizer) {
		p.Archive = "/admin/archives/" + v.Event.ID
	}
	return visit.Show(v, status, "Settings", pages.Settings, p)
}

func changeSettings(v *visit.Visit) error {
	e := v.Sent(v.Event.UpdatedAt, settingsFields(v.Event))
	e.Set("timezone", page.ZoneNamed(e.Of("timezone")))
	now, err := v.Programme.UpdateEvent(v.UserContext(), models.EventChange{
		Name: new(e.Of("name")), Slug: new(e.Of("slug")), Timezone: new(e.Of("timezone")),
		AsksApproval: new(e.Of("asks_approval") == "yes"), UpdatedAt: e.Token,
		StartsOn: store.Optional[string]{Set: true, Value: visit.Optional(e.Of("starts_on"))},
		EndsOn:   store.Optional[string]{Set: true, Value: visit.Optional(e.Of("ends_on"))}})
	if err != nil {
		return v.Unsaved(err, e, v.Event.ID, v.At("/settings"), func(status int) error { return settingsPage(v, status, e) })
	}
	notice := "The settings are saved."
	if now.Timezone != v.FirstValue("timezone") {
		notice = "The settings are saved. All times are shown in " + now.Timezone + " now."
	}
	return v.See(v.At("/settings"), notice)
}

// tickWord words a ticked or unticked box.
func tickWord(value string) string { return map[bool]string{true: "Yes", false: "No"}[value == "yes"] }
