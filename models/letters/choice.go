// Package letters is what staff do with letters once the programme has drafted them: they find them, join those of one
// person, write mailings, and have them sent, held or tried again. It stands on top of the programme, which drafts the
// letters of decisions and claims those to send.
package letters

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Choice selects letters.
type Choice struct {
	Kind models.LetterKind // "" for any; among drafts, "" means those of decisions and LetterFree those of mailings
	Text string            // search text as for LettersIn; "" for any
}

// Kinds are the kinds of drafts that SendChosen can send, in order.
var Kinds = []models.LetterKind{models.LetterAccepted, models.LetterDeclined, models.LetterUndone, models.LetterFree}

// KindOfDrafts is how many drafts of a kind there are, and how many of them can be sent.
type KindOfDrafts struct {
	Kind          models.LetterKind
	Drafts, Ready int64
}

// drafts selects the drafts of a kind: of decisions, or of mailings.
func (ls *Letters) drafts(query *gorm.DB, kind models.LetterKind) *gorm.DB {
	switch kind {
	case "":
		return query.Where(letterTabs[DraftLetters])
	case models.LetterFree:
		return query.Where("letters.state = 'draft' AND letters.kind = 'free'")
	}
	return query.Where(letterTabs[DraftLetters]).Where("letters.kind = ?", kind)
}

// readyOf selects the drafts of a choice that can be sent.
func (ls *Letters) readyOf(ctx context.Context, c Choice) *gorm.DB {
	which := ready
	if c.Kind == models.LetterFree {
		which = readyFree
	}
	return finding(ls.drafts(ls.letterRows(ctx), c.Kind).Where(amongRows(which)), c.Text)
}

// DraftKinds counts by kind the drafts that match a text, in the order of Kinds, zeros too.
func (ls *Letters) DraftKinds(ctx context.Context, text string) ([]KindOfDrafts, error) {
	var rows []KindOfDrafts
	drafts := ls.letterRows(ctx).
		Where("(" + letterTabs[DraftLetters] + ") OR letters.state = 'draft' AND letters.kind = 'free'")
	if err := finding(drafts, text).
		Select("letters.kind, count(*) AS drafts, count(CASE WHEN " + amongRows(whole) + " THEN 1 END) AS ready").
		Group("letters.kind").Scan(&rows).Error; err != nil {
		return nil, err
	}
	kinds := make([]KindOfDrafts, len(Kinds))
	for i, kind := range Kinds {
		kinds[i].Kind = kind
		for _, row := range rows {
			if row.Kind == kind {
				kinds[i] = row
			}
		}
	}
	return kinds, nil
}

// KindsIn counts by kind the letters of a tab that match a text. See DraftKinds for drafts.
func (ls *Letters) KindsIn(ctx context.Context, tab Tab, text string) (map[models.LetterKind]int64, error) {
	var rows []struct {
		Kind models.LetterKind
		N    int64
	}
	err := finding(ls.letterRows(ctx).Where(letterTabs[tab]), text).Select("letters.kind, count(*) AS n").
		Group("letters.kind").Scan(&rows).Error
	kinds := map[models.LetterKind]int64{}
	for _, row := range rows {
		kinds[row.Kind] = row.N
	}
	return kinds, err
}

// ReadyPeople returns how many people SendChosen would write to.
func (ls *Letters) ReadyPeople(ctx context.Context, c Choice) (n int64, err error) {
	err = ls.readyOf(ctx, c).Select("count(DISTINCT letters.contact_id)").Scan(&n).Error
	return n, err
}

// YesAndNo returns the names of people whom a choice writes to and who also have a draft of the opposite decision: at
// most limit names, and how many people there are.
func (ls *Letters) YesAndNo(ctx context.Context, c Choice, limit int) (names []string, n int64, err error) {
	both := ls.readyOf(ctx, c).Joins("JOIN letters o ON o.contact_id = letters.contact_id AND " + otherDecision).
		Session(&gorm.Session{})
	if err = both.Select("count(DISTINCT letters.contact_id)").Scan(&n).Error; err != nil || n == 0 {
		return nil, 0, err
	}
	err = both.Select("contacts.full_name").Group("contacts.id, contacts.full_name").Order("contacts.full_name, contacts.id").
		Limit(limit).Scan(&names).Error
	return names, n, err
}

// stillDraft is checked once each letter is locked: PostgreSQL does not evaluate the earlier choice again, and
// meanwhile somebody may have decided anew, or told the person.
const stillDraft = "letters.state = 'draft' AND (letters.is_current OR letters.kind = 'free') AND " + byItself

// SendChosen queues the drafts of a choice that can be sent, to go out after Hold, and returns how many. It answers
// Stale, and queues none, unless there are as many as expected, so that a button does what it says.
func (ls *Letters) SendChosen(ctx context.Context, c Choice, expected int64) (int64, error) {
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (int64, error) {
		ready := ls.readyOf(tx.Within(ctx), c).Select("letters.id")
		return ls.queueIn(tx, "letters_sent_off", expected, "letters.id IN (?) AND "+stillDraft, ready)
	})
}

// Letters is the handle for staff of one event's letters.
type Letters struct{ p *models.Programme }

// Of returns the letters of a programme.
func Of(p *models.Programme) *Letters { return &Letters{p} }

// Rows are the structs of this package's tables, by table.
var Rows = map[string]any{"mailings": Mailing{}}
