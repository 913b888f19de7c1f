package visit

import (
	"context"
	"net/http"

	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/page"
)

// Lead redirects to another page, even where htmx would otherwise swap that page into this one.
func (v *Visit) Lead(address string) error {
	if v.Get("HX-Request") == "" {
		return v.See(address, "")
	}
	v.Set("HX-Redirect", address)
	return v.SendStatus(http.StatusNoContent)
}

// Made makes something once for a form, as Once does; at returns its address.
func Made[T any](v *Visit, make func(context.Context) (T, error), at func(T) string) (made T, err error) {
	err = v.Once(func(ctx context.Context) (string, error) {
		if made, err = make(ctx); err != nil {
			return "", err
		}
		return at(made), nil
	})
	return made, err
}

// DoneOrAgain is Done, except that a form that was refused is shown again. Callers make address and text before the
// error is looked at, so neither may need what was made.
func (v *Visit) DoneOrAgain(err error, address, text string, show func(status int) error) error {
	if err != nil {
		return v.Again(err, show)
	}
	return v.See(address, text)
}

// DoneOrRefused is Done, except that a refusal is shown as a notice on the page at back.
func (v *Visit) DoneOrRefused(err error, back, text string) error {
	if store.KindOf(err) == store.Invalid {
		return v.SeeRefusal(back, components.Sentence(page.FaultsOf(err)[0]))
	}
	return v.Done(err, back, text)
}
