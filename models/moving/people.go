package moving

import (
	"context"
	"errors"
	"maps"
	"path"
	"strings"

	"golang.org/x/sync/errgroup"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/people"
)

// photosAtOnce is how many photos are fetched in parallel.
const photosAtOnce = 4

// people brings people, their answers, notes and photos.
func (m *Move) people(ctx context.Context) error {
	return m.source.People(ctx, func(some []Person) error {
		all, keys := make([]arrival.Person, len(some)), make([]string, len(some))
		for i, x := range some {
			all[i], keys[i] = x.Person, x.Key
			all[i].Away = Away(x.Available, m.frame.Starts, m.frame.Ends, m.p.Event().Location())
		}
		if err := m.arrival.People(ctx, all); err != nil {
			return err
		}
		ids, err := m.arrival.Contacts(ctx, keys)
		if err != nil {
			return err
		}
		known, err := m.arrival.Known(ctx, arrival.People, keys)
		if err != nil {
			return err
		}
		photos, err := m.photos(ctx, some, ids, known)
		var brought []arrival.ArrivedRow
		for i := 0; err == nil && i < len(some); i++ {
			if x := &some[i]; ids[x.Key] != "" {
				var said arrival.FieldHashes
				if said, err = m.beside(ctx, x, ids[x.Key], known[x.Key].Said, photos[i]); said != nil {
					brought = append(brought, arrival.ArrivedRow{Key: x.Key, RecordID: x.Key, Said: said})
				}
			}
		}
		m.reportProgress()
		return errors.Join(err, m.arrival.Keep(ctx, arrival.People, brought...))
	})
}

func (x *Person) name() string { return strings.TrimSpace(x.FirstName + " " + x.LastName) }

// photo is the content of a photo, or why it cannot come.
type photo struct {
	content []byte
	reason  string
}

// photos fetches new and changed photos.
func (m *Move) photos(ctx context.Context, some []Person, ids map[string]string, known map[string]arrival.ArrivedRow) (
	[]photo, error) {
	photos := make([]photo, len(some))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(photosAtOnce)
	for i, x := range some {
		if x.Photo == "" || ids[x.Key] == "" || known[x.Key].Said["photo"] == arrival.HashOf(x.Photo) {
			continue
		}
		group.Go(func() (err error) {
			if photos[i].content, err = m.source.Photo(ctx, x.Photo); err != nil {
				photos[i].reason, err = fault(err)
			}
			return err
		})
	}
	return photos, group.Wait()
}

// beside brings what a person has besides the contact, where it changed there, and returns what the other system says
// now; nil if nothing changed.
func (m *Move) beside(ctx context.Context, x *Person, id string, before arrival.FieldHashes, fetched photo) (
	arrival.FieldHashes, error) {
	said := x.said()
	if fetched.content != nil {
		file := models.Upload{Name: path.Base(x.Photo), Content: fetched.content}
		_, err := m.p.Directory().SetPhoto(ctx, id, file)
		if fetched.reason, err = fault(err); err != nil {
			return nil, err
		}
		if fetched.reason == "" {
			m.report.Photos++
		}
	}
	if fetched.reason != "" {
		m.skip(x.Key, "the photo of "+x.name(), fetched.reason)
		delete(said, "photo") // so that it is tried again
	}
	if before["email"] != "" && before["email"] != said["email"] {
		if err := m.address(ctx, x, id, before["email"]); err != nil {
			return nil, err
		}
	}
	if err := m.answers(ctx, x, id, before, said); err != nil {
		return nil, err
	}
	if x.Note != "" && before["note"] != said["note"] {
		if _, err := people.Of(m.p).AddContactNote(ctx, id, x.Note); err != nil {
			return nil, err
		}
	}
	if maps.Equal(before, said) {
		return nil, nil
	}
	return said, nil
}

// address gives a person their new address there, unless staff changed it here.
func (m *Move) address(ctx context.Context, x *Person, id, before string) error {
	c, err := m.p.Contact(ctx, id)
	if err == nil && arrival.HashOf(c.Email) != before && c.Email != x.Email {
		m.skip(x.Key, x.name(), "has another address there, "+x.Email+", and keeps the one that was changed here")
		return nil
	}
	if err == nil {
		_, err = people.In(m.p.Directory()).Update(ctx, id, people.Change{Values: map[string]string{"email": x.Email}})
	}
	reason, err := fault(err)
	if reason != "" {
		m.skip(x.Key, x.name(), "has another address there, "+x.Email+", which cannot come: "+reason)
	}
	return err
}

// said returns the hashes of what a person has besides the contact, each answer under its question's key.
func (x *Person) said() arrival.FieldHashes {
	said := arrival.FieldHashes{"email": arrival.HashOf(x.Email), "photo": arrival.HashOf(x.Photo),
		"note": arrival.HashOf(x.Note)}
	for _, a := range x.Answers {
		said[a.Question] = arrival.HashOf(a.Values)
	}
	return said
}

// answers stores the changed answers to questions for each speaker. An answer that is gone there is cleared.
func (m *Move) answers(ctx context.Context, x *Person, id string, before, said arrival.FieldHashes) error {
	values := call.Values{}
	put := func(question, value string) {
		if q := m.asked[question]; q != nil && q.RemovedAt == nil && before[question] != said[question] {
			values[q.Key] = value
		}
	}
	for question := range before {
		put(question, "")
	}
	for _, a := range x.Answers {
		put(a.Question, strings.Join(a.Values, "\n"))
	}
	if len(values) == 0 {
		return nil
	}
	_, faults, err := m.call.SaveOwn(ctx, id, call.Saving{Values: values})
	reason, err := fault(err)
	if reason != "" {
		m.skip(x.Key, "the answers of "+x.name(), reason)
		return nil
	}
	for _, f := range faults {
		m.skip(x.Key, "an answer of "+x.name(), f.Message)
	}
	if err == nil {
		m.report.Answers++
	}
	return err
}
