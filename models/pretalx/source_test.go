package pretalx

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/moving"
)

func TestEachStateHasItsStatus(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]models.Status{
		"submitted": models.Pending, "submitted accepted": models.AcceptQueue, "submitted confirmed": models.AcceptQueue,
		"submitted rejected": models.DeclineQueue, "accepted": models.Accepted, "confirmed": models.Accepted,
		"accepted canceled": models.Accepted, "rejected": models.Declined, "canceled": models.Withdrawn,
		"withdrawn": models.Withdrawn, "draft": models.Draft, "of a later pretalx": models.Pending,
	} {
		state, pending, _ := strings.Cut(state, " ")
		if is := statusOf(state, pending); is != want {
			t.Errorf("%s, %s: %s", state, pending, is)
		}
	}
}

func TestTextsAreMarkdownInTheEventsLanguage(t *testing.T) {
	t.Parallel()
	if is := html("**A** boat\non [rivers](https://example.org)\n\n- one\n- <b>two</b>"); !strings.Contains(is,
		"<strong>A</strong> boat<br>\non <a href=\"https://example.org\">") || !strings.Contains(is, "<li><b>two</b></li>") {
		t.Errorf("%q", is)
	}
	both := text{in: map[string]string{"de": "Schiffe", "en": "Boats", "fr": ""}}
	if both.of("en") != "Boats" || both.of("fr") != "Schiffe" || (text{one: "Boats"}).of("de") != "Boats" || (text{}).of("de") != "" {
		t.Error("a text is in another language")
	}
}

// The answers of a server, by path.
var democon = map[string]string{
	"":        `{"name": {"en": "Demo"}, "slug": "democon", "date_from": "2027-05-20", "date_to": "2027-05-21", "locale": "en"}`,
	"tracks/": `{"results": [{"id": 1, "name": {"en": "Boats\nand more"}, "color": "#00ff00"}]}`,
	"rooms/":  `{"results": [{"id": 1, "name": "Hall", "capacity": null}]}`, "tags/": `{"results": []}`,
	"submission-types/": `{"results": [{"id": 1, "name": {"en": "Talk"}, "default_duration": 999999}]}`,
	"questions/": `{"results": [{"id": 4, "question": {"en": "Needs"}, "variant": "multiple_choice", "target": "submission",
		"options": [{"id": 1, "answer": {"en": "A"}}, {"id": 2, "answer": {"en": "B"}}]},
		{"id": 5, "question": {"en": "Sure?"}, "variant": "boolean", "target": "reviewer"}]}`,
	"schedules/wip/": `{"id": 3}`,
	"slots/": `{"results": [
		{"id": 9, "room": 1, "start": "2027-05-20T14:00:00+01:00", "end": "2027-05-20T15:00:00+01:00", "submission": "ABC"},
		{"id": 8, "room": 1, "start": "2027-05-20T10:00:00+01:00", "end": "2027-05-20T11:00:00+01:00", "submission": "ABC"},
		{"id": 7, "room": null, "start": null, "end": null, "submission": "DEF"},
		{"id": 6, "room": 1, "start": "2027-05-21T12:00:00+01:00", "end": "2027-05-21T13:00:00+01:00", "description": {"en": "Lunch"}},
		{"id": 5, "room": 1, "start": "2027-05-20T12:00:00+01:00", "end": "2027-05-20T13:00:00+01:00", "description": {"en": "Lunch"}}]}`,
	"submissions/": `{"results": [{"code": "ABC", "title": "Boats", "speakers": ["S"], "submission_type": 1, "track": null,
		"tags": [], "state": "confirmed", "abstract": "Short", "description": null, "duration": 30, "internal_notes": "Secret",
		"answers": [{"question": 4, "answer": "x", "options": [2, 1]}, {"question": 99, "answer": "gone"}]}]}`,
	"reviews/": `{"results": [{"id": 1, "submission": "ABC", "text": "Good", "user": {"name": "R", "email": "r@example.org"},
		"scores": [{"value": "2.00", "label": "Yes", "category": {"id": 1, "name": {"en": "Fun"}, "weight": "1.0"}}],
		"answers": [{"question": 5, "answer": "True"}]}]}`,
}

func TestWhatAPretalxSaysIsReadWhole(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, democon[strings.TrimPrefix(r.URL.Path, "/api/events/democon/")])
	})
	f, err := c.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Labels) != 3 || f.Labels[0].Name != "Boats and more" || f.Labels[1].DefaultMinutes != nil || len(f.Breaks) != 2 ||
		f.Breaks[0].Key != "democon/break/1/Lunch" || f.Breaks[1].Key != "democon/break/1/Lunch#2" ||
		f.Breaks[0].Start.Day() != 20 || len(f.Questions) != len(facts)+1 {
		t.Errorf("%+v", f)
	}
	var subs []moving.Submission
	err = c.Submissions(t.Context(), func(some []moving.Submission) error {
		subs = append(subs, some...)
		return nil
	})
	if err != nil || len(subs) != 1 || len(subs[0].Slots) != 2 || subs[0].Slots[0].Start.Hour() != 9 || !subs[0].IsConfirmed ||
		subs[0].Description != "<p>Short</p>\n" {
		t.Fatalf("%+v, %v", subs, err)
	}
	last := subs[0].Answers[len(subs[0].Answers)-1]
	if last.Question != "democon/question/4" || !slices.Equal(last.Values, []string{"A", "B"}) || len(subs[0].Answers) != 3 {
		t.Errorf("%+v", subs[0].Answers)
	}
	err = c.Reviews(t.Context(), func(some []moving.Review) error {
		if r := some[0]; r.Comment != "Good\nSure?: yes" || r.Scores[0].Value != 2 || r.Email != "r@example.org" {
			t.Errorf("%+v", r)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
