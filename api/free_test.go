package api_test

import (
	"fmt"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestRoomsThatAreFreeAreTold(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		zone := "America/New_York"
		d.Event = modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: &zone}))(t)
		hall, loft := d.row(t, "rooms", "Hall"), d.row(t, "rooms", "Loft")
		talk := d.placed(t, "Talk", "14:00", "15:00", hall)
		d.placed(t, "Longer", "15:30", "18:00", hall)
		from := modelstest.Must(store.ParseTime("2026-12-01T15:00:00Z"))(t)
		modelstest.Must(agenda.Of(d.Programme()).AddBreak(t.Context(), models.NewBreak{
			Kind: models.Pause, Title: "Coffee",
			StartsAt: from, EndsAt: store.At(from.Add(10 * 60e9))}))(t)
		free := func(query string, headers ...string) string {
			t.Helper()
			got := d.do(t, "GET", d.path("/free?day=2026-12-01"+query), nil, headers...).want(200).object()
			words := ""
			for _, row := range got["results"].([]any) {
				words += fmt.Sprint(row.(object)["room"].(object)["name"], " ")
				for _, s := range row.(object)["free"].([]any) {
					words += fmt.Sprint(s.(object)["from"].(string)[11:16], "-", s.(object)["until"].(string)[11:16], " ")
				}
			}
			if breaks := got["breaks"].([]any); len(breaks) != 1 || breaks[0].(object)["title"] != "Coffee" {
				t.Errorf("%s: breaks %v", query, breaks)
			}
			return fmt.Sprint(words, got["minutes"], " ", got["pagination"].(object)["totalResults"])
		}
		reads := d.mint(t, d.Event, apikey.ReadSessions)
		for query, want := range map[string]string{
			"":                                  "Loft 14:00-15:00 15:10-18:00 30 1",
			"&minutes=20":                       "Hall 15:10-15:30 Loft 14:00-15:00 15:10-18:00 20 2",
			"&minutes=20&pageSize=1&page=2":     "Loft 14:00-15:00 15:10-18:00 20 2",
			"&room=Hall&from=07:00&until=13:30": "Hall 12:00-14:00 18:00-18:30 30 1",
			"&room=" + loft + "&minutes=120":    "Loft 15:10-18:00 120 1",
			"&session=S-1":                      "Hall 14:00-15:00 Loft 14:00-15:00 15:10-18:00 60 2",
			"&session=" + talk["id"].(string) + "&minutes=700": "700 0",
		} {
			modelstest.Want(t, query, free(query), want)
		}
		modelstest.Want(t, "a room that no session has, without read:metadata",
			free("&minutes=20", "x-access-token", reads), "Hall 15:10-15:30 20 1")
		for query, field := range map[string]string{"": "day", "?day=": "day", "?day=2026-02-30": "day",
			"?day=2026-12-01&minutes=0": "minutes", "?day=2026-12-01&minutes=1441": "minutes", "?day=2026-12-01&room=Nowhere": "room",
			"?day=2026-12-01&from=9": "from", "?day=2026-12-01&from=10:00&until=09:00": "until"} {
			d.do(t, "GET", d.path("/free"+query), nil).wantField(field)
		}
		for _, session := range []string{"S-99", "A-1", "nonsense"} {
			d.do(t, "GET", d.path("/free?day=2026-12-01&session="+session), nil).wantError(404, "NotFoundError")
		}
	})
}
