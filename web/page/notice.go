package page

import (
	"bytes"
	"compress/flate"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"lectern/views/components"
	"lectern/views/layouts"
)

// See sends the browser on, with a notice to be shown there.
func (v *Visit) See(address, text string) error {
	if text != "" {
		v.KeepNotice("good", text)
	}
	return v.Redirect(address, http.StatusSeeOther)
}

// Done is See after something that may have failed.
func (v *Visit) Done(err error, address, text string) error {
	if err != nil {
		return err
	}
	return v.See(address, text)
}

// SeeInstead is See for an address that has nothing to show; a notice goes along.
func (v *Visit) SeeInstead(address string) error {
	if v.notice.Text != "" {
		v.keep(v.notice)
	}
	return v.See(address, "")
}

// SeeUndo is See after what can be taken back: by a form of these fields to action.
func (v *Visit) SeeUndo(address, text, action string, fields ...components.Hidden) error {
	return v.SeeWarnings(address, text, nil, &components.Undo{Action: action, Fields: fields})
}

// SeeWarnings is See after what was done although it collides: with the first few warnings. Undo is nil for what
// is not taken back.
func (v *Visit) SeeWarnings(address, text string, warnings []components.Linked, undo *components.Undo) error {
	v.keep(noticeOf(text, warnings, undo))
	return v.See(address, "")
}

// KeepWarnings has the next page show what SeeWarnings does, for who leads there by other means.
func (v *Visit) KeepWarnings(text string, warnings []components.Linked) {
	v.keep(noticeOf(text, warnings, nil))
}

// TellNow has the page of this answer show what SeeWarnings has the next one show.
func (v *Visit) TellNow(text string, warnings []components.Linked, undo *components.Undo) {
	v.notice = noticeOf(text, warnings, undo)
	v.notice.At = v.part
}

// WarnNow is TellNow for what was not done.
func (v *Visit) WarnNow(text string) { v.notice = layouts.Notice{Kind: "warn", Text: text, At: v.part} }

func noticeOf(text string, warnings []components.Linked, undo *components.Undo) layouts.Notice {
	n := layouts.Notice{Kind: "good", Text: text, Undo: undo, Warned: len(warnings)}
	for _, w := range warnings[:min(len(warnings), warningsShown)] {
		w.Name, w.Subject = short(w.Name), short(w.Subject)
		n.Kind, n.Warnings = "warn", append(n.Warnings, w)
	}
	return n
}

// warningsShown is how many warnings a notice has.
const warningsShown = 3

// short is a name as a notice has it, which a cookie must hold.
func short(name string) string {
	if runes := []rune(name); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return name
}

// KeepNotice has the next page show a notice; kind is good, warn or bad.
func (v *Visit) KeepNotice(kind, text string) { v.keep(layouts.Notice{Kind: kind, Text: text}) }

const noticeCookie = "lectern-notice"

// noticeLimit is what of a cookie browsers keep, less its name and proof: an undo and
// warnings that do not fit are left out, lest the notice be lost with them.
const noticeLimit = 4096 - 200

// TellAt has the notices that are kept from now on shown in a part of the next page.
func (v *Visit) TellAt(part string) { v.part = part }

func (v *Visit) keep(n layouts.Notice) {
	n.At = v.part
	value := packNotice(n)
	switch last := len(n.Warnings) - 1; {
	case len(value) <= noticeLimit:
	case n.Undo != nil:
		n.Undo = nil
		v.keep(n)
		return
	case last >= 0:
		n.Warnings = n.Warnings[:last]
		v.keep(n)
		return
	}
	v.SetCookie(noticeCookie, value+"."+v.site.Sign("notice", value+v.Token()), 60)
}

// ReadNotice takes the notice that the page before left for this one.
func (v *Visit) ReadNotice() {
	value, proof, _ := strings.Cut(v.CookieValue(noticeCookie), ".")
	if value == "" || v.Method() != http.MethodGet {
		return
	}
	v.DropCookie(noticeCookie)
	if hmac.Equal([]byte(proof), []byte(v.site.Sign("notice", value+v.Token()))) {
		v.notice = unpackNotice(value)
	}
}

// packNotice writes a notice as a cookie holds it: small, since an undo names every person of a record.
func packNotice(n layouts.Notice) string {
	var out bytes.Buffer
	packed, _ := flate.NewWriter(&out, flate.BestCompression)
	json.NewEncoder(packed).Encode(n)
	packed.Close()
	return base64.RawURLEncoding.EncodeToString(out.Bytes())
}

// unpackNotice reads a notice of ours.
func unpackNotice(value string) (n layouts.Notice) {
	packed := base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(value))
	json.NewDecoder(flate.NewReader(packed)).Decode(&n)
	return n
}
