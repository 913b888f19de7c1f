package sessionize_test

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/fetch"
	"lectern/models/modelstest"
	"lectern/models/moving"
	"lectern/models/sessionize"
	"lectern/models/store"
)

// data is a small conference, as “view/All” returns it.
const data = `{
	"sessions": [
		{"id": "101", "title": "Moving forty years", "description": "First.\r\n\r\nSecond <b>.", "startsAt": "2027-05-20T09:00:00",
			"endsAt": "2027-05-20T09:45:00", "isServiceSession": false, "isPlenumSession": false,
			"speakers": ["a1", "b2"], "categoryItems": [1, 3, 5, 7], "roomId": 11, "liveUrl": null,
			"recordingUrl": "https://video.example.org/1", "status": "Accepted", "isInformed": true, "isConfirmed": true,
			"questionAnswers": [{"questionId": 21, "answerValue": "A piano"}]},
		{"id": "102", "title": "Quiet queues", "description": null, "startsAt": null, "endsAt": null,
			"speakers": ["a1"], "categoryItems": [2], "roomId": null, "status": "Waitlisted"},
		{"id": "b-1", "title": "Lunch", "startsAt": "2027-05-20T12:00:00", "endsAt": "2027-05-20T13:00:00",
			"isServiceSession": true, "isPlenumSession": true, "speakers": [], "categoryItems": [], "roomId": 11},
		{"id": "103", "title": "Backwards", "startsAt": "2027-05-21T12:00:00", "endsAt": "2027-05-21T11:00:00", "speakers": []}
	],
	"speakers": [
		{"id": "a1", "firstName": "Ada", "lastName": "Lovelace", "bio": "Writes.", "tagLine": "Engineer", "profilePicture": "PHOTO",
			"links": [{"title": "LinkedIn", "url": "https://www.linkedin.com/in/ada", "linkType": "LinkedIn"},
				{"title": "Blog", "url": "https://ada.example.org", "linkType": "Blog"}],
			"sessions": [101, 102], "fullName": "Ada Lovelace", "questionAnswers": []},
		{"id": "b2", "firstName": "Bo", "lastName": "Li", "sessions": [101], "fullName": "Bo Li"}
	],
	"questions": [{"id": 21, "question": "What do you need?", "questionType": "Short_Text", "sort": 0},
		{"id": 22, "question": "Where do you talk on video?", "questionType": "Web_Address", "sort": 1}],
	"categories": [
		{"id": 31, "title": "Track", "type": "session", "items": [{"id": 1, "name": "Systems"}, {"id": 2, "name": "Music"}]},
		{"id": 32, "title": "Session format", "type": "session", "items": [{"id": 3, "name": "Talk"}]},
		{"id": 33, "title": "Level", "type": "session", "items": [{"id": 5, "name": "Advanced"}]},
		{"id": 34, "title": "Language", "type": "session", "items": [{"id": 7, "name": "English"}]}
	],
	"rooms": [{"id": 11, "name": "Dock One", "sort": 0}]
}`

func TestAProgrammeComesFromSessionize(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		modelstest.Must(p.UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Brussels")}))(t)
		answer := data
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/photo" {
				png.Encode(w, image.NewGray(image.Rect(0, 0, 40, 40)))
				return
			}
			fmt.Fprint(w, strings.Replace(answer, "PHOTO", "http://"+r.Host+"/photo", 1))
		}))
		defer server.Close()
		bring := func() *moving.Report {
			t.Helper()
			address := modelstest.Must(sessionize.Address(server.URL + "/api/v2/abcd1234/view/GridSmart"))(t)
			client := &fetch.Client{HTTP: server.Client()}
			c := modelstest.Must(sessionize.Fetch(t.Context(), client, address, p.Event().Location()))(t)
			return modelstest.Must(moving.Into(t.Context(), p, c, nil))(t)
		}
		report := bring()
		if report.Sessions.Created != 1 || report.Abstracts.Created != 3 || report.Contacts.Created != 2 ||
			report.Breaks.Created != 1 || report.Photos != 1 || report.StartsOn != "2027-05-20" || report.EndsOn != "2027-05-20" || len(report.Skipped) != 1 ||
			report.Skipped[0].ID != "103" || report.Skipped[0].Reason != "it ends before it starts" {
			t.Errorf("%+v", report)
		}
		form := modelstest.Must(call.Of(p).Form(t.Context()))(t)
		seen := map[string]call.Audience{}
		for _, q := range append(form.Questions(), form.Removed...) {
			seen[q.Label] = q.SeenBy
		}
		if seen["What do you need?"] != call.Reviewers || seen["Where do you talk on video?"] != call.OpenRounds ||
			seen["Recording"] != call.OpenRounds {
			t.Errorf("reviewers without names see what a link says: %v", seen)
		}
		is := told(t, p)
		modelstest.WantAll(t, strings.Join(is, "\n"), is, []string{"Backwards|accepted|-|-|-|-||",
			"Moving forty years|accepted|Systems|Talk|Advanced|-|English|Ada Lovelace Bo Li",
			"Moving forty years|accepted|Systems|Talk|Advanced|Dock One 20 May 09:00|English|Ada Lovelace Bo Li",
			"Quiet queues|pending|Music|-|-|-||Ada Lovelace"})
		speakers := modelstest.First(p.Speakers(t.Context(), "Ada", store.Page{Size: 5}))(t)
		if ada := speakers[0]; ada.JobTitle != "Engineer" || ada.About != "<p>Writes.</p>" || ada.LinkedinURL == "" ||
			ada.WebsiteURL != "https://ada.example.org" || ada.PhotoURL == nil {
			t.Errorf("%+v", ada)
		}
		answer = strings.Replace(data, "T09:00", "T10:00", 1)
		answer = strings.Replace(answer, "T09:45", "T10:45", 1)
		if again := bring(); again.Sessions.Updated != 1 || again.Sessions.Created+again.Abstracts.Created+again.Contacts.Created+
			again.Breaks.Created+again.Photos != 0 {
			t.Errorf("done again: %+v", again)
		}
	})
}

// told returns all sessions and submissions, a line each.
func told(t *testing.T, p *models.Programme) (lines []string) {
	t.Helper()
	rows := modelstest.First(p.SearchSessions(t.Context(),
		models.SessionSearch{Sort: models.ByTitle, Ascending: true, Page: store.Page{Size: 50}}))(t)
	for _, s := range rows {
		track, format, level, at := "-", "-", "-", "-"
		if s.Track != nil {
			track = s.Track.Name
		}
		if s.Format != nil {
			format = s.Format.Name
		}
		if s.Level != nil {
			level = s.Level.Name
		}
		if s.StartsAt != nil {
			at = s.Room.Name + " " + s.StartsAt.In(p.Event().Location()).Format("2 Jan 15:04")
		}
		var tags, people []string
		for _, tag := range s.Tags {
			tags = append(tags, tag.Name)
		}
		for _, person := range s.Participants {
			people = append(people, person.FullName)
		}
		lines = append(lines, strings.Join([]string{s.Title, string(s.Status), track, format, level, at, strings.Join(tags, " "),
			strings.Join(people, " ")}, "|"))
	}
	slices.Sort(lines)
	return lines
}

func TestWhatIsNoDataOfSessionizeIsRefusedInWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"<!doctype html>": "web page", "[{}]": "view/All", `{"sessions": 3}`: "no data of Sessionize", "{}": "are missing",
		`{"sessions": [`: "no data of Sessionize",
	} {
		if _, err := sessionize.Read(strings.NewReader(body), nil, time.UTC); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", body, err)
		}
	}
	for given, want := range map[string]string{
		"abcd1234": "https://sessionize.com/api/v2/abcd1234/view/All",
		"https://sessionize.com/api/v2/abcd1234/view/Speakers": "https://sessionize.com/api/v2/abcd1234/view/All",
		"https://sessionize.com/api/v2/abcd1234":               "https://sessionize.com/api/v2/abcd1234/view/All",
		"https://sessionize.com/app":                           "", "ftp://sessionize.com/api/v2/abcd1234/": "", "": "",
	} {
		if is, err := sessionize.Address(given); is != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", given, is, err)
		}
	}
	for status, want := range map[int]string{404: "knows nothing", 500: "status 500", 302: "status 302"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		client := &fetch.Client{HTTP: server.Client(), Wait: func(context.Context, time.Duration) error { return nil }}
		if _, err := sessionize.Fetch(t.Context(), client, server.URL, time.UTC); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", status, err)
		}
		server.Close()
		if _, err := sessionize.Fetch(t.Context(), client, server.URL, time.UTC); err == nil ||
			!strings.Contains(err.Error(), "cannot be reached") {
			t.Errorf("away: %v", err)
		}
	}
}
