package cfp

import (
	"testing"
	"time"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhereNothingCanBeginTheStartSaysSo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := openOn(t, f)
		const start = "/events/conf/call/start"
		known, _ := s.begun("ada")
		wants(t, s.browser().get(start, 200), "The call closes on", `name="title"`)
		f.Clock.Move(11 * 24 * time.Hour)
		lacks(t, known.get(start, 200), `name="title"`)
		stranger := s.browser()
		page := stranger.get(start, 200)
		wants(t, page, "The call closed on", "I have an access code")
		lacks(t, page, `name="title"`, "The call closes on")
		wants(t, stranger.get(start+"?code=WRONG", 200), "I have an access code", "The call closed on")
		code := modelstest.Must(cfp.Of(f.Programme()).MakeCode(t.Context(), cfp.CodeInput{}))(t)
		page = stranger.get(start+"?code="+code.Code, 200)
		wants(t, page, `name="title"`, `name="access" value="`+code.Code+`"`)
		lacks(t, page, "The call closes on", "1 December 2026")
		place := cfp.PlaceOf(f.Store, loginOf(t, known), store.By{})
		until := store.At(f.Clock.Now().Add(24 * time.Hour))
		modelstest.Fine(t, cfp.Of(f.Programme()).Extend(t.Context(), place.ContactID(), &until))
		wants(t, known.get(start, 200), `name="title"`, "3 December 2026")
	})
}
