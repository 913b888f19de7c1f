package look_test

import (
	"testing"

	"lectern/models/look"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestAnEventSaysWhichLanguagesItOffers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		speaks := func(tag string) bool { return modelstest.Must(looks(f).Speaks(ctx))(t)(tag) }
		if !speaks("en") || !speaks("de") || !lookOf(t, f).Speaks("de") {
			t.Error("an event that says nothing does not offer all")
		}
		before := f.Programme().Event().UpdatedAt
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{Languages: new("de fr")}))
		if speaks("en") || !speaks("de") || !speaks("fr") || lookOf(t, f).Languages != "de fr" {
			t.Error("it offers", lookOf(t, f).Languages)
		}
		if f.Programme().Event().UpdatedAt == before {
			t.Error("what is kept by the event's token would stay")
		}
		for _, wrong := range []string{"de;x", "de  fr", " de", "DE"} {
			modelstest.WantKind(t, wrong+" is answered", looks(f).Save(ctx, look.Change{Languages: &wrong}), store.Invalid)
		}
		modelstest.Fine(t, looks(f).Save(ctx, look.Change{Languages: new("")}))
		if !speaks("es") {
			t.Error("all are not offered again")
		}
	})
}
