package letters

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

// Tab is a tab of the page of letters.
type Tab string

const (
	DraftLetters   Tab = "drafts"
	QueuedLetters  Tab = "outbox" // held, paused, put off or on their way
	FailedLetters  Tab = "failed"
	UnknownLetters Tab = "unknown"
	SentLetters    Tab = "sent" // and told
)

// Tabs are all tabs, in order.
var Tabs = []Tab{DraftLetters, QueuedLetters, FailedLetters, UnknownLetters, SentLetters}

var letterTabs = map[Tab]string{
	DraftLetters:   "letters.state = 'draft' AND " + models.LetterOfDecision + " AND " + byItself,
	QueuedLetters:  "letters.state IN ('queued', 'sending')",
	FailedLetters:  "letters.state = 'failed'",
	UnknownLetters: "letters.state = 'unknown'",
	SentLetters:    "letters.state IN ('sent', 'told')",
}

// letterRows selects an event's letters with their people and abstracts.
func (ls *Letters) letterRows(ctx context.Context) *gorm.DB {
	return ls.p.Read(ctx).Table("letters").
		Joins("LEFT JOIN contacts ON contacts.organization_id = ? AND contacts.id = letters.contact_id",
			ls.p.Event().OrganizationID).
		Joins("LEFT JOIN sessions ON sessions.event_id = letters.event_id AND sessions.id = coalesce(letters.session_id, letters.about_id)").
		Where("letters.event_id = ?", ls.p.Event().ID)
}

const letterColumns = `letters.*, coalesce(contacts.full_name, letters.to_name) AS name,
	CASE WHEN letters.to_email <> '' THEN letters.to_email ELSE coalesce(contacts.email, '') END AS email,
	coalesce(sessions.friendly_id, '') AS friendly_id, coalesce(sessions.title, '') AS title,
	EXISTS (SELECT 1 FROM event_contacts h WHERE h.event_id = letters.event_id AND h.contact_id = letters.contact_id) AS is_here,
	EXISTS (SELECT 1 FROM letters o WHERE o.contact_id = letters.contact_id AND ` + otherDecision + `) AS has_other,
	EXISTS (SELECT 1 FROM letters o WHERE o.carried_by = letters.id AND o.is_current AND o.state <> 'told') AS carries,
	coalesce((SELECT z.title FROM sessions z WHERE z.id =
		(SELECT y.session_id FROM letters y WHERE y.id = letters.carried_by AND NOT ` + byItself + `)), '') AS within`

// otherDecision is the condition of drafts o, to anybody of the event, of the opposite decision to a draft's.
const otherDecision = `o.event_id = letters.event_id AND o.state = 'draft' AND o.is_current AND letters.state = 'draft'
	AND letters.is_current AND (o.kind = 'accepted' AND letters.kind = 'declined' OR o.kind = 'declined' AND letters.kind = 'accepted')
	AND NOT EXISTS (` + models.LetterCarrier + "o.carried_by)"

// unsendable orders drafts that cannot be sent first: those with a placeholder without a value, or without an
// address.
const unsendable = "CASE WHEN letters.missing <> '' OR coalesce(contacts.email, '') = '' THEN 0 ELSE 1 END"

// LettersIn returns a page of a tab's letters of a kind. The text is searched in the recipient's name and address, in
// the abstract's title and number, and in the subject of letters without an abstract. In the tab of drafts, those that
// cannot be sent come first.
func (ls *Letters) LettersIn(
	ctx context.Context, tab Tab, c Choice, page store.Page,
) ([]*models.LetterRow, store.Pagination, error) {
	if tab == DraftLetters {
		return ls.lettersBy(ctx, ls.drafts(ls.letterRows(ctx), c.Kind), c.Text, unsendable+", "+letterOrder, page)
	}
	rows := ls.letterRows(ctx).Where(letterTabs[tab])
	if c.Kind != "" {
		rows = rows.Where("letters.kind = ?", c.Kind)
	}
	return ls.lettersBy(ctx, rows, c.Text, "letters.updated_at DESC, letters.id", page)
}

// finding filters letters by a search text.
func finding(query *gorm.DB, text string) *gorm.DB {
	words := []rune(store.OneLine(strings.ToValidUTF8(text, "")))
	for _, word := range strings.Fields(string(words[:min(len(words), store.MaxSearchText)])) {
		query = query.Where(`(contacts.search LIKE ? ESCAPE '\' OR sessions.title_key LIKE ? ESCAPE '\' OR sessions.friendly_id = ?
			OR letters.session_id IS NULL AND lower(letters.subject || ' ' || letters.to_name || ' ' || letters.to_email) LIKE ? ESCAPE '\')`,
			store.LikePattern(store.Searchable(word)), store.LikePattern(store.Fold(word)), strings.ToUpper(word),
			store.LikePattern(strings.ToLower(word)))
	}
	return query
}

// lettersBy returns a page of letters that match a text, in an order.
func (ls *Letters) lettersBy(
	ctx context.Context, query *gorm.DB, text, order string, page store.Page,
) ([]*models.LetterRow, store.Pagination, error) {
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	query = finding(query, text).Session(&gorm.Session{})
	var rows []*models.LetterRow
	var total int64
	err := query.Count(&total).Error
	if err == nil {
		err = query.Select(letterColumns).Order(order).Limit(page.Size).Offset(page.Offset()).Find(&rows).Error
	}
	if err == nil {
		err = ls.markOutdated(ctx, rows)
	}
	return rows, page.Of(total), err
}

// letterOrder sorts drafts by abstract, then by creation.
const letterOrder = "coalesce(sessions.number, 0), letters.created_at, letters.id"

func (ls *Letters) markOutdated(ctx context.Context, rows []*models.LetterRow) error {
	ids := store.Map(rows, func(row *models.LetterRow) string { return row.ID })
	var outdated []string
	if err := ls.p.OutdatedLetters(ls.p.Read(ctx).Model(&models.Letter{})).Where("id IN ?", ids).Pluck("id",
		&outdated).Error; err != nil {
		return err
	}
	for _, row := range rows {
		for _, id := range outdated {
			row.IsOutdated = row.IsOutdated || row.ID == id
		}
	}
	return nil
}

// Counts are the numbers of an event's letters.
type Counts struct {
	Drafts, Outbox, Failed, Unknown, Sent int64 // of the tabs; Drafts includes those of mailings

	Free int64 // drafts of mailings

	Ready    int64 // drafts of decisions that can be sent
	Missing  int64 // drafts with a placeholder without a value
	NoReach  int64 // drafts to people without an address
	Outdated int64 // drafts that an older template made
	Retries  int64 // letters that RetryLetters would send
	Held     int64 // queued, not tried yet
	HeldTill *store.Time
	Paused   int64
	PutOff   int64  // queued again after an attempt
	Sending  int64  // being sent, or notes that are about to be
	Barred   string // the mail server's refusal that stops all sending, while a letter waits because of it
}

// Of returns the number of a tab.
func (c *Counts) Of(tab Tab) int64 {
	return map[Tab]int64{DraftLetters: c.Drafts, QueuedLetters: c.Outbox, FailedLetters: c.Failed,
		UnknownLetters: c.Unknown, SentLetters: c.Sent}[tab]
}

// Counts counts an event's letters.
func (ls *Letters) Counts(ctx context.Context) (*Counts, error) {
	draft, waits := letterTabs[DraftLetters], "letters.state = 'queued' AND letters.due_at IS "
	free := "letters.state = 'draft' AND letters.kind = 'free'"
	untried := waits + "NOT NULL AND letters.attempts = 0"
	held := untried + " AND NOT " + atOnce
	counts := counting([][2]string{
		{"drafts", draft + " OR " + free + " AND letters.subject <> ''"}, {"free", free},
		{"outbox", letterTabs[QueuedLetters]}, {"failed", letterTabs[FailedLetters]},
		{"unknown", letterTabs[UnknownLetters]}, {"sent", letterTabs[SentLetters]},
		{"ready", ready}, {"missing", draft + " AND letters.missing <> ''"},
		{"no_reach", draft + " AND coalesce(contacts.email, '') = ''"},
		{"retries", resendable + " AND letters.state = 'failed'"},
		{"held", held}, {"paused", waits + "NULL"},
		{"put_off", waits + "NOT NULL AND letters.attempts > 0"},
		{"sending", "letters.state = 'sending' OR " + untried + " AND " + atOnce},
	})
	counts += ", min(CASE WHEN " + held + " THEN letters.due_at END) AS held_till, " +
		"coalesce(max(CASE WHEN " + untried + " THEN letters.answer END), '') AS barred"
	c := &Counts{}
	if err := ls.letterRows(ctx).Select(amongRows(counts)).Scan(c).Error; err != nil {
		return nil, err
	}
	return c, ls.p.OutdatedLetters(ls.p.Read(ctx).Model(&models.Letter{})).Count(&c.Outdated).Error
}

// Letter returns a letter, or NotFound. For a draft it also returns the ids of the ones before and after it ("" at the
// ends) and its position, in the order of drafts or of its mailing.
func (ls *Letters) Letter(ctx context.Context, id string) (row *models.LetterRow, near people.Position, err error) {
	if !store.IsID(id) {
		return nil, near, models.ErrNoLetter
	}
	row, err = store.One[models.LetterRow](ls.letterRows(ctx).Select(letterColumns).Where("letters.id = ?", id),
		models.ErrNoLetter)
	if err == nil && row.Kind == models.LetterAccepted && row.State != models.LetterSent {
		err = ls.letterRows(ctx).Select(letterColumns).Where("letters.carried_by = ? AND letters.is_current AND letters.state <> 'told' AND NOT "+byItself, id).
			Order("letters.created_at, letters.id").Find(&row.Along).Error
	}
	if err != nil || row.State != models.LetterDraft {
		return row, near, err
	}
	var ids []string
	drafts, order := ls.letterRows(ctx).Where(letterTabs[DraftLetters]), unsendable+", "+letterOrder
	if row.MailingID != nil {
		drafts, order = ls.letterRows(ctx).Where("letters.mailing_id = ?", *row.MailingID), mailingOrder
	}
	if err := drafts.Order(order).Pluck("letters.id", &ids).Error; err != nil {
		return nil, near, err
	}
	for i, other := range ids {
		if other != id {
			continue
		}
		if near.Position, near.Total = int64(i+1), int64(len(ids)); i > 0 {
			near.Previous = ids[i-1]
		}
		if i+1 < len(ids) {
			near.Next = ids[i+1]
		}
	}
	return row, near, ls.markOutdated(ctx, []*models.LetterRow{row})
}

// UnwrittenPerson is a person on a decided abstract who has no letter about the decision.
type UnwrittenPerson struct {
	SessionID, FriendlyID, Title string
	ContactID, Name, Email       string
}

// Unwritten lists the people of decided abstracts without a letter about the current decision, at most limit, those
// without an address first.
func (ls *Letters) Unwritten(ctx context.Context, limit int) (people []*UnwrittenPerson, err error) {
	err = ls.p.Read(ctx).Raw(`SELECT s.id AS session_id, s.friendly_id, s.title, c.id AS contact_id, c.full_name AS name, c.email
		FROM sessions s JOIN decisions d ON d.session_id = s.id
			AND d.number = (SELECT max(number) FROM decisions x WHERE x.session_id = s.id)
		JOIN participants p ON p.event_id = s.event_id AND p.session_id = s.id JOIN contacts c ON c.id = p.contact_id
		WHERE s.event_id = ? AND s.is_abstract AND s.deleted_at IS NULL AND s.status = d.decision
			AND NOT EXISTS (SELECT 1 FROM letters l WHERE l.session_id = s.id AND l.number = d.number AND l.contact_id = c.id)
		ORDER BY CASE WHEN c.email = '' THEN 0 ELSE 1 END, s.number, p.position LIMIT ?`, ls.p.Event().ID, limit).Scan(&people).Error
	return people, err
}

// LettersOf returns letters of the event by their ids, with their recipients.
func (ls *Letters) LettersOf(ctx context.Context, ids []string) (map[string]*models.LetterRow, error) {
	var rows []*models.LetterRow
	if len(ids) == 0 {
		return nil, nil
	}
	err := ls.letterRows(ctx).Where("letters.id IN ?", ids).Select(letterColumns).Find(&rows).Error
	return store.ByKey(rows, func(row *models.LetterRow) string { return row.ID }), err
}
