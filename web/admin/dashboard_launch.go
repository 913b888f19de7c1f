package admin

import (
	"slices"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
)

// launchSteps are what an event needs before submissions come.
func (v *visit) launchSteps(d *models.Dashboard) ([]pages.LaunchStep, error) {
	rooms, _, err := v.programme.ListMetadata(v.ctx(), models.Rooms, "", store.Page{})
	if err != nil {
		return nil, err
	}
	keys, err := v.programme.APIKeys(v.ctx())
	if err != nil {
		return nil, err
	}
	usable := func(key *models.APIKey) bool { return key.RevokedAt == nil }
	steps := []pages.LaunchStep{
		{Name: "Tracks and rooms", Text: "What submissions are sorted by, and where sessions take place.",
			Action: "Set up", URL: v.at("/metadata/tracks"), Done: len(d.Tracks) > 0 && len(rooms) > 0},
		{Name: "Dates of the call for papers", Text: "When it opens and closes.", Action: "Set the dates",
			URL: v.at("/settings"), Done: v.event.CFPOpensAt != nil && v.event.CFPClosesAt != nil},
		{Name: "API key", Text: "What your website or form sends submissions with.", Action: "Create a key",
			URL: v.at("/keys"), Done: slices.ContainsFunc(keys, usable)},
		{Name: "First submission", Text: "Sent through the API, or captured here.", Action: "Capture one",
			URL: v.at("/submissions/new")},
	}
	for i := range steps {
		if steps[i].Done || !v.may(staff.Organizer) {
			steps[i].URL = ""
		}
	}
	return steps, nil
}
