package letters

import (
	"context"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

// MaxMailing is the largest number of people in a mailing.
const MaxMailing = 10_000

var errMailingStale = store.Outdated("Someone else changed this letter since you read it. Read it again, then repeat your change.")

// StartMailing starts a mailing to those of some contacts who are in a directory, each once, including those without an
// address. Their drafts have no text before SaveMailing. It answers Invalid for nobody and for more than MaxMailing.
func (ls *Letters) StartMailing(ctx context.Context, among *models.Directory, contacts []string) (*Mailing,
	error) {
	if len(contacts) > MaxMailing {
		return nil, store.Invalidf("people", "are more than the %d to whom a letter may be at once. Choose fewer", MaxMailing)
	}
	contacts = slices.Compact(slices.Sorted(slices.Values(contacts)))
	contacts = slices.DeleteFunc(contacts, func(id string) bool { return !store.IsID(id) })
	m := &Mailing{EventID: ls.p.Event().ID, ByName: ls.p.By().ActorName}
	return m, ls.p.Write(ctx, func(tx *store.Tx) error {
		var people []*models.Contact // locked, so that no recipient is merged away
		if err := among.Seen(models.KeyShare(tx)).Select("contacts.id, contacts.full_name").Where("contacts.id IN ?",
			contacts).Order("contacts.id").Find(&people).Error; err != nil {
			return err
		}
		if len(people) == 0 {
			return errMailingEmpty
		}
		slices.SortStableFunc(people, func(a, b *models.Contact) int { return strings.Compare(a.FullName, b.FullName) })
		m.ID, m.CreatedAt, m.UpdatedAt = store.NewID(), tx.Now, tx.Now
		if err := tx.Create(m).Error; err != nil {
			return err
		}
		return m.addDrafts(tx, store.Map(people, func(x *models.Contact) string { return x.ID }))
	})
}

// SpeakersOf returns the ids of the people on sessions: those with the given ids, or all that pass the filter of q. It
// answers Invalid as StartBatch does.
func (ls *Letters) SpeakersOf(ctx context.Context, ids []string, q *models.SessionSearch) (contacts []string,
	err error) {
	ids = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))),
		func(id string) bool { return !store.IsID(id) })
	if q == nil && len(ids) == 0 {
		return nil, nil
	}
	chosen, err := ls.p.Chosen(ctx, ids, q)
	if err != nil {
		return nil, err
	}
	sessions := chosen(ls.p.Read(ctx).Model(&models.Session{})).Where("deleted_at IS NULL").Select("id")
	err = ls.p.Read(ctx).Table("participants").Where("event_id = ? AND session_id IN (?)", ls.p.Event().ID, sessions).
		Distinct("contact_id").Order("contact_id").Pluck("contact_id", &contacts).Error
	return contacts, err
}

// SaveMailing saves the text of a mailing and rewrites its drafts, except those edited by hand. version is the
// mailing's as it was read. It answers NotFound, Invalid as SaveLetterTemplate does, and Stale if it was saved
// meanwhile.
func (ls *Letters) SaveMailing(ctx context.Context, id string, version int, subject, body string) (*Mailing,
	error) {
	if err := models.CleanLetterOf(models.LetterFree, &subject, &body); err != nil {
		return nil, err
	}
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (*Mailing, error) {
		m, err := ls.mailingIn(tx.Lock(), id)
		if err != nil {
			return nil, err
		}
		if m.Version != version {
			return nil, errMailingStale
		}
		if m.Subject == subject && m.Body == body {
			return m, nil
		}
		m.Subject, m.Body, m.Version, m.UpdatedAt = subject, body, version+1, tx.Now
		if err := tx.Model(m).Select("subject", "body", "version", "updated_at").Updates(m).Error; err != nil {
			return nil, err
		}
		return m, ls.redraft(tx, m)
	})
}

// SendMailing queues all drafts of a mailing that can be sent. It answers as SendChosen does.
func (ls *Letters) SendMailing(ctx context.Context, id string, expected int64) (int64, error) {
	return ls.queue(ctx, "letters_sent_off", readyFree+" AND letters.mailing_id = ?", expected, id)
}

// TakeOutLetter removes one person, whose letter is a draft, from a mailing; a mailing to nobody is deleted. It
// answers NotFound, and Stale for a letter that is no draft of a mailing.
func (ls *Letters) TakeOutLetter(ctx context.Context, id string) error {
	return ls.p.Write(ctx, func(tx *store.Tx) error {
		of, err := store.OneByID[models.Letter](tx.Where("event_id = ?", ls.p.Event().ID), id, models.ErrNoLetter)
		if err != nil {
			return err
		}
		if of.MailingID == nil {
			return models.ErrLetterStale
		}
		if _, err := ls.mailingIn(tx.Lock(), *of.MailingID); err != nil { // locked before its letters
			return err
		}
		l, err := ls.heldDraft(tx, id)
		if err != nil {
			return err
		}
		if err := tx.Delete(l).Error; err != nil {
			return err
		}
		return ls.endMailing(tx, *l.MailingID)
	})
}

// DiscardMailing deletes the drafts of a mailing and returns how many. Sent letters stay. It answers NotFound.
func (ls *Letters) DiscardMailing(ctx context.Context, id string) (int64, error) {
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (int64, error) {
		if _, err := ls.mailingIn(tx.Lock(), id); err != nil {
			return 0, err
		}
		done := tx.Where("id IN (?)", models.LockLetters(tx, "event_id = ? AND mailing_id = ? AND state = 'draft'",
			ls.p.Event().ID, id)).Delete(&models.Letter{})
		if done.Error != nil {
			return 0, done.Error
		}
		return done.RowsAffected, ls.endMailing(tx, id)
	})
}

// endMailing deletes a mailing without letters.
func (ls *Letters) endMailing(tx *store.Tx, id string) error {
	return tx.Where("event_id = ? AND id = ? AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.mailing_id = mailings.id)",
		ls.p.Event().ID, id).Delete(&Mailing{}).Error
}

// MailingRow is a mailing with the numbers of its letters.
type MailingRow struct {
	Mailing
	People  int64 // recipients
	Drafts  int64
	Ready   int64 // drafts that SendMailing would send
	NoReach int64 // drafts to people without an address
	Missing int64 // drafts with a placeholder without a value
	Edited  int64 // drafts that were edited by hand
	Outbox  int64 // queued, or being sent
	Sent    int64
	Failed  int64 // failed or unknown
}

var mailingCounts = counting([][2]string{{"people", "true"}, {"drafts", "letters.state = 'draft'"},
	{"ready", amongRows(readyFree)}, {"no_reach", "letters.state = 'draft' AND coalesce(contacts.email, '') = ''"},
	{"missing", "letters.state = 'draft' AND letters.missing <> ''"},
	{"edited", "letters.state = 'draft' AND letters.is_edited"}, {"outbox", letterTabs[QueuedLetters]},
	{"sent", letterTabs[SentLetters]}, {"failed", "letters.state IN ('failed', 'unknown')"}})

// counting returns the columns of a query that counts letters by conditions, each under its name.
func counting(of [][2]string) string {
	counts := store.Map(of, func(x [2]string) string { return "count(CASE WHEN " + x[1] + " THEN 1 END) AS " + x[0] })
	return strings.Join(counts, ", ")
}

// Mailing returns a mailing, or NotFound.
func (ls *Letters) Mailing(ctx context.Context, id string) (*MailingRow, error) {
	m, err := ls.mailingIn(ls.p.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	row := &MailingRow{}
	if err := ls.letterRows(ctx).Where("letters.mailing_id = ?", id).Select(mailingCounts).Scan(row).Error; err != nil {
		return nil, err
	}
	row.Mailing = *m
	return row, nil
}

// Mailings returns the mailings that have drafts, newest first, at most limit.
func (ls *Letters) Mailings(ctx context.Context, limit int) (rows []*MailingRow, err error) {
	err = ls.letterRows(ctx).Joins("JOIN mailings ON mailings.id = letters.mailing_id").
		Select("mailings.id, mailings.subject, mailings.version, mailings.by_name, mailings.created_at, " + mailingCounts).
		Group("mailings.id, mailings.subject, mailings.version, mailings.by_name, mailings.created_at").
		Having("count(CASE WHEN letters.state = 'draft' THEN 1 END) > 0").
		Order("mailings.created_at DESC, mailings.id").Limit(limit).Find(&rows).Error
	return rows, err
}

// MailingLetters returns a page of a mailing's letters that match a text, as Letters does: those that cannot be sent
// first.
func (ls *Letters) MailingLetters(ctx context.Context, id, text string, page store.Page) ([]*models.LetterRow,
	store.Pagination, error) {
	if _, err := ls.mailingIn(ls.p.Read(ctx), id); err != nil {
		return nil, store.Pagination{}, err
	}
	return ls.lettersBy(ctx, ls.letterRows(ctx).Where("letters.mailing_id = ?", id), text, mailingOrder, page)
}

// mailingOrder puts drafts that cannot be sent first, then sorts by name.
const mailingOrder = "CASE WHEN letters.state = 'draft' THEN " + unsendable + " ELSE 1 END, contacts.name_key, letters.id"

// MailingLetter returns the letter at a position of a mailing, from 1, in the order of MailingLetters; beyond the end,
// the last one.
func (ls *Letters) MailingLetter(ctx context.Context, id string, position int64) (*models.LetterRow, people.Position,
	error) {
	place := people.Position{}
	if err := ls.letterRows(ctx).Where("letters.mailing_id = ?", id).Count(&place.Total).Error; err != nil {
		return nil, place, err
	}
	place.Position = max(1, min(position, place.Total))
	row, err := store.One[models.LetterRow](ls.letterRows(ctx).Where("letters.mailing_id = ?", id).Select(letterColumns).
		Order(mailingOrder).Offset(int(place.Position-1)), models.ErrNoLetter)
	return row, place, err
}
