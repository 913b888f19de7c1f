package cfp_test

import (
	"fmt"
	"io"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func pdf(text string) models.Upload {
	return models.Upload{Name: "slides of tides.pdf", Content: []byte("%PDF-1.7 " + text)}
}

func TestAFileAnswersAQuestionByItsName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		other, theirs := c.Begin(t, f, "Li", "Ebb")
		modelstest.Must(other.AttachFile(ctx, c.Event, theirs.ID, "slides", pdf("theirs")))(t)
		modelstest.Emitted(t, f)
		p := modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("one")))(t)
		first := p.Files["slides"]
		if fmt.Sprint(p.CustomFields) != "[{slides slides of tides.pdf}]" || p.Values["slides"] != first.ID || emitted(t,
			f) != "" {
			t.Errorf("%v %v", p.CustomFields, p.Values)
		}
		saved(t, pl, c, s.ID, answers(c)) // a form of texts leaves it alone
		p = modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("two")))(t)
		file := modelstest.Must(pl.File(ctx, c.Event, s.ID, "slides"))(t)
		content := modelstest.Must(f.Store.OpenFile(ctx, file))(t)
		defer content.Close()
		if text := string(modelstest.Must(io.ReadAll(content))(t)); text != "%PDF-1.7 two" || file.ID == first.ID ||
			p.Values["help"] == "" {
			t.Errorf("%q is kept", text)
		}
		modelstest.Want(t, "staff see another file",
			modelstest.Must(cfp.Of(f.Programme()).AnswerFile(ctx, s.ID, "slides"))(t).ID, file.ID)
		modelstest.Answers(cfp.Of(f.Elsewhere()).AnswerFile(ctx, s.ID, "slides"))(t, "staff of another event", store.NotFound)
		// The bytes of the first are swept, those of the second stay.
		f.Clock.Move(40 * 24 * time.Hour)
		for range 3 {
			modelstest.Must(f.Store.SweepFiles(ctx, 10))(t)
		}
		if _, err := f.Store.OpenFile(ctx, first); err == nil {
			t.Error("the bytes of the first file stay")
		}
		again := modelstest.Must(f.Store.OpenFile(ctx, file))(t)
		again.Close()
	})
}

func TestAFileIsTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		for range 2 {
			modelstest.Must(pl.RemoveFile(ctx, c.Event, s.ID, "slides"))(t)
			modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("x")))(t)
		}
		p := modelstest.Must(pl.RemoveFile(ctx, c.Event, s.ID, "slides"))(t)
		if len(p.CustomFields) != 0 || len(p.Files) != 0 {
			t.Errorf("%v", p.CustomFields)
		}
		modelstest.Answers(pl.File(ctx, c.Event, s.ID, "slides"))(t, "a file that was taken back", store.NotFound)
	})
}

func TestAFileThatIsNotWhatItSaysIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		for what, u := range map[string]models.Upload{
			"another kind":   {Name: "a.exe", Content: []byte("MZ")},
			"a false name":   {Name: "a.pdf", Content: []byte("<script>")},
			"nothing":        {Name: "a.pdf"},
			"too large":      {Name: "a.pdf", Content: append([]byte("%PDF-1"), make([]byte, cfp.MaxFileBytes)...)},
			"script as text": {Name: "a.html", Content: []byte("%PDF-1")},
		} {
			if _, err := pl.AttachFile(ctx, c.Event, s.ID, "slides", u); fields(err) != "slides" {
				t.Errorf("%s answers %v", what, err)
			}
		}
		for _, key := range []string{"title", "help", "bring", "none", ""} {
			modelstest.Answers(pl.AttachFile(ctx, c.Event, s.ID, key, pdf("x")))(t, "a file for "+key, store.NotFound)
		}
	})
}
