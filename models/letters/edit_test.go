package letters_test

import (
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestPlaceholdersWorkInTheTextOfOneLetter(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "About {{first_name}}", "a@x.org"), models.Accepted)
		l := modelstest.Drafts(t, p, "")[0]
		modelstest.WantKind(t, "a letter elsewhere", letters.Of(f.Elsewhere()).EditLetter(ctx, l.ID, l.UpdatedAt, "S", "{{first_name}}"),
			store.NotFound)
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, l.ID, l.UpdatedAt, "On {{session_title}}",
			"Dear {{first_name}},\n\n{{session_id}} is yours: {{place_link}}"))
		l, _, err := letters.Of(p).Letter(ctx, l.ID)
		if err != nil || l.Subject != "On About {first_name}" || l.Missing != "" || !l.IsEdited ||
			l.Body != "Dear Name0,\n\nA-1 is yours: {{place_link}}" {
			t.Errorf("%q, %q, %v", l.Subject, l.Body, err)
		}

		m := modelstest.Must(letters.Of(p).StartMailing(ctx, p.Directory(), []string{l.ContactID}))(t)
		modelstest.Must(letters.Of(p).SaveMailing(ctx, m.ID, 0, "Travel", "Hello"))(t)
		one := modelstest.Mailed(t, p, m.ID)[0]
		modelstest.WantKind(t, "of a decision", letters.Of(p).EditLetter(ctx, one.ID, one.UpdatedAt, "S", "{{session_title}}"), store.Invalid)
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, one.ID, one.UpdatedAt, "{{full_name}}", "Hello {{first_name}}"))
		if one = modelstest.Mailed(t, p, m.ID)[0]; one.Subject != "Name0 Last" || one.Body != "Hello Name0" {
			t.Errorf("%q, %q", one.Subject, one.Body)
		}
	})
}
