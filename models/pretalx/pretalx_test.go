package pretalx

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/fetch"
	"lectern/models/modelstest"
	"lectern/models/moving"
)

// answering returns a client of a server with these answers, and the waits that the client asks for.
func answering(t *testing.T, answer http.HandlerFunc) (*Client, *[]time.Duration) {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	c := modelstest.Must(New(server.URL+"/democon/", Options{Fetch: &fetch.Client{HTTP: &http.Client{Timeout: modelstest.Patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, Agent: "Lectern/test"},
		Token: " secret\n"}))(t)
	waits := &[]time.Duration{}
	c.fetch.Wait = func(_ context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return nil
	}
	return c, waits
}

// tags reads the tags of the event.
func tags(t *testing.T, c *Client) (names []string, err error) {
	t.Helper()
	err = each(t.Context(), c, "tags", "tags/", nil, func(some []label) error {
		for _, l := range some {
			names = append(names, l.Tag)
		}
		return nil
	})
	return names, err
}

const onePage = `{"count": 1, "next": null, "results": [{"id": 1, "tag": "beginner"}]}`

func TestTheAddressOfAnEventIsTakenFromWhateverPagePeopleCopy(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://pretalx.com/democon":                             "https://pretalx.com/api/events/democon/",
		"pretalx.com/democon/":                                    "https://pretalx.com/api/events/democon/",
		"https://pretalx.com/orga/event/democon/submissions/?q=x": "https://pretalx.com/api/events/democon/",
		"http://talks.example.org:8000/api/events/democon/tags/":  "http://talks.example.org:8000/api/events/democon/",
		"https://pretalx.com":                                     "https://pretalx.com/api/events/other/",
	} {
		c, err := New(address, Options{Token: "x", Event: "other"})
		if err != nil || c.path("", nil) != want {
			t.Errorf("%s: %v, %v", address, c, err)
		}
	}
	for address, want := range map[string]string{"ftp://pretalx.com/democon": "no address", "": "no address",
		"https://pretalx.com": "which event", "https://me:word@pretalx.com/democon": "no address"} {
		if _, err := New(address, Options{Token: "x"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := New("https://pretalx.com/democon", Options{Token: " "}); err == nil || !strings.Contains(err.Error(), "token") {
		t.Error(err)
	}
}

func TestAListIsReadPageByPageFromTheSameServer(t *testing.T) {
	t.Parallel()
	var asked []string
	c, _ := answering(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		if r.Header.Get("Authorization") != "Token secret" || r.Header.Get("Pretalx-Version") != "v1" ||
			r.Header.Get("User-Agent") != "Lectern/test" {
			t.Errorf("%v", r.Header)
		}
		if r.URL.Query().Get("page") == "" { // as behind a proxy that hides its name
			fmt.Fprint(w, `{"next": "https://thief.example/api/events/democon/tags/?page=2", "results": [{"tag": "a"}]}`)
			return
		}
		fmt.Fprint(w, `{"next": null, "results": [{"tag": "b"}]}`)
	})
	names, err := tags(t, c)
	if err != nil || !slices.Equal(names, []string{"a", "b"}) ||
		!slices.Equal(asked, []string{"/api/events/democon/tags/", "/api/events/democon/tags/?page=2"}) {
		t.Errorf("%q, %v of %q", names, err, asked)
	}
}

func TestItWaitsAsLongAsTheOtherSideSays(t *testing.T) {
	t.Parallel()
	n := 0
	c, waits := answering(t, func(w http.ResponseWriter, r *http.Request) {
		n++
		if after := []string{"7", "", "3600", "Mon, 02 Jan 2006 15:04:05 GMT"}; n <= len(after) {
			w.Header().Set("Retry-After", after[n-1])
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		fmt.Fprint(w, onePage)
	})
	modelstest.Want(t, "names", len(modelstest.Must(tags(t, c))(t)), 1)
	modelstest.WantAll(t, "waits", *waits, []time.Duration{7 * time.Second, 5 * time.Second, time.Minute, time.Second})
}

func TestItGivesUpWaitingAfterHalfAnHour(t *testing.T) {
	t.Parallel()
	c, waits := answering(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	if _, err := tags(t, c); err == nil || !strings.Contains(err.Error(), "more requests") || len(*waits) != 30 {
		t.Error(err, len(*waits))
	}
}

func TestFaultsOfTheOtherSideAreTriedAgain(t *testing.T) {
	t.Parallel()
	n := 0
	c, waits := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch n++; n {
		case 1:
			w.WriteHeader(http.StatusInternalServerError)
		case 2: // the connection is cut in the middle
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"count": 1, "resu`)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case 3:
			<-r.Context().Done() // nobody waits any more
		default:
			fmt.Fprint(w, onePage)
		}
	})
	c.fetch.Wait = func(_ context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		if c.fetch.HTTP.Timeout = modelstest.Patience; len(*waits) == 2 {
			c.fetch.HTTP.Timeout = 200 * time.Millisecond
		}
		return nil
	}
	modelstest.Want(t, "names", len(modelstest.Must(tags(t, c))(t)), 1)
	modelstest.WantAll(t, "waits", *waits, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second})
}

func TestAClearWordForEachFault(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		name, want string
		answer     http.HandlerFunc
	}{
		{"401", "token is not known", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }},
		{"403", "token may not read", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }},
		{"404", "event “democon”", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }},
		{"418", "refuses (status 418)", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(418) }},
		{"500", "fails (status 500)", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }},
		{"HTML", "a web page in place of data", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "\n<!doctype html><p>Hi")
		}},
		{"half a JSON", "no list of pretalx", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"results": [`) }},
		{"other JSON", "no list of pretalx", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"name": "x"}`) }},
		{"a circle", "in a circle", func(w http.ResponseWriter, r *http.Request) {
			page := map[string]string{"": "2", "2": "3", "3": "2"}[r.URL.Query().Get("page")]
			json.NewEncoder(w).Encode(map[string]any{"next": "http://x/?page=" + page, "results": []any{map[string]any{"tag": "a"}}})
		}},
		{"no end", "more than 2000 pages", func(w http.ResponseWriter, r *http.Request) {
			page, _ := strconv.Atoi(r.URL.Query().Get("page"))
			fmt.Fprintf(w, `{"next": "http://x/?page=%d", "results": [{"tag": "a"}]}`, page+1)
		}},
		{"elsewhere", "leads elsewhere, to https://other.example/", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://other.example/", http.StatusFound)
		}},
	} {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			c, _ := answering(t, of.answer)
			if _, err := tags(t, c); err == nil || !strings.Contains(err.Error(), of.want) || strings.Contains(err.Error(), "secret") {
				t.Error(err)
			}
		})
	}
}

func TestAnAddressThatIsRefusedIsAskedOnce(t *testing.T) {
	t.Parallel()
	c, waits := answering(t, func(http.ResponseWriter, *http.Request) {})
	blocked := errors.New("blocked")
	c.fetch.HTTP.Transport = failing{blocked}
	c.fetch.IsBlocked = func(err error) bool { return errors.Is(err, blocked) }
	if _, err := tags(t, c); err == nil || !strings.Contains(err.Error(), "LECTERN_WEBHOOK_ALLOW_NETS") || len(*waits) != 0 {
		t.Error(err, *waits)
	}
}

type failing struct{ error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.error }

func TestAPhotoIsAskedForWithoutTheToken(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, func(w http.ResponseWriter, r *http.Request) {
		modelstest.Want(t, "the token goes to whoever keeps photos", r.Header.Get("Authorization"), "")
		if r.URL.Path == "/gone.jpg" {
			w.WriteHeader(404)
		}
		w.Write([]byte("photo"))
	})
	modelstest.Want(t, "string", string(modelstest.Must(c.Photo(t.Context(), c.base.String()+"/a.jpg"))(t)), "photo")
	var not moving.NotGiven
	gone := &url.URL{Scheme: "http", Host: c.base.Host, Path: "/gone.jpg"}
	if _, err := c.Photo(t.Context(), gone.String()); !errors.As(err, &not) {
		t.Error(err)
	}
}

func TestWhoEndsItDoesNotWait(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	c.fetch.Wait = nil
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	err := each(ctx, c, "tags", "tags/", nil, func([]label) error { return nil })
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 50*time.Second {
		t.Error(err, time.Since(began))
	}
}

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
