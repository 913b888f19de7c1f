package page

import (
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
	v.keep(layouts.Notice{Kind: "good", Text: text, Undo: &components.Undo{Action: action, Fields: fields}})
	return v.See(address, "")
}

// KeepNotice has the next page show a notice; kind is good, warn or bad.
func (v *Visit) KeepNotice(kind, text string) { v.keep(layouts.Notice{Kind: kind, Text: text}) }

const noticeCookie = "lectern-notice"

// noticeLimit is what of a cookie browsers keep, less its name and proof: an undo
// that does not fit is not offered, lest the notice be lost with it.
const noticeLimit = 4096 - 200

// TellAt has the notices that are kept from now on shown in a part of the next page.
func (v *Visit) TellAt(part string) { v.part = part }

func (v *Visit) keep(n layouts.Notice) {
	n.At = v.part
	b, _ := json.Marshal(n)
	value := base64.RawURLEncoding.EncodeToString(b)
	if len(value) > noticeLimit && n.Undo != nil {
		n.Undo = nil
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
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err == nil && hmac.Equal([]byte(proof), []byte(v.site.Sign("notice", value+v.Token()))) {
		json.Unmarshal(text, &v.notice)
	}
}
