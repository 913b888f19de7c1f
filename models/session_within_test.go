package models_test

import (
	"errors"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

func retitled(title string) func(*store.Tx, *models.Session, []*models.Participant) (models.SessionChange, error) {
	return func(*store.Tx, *models.Session, []*models.Participant) (models.SessionChange, error) {
		return models.SessionChange{Title: &title}, nil
	}
}

func TestASessionIsEditedByWhatItIsOnceItIsHeld(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada, li := participantNamed(t, p, "Ada"), participantNamed(t, p, "Li")
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true,
			People: []models.Participation{ada}}))(t)
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)
		now := modelstest.Must(p.EditSession(ctx, s.ID, models.SessionEdit{Seat: []models.Participation{li},
			Decide: func(_ *store.Tx, s *models.Session, seated []*models.Participant) (models.SessionChange, error) {
				return models.SessionChange{Title: new("New " + s.Title), People: new(append(s.Participants, seated...))}, nil
			}}))(t)
		read := modelstest.Must(p.Session(ctx, s.ID))(t)
		if read.Title != "New T" || cast(read.Participants) != "Ada speaker, Li speaker" || cast(now.Participants) != cast(read.Participants) {
			t.Errorf("%s by %s", read.Title, cast(read.Participants))
		}
		wantUpdated(t, f, s.ID)
	})
}

func TestWhatAPackageDoesWithAnEditIsTakenBackWithIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true}))(t)
		modelstest.Emitted(t, f)
		refused := errors.New("no")
		_, err := p.EditSession(ctx, s.ID, models.SessionEdit{
			Seat: []models.Participation{{New: &models.NewContact{FirstName: "Kim"}}},
			Decide: func(*store.Tx, *models.Session, []*models.Participant) (models.SessionChange, error) {
				return models.SessionChange{Title: new("New")}, refused
			}})
		if !errors.Is(err, refused) {
			t.Error(err)
		}
		_, err = p.EditSession(ctx, s.ID, models.SessionEdit{Decide: retitled("")})
		modelstest.WantKind(t, "a title of nothing", err, store.Invalid)
		_, err = f.Elsewhere().EditSession(ctx, s.ID, models.SessionEdit{Decide: retitled("Theirs")})
		modelstest.WantKind(t, "a session of another event", err, store.NotFound)
		err = p.Write(ctx, func(tx *store.Tx) error {
			_, err := p.EditSession(tx.Within(ctx), s.ID, models.SessionEdit{Decide: retitled("Within")})
			return errors.Join(err, refused)
		})
		if !errors.Is(err, refused) {
			t.Error(err)
		}
		read := modelstest.Must(p.Session(ctx, s.ID))(t)
		found, _, err := people.In(p.Directory()).Search(ctx, people.Search{})
		if read.Title != "T" || err != nil || len(found) != 0 || len(modelstest.Emitted(t, f)) != 0 {
			t.Errorf("%q, %d people, %v", read.Title, len(found), err)
		}
	})
}

func TestADraftSavesItselfWithoutAWord(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true,
			SessionInput: models.SessionInput{Status: new(models.Draft)}}))(t)
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)
		now := modelstest.Must(p.EditSession(ctx, s.ID, models.SessionEdit{Draft: true, Decide: retitled("New")}))(t)
		if lines := modelstest.Must(p.Activity(ctx, s.ID))(t); len(lines) != 1 || lines[0].Action != "created" {
			t.Errorf("%d lines", len(lines))
		}
		if told := modelstest.Emitted(t, f); len(told) != 0 || !now.UpdatedAt.After(s.UpdatedAt.Time) {
			t.Errorf("%d emissions, and the token %s became %s", len(told), s.UpdatedAt, now.UpdatedAt)
		}
		modelstest.Must(p.EditSession(ctx, s.ID, models.SessionEdit{Decide: retitled("Newer")}))(t)
		if told := modelstest.Emitted(t, f); len(told) != 1 || told[0].Type != outbox.SessionUpdated {
			t.Errorf("%d emissions", len(told))
		}
	})
}
