package models_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// words are a corpus in which searches are easy to get wrong.
var words = []string{
	"Queue", "QUEUE", "queues", "Überraschung", "ÜBER", "naïve", "café", "e\u0301t\u00e9", "straße", "STRASSE", "ẞ",
	"İstanbul", "ılık", "Łódź",
	"ΟΔΟΣ", "οδος", "Привет", "日本", "日本語", "語", "東京タワー", "한국어", "😀", "👩‍👩‍👧", "😀😀😀", "🇧🇪",
	"שלום", "مرحبا", "\u202eabc", "100%", "%", "_", "a_b", "a%b", `\`, `\%`, `a\b`, `"`, `"quoted"`, "'", "O'Brien", "--",
	"*", "a*", "NEAR", "OR", "AND NOT", "^", "(", "a:b",
	"<b>", "&amp;", "x\ty", "a\nb", "zero\u200bwidth", "no\u00a0break", "A-1", "S-2", "ﬁ", "K", "ſ",
}

// corpus fills a programme with the same sessions for the same seed, and returns the ids of the metadata rows, which
// differ from database to database.
func corpus(t *testing.T, f *modelstest.Fixture, sessions int) map[models.Family][]string {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 11))
	ids := map[models.Family][]string{}
	for _, family := range models.Families {
		for i := range 3 {
			row := modelstest.Must(f.Programme().CreateMetadata(t.Context(), family,
				models.NewMetadata{Name: fmt.Sprint(family, i)}))(t)
			ids[family] = append(ids[family], row.ID)
		}
	}
	p := f.Programme()
	reviewers := []*staff.User{f.Hire(t, "grace", staff.Reviewer), f.Hire(t, "li", staff.Reviewer)}
	for _, reviewer := range reviewers {
		ids["reviewers"] = append(ids["reviewers"], reviewer.ID)
	}
	pick := func(family models.Family) store.Optional[string] {
		if random.IntN(3) == 0 {
			return store.Optional[string]{}
		}
		return store.Some(ids[family][random.IntN(3)])
	}
	text := func(n int) string {
		var parts []string
		for range n {
			parts = append(parts, words[random.IntN(len(words))])
		}
		return strings.Join(parts, " ")
	}
	for i := range sessions {
		n := models.NewSession{Title: text(1+random.IntN(2)) + " .", IsAbstract: random.IntN(2) == 0,
			SessionInput: models.SessionInput{
				Description: new(text(random.IntN(4))), Status: &models.Statuses[random.IntN(len(models.Statuses))],
				TrackID: pick(models.Tracks), RoomID: pick(models.Rooms), FormatID: pick(models.Formats),
				LevelID: pick(models.Levels),
				TagIDs:  new(ids[models.Tags][:random.IntN(3)]),
			}}
		if random.IntN(2) == 0 {
			n.StartsAt = store.Some(store.At(f.Clock.Now().Add(time.Duration(random.IntN(5)) * time.Hour)))
		}
		if random.IntN(3) == 0 {
			f.Clock.Move(time.Millisecond) // most rows share their times, so ties are many
		}
		s := modelstest.Must(p.CreateSession(t.Context(), n))(t)
		for _, reviewer := range reviewers {
			if random.IntN(2) == 0 && s.Reviewable(reviewer) == nil {
				modelstest.Fine(t, p.GiveReview(t.Context(), reviewer, s.ID, models.Opinion{Score: 1 + random.IntN(5)}))
			}
		}
		switch random.IntN(8) {
		case 0:
			modelstest.Must(p.DeleteSession(t.Context(), s.ID))(t)
		case 1:
			modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{IsPublic: new(true),
				PublishOverride: true}))(t)
		case 2:
			f.Speaker(t, f.Event, s.ID, models.NewContact{FirstName: text(1), LastName: fmt.Sprint("Person", i)})
		}
	}
	return ids
}

// randomSearch returns the same search for the same random numbers, but for the ids.
func randomSearch(random *rand.Rand, ids map[models.Family][]string, start time.Time) models.SessionSearch {
	maybe := func(chance int) bool { return random.IntN(chance) == 0 }
	flag := func() *bool {
		if maybe(4) {
			return new(random.IntN(2) == 0)
		}
		return nil
	}
	some := func(family models.Family) []string {
		if maybe(6) {
			return ids[family][:1+random.IntN(2)]
		}
		return nil
	}
	at := func(step time.Duration) *store.Time {
		if maybe(8) {
			return new(store.At(start.Add(time.Duration(random.IntN(6)) * step)))
		}
		return nil
	}
	q := models.SessionSearch{
		Sort: []models.SortKey{"", models.ByCreated, models.ByUpdated, models.ByStart, models.ByTitle,
			models.ByFriendlyID, models.ByStatus, models.ByScore}[random.IntN(8)],
		Ascending: random.IntN(2) == 0,
		Page:      store.Page{Number: 1 + random.IntN(3), Size: []int{1, 7, 25, 100}[random.IntN(4)]},
	}
	f := &q.Filter
	f.IsAbstract, f.IsPublic, f.Scheduled, f.IncludeDeleted = flag(), flag(), flag(), maybe(3)
	f.TrackIDs, f.RoomIDs, f.FormatIDs, f.LevelIDs, f.TagIDs = some(models.Tracks), some(models.Rooms),
		some(models.Formats), some(models.Levels), some(models.Tags)
	f.StartsAfter, f.StartsBefore = at(time.Hour), at(time.Hour)
	f.CreatedAfter, f.UpdatedBefore = at(10*time.Millisecond), at(20*time.Millisecond)
	if maybe(4) {
		f.Statuses = models.Statuses[random.IntN(3) : 4+random.IntN(4)]
	}
	if maybe(2) {
		f.Text = someText(random)
	}
	for _, bound := range []**models.Score{&f.ScoreFrom, &f.ScoreBelow} {
		if maybe(20) {
			*bound = new(models.Score(100 + 50*random.IntN(9)))
		}
	}
	for _, by := range []*string{&f.ReviewedBy, &f.AwaitsReviewBy} {
		if maybe(30) {
			*by = ids["reviewers"][random.IntN(2)]
		}
	}
	if maybe(8) {
		f.Reviewed = flag()
	}
	switch random.IntN(20) { // each leaves few
	case 0:
		f.RunsAt = new(store.At(start.Add(time.Duration(random.IntN(5)) * time.Hour)))
	case 1:
		f.OnDay = start.Format(time.DateOnly)
	case 2:
		f.Speaker = "person " + fmt.Sprint(random.IntN(3))
	case 3:
		f.Rooms = ids[models.Rooms][:1+random.IntN(2)]
	}
	return q
}

// someText returns a word of the corpus or a part of one, in any case.
func someText(random *rand.Rand) string {
	runes := []rune(words[random.IntN(len(words))])
	from := random.IntN(len(runes))
	text := string(runes[from : from+1+random.IntN(len(runes)-from)])
	switch random.IntN(4) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return strings.ToLower(text)
	case 2:
		return text + " " + words[random.IntN(len(words))]
	}
	return text
}

func TestBothDatabasesGiveTheSameRowsInTheSameOrder(t *testing.T) {
	modelstest.InTurn(t)
	t.Parallel()
	const sessions, searches = 90, 200
	answers := map[string][]string{}
	for _, dialect := range modelstest.Dialects {
		f := modelstest.Open(t, dialect)
		start := f.Clock.Now()
		ids := corpus(t, f, sessions)
		random, p := rand.New(rand.NewPCG(3, 5)), f.Programme()
		for range searches {
			q := randomSearch(random, ids, start)
			rows, pagination, err := p.SearchSessions(t.Context(), q)
			if err != nil {
				t.Fatalf("%s: %+v: %v", dialect, q, err)
			}
			answer := fmt.Sprintf("%+v:", pagination)
			for _, s := range rows {
				answer += " " + s.FriendlyID
			}
			answers[dialect] = append(answers[dialect], answer)
		}
	}
	random := rand.New(rand.NewPCG(3, 5))
	found := 0
	for i := range searches {
		q := randomSearch(random, map[models.Family][]string{models.Tracks: {"0", "1", "2"}, models.Rooms: {"0", "1", "2"},
			models.Tags:    {"0", "1", "2"},
			models.Formats: {"0", "1", "2"}, models.Levels: {"0", "1", "2"}, "reviewers": {"0", "1"}}, time.Time{})
		if a, b := answers["sqlite"][i], answers["postgres"][i]; a != b {
			t.Errorf("%+v\nsqlite   %s\npostgres %s", q, a, b)
		} else if strings.Contains(a, "-") {
			found++
		}
	}
	modelstest.Holds(t, found >= searches/3, "only %d of %d searches found anything", found, searches)
}

func TestTextIsFoundWhereverItIsPartOfASession(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		corpus(t, f, 60)
		p := f.Programme()
		search := func(text string) []string {
			rows, _, err := p.SearchSessions(t.Context(), models.SessionSearch{Filter: models.SessionFilter{Text: text},
				Page: store.Page{Size: 100}})
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			ids := store.Map(rows, func(s *models.Session) string { return s.FriendlyID })
			slices.Sort(ids)
			return ids
		}
		rows := modelstest.First(p.SearchSessions(t.Context(), models.SessionSearch{Page: store.Page{Size: 100}}))(t)
		random := rand.New(rand.NewPCG(1, 2))
		for range 100 {
			text := someText(random)
			var want []string
			for _, s := range rows {
				shown := []string{s.Title, s.FriendlyID, store.PlainText(s.Description)}
				for _, person := range s.Participants {
					shown = append(shown, person.FullName)
				}
				if hasWords(text, shown) {
					want = append(want, s.FriendlyID)
				}
			}
			slices.Sort(want)
			modelstest.WantAll(t, text+" finds", search(text), want)
		}
	})
}

// hasWords is another implementation of the rule for words, without phrases of several words.
func hasWords(text string, fields []string) bool {
	plain := strings.NewReplacer("ß", "ss", "ł", "l", "ı", "i")
	folded := func(text string) string {
		text = cases.Fold().String(norm.NFKD.String(text))
		text = regexp.MustCompile(`[\p{Mn}\p{Me}]`).ReplaceAllString(text, "")
		return plain.Replace(strings.Join(strings.Fields(text), " "))
	}
	words := strings.Fields(text)
	for _, word := range words {
		if unquoted, quoted := strings.CutPrefix(word, `"`); quoted && (unquoted != "" || len(words) > 1) {
			word = strings.Replace(unquoted, `"`, "", 1)
		}
		if !slices.ContainsFunc(fields, func(field string) bool { return strings.Contains(folded(field), folded(word)) }) {
			return false
		}
	}
	return true
}

func TestPagesNeverOverlapAndEndInTheId(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		for i := range 23 { // all alike: only the id tells them apart
			n := models.NewSession{Title: "Same"}
			if i%2 == 0 {
				n.StartsAt = store.Some(store.At(f.Clock.Now()))
			}
			modelstest.Must(p.CreateSession(t.Context(), n))(t)
		}
		for _, key := range sortKeys {
			for _, ascending := range []bool{true, false} {
				var all []*models.Session
				for page := range 5 {
					rows := modelstest.First(p.SearchSessions(t.Context(),
						models.SessionSearch{Sort: key, Ascending: ascending, Page: store.Page{Number: page + 1, Size: 5}}))(t)
					all = append(all, rows...)
				}
				if len(all) != 23 {
					t.Fatalf("%s: %d rows on all pages", key, len(all))
				}
				for i := range all[1:] {
					a, b := all[i], all[i+1]
					if key == models.ByStart && (a.StartsAt == nil) != (b.StartsAt == nil) {
						modelstest.Holds(t, a.StartsAt != nil,
							"%s ascending %t: an unscheduled row comes before a scheduled one", key, ascending)
						continue
					}
					if key != models.ByFriendlyID && (a.ID < b.ID) != ascending {
						t.Errorf("%s ascending %t: %s before %s", key, ascending, a.ID, b.ID)
					}
				}
			}
		}
	})
}
