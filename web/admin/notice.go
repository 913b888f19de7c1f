package admin

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"lectern/views/components"
)

// notice tells on the next page what was done, and offers to take it back.
type notice struct {
	Kind string // good, warn or bad
	Text string
	Undo *components.Undo `json:",omitempty"`
}

// see sends the browser on, with a notice to be shown there.
func (v *visit) see(address, text string) error {
	if text != "" {
		v.keepNotice("good", text)
	}
	return v.Redirect(address, http.StatusSeeOther)
}

// seeInstead is see for an address that has nothing to show; a notice goes along.
func (v *visit) seeInstead(address string) error {
	if v.notice.Text != "" {
		v.keep(v.notice)
	}
	return v.see(address, "")
}

// seeUndo is see after what can be taken back: by a form of these fields to
// action.
func (v *visit) seeUndo(address, text, action string, fields ...components.Fault) error {
	v.keep(notice{"good", text, &components.Undo{Action: action, Fields: fields}})
	return v.see(address, "")
}

func (v *visit) keepNotice(kind, text string) { v.keep(notice{Kind: kind, Text: text}) }

// noticeLimit is what of a cookie browsers keep, less its name and proof: an undo
// that does not fit is not offered, lest the notice be lost with it.
const noticeLimit = 4096 - 200

func (v *visit) keep(n notice) {
	b, _ := json.Marshal(n)
	value := base64.RawURLEncoding.EncodeToString(b)
	if len(value) > noticeLimit && n.Undo != nil {
		n.Undo = nil
		v.keep(n)
		return
	}
	v.setCookie(noticeCookie, value+"."+v.w.sign("notice", value+v.token), 60)
}

func (v *visit) readNotice() {
	value, proof, _ := strings.Cut(v.cookie(noticeCookie), ".")
	if value == "" || v.Method() != http.MethodGet {
		return
	}
	v.dropCookie(noticeCookie)
	text, err := base64.RawURLEncoding.DecodeString(value)
	if err == nil && hmac.Equal([]byte(proof), []byte(v.w.sign("notice", value+v.token))) {
		json.Unmarshal(text, &v.notice)
	}
}
