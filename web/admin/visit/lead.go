package visit

import (
	"net/http"

	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/page"
)

// Lead leads to another page, also from where a script would put it in the place of this one.
func (v *Visit) Lead(address string) error {
	if v.Get("HX-Request") == "" {
		return v.See(address, "")
	}
	v.Set("HX-Redirect", address)
	return v.SendStatus(http.StatusNoContent)
}

// DoneOrRefused is Done, but that a refusal is told on the page at back.
func (v *Visit) DoneOrRefused(err error, back, text string) error {
	if store.KindOf(err) == store.Invalid {
		v.KeepNotice("bad", components.Sentence(page.FaultsOf(err)[0]))
		return v.See(back, "")
	}
	return v.Done(err, back, text)
}
