package page

import (
	"crypto/hmac"
	"crypto/rand"
	"net/http"
	"net/url"
	"strings"
)

// A form's token holds the form's name and a proof of it; by the name, a form that is sent twice is recognized.

// FormToken returns the token of this page's forms. A page that answers a form keeps that form's name.
func (v *Visit) FormToken() string {
	if v.form == "" {
		v.form = rand.Text()
	}
	return v.form + "." + v.site.formProof(v.form, v.Token())
}

func (s *Site) formProof(form, token string) string { return s.Sign("form", form+token) }

// ownForm tells whether a token belongs to a form of this browser and sign-in. It keeps the form's name even where
// not, for the page that offers to send the form again.
func (v *Visit) ownForm(token string) bool {
	name, proof, _ := strings.Cut(token, ".")
	if len(name) != len(rand.Text()) {
		return false
	}
	v.form = name
	return hmac.Equal([]byte(proof), []byte(v.site.formProof(name, v.Token())))
}

// CheckForm lets a change through only when it comes from a page of ours in this browser, judged by the origin that
// the browser states and by the form's token. It answers OldForm or LateForm.
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
	if !own && (given == "" || len(r.Header) == 0) { // the browser states no origin either
		return OldForm
	}
	v.Foreign = false
	if !own {
		return LateForm
	}
	return nil
}
