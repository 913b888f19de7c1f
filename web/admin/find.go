package admin

import (
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
)

// foundAtMost is how many records the palette shows; a few of them are people.
const foundAtMost, foundPeople = 8, 3

// find answers the palette with the records that match what is typed: people by
// their name, then titles and labels, then the rest.
func find(v *visit) error {
	p := pages.FoundPage{Text: strings.TrimSpace(v.Query("q"))}
	if p.Short = !store.IsSearched(p.Text); p.Short || utf8.RuneCountInString(p.Text) > store.MaxSearchText {
		return v.Show(pages.Found(p))
	}
	if v.role == staff.RoundReviewer {
		return v.findAssigned(p)
	}
	words := store.SearchWords(p.Text)
	f, err := v.programme.Find(v.UserContext(), p.Text, foundAtMost, foundPeople)
	if store.KindOf(err) == store.Invalid {
		return v.Show(pages.Found(p))
	}
	if err != nil {
		return err
	}
	if p.Records, err = v.foundAll(f, words, words.In); err != nil {
		return err
	}
	if p.Near = len(p.Records) == 0 && words.Forgive(); p.Near {
		if f, err = v.programme.FindNear(v.UserContext(), p.Text, foundAtMost, foundPeople); err != nil {
			return err
		}
		if p.Records, err = v.foundAll(f, words, words.Near); err != nil {
			return err
		}
	}
	return v.Show(pages.Found(p))
}

// foundAll are all that fits what is typed: what is no record, people by their name, sessions, other people.
func (v *visit) foundAll(f *models.Found, words store.Words, fits func(searchable string) bool) ([]pages.FoundRecord, error) {
	records, err := v.foundBeside(fits)
	left := foundAtMost - len(f.Named) - len(f.Others)
	records = append(records, v.foundPeople(f.Named, words)...)
	records = append(records, v.foundSessions(f.Sessions[:min(len(f.Sessions), left)], words)...)
	return append(records, v.foundPeople(f.Others, words)...), err
}

// findAssigned looks among what rounds assign to who looks, by label and title alone.
func (v *visit) findAssigned(p pages.FoundPage) error {
	words := store.SearchWords(p.Text)
	queues, err := v.rounds().Queues(v.UserContext(), v.user)
	if err != nil {
		return err
	}
	for _, q := range queues {
		if q.IsEarly(store.At(v.options.Now())) {
			continue
		}
		entries, err := v.rounds().Entries(v.UserContext(), v.user, q.ID)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if words.In(store.Searchable(e.Title, e.FriendlyID)) && len(p.Records) < foundAtMost {
				p.Records = append(p.Records, pages.FoundRecord{Icon: "file-text", Title: e.Title, Meta: e.FriendlyID,
					URL: v.at("/reviews/" + q.ID + "/" + e.SessionID)})
			}
		}
	}
	return v.Show(pages.Found(p))
}

func (v *visit) foundSessions(sessions []*models.Session, words store.Words) (records []pages.FoundRecord) {
	for _, s := range sessions {
		icon := "calendar"
		if s.IsAbstract {
			icon = "file-text"
		}
		records = append(records, pages.FoundRecord{Icon: icon, Title: s.Title, Meta: s.FriendlyID,
			URL: v.at("/sessions/" + s.ID), Reasons: sessionReasons(s, words.Missing(s.Title, s.FriendlyID))})
	}
	return records
}

func (v *visit) foundPeople(people []*models.Speaker, words store.Words) (records []pages.FoundRecord) {
	for _, person := range people {
		records = append(records, pages.FoundRecord{Icon: "mic", Title: person.FullName, Meta: person.CompanyName,
			URL: v.at("/speakers/" + person.ID), Reasons: personReasons(person, words.Missing(person.FullName))})
	}
	return records
}

// sessionReasons are where a session has words that its title and label have not.
func sessionReasons(s *models.Session, missing store.Words) (reasons []pages.Reason) {
	for _, person := range s.Participants {
		if len(missing.Missing(person.FullName)) < len(missing) {
			reasons = append(reasons, pages.Reason{Where: "With", Pieces: missing.Mark(person.FullName)})
		}
	}
	if described := pages.Described(missing, s); described != nil {
		reasons = append(reasons, *described)
	}
	return reasons
}

// personReasons are where a person has words that are not in their name.
func personReasons(person *models.Speaker, missing store.Words) (reasons []pages.Reason) {
	for _, field := range []struct{ name, text string }{
		{"Company:", person.CompanyName}, {"E-mail address:", person.Email},
	} {
		if len(missing.Missing(field.text)) < len(missing) {
			reasons = append(reasons, pages.Reason{Where: field.name, Pieces: missing.Mark(field.text)})
		}
	}
	return reasons
}

// findAnywhere looks at the event last worked on.
func findAnywhere(v *visit) error {
	events, err := v.store.EventsFor(v.UserContext(), v.user)
	if err != nil || len(events) == 0 {
		return err
	}
	v.event = v.lastEvent(events)
	v.role = v.user.RoleAt(v.event.ID)
	v.programme = v.programmeOf(v.event)
	return find(v)
}
