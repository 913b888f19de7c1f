package site_test

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/embed"
	"lectern/models/modelstest"
)

// TestEachFormOfAnEmbedHasTheFieldsThatAreTicked ticks one field at a time, and looks for each of them in each form.
func TestEachFormOfAnEmbedHasTheFieldsThatAreTicked(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, track := published(t, f)
		who := modelstest.Must(f.Programme().Session(t.Context(), shown.ID))(t).Participants[0].ContactID
		photo := modelstest.Must(f.Programme().Directory().SetPhoto(t.Context(), who, face(t, color.White)))(t).PhotoPath()
		// What a form has of each field; all others have no place for it.
		const text, about, job = "Shown text", "Sails", "Harbour Inc"
		fields := map[string]embed.Change{"descriptions": {ShowsDescriptions: new(true)},
			"companies": {ShowsCompanies: new(true)}, "photos": {ShowsPhotos: new(true)}, "none": {}}
		whole := map[string][]string{"descriptions": {text, about}, "companies": {job}, "photos": {photo}}
		texts := map[string][]string{"descriptions": {text}}
		people := map[string][]string{"descriptions": {about}, "companies": {job}, "photos": {photo}}
		jobs, faces := map[string][]string{"companies": {job}}, map[string][]string{"companies": {job}, "photos": {photo}}
		atLength := map[string][]string{"descriptions": {text}, "companies": {job}}
		for kind, forms := range map[embed.Kind]map[string]map[string][]string{
			embed.Agenda:    {"": {}, ".html": {}, ".json": whole, ".xml": texts, ".ics": texts},
			embed.Sessions:  {"": atLength, ".html": atLength, ".json": whole, ".xml": texts, ".ics": texts},
			embed.Itinerary: {"": jobs, ".html": jobs, ".json": whole, ".xml": texts, ".ics": texts},
			embed.Speakers:  {"": jobs, ".html": jobs, ".json": people, ".xml": people, ".ics": texts},
			embed.Gallery:   {"": faces, ".html": faces, ".json": people, ".xml": people, ".ics": texts},
		} {
			for field, c := range fields {
				c.Name, c.Kind, c.Filters = new("Here"), new(kind), embed.Filters{"track": {track}}
				e := d.embeds(t, c)
				for end, has := range forms {
					body := plain(d.get(t, "/embeds/"+e.ID+end))
					for _, value := range []string{text, about, job, photo} {
						what := fmt.Sprint(kind, end, " with ", field, " has ", value)
						modelstest.Want(t, what, strings.Contains(body, value), slices.Contains(has[field], value))
					}
					lacks(t, fmt.Sprint(kind, end, " tells what its filter leaves out"), body, "Sunday talk", "MARKER")
				}
			}
		}
	})
}

func TestThePeopleOfAnEmbedHaveACalendarOfWhatTheySpeakAt(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		d, shown, _, _, _ := published(t, f)
		d.change(t, d.talk(t, "Nobody speaks", models.SessionInput{Status: new(models.Accepted)}), public)
		e := d.embeds(t, embed.Change{Name: new("Here"), Kind: new(embed.Gallery)})
		body := d.get(t, "/embeds/"+e.ID+".ics")
		has(t, "beside "+shown.Title+" the calendar has", body, "BEGIN:VEVENT", "/sessions/s-1-")
		lacks(t, "beside "+shown.Title+" the calendar has", body, "Nobody speaks")
	})
}
