package desk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/desk"
	"lectern/views/records"
	"lectern/web/admin/visit"
)

// foundAtMost is how many records the palette shows, and foundPeople how many of them may be people.
const foundAtMost, foundPeople = 8, 3

// find answers the palette of an event.
func find(v *visit.Visit) error {
	return findWith(v, func(*models.Found, string) ([]*models.Contact, error) { return nil, nil })
}

// findWith answers the palette with the records that match what is typed: people by name, then titles and labels, then
// other matches and, where there is room, the people that beyond returns.
func findWith(v *visit.Visit, beyond func(f *models.Found, text string) ([]*models.Contact, error)) error {
	p := pages.FoundPage{Text: strings.TrimSpace(v.Query("q"))}
	if p.Short = !store.IsSearched(p.Text); p.Short || utf8.RuneCountInString(p.Text) > store.MaxSearchText {
		return v.Show(pages.Found(p))
	}
	if v.Role == staff.RoundReviewer {
		return findAssigned(v, p)
	}
	words := store.SearchWords(p.Text)
	f, err := v.Programme.Find(v.UserContext(), p.Text, foundAtMost, foundPeople)
	if store.KindOf(err) == store.Invalid {
		return v.Show(pages.Found(p))
	}
	if err != nil {
		return err
	}
	if p.Records, err = foundAll(v, f, words, words.In); err != nil {
		return err
	}
	others, err := beyond(f, p.Text)
	if err != nil {
		return err
	}
	others = others[:min(len(others), foundPeople, max(0, foundAtMost-len(p.Records)))]
	p.Records = append(p.Records, recordsOf(others, words, "/admin/contacts/")...)
	if p.Near = len(p.Records) == 0 && words.Forgive(); p.Near {
		if f, err = v.Programme.FindNear(v.UserContext(), p.Text, foundAtMost, foundPeople); err != nil {
			return err
		}
		if p.Records, err = foundAll(v, f, words, words.Near); err != nil {
			return err
		}
	}
	return v.Show(pages.Found(p))
}

// foundAll returns all that matches what is typed: what is no record, people by name, sessions, other people.
func foundAll(v *visit.Visit, f *models.Found, words store.Words,
	fits func(searchable string) bool) ([]pages.FoundRecord, error) {
	records, err := foundBeside(v, fits)
	left := foundAtMost - len(f.Named) - len(f.Others)
	records = append(records, recordsOf(f.Named, words, v.At("/speakers/"))...)
	records = append(records, foundSessions(v, f.Sessions[:min(len(f.Sessions), left)], words)...)
	return append(records, recordsOf(f.Others, words, v.At("/speakers/"))...), err
}

// findAssigned searches what rounds assign to this user, by label and title alone.
func findAssigned(v *visit.Visit, p pages.FoundPage) error {
	words := store.SearchWords(p.Text)
	queues, err := v.Rounds().Queues(v.UserContext(), v.User)
	if err != nil {
		return err
	}
	for _, q := range queues {
		if q.IsEarly(store.At(v.Options.Now())) {
			continue
		}
		entries, err := v.Rounds().Entries(v.UserContext(), v.User, q.ID)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if words.In(store.Searchable(e.Title, e.FriendlyID)) && len(p.Records) < foundAtMost {
				p.Records = append(p.Records, pages.FoundRecord{Icon: "file-text", Title: e.Title, Meta: e.FriendlyID,
					URL: v.At("/reviews/" + q.ID + "/" + e.SessionID)})
			}
		}
	}
	return v.Show(pages.Found(p))
}

func foundSessions(v *visit.Visit, sessions []*models.Session, words store.Words) (records []pages.FoundRecord) {
	for _, s := range sessions {
		icon := "calendar"
		if s.IsAbstract {
			icon = "file-text"
		}
		records = append(records, pages.FoundRecord{Icon: icon, Title: s.Title, Meta: s.FriendlyID,
			URL: v.At("/sessions/" + s.ID), Reasons: sessionReasons(s, words.Missing(s.Title, s.FriendlyID))})
	}
	return records
}

// recordsOf returns people as records, whose pages stand below an address.
func recordsOf(people []*models.Contact, words store.Words, below string) (records []pages.FoundRecord) {
	for _, person := range people {
		records = append(records, pages.FoundRecord{Icon: "mic", Title: person.FullName, Meta: person.CompanyName,
			URL: below + person.ID, Reasons: personReasons(person, words.Missing(person.FullName))})
	}
	return records
}

// sessionReasons says where a session has the words that are missing in its title and label.
func sessionReasons(s *models.Session, missing store.Words) (reasons []records.Match) {
	for _, person := range s.Participants {
		if len(missing.Missing(person.FullName)) < len(missing) {
			reasons = append(reasons, records.Match{Where: "With", Pieces: missing.Mark(person.FullName)})
		}
	}
	if described := records.Described(missing, s); described != nil {
		reasons = append(reasons, *described)
	}
	return reasons
}

// personReasons says where a person has words that are missing in their name.
func personReasons(person *models.Speaker, missing store.Words) (reasons []records.Match) {
	for _, field := range []struct{ name, text string }{
		{"Company:", person.CompanyName}, {"E-mail address:", person.Email},
	} {
		if len(missing.Missing(field.text)) < len(missing) {
			reasons = append(reasons, records.Match{Where: field.name, Pieces: missing.Mark(field.text)})
		}
	}
	return reasons
}

// findAnywhere searches the event last worked on, and the people of all events that the user sees.
func findAnywhere(v *visit.Visit) error {
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	if err != nil || len(events) == 0 {
		return err
	}
	v.Event = v.LastEvent(events)
	v.Role = v.User.RoleAt(v.Event.ID)
	v.Programme = v.ProgrammeOf(v.Event)
	return findWith(v, func(f *models.Found, text string) ([]*models.Contact, error) {
		all, err := v.Directory().Find(v.UserContext(), text, foundAtMost)
		all = slices.DeleteFunc(all, func(x *models.Contact) bool {
			return slices.ContainsFunc(slices.Concat(f.Named, f.Others), func(y *models.Contact) bool { return x.ID == y.ID })
		})
		return all, err
	})
}
