package revisions

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/words"
)

// maxWords is how many characters the words of a verdict may have.
const maxWords = 4000

// Verdict is a decision of staff about a revision.
type Verdict string

const (
	Accept Verdict = "accept"
	Refuse Verdict = "refuse"
)

// Decide accepts a revision, which changes the session or person, or refuses it. Either way the revision is deleted,
// its author is mailed, with words or "", and the activity records who decided. token is the Token of what was looked
// at. It answers NotFound, Stale for another token, and Invalid for words or verdict. Accepting the text of a session
// emits session.updated.
func (d *Desk) Decide(ctx context.Context, id, token string, v Verdict, words string) (*Waiting, error) {
	words, err := store.CleanText("words", words, maxWords)
	if err != nil {
		return nil, err
	}
	if v != Accept && v != Refuse {
		return nil, store.Invalidf("verdict", "must be accept or refuse")
	}
	return store.Make(ctx, d.p.Write, func(tx *store.Tx) (*Waiting, error) {
		ctx := tx.Within(ctx)
		w, err := d.One(ctx, id)
		if err != nil {
			return nil, err
		}
		if _, err := store.One[models.Contact](models.KeyShare(tx).Where("id = ?", w.AuthorID), errNone); err != nil {
			return nil, err
		}
		if w.SessionID != nil {
			err = d.decideText(ctx, w, token, v)
		} else {
			err = d.decideProfile(ctx, tx, w, token, v)
		}
		if err != nil {
			return nil, err
		}
		return w, d.notify(tx, w, v, words)
	})
}

// again reads a revision again and locks it, once its session or person is locked. It answers NotFound, and Stale for
// another token.
func (d *Desk) again(tx *store.Tx, w *Waiting, token string) error {
	r, err := store.One[call.Revision](tx.Lock().Where("id = ?", w.ID), errNone)
	if err != nil {
		return err
	}
	if w.Revision = r; w.Token() != token {
		return errSeen
	}
	return nil
}

func (d *Desk) decideText(ctx context.Context, w *Waiting, token string, v Verdict) error {
	_, err := d.p.EditSession(ctx, *w.SessionID, models.SessionEdit{
		Decide: func(tx *store.Tx, s *models.Session, _ []*models.Participant) (c models.SessionChange, err error) {
			w.Session = s
			if err := d.again(tx, w, token); err != nil {
				return c, err
			}
			if v == Accept {
				c.Title, c.Description = w.Title, w.Description
			}
			return c, w.Forget(tx, d.p.Event().OrganizationID)
		}})
	return err
}

// decideProfile changes a person's profile. It is the person's own change, so it does not check whether staff may make
// one.
func (d *Desk) decideProfile(ctx context.Context, tx *store.Tx, w *Waiting, token string, v Verdict) error {
	theirs := d.p.Store().Directory(d.p.Event().OrganizationID, d.p.By()).Reaching(models.Everybody)
	person, err := theirs.HoldUnerased(tx, *w.ContactID)
	if err != nil {
		return err
	}
	w.Person = &person.Contact
	if err := d.again(tx, w, token); err != nil {
		return err
	}
	if v == Refuse {
		return w.Forget(tx, d.p.Event().OrganizationID)
	}
	if w.About != nil {
		if _, err := people.In(theirs).Update(ctx, person.ID,
			people.Change{Values: map[string]string{"about": *w.About}}); err != nil {
			return err
		}
	}
	switch {
	case w.PhotoID != nil:
		photo, err := models.FileOf(tx.DB, d.p.Event().OrganizationID, models.PhotoFile, *w.PhotoID)
		if err == nil {
			_, err = theirs.TakePhoto(ctx, person.ID, photo)
		}
		if err != nil {
			return err
		}
	case w.DropsPhoto:
		if _, err := theirs.RemovePhoto(ctx, person.ID); err != nil {
			return err
		}
	}
	return tx.Where("id = ?", w.ID).Delete(&call.Revision{}).Error
}

// notify mails the verdict to the author of a revision, and records it in the activity.
func (d *Desk) notify(tx *store.Tx, w *Waiting, v Verdict, said string) error {
	who := d.p.By().ActorName
	if err := d.p.Record(tx, w.ActivityEntry(map[Verdict]string{Accept: "revision accepted", Refuse: "revision refused"}[v])); err != nil {
		return err
	}
	_, err := call.Of(d.p).Write(tx, w.AuthorID, "revision"+string(v), func(l *words.Language) []any {
		of := store.Map(w.Fields(), func(name string) string { return l.T("letter.revisionof" + name) })
		what := strings.Join(of, ", ")
		if w.Session != nil {
			what = l.T("letter.revisionofsession", "What", what, "Title", w.Session.Title)
		}
		text := ""
		if said != "" {
			text = "\n\n" + l.T("letter.revisionwords", "Who", who, "Text", said)
		}
		return []any{"What", what, "Text", call.Lines(text)}
	})
	return err
}
