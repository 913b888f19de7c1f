package moving

import (
	"context"
	"path"
	"strings"

	"golang.org/x/sync/errgroup"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/people"
)

// photosAtOnce is how many photos are fetched at a time.
const photosAtOnce = 4

// people brings people, their answers, notes and photos.
func (m *Move) people(ctx context.Context) error {
	return m.source.People(ctx, func(some []Person) error {
		all, keys := make([]models.ArrivingPerson, len(some)), make([]string, len(some))
		for i, x := range some {
			all[i], keys[i] = x.ArrivingPerson, x.Key
			all[i].Away = Away(x.Available, m.frame.Starts, m.frame.Ends, m.p.Event().Location())
		}
		if err := m.arrival.People(ctx, all); err != nil {
			return err
		}
		ids, err := m.arrival.Contacts(ctx, keys)
		if err != nil {
			return err
		}
		known, err := m.arrival.Known(ctx, models.ArrivedPerson, keys)
		if err != nil {
			return err
		}
		photos, err := m.photos(ctx, some, ids, known)
		for i := 0; err == nil && i < len(some); i++ {
			if ids[some[i].Key] != "" {
				err = m.beside(ctx, &some[i], ids[some[i].Key], known[some[i].Key].Said, photos[i])
			}
		}
		m.told()
		return err
	})
}

func (x *Person) name() string { return strings.TrimSpace(x.FirstName + " " + x.LastName) }

// photo is the file of somebody's photo, or why it cannot come.
type photo struct {
	content []byte
	reason  string
}

// photos fetches the photos that are new or others.
func (m *Move) photos(ctx context.Context, some []Person, ids map[string]string, known map[string]models.Brought) (
	[]photo, error) {
	photos := make([]photo, len(some))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(photosAtOnce)
	for i, x := range some {
		if x.Photo == "" || ids[x.Key] == "" || known[x.Key].Said["photo"] == models.Saying(x.Photo) {
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

// beside brings what belongs to somebody beside the contact, where it is said otherwise than the last time.
func (m *Move) beside(ctx context.Context, x *Person, id string, before models.Said, fetched photo) error {
	said := models.Said{"photo": models.Saying(x.Photo), "answers": models.Saying(x.Answers), "note": models.Saying(x.Note)}
	differs := func(name string, empty bool) bool { return before[name] != said[name] && (before != nil || !empty) }
	if fetched.content != nil {
		file := models.Upload{Name: path.Base(x.Photo), Content: fetched.content}
		_, err := m.p.Directory().SetPhoto(ctx, id, file)
		if fetched.reason, err = fault(err); err != nil {
			return err
		}
		if fetched.reason == "" {
			m.report.Photos++
		}
	}
	if fetched.reason != "" {
		m.skip(x.Key, "the photo of "+x.name(), fetched.reason)
		delete(said, "photo") // it is asked for again
	}
	if differs("answers", len(x.Answers) == 0) {
		if err := m.answers(ctx, x, id); err != nil {
			return err
		}
	}
	if x.Note != "" && before["note"] != said["note"] {
		if _, err := people.Of(m.p).AddContactNote(ctx, id, x.Note); err != nil {
			return err
		}
	}
	if len(before) == len(said) && before["photo"] == said["photo"] && before["answers"] == said["answers"] &&
		before["note"] == said["note"] {
		return nil
	}
	return m.arrival.Keep(ctx, models.ArrivedPerson, x.Key, models.Brought{RecordID: x.Key, Said: said})
}

// answers keeps what somebody said to what is asked of each speaker.
func (m *Move) answers(ctx context.Context, x *Person, id string) error {
	values := cfp.Values{}
	for _, a := range x.Answers {
		if q := m.asked[a.Question]; q != nil && q.RemovedAt == nil {
			values[q.Key] = strings.Join(a.Values, "\n")
		}
	}
	if len(values) == 0 {
		return nil
	}
	_, faults, err := m.call.SaveOwn(ctx, id, cfp.Saving{Values: values})
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
