package call

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/words"
)

// noticeDays are how many days before the end people with a draft are reminded, the last reminder first.
var noticeDays = []int{1, 5}

// noticeAge is how old a draft is before its people are reminded: before that they just read of the end.
const noticeAge = 24 * time.Hour

// noticeDue returns how many days before the end the reminder that is due now is; 0 if none is due. noticed is the last
// reminder that was sent.
func noticeDue(now, began, end store.Time, noticed *int) int {
	left := end.Sub(now.Time)
	if left <= 0 || now.Sub(began.Time) < noticeAge {
		return 0
	}
	for _, days := range noticeDays {
		if left <= time.Duration(days)*24*time.Hour {
			if noticed == nil || *noticed > days {
				return days
			}
			return 0
		}
	}
	return 0
}

// unfinished is a draft with all that says until when its author may write.
type unfinished struct {
	SessionID, EventID, ContactID, Title string
	NoticedDays                          *int
	CreatedAt                            store.Time
	OpenUntil, Extended, ClosesAt        *store.Time
}

const unfinishedDrafts = `SELECT p.session_id, p.event_id, p.contact_id, s.title, p.noticed_days, p.created_at, p.open_until,
		x.until AS extended, e.cfp_closes_at AS closes_at
	FROM proposals p JOIN sessions s ON s.id = p.session_id JOIN events e ON e.id = p.event_id
	LEFT JOIN call_extensions x ON x.event_id = p.event_id AND x.contact_id = p.contact_id
	WHERE s.status = 'draft' AND s.deleted_at IS NULL AND p.locked_at IS NULL AND p.contact_id <> ''`

func (u *unfinished) due(now store.Time) (days int, end *store.Time) {
	if end = later(u.ClosesAt, later(u.OpenUntil, u.Extended)); end == nil {
		return 0, nil
	}
	return noticeDue(now, u.CreatedAt, *end, u.NoticedDays), end
}

// SendNotices reminds people of drafts that are not submitted, 5 days and 1 day before the end, once each, at most
// limit at a time, and reports whether there may be more. The end is later for people with an extension. Several
// processes may run it: a draft is checked again once it is locked.
func SendNotices(ctx context.Context, s *models.Store, limit int) (more bool, err error) {
	var drafts []*unfinished
	now := s.Now()
	if err := s.Read(ctx).Raw(unfinishedDrafts+` AND coalesce(p.noticed_days, 99) > 1
		AND (e.cfp_closes_at > ? OR p.open_until > ? OR x.until > ?) ORDER BY p.session_id`, now, now, now).
		Scan(&drafts).Error; err != nil {
		return false, err
	}
	told := 0
	for _, draft := range drafts {
		if days, _ := draft.due(now); days == 0 {
			continue
		}
		event, err := s.EventBy(ctx, draft.EventID)
		if err != nil {
			return false, err
		}
		sent, err := Of(s.Programme(event, store.By{})).notice(ctx, draft.SessionID)
		if err != nil && store.KindOf(err) != store.NotFound {
			return false, err
		}
		if sent {
			told++
		}
		if told == limit {
			return true, nil
		}
	}
	return false, nil
}

// notice reminds the author of a draft, if a reminder is still due.
func (c *Call) notice(ctx context.Context, id string) (sent bool, err error) {
	return store.Make(ctx, c.p.Write, func(tx *store.Tx) (bool, error) {
		s, err := c.submission(tx, id)
		if err != nil {
			return false, err
		}
		var drafts []*unfinished
		if err := tx.Raw(unfinishedDrafts+" AND p.event_id = ? AND p.session_id = ?", s.EventID, s.ID).
			Scan(&drafts).Error; err != nil || len(drafts) == 0 {
			return false, err
		}
		days, end := drafts[0].due(tx.Now)
		if days == 0 {
			return false, nil
		}
		letter, err := c.letterTo(tx, drafts[0].ContactID)
		if letter == nil || err != nil {
			return false, err
		}
		name := "unfinished"
		if letter.Email != "" { // unconfirmed, so it may be a stranger's address: the letter quotes nothing by the author
			letter.Among, name = models.OfStrangers, "unfinishedunproven"
		}
		l, utc := letter.language, end.UTC()
		letter.write(name, "Title", s.Title, "Until", ClockIn(l, *end, c.p.Event()),
			"UTC", l.Date(utc)+", "+l.TimeOf(utc)+" UTC", "Left", inDays(l, DaysLeft(tx.Now, *end, c.p.Event())))
		letter.AboutID = s.ID
		if err := keepFacts(tx, s, "", map[string]any{"noticed_days": days}); err != nil {
			return false, err
		}
		return true, c.p.SendCallLetters(tx, letter.CallLetter)
	})
}

// inDays returns in words how many days away a day is.
func inDays(l *words.Language, days int) string {
	switch days {
	case 0:
		return l.T("letter.today")
	case 1:
		return l.T("letter.tomorrow")
	}
	return l.N("letter.indays", days)
}
