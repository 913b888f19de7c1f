package call_test

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/status"
	"lectern/models/store"
)

func TestAStrangerDoesNotFillTheDiskByTheirProfile(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, _ := c.Begin(t, f, "Ada", "Tides")
		say := func(n int) error {
			return modelstest.ErrorOf(pl.SaveProfile(ctx, c.Event,
				modelstest.Values("about", strings.Repeat(strconv.Itoa(n), 45_000))))
		}
		for n := range 23 { // 1,035,000 characters
			modelstest.Fine(t, say(n%9+1))
		}
		err := say(1)
		modelstest.WantKind(t, "more text within the hour", err, store.TooMany)
		modelstest.Want(t, "it is refused by", fields(err), "about")
		lines := modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE subject = 'contact'")
		modelstest.WantKind(t, "a photo larger than a stranger may bring",
			second(pl.SetPhoto(ctx, c.Event, models.Upload{Name: "a.png", Content: make([]byte, 6<<20)})), store.Invalid)
		for range 6 {
			modelstest.WantKind(t, "no photo", second(pl.SetPhoto(ctx, c.Event,
				models.Upload{Name: "a.png", Content: make([]byte, 5<<20)})), store.Invalid)
		}
		modelstest.WantKind(t, "30 MB of photos", second(pl.SetPhoto(ctx, c.Event,
			models.Upload{Name: "a.png", Content: modelstest.Picture(t, 9, 9)})), store.TooMany)
		modelstest.Want(t, "lines of activity are written by refusals",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE subject = 'contact'"), lines)
		f.Clock.Move(61 * time.Minute)
		modelstest.Fine(t, say(2))
		for range 5 { // what is replaced goes within the hour
			modelstest.Fine(t, second(pl.SetPhoto(ctx, c.Event,
				models.Upload{Name: "a.png", Content: modelstest.Picture(t, 9, 9)})))
		}
		pl = c.Prove(t, f, pl)
		for n := range 24 { // who has proven the address writes what they want
			modelstest.Fine(t, say(n%9+1))
		}
		f.Clock.Move(61 * time.Minute)
		modelstest.Must(f.Store.SweepFiles(ctx, 50))(t)
		modelstest.Want(t, "photos are kept", len(modelstest.KeysKept(t, f)), 1)
	})
}

func TestStrangersTogetherDoNotFillTheDiskByTheirProfiles(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		say := func(pl *call.Place, size int) error {
			return second(pl.SaveProfile(ctx, c.Event, modelstest.Values("about", strings.Repeat("a", size))))
		}
		first, _ := c.Begin(t, f, "Ada", "Tides")
		modelstest.Fine(t, say(first, 1))
		modelstest.Exec(t, f.SQL, "UPDATE brought_bytes SET bytes = $1 WHERE whose = $2", 20<<20-30_000,
			"unproven text "+c.Event.ID)
		next, _ := c.Begin(t, f, "Bea", "Ebb")
		modelstest.Fine(t, say(next, 20_000))
		modelstest.WantKind(t, "more than all strangers may say", say(next, 20_001), store.TooMany)
		modelstest.Fine(t, say(c.Prove(t, f, first), 40_000))
	})
}

func TestAStrangerDoesNotFillTheDiskByTheirSubmission(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		v, n := answers(c), 0
		save := func() error {
			n++
			v["description"] = strings.Repeat(strconv.Itoa(n%9+1), 45_000)
			v["biography"] = strings.Repeat(strconv.Itoa(n%9+1), 2_000)
			return third(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v}))
		}
		for range 25 { // a draft saves itself for as long as somebody writes
			modelstest.Fine(t, save())
		}
		modelstest.Must(pl.Submit(ctx, c.Event, s.ID, call.Submitting{}))(t)
		kept := func() int {
			return modelstest.RowsOf(t, f, "SELECT (SELECT sum(length(CAST(before AS text)) + "+
				"length(CAST(after AS text))) FROM activity) + (SELECT sum(length(data)) FROM emissions)")
		}
		before, err := kept(), error(nil)
		for err == nil && n < 200 {
			err = save()
		}
		modelstest.WantKind(t, "more changes within the hour", err, store.TooMany)
		modelstest.Want(t, "it is refused by", fields(err), "description")
		grown := kept() - before
		modelstest.Holds(t, grown >= 900_000 && grown <= 1<<20, "%d bytes are kept", grown)
		if is := proposalOf(t, pl, c, s.ID); is.Values["description"] == v["description"] || is.About == v["biography"] {
			t.Error("what was refused is kept")
		}
		// A single word has the whole record told again, and so has a withdrawal.
		v = answers(c)
		delete(v, "description")
		for n = 0; n < 50; n++ {
			v["title"] = strconv.Itoa(n)
			if err = third(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: v})); err != nil {
				break
			}
		}
		modelstest.WantKind(t, "titles", err, store.TooMany)
		modelstest.WantKind(t, "a biography", third(pl.Save(ctx, c.Event, s.ID, call.Saving{Values: call.Values{
			"biography": strings.Repeat("0", 48_000)}})), store.TooMany)
		modelstest.WantKind(t, "a withdrawal", second(pl.Withdraw(ctx, c.Event, s.ID, "")), store.TooMany)
		// The same of what they speak at in the programme.
		event := modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{AsksApproval: new(true)}))(t)
		talk := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "Tides"}))(t)
		f.Join(t, f.Event, talk.ID, pl.ContactID(), models.Speaking)
		modelstest.WantKind(t, "the text of the programme", second(pl.SaveText(ctx, event, talk.ID, models.Text{
			Title: "Tides", Description: strings.Repeat("0", 48_000)}, "")), store.TooMany)
		other, _ := c.Begin(t, f, "Bea", "Ebb")
		f.Join(t, f.Event, talk.ID, other.ContactID(), models.Speaking)
		for range 40 { // what changes nothing keeps nothing
			modelstest.Fine(t, second(other.SaveText(ctx, event, talk.ID, models.Text{Title: "Tides",
				Description: strings.Repeat("0", 48_000)}, "")))
		}
		pl = c.Prove(t, f, pl)
		for range 24 { // who has proven the address writes what they want
			modelstest.Fine(t, save())
		}
	})
}

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
		modelstest.Holds(t, fmt.Sprint(p.CustomFields) == "[{slides slides of tides.pdf}]" &&
			p.Values["slides"] == first.ID && emitted(t, f) == "", "%v %v", p.CustomFields, p.Values)
		saved(t, pl, c, s.ID, answers(c)) // a form of texts leaves it alone
		p = modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("two")))(t)
		file := modelstest.Must(pl.File(ctx, c.Event, s.ID, "slides"))(t)
		content := modelstest.Must(f.Store.OpenFile(ctx, file))(t)
		defer content.Close()
		text := string(modelstest.Must(io.ReadAll(content))(t))
		modelstest.Holds(t, text == "%PDF-1.7 two" && file.ID != first.ID && p.Values["help"] != "", "%q is kept", text)
		modelstest.Want(t, "staff see another file",
			modelstest.Must(call.Of(f.Programme()).AnswerFile(ctx, s.ID, "slides"))(t).ID, file.ID)
		modelstest.Answers(call.Of(f.Elsewhere()).AnswerFile(ctx, s.ID, "slides"))(t, "staff of another event", store.NotFound)
		// The bytes of the first are swept, those of the second stay.
		f.Clock.Move(40 * 24 * time.Hour)
		for range 3 {
			modelstest.Must(f.Store.SweepFiles(ctx, 10))(t)
		}
		_, err := f.Store.OpenFile(ctx, first)
		modelstest.Holds(t, err != nil, "the bytes of the first file stay")
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
		modelstest.Holds(t, len(p.CustomFields) == 0 && len(p.Files) == 0, "%v", p.CustomFields)
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
			"too large":      {Name: "a.pdf", Content: append([]byte("%PDF-1"), make([]byte, call.MaxFileBytes)...)},
			"script as text": {Name: "a.html", Content: []byte("%PDF-1")},
		} {
			modelstest.Want(t, what+" answers for", fields(second(pl.AttachFile(ctx, c.Event, s.ID, "slides", u))), "slides")
		}
		for _, key := range []string{"title", "help", "bring", "none", ""} {
			modelstest.Answers(pl.AttachFile(ctx, c.Event, s.ID, key, pdf("x")))(t, "a file for "+key, store.NotFound)
		}
	})
}

// slidesOf returns slides of n megabytes.
func slidesOf(megabytes int) models.Upload {
	return pdf(strings.Repeat("x", megabytes<<20-9))
}

func TestAStrangerBringsLittle(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		attach := func(pl *call.Place, megabytes int) error {
			return second(pl.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(megabytes)))
		}
		if err := attach(pl, 6); fields(err) != "slides" || !strings.Contains(err.Error(), "up to 5 MB") {
			t.Errorf("a large file of an unproven address: %v", err)
		}
		kept := 0
		for _, err := range modelstest.AtOnce(12, func(int) error { return attach(pl, 5) }) {
			if err == nil {
				kept++
			} else if store.KindOf(err) != store.TooMany && store.KindOf(err) != store.Stale {
				t.Errorf("one too many: %v", err)
			}
		}
		var counted int64
		f.Store.Read(ctx).Table("brought_bytes").Where("whose = ?", "unproven "+pl.ContactID()).Pluck("bytes", &counted)
		left := modelstest.RowsOf(t, f, "SELECT count(*) FROM file_leftovers")
		modelstest.Holds(t, kept != 0 && kept <= 6 && counted == 30<<20 && left <= 6,
			"%d of 12 are kept, %d bytes are counted, %d are left over", kept, counted, left)
		modelstest.Must(call.Of(f.Programme()).AttachFile(ctx, s.ID, "slides", slidesOf(6)))(t) // by staff
		pl = c.Prove(t, f, pl)
		modelstest.Fine(t, attach(pl, 20))
		had := "UPDATE brought_bytes SET bytes = ? WHERE whose = ? AND bytes = ?"
		modelstest.Fine(t, f.Store.Write(ctx, func(tx *store.Tx) error {
			done := tx.Exec(had, 180<<20, "proven "+pl.ContactID(), 20<<20)
			modelstest.Want(t, "20 MB are not counted", done.RowsAffected, 1)
			return done.Error
		}))
		modelstest.Fine(t, attach(pl, 20))
		if err := attach(pl, 1); store.KindOf(err) != store.TooMany || !strings.Contains(err.Error(), "Send it again in") {
			t.Errorf("the 201st megabyte: %v", err)
		}
		f.Clock.Move(time.Hour)
		modelstest.Fine(t, attach(pl, 1))
	})
}

func TestStrangersTogetherBringLittleToAnEventAndKeepNobodyOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "First", "Tides")
		modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(1)))(t)
		modelstest.Exec(t, f.SQL, "UPDATE brought_bytes SET bytes = $1 WHERE whose = $2", 497<<20, "unproven "+c.Event.ID)
		type draft struct {
			pl *call.Place
			id string
		}
		drafts := make([]draft, 6)
		for i := range drafts {
			pl, s := c.Begin(t, f, fmt.Sprint("Kim", i), "Ebb")
			drafts[i] = draft{pl, s.ID}
		}
		kept := 0
		for _, err := range modelstest.AtOnce(len(drafts), func(i int) error {
			return second(drafts[i].pl.AttachFile(ctx, c.Event, drafts[i].id, "slides", slidesOf(1)))
		}) {
			if err == nil {
				kept++
			} else {
				modelstest.WantKind(t, "one too many", err, store.TooMany)
			}
		}
		modelstest.Want(t, "kept of 6", kept, 3)
		proven := c.Prove(t, f, pl)
		modelstest.Must(proven.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(2)))(t)
		// Who has proven an address is counted too, with all who have.
		modelstest.Exec(t, f.SQL, "UPDATE brought_bytes SET bytes = $1 WHERE whose = $2", 4999<<20, "proven "+c.Event.ID)
		modelstest.Answers(proven.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(2)))(t, "the 5001st megabyte",
			store.TooMany)
		modelstest.Must(proven.AttachFile(ctx, c.Event, s.ID, "slides", slidesOf(1)))(t)
	})
}

func TestWhatAReplacedAnswerLeavesGoesWithinTheHour(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), modelstest.OpenCall(t, f)
		pl, s := c.Begin(t, f, "Ada", "Tides")
		first := modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("one")))(t).Files["slides"]
		now := modelstest.Must(pl.AttachFile(ctx, c.Event, s.ID, "slides", pdf("three")))(t).Files["slides"]
		sizes := modelstest.Must(status.FilesOf(ctx, f.Store, f.Store.Organization(c.Event.OrganizationID, store.By{})))(t)
		modelstest.Holds(t, sizes.Files == 1 && sizes.Bytes == now.Size && len(sizes.Events) == 1 &&
			sizes.Events[0].Name == c.Event.Name && sizes.Events[0].Bytes == now.Size, "files take %+v", sizes)
		for range 2 { // as often as it is swept in an hour
			f.Clock.Move(30 * time.Minute)
			modelstest.Must(f.Store.SweepFiles(ctx, 10))(t)
		}
		_, err := f.Store.OpenFile(ctx, first)
		modelstest.Holds(t, err != nil, "the bytes of the first file stay")
		content := modelstest.Must(f.Store.OpenFile(ctx, now))(t)
		content.Close()
	})
}
