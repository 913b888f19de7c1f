package admintest

import (
	"bytes"
	"html"
	"io"
	"mime/multipart"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// Form returns the form of the event's call.
func (d *Desk) Form() *call.Form {
	d.T.Helper()
	return modelstest.Must(call.Of(d.Programme()).Form(d.T.Context()))(d.T)
}

// Filled returns the form of a question as a browser would send it.
func Filled(label string, more url.Values) url.Values {
	form := url.Values{"label": {label}, "type": {"text"}, "required": {"no"}, "seen_by": {"reviewers"}, "unit": {"words"}}
	for name, values := range more {
		form[name] = values
	}
	return form
}

// Fill sets fields of a form, names and values in turn, and returns it.
func Fill(form url.Values, pairs ...string) url.Values {
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

// Pressed adds a button to a form.
func Pressed(form url.Values, do string) url.Values {
	form.Set("do", do)
	return form
}

// Upload sends a form with a file in the field that ends the path, and with the form token of the last page unless
// proof is another one.
func (b *Browser) Upload(path, name string, content []byte, proof string, status int) (location, page string) {
	b.T.Helper()
	field := path[strings.LastIndex(path, "/")+1:]
	return b.SendFile(path, url.Values{"_token": {proof}}, field, name, string(content), status)
}

// SendFile sends a form like Post, with a file unless that has no name.
func (b *Browser) SendFile(path string, fields url.Values, field, name, content string, status int) (location, page string) {
	b.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for key, values := range b.proven(fields) {
		for _, value := range values {
			modelstest.Fine(b.T, form.WriteField(key, value))
		}
	}
	if name != "" {
		modelstest.Must(io.WriteString(modelstest.Must(form.CreateFormFile(field, name))(b.T), content))(b.T)
	}
	form.Close()
	r := httptest.NewRequest("POST", path, &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	res, page := b.Do(r, status)
	return res.Header.Get("Location"), page
}

// DropsOf checks that something odd in a list's address makes no difference.
func (b *Browser) DropsOf(list, odd string) {
	b.T.Helper()
	shown := func(at string) string {
		page := b.Get(at, 200)
		for _, token := range TokenPattern.FindAllStringSubmatch(page, -1) {
			page = strings.ReplaceAll(page, token[1], "")
		}
		return page
	}
	if plain := shown(list); shown(list+"&"+odd) != plain || strings.Contains(plain, `class="notice`) {
		b.T.Errorf("%s makes a difference at %s", odd, list)
	}
}

var fieldPattern = regexp.MustCompile(`name="([^"]+)"[^>]* value="([^"]*)"`)

// Hidden returns the fields of these names on the last page.
func (b *Browser) Hidden(names ...string) url.Values {
	form := url.Values{}
	for _, m := range fieldPattern.FindAllStringSubmatch(b.Page, -1) {
		if slices.Contains(names, m[1]) && form.Get(m[1]) == "" {
			form.Set(m[1], html.UnescapeString(m[2]))
		}
	}
	return form
}

// Entire returns a page's first form with its form token.
func Entire(page string) url.Values {
	form := Fields(Body(page))
	form.Set("_token", TokenPattern.FindStringSubmatch(page)[1])
	return form
}

func HasAny(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// FilledIn returns a submission's form as it was opened, with typed values by question key.
func (b *Browser) FilledIn(address string, typed map[string]string) url.Values {
	b.T.Helper()
	b.Get(address, 200)
	form, names := b.Form(), []string{"updated_at"}
	for _, q := range form.Questions() {
		if q.Type != "file" {
			names = append(names, "was_"+q.Field())
		}
	}
	sent := b.Hidden(names...)
	for _, q := range form.Questions() {
		if q.Type != "file" {
			sent[q.Field()] = strings.Split(sent.Get("was_"+q.Field()), "\n")
		}
	}
	for key, value := range typed {
		sent[form.Question(key).Field()] = strings.Split(value, "\n")
	}
	return sent
}

// Undo sends the form behind the button Undo of the page, and returns the page that it leads to.
func (b *Browser) Undo(page string) string {
	b.T.Helper()
	m := regexp.MustCompile(`<form class="undo" method="post" action="([^"]+)">`).FindStringSubmatch(page)
	if m == nil {
		b.T.Fatalf("there is no Undo:\n%s", page)
	}
	return b.Follow(b.Post(html.UnescapeString(m[1]), UndoOf(page), 303))
}

// UndoOf returns the fields of the form behind the button Undo of a page.
func UndoOf(page string) url.Values { return Fields(Between(page, `<form class="undo"`, "</form>")) }

// Fields returns the values of a page's form, as a browser would send them.
func Fields(page string) url.Values {
	form := url.Values{}
	for _, m := range regexp.MustCompile(`<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"[^>]*>`).
		FindAllStringSubmatch(page, -1) {
		if (!strings.Contains(m[0], "checkbox") && !strings.Contains(m[0], "radio")) || strings.Contains(m[0], " checked") {
			form.Add(m[1], html.UnescapeString(m[2]))
		}
	}
	for _, m := range regexp.MustCompile(`(?s)<textarea[^>]*name="([^"]+)"[^>]*>(.*?)</textarea>`).
		FindAllStringSubmatch(page, -1) {
		form.Add(m[1], html.UnescapeString(m[2]))
	}
	for _, m := range regexp.MustCompile(`(?s)<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>`).
		FindAllStringSubmatch(page, -1) {
		chosen := regexp.MustCompile(`value="([^"]*)" selected`).FindStringSubmatch(m[2])
		if chosen == nil {
			chosen = []string{"", ""}
		}
		form.Set(m[1], chosen[1])
	}
	form.Del("_token")
	return form
}

// Between returns what stands on a page between two texts.
func Between(page, before, after string) string {
	_, rest, _ := strings.Cut(page, before)
	found, _, _ := strings.Cut(rest, after)
	return found
}

// Windowed returns an event with a call, an organizer's browser and the path of the call's window; it marks the test
// parallel.
func Windowed(t *testing.T) (d *Desk, b *Browser, path string) {
	t.Helper()
	d = Open(t)
	modelstest.Fine(t, call.Of(d.Programme()).Start(t.Context()))
	return d, d.As(staff.Organizer), d.At("/call/window")
}

var SettingsFields = []string{
	"updated_at", "name", "slug", "timezone", "starts_on", "ends_on",
	"was_name", "was_slug", "was_timezone", "was_starts_on", "was_ends_on",
}

func Names(d *Desk, family models.Family) string {
	rows, _, err := d.Programme().ListMetadata(d.T.Context(), family, "", store.Page{Size: 100})
	modelstest.Fine(d.T, err)
	return strings.Join(store.Map(rows, func(m *models.Metadata) string { return m.Name }), ",")
}

// AskApproval sets whether the event asks for approved content, by the page of settings.
func (d *Desk) AskApproval(b *Browser, asks bool) {
	d.T.Helper()
	Wants(d.T, b.Get(d.At("/settings"), 200), "Ask for approved content")
	form := b.Hidden(append(SettingsFields, "was_asks_approval")...)
	if asks {
		form.Set("asks_approval", "yes")
	}
	b.Post(d.At("/settings"), form, 303)
	if got := d.Programme().Event().AsksApproval; got != asks {
		d.T.Fatalf("the event asks for approved content: %v", got)
	}
}
