package letters

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

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
