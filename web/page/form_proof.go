package page

import (
	"crypto/hmac"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
)

// A form's token names the form beside its proof, so that one that was sent before is known again.

// FormToken is the proof of the forms of this page. The page that answers a form
// carries the name of that form on.
func (v *Visit) FormToken() string {
	if v.form == "" {
		v.form = rand.Text()
	}
	return v.form + "." + v.site.formProof(v.form, v.Token())
}

func (s *Site) formProof(form, token string) string { return s.Sign("form", form+token) }

// ownForm tells whether a token is that of a form of this browser and sign-in. A
// form of another one keeps its name, for the page that offers to send it again.
func (v *Visit) ownForm(token string) bool {
	name, proof, _ := strings.Cut(token, ".")
	if len(name) != len(rand.Text()) {
		return false
	}
	v.form = name
	return hmac.Equal([]byte(proof), []byte(v.site.formProof(name, v.Token())))
}

// CheckForm lets a change through only when it comes from a page of ours in this browser: by what the browser
// says of its origin, and by the form's own token. It answers OldForm or LateForm.
func (v *Visit) CheckForm() error {
	r := &http.Request{Method: v.Method(), Host: v.Hostname(), Header: http.Header{}, URL: &url.URL{Path: v.Path()}}
	for _, name := range []string{"Sec-Fetch-Site", "Origin"} {
		if value := v.Get(name); value != "" {
			r.Header.Set(name, value)
		}
	}
	v.Foreign = true
	if err := v.site.origins.Check(r); err != nil {
		return OldForm
	}
	given := v.FormValue("_token")
	if given == "" {
		given = v.Get("x-form-token")
	}
	own := v.ownForm(given)
	if !own && (given == "" || len(r.Header) == 0) { // the browser does not vouch for where it comes from
		return OldForm
	}
	v.Foreign = false
	if !own {
		return LateForm
	}
	return nil
}
