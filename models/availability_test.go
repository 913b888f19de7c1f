package models_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestAbsencesAreKeptInOneForm(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Programme().Directory()
		ada := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Ada"}))(t)
		for text, want := range map[string]string{
			"":           "",
			" ; \r\n":    "",
			"2027-05-21": "2027-05-21 00:00-24:00",
			"2027-05-21 12:00–15:00; 2027-05-20 18:00-24:00\r\n2027-05-21 12:00-15:00": "2027-05-20 18:00-24:00\n" +
				"2027-05-21 12:00-15:00",
		} {
			now := modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("away", text)))(t)
			modelstest.Want(t, text+" is kept as", now.Here.Away, want)
		}
		for _, text := range []string{"Friday", "2027-02-30", "2027-05-20 12:00", "2027-05-20 15:00-12:00",
			"2027-05-20 12:00-12:00", "2027-05-20 24:00-24:00", "2027-05-20 09:60-12:00", "2027-05-20 09:00-25:00",
			"2027-05-20 09:00-12:00 x", strings.Repeat("2027-05-20 09:00-12:0", 2), "<script>"} {
			modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values("away", text)))(t, text, store.Invalid)
		}
		var many strings.Builder
		for minute := range models.MaxAbsences + 1 {
			many.WriteString("2027-05-20 00:00-" + "0" + string(rune('0'+minute/60)) + ":" + string(rune('0'+minute%60/10)) +
				string(rune('0'+minute%10)) + "\n")
		}
		modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values("away", strings.Replace(many.String(),
			"2027-05-20 00:00-00:00\n", "", 1)+"2027-05-20 00:00-23:59")))(t, "too many", store.Invalid)
	})
}

func TestDayPartsAreTheDay(t *testing.T) {
	t.Parallel()
	until := "00:00"
	for _, part := range models.DayParts {
		if part.From != until {
			t.Errorf("%s follows %s", part.From, until)
		}
		until = part.Until
	}
	modelstest.Want(t, "the day ends at", until, "24:00")
}
