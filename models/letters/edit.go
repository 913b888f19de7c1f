package letters

import (
	"context"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// EditLetter gives a letter that is not on its way a text of its own, which later templates do not change; placeholders
// in it are filled in. token is the letter's UpdatedAt as it was read. It answers NotFound, Invalid for a text that is
// empty or has a placeholder without a value, and Stale for a letter that was changed or sent meanwhile.
func (ls *Letters) EditLetter(ctx context.Context, id string, token store.Time, subject, body string) error {
	if err := models.CleanLetterOf("", &subject, &body); err != nil {
		return err
	}
	return ls.p.Write(ctx, func(tx *store.Tx) error {
		if models.HasPlaceholder(subject + body) {
			facts, err := ls.factsOf(tx, id) // locks what must be locked before letters
			if err == nil {
				err = facts.FillIn(&subject, &body)
			}
			if err != nil {
				return err
			}
		}
		l, err := ls.p.HeldLetter(tx, id)
		if err != nil {
			return err
		}
		if !l.UpdatedAt.Equal(token.Time) || l.State != models.LetterDraft && l.State != models.LetterFailed {
			return models.ErrLetterStale
		}
		if l.Subject == subject && l.Body == body && l.Missing == "" {
			return nil
		}
		l.Subject, l.Body, l.Missing, l.IsEdited = subject, body, "", true
		l.UpdatedAt = tx.Now.Following(l.UpdatedAt)
		return tx.Model(l).Select("subject", "body", "missing", "is_edited", "updated_at").Updates(l).Error
	})
}

// factsOf returns the values of placeholders for a letter. The caller has locked its session or mailing.
func (ls *Letters) factsOf(tx *store.Tx, id string) (*models.LetterFacts, error) {
	l, err := store.OneByID[models.Letter](tx.Where("event_id = ?", ls.p.Event().ID), id, models.ErrNoLetter)
	if err != nil {
		return nil, err
	}
	contact, err := ls.readerOf(tx, l)
	if err != nil {
		return nil, err
	}
	facts := &models.LetterFacts{Event: ls.p.Event(), Contact: contact}
	switch {
	case l.MailingID != nil:
		m, err := ls.mailingIn(tx.Lock(), *l.MailingID)
		if err != nil {
			return nil, err
		}
		changes, err := ls.changesOf(tx.DB, m)
		return ls.freeFacts(contact, changes), err
	case l.SessionID != nil:
		facts.Session, err = ls.p.Live(tx, *l.SessionID)
	}
	return facts, err
}

// PlaceholdersFor returns the placeholders that have a value in a letter, as EditLetter fills them in.
func (ls *Letters) PlaceholdersFor(ctx context.Context, l *models.Letter) (_ []models.Placeholder, err error) {
	m := &Mailing{}
	switch {
	case l.MailingID != nil:
		if m, err = ls.mailingIn(ls.p.Read(ctx), *l.MailingID); err != nil {
			return nil, err
		}
	case l.SessionID != nil:
		return models.PlaceholdersOf(l.Kind), nil
	}
	return m.Placeholders(), nil
}

// rewriteFree rewrites a draft of a mailing from the mailing's text.
func (ls *Letters) rewriteFree(tx *store.Tx, row *models.Letter) error {
	m, err := ls.mailingIn(tx.Lock(), *row.MailingID) // locked before its letters
	if err == nil && m.Version == 0 {
		err = models.ErrLetterStale
	}
	if err != nil {
		return err
	}
	l, err := ls.heldDraft(tx, row.ID)
	if err != nil {
		return err
	}
	contact, err := ls.readerOf(tx, l)
	if err != nil {
		return err
	}
	changes, err := ls.changesOf(tx.DB, m)
	if err != nil {
		return err
	}
	return write(tx, l, m.template(), ls.freeFacts(contact, changes))
}

// write writes a letter from a template, and saves it.
func write(tx *store.Tx, l *models.Letter, from *models.LetterTemplate, facts *models.LetterFacts) error {
	l.Write(from, facts)
	l.UpdatedAt = tx.Now.Following(l.UpdatedAt)
	return tx.Model(l).Select("subject", "body", "missing", "is_edited", "template_version", "updated_at").Updates(l).Error
}

// RegenerateLetters rewrites the drafts that an older template made, and returns how many. Drafts edited by hand stay.
func (ls *Letters) RegenerateLetters(ctx context.Context) (made int, err error) {
	var ids []string
	if err := ls.p.OutdatedLetters(ls.p.Read(ctx).Model(&models.Letter{})).Distinct("session_id").Order("session_id").
		Pluck("session_id", &ids).Error; err != nil {
		return 0, err
	}
	for _, id := range ids { // one transaction each, so that no lock is held for all of them
		n, err := store.Make(ctx, ls.p.Write, func(tx *store.Tx) (int, error) { return ls.regenerate(tx, id) })
		if made += n; err != nil && store.KindOf(err) != store.NotFound {
			return made, err
		}
	}
	return made, nil
}

func (ls *Letters) regenerate(tx *store.Tx, sessionID string) (int, error) {
	s, err := ls.p.Live(tx, sessionID)
	if err != nil {
		return 0, err
	}
	var letters []*models.Letter
	if err := ls.p.OutdatedLetters(tx.Lock()).Where("session_id = ?",
		s.ID).Order(models.LetterLockOrder).Find(&letters).Error; err != nil {
		return 0, err
	}
	for _, l := range letters {
		if err := ls.rewrite(tx, l, s); err != nil {
			return 0, err
		}
	}
	return len(letters), nil
}

// RewriteLetter rewrites a draft from the present template, dropping edits by hand. It answers NotFound, and Stale for
// a letter that is no longer a draft.
func (ls *Letters) RewriteLetter(ctx context.Context, id string) error {
	return ls.p.Write(ctx, func(tx *store.Tx) error {
		row, err := store.One[models.Letter](tx.Where("event_id = ? AND id = ?", ls.p.Event().ID, id), models.ErrNoLetter)
		switch {
		case err != nil:
			return err
		case row.MailingID != nil:
			return ls.rewriteFree(tx, row)
		case row.SessionID == nil:
			return models.ErrLetterStale
		}
		s, err := ls.p.Live(tx, *row.SessionID) // locked before its letters
		if err != nil {
			return err
		}
		l, err := ls.heldDraft(tx, id)
		if err != nil {
			return err
		}
		return ls.rewrite(tx, l, s)
	})
}

// heldDraft returns a draft with its row locked. It answers Stale for a letter that is no longer a draft.
func (ls *Letters) heldDraft(tx *store.Tx, id string) (*models.Letter, error) {
	l, err := ls.p.HeldLetter(tx, id)
	if err == nil && l.State != models.LetterDraft {
		err = models.ErrLetterStale
	}
	return l, err
}

// readerOf returns the recipient of a letter.
func (ls *Letters) readerOf(tx *store.Tx, l *models.Letter) (*models.Contact, error) {
	of := tx.Where("organization_id = ? AND id = ?", ls.p.Event().OrganizationID, l.ContactID)
	return store.One[models.Contact](of, models.ErrNoLetter)
}

func (ls *Letters) rewrite(tx *store.Tx, l *models.Letter, s *models.Session) error {
	contact, err := ls.readerOf(tx, l)
	if err != nil {
		return err
	}
	template, err := ls.p.Template(tx, l.Kind)
	if err != nil {
		return err
	}
	return write(tx, l, template, &models.LetterFacts{Event: ls.p.Event(), Session: s, Contact: contact})
}

// JoinLetters joins the acceptance and the refusals of each person who has drafts of both into one letter, and returns
// for how many people. The refusals are appended to the first acceptance when it is sent, and then count as told; until
// then each stays a draft with its own text. If one of a person's drafts cannot be sent, none of theirs are joined.
func (ls *Letters) JoinLetters(ctx context.Context) (int64, error) {
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (people int64, err error) {
		var ids []string
		err = ls.readyOf(tx.Within(ctx), Choice{}).
			Where("EXISTS (SELECT 1 FROM letters o WHERE o.contact_id = letters.contact_id AND "+otherDecision+")").
			Pluck("letters.id", &ids).Error
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		var letters []*models.Letter
		if err := tx.Lock().Where("id IN ? AND "+stillDraft,
			ids).Order(models.LetterLockOrder).Find(&letters).Error; err != nil {
			return 0, err
		}
		slices.SortStableFunc(letters, func(a, b *models.Letter) int { return strings.Compare(a.ContactID, b.ContactID) })
		for len(letters) > 0 {
			n := 1
			for n < len(letters) && letters[n].ContactID == letters[0].ContactID {
				n++
			}
			joined, err := join(tx, letters[:n])
			if err != nil {
				return 0, err
			}
			if letters = letters[n:]; joined {
				people++
			}
		}
		models.Touch(tx, ls.p.Event().ID)
		return people, nil
	})
}

// join joins the acceptance and the refusals among one person's letters, if there are both.
func join(tx *store.Tx, letters []*models.Letter) (bool, error) {
	var yes string
	var no []string
	for _, l := range letters {
		switch {
		case l.Kind == models.LetterDeclined:
			no = append(no, l.ID)
		case l.Kind == models.LetterAccepted && yes == "":
			yes = l.ID
		}
	}
	if yes == "" || len(no) == 0 {
		return false, nil
	}
	return true, tx.Model(&models.Letter{}).Where("id IN ?", no).
		Updates(map[string]any{"carried_by": yes, "updated_at": tx.Now}).Error
}

// PartLetters separates the refusals from a letter that has not been tried yet. It answers NotFound, and Stale where
// there are none.
func (ls *Letters) PartLetters(ctx context.Context, id string) error {
	return ls.p.Write(ctx, func(tx *store.Tx) error {
		l, err := ls.p.HeldLetter(tx, id)
		if err != nil {
			return err
		}
		done := models.ChangeLetters(tx, map[string]any{"carried_by": nil, "updated_at": tx.Now},
			"carried_by = ? AND state = 'draft'", l.ID)
		if done.Error == nil && done.RowsAffected == 0 {
			return models.ErrLetterStale
		}
		models.Touch(tx, ls.p.Event().ID)
		return done.Error
	})
}
