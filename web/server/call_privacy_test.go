package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// called is a call whose private texts are markers, with the ids that are no secret.
type called struct {
	event            *models.Event
	private          []string // markers, tokens and hashes
	sessions, people []string // ids: what was accepted, withdrawn, begun and composed, and who did
}

// callWithMarkers makes a call with Ada accepted (she does not come), Bea withdrawn and Cyd with a draft; Ada's talk
// is in the programme.
func callWithMarkers(t *testing.T, f *modelstest.Fixture) *called {
	t.Helper()
	ctx, p, c := t.Context(), f.Programme(), modelstest.OpenCall(t, f)
	cfp, x := call.Of(p), &called{event: c.Event}
	c.AskSpeakers(t, f)
	modelstest.Must(cfp.MakeCode(ctx, call.CodeInput{Code: "codemark-1", Note: "notemark"}))(t)
	begin := func(name, title string) (*call.Place, string) {
		b := modelstest.Must(call.Begin(ctx, f.Store, c.Event, call.Beginning{Name: name + " Lovelace", Title: title,
			Email: name + ".typedmark@example.org", Password: modelstest.SecretPhrase, Code: "CODEMARK-1",
			Browser: call.Browser{Address: "203.0.113.77", Agent: "agentmark"}}, store.By{Door: "call"}))(t)
		link := modelstest.Must(cfp.PlaceLink(ctx, b.Account.ContactID))(t)
		for _, token := range []string{b.Token, b.Link, link} {
			x.private = append(x.private, token, store.HashKey(token))
		}
		x.private = append(x.private, b.Account.PasswordHash)
		x.sessions, x.people = append(x.sessions, b.Session.ID), append(x.people, b.Account.ContactID)
		return call.PlaceOf(f.Store, modelstest.Must(call.LoginBy(ctx, f.Store, b.Token))(t),
			store.By{Door: "call"}), b.Session.ID
	}
	submitted := func(name, title string) (*call.Place, string) {
		place, id := begin(name, title)
		_, faults, err := place.Save(ctx, c.Event, id, call.Saving{Values: call.Values{"title": title, "description": "Water",
			"format": c.Talk, "help": "Money\nVisa"}})
		if err != nil || len(faults) > 0 {
			t.Fatal(err, faults)
		}
		modelstest.Must(place.AttachFile(ctx, c.Event, id, "slides", models.Upload{Name: "slides.pdf",
			Content: []byte("%PDF-1.7 filemark")}))(t)
		modelstest.Must(place.InviteCoSpeaker(ctx, c.Event, id, call.Asking{Name: "namemark",
			Email: name + ".askedmark@example.org"}))(t)
		modelstest.First(place.SaveOwn(ctx, c.Event, call.Saving{Values: call.Values{"eats": "Vegan"}}))(t)
		modelstest.Must(place.Submit(ctx, c.Event, id, call.Submitting{}))(t)
		return place, id
	}
	ada, accepted := submitted("Ada", "Tides")
	_, _, err := ada.SaveOwn(ctx, c.Event, call.Saving{Values: call.Values{"eats": "Else", "else": "dietmark"}})
	modelstest.Fine(t, err)
	modelstest.Must(ada.AttachOwn(ctx, c.Event, "pass", models.Upload{Name: "passmark.pdf",
		Content: []byte("%PDF-1.7 stampmark")}))(t)
	modelstest.Must(ada.SaveProfile(ctx, c.Event, people.Change{
		Values: map[string]string{"availability": "availabilitymark"}}))(t)
	modelstest.SetStatus(t, p, accepted, models.Accepted)
	modelstest.Fine(t, ada.AnswerParticipation(ctx, c.Event, accepted, call.NotComing, "absencemark"))
	bea, withdrawn := submitted("Bea", "Ebb")
	modelstest.Must(bea.Withdraw(ctx, c.Event, withdrawn, "withdrawalmark"))(t)
	_, _ = begin("Cyd", "Flood")
	modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
		return p.SendCallLetters(tx, models.CallLetter{ContactID: ada.ContactID(), Name: "Ada",
			Email: "Ada.typedmark@example.org", AboutID: accepted, Subject: "lettermark", Body: "lettermark {{place_link}}"})
	}))
	shown := modelstest.Must(p.Compose(ctx, []string{accepted}, ""))(t)
	modelstest.Must(p.UpdateSession(ctx, shown.ID, models.SessionChange{IsPublic: new(true), PublishOverride: true,
		SessionInput: models.SessionInput{StartsAt: store.Some(shown.CreatedAt)}}))(t)
	x.sessions = append(x.sessions, shown.ID)
	x.private = append(x.private, "dietmark", "passmark", "stampmark", "codemark", "notemark", "typedmark",
		"203.0.113.77", "agentmark", "filemark",
		"askedmark", "namemark", "availabilitymark", "absencemark", "withdrawalmark", "lettermark", modelstest.SecretPhrase)
	return x
}

// TestNoDoorShowsWhatPlacesKeep looks for what is private of a call in all that keys, tools, receivers of webhooks and
// strangers are shown.
func TestNoDoorShowsWhatPlacesKeep(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.NewEndpoint(t, f.Webhooks(), "https://example.org/hook")
		x := callWithMarkers(t, f)
		address, key := doors(t, f)
		received := ""
		for _, e := range modelstest.Emitted(t, f) {
			received += e.Data
		}
		told := []string{"Ada Lovelace", "Money, Visa", "slides.pdf", "Tides", "Ebb", "Flood"}
		for door, d := range map[string]struct {
			shown string
			has   []string // what is no secret there
		}{
			"keys":      {x.byKey(t, address, key), told},
			"tools":     {x.byTool(t, address, key), told},
			"receivers": {received, told},
			"strangers": {x.byNobody(t, address), []string{"Ada Lovelace", "Tides", "Start a proposal"}},
		} {
			for _, part := range d.has {
				if !strings.Contains(d.shown, part) {
					t.Errorf("%s are not shown %q", door, part)
				}
			}
			for _, mark := range x.private {
				if strings.Contains(strings.ToLower(d.shown), strings.ToLower(mark)) {
					t.Errorf("%s are shown %q", door, mark)
				}
			}
		}
	})
}

// byKey is what all operations of the API answer that read, by its own description. None finds anything by what is
// private.
func (x *called) byKey(t *testing.T, address, key string) (shown string) {
	t.Helper()
	_, text := ask(t, address, "GET", "/v1/openapi.json", "")
	var description struct{ Paths map[string]map[string]any }
	modelstest.Fine(t, json.Unmarshal([]byte(text), &description))
	get := func(method, path, body string) string {
		response, answer := ask(t, address, method, path, body, "x-access-token", key)
		if response.StatusCode != 200 && response.StatusCode != 404 {
			t.Errorf("%s %s answers %d %s", method, path, response.StatusCode, answer)
		}
		return answer
	}
	reads := 0
	for path, methods := range description.Paths {
		path = strings.ReplaceAll(path, "{eventId}", x.event.ID)
		if strings.HasSuffix(path, "/free") {
			path += "?day=2027-05-20"
		}
		_, isRead := methods["get"]
		for _, id := range append(x.sessions, x.people...) {
			one := strings.NewReplacer("{sessionId}", id, "{contactId}", id).Replace(path)
			if isRead {
				reads, shown = reads+1, shown+get("GET", one, "")
			}
			if !strings.Contains(path, "{") {
				break
			}
		}
		if !strings.HasSuffix(path, "/search") {
			continue
		}
		shown += get("POST", path, "{}")
		for _, mark := range x.private {
			found := get("POST", path, fmt.Sprintf(`{"filters": {"text": %q}}`, mark))
			if !strings.Contains(found, `"totalResults":0`) {
				t.Errorf("%s finds by %s: %s", path, mark, found)
			}
		}
	}
	if reads < 10 {
		t.Errorf("%d operations read", reads)
	}
	return shown
}

// byTool returns the answers of all tools that read.
func (x *called) byTool(t *testing.T, address, key string) (shown string) {
	t.Helper()
	run := func(name string, arguments map[string]string) {
		body := modelstest.Must(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
			"params": map[string]any{"name": name, "arguments": arguments}}))(t)
		response, answer := ask(t, address, "POST", "/mcp", string(body), "x-access-token", key)
		if response.StatusCode != 200 || strings.Contains(answer, "isError") {
			t.Errorf("%s answers %d %s", name, response.StatusCode, answer)
		}
		shown += answer
	}
	for _, name := range []string{"list_events", "get_schedule", "list_submissions", "search_speakers", "list_tracks",
		"get_openapi"} {
		run(name, map[string]string{})
	}
	for _, id := range x.sessions {
		run("get_submission", map[string]string{"submission_id": id})
	}
	return shown
}

// byNobody returns the public pages and feeds, and the answers of the place to a browser without a login.
func (x *called) byNobody(t *testing.T, address string) (shown string) {
	t.Helper()
	event := "/events/" + x.event.Slug
	paths := []string{"/schedule.xml", "/schedule.json", "/calendar.ics", "/changes", "/call", "/call?code=wrong",
		"/call/start", "/call/dates.ics", "/place", "/place/sign-in", "/place/link/wrong",
		"/place/join/wrong", "/place/profile", "/place/availability"}
	for _, id := range x.sessions {
		paths = append(paths, "/sessions/"+id+".ics", "/place/proposals/"+id, "/place/proposals/"+id+"/edit",
			"/place/sessions/"+id, "/place/proposals/"+id+"/files/slides")
	}
	for _, path := range paths {
		response, page := ask(t, address, "GET", event+path, "")
		shown += page + fmt.Sprint(response.Header)
	}
	return shown
}

// TestNoDoorShowsWhoWasErased looks for Ada once she was erased. What was sent to receivers before cannot be called back.
func TestNoDoorShowsWhoWasErased(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		x := callWithMarkers(t, f)
		address, key := doors(t, f)
		if before := x.byKey(t, address, key); !strings.Contains(before, "Ada Lovelace") {
			t.Fatal("nobody is there to be erased")
		}
		modelstest.Fine(t, people.In(f.Programme().Directory()).Erase(t.Context(), x.people[0]))
		x.private = append(x.private, "Ada Lovelace")
		shown := x.byKey(t, address, key) + x.byTool(t, address, key) + x.byNobody(t, address)
		for _, mark := range x.private {
			if strings.Contains(strings.ToLower(shown), strings.ToLower(mark)) {
				t.Errorf("%q is shown", mark)
			}
		}
		if !strings.Contains(shown, "Bea Lovelace") {
			t.Error("others are gone too")
		}
	})
}
