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

// See redirects the browser to an address, where it is shown the text as a notice; "" shows none.
func (v *Visit) See(address, text string) error {
	if text != "" {
		v.KeepNotice("good", text)
	}
	return v.Redirect(address, http.StatusSeeOther)
}

// SeeWarning is See after something that was not done, or not as it was asked for.
func (v *Visit) SeeWarning(address, text string) error {
	v.KeepNotice("warn", text)
	return v.See(address, "")
}

// SeeRefusal is See after something that was refused.
func (v *Visit) SeeRefusal(address, text string) error {
	v.KeepNotice("bad", text)
	return v.See(address, "")
}

// Done is See after an operation that may have failed, whose error it then returns.
func (v *Visit) Done(err error, address, text string) error {
	if err != nil {
		return err
	}
	return v.See(address, text)
}

// SeeInstead is See from an address that has nothing to show itself; it passes on a notice that was meant for it.
func (v *Visit) SeeInstead(address string) error {
	if v.notice.Text != "" {
		v.keep(v.notice)
	}
	return v.See(address, "")
}

// SeeUndo is See with a button that undoes what was done, by posting these fields to action.
func (v *Visit) SeeUndo(address, text, action string, fields ...components.Hidden) error {
	return v.SeeWarnings(address, text, nil, &components.Undo{Action: action, Fields: fields})
}

// SeeWarnings is See after something that was done although it collides; the notice shows the first few warnings.
// undo is nil where it cannot be undone.
func (v *Visit) SeeWarnings(address, text string, warnings []components.Linked, undo *components.Undo) error {
	v.keep(noticeOf(text, warnings, undo))
	return v.See(address, "")
}

// KeepWarnings leaves the notice of SeeWarnings for the next page, where the caller redirects by other means.
func (v *Visit) KeepWarnings(text string, warnings []components.Linked) {
	v.keep(noticeOf(text, warnings, nil))
}

// TellNow shows the notice of SeeWarnings on the page of this answer.
func (v *Visit) TellNow(text string, warnings []components.Linked, undo *components.Undo) {
	v.notice = noticeOf(text, warnings, undo)
	v.notice.At = v.part
}

// WarnNow is TellNow for something that was not done.
func (v *Visit) WarnNow(text string) { v.notice = layouts.Notice{Kind: "warn", Text: text, At: v.part} }

func noticeOf(text string, warnings []components.Linked, undo *components.Undo) layouts.Notice {
	n := layouts.Notice{Kind: "good", Text: text, Undo: undo, Warned: len(warnings)}
	for _, w := range warnings[:min(len(warnings), warningsShown)] {
		w.Name, w.Subject = short(w.Name), short(w.Subject)
		n.Kind, n.Warnings = "warn", append(n.Warnings, w)
	}
	return n
}

// warningsShown is how many warnings a notice shows.
const warningsShown = 3

// short cuts a name in a notice to 80 characters, since the notice must fit into a cookie.
func short(name string) string {
	if runes := []rune(name); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return name
}

// KeepNotice leaves a notice for the next page; kind is good, warn or bad.
func (v *Visit) KeepNotice(kind, text string) { v.keep(layouts.Notice{Kind: kind, Text: text}) }

const noticeCookie = "lectern-notice"

// noticeLimit is the size of a cookie that browsers keep, in bytes, less its name and proof. An undo or warnings
// that do not fit are left out, so that the notice itself survives.
const noticeLimit = 4096 - 200

// TellAt places the notices of this answer in a part of the page, such as a list's row.
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

// ReadNotice takes over the notice that the page before left for this one.
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

// packNotice compresses a notice for its cookie, since an undo may name every person of a record.
func packNotice(n layouts.Notice) string {
	var out bytes.Buffer
	packed, _ := flate.NewWriter(&out, flate.BestCompression)
	json.NewEncoder(packed).Encode(n)
	packed.Close()
	return base64.RawURLEncoding.EncodeToString(out.Bytes())
}

// unpackNotice reads what packNotice wrote.
func unpackNotice(value string) (n layouts.Notice) {
	packed := base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(value))
	json.NewDecoder(flate.NewReader(packed)).Decode(&n)
	return n
}
