package letters_test

import (
	"net/url"
	"regexp"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestLettersAreSentByKindWithTheirNumber(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Mailed(func(string) error { return nil })})
	decided(d, "Harbours", models.NewContact{FirstName: "Nomvula", Email: "n@x.org"},
		models.NewContact{FirstName: "Wei", Email: "w@x.org"})
	s := d.Session(models.NewSession{Title: "Ropes", IsAbstract: true})
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Bruno", Email: "b@x.org"})
	modelstest.SetStatus(t, d.Programme(), s.ID, models.Declined)
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), "Send 3 letters…", "All decisions", "Acceptances", "Refusals")
	admintest.Wants(t, b.Get(d.At("/letters/send"), 200), "3 letters to 3 people", "2 acceptances and 1 refusal.",
		"Send 3 letters")
	page := b.Get(d.At("/letters?kind=declined"), 200)
	admintest.Wants(t, page, "Send 1 refusal…", "Bruno")
	admintest.Lacks(t, page, "Nomvula")
	admintest.Wants(t, b.Get(d.At("/letters?q=wei"), 200), "Send 1 letter…", "/letters/send?q=wei")
	page = b.Get(d.At("/letters/send?kind=declined"), 200)
	admintest.Wants(t, page, "1 refusal to 1 person", `name="kind" value="declined"`, `name="expected" value="1"`)
	form := url.Values{"expected": {"1"}, "kind": {"declined"}}
	admintest.Wants(t, b.Follow(b.Post(d.At("/letters/send"), form, 303)), "1 letter is in line", "Bruno")
	page = b.Get(d.At("/letters"), 200)
	admintest.Wants(t, page, "Send 2 letters…", "Nomvula", "Wei")
	admintest.Lacks(t, page, "Bruno", "a yes and a no")
	admintest.Wants(t, b.Get(d.At("/letters?kind=free"), 200), "No drafts of this kind", "Acceptances")
}

func TestWhoGetsAYesAndANoGetsOneLetter(t *testing.T) {
	d := admintest.OpenWith(t, visit.Options{Mail: admintest.Mailed(func(string) error { return nil })})
	decided(d, "Harbours", models.NewContact{FirstName: "Wei", Email: "w@x.org"})
	yes := d.Session(models.NewSession{Title: "Ropes", IsAbstract: true})
	no := d.Session(models.NewSession{Title: "Knots", IsAbstract: true})
	ana := d.Speaker(t, d.Event, yes.ID, models.NewContact{FirstName: "Ana", LastName: "Ito", Email: "a@x.org"})
	d.Join(t, d.Event, no.ID, ana, models.Speaking)
	decide := func(id string, status models.Status) {
		modelstest.SetStatus(t, d.Programme(), id, status)
	}
	decide(yes.ID, models.Accepted)
	decide(no.ID, models.Declined)
	b := d.As(staff.Organizer)
	const both = "1 person gets a yes and a no: Ana Ito."
	admintest.Wants(t, b.Get(d.At("/letters/send"), 200), both)
	admintest.Wants(t, b.Get(d.At("/letters"), 200), both, "Gets a refusal too", "Gets an acceptance too",
		"Send 3 letters")
	page := b.Follow(b.Post(d.At("/letters/join"), nil, 303))
	admintest.Wants(t, page, "1 person gets one letter of both.", "A refusal leaves with it", "Send 2 letters")
	admintest.Lacks(t, page, both, "Gets a refusal too")
	drafts, _, err := letters.Of(d.Programme()).LettersIn(t.Context(), letters.DraftLetters,
		letters.Choice{Text: "Ana"}, store.Page{})
	modelstest.Fine(t, err)
	letter := d.At("/letters/" + drafts[0].ID)
	page = b.Get(letter, 200)
	admintest.Wants(t, page, "The refusal of", "“Knots”", "“Ropes”", "Write a letter for each")
	admintest.Wants(t, b.Get(regexp.MustCompile(`The refusal of <a href="([^"]+)`).FindStringSubmatch(page)[1], 200),
		"In one letter with “Ropes”", "This refusal leaves in the letter about “Ropes”")
	page = b.Follow(b.Post(letter+"/part", nil, 303))
	admintest.Wants(t, page, "Each decision has a letter of its own again.", "“Ropes”")
	admintest.Lacks(t, page, "“Knots”")
}
